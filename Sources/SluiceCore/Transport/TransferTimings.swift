/// Where the time of a transfer went, counted from its start; `nil` phases did not happen.
public struct TransferTimings: Equatable, Sendable {
    /// Until the name of the host was resolved.
    public var dns: Duration?
    /// Until the connection stood, TLS not included.
    public var connect: Duration?
    /// Until the TLS handshake was done.
    public var tls: Duration?
    /// When the last redirect had been followed; connections may have been made before and after it.
    public var redirects: Duration?
    /// Until the first byte of the answer came.
    public var firstByte: Duration?
    /// Until the end; of one under way, until it was read.
    public var total: Duration
    /// A transfer without any phase, as of a local file.
    public init(total: Duration) { (dns, connect, tls, firstByte, self.total) = (nil, nil, nil, nil, total) }
}
