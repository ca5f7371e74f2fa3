/// Everything that is known of one task: where it stands, its receipts, and what happened to it.
public struct TaskReport: Sendable {
    /// What a task does, in the words of the control socket.
    public enum State: String, CaseIterable, Sendable {
        /// Holds a slot for somebody.
        case active
        /// Waits for a slot.
        case queued
        /// Was paused by the user.
        case paused
        /// Waits for its next attempt.
        case waiting
        /// Is answered from disk, without a slot.
        case answering
        /// Holds a slot, and has no receipts any more.
        case detached
        /// Is over; only what the journal kept is known.
        case ended
    }

    /// One request's claim, and its outcome once it has one.
    public struct Receipt: Equatable, Sendable {
        /// By which it is cancelled.
        public var receipt: ReceiptID
        /// As the request gave it.
        public var tag: String?
        /// `nil` while it has none.
        public var outcome: Outcome?
        /// Absolute path.
        public var file: String?
        /// Why it has no success; `nil` for one, and while it has no outcome.
        public var error: DownloadError?

        /// A receipt without an outcome.
        public init(_ receipt: ReceiptID, tag: String?) { (self.receipt, self.tag) = (receipt, tag) }
    }

    /// Live, or among the last that ended.
    public var task: TaskID
    /// Without credentials.
    public var url: String
    /// What it does now.
    public var state: State
    /// The merge key as text; `nil` once the task has ended.
    public var key: String?
    /// Of the task, a user's choice included; `nil` once it has ended.
    public var priority: Priority?
    /// From 1, while it is queued.
    public var position: Int?
    /// When it goes on, while it waits.
    public var until: Timestamp?
    /// Under way or next, from 1.
    public var attempt: Int?
    /// Bytes as sent, while it is active.
    public var received: Int?
    /// Bytes of the whole body as sent, while it is active; `nil` if nobody knows.
    public var expected: Int?
    /// Why it stands where it does.
    public var reason: Why?
    /// In order of submission; of many only the newest ``TaskJournal/receiptLimit``.
    public var receipts: [Receipt] = []
    /// Oldest first.
    public var history: [TaskJournal.Entry] = []
    /// How it ended; `nil` while it lives.
    public var end: TaskEnd?

    /// What is known of every task; the rest is set where it is known.
    public init(task: TaskID, url: String, state: State) { (self.task, self.url, self.state) = (task, url, state) }
}
