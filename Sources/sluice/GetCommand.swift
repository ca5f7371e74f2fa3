internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluicePipeline
internal import SluiceSystem
internal import SluiceTerminal

/// `sluice get`: the pipeline without a screen.
struct GetCommand: SessionCommand, URLArguments {
    static let configuration = CommandConfiguration(
        commandName: "get",
        // Read alone, it need not be asked whether it wants to write a completion script.
        _superCommandName: "sluice",
        abstract: "Download without a screen.",
        discussion: """
            Ends when every request has its outcome. Exit status: 0 if all succeeded, 1 if some failed, \
            2 if the command line is invalid, 7 if stopped with unfinished work, 9 on a full disk.

            A size is a number of bytes, or one with K, M, G or T, such as 20M or 1.5G.
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

    @Option(help: ArgumentHelp("- writes the body of the one URL to standard output.", valueName: "where"))
    var output: String?

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Show neither progress nor summary.")
    var isQuiet = false

    mutating func validate() throws {
        urls = general.takeLists(from: urls)
        try MisspeltList.check(urls, sign: "-i ")
        if let output {
            guard output == "-" else {
                throw ValidationError("--output takes only -, which is standard output; --dir says where files go.")
            }
            guard urls.count == 1, general.lists.isEmpty else {
                throw ValidationError("--output - writes one body: give exactly one URL and no list.")
            }
            guard general.events != "-" else {
                throw ValidationError("--output - and --events - both want standard output; send the events to a file.")
            }
            guard general.log != "-" else {
                throw ValidationError("--output - and --log - both want standard output; send the log to a file.")
            }
            guard !general.noSave else { throw ValidationError("--output - and --no-save exclude each other.") }
            guard sluice_was_closed(STDOUT_FILENO) == 0 else {
                throw ValidationError("--output - writes to standard output, which is closed.")
            }
        }
        try requests.check(urlCount: urls.count, hasList: !general.lists.isEmpty)
        guard general.lists.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("-i - can be given once: there is one standard input.")
        }
        if general.lists.contains("-"), let fault = StandardInputList.fault {
            throw ValidationError("-i - reads standard input, which \(fault).")
        }
    }

    mutating func run() throws {
        // Not while the words are judged: an option that does not exist is the better complaint.
        guard !urls.isEmpty || !options.lists.isEmpty || options.socket != nil else {
            throw complain(
                "nothing to download: give URLs, or a list with -i FILE (-i - reads standard input), or a --socket"
            )
        }
        // Each small body is handed to the writer, and so freed at the end of a heap again and again.
        sluice_keep_freed(4_194_304)
        sluice_return_blocks(1_048_576)
        var configuration = try Configuration(path: options.config)
        let ownOutput = output != nil ? "--output" : options.events == "-" ? "--events" : nil
        let capacityNote = settings.capacityNote
        try options.fill(&configuration, ownOutput: ownOutput, wantsBody: output != nil)
        // The one line of progress has no theme, but a misspelt one is a mistake here, too.
        if screen.theme != nil { _ = try screen.themeChoice(in: configuration) }
        screen.fill(configuration.defaults)
        let requestOptions = try options.requests.options(saves: !options.noSave)
        let requests = urls.map { DownloadRequest($0, options: requestOptions, source: .argument) }
        let report = HeadlessReport(
            showsProgress: !isQuiet && screen.plain != true && isatty(STDERR_FILENO) == 1,
            usesColor: screen.color.usesColor(on: STDERR_FILENO),
            isASCII: screen.usesASCII(nil)
        )
        var wiring = try wiring(configuration, report)
        // Behind the files above: any of them may be a pipe that nobody writes, whose wait a signal has to end.
        let signals = SignalWatch()
        wiring.signals = signals
        let feed = ListFeed(try general.openLists(requestOptions, signals: signals))
        let control = try options.socket.map { try ControlService(path: $0) }
        if let control {
            wiring.listeners.append(control.listener)
            wiring.keepsJournal = true
        }
        let session: Session
        do {
            session = try Session(options, wiring)
        } catch {
            control?.close()
            throw error
        }
        if !isQuiet { warn(of: session, [capacityNote, options.requests.noteOnUsers(wiring.hostRules)]) }
        if !requests.isEmpty { session.pipeline.send(.submit(requests)) }
        let quitBell = Doorbell()
        var run = HeadlessRun(
            session: session,
            report: report,
            signals: signals,
            quitBell: quitBell,
            feed: feed,
            input: options.lists.contains("-") ? StandardInputList(options: requestOptions) : nil,
            staysForPrograms: staysForPrograms
        )
        // Who waits there for all tasks waits for those of the lists too.
        run.serve { control?.serve(session) { quitBell.ring() } }
        session.waitUntilEnded()
        control?.close(after: wiring.stop)
        report.clearProgress()
        session.noteLostOutput()
        if !isQuiet { summarise(report, run.ending, isKept: session.keptIn != nil && !requestOptions.isUnmergeable) }
        throw run.status
    }

    /// What a session is made with for this command line.
    private func wiring(_ configuration: Configuration, _ report: HeadlessReport) throws -> Session.Wiring {
        var wiring = Session.Wiring()
        wiring.listeners = [report.listener]
        if report.showsProgress {
            wiring.snapshotInterval = .milliseconds(250)
            wiring.publishSnapshot = { report.show($0) }
        }
        wiring.hostRules = try options.requests.hostRules(urls: urls)
        wiring.hostRules.headerRules = configuration.headerRules
        wiring.trust = try options.trust.book(over: configuration.trust)
        wiring.usualProxy = configuration.defaults.proxy
        wiring.proxyAuthorities = try options.trust.proxyAuthorities(usual: configuration.proxyAuthorities)
        if output != nil { wiring.outputDescriptor = STDOUT_FILENO }
        return wiring
    }

    /// Says what the user may not have meant, before anything is downloaded.
    private func warn(of session: Session, _ notes: [String?]) {
        if let warning = session.trust.warning { note(warning) }
        for text in notes.compactMap(\.self) { note(text) }
        if let series = SeriesNote.text(urls) { note(series) }
        if staysSuspended {
            note("the queue is suspended, and nothing here resumes it: leave that out, or give a --socket")
        }
    }

    /// Says what came of it, and whether what is left goes on from where it is if the same is asked again.
    private func summarise(_ report: HeadlessReport, _ ending: HeadlessRun.Ending, isKept: Bool) {
        let directory = options.noSave || output != nil ? nil : options.dir
        report.printSummary(
            directory: directory,
            staysForPrograms ? .submitAgain : staysSuspended ? .suspendsAgain : isKept ? .resumes : .startsOver,
            // Sentences are for people; who only has the other one reads that.
            record: options.log ?? options.events
        )
        switch ending {
        case .done, .stopped: break
        case .stoppedWithinList:
            note("stopped before the list on standard input ended: what was not read is not downloaded")
        case .stoppedWithinFile:
            note("stopped before the lists were read to their ends: what was not read is not downloaded")
        }
    }

    /// Whether requests come over the socket only.
    private var staysForPrograms: Bool { urls.isEmpty && options.lists.isEmpty }

    /// Whether the queue is suspended, and nobody can resume it.
    private var staysSuspended: Bool {
        (try? options.settings.settings().suspended) == true && options.socket == nil
    }
}
