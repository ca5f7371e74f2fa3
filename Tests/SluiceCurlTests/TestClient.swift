import SluiceCore
import SluiceCurl

/// What came of one transfer.
struct Fetched: Sendable {
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    /// What the sink was told with each chunk that it took.
    var received: [Int] = []
    var pauses = 0
    /// Kinds of news in the order in which they came.
    var news: [String] = []
    /// Verdicts on the hosts that it came to, and what those showed.
    var decisions: [TrustDecision] = []
    var chains: [TrustChain] = []
    var result: Result<Void, DownloadError> = .failure(DownloadError(.unsupported, "not ended"))
    var sent = 0
    var timings = TransferTimings(total: .zero)

    var text: String { String(decoding: body, as: UTF8.self) }
    var code: DownloadError.Code? { error?.code }
    var error: DownloadError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

/// Keeps a body, or does what a test wants it to do.
final class TestSink: BodySink {
    enum Behaviour: Sendable {
        case collect
        /// Takes each chunk only when it comes for the second time.
        case pauseEveryChunk
        /// Stops at the first chunk and never goes on.
        case pauseForever
        case refuseHead(DownloadError)
        case refuseBody(DownloadError)
        /// Asks the client to abort when the head or the first chunk is there.
        case abortAtHead
        case abortAtBody
    }

    var fetched = Fetched()
    private(set) var wantsResume = false
    private(set) var wantsAbort = false
    private let behaviour: Behaviour
    private var mayTake = false

    init(_ behaviour: Behaviour) { self.behaviour = behaviour }

    func takeResume() -> Bool {
        defer { wantsResume = false }
        return wantsResume
    }

    func begin(_ head: ResponseHead) throws(DownloadError) {
        fetched.heads.append(head)
        if case .abortAtHead = behaviour { wantsAbort = true }
        if case .refuseHead(let error) = behaviour { throw error }
    }

    func write(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow {
        switch behaviour {
        case .collect, .refuseHead, .abortAtHead: break
        case .abortAtBody: wantsAbort = true
        case .refuseBody(let error): throw error
        case .pauseForever: return pause()
        case .pauseEveryChunk:
            mayTake.toggle()
            if mayTake {
                wantsResume = true
                return pause()
            }
        }
        for index in chunk.indices { fetched.body.append(chunk[index]) }
        fetched.received.append(received)
        return .taken
    }

    private func pause() -> BodyFlow {
        fetched.pauses += 1
        return .pause
    }
}

/// The smallest pipeline: starts what it is given and hands back what came of it.
actor TestClient: LoopClient {
    private struct Start {
        let request: TransferRequest
        let behaviour: TestSink.Behaviour
        let done: CheckedContinuation<Fetched, Never>
    }
    private struct Running {
        let sink: TestSink
        let done: CheckedContinuation<Fetched, Never>
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private nonisolated let loop: TransferLoop
    private let transport: CurlTransport
    private var starts: [Start] = []
    private var running: [TransferID: Running] = [:]
    private var count = 0
    private var isEnding = false
    private var awaited: (isReached: @Sendable (Fetched) -> Bool, done: CheckedContinuation<Void, Never>)?

    init(_ loop: TransferLoop, _ transport: sending CurlTransport) {
        (self.loop, self.transport) = (loop, transport)
    }

    func fetch(_ request: TransferRequest, _ behaviour: TestSink.Behaviour = .collect) async -> Fetched {
        await withCheckedContinuation { starts.append(Start(request: request, behaviour: behaviour, done: $0)) }
    }

    func fetch(_ url: String, _ behaviour: TestSink.Behaviour = .collect) async -> Fetched {
        await fetch(TransferRequest(url: url), behaviour)
    }

    func change(_ body: @Sendable (inout TransportLimits) -> Void) { body(&transport.limits) }

    /// Bytes that all transfers under way have so far.
    func progress() -> [Int] { running.keys.map { transport.progress(of: $0).received } }

    /// Returns when some transfer under way came as far as `isReached` says.
    func until(_ isReached: @escaping @Sendable (Fetched) -> Bool) async {
        if running.values.contains(where: { isReached($0.sink.fetched) }) { return }
        await withCheckedContinuation { awaited = (isReached, $0) }
    }

    func abortAll() { for transfer in running.keys { transport.abort(transfer) } }

    func end() { isEnding = true }

    nonisolated func turn(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep {
        assumeIsolated { $0.serve(ready, now) }
    }

    private func serve(_ ready: [SocketEvent], _ now: Timestamp) -> LoopSleep {
        transport.socketsReady(ready, now: now)
        for (transfer, running) in running where running.sink.takeResume() { transport.resumeReading(transfer) }
        for start in starts { begin(start, now) }
        starts = []
        takeNews(now)
        for (transfer, running) in running where running.sink.wantsAbort {
            transport.abort(transfer)
            transport.abort(transfer)
            takeNews(now)
            precondition(self.running[transfer] == nil, "an abort comes out in its own round")
            transport.resumeReading(transfer)
        }
        if let awaited, running.values.contains(where: { awaited.isReached($0.sink.fetched) }) {
            self.awaited = nil
            awaited.done.resume()
        }
        if isEnding, running.isEmpty { return .ended }
        if running.values.contains(where: { $0.sink.wantsResume }) { return .until(now) }
        return transport.deadline.map { .until($0) } ?? .untilWoken
    }

    private func begin(_ start: Start, _ now: Timestamp) {
        count += 1
        let sink = TestSink(start.behaviour)
        running[TransferID(count)] = Running(sink: sink, done: start.done)
        transport.start(TransferID(count), start.request, into: sink, now: now)
    }

    private func takeNews(_ now: Timestamp) {
        while let news = transport.nextNews(now: now) {
            switch news {
            case .trust(let transfer, let decision, let chain):
                running[transfer]?.sink.fetched.news.append("trust")
                running[transfer]?.sink.fetched.decisions.append(decision)
                if let chain { running[transfer]?.sink.fetched.chains.append(chain) }
            case .response(let transfer):
                running[transfer]?.sink.fetched.news.append("response")
            case .ended(let ended):
                guard let running = running.removeValue(forKey: ended.transfer) else { continue }
                running.sink.fetched.news.append("ended")
                running.sink.fetched.result = ended.result
                running.sink.fetched.sent = ended.received
                running.sink.fetched.timings = ended.timings
                running.done.resume(returning: running.sink.fetched)
            }
        }
    }
}

/// Runs `body` with a client on a real loop, which is over when this returns.
func withClient(
    _ configuration: CurlTransport.Configuration = CurlTransport.Configuration(),
    _ body: (TestClient) async throws -> Void
) async rethrows {
    let loop = TransferLoop()
    let client = TestClient(loop, CurlTransport(poller: loop.poller, configuration: configuration))
    loop.run(client)
    do {
        try await body(client)
    } catch {
        await client.end()
        loop.waitUntilEnded()
        throw error
    }
    await client.end()
    loop.waitUntilEnded()
}
