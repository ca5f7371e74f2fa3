/// The one outcome of a receipt.
public struct ReceiptEnd: Sendable {
    /// It gets no other outcome.
    public var receipt: ReceiptID
    /// The task that it was a claim on; that may go on without it.
    public var task: TaskID
    /// Without credentials.
    public var url: String
    /// Cancelled for a receipt that was taken back, whatever becomes of its task.
    public var outcome: Outcome
    /// As the request gave it.
    public var tag: String?
    /// Absolute path of the file that is this request's, a copy of its own among them; `nil` if it wanted none.
    public var file: String?
    /// Why there is no success; `nil` for one.
    public var error: DownloadError?
    /// Where the request came from; for the screen, no field of the event.
    public var origin: DownloadRequest.Source
    /// When it was submitted; for the screen, no field of the event.
    public var submitted: Timestamp?

    /// A receipt's outcome; tag, file, error and origin are set where they are known.
    public init(receipt: ReceiptID, task: TaskID, url: String, outcome: Outcome) {
        (self.receipt, self.task, self.url, self.outcome) = (receipt, task, url, outcome)
        origin = .program
    }
}
