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
        public var submitted: Timestamp
        /// Attempt under way or next, from 1.
        public var attempt: Int
        /// Attempts at most.
        public var attempts: Int
        /// Why it waits, is paused or stands where it does.
        public var reason: Why?
        public var source: DownloadRequest.Source
        /// Absolute path of the final name, once known.
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
    /// Position of the first of them, from 1.
    public var queuedFrom = 1
    public var queuedCount = 0
    /// Submissions of lists that are still to be taken.
    public var backlog = 0
    public var memory = Memory()
    public var indicator = Indicator()
    public var counts = SessionCounts()
    /// Receipts of live tasks.
    public var liveReceipts = 0
    public var settings = Settings()
    /// Bytes a second of all transfers.
    public var rate = 0
    /// Bytes of all transfers since the start.
    public var received = 0
    /// Where files go; `nil` without saving.
    public var directory: String?
    /// Keys on the failed list.
    public var failedCount = 0

    public init(time: Timestamp) { self.time = time }
}
