/// A socket that `epoll` found ready; `bits` are `EPOLL*`.
public struct SocketEvent: Sendable {
    public let descriptor: Int32
    public let bits: UInt32
    public init(descriptor: Int32, bits: UInt32) { (self.descriptor, self.bits) = (descriptor, bits) }
}

/// How long a loop may sleep after a round.
public enum LoopSleep: Equatable, Sendable {
    case untilWoken
    case until(Timestamp)
    /// The client is done: the loop's thread ends after the jobs at hand.
    case ended
}

/// The executor of a pipeline: runs its jobs, and between them its rounds.
public protocol PipelineExecutor: SerialExecutor {
    /// Asks for a round soon. Callable from any thread; never blocks.
    func wake()
}

/// What a loop drives between jobs.
public protocol LoopClient: Actor {
    /// Does all that is due and returns without blocking.
    ///
    /// - Note: Runs on the loop's thread, never while a job of the same executor runs.
    nonisolated func turn(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep
}

/// One transfer, fully decided: what the transport sends.
public struct TransferRequest: Sendable {
    /// Absolute `http` or `https`, normalised, without credentials.
    public var url: String
    public var method = "GET"
    /// All fields to send, those of the user and Sluice's own, `Accept-Encoding` excepted.
    public var headers: [HeaderField] = []
    /// Lower-cased names of fields that are not sent, whoever would add them.
    public var removedHeaders: [String] = []
    /// What is sent along; `nil` for none.
    public var body: [UInt8]?
    /// Names of the fields in `headers` that must not go to another origin after a redirect, lower-cased.
    public var originOnlyHeaders: [String] = []
    public var credentials: Credentials?
    /// Whether to offer gzip, deflate, br and zstd; what comes encoded is decoded always.
    public var offersEncodings = false
    /// Whether a redirect may lead from https to http.
    public var allowsDowngrade = false
    /// Whether ``ResponseHead/fields`` is wanted; it costs some µs a transfer.
    public var wantsFields = true
    /// Whom to trust, also where redirects lead.
    public var trust = TrustBook.standard

    public init(url: String) { self.url = url }
}

/// A user name and password for one origin.
public struct Credentials: Hashable, Sendable {
    public let user: String
    public let password: String
    public init(user: String, password: String) { (self.user, self.password) = (user, password) }
}

/// The head of the final answer, after redirects and interim responses.
public struct ResponseHead: Equatable, Sendable {
    public var status: Int
    /// `Content-Type` as sent, parameters included; `nil` if absent.
    public var contentType: String?
    /// `Content-Length` of the body as sent; `nil` if unknown.
    public var expected: Int?
    public var isEncoded = false
    public var contentDisposition: String?
    /// `Last-Modified` in seconds since 1970.
    public var lastModified: Int?
    /// The same as sent.
    public var lastModifiedText: String?
    /// `ETag` as sent, quotes and weakness included.
    public var entityTag: String?
    /// `Date` in seconds since 1970.
    public var date: Int?
    /// `Content-Range` as sent.
    public var contentRange: String?
    /// Whether it, or an answer on the way to it, set a cookie.
    public var setsCookie = false
    /// From `Retry-After`, relative to the arrival.
    public var retryAfter: Duration?
    /// All fields in order, if they were wanted.
    public var fields: [HeaderField] = []
    /// Numeric address and port.
    public var remoteAddress = ""
    /// Of this machine's end of the connection, which tells connections apart; 0 if there is none.
    public var localPort = 0
    /// `1.0`, `1.1`, `2` or `3`.
    public var httpVersion = "1.1"
    /// Whether the connection had served an earlier request.
    public var reused = false
    /// Redirects that were followed.
    public var redirects = 0
    /// The first of them; at most ``RedirectHop/limit``, and none where they are not known.
    public var hops: [RedirectHop] = []
    public var finalURL: String
    /// How far the attempt had come when the head arrived; for the screen, no field of an event.
    public var timings: TransferTimings?

    public init(status: Int, finalURL: String) {
        (self.status, self.finalURL) = (status, finalURL)
    }
}

/// What a sink says to a chunk.
public enum BodyFlow: Sendable {
    /// Taken.
    case taken
    /// Not taken: stop reading, and deliver the same bytes again after ``HTTPTransport/resumeReading(_:)``.
    case pause
}

/// Takes one transfer's body, chunk by chunk, so that no body need be whole in memory.
///
/// Confined to the loop's thread, like the transport that calls it.
public protocol BodySink: AnyObject {
    /// Judges the head of the final answer before its body. Called exactly once if an answer came.
    func begin(_ head: ResponseHead) throws(DownloadError)
    /// Takes the next decoded bytes, which are gone when this returns.
    ///
    /// - Parameters:
    ///   - chunk: At least one byte.
    ///   - received: Bytes of the body as sent so far, before decoding.
    /// - Returns: Whether they were taken.
    /// - Throws: Why this body is not wanted; the transfer ends with it.
    func write(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow
}

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

/// What a transport has to tell.
public enum TransportNews: Sendable {
    /// A host was trusted or refused, in a handshake or before it; before what it answered.
    case trust(TransferID, TrustDecision, TrustChain?)
    /// The final head arrived, and the sink has accepted it. At most once a transfer, before its end.
    case response(TransferID)
    /// Exactly once a transfer.
    case ended(EndedTransfer)
}

/// Moves bytes for one pipeline.
///
/// Deliberately not `Sendable`: the pipeline owns it, which confines it to the
/// pipeline's executor. It never calls the pipeline; the pipeline asks for news. That
/// rules out re-entrancy and retain cycles by construction. HTTP errors are answers
/// here: the sink, not the transport, judges a status.
public protocol HTTPTransport: AnyObject {
    func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp)
    /// Ends a transfer early and closes its connection; it still comes out of ``nextNews(now:)``, once. Ignored once ended.
    func abort(_ transfer: TransferID)
    /// Limits one transfer, in bytes a second; 0 means no limit of its own. Ignored once ended.
    func setRate(_ rate: Int, of transfer: TransferID)
    /// After ``BodyFlow/pause``. Ignored once ended.
    func resumeReading(_ transfer: TransferID)
    /// Bytes of the body as sent, and its announced length.
    func progress(of transfer: TransferID) -> (received: Int, expected: Int?)
    func socketsReady(_ ready: [SocketEvent], now: Timestamp)
    func nextNews(now: Timestamp) -> TransportNews?
    /// When to call again even if no socket becomes ready.
    var deadline: Timestamp? { get }
    /// Limits that apply from now on, to running transfers too.
    var limits: TransportLimits { get set }
}

/// Limits of all transfers together and of each.
public struct TransportLimits: Equatable, Sendable {
    /// Bytes a second for all transfers together, dealt out fairly; 0 means none.
    public var rate = 0
    /// Longest time without a byte; zero means none.
    public var timeout: Duration = .seconds(60)
    /// Longest time to connect, TLS included.
    public var connectTimeout: Duration = .seconds(15)
    /// Redirects that are followed.
    public var maxRedirects = 20
    public init() {}
}
