internal import ArgumentParser
internal import SluiceCore
internal import SluicePipeline
internal import SluiceTerminal

/// What every command that downloads takes, beside the options that have a section of their own in its help.
struct GeneralOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .customLong("input")],
        help: ArgumentHelp("Read URLs from a file, one a line; - reads standard input.", valueName: "file"),
        completion: .file()
    )
    var lists: [String] = []

    @Option(
        name: .customLong("dir"),
        help: ArgumentHelp(
            "Save files in this directory; made if missing (default: the current one).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var givenDir: String?

    @Flag(help: "Save no files; images are decoded and cached, the rest is only fetched.")
    var noSave = false

    @Flag(inversion: .prefixedNo, help: "Sync each file before it gets its name.")
    var sync: Bool?

    @Flag(name: .customShort("4"), help: "Use IPv4 only.")
    var ipv4Only = false

    @Flag(name: .customShort("6"), help: "Use IPv6 only.")
    var ipv6Only = false

    @Option(
        help: ArgumentHelp(
            "Write every event as a line of JSON to a file, in place of what it has; - is standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var events: String?

    @Option(
        help: ArgumentHelp("Write every event as a sentence, behind what the file has.", valueName: "file"),
        completion: .file()
    )
    var log: String?

    @Flag(help: "Leave an earlier dashboard's queue to the next one; get has none, and continues files all the same.")
    var fresh = false

    @Option(
        help: ArgumentHelp("Let programs of yours steer this Sluice over a socket here.", valueName: "path"),
        completion: .file()
    )
    var socket: String?

    @Option(help: ArgumentHelp("Run this with 1 when the indicator shows, with 0 when it hides.", valueName: "command"))
    var onActivity: String?

    @Option(
        help: ArgumentHelp(
            "Read this configuration instead of $XDG_CONFIG_HOME/sluice/config.toml.",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?

    func validate() throws {
        if let log, log == events {
            throw ValidationError("--log and --events can't both go to \(log == "-" ? "standard output" : log).")
        }
        if ipv4Only, ipv6Only { throw ValidationError("-4 and -6 exclude each other; give one of them.") }
    }

    /// Takes the words that name lists, `-` and `@FILE` as at the prompt.
    ///
    /// - Returns: The others, which are URLs.
    mutating func takeLists(from words: [String]) -> [String] {
        lists += words.compactMap(Self.list)
        return words.filter { Self.list($0) == nil }
    }

    private static func list(_ word: String) -> String? {
        if word == "-" { return word }
        return word.count > 1 && word.hasPrefix("@") ? String(word.dropFirst()) : nil
    }

    /// Where files go.
    var dir: String { givenDir ?? "." }

    /// Takes what was not given from the configuration.
    ///
    /// - Parameters:
    ///   - defaults: Of the file.
    ///   - wantsBody: Whether a body goes elsewhere than to a file.
    mutating func fill(_ defaults: Configuration.Defaults, wantsBody: Bool) {
        // Who says where a body goes wants it saved.
        noSave = noSave || defaults.noSave == true && givenDir == nil && !wantsBody
        givenDir = (givenDir ?? defaults.dir).map(HomeFolder.expanded)
        sync = sync ?? defaults.sync
        (events, lists) = (events.map(HomeFolder.expanded), lists.map(HomeFolder.expanded))
        socket = socket.map(HomeFolder.expanded)
        log = log.map(HomeFolder.expanded)
        if !ipv4Only, !ipv6Only { (ipv4Only, ipv6Only) = (defaults.ipVersion == 4, defaults.ipVersion == 6) }
        onActivity = onActivity ?? defaults.onActivity
    }

    /// Opens all list files.
    ///
    /// - Parameters:
    ///   - options: Of each line.
    ///   - signals: What ends the wait for the writer of a pipe; `nil` if signals end the program anyway.
    /// - Returns: The lists in their order.
    /// - Throws: ``ExitStatus`` after a message, if one can't be read; nothing is started then.
    func openLists(_ options: RequestOptions, signals: SignalWatch? = nil) throws -> [ListReader] {
        do {
            return try lists.filter { $0 != "-" }.map { try ListReader($0, options, signals: signals) }
        } catch let failure as ListFailure {
            throw complain(failure.message)
        }
    }

    /// The requests of all list files.
    ///
    /// - Parameter options: Of each line.
    /// - Returns: In the order of the lists and their lines.
    /// - Throws: ``ExitStatus`` after a message, if one can't be read; nothing is started then.
    func listed(_ options: RequestOptions) throws -> [DownloadRequest] {
        var requests: [DownloadRequest] = []
        do {
            for list in try openLists(options) { while let piece = try list.next() { requests += piece } }
        } catch let failure as ListFailure {
            throw complain(failure.message)
        }
        return requests
    }
}
