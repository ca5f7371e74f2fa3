internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluicePipeline
internal import SluiceTerminal
internal import SluiceUI

/// How the dashboard uses the terminal.
struct ScreenOptions: ParsableArguments {
    enum Color: String, ExpressibleByArgument, CaseIterable {
        case auto
        case always
        case never
    }

    @Option(help: "Use colours: auto, always or never. NO_COLOR means never.")
    var color = Color.auto

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    var usesColor: Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto: (environment("NO_COLOR") ?? "").isEmpty
        }
    }

    static func check(events: String?) throws {
        guard events != "-" || isatty(STDOUT_FILENO) == 0 else {
            throw ValidationError("--events - would write over the dashboard; send the events to a file.")
        }
    }
}

/// One dashboard from its first frame to its summary.
struct DashboardRun {
    var options: SessionOptions
    var screenOptions: ScreenOptions
    /// Submitted as soon as the screen stands.
    var requests: [DownloadRequest] = []
    var title = "sluice"
    var startsInPrompt = true
    /// Whether more URLs come from standard input.
    var readsStandardInput = false
    /// Whether lines typed at the prompt are kept for the next time.
    var keepsHistory = true
    var listeners: [EventListener] = []
    /// For requests that are typed, pasted or read from a list at the prompt.
    var promptOptions: HostOptions?
    /// Called when the screen stands; what it started must end by itself or with the pipeline.
    var feed: (@Sendable (Session) -> Void)?

    /// Runs until the user quits or a signal comes.
    ///
    /// - Returns: How the program ends.
    /// - Throws: ``ExitStatus`` after a message, if there is no terminal or no directory.
    mutating func run() throws -> ExitStatus {
        let signals = SignalWatch()
        let mailbox = Mailbox()
        let outbox = DashboardOutbox(mailbox)
        var wiring = Session.Wiring()
        wiring.isDashboard = true
        wiring.listeners = [outbox.listener] + listeners
        wiring.publishSnapshot = { outbox.publish($0) }
        let session = try Session(options, wiring)
        let screen: CursesScreen
        do throws(CursesScreen.OpenError) {
            screen = try CursesScreen(signals: signals, usesColor: screenOptions.usesColor)
        } catch {
            session.shutDown()
            session.waitUntilEnded()
            throw complain(Self.sentence(error))
        }
        var dashboard = Dashboard(configuration(session, screen.capabilities))
        if !requests.isEmpty { session.pipeline.send(.submit(requests)) }
        // The pipeline has them: kept here too, a long list would stay in memory.
        requests = []
        feed?(session)
        if readsStandardInput { feedStandardInput(session) }
        let pressure = MemoryPressure { session.pipeline.send(.pressure) }
        let loop = TerminalLoop(screen: screen, mailbox: mailbox, signals: signals)
        let end = loop.run(&dashboard) { effect in perform(effect, session, mailbox) }
        session.shutDown()
        session.waitUntilEnded()
        withExtendedLifetime(pressure) {}
        let final = outbox.last
        if end != .terminalLost {
            for line in dashboard.summary(final: final) { print(line) }
        }
        let isUnfinished = (final?.counts.left ?? 0) > 0
        return end != .quit && isUnfinished ? .stopped : .success
    }

    private func perform(_ effect: AppEffect, _ session: Session, _ mailbox: Mailbox) -> AppEvent? {
        switch effect {
        case .pipeline(.submit(let requests)):
            session.pipeline.send(.submit(requests.map { withOptions($0) }))
        case .pipeline(let command):
            session.pipeline.send(command)
        case .readList(let path):
            session.inBackground {
                let result: Result<[String], ListError>
                do {
                    result = .success(Self.padded(try ListFile.read(path)))
                } catch let failure as ListFailure {
                    result = .failure(ListError(message: failure.message))
                } catch {
                    result = .failure(ListError(message: "can't read the list \(path)"))
                }
                mailbox.post(answer: .list(path: path, result))
            }
        case .saveHistory(let lines):
            if keepsHistory { HistoryFile.write(lines) }
        case .repaint, .stop, .quit:
            break
        }
        return nil
    }

    /// What is typed has the options of the command line, except what belongs to the hosts named there.
    private func withOptions(_ request: DownloadRequest) -> DownloadRequest {
        var request = request
        request.options = promptOptions?.of(request.url) ?? .standard
        return request
    }

    private func configuration(_ session: Session, _ capabilities: CursesScreen.Capabilities) -> DashboardConfiguration
    {
        var configuration = DashboardConfiguration(
            startTime: session.start,
            startWallClock: session.startWallClock,
            utcOffset: Self.utcOffset(session.startWallClock)
        )
        configuration.colorDepth =
            ColorDepth(colors: screenOptions.usesColor ? capabilities.colors : 0)
        let plainTerminals = ["linux", "dumb"]
        let isPlain = plainTerminals.contains(capabilities.terminal) || capabilities.terminal.hasPrefix("vt")
        configuration.isASCII = screenOptions.ascii || !capabilities.isUnicode || isPlain
        configuration.directory = session.directory.map(Self.abbreviated)
        configuration.startsInPrompt = startsInPrompt
        configuration.history = keepsHistory ? HistoryFile.read() : []
        configuration.title = title
        return configuration
    }

    /// Reads URLs from standard input while keys come from the terminal itself.
    private func feedStandardInput(_ session: Session) {
        let requestOptions = promptOptions
        // A thread of its own: it waits for somebody to type, and must not keep a decoder waiting.
        BlockingPool(threads: 1).add(.normal) {
            var splitter = LineSplitter()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                let lines = count > 0 ? splitter.add(buffer[..<count]) : splitter.end()
                let requests = lines.map { line in
                    DownloadRequest(
                        line.text,
                        options: requestOptions?.of(line.text) ?? .standard,
                        source: .standardInput(line: line.number)
                    )
                }
                if !requests.isEmpty { session.pipeline.send(.submit(requests)) }
                if count <= 0 { return }
            }
        }
    }

    /// The lines of a list at their places, with blanks for those that were skipped.
    private static func padded(_ lines: [(number: Int, text: String)]) -> [String] {
        var padded: [String] = []
        for (number, text) in lines {
            padded += repeatElement("", count: max(0, number - 1 - padded.count))
            padded.append(text)
        }
        return padded
    }

    private static func sentence(_ error: CursesScreen.OpenError) -> String {
        switch error {
        case .noTerminal: "the dashboard needs a terminal; use 'sluice get' without one"
        case .unknownTerminal(let name):
            "the dashboard can't draw on TERM=\(VisibleText.visible(name)); set TERM to what the terminal is, or use 'sluice get'"
        }
    }

    private static func utcOffset(_ wallClock: Int64) -> Int {
        var seconds = time_t(wallClock / 1_000_000_000)
        var local = unsafe tm()
        unsafe localtime_r(&seconds, &local)
        return unsafe local.tm_gmtoff
    }

    /// With `~` for the home directory.
    private static func abbreviated(_ path: String) -> String {
        guard let home = environment("HOME"), home.count > 1 else { return path }
        if path == home { return "~" }
        return path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }
}

/// Hands events and snapshots to the screen together, so that it wakes once for both.
private final class DashboardOutbox: Sendable {
    private struct State {
        var events: [PipelineEvent] = []
        var last: PipelineSnapshot?
    }

    private let mailbox: Mailbox
    private let state = Locked(State())

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    var listener: EventListener {
        EventListener { [self] event in
            // The snapshot says what is queued; as news they are noise, and as many as URLs in a list.
            if case .taskChanged(let change) = event.kind, change.phase == .queued { return }
            state.withLock { $0.events.append(event) }
        }
    }

    /// The newest snapshot.
    var last: PipelineSnapshot? { state.withLock { $0.last } }

    func publish(_ snapshot: PipelineSnapshot) {
        let events = state.withLock { state in
            defer { state.events = [] }
            state.last = snapshot
            return state.events
        }
        mailbox.post(events: events, snapshot: snapshot)
    }
}

/// A variable of the environment.
func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}
