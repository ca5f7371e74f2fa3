internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceTerminal
internal import SluiceUI

/// `sluice replay FILE`: a recorded session in the dashboard, without a pipeline.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Show a recorded session in the dashboard.",
        discussion: """
            FILE is what --events wrote, or 'sluice ctl subscribe'. Nothing is downloaded and nothing is changed: \
            Space plays and pauses, arrows seek, + and - change the speed, . steps, q leaves.
            """
    )

    @Argument(help: "A log of events, as --events FILE writes it.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("On the screen, play so many times as fast, from 0.25 to 64.", valueName: "n"))
    var speed: Double = 1

    @Option(help: ArgumentHelp("Begin there: 90, 1:30, 1:02:03, or 50%.", valueName: "time|percent"))
    var at: String?

    @Flag(help: "On the screen, wait to be told to play.")
    var paused = false

    @OptionGroup var screen: ScreenOptions

    @Option(
        help: ArgumentHelp(
            "Read keys and colours from this configuration instead of the user's.",
            valueName: "file"
        )
    )
    var config: String?

    func validate() throws {
        let speeds = ReplayPlayer.speeds
        guard let slowest = speeds.first, let fastest = speeds.last, slowest...fastest ~= speed else {
            throw ValidationError("--speed can be a number from 0.25 to 64.")
        }
        guard let at, ReplayPlayer.Place(at) == nil else { return }
        throw ValidationError("--at can be a time such as 90, 1:30 or 1:02:03, or a share such as 50%.")
    }

    mutating func run() throws {
        let configuration = try Configuration(path: config)
        screen.fill(configuration.defaults)
        let theme = try screen.themeChoice(in: configuration)
        let recording = try RecordingFile.read(file)
        var player = ReplayPlayer(recording, speed: speed, isPaused: paused)
        if let place = at.flatMap({ ReplayPlayer.Place($0) }) { player.seek(to: place) }
        if screen.plain == true { return try print(recording, from: player.position) }
        if screen.color.usesColor { TrueColor.prepare() }
        let signals = SignalWatch()
        let terminal: CursesScreen
        do throws(CursesScreen.OpenError) {
            terminal = try CursesScreen(signals: signals, usesColor: screen.color.usesColor)
        } catch {
            throw complain(DashboardRun.sentence(error, instead: "'sluice replay --plain'"))
        }
        var look = description(recording)
        screen.describe(terminal.capabilities, theme, in: &look)
        look.keys = configuration.keys
        let name = file.split(separator: "/").last.map(String.init) ?? file
        var dashboard = ReplayDashboard(recording, name: name, player: player, look)
        let loop = TerminalLoop(
            screen: terminal,
            mailbox: Mailbox(),
            signals: signals,
            asksForGround: theme.followsGround && screen.color.usesColor
        )
        _ = loop.run(&dashboard) { _ in nil }
    }

    /// Tells it in sentences from a time on, all at once.
    private func print(_ recording: Recording, from start: Duration) throws {
        var look = description(recording)
        look.isASCII = screen.usesASCII(nil)
        // Nobody can try again what a recording tells of.
        var dashboard = PlainDashboard(look, takesLines: false)
        var receipts = RecordedReceipts()
        // What came before is not told, but what is told builds on it.
        for index in 0..<recording.count {
            let event = receipts.counted(recording[index])
            if case .taskChanged(let change) = event.kind, change.phase == .queued { continue }
            let lines = dashboard.handle(.events([event], lost: 0), now: Recording.startTime + event.t).lines
            guard event.t >= start, !lines.isEmpty else { continue }
            let text = lines.map { $0 + "\n" }.joined()
            guard try StandardOutput.write(Array(text.utf8)) else { return }
        }
        guard let line = recording.cutOffLine else { return }
        note("\(VisibleText.visible(file)), line \(line) is cut off: shown is all before it")
    }

    private func description(_ recording: Recording) -> DashboardConfiguration {
        var configuration = DashboardConfiguration(
            start: recording.start,
            utcOffset: DashboardRun.utcOffset(recording.start.nanosecondsSince1970)
        )
        configuration.startsInPrompt = false
        configuration.title = "sluice replay"
        return configuration
    }
}
