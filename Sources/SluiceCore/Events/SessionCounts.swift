/// What a session did, in numbers.
public struct SessionCounts: Equatable, Sendable {
    /// Requests that were submitted; of those for pictures on screen, the ones that led to a task.
    public var requests = 0
    /// Tasks that were created, for answers from disk too; requests with one merge key share one.
    public var tasks = 0
    /// Tasks that ended well, those answered from disk among them.
    public var succeeded = 0
    /// Those of them that nobody asked for, as for pictures on screen; for what users are shown, no field of the event.
    public var succeededBehind = 0
    /// Tasks that ended well for somebody who asked, or for the caches.
    public var succeededForUsers: Int { succeeded - succeededBehind }
    /// Tasks that failed for good; nobody counts attempts.
    public var failed = 0
    /// Those of them that only asked behind an answer, which stands; for what users are shown, no field of the event.
    public var failedBehind = 0
    /// Tasks that failed somebody who asked.
    public var failedForUsers: Int { failed - failedBehind }
    /// Tasks that were aborted, or ended as nobody wanted them any more; single receipts don't count.
    public var cancelled = 0
    /// Those of them that only pictures on screen waited for; no field of the event.
    public var cancelledBehind = 0
    /// Tasks of somebody who asked that were aborted, or ended as nobody wanted them any more.
    public var cancelledForUsers: Int { cancelled - cancelledBehind }
    /// Tasks that ended, whichever way.
    public var ended: Int { succeeded + failed + cancelled }
    /// Requests that memory or disk answered.
    public var cached = 0
    /// Those of them that were for pictures on screen; no field of the event.
    public var cachedBehind = 0
    /// Requests of somebody who asked that memory or disk answered.
    public var cachedForUsers: Int { cached - cachedBehind }
    /// Requests that were refused at once.
    public var rejected = 0
    /// Those of them that only asked behind an answer, which stands; no field of the event.
    public var rejectedBehind = 0
    /// Requests of somebody who asked that were refused.
    public var rejectedForUsers: Int { rejected - rejectedBehind }
    /// Requests that became part of a live task.
    public var joined = 0
    /// Received from the network, as sent.
    public var bytes = 0
    /// Requests without an outcome at the end, for the next session.
    public var left = 0
    /// Receipts that ended otherwise than well; for exit statuses, no field of the event.
    public var unmet = 0
    /// Requests that were cancelled while their tasks went on, none for pictures on screen; no field of the event.
    public var withdrawn = 0
    /// Files that got their names; for summaries, no field of the event.
    public var saved = 0
    /// Bytes of them.
    public var savedBytes = 0
    /// Nothing has happened yet.
    public init() {}
}
