import SluiceCore
import SluiceCurl

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

    nonisolated func wasHeldUp(for time: Duration) { assumeIsolated { $0.transport.wasHeldUp(for: time) } }

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
                running.sink.fetched.unresolvedHost = ended.unresolvedHost
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
