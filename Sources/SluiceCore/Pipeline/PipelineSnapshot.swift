/// The pipeline at one moment, for a screen: counters, and the rows that are looked at.
///
/// Costs O(active + waiting + paused + visible rows), whatever waits behind.
public struct PipelineSnapshot: Sendable {
    /// A live task as a row.
    public struct Row: Sendable, Equatable {
        public enum State: Equatable, Sendable {
            /// Holds a slot. Detached if `receipts` is 0.
            case active
            /// From 1.
            case queued(position: Int)
            case waiting(until: Timestamp, delay: Duration)
            case paused
            /// Aborted; the slot is not free yet.
            case ending
        }
        public var task: TaskID
        /// Without credentials; from the user, not escaped for a terminal.
        public var url: String
        /// The file name wished for or chosen, else the last path part.
        public var name: String
        public var host: String
        public var state: State
        public var priority: Priority
        /// Live receipts.
        public var receipts: Int
        /// Bytes as sent.
        public var received: Int
        public var expected: Int?
        /// Bytes a second, smoothed.
        public var rate: Int
        /// Since when no byte came; `nil` where none is waited for.
        public var silentSince: Timestamp?
        /// The most that the user lets it have, in bytes a second; 0 means no limit of its own.
        public var rateLimit = 0
        public var submitted: Timestamp
        /// Attempt under way or next, from 1.
        public var attempt: Int
        /// Attempts at most.
        public var attempts: Int
        /// Why it waits, is paused or stands where it does.
        public var reason: Why?
        public var source: DownloadRequest.Source
        /// Absolute path that its file gets, once a name is reserved.
        public var file: String?
        public var httpVersion: String?
        public var contentType: String?

        public init(task: TaskID, url: String, name: String, host: String, state: State, submitted: Timestamp) {
            (self.task, self.url, self.name, self.host) = (task, url, name, host)
            (self.state, self.submitted) = (state, submitted)
            (priority, receipts, received, rate, attempt, attempts) = (.normal, 1, 0, 0, 1, 1)
            source = .program
        }
    }

    /// A key on the failed list.
    public struct Failed: Equatable, Sendable {
        /// Without credentials; not escaped for a terminal.
        public var url: String
        public var error: DownloadError
        /// When it may be tried again.
        public var until: Timestamp
        public init(url: String, error: DownloadError, until: Timestamp) {
            (self.url, self.error, self.until) = (url, error, until)
        }
    }

    public struct Memory: Equatable, Sendable {
        /// All in bytes.
        public var usage = 0
        public var capacity = 0
        public var preferred = 0
        public var largest = 0
        /// Entries.
        public var count = 0
        public var hits = 0
        public var misses = 0
        public var purges = 0
        /// By all purges, in bytes.
        public var freed = 0
        public init() {}
    }

    public struct Indicator: Equatable, Sendable {
        public var state = ActivityState.notActive
        /// Since when it is in this state.
        public var since = Timestamp(nanoseconds: 0)
        /// When its timer fires, if one runs.
        public var deadline: Timestamp?
        public var tasks = 0
        public init() {}
    }

    /// When it was taken.
    public var time: Timestamp
    /// Grows by one with each snapshot.
    public var serial = 0
    /// In order of their start.
    public var active: [Row] = []
    /// Soonest first; at most 200.
    public var waiting: [Row] = []
    public var waitingCount = 0
    /// At most 200.
    public var paused: [Row] = []
    public var pausedCount = 0
    /// The rows that are watched.
    public var queued: [Row] = []
    /// Place of the first of them, from 1: its position, or where a filter narrows, its number among those that match.
    public var queuedFrom = 1
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
    public var memory = Memory()
    /// The HTTP cache; without one, capacity and count are 0.
    public var http = HTTPCacheFigures()
    public var indicator = Indicator()
    public var counts = SessionCounts()
    /// Receipts of live tasks.
    public var liveReceipts = 0
    public var settings = Settings()
    /// Bytes a second of all transfers.
    public var rate = 0
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
    /// The newest of them; at most 200.
    public var failed: [Failed] = []
    /// Bytes that must be free before the queue goes on, while a full disk stops it.
    public var neededSpace: Int?
    /// The task that is inspected, while it lives.
    public var inspected: TaskFacts?
    /// The largest images in memory, as many as are inspected.
    public var largest: [CachedImageRow] = []

    public init(time: Timestamp) { self.time = time }
}
