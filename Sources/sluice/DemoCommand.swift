internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceOrigin
internal import SluicePipeline
internal import SluiceSystem
internal import SluiceTerminal

/// `sluice demo`: the dashboard over a built-in origin, with a scripted feed.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "See everything with no network: a built-in server on loopback and a scripted feed.",
        discussion: """
            Files go to a temporary directory that is removed at the end; nothing of yours is touched. \
            All keys work: add, cancel, pause and steer as you like.
            """
    )

    @OptionGroup var screen: ScreenOptions

    @Option(help: ArgumentHelp("Write every event as a line of JSON.", valueName: "file"))
    var events: String?

    @Option(help: ArgumentHelp("Let programs of yours steer this demo over a socket here.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Read keys and colours from this configuration instead of the user's.",
            valueName: "file"
        )
    )
    var config: String?

    func validate() throws { try ScreenOptions.check(events: events) }

    mutating func run() throws {
        let configuration = try Configuration(path: config)
        screen.fill(configuration.defaults)
        // Before there is anything that a signal would leave behind.
        let signals = SignalWatch()
        let name = (parent: "/tmp", start: "sluice-demo.")
        TemporaryFolder.removeLeftovers(in: name.parent, startingWith: name.start)
        guard let folder = TemporaryFolder(in: name.parent, startingWith: name.start) else {
            throw complain("can't make a temporary directory in /tmp")
        }
        let origin: DemoOrigin
        do throws(OriginError) {
            origin = try DemoOrigin()
        } catch {
            folder.remove()
            throw complain("the demo's server can't start on 127.0.0.1: \(error)")
        }
        let feed = DemoFeed(origin)
        let status: ExitStatus
        do {
            status = try play(feed, in: folder.path, configuration, signals)
        } catch let end as ExitStatus {
            status = end
        } catch {
            folder.remove()
            throw error
        }
        feed.end()
        folder.remove()
        // Not by returning: that waits for the server's threads, which may be drawing a picture.
        withExtendedLifetime(origin) { Glibc.exit(status.rawValue) }
    }

    private func play(
        _ feed: DemoFeed,
        in folder: String,
        _ configuration: Configuration,
        _ signals: SignalWatch
    ) throws -> ExitStatus {
        var arguments = [
            "--ephemeral", "--dir", folder, "--cache-dir", folder + "/.cache", "--cache-capacity", "24M",
            "--cache-preferred", "14M",
        ]
        if let events { arguments += ["--events", HomeFolder.expanded(events)] }
        if let socket { arguments += ["--socket", HomeFolder.expanded(socket)] }
        var run = DashboardRun(options: try DashboardCommand.parse(arguments).options, screenOptions: screen)
        run.configuration = configuration
        run.title = "sluice demo"
        run.instead = "'sluice demo --plain'"
        run.startsInPrompt = false
        run.keepsHistory = false
        run.isTemporary = true
        run.signals = signals
        run.usesProxies = false
        run.servesByDefault = false
        run.listeners = [feed.listener]
        run.feed = { feed.start($0) }
        return try run.run()
    }
}
