/// The end of a task.
public struct TaskEnd: Sendable {
    public var task: TaskID
    public var url: String
    public var outcome: Outcome
    public var status: Int?
    /// Saved or decoded.
    public var bytes: Int
    public var source: AnswerSource
    /// Receipts that were served by it.
    public var receipts: Int
    /// Absolute path.
    public var file: String?
    public var image: ImageInfo?
    public var error: DownloadError?
    public var timings: Timings?
    /// Redirects that led to no answer; an answer has its own.
    public var hops: [RedirectHop] = []
    /// When it was submitted, if the pipeline has let go of it already; no field of the event.
    public var submitted: Timestamp?
    /// Whether only the HTTP cache asked, behind an answer that it gave: its failure is nobody's; no field of the event.
    public var isBehindAnswer = false

    /// Where the time went: the wait before the first transfer, the phases of the last, and what followed it.
    public struct Timings: Equatable, Sendable {
        public var queued: Duration
        public var transfer: TransferTimings
        /// From the whole body to its image, the wait for a core included; `nil` if nothing was decoded.
        public var decode: Duration?
        /// What the task took after the network besides that; `nil` without a file.
        public var save: Duration?
        public init(queued: Duration, transfer: TransferTimings) { (self.queued, self.transfer) = (queued, transfer) }
    }

    public init(task: TaskID, url: String, outcome: Outcome, receipts: Int) {
        (self.task, self.url, self.outcome, self.receipts) = (task, url, outcome, receipts)
        (bytes, source) = (0, .network)
    }
}
