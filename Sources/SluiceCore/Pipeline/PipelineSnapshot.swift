/// The pipeline at one moment, for a screen: counters, and the rows that are looked at.
///
/// Costs O(active + waiting + paused + visible rows), whatever waits behind.
public struct PipelineSnapshot: Equatable, Sendable {
    /// Rows that it has at most of what waits, is paused or failed.
    public static let rowLimit = 200

    /// When it was taken.
    public var time: Timestamp
    /// Grows by one with each snapshot.
    public var serial = 0
    /// In order of their start.
    public var active: [Row] = []
    /// Soonest first; at most ``rowLimit``.
    public var waiting: [Row] = []
    /// All of them, however many rows there are.
    public var waitingCount = 0
    /// At most ``rowLimit``; of a recorded session that has ended, those that it left too.
    public var paused: [Row] = []
    /// All of them, however many rows there are.
    public var pausedCount = 0
    /// The rows that are watched.
    public var queued: [Row] = []
    /// Place of the first of them, from 1: its position, or where a filter narrows, its number among those that match.
    public var queuedFrom = 1
    /// All of them, whatever a filter hides.
    public var queuedCount = 0
    /// Queued tasks that match the watched filter, if only those are shown.
    public var queuedMatches: Int?
    /// Whether the filter has not seen every queued task yet.
    public var isFiltering = false
    /// The answer to the last ``PipelineCommand/find(_:)``.
    public var found: QueueSearch.Answer?
    /// How far the last ``PipelineCommand/probe(_:)`` is answered.
    public var probe: URLProbe.Answer?
    /// The answer to the last ``PipelineCommand/removeImages(_:)``.
    public var removal: ImageRemoval.Answer?
    /// Submissions of lists that are still to be taken.
    public var backlog = 0
    /// The memory cache; reading its figures refreshes nothing in it.
    public var memory = Memory()
    /// The HTTP cache; without one, capacity and count are 0.
    public var http = HTTPCacheFigures()
    /// Whether there is an HTTP cache at all; one without a limit has the capacity 0.
    public var hasHTTPCache = true
    /// The indicator, and since when.
    public var indicator = Indicator()
    /// What the session did so far; `left` stays 0 until its end.
    public var counts = SessionCounts()
    /// Receipts of live tasks.
    public var liveReceipts = 0
    /// Requests that the next session would go on with if this one ended now; 0 in a replay, which keeps nothing.
    public var left = 0
    /// Whether a recorded session has ended, so that nothing runs or comes due any more; never of one that is live.
    public var hasEnded = false
    /// As they are in force.
    public var settings = Settings()
    /// Bytes a second of all transfers.
    public var rate = 0
    /// Whether that was measured long enough to guess from it when all will be there.
    public var isRateMeasured = true
    /// Connections that carry answers now, by the version of HTTP that they speak; several transfers may share one.
    public var connections: [String: Int] = [:]
    /// Bytes of all transfers since the start.
    public var received = 0
    /// Where files go; `nil` without saving.
    public var directory: String?
    /// Patterns of the hosts whose certificates may be invalid; shown as long as there are any.
    public var lenientHosts: [String] = []
    /// Keys on the failed list.
    public var failedCount = 0
    /// The newest of them; at most ``rowLimit``.
    public var failed: [Failed] = []
    /// Bytes that must be free before the queue goes on, while a full disk stops it.
    public var neededSpace: Int?
    /// The absolute folder where they must be, if that is not the ``directory``.
    public var fullFolder: String?
    /// The task that is inspected, while it lives.
    public var inspected: TaskFacts?
    /// The largest images in memory, as many as are inspected.
    public var largest: [CachedImageRow] = []

    /// A snapshot of a pipeline that has nothing to do.
    public init(time: Timestamp) { self.time = time }
}
