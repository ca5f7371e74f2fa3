internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceCurl
internal import SluiceImaging
internal import SluicePipeline
internal import SluiceStore
internal import SluiceSystem
internal import SluiceTerminal

/// A pipeline with all its sides, running on its own thread.
///
/// The only place that wires transport, files, decoder and pool together.
final class Session: Sendable {
    let pipeline: ImagePipeline
    /// Where the monotonic clock and the calendar met at the start.
    let start: Timestamp
    let startWallClock: Int64
    /// Where files go, absolute; `nil` without saving.
    let directory: String?
    /// What of this session outlives the process; `nil` with `--ephemeral`.
    private let state: StateStore?
    /// At the start.
    let trust: TrustBook
    let proxies: ProxyRules
    /// Whose word counts for them; `nil` means the system's.
    let proxyAuthorities: CertificateFile?
    let ipVersion: CurlTransport.Configuration.IPVersion
    /// Who asks, as proxies are told.
    let userAgent: String
    /// Files of earlier sessions that are shown at most.
    private static let earlierLimit = 1_000

    private let stop: OutputStop
    private let loop: TransferLoop
    private let pool: BlockingPool
    private let activity: ActivityCommand?
    private let outputs: [EventWriter]

    /// What a session is made with beside its options.
    struct Wiring {
        var isDashboard = false
        var listeners: [EventListener] = []
        /// What ends the wait for who reads a pipe, when it is opened; `nil` if signals end the program anyway.
        var signals: SignalWatch?
        var snapshotInterval: Duration = .milliseconds(33)
        var publishSnapshot: (@Sendable (PipelineSnapshot) -> Void)?
        /// Ends the wait for readers that take nothing more of what is written.
        var stop = OutputStop()
        /// Gets what earlier sessions saved and is still there, the oldest first; `nil` if nobody wants to know.
        var publishEarlier: (@Sendable ([KnownFile]) -> Void)?
        /// Gets what arrived of the image that is looked at.
        var publishSketch: (@Sendable (TaskID, Bitmap) -> Void)?
        /// What requests carry for their hosts.
        var hostRules = HostRules()
        /// Whom to trust by the configuration.
        var trust = TrustBookBuilder()
        /// The proxy of the configuration file.
        var usualProxy: String?
        /// Whether any proxy is used, the environment's too.
        var usesProxies = true
        /// Who vouches for proxies by the configuration file.
        var proxyAuthorities: CertificateFile?
        /// Takes the one body instead of a directory.
        var outputDescriptor: Int32?
        /// Whether somebody may ask what happened to a task.
        var keepsJournal = false
    }

    /// Starts a pipeline.
    ///
    /// - Throws: ``ExitStatus`` after a message, if the directory or an output can't be opened.
    init(_ options: SessionOptions, _ wiring: Wiring) throws {
        start = MonotonicClock.now()
        startWallClock = RealTimeClock.nanosecondsSince1970()
        (loop, stop) = (TransferLoop(), wiring.stop)
        activity = options.onActivity.map { ActivityCommand($0) }
        // Decoding on every core must not keep keys and sockets waiting.
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        pool = BlockingPool(threads: max(1, min(8, cores)), niceness: 10)
        var configuration = PipelineConfiguration()
        configuration.settings = try options.settings.settings()
        if wiring.outputDescriptor != nil {
            // What was written can't be read again.
            configuration.settings.decode = .never
        }
        configuration.version = Version.current
        configuration.userAgent = options.requests.userAgent
        configuration.hostRules = wiring.hostRules
        configuration.isDashboard = wiring.isDashboard
        configuration.endsOnFullDisk = !wiring.isDashboard
        configuration.keepsJournal = wiring.keepsJournal
        configuration.watchesMemory = true
        configuration.allowsDowngrade = options.requests.allowDowngrade == true
        trust = try options.trust.book(over: wiring.trust)
        configuration.trust = trust
        configuration.startTime = start
        configuration.snapshotInterval = wiring.snapshotInterval
        // Made before the directory is named: what is missing has no absolute path yet.
        let files = try Self.files(options, wiring, loop, stop)
        directory = options.noSave || wiring.outputDescriptor != nil ? nil : Self.absolute(options.dir)
        configuration.directory = directory
        let loop = loop
        let responses = try options.cache.open(&configuration) { loop.wake() }
        let network = try Self.transport(options, wiring)
        (proxies, proxyAuthorities, ipVersion) = (network.proxies, network.proxyAuthorities, network.ipVersion)
        configuration.route = network.route
        userAgent = options.requests.userAgent ?? "Sluice/\(Version.current)"
        state = Self.state(options, wiring, configuration.settings, directory: directory)
        (configuration.state, configuration.startWallClock) = (state, startWallClock)
        configuration.keepsQueue = wiring.isDashboard
        // A command has nothing to wait for where nothing was ever kept.
        let reads = wiring.isDashboard || Environment.current.stateFolder.map { StateStore.exists(in: $0) } ?? false
        configuration.awaitsMemory = state != nil && reads
        let outputs = try Self.outputs(options, wiring.signals, stop, start, startWallClock)
        self.outputs = outputs
        pipeline = ImagePipeline(
            configuration: configuration,
            executor: loop,
            transport: CurlTransport(poller: loop.poller, configuration: network),
            files: files,
            responses: responses,
            decoder: CodecDecoder(),
            pool: pool,
            listeners: wiring.listeners + (activity.map { [$0.listener] } ?? [])
                + outputs.map { output in EventListener { output.write($0) } },
            publishSnapshot: wiring.publishSnapshot,
            publishSketch: wiring.publishSketch
        )
        loop.run(pipeline)
        let publishEarlier = options.fresh ? nil : wiring.publishEarlier
        guard configuration.awaitsMemory else { return }
        state?.load { [self] remembered in
            pipeline.remember(remembered)
            guard let publishEarlier else { return }
            // A folder on a slow network takes its time, and the state has others who wait for it.
            let files = remembered.files.suffix(Self.earlierLimit)
            pool.add(.low) { [self] in publishEarlier(files.filter { !stop.isRung && Self.isThere($0) }) }
        }
    }

    /// Requests of earlier sessions that are about to be restored.
    var restorableCount: Int { state?.restorableCount ?? 0 }

    /// Where the queue is kept for the next time; `nil` if it is not.
    var keptIn: String? { state == nil ? nil : Environment.current.stateFolder }

    /// Ends the pipeline now; a reader that does not read can't hold it up.
    func shutDown() {
        stop.ring()
        pipeline.send(.shutDown)
    }

    /// Waits for the loop's thread; the pipeline must have been told to end.
    func waitUntilEnded() {
        loop.waitUntilEnded()
        pool.close()
        state?.close()
        activity?.close()
    }

    /// Says on standard error which of the outputs lack something; once it has ended, and the screen is restored.
    func noteLostOutput() {
        for problem in outputs.compactMap(\.problem) { note(problem) }
    }

    /// Writes events with the times of this session.
    var eventEncoder: EventEncoder {
        EventEncoder(startTime: start, startWallClock: startWallClock)
    }

    /// Runs what may block on a thread of the pool.
    func inBackground(_ priority: Priority = .high, _ work: @escaping @Sendable () -> Void) {
        pool.add(priority, work)
    }

    private static func transport(_ options: SessionOptions, _ wiring: Wiring) throws -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        if wiring.usesProxies {
            configuration.proxies = try options.requests.proxies(fallback: wiring.usualProxy)
        }
        configuration.proxyAuthorities = try options.trust.proxyAuthorities(usual: wiring.proxyAuthorities)
        configuration.cookies = options.requests.cookies != false
        configuration.ipVersion = options.ipv4Only ? .v4 : options.ipv6Only ? .v6 : .any
        return configuration
    }

    private static func files(
        _ options: SessionOptions,
        _ wiring: Wiring,
        _ loop: TransferLoop,
        _ stop: OutputStop
    ) throws -> sending (any FileStoring)? {
        if let descriptor = wiring.outputDescriptor {
            return StreamStore(descriptor: descriptor, stop: stop, sums: options.requests.sha256 != nil)
        }
        if options.noSave { return nil }
        do throws(DownloadError) {
            return try DirectoryStore(directory: options.dir, syncs: options.sync == true) { loop.wake() }
        } catch {
            throw complain("--dir \(options.dir): \(error.message)")
        }
    }

    private static func state(
        _ options: SessionOptions,
        _ wiring: Wiring,
        _ settings: Settings,
        directory: String?
    ) -> StateStore? {
        // Where neither files nor a queue are kept, there is nothing to read or to write.
        let keepsSomething = wiring.isDashboard || (!options.noSave && wiring.outputDescriptor == nil)
        guard keepsSomething, !options.cache.ephemeral, let folder = Environment.current.stateFolder else { return nil }
        var configuration = StateStore.Configuration(
            folder: folder,
            directory: directory,
            keepsQueue: wiring.isDashboard
        )
        configuration.startsFresh = options.fresh
        // Who says how the queue starts means a restored one too.
        if options.settings.suspended != nil { configuration.suspension = settings.suspended }
        return StateStore(configuration)
    }

    private static func outputs(
        _ options: SessionOptions,
        _ signals: SignalWatch?,
        _ stop: OutputStop,
        _ start: Timestamp,
        _ wallClock: Int64
    ) throws -> [EventWriter] {
        var files = OutputFiles(beside: options.inputs)
        let events = try options.events.map { try files.open($0, option: "--events", signals) }
        let log = try options.log.map { try files.open($0, option: "--log", signals) }
        var writers: [EventWriter] = []
        if let events, let path = options.events {
            // A file has those of one session; not before both are known to be nothing else. A pipe can't be emptied.
            if path != "-" { ftruncate(events, 0) }
            let encoder = EventEncoder(startTime: start, startWallClock: wallClock)
            writers.append(EventWriter("--events \(path)", descriptor: events, stop: stop, encoder: encoder))
        }
        if let log, let path = options.log {
            let sentences = EventLog(startTime: start, startWallClock: wallClock)
            writers.append(EventWriter("--log \(path)", descriptor: log, stop: stop, log: sentences))
        }
        return writers
    }

    /// Whether a file is as it was saved.
    private static func isThere(_ known: KnownFile) -> Bool {
        FileStatus(known.file.path, in: AT_FDCWD)?.isSame(as: known.file) ?? false
    }

    private static func absolute(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
