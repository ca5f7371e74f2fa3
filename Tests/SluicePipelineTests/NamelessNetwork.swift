import SluiceCore

/// A network on which no host has an address, since a test may not ask a real resolver.
final class NamelessNetwork: HTTPTransport {
    private var ended: [EndedTransfer] = []

    var limits = TransportLimits()
    var deadline: Timestamp? { nil }

    func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp) {
        var end = EndedTransfer(
            transfer: transfer,
            result: .failure(DownloadError(.hostNotFound, "no address")),
            received: 0,
            timings: TransferTimings(total: .zero)
        )
        end.unresolvedHost = "nameless.example"
        ended.append(end)
    }

    func setRate(_ rate: Int, of transfer: TransferID) {}
    func abort(_ transfer: TransferID) {}
    func resumeReading(_ transfer: TransferID) {}
    func progress(of transfer: TransferID) -> (received: Int, expected: Int?) { (0, nil) }
    func socketsReady(_ ready: [SocketEvent], now: Timestamp) {}
    func nextNews(now: Timestamp) -> TransportNews? { ended.isEmpty ? nil : .ended(ended.removeFirst()) }
}
