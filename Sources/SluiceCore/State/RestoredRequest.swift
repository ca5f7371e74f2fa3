/// A request of an earlier session.
public struct RestoredRequest: Sendable {
    /// Where it is kept.
    public struct Row: Hashable, Sendable {
        public let session: Int
        public let task: Int
        public let receipt: Int
        public init(session: Int, task: Int, receipt: Int) {
            (self.session, self.task, self.receipt) = (session, task, receipt)
        }
    }

    public var row: Row
    public var request: DownloadRequest
    /// Of ``TaskQueue/Band``.
    public var band: Int
    public var isPaused: Bool
    /// Set by the user.
    public var priority: Priority?

    public init(row: Row, request: DownloadRequest, band: Int, isPaused: Bool, priority: Priority?) {
        (self.row, self.request, self.band) = (row, request, band)
        (self.isPaused, self.priority) = (isPaused, priority)
    }
}
