internal import Glibc
internal import SluiceControl
internal import SluiceCore
internal import SluicePipeline
internal import SluiceSystem
internal import SluiceTerminal
internal import SluiceUI

/// One dashboard from its first frame to its summary.
struct DashboardRun {
    var options: SessionOptions
    var screenOptions: ScreenOptions
    /// Submitted as soon as the screen stands.
    var requests: [DownloadRequest] = []
    var title = "sluice"
    var startsInPrompt = true
    /// What is said of the command line once the screen stands, and is kept among the events under its code.
    var startNotes: [(code: WarningCode, message: String)] = []
    /// Whether more URLs come from standard input.
    var readsStandardInput = false
    /// What is said of standard input that is not read, where a screen leaves it alone; plain lines read it.
    var unreadInputNote: String?
    /// What to use without a terminal.
    var instead = "'sluice get'"
    /// Whether lines typed at the prompt are kept for the next time.
    var keepsHistory = true
    /// Whether leaving tells what became of everything.
    var printsSummary = true
    /// Whether the folder goes with all in it when it ends.
    var isTemporary = false
    /// Whether the proxies of the user hold.
    var usesProxies = true
    /// The watch that is there already; without one, it makes its own.
    var signals: SignalWatch?
    /// Whether programs may find it without having been told a path.
    var servesByDefault = true
    var listeners: [EventListener] = []
    /// What the configuration file says, for those who read a section of it.
    var configuration = Configuration()
    /// Chosen when it runs.
    var theme = ThemeChoice.auto
    /// What `:theme` may choose beside Sluice's own.
    var ownThemes: [ThemeChoice] = []
    /// What requests carry for their hosts.
    var hostRules = HostRules()
    /// Whom to trust by the configuration.
    var trust = TrustBookBuilder()
    /// For requests from standard input.
    var listOptions = RequestOptions.standard
    /// Called when the screen stands; what it started must end by itself or with the pipeline.
    var feed: (@Sendable (Session) -> Void)?

    /// Runs until the user quits or a signal comes.
    ///
    /// - Returns: How the program ends.
    /// - Throws: ``ExitStatus`` after a message, if there is no terminal or no directory.
    mutating func run() throws -> ExitStatus {
        if screenOptions.color.usesColor { TrueColor.prepare() }
        theme = try screenOptions.themeChoice(in: configuration)
        ownThemes = try screenOptions.ownThemes(in: configuration)
        // Before signals are watched: a pipe that nobody writes would keep them from being heard.
        let book = try options.trust.book(over: trust)
        let authorities = try options.trust.proxyAuthorities(usual: configuration.proxyAuthorities)
        let signals = signals ?? SignalWatch()
        let mailbox = Mailbox()
        let outbox = DashboardOutbox(mailbox)
        let isPlain = usesPlainLines()
        // A reader of plain lines that does not read must not keep the first signal from being heard.
        let stop = OutputStop(signals: isPlain ? signals : nil)
        let (control, problem) = try openControl()
        defer { control?.close(after: stop) }
        var wiring = wiring(mailbox, outbox, control, signals, stop)
        (wiring.trust, wiring.proxyAuthorities) = (book, authorities)
        if isPlain { wiring.publishEarlier = nil } else { noteUnreadInput() }
        let session = try Session(options, wiring)
        let quit: @Sendable () -> Void = {
            // First, since who hears of it looks whether it was.
            stop.ring()
            mailbox.post(answer: .interrupted)
        }
        if session.restorableCount > 0 { startsInPrompt = false }
        if let problem { session.pipeline.send(.warn(code: .control, message: problem)) }
        for said in startNotes { session.pipeline.send(.warn(code: said.code, message: said.message)) }
        if isPlain {
            control?.serve(session, quit: quit)
            return runPlain(session, mailbox, signals, outbox, stop)
        }
        let screen = try openScreen(signals, over: session)
        var dashboard = Dashboard(configuration(session, screen.capabilities))
        if !requests.isEmpty { session.pipeline.send(.submit(requests)) }
        // The pipeline has them: kept here too, a long list would stay in memory.
        requests = []
        feed?(session)
        control?.serve(session, quit: quit)
        if readsStandardInput { feedStandardInput(session) }
        var effects = effects(session, mailbox)
        effects.pictures = PictureDesk(session, mailbox)
        effects.trust = TrustDesk(session, mailbox, path: options.cache.ephemeral ? nil : self.configuration.place)
        let loop = TerminalLoop(
            screen: screen,
            mailbox: mailbox,
            signals: signals,
            asksForGround: theme.followsGround && screenOptions.color.usesColor
        )
        let end = loop.run(&dashboard) { effect in effects.perform(effect) }
        session.shutDown()
        session.waitUntilEnded()
        return leave(dashboard, session, end, outbox.last)
    }

    /// - Throws: ``ExitStatus`` after a message, once the session has ended.
    private func openScreen(_ signals: SignalWatch, over session: Session) throws -> CursesScreen {
        do throws(CursesScreen.OpenError) {
            return try CursesScreen(signals: signals, usesColor: screenOptions.color.usesColor)
        } catch {
            session.shutDown()
            session.waitUntilEnded()
            throw complain(Self.sentence(error, instead: instead))
        }
    }

    /// Tells what became of everything, once the terminal is as it was.
    ///
    /// - Parameters:
    ///   - dashboard: As it was left.
    ///   - session: Has ended.
    ///   - end: Why the screen was left.
    ///   - final: What the pipeline said last, if anything.
    /// - Returns: How the program ends.
    private func leave(
        _ dashboard: Dashboard,
        _ session: Session,
        _ end: TerminalLoop.End,
        _ final: PipelineSnapshot?
    ) -> ExitStatus {
        let isUnfinished = (final?.counts.left ?? 0) > 0
        let status: ExitStatus = end != .quit && isUnfinished ? .stopped : .success
        if end == .terminalLost { return status }
        session.noteLostOutput()
        if printsSummary, let unreadInputNote { note(unreadInputNote) }
        let lines = printsSummary ? dashboard.summary(final: final) : []
        return StandardOutput.write(lines: lines, to: wordsOutput, endingWith: status)
    }

    /// Where people are told in words: not among the events, where these have standard output.
    var wordsOutput: Int32 { options.events == "-" ? STDERR_FILENO : STDOUT_FILENO }

    private mutating func noteUnreadInput() {
        if let unreadInputNote { startNotes.append((code: .list, message: unreadInputNote)) }
    }

    /// What the session gets of this screen, and of programs that look on.
    private func wiring(
        _ mailbox: Mailbox,
        _ outbox: DashboardOutbox,
        _ control: ControlService?,
        _ signals: SignalWatch,
        _ stop: OutputStop
    ) -> Session.Wiring {
        var wiring = Session.Wiring()
        (wiring.signals, wiring.stop) = (signals, stop)
        wiring.isDashboard = true
        wiring.hostRules = hostRules
        wiring.usualProxy = configuration.defaults.proxy
        wiring.usesProxies = usesProxies
        wiring.listeners = [outbox.listener] + listeners
        wiring.publishSnapshot = { outbox.publish($0) }
        if let control {
            wiring.listeners.append(control.listener)
            wiring.keepsJournal = true
        }
        wiring.publishEarlier = { files in
            if !files.isEmpty { mailbox.post(answer: .earlier(files)) }
        }
        wiring.publishSketch = { task, bitmap in
            mailbox.post(answer: .sketch(PictureSketch(task: task, bitmap: bitmap)))
        }
        return wiring
    }

    /// What carries out the wishes of this dashboard; a screen adds its desks.
    func effects(_ session: Session, _ mailbox: Mailbox) -> DashboardEffects {
        DashboardEffects(
            session: session,
            mailbox: mailbox,
            typedOptions: options.noSave ? RequestOptions(saves: false) : .standard,
            keepsHistory: keepsHistory && !options.cache.ephemeral
        )
    }

    /// The socket that was named, which must be there; else the one where programs look, if that is possible.
    private func openControl() throws -> (service: ControlService?, problem: String?) {
        if let path = options.socket { return (try ControlService(path: path), nil) }
        guard servesByDefault else { return (nil, nil) }
        // A folder outside of what ends with the user's session would be left behind.
        if options.cache.ephemeral, Environment.current.runtimeFolder == nil { return (nil, nil) }
        do throws(ControlSocketError) {
            return (try ControlService(), nil)
        } catch {
            return (nil, "no program can steer this Sluice: \(error.message)")
        }
    }

    /// What the dashboard has to know; `capabilities` are `nil` without a screen.
    func configuration(_ session: Session, _ capabilities: CursesScreen.Capabilities?) -> DashboardConfiguration {
        var configuration = DashboardConfiguration(
            start: session.start,
            utcOffset: Self.utcOffset(session.start.nanosecondsSince1970)
        )
        screenOptions.describe(capabilities, theme, in: &configuration)
        configuration.ownThemes = ownThemes
        configuration.directory = session.directory.map(HomeFolder.abbreviated)
        configuration.startsInPrompt = startsInPrompt
        configuration.startNote = startNotes.isEmpty ? nil : startNotes.map(\.message).joined(separator: " · ")
        configuration.restoredCount = session.restorableCount
        configuration.history = keepsHistory ? HistoryFile.read() : []
        configuration.title = title
        configuration.keys = self.configuration.keys
        configuration.isTemporary = isTemporary
        configuration.keptIn = session.keptIn.map(HomeFolder.abbreviated)
        configuration.recordsParts = session.keptIn != nil && session.directory != nil
        configuration.requestCount = requests.count
        return configuration
    }

    /// Reads URLs from standard input while keys come from the terminal itself, or from nobody.
    ///
    /// - Parameters:
    ///   - session: What gets them.
    ///   - ended: Called on another thread behind the last of them.
    func feedStandardInput(_ session: Session, ended: @escaping @Sendable () -> Void = {}) {
        let requestOptions = listOptions
        // A thread of its own: it waits for somebody to type, and must not keep a decoder waiting.
        let reader = BlockingPool(threads: 1)
        reader.add(.normal) {
            defer { reader.close() }
            var list = StandardInputList(options: requestOptions)
            while true {
                guard let batch = list.read() else {
                    list.wait()
                    continue
                }
                if !batch.requests.isEmpty { session.pipeline.send(.submit(batch.requests)) }
                if let failure = batch.failure { session.pipeline.send(.warn(code: .list, message: failure.message)) }
                if batch.isLast { return ended() }
            }
        }
    }

    /// What is wrong with the terminal, and what to use without one.
    static func sentence(_ error: CursesScreen.OpenError, instead: String) -> String {
        switch error {
        case .noTerminal: "the dashboard needs a terminal; use \(instead) without one"
        case .unknownTerminal(let name):
            "the dashboard can't draw on TERM=\(VisibleText.visible(name)); set TERM to what the terminal is, or use \(instead)"
        }
    }

    /// Of local time at a moment, in seconds east of UTC.
    static func utcOffset(_ wallClock: Int64) -> Int {
        var seconds = time_t(wallClock / 1_000_000_000)
        var local = unsafe tm()
        unsafe localtime_r(&seconds, &local)
        return unsafe local.tm_gmtoff
    }
}
