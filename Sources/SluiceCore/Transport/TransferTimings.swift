/// Where the time of a transfer went, counted from its start; `nil` phases did not happen.
public struct TransferTimings: Equatable, Sendable {
    public var dns: Duration?
    public var connect: Duration?
    public var tls: Duration?
    /// When the last redirect had been followed; connections may have been made before and after it.
    public var redirects: Duration?
    public var firstByte: Duration?
    public var total: Duration
    public init(total: Duration) { (dns, connect, tls, firstByte, self.total) = (nil, nil, nil, nil, total) }
}
