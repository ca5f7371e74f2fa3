/// The pipeline at one moment, for programs: every live task that does not wait in the queue, and all figures.
///
/// The screen reads ``PipelineSnapshot`` instead, which holds what people look at.
public struct PipelineState: Sendable {
    /// A task that holds a slot.
    public struct Active: Equatable, Sendable {
        /// By which programs ask for more of it.
        public var task: TaskID
        /// Without credentials.
        public var url: String
        /// Bytes as sent.
        public var received: Int
        /// Bytes of the whole body as sent; `nil` if nobody knows.
        public var expected: Int?
        /// Live ones; 0 for a detached task.
        public var receipts: Int

        /// An active task, as its transfer stands.
        public init(task: TaskID, url: String, received: Int, expected: Int?, receipts: Int) {
            (self.task, self.url, self.received) = (task, url, received)
            (self.expected, self.receipts) = (expected, receipts)
        }
    }

    /// A task that waits for its next attempt, without a slot.
    public struct Waiting: Equatable, Sendable {
        /// By which programs ask for more of it.
        public var task: TaskID
        /// Without credentials.
        public var url: String
        /// When it goes on, of the pipeline's clock.
        public var until: Timestamp
        /// Live ones; at least 1.
        public var receipts: Int

        /// A waiting task, as the scheduler knows it.
        public init(task: TaskID, url: String, until: Timestamp, receipts: Int) {
            (self.task, self.url, self.until, self.receipts) = (task, url, until, receipts)
        }
    }

    /// A paused or answering task.
    public struct Resting: Equatable, Sendable {
        /// By which programs ask for more of it.
        public var task: TaskID
        /// Without credentials.
        public var url: String
        /// Live ones; at least 1.
        public var receipts: Int

        /// A task that holds no slot and waits for none.
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
    /// All queued tasks, however many ``queued`` holds.
    public var queuedCount = 0
    /// In order of their creation.
    public var paused: [Resting] = []
    /// Soonest first.
    public var waiting: [Waiting] = []
    /// Tasks that are answered from disk.
    public var answering: [Resting] = []
    /// The memory cache in figures.
    public var memory = PipelineSnapshot.Memory()
    /// The HTTP cache; without one, capacity and count are 0.
    public var http = HTTPCacheFigures()
    /// The state of the network activity indicator.
    public var indicator = ActivityState.notActive
    /// Transfers that the indicator counts.
    public var indicatorTasks = 0
    /// As they are in force.
    public var settings = Settings()
    /// The counts as the session would end now.
    public var counts = SessionCounts()

    /// The state of a pipeline that has nothing to do.
    public init() {}
}
