/// The end of a task.
public struct TaskEnd: Sendable {
    /// Over with this event; its number is never used again.
    public var task: TaskID
    /// As it was asked for, without credentials.
    public var url: String
    /// How it ended, for all receipts that it still had.
    public var outcome: Outcome
    /// Of the answer that it ended with; `nil` without one.
    public var status: Int?
    /// Saved or decoded.
    public var bytes: Int
    /// Where the body came from.
    public var source: AnswerSource
    /// Receipts that were served by it.
    public var receipts: Int
    /// Absolute path.
    public var file: String?
    /// Whether that file was there already, whole, and was left as it is.
    public var isFileUnchanged = false
    /// What is known of the body, if it is an image, decoded or not.
    public var image: ImageInfo?
    /// Why it did not succeed; `nil` for a success.
    public var error: DownloadError?
    /// `nil` where no transfer ended it, as after an answer from disk, or an abort.
    public var timings: Timings?
    /// Redirects that led to no answer; an answer has its own.
    public var hops: [RedirectHop] = []
    /// When it was submitted, if the pipeline has let go of it already; no field of the event.
    public var submitted: Timestamp?
    /// Whether only the HTTP cache asked, behind an answer that it gave: its failure is nobody's; no field of the event.
    public var isBehindAnswer = false
    /// The merge key as text; `nil` where nobody knows it, as in a recording; no field of the event.
    public var key: String?
    /// Bytes that were there before the transfer that ended it; no field of the event, since its answer tells.
    public var continued = 0

    /// Where the time went: the wait before the last transfer, the phases of that, and what followed it.
    public struct Timings: Equatable, Sendable {
        /// From its submission to the start of the transfer that ended it, earlier attempts included.
        public var queued: Duration
        /// The phases of the transfer that ended it, counted from the start of that one.
        public var transfer: TransferTimings
        /// From the whole body to its image, the wait for a core included; `nil` if nothing was decoded.
        public var decode: Duration?
        /// What the task took after the network besides that; `nil` without a file.
        public var save: Duration?
        /// What the network took; what follows it is set where it happened.
        public init(queued: Duration, transfer: TransferTimings) { (self.queued, self.transfer) = (queued, transfer) }
    }

    /// The end of a task as of one from the network; all else is set where it is known.
    public init(task: TaskID, url: String, outcome: Outcome, receipts: Int) {
        (self.task, self.url, self.outcome, self.receipts) = (task, url, outcome, receipts)
        (bytes, source) = (0, .network)
    }
}
