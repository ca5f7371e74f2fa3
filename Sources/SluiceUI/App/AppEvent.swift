public import SluiceCore

/// Everything that can happen to the screen's side of Sluice.
public enum AppEvent: Sendable {
    /// Typed, and not pasted.
    case key(Key)
    /// A bracketed paste, as one text; control characters are still in it.
    case paste(String)
    /// Only where the mouse was asked for, by ``AppEffect/mouse(_:)``.
    case mouse(Mouse)
    /// The terminal said what its ground is.
    case ground(isLight: Bool)
    /// How the last frame went: whether the terminal could not take it as fast as it was written.
    case link(isSlow: Bool)
    /// The terminal gained or lost the focus, where it reports that.
    case focus(Bool)
    /// In cells; the next frame has this size.
    case resized(width: Int, height: Int)
    /// The latest state; what came between is not needed.
    case snapshot(PipelineSnapshot)
    /// In order; `lost` counts older ones that were dropped because too many waited.
    case events([PipelineEvent], lost: Int)
    /// A time that ``TerminalApplication/nextWake(after:)`` named has come.
    case wake
    /// Back from a stop (`^Z`): the screen is empty.
    case resumed
    /// SIGINT, SIGTERM or SIGHUP: quit without asking.
    case interrupted
    /// The answer to ``AppEffect/submitPicture(_:)`` or ``AppEffect/readPicture(_:)``.
    case picture(ask: Int, PictureNews)
    /// The terminal draws pictures by itself; its cells have so many pixels.
    case pixels(PixelPicture.CellSize)
    /// What arrived of the image that ``PipelineCommand/observe(_:)`` named.
    case sketch(PictureSketch)
    /// The lines of a list file that ``AppEffect/readList(path:)`` asked for, or why it can't be read.
    case list(path: String, Result<[String], ListError>)
    /// The answer to ``AppEffect/lookAtTrust(ask:_:)``.
    case trust(ask: Int, Result<TrustReport, DownloadError>)
    /// The answer to ``AppEffect/draftPin(host:_:pins:)``: what would be written, to be asked about.
    case pinDraft(PinDraft)
    /// The answer to ``AppEffect/pin(_:)``: it is kept, and in force.
    case pinned(PinDraft)
    /// Something to tell the user.
    case notice(String, isError: Bool)
    /// The names in a folder that ``AppEffect/readFolder(path:)`` asked for, those of folders with `/` behind.
    case folder(path: String, names: [String])
}

/// Why a list could not be read; a sentence for people.
public struct ListError: Error, Equatable, Sendable {
    /// A whole sentence.
    public let message: String
    /// A list that can't be read, in words.
    public init(message: String) { self.message = message }
}

/// What the screen's side asks the shell to do.
public enum AppEffect: Sendable {
    /// Sent on as it is; what comes of it are events and snapshots.
    case pipeline(PipelineCommand)
    /// Read a file of URLs; answered by ``AppEvent/list(path:_:)``.
    case readList(path: String)
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
