/// A request whose outcome is not known yet.
public struct RequestRecord: Sendable {
    public var task: TaskID
    public var receipt: ReceiptID
    /// The merge key as text.
    public var key: String
    /// As it was asked for.
    public var request: DownloadRequest
    /// Which row of an earlier session it takes over; that one goes.
    public var restored: RestoredRequest.Row?

    public init(task: TaskID, receipt: ReceiptID, key: String, request: DownloadRequest) {
        (self.task, self.receipt, self.key, self.request) = (task, receipt, key, request)
    }
}
