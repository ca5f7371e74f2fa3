/// What a session did, in numbers.
public struct SessionCounts: Equatable, Sendable {
    public var requests = 0
    public var tasks = 0
    public var succeeded = 0
    public var failed = 0
    public var cancelled = 0
    public var cached = 0
    public var rejected = 0
    public var joined = 0
    /// Received from the network, as sent.
    public var bytes = 0
    /// Requests without an outcome at the end.
    public var left = 0
    /// Receipts that ended otherwise than well; for exit statuses, no field of the event.
    public var unmet = 0
    /// Files that got their names; for summaries, no field of the event.
    public var saved = 0
    /// Bytes of them.
    public var savedBytes = 0
    public init() {}
}
