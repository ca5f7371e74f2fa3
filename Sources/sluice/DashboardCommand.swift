internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import SluiceCore

/// `sluice [URL…]`: the dashboard.
struct DashboardCommand: SessionCommand, URLArguments {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        // Read alone, it need not be asked whether it wants to write a completion script.
        _superCommandName: "sluice",
        abstract: "Open the dashboard; the default.",
        discussion: """
            URLs given are submitted at once; - reads more from standard input, with keys from the terminal, and @FILE \
            from a list. With --plain, - takes the place of the prompt, and the program ends once the list has ended and all \
            is done.
            """
    )

    @Argument(help: "What to download; - reads standard input, @FILE a list, as -i does.")
    var urls: [String] = []

    @OptionGroup var general: GeneralOptions

    @OptionGroup(title: "HTTP cache")
    var cache: CacheOptions

    @OptionGroup(title: "Requests")
    var requests: RequestArguments

    @OptionGroup(title: "Trust")
    var trust: TrustOptions

    @OptionGroup(title: "Settings")
    var settings: SettingOptions

    @OptionGroup var screen: ScreenOptions

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Print no summary on leaving.")
    var isQuiet = false

    @Option(help: .hidden)
    var output: String?

    mutating func validate() throws {
        urls = general.takeLists(from: urls)
        try MisspeltList.check(urls, sign: "@")
        if let word = urls.first, Self.isPlain(word) { throw Self.complaint(of: word) }
        guard output == nil else {
            throw ValidationError("--output is for 'sluice get': the dashboard draws on standard output itself.")
        }
        try requests.check(urlCount: urls.count, hasList: !general.lists.isEmpty)
    }

    /// Refuses what a screen, or its keys, would be in the way of; to be asked once the configuration is known.
    private func checkTerminal() throws {
        // In plain lines nothing is drawn over, and nobody needs keys.
        let isPlain = screen.plain == true || ScreenOptions.isDumb
        try ScreenOptions.check(events: isPlain ? nil : general.events, log: general.log)
        guard !isPlain, general.lists.contains("-"), isatty(STDIN_FILENO) == 1 else { return }
        throw ValidationError(
            "- reads a list from standard input, which is the terminal whose keys the dashboard needs: "
                + "paste the list into it, or give it as a file with -i FILE."
        )
    }

    /// Whether it is a word as commands are; whatever else is no URL becomes a rejected request.
    private static func isPlain(_ word: String) -> Bool {
        word != "localhost" && word.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    private static func complaint(of word: String) -> ValidationError {
        let names = SluiceCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        let near = EditDistance.nearest(to: word, among: names, count: names.count)
        let fewest = near.first.map { EditDistance.between(word, $0) }
        let offer =
            EditDistance.offer(near.filter { EditDistance.between(word, $0) == fewest })
            ?? "sluice --help lists the commands; a URL begins with https:// or http://"
        return ValidationError("'\(word)' is neither a command nor a URL; \(offer)")
    }

    mutating func run() throws {
        // What a long list needed on its way into the queue must not stay for as long as the screen does.
        sluice_return_blocks(1_048_576)
        var configuration = try Configuration(path: options.config)
        let ownOutput = isatty(STDOUT_FILENO) == 1 ? "the dashboard" : nil
        let capacityNote = settings.capacityNote
        try options.fill(&configuration, ownOutput: ownOutput)
        screen.fill(configuration.defaults)
        try checkTerminal()
        let requestOptions = try options.requests.options(saves: !options.noSave)
        var run = DashboardRun(options: options, screenOptions: screen)
        run.configuration = configuration
        run.hostRules = try options.requests.hostRules(urls: urls)
        run.hostRules.headerRules = configuration.headerRules
        run.trust = configuration.trust
        run.listOptions = requestOptions
        run.printsSummary = !isQuiet
        run.keepsHistory = !options.cache.ephemeral
        run.requests = urls.map { DownloadRequest($0, options: requestOptions, source: .argument) }
        run.requests += try general.listed(requestOptions)
        if let series = SeriesNote.ofDashboard(urls) { run.startNotes.append((code: .series, message: series)) }
        if let note = options.requests.noteOnUsers(run.hostRules) {
            run.startNotes.append((code: .credentials, message: note))
        }
        if let capacityNote { run.startNotes.append((code: .cachePreferred, message: capacityNote)) }
        run.readsStandardInput = options.lists.contains("-")
        if !run.readsStandardInput { run.unreadInputNote = StandardInputList.unreadNote }
        run.startsInPrompt = run.requests.isEmpty && !run.readsStandardInput
        let status = try run.run()
        if status != .success { throw status }
    }
}
