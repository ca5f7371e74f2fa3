/// The one outcome of a receipt.
public struct ReceiptEnd: Sendable {
    public var receipt: ReceiptID
    public var task: TaskID
    public var url: String
    public var outcome: Outcome
    public var tag: String?
    public var file: String?
    public var error: DownloadError?
    /// Where the request came from; for the screen, no field of the event.
    public var origin: DownloadRequest.Source
    /// When it was submitted; for the screen, no field of the event.
    public var submitted: Timestamp?

    public init(receipt: ReceiptID, task: TaskID, url: String, outcome: Outcome) {
        (self.receipt, self.task, self.url, self.outcome) = (receipt, task, url, outcome)
        origin = .program
    }
}
