public import SluiceCore

/// What the screen's side asks the shell to do.
public enum AppEffect: Sendable {
    /// Sent on as it is; what comes of it are events and snapshots.
    case pipeline(PipelineCommand)
    /// Read a file of URLs; answered by ``AppEvent/list(path:_:)``.
    case readList(path: String)
    /// Look into the beginning of a list file while its name is typed; answered by ``AppEvent/listLook(path:_:)``.
    case lookAtList(path: String)
    /// Ask the pipeline for a picture, never the network; answered by ``AppEvent/picture(ask:_:)``, and by the
    /// events of the submit, whose origin has the number of the question.
    case submitPicture(PictureRequest)
    /// Read a picture from the file that was saved; answered by ``AppEvent/picture(ask:_:)``.
    case readPicture(PictureRequest)
    /// The answer to this question is not wanted any more.
    case dropPicture(Int)
    /// Look at the certificates of a host; answered by ``AppEvent/trust(ask:_:)``.
    case lookAtTrust(ask: Int, RequestURL)
    /// Say what pinning keys (`sha256/…`) for a host would write; answered by ``AppEvent/pinDraft(_:)``, or by
    /// ``AppEvent/notice(_:isError:)`` where that is not possible.
    case draftPin(host: String, RequestURL, pins: [String])
    /// Keep the pins that the user agreed to; answered by ``AppEvent/pinned(_:)``, or by a notice.
    case pin(PinDraft)
    /// Read the names in a folder, for a completion; answered by ``AppEvent/folder(path:names:)``.
    case readFolder(path: String)
    /// Give a text to the terminal's clipboard (OSC 52).
    case copy(String)
    /// Open a saved file with what the desktop has for it; answered by ``AppEvent/notice(_:isError:)`` if that fails.
    case open(path: String)
    /// Paint everything anew (`^L`).
    case repaint
    /// Stop the process as `^Z` does elsewhere.
    case stop
    /// Whether the terminal reports the mouse.
    case mouse(Bool)
    /// Ask the terminal for its ground; answered by ``AppEvent/ground(isLight:)``, if at all.
    case askForGround
    /// Keep the prompt's history; lines without credentials, oldest first.
    case saveHistory([String])
    /// End the loop.
    case quit
}
