/// The answer to a submitted request; exactly one each.
public struct Submission: Sendable {
    public enum Outcome: String, Sendable {
        case cached
        case joined
        case started
        case queued
        case rejected
    }
    /// Without credentials.
    public var url: String
    public var outcome: Outcome
    /// For `cached`: memory or disk.
    public var source: AnswerSource?
    public var receipt: ReceiptID?
    public var task: TaskID?
    /// From 1, for `queued`.
    public var position: Int?
    public var tag: String?
    public var error: DownloadError?
    public var why: Why
    /// Where the request came from.
    public var origin: DownloadRequest.Source
    /// Receipts of the task with this one; for the screen, no field of the event.
    public var receipts: Int

    public init(url: String, outcome: Outcome, why: Why, origin: DownloadRequest.Source) {
        (self.url, self.outcome, self.why, self.origin, receipts) = (url, outcome, why, origin, 0)
    }
}
