internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import SluiceCore

/// `sluice [URL…]`: the dashboard.
struct DashboardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        // Read alone, it need not be asked whether it wants to write a completion script.
        _superCommandName: "sluice",
        abstract: "Open the dashboard; the default.",
        discussion: "URLs given are submitted at once; - reads more from standard input, with keys from the terminal."
    )

    @Argument(help: "What to download; - reads standard input.")
    var urls: [String] = []

    @OptionGroup var options: SessionOptions
    @OptionGroup var screen: ScreenOptions

    func validate() throws {
        try ScreenOptions.check(events: options.events)
        let hasList = urls.contains("-") || !options.lists.isEmpty
        try options.requests.check(urlCount: urls.count { $0 != "-" }, hasList: hasList)
    }

    mutating func run() throws {
        // What a long list needed on its way into the queue must not stay for as long as the screen does.
        sluice_return_blocks(1_048_576)
        let configuration = try Configuration(path: options.config)
        try options.fill(configuration)
        screen.fill(configuration.defaults)
        let requestOptions = try options.requests.options(saves: !options.noSave)
        let named = urls.filter { $0 != "-" }
        var run = DashboardRun(options: options, screenOptions: screen)
        run.configuration = configuration
        run.hostRules = try options.requests.hostRules(urls: named)
        run.hostRules.headerRules = configuration.headerRules
        run.trust = configuration.trust
        run.listOptions = requestOptions
        run.keepsHistory = !options.cache.ephemeral
        run.requests = named.map { DownloadRequest($0, options: requestOptions, source: .argument) }
        run.requests += try options.listed(requestOptions)
        run.readsStandardInput = urls.contains("-") || options.lists.contains("-")
        run.startsInPrompt = run.requests.isEmpty && !run.readsStandardInput
        let status = try run.run()
        if status != .success { throw status }
    }
}
