/// The end of a transfer: the transport has let go of it.
///
/// A class, since it is large and goes through many hands.
public final class EndedTransfer: Sendable {
    /// As it was started; its number comes in no further news.
    public let transfer: TransferID
    /// The error of the transport or of the sink; `cancelled` after an abort.
    public let result: Result<Void, DownloadError>
    /// Bytes of the body as sent.
    public let received: Int
    /// Where the time went, until its end.
    public let timings: TransferTimings
    /// Whether the server sent more than it announced, which was dropped.
    public let hadExtraBytes: Bool
    /// The host or proxy that had no address, if that was the failure.
    public let unresolvedHost: String?
    /// Redirects that were followed, also where they led to no answer; at most ``RedirectHop/limit``.
    public let hops: [RedirectHop]

    /// The end of a transfer, and what was unusual about it.
    ///
    /// - Parameters:
    ///   - transfer: As it was started.
    ///   - result: Success if the whole body came and the sink took it.
    ///   - received: Bytes of the body as sent.
    ///   - timings: Where the time went.
    ///   - hadExtraBytes: Whether more came than was announced.
    ///   - unresolvedHost: The host or proxy that had no address, if that was the failure.
    ///   - hops: Redirects that were followed.
    public init(
        transfer: TransferID,
        result: Result<Void, DownloadError>,
        received: Int,
        timings: TransferTimings,
        hadExtraBytes: Bool = false,
        unresolvedHost: String? = nil,
        hops: [RedirectHop] = []
    ) {
        (self.transfer, self.result, self.received, self.timings) = (transfer, result, received, timings)
        (self.hadExtraBytes, self.unresolvedHost, self.hops) = (hadExtraBytes, unresolvedHost, hops)
    }
}
