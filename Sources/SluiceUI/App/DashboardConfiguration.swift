public import SluiceCore

/// What the dashboard has to know of its terminal, its clock and its start.
public struct DashboardConfiguration: Sendable {
    /// What the terminal's palette has.
    public var colorDepth = ColorDepth.palette256
    /// Whether pictures may have colours of 24 bits.
    public var hasTrueColor = false
    /// The colours to begin with; the user changes them at the prompt.
    public var theme = ThemeChoice.auto
    /// The user's own ones, each under its name.
    public var ownThemes: [ThemeChoice] = []
    /// For `--ascii`, a locale without UTF-8, and terminals like `linux` and `vt100`.
    public var isASCII = false
    /// Whether every byte goes through a network (`SSH_CONNECTION`): the spinner steps twice a second.
    public var isRemote = false
    /// Where files go, as it is shown to people; `nil` without saving.
    public var directory: String?
    /// Whether the prompt is active from the start.
    public var startsInPrompt = true
    /// Of the session: times of events count from it.
    public var start: SessionStart
    /// Of local time, in seconds east of UTC.
    public var utcOffset: Int
    /// Lines of the prompt's history, oldest first; the last 500 count.
    public var history: [String] = []
    /// The standard ones, or those of the user's configuration.
    public var keys = KeyMap.standard
    /// Where the queue is kept for the next time, as it is shown to people; `nil` if it is not.
    public var keptIn: String?
    /// Whether ``directory`` and all in it is removed when the session ends: what is saved is not promised.
    public var isTemporary = false
    /// Whether what came of unfinished files is on record and stays, so that a later session goes on with it.
    public var recordsParts = true
    /// Requests of the command line, which are submitted before anything is shown.
    public var requestCount = 0
    /// Requests of earlier sessions that come back; how many is said at the start.
    public var restoredCount = 0
    /// What is wrong with the command line though it is carried out; said at the start.
    public var startNote: String?
    /// The word at the upper left and in the terminal's title.
    public var title = "sluice"

    /// - Parameters:
    ///   - start: Of the session.
    ///   - utcOffset: Seconds east of UTC.
    public init(start: SessionStart, utcOffset: Int) { (self.start, self.utcOffset) = (start, utcOffset) }
}

extension DashboardConfiguration {
    /// What becomes of what came of unfinished files, in a sentence; `nil` where nothing outlives the session.
    var wordsOnParts: String? {
        if isTemporary { return nil }
        return recordsParts ? "Partial files are kept." : "What came so far is not kept."
    }

    /// Every theme that there is.
    var themeNames: [String] {
        ThemeChoice.names + ownThemes.map(\.name).filter { !ThemeChoice.names.contains($0) }
    }

    /// The user's theme of that name, else Sluice's own; `nil` if there is none.
    func theme(named name: String) -> ThemeChoice? {
        ownThemes.first { $0.name == name } ?? ThemeChoice(name: name)
    }
}
