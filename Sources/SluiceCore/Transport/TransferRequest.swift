/// One transfer, fully decided: what the transport sends.
public struct TransferRequest: Sendable {
    /// Absolute `http` or `https`, normalised, without credentials.
    public var url: String
    /// Sent as it stands; `HEAD` has no body to wait for.
    public var method = "GET"
    /// All fields to send, those of the user and Sluice's own, `Accept-Encoding` excepted.
    public var headers: [HeaderField] = []
    /// Lower-cased names of fields that are not sent, whoever would add them.
    public var removedHeaders: [String] = []
    /// What is sent along; `nil` for none.
    public var body: [UInt8]?
    /// Names of the fields in `headers` that must not go to another origin after a redirect, lower-cased.
    public var originOnlyHeaders: [String] = []
    /// Names of those that must not go to another host, nor from https to http, lower-cased.
    public var hostOnlyHeaders: [String] = []
    /// Names of the fields in `headers` that speak of what is stored for ``url``, and of nothing that a redirect leads to.
    public var conditionNames: [String] = []
    /// Bytes that are there already, where ``headers`` ask for those behind them; for sentences alone.
    public var resumesAt = 0
    /// Sent to the origin of ``url`` alone; `nil` for none.
    public var credentials: Credentials?
    /// Whether to offer gzip, deflate, br and zstd; what comes encoded is decoded always.
    public var offersEncodings = false
    /// Whether a redirect may lead from https to http.
    public var allowsDowngrade = false
    /// Whether ``ResponseHead/fields`` is wanted; it costs some µs a transfer.
    public var wantsFields = true
    /// Bytes a second that it may take by itself, from its first byte; 0 for no limit.
    public var rate = 0
    /// Whom to trust, also where redirects lead.
    public var trust = TrustBook.standard

    /// A GET without fields, to whom the standard policy trusts.
    public init(url: String) { self.url = url }
}
