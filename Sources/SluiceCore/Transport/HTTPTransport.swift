/// Moves bytes for one pipeline.
///
/// Deliberately not `Sendable`: the pipeline owns it, which confines it to the
/// pipeline's executor. It never calls the pipeline; the pipeline asks for news. That
/// rules out re-entrancy and retain cycles by construction. HTTP errors are answers
/// here: the sink, not the transport, judges a status.
///
/// Who asks again: the pipeline does after each call, when a socket of the loop's poller is ready, and at ``deadline``.
/// A transport that learns of something on another thread calls ``PipelineExecutor/wake()`` of the pipeline's executor,
/// or it is not asked before something else happens.
///
/// It gets `http:` and `https:` URLs alone; `file:` and `data:` are served by the pipeline itself.
public protocol HTTPTransport: AnyObject {
    /// Starts a transfer; all that comes of it is told by ``nextNews(now:)``, a refusal too.
    ///
    /// - Parameters:
    ///   - transfer: A new identifier.
    ///   - request: What is sent.
    ///   - sink: Takes head and body; it is let go with the transfer. To be called within ``socketsReady(_:now:)`` and
    ///     ``nextNews(now:)``, and where reading goes on: ``resumeReading(_:)``, ``setRate(_:of:)`` and the change of
    ///     ``limits``. Never after ``abort(_:)``, nor once it threw, which is the transfer's end.
    ///   - now: From which its times count.
    func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp)
    /// Ends a transfer early and closes its connection; it still comes out of ``nextNews(now:)``, once. Ignored once ended.
    func abort(_ transfer: TransferID)
    /// Limits one transfer, in bytes a second; 0 means no limit of its own. Ignored once ended.
    func setRate(_ rate: Int, of transfer: TransferID)
    /// After ``BodyFlow/pause``. Ignored once ended.
    func resumeReading(_ transfer: TransferID)
    /// Bytes of the body as sent, and its announced length.
    func progress(of transfer: TransferID) -> (received: Int, expected: Int?)
    /// Moves bytes on sockets that are ready; unknown ones are ignored.
    func socketsReady(_ ready: [SocketEvent], now: Timestamp)
    /// What happened since the last call, one at a time; `nil` if that is all.
    func nextNews(now: Timestamp) -> TransportNews?
    /// Nobody looked at a socket for so long, as where a reader of events made the program wait: what did not come in that
    /// time is no silence of a server.
    func wasHeldUp(for time: Duration)
    /// When to call again even if no socket becomes ready; `nil` if only a socket or a wake-up can bring news.
    var deadline: Timestamp? { get }
    /// Limits that apply from now on, to running transfers too; to keep them, time-outs among them, is the transport's
    /// work.
    ///
    /// The pipeline sets them from its settings when it is made, whatever was set before, and at each change.
    var limits: TransportLimits { get set }
}

extension HTTPTransport {
    /// For transports that keep no time by themselves.
    public func wasHeldUp(for time: Duration) {}
}
