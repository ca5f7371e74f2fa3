/// What the pipeline knows of one live task beyond its row.
public struct TaskFacts: Equatable, Sendable {
    /// One receipt that has no outcome yet.
    public struct Claim: Equatable, Sendable {
        public let receipt: ReceiptID
        public let source: DownloadRequest.Source
        public let submitted: Timestamp
        public let priority: Priority
        /// Whether it wants a file.
        public let saves: Bool
        /// Relative to the destination directory, if it was named.
        public let destination: String?
        public let tag: String?

        public init(
            receipt: ReceiptID,
            source: DownloadRequest.Source,
            submitted: Timestamp,
            options: RequestOptions,
            tag: String? = nil
        ) {
            (self.receipt, self.source, self.submitted, self.tag) = (receipt, source, submitted, tag)
            (priority, saves, destination) = (options.priority, options.saves, options.destination)
        }
    }

    public static let claimLimit = 100

    /// What goes on after the network, or went on.
    public struct Decoding: Equatable, Sendable {
        public var began: Timestamp
        public var ended: Timestamp?
        public init(began: Timestamp, ended: Timestamp? = nil) { (self.began, self.ended) = (began, ended) }
    }

    public var task: TaskID
    /// The row, also of a task that none of the snapshot's lists holds.
    public var row: PipelineSnapshot.Row
    /// In order of submission; at most ``claimLimit``.
    public var claims: [Claim]
    public var policy: CachePolicy
    /// The start of the attempt that runs.
    public var started: Timestamp?
    /// Of the attempt that runs, once it has an answer.
    public var head: ResponseHead?
    /// Of the attempt that runs, once its network is done.
    public var network: TransferTimings?
    /// Of the attempt that runs, once its body was whole and is an image.
    public var decoding: Decoding?
    /// The merge key as text.
    public var key: String

    public init(_ row: PipelineSnapshot.Row, key: String, claims: [Claim], policy: CachePolicy) {
        (task, self.row, self.key, self.claims, self.policy) = (row.task, row, key, claims, policy)
    }
}
