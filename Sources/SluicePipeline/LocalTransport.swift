internal import SluiceCore

/// Serves `file:` and `data:` URLs beside a transport for the network.
///
/// Confined to the loop's thread like the transport that it stands before. Files are read by
/// the pool, a block ahead, so that a slow disk holds up nothing else. It touches no network
/// and follows nothing: an answer is the bytes that are there. What every piece of news passes
/// is checked for exclusive access in debug builds only.
final class LocalTransport: HTTPTransport {
    private static let blockSize = 262_144

    /// One transfer from here.
    private final class Local {
        let url: String
        let sink: any BodySink
        let source: LocalSource
        let started: Timestamp
        var hasBegun = false
        /// Taken from the source and not yet by the sink.
        var block: [UInt8] = []
        var received = 0
        var isPaused = false
        var end: Result<Void, DownloadError>?

        init(_ url: String, _ sink: any BodySink, _ source: LocalSource, _ started: Timestamp) {
            (self.url, self.sink, self.source, self.started) = (url, sink, source, started)
        }
    }

    private let network: any HTTPTransport
    private let pool: BlockingPool
    private let wake: @Sendable () -> Void
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var active = TransferMap<Local>()
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var news = Queue<TransportNews>()
    /// Of this turn.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var now = Timestamp(nanoseconds: 0)

    /// - Parameters:
    ///   - network: Serves all other URLs; nobody else may keep it.
    ///   - pool: Reads files.
    ///   - wake: Asks for a turn; called from threads of the pool.
    init(_ network: any HTTPTransport, pool: BlockingPool, wake: @escaping @Sendable () -> Void) {
        (self.network, self.pool, self.wake) = (network, pool, wake)
    }

    var limits: TransportLimits {
        get { network.limits }
        set { network.limits = newValue }
    }

    var deadline: Timestamp? { network.deadline }

    func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp) {
        guard !RequestURL.isNetwork(request.url) else {
            network.start(transfer, request, into: sink, now: now)
            return
        }
        let local = Local(request.url, sink, LocalSource(request.url, wake: wake), now)
        active[transfer] = local
        self.now = now
        guard request.method == "GET", request.body == nil else {
            local.end = .failure(
                DownloadError(.unsupported, "file: and data: can only be read; leave out --method and --data")
            )
            retire(transfer, local)
            return
        }
        local.source.read(Self.blockSize, on: pool)
    }

    func abort(_ transfer: TransferID) {
        guard let local = active[transfer] else {
            network.abort(transfer)
            return
        }
        local.end = local.end ?? .failure(.cancelled)
        retire(transfer, local)
    }

    func resumeReading(_ transfer: TransferID) {
        guard let local = active[transfer] else {
            network.resumeReading(transfer)
            return
        }
        local.isPaused = false
    }

    /// Nothing of it comes over the network.
    func setRate(_ rate: Int, of transfer: TransferID) {
        if active[transfer] == nil { network.setRate(rate, of: transfer) }
    }

    func progress(of transfer: TransferID) -> (received: Int, expected: Int?) {
        guard let local = active[transfer] else { return network.progress(of: transfer) }
        return (local.received, local.source.size)
    }

    func socketsReady(_ ready: [SocketEvent], now: Timestamp) { network.socketsReady(ready, now: now) }

    func wasHeldUp(for time: Duration) { network.wasHeldUp(for: time) }

    func nextNews(now: Timestamp) -> TransportNews? {
        self.now = now
        if !active.isEmpty { for (transfer, local) in active where !local.isPaused { serve(transfer, local) } }
        return news.popFirst() ?? network.nextNews(now: now)
    }

    private func serve(_ transfer: TransferID, _ local: Local) {
        do throws(DownloadError) {
            if local.block.isEmpty {
                guard let block = try local.source.take() else { return }
                if !local.hasBegun { try begin(transfer, local) }
                if block.isEmpty {
                    local.end = .success(())
                    retire(transfer, local)
                    return
                }
                local.block = block
            }
            let received = local.received + local.block.count
            if case .pause = try local.sink.write(local.block.span, received: received) {
                local.isPaused = true
                return
            }
            (local.received, local.block) = (received, [])
            local.source.read(Self.blockSize, on: pool)
        } catch {
            // What it was refused for was read of it.
            local.received += local.block.count
            local.end = .failure(error)
            retire(transfer, local)
        }
    }

    private func begin(_ transfer: TransferID, _ local: Local) throws(DownloadError) {
        local.hasBegun = true
        var head = ResponseHead.Content(status: 200, finalURL: local.url)
        (head.expected, head.contentType, head.lastModified) =
            (local.source.size, local.source.mediaType, local.source.lastModified)
        try local.sink.begin(ResponseHead(head))
        news.append(.response(transfer))
    }

    private func retire(_ transfer: TransferID, _ local: Local) {
        active[transfer] = nil
        let result = local.end ?? .failure(.cancelled)
        let timings = TransferTimings(total: now - local.started)
        let ended = EndedTransfer(transfer: transfer, result: result, received: local.received, timings: timings)
        news.append(.ended(ended))
    }
}
