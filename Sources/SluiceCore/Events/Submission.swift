/// The answer to a submitted request; exactly one each.
public struct Submission: Sendable {
    /// The one answer that a request gets at once.
    public enum Outcome: String, Sendable {
        /// A cache answers; no slot is needed.
        case cached
        /// A live task has its merge key.
        case joined
        /// A new task, which got a slot at once.
        case started
        /// A new task, which waits for a slot.
        case queued
        /// No task; the error says why.
        case rejected
    }
    /// Without credentials.
    public var url: String
    /// What became of it.
    public var outcome: Outcome
    /// For `cached`: memory or disk.
    public var source: AnswerSource?
    /// The request's claim; `nil` if it was rejected, or memory answered.
    public var receipt: ReceiptID?
    /// The task that it joined or began; `nil` as for ``receipt``.
    public var task: TaskID?
    /// From 1, for `queued`.
    public var position: Int?
    /// As the request gave it.
    public var tag: String?
    /// Why it was rejected; `nil` for every other outcome.
    public var error: DownloadError?
    /// Why it was answered like that; becomes a sentence where somebody reads it.
    public var why: Why
    /// Where the request came from.
    public var origin: DownloadRequest.Source
    /// Receipts of the task with this one; for the screen, no field of the event.
    public var receipts: Int

    /// An answer; receipt, task and the rest are set where the outcome has them.
    public init(url: String, outcome: Outcome, why: Why, origin: DownloadRequest.Source) {
        (self.url, self.outcome, self.why, self.origin, receipts) = (url, outcome, why, origin, 0)
    }
}
