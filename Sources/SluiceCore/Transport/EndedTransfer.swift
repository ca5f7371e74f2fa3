/// The end of a transfer: the transport has let go of it.
public struct EndedTransfer: Sendable {
    public let transfer: TransferID
    /// The error of the transport or of the sink; `cancelled` after an abort.
    public let result: Result<Void, DownloadError>
    /// Bytes of the body as sent.
    public let received: Int
    public let timings: TransferTimings
    /// Whether the server sent more than it announced, which was dropped.
    public var hadExtraBytes = false
    /// The host that had no address, if that was the failure.
    public var unresolvedHost: String?
    /// Redirects that were followed, also where they led to no answer; at most ``RedirectHop/limit``.
    public var hops: [RedirectHop] = []

    public init(
        transfer: TransferID,
        result: Result<Void, DownloadError>,
        received: Int,
        timings: TransferTimings
    ) {
        (self.transfer, self.result, self.received, self.timings) = (transfer, result, received, timings)
    }
}
