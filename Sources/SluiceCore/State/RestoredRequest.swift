/// A request of an earlier session.
public struct RestoredRequest: Sendable {
    /// Where it is kept.
    public struct Row: Hashable, Sendable {
        /// The process that kept it, as the state file counts.
        public let session: Int
        /// Its task in that session.
        public let task: Int
        /// Its receipt in that session.
        public let receipt: Int
        /// As the state file numbers them.
        public init(session: Int, task: Int, receipt: Int) {
            (self.session, self.task, self.receipt) = (session, task, receipt)
        }
    }

    /// Names it when it is taken over, or is to be forgotten.
    public var row: Row
    /// As it was asked for.
    public var request: DownloadRequest
    /// Of ``TaskQueue/Band``, or ``TaskRecord/activeBand``.
    public var band: Int
    /// Whether its task was paused by the user.
    public var isPaused: Bool
    /// Set by the user.
    public var priority: Priority?
    /// The merge key as text that it had.
    public var key: String?
    /// The mark of the policy that its host was trusted by; `nil` where a Sluice of an earlier version kept it.
    public var trust: String?
    /// Whether its body was saved for another destination just before its process died: it only lacks its copy.
    public var hasSavedBody = false
    /// When its next attempt was due, in nanoseconds since 1970.
    public var waitsUntil: Int64?
    /// The own limit of its task in bytes a second; `nil` for none.
    public var rate: Int?
    /// Bytes of the part that its task left; `nil` where there is none.
    public var received: Int?

    /// Whether it held a slot, and its server must not be asked the same twice.
    public var mayHaveReachedServer: Bool {
        band == TaskRecord.activeBand && request.options.method != "GET" && request.options.method != "HEAD"
    }

    /// A request as it was kept, and where its task stood.
    public init(row: Row, request: DownloadRequest, band: Int, isPaused: Bool, priority: Priority?) {
        (self.row, self.request, self.band) = (row, request, band)
        (self.isPaused, self.priority) = (isPaused, priority)
    }
}
