import SluiceCore

/// A network whose bodies stand still after their first bytes, and that tells of a stop when the test says so.
final class StandingNetwork: HTTPTransport {
    /// What the test and the pipeline's thread share.
    final class Desk: Sendable {
        private let state = Locked((aborts: [TransferID](), isTelling: false))

        /// What was stopped, each time that it was.
        var aborts: [TransferID] { state.withLock { $0.aborts } }

        /// Lets the ends be told from the next turn on.
        func tell() { state.withLock { $0.isTelling = true } }

        fileprivate var isTelling: Bool { state.withLock { $0.isTelling } }
        fileprivate func note(_ transfer: TransferID) { state.withLock { $0.aborts.append(transfer) } }
    }

    /// Of each body.
    private static let size = 10_000_000

    private let count: Int
    private let desk: Desk
    private var starting: [(transfer: TransferID, url: String, sink: any BodySink)] = []
    private var standing: Set<TransferID> = []
    private var ended: [EndedTransfer] = []

    init(after count: Int, _ desk: Desk) { (self.count, self.desk) = (count, desk) }

    var limits = TransportLimits()
    var deadline: Timestamp? { nil }

    func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp) {
        starting.append((transfer, request.url, sink))
    }

    func abort(_ transfer: TransferID) {
        desk.note(transfer)
        if standing.remove(transfer) != nil { end(transfer, .cancelled) }
    }

    /// As a transport that forgets at once what was stopped.
    func progress(of transfer: TransferID) -> (received: Int, expected: Int?) {
        guard standing.contains(transfer) else { return (0, nil) }
        return (count, Self.size)
    }

    func nextNews(now: Timestamp) -> TransportNews? {
        if !starting.isEmpty {
            let (transfer, url, sink) = starting.removeFirst()
            do throws(DownloadError) {
                try begin(url, sink)
                standing.insert(transfer)
                return .response(transfer)
            } catch {
                end(transfer, error)
            }
        }
        return desk.isTelling && !ended.isEmpty ? .ended(ended.removeFirst()) : nil
    }

    private func begin(_ url: String, _ sink: any BodySink) throws(DownloadError) {
        var head = ResponseHead.Content(status: 200, finalURL: url)
        (head.expected, head.contentType) = (Self.size, "text/plain")
        try sink.begin(ResponseHead(head))
        let bytes = [UInt8](repeating: 1, count: count)
        _ = try sink.write(bytes.span, received: count)
    }

    private func end(_ transfer: TransferID, _ error: DownloadError) {
        let timings = TransferTimings(total: .zero)
        ended.append(EndedTransfer(transfer: transfer, result: .failure(error), received: count, timings: timings))
    }

    func setRate(_ rate: Int, of transfer: TransferID) {}
    func resumeReading(_ transfer: TransferID) {}
    func socketsReady(_ ready: [SocketEvent], now: Timestamp) {}
}
