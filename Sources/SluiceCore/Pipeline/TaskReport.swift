/// Everything that is known of one task: where it stands, its receipts, and what happened to it.
public struct TaskReport: Sendable {
    public enum State: String, CaseIterable, Sendable {
        case active
        case queued
        case paused
        case waiting
        case answering
        case detached
        case ended
    }

    public struct Receipt: Equatable, Sendable {
        public var receipt: ReceiptID
        public var tag: String?
        /// `nil` while it has none.
        public var outcome: Outcome?
        /// Absolute path.
        public var file: String?
        public var error: DownloadError?

        public init(_ receipt: ReceiptID, tag: String?) { (self.receipt, self.tag) = (receipt, tag) }
    }

    public var task: TaskID
    /// Without credentials.
    public var url: String
    public var state: State
    /// The merge key as text; `nil` once the task has ended.
    public var key: String?
    public var priority: Priority?
    /// From 1, while it is queued.
    public var position: Int?
    /// When it goes on, while it waits.
    public var until: Timestamp?
    /// Under way or next, from 1.
    public var attempt: Int?
    /// Bytes as sent, while it is active.
    public var received: Int?
    public var expected: Int?
    /// Why it stands where it does.
    public var reason: Why?
    /// In order of submission; of many only the newest ``TaskJournal/receiptLimit``.
    public var receipts: [Receipt] = []
    /// Oldest first.
    public var history: [TaskJournal.Entry] = []
    public var end: TaskEnd?

    public init(task: TaskID, url: String, state: State) { (self.task, self.url, self.state) = (task, url, state) }
}
