/// A request whose outcome is not known yet.
public struct RequestRecord: Sendable {
    /// The task that it is a claim on.
    public var task: TaskID
    /// Its claim; the row is forgotten once that has its outcome.
    public var receipt: ReceiptID
    /// The merge key as text.
    public var key: String
    /// As it was asked for, with what the command line of this session adds to it.
    public var request: DownloadRequest
    /// The mark of the policy that its host is trusted by; see ``TrustBook/ownMark(of:)``.
    public var trust: String?
    /// Which row of an earlier session it takes over; that one goes.
    public var restored: RestoredRequest.Row?

    /// A request of this session; a restored one names its row too.
    public init(task: TaskID, receipt: ReceiptID, key: String, request: DownloadRequest) {
        (self.task, self.receipt, self.key, self.request) = (task, receipt, key, request)
    }
}
