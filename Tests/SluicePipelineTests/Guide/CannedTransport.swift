import SluiceCore

/// A network that has some bodies, for tests without files: a store on disk may ask to pause.
final class CannedTransport: HTTPTransport {
    var limits = TransportLimits()
    var deadline: Timestamp? { nil }
    private let bodies: [String: [UInt8]]
    private var waiting: [(transfer: TransferID, url: String, sink: any BodySink)] = []
    private var ended: [EndedTransfer] = []

    init(_ bodies: [String: [UInt8]]) { self.bodies = bodies }

    func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp) {
        waiting.append((transfer, request.url, sink))
    }

    func abort(_ transfer: TransferID) {
        guard let index = waiting.firstIndex(where: { $0.transfer == transfer }) else { return }
        waiting.remove(at: index)
        end(transfer, .failure(.cancelled), received: 0)
    }

    func nextNews(now: Timestamp) -> TransportNews? {
        if ended.isEmpty, !waiting.isEmpty { answerNext() }
        return ended.isEmpty ? nil : .ended(ended.removeFirst())
    }

    private func answerNext() {
        let (transfer, url, sink) = waiting.removeFirst()
        let body = bodies[url]
        do throws(DownloadError) {
            try sink.begin(ResponseHead(status: body == nil ? 404 : 200, finalURL: url))
            if let body, !body.isEmpty { _ = try sink.write(body.span, received: body.count) }
            end(transfer, .success(()), received: body?.count ?? 0)
        } catch {
            end(transfer, .failure(error), received: 0)
        }
    }

    private func end(_ transfer: TransferID, _ result: Result<Void, DownloadError>, received: Int) {
        let timings = TransferTimings(total: .zero)
        ended.append(EndedTransfer(transfer: transfer, result: result, received: received, timings: timings))
    }

    func setRate(_ rate: Int, of transfer: TransferID) {}
    func resumeReading(_ transfer: TransferID) {}
    func progress(of transfer: TransferID) -> (received: Int, expected: Int?) { (0, nil) }
    func socketsReady(_ ready: [SocketEvent], now: Timestamp) {}
}
