import SluiceCore

/// A network on which every transfer fails at once, and in the same way.
final class DeadNetwork: HTTPTransport {
    /// No host has an address: a test may not ask a real resolver.
    static let nameless = DownloadError(.hostNotFound, "no address")

    private let error: DownloadError
    private var ended: [EndedTransfer] = []

    init(_ error: DownloadError) { self.error = error }

    var limits = TransportLimits()
    var deadline: Timestamp? { nil }

    func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp) {
        ended.append(
            EndedTransfer(
                transfer: transfer,
                result: .failure(error),
                received: 0,
                timings: TransferTimings(total: .zero),
                unresolvedHost: error.code == .hostNotFound ? String(request.url.split(separator: "/")[1]) : nil
            )
        )
    }

    func setRate(_ rate: Int, of transfer: TransferID) {}
    func abort(_ transfer: TransferID) {}
    func resumeReading(_ transfer: TransferID) {}
    func progress(of transfer: TransferID) -> (received: Int, expected: Int?) { (0, nil) }
    func socketsReady(_ ready: [SocketEvent], now: Timestamp) {}
    func nextNews(now: Timestamp) -> TransportNews? { ended.isEmpty ? nil : .ended(ended.removeFirst()) }
}
