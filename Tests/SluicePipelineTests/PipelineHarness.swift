import SluiceCore
import SluiceCurl
import SluiceImaging
import SluiceOrigin
import SluicePipeline
import SluiceStore
import SluiceSystem
import SluiceTestSupport
import Testing

/// A real pipeline over real sockets and files, and everything it reported.
///
/// Every event is encoded and checked against the schema when the harness ends.
final class PipelineHarness: Sendable {
    private struct State {
        var events: [PipelineEvent] = []
        var isEnded = false
    }

    private static let threads = 2

    let pipeline: ImagePipeline
    /// Exists while the harness does.
    let directory: TemporaryDirectory
    private let loop = TransferLoop()
    private let pool = BlockingPool(threads: PipelineHarness.threads)
    private let state: SharedState
    let start: Timestamp

    /// What the loop's thread writes and the test reads.
    private final class SharedState: Sendable {
        let bell = Doorbell()
        private let state = Locked(State())

        func add(_ event: PipelineEvent) {
            state.withLock { state in
                state.events.append(event)
                if case .sessionEnded = event.kind { state.isEnded = true }
            }
            bell.ring()
        }

        var events: [PipelineEvent] { state.withLock { $0.events } }

        func ring() { bell.ring() }
    }

    init(
        saves: Bool = false,
        namesDirectory: Bool = false,
        copying gate: HeldCopies.Gate? = nil,
        files: sending (any FileStoring)? = nil,
        network: sending (any HTTPTransport)? = nil,
        cache: String? = nil,
        failure: DownloadError? = nil,
        keeping snapshots: SnapshotBox? = nil,
        sketches: Sketches? = nil,
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        state = SharedState()
        var configuration = PipelineConfiguration()
        start = MonotonicClock.now()
        (configuration.startTime, configuration.startWallClock) = (start, 0)
        configuration.random = { 0 }
        if namesDirectory { configuration.directory = directory.path }
        configure(&configuration)
        let listener = EventListener { [state] in state.add($0) }
        let loop = loop
        let settings = configuration.settings
        let clock = configuration.wallClock
        let responses = try cache.map { path in
            try ResponseStore(
                directory: path,
                capacity: settings.httpCapacity,
                memory: settings.httpMemory,
                clock: clock
            ) { loop.wake() }
        }
        var publish: (@Sendable (PipelineSnapshot) -> Void)?
        if let snapshots { publish = { snapshots.add($0) } }
        var publishSketch: (@Sendable (TaskID, Bitmap) -> Void)?
        if let sketches {
            publishSketch = { [state] task, bitmap in
                sketches.add(task, bitmap)
                state.ring()
            }
        }
        pipeline = ImagePipeline(
            configuration: configuration,
            executor: loop,
            transport: Self.transport(network, failure, loop),
            files: files != nil ? files : saves ? try Self.files(directory.path, gate, loop) : nil,
            responses: responses,
            decoder: CodecDecoder(),
            pool: pool,
            listeners: [listener],
            publishSnapshot: publish,
            publishSketch: publishSketch
        )
        loop.run(pipeline)
    }

    private static func transport(
        _ network: sending (any HTTPTransport)?,
        _ failure: DownloadError?,
        _ loop: TransferLoop
    ) -> sending any HTTPTransport {
        if let network { return network }
        if let failure { return DeadNetwork(failure) }
        return CurlTransport(poller: loop.poller, configuration: CurlTransport.Configuration())
    }

    private static func files(
        _ directory: String,
        _ gate: HeldCopies.Gate?,
        _ loop: TransferLoop
    ) throws -> sending any FileStoring {
        let store = try DirectoryStore(directory: directory) { loop.wake() }
        if let gate { return HeldCopies(store, gate) }
        return store
    }

    var events: [PipelineEvent] { state.events }

    /// Wakes ``wait(until:)``, for what is no event.
    func ring() { state.ring() }

    /// Lets the pipeline look for news of its files.
    func wake() { loop.wake() }

    /// Keeps every thread of the pool busy, with one job more behind them.
    ///
    /// - Returns: What lets one of these jobs end for each turn that it is given.
    func holdPool() -> Semaphore {
        let (begun, gate) = (Semaphore(), Semaphore())
        for _ in 0...Self.threads {
            pool.add(.normal) {
                begun.give()
                gate.take()
            }
        }
        for _ in 0..<Self.threads { begun.take() }
        return gate
    }

    func submit(_ urls: String..., options: RequestOptions = .standard) { submit(urls, options: options) }

    func submit(_ urls: [String], options: RequestOptions = .standard) {
        pipeline.send(.submit(urls.map { DownloadRequest($0, options: options) }))
    }

    func set(_ name: String, _ text: String) throws { pipeline.send(.set(try Settings.parse(name, text))) }

    /// Waits until the events meet a condition, woken by each.
    ///
    /// - Returns: Whether they did before the tests' patience ended.
    func wait(until condition: ([PipelineEvent]) -> Bool) -> Bool {
        state.bell.wait { condition(events) }
    }

    /// Ends the pipeline once it is idle, and checks every event.
    @discardableResult
    func finish(_ location: SourceLocation = #_sourceLocation) throws -> [PipelineEvent] {
        pipeline.finishWhenIdle()
        return try end(location)
    }

    /// Ends the pipeline at once, and checks every event.
    @discardableResult
    func shutDown(_ location: SourceLocation = #_sourceLocation) throws -> [PipelineEvent] {
        pipeline.send(.shutDown)
        return try end(location)
    }

    private func end(_ location: SourceLocation) throws -> [PipelineEvent] {
        let didEnd = wait { events in
            if case .sessionEnded? = events.last?.kind { true } else { false }
        }
        try #require(didEnd, "the pipeline must end", sourceLocation: location)
        loop.waitUntilEnded()
        pool.close()
        let events = events
        let encoder = EventEncoder(start: SessionStart(time: start, nanosecondsSince1970: 1_700_000_000_000_000_000))
        var checker = EventStreamChecker()
        for event in events {
            var line: [UInt8] = []
            encoder.append(event, to: &line)
            do {
                try checker.read(String(decoding: line.dropLast(), as: UTF8.self))
            } catch {
                Issue.record("\(error)", sourceLocation: location)
                return events
            }
        }
        do {
            try checker.finish()
        } catch {
            Issue.record("\(error)", sourceLocation: location)
        }
        return events
    }
}

extension [PipelineEvent] {
    var submissions: [Submission] {
        compactMap { event in
            if case .requestSubmitted(let news) = event.kind { news } else { nil }
        }
    }

    /// The counts of each `session.ended`, of which there is to be one.
    var sessionEnds: [SessionCounts] {
        compactMap { event in
            if case .sessionEnded(let counts) = event.kind { counts } else { nil }
        }
    }

    var taskEnds: [TaskEnd] {
        compactMap { event in
            if case .taskFinished(let end) = event.kind { end } else { nil }
        }
    }

    var receiptEnds: [ReceiptEnd] {
        compactMap { event in
            if case .receiptFinished(let end) = event.kind { end } else { nil }
        }
    }

    func changes(_ phase: TaskChange.Phase) -> [TaskChange] {
        compactMap { event in
            if case .taskChanged(let change) = event.kind, change.phase == phase { change } else { nil }
        }
    }

    var cacheChanges: [CacheChange] {
        compactMap { event in
            if case .cacheChanged(let change) = event.kind { change } else { nil }
        }
    }

    func httpCache(_ verb: HTTPCacheChange.Verb) -> [HTTPCacheChange] {
        compactMap { event in
            if case .httpCacheChanged(let change) = event.kind, change.verb == verb { change } else { nil }
        }
    }

    var responses: [(head: ResponseHead, source: AnswerSource)] {
        compactMap { event in
            if case .taskResponse(_, let head, let source) = event.kind { (head, source) } else { nil }
        }
    }

    /// The codes of the warnings.
    var warnings: [WarningCode] {
        compactMap { event in
            if case .warning(let code, _, _) = event.kind { code } else { nil }
        }
    }

    var purges: [CachePurge] {
        compactMap { event in
            if case .cachePurged(let purge) = event.kind { purge } else { nil }
        }
    }

    /// The most tasks that events reported as active at once.
    var peakActive: Int {
        compactMap { event in
            if case .taskChanged(let change) = event.kind { change.active } else { nil }
        }.max() ?? 0
    }

    /// Seconds of each change of the indicator, with the state that it led to.
    var indicatorChanges: [(t: Double, to: ActivityState)] {
        compactMap { event in
            if case .indicatorChanged(_, let to, _) = event.kind { (event.t.seconds, to) } else { nil }
        }
    }
}
