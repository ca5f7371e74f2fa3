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
    let start: SessionStart
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

    /// Starts a pipeline.
    ///
    /// - Throws: ``ExitStatus`` after a message, if the directory or an output can't be opened.
    init(_ options: SessionOptions, _ wiring: Wiring) throws {
        start = SessionStart(
            time: MonotonicClock.now(),
            nanosecondsSince1970: RealTimeClock.nanosecondsSince1970()
        )
        (loop, stop) = (TransferLoop(), wiring.stop)
        activity = options.onActivity.map { ActivityCommand($0) }
        // Decoding on every core must not keep keys and sockets waiting.
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        pool = BlockingPool(threads: max(1, min(8, cores)), niceness: 10)
        trust = wiring.trust
        var configuration = try Self.configuration(options, wiring, start)
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
        configuration.state = state
        configuration.keepsQueue = wiring.isDashboard
        // A command has nothing to wait for where nothing was ever kept.
        let reads = wiring.isDashboard || Environment.current.stateFolder.map { StateStore.exists(in: $0) } ?? false
        configuration.awaitsMemory = state != nil && reads
        let outputs = try Self.outputs(options, wiring.signals, stop, start)
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
    var eventEncoder: EventEncoder { EventEncoder(start: start) }

    /// Runs what may block on a thread of the pool.
    func inBackground(_ priority: Priority = .high, _ work: @escaping @Sendable () -> Void) {
        pool.add(priority, work)
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
