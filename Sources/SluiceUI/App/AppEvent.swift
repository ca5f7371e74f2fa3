public import SluiceCore

/// Everything that can happen to the screen's side of Sluice.
public enum AppEvent: Sendable {
    /// Typed, and not pasted.
    case key(Key)
    /// A bracketed paste, as one text; control characters are still in it.
    case paste(String)
    /// The paste before was longer than a terminal's is taken, and its last words are not in it.
    case cutPaste
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
    /// Standard input has no more lines; only where lines are printed.
    case inputEnded
    /// SIGINT, SIGTERM or SIGHUP: quit without asking.
    case interrupted
    /// The answer to ``AppEffect/submitPicture(_:)`` or ``AppEffect/readPicture(_:)``.
    case picture(ask: Int, PictureNews)
    /// The terminal draws pictures by itself; its cells have so many pixels.
    case pixels(PixelPicture.CellSize)
    /// What arrived of the image that ``PipelineCommand/observe(_:)`` named.
    case sketch(PictureSketch)
    /// What earlier sessions saved, the oldest first: comes once, soon after the start.
    case earlier([KnownFile])
    /// The lines of a list file that ``AppEffect/readList(path:)`` asked for, or why it can't be read.
    case list(path: String, Result<[String], ListError>)
    /// The answer to ``AppEffect/lookAtList(path:)``.
    case listLook(path: String, ListLook)
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
