public import SluiceCore

/// Everything that can happen to the screen's side of Sluice.
public enum AppEvent: Sendable {
    case key(Key)
    /// A bracketed paste, as one text; control characters are still in it.
    case paste(String)
    /// The terminal gained or lost the focus, where it reports that.
    case focus(Bool)
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
    /// The lines of a list file that ``AppEffect/readList(path:)`` asked for, or why it can't be read.
    case list(path: String, Result<[String], ListError>)
}

/// Why a list could not be read; a sentence for people.
public struct ListError: Error, Equatable, Sendable {
    public let message: String
    public init(message: String) { self.message = message }
}

/// What the screen's side asks the shell to do.
public enum AppEffect: Sendable {
    case pipeline(PipelineCommand)
    /// Read a file of URLs; answered by ``AppEvent/list(path:_:)``.
    case readList(path: String)
    /// Paint everything anew (`^L`).
    case repaint
    /// Stop the process as `^Z` does elsewhere.
    case stop
    /// Keep the prompt's history; lines without credentials, oldest first.
    case saveHistory([String])
    /// End the loop.
    case quit
}
