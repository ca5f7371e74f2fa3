/// The pipeline at one moment, for programs: every live task that does not wait in the queue, and all figures.
///
/// The screen reads ``PipelineSnapshot`` instead, which holds what people look at.
public struct PipelineState: Sendable {
    public struct Active: Equatable, Sendable {
        public var task: TaskID
        /// Without credentials.
        public var url: String
        /// Bytes as sent.
        public var received: Int
        public var expected: Int?
        /// Live ones; 0 for a detached task.
        public var receipts: Int

        public init(task: TaskID, url: String, received: Int, expected: Int?, receipts: Int) {
            (self.task, self.url, self.received) = (task, url, received)
            (self.expected, self.receipts) = (expected, receipts)
        }
    }

    public struct Waiting: Equatable, Sendable {
        public var task: TaskID
        public var url: String
        public var until: Timestamp
        public var receipts: Int

        public init(task: TaskID, url: String, until: Timestamp, receipts: Int) {
            (self.task, self.url, self.until, self.receipts) = (task, url, until, receipts)
        }
    }

    /// A paused or answering task.
    public struct Resting: Equatable, Sendable {
        public var task: TaskID
        public var url: String
        public var receipts: Int

        public init(task: TaskID, url: String, receipts: Int) {
            (self.task, self.url, self.receipts) = (task, url, receipts)
        }
    }

    /// Queued tasks in one answer that does not ask for a range.
    public static let queuedLimit = 100

    /// In order of their start.
    public var active: [Active] = []
    /// The first ``queuedLimit``.
    public var queued: [QueuedTask] = []
    public var queuedCount = 0
    /// In order of their creation.
    public var paused: [Resting] = []
    /// Soonest first.
    public var waiting: [Waiting] = []
    public var answering: [Resting] = []
    public var memory = PipelineSnapshot.Memory()
    public var http = HTTPCacheFigures()
    public var indicator = ActivityState.notActive
    /// Transfers that the indicator counts.
    public var indicatorTasks = 0
    public var settings = Settings()
    public var counts = SessionCounts()

    public init() {}
}
