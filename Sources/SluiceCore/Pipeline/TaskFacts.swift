/// What the pipeline knows of one live task beyond its row.
public struct TaskFacts: Equatable, Sendable {
    /// One receipt that has no outcome yet.
    public struct Claim: Equatable, Sendable {
        /// By which it is cancelled.
        public let receipt: ReceiptID
        /// Where the request came from.
        public let source: DownloadRequest.Source
        /// When the request was taken.
        public let submitted: Timestamp
        /// What the request asks for, which need not be the task's.
        public let priority: Priority
        /// Whether it wants a file.
        public let saves: Bool
        /// Relative to the destination directory, if it was named.
        public let destination: String?
        /// As the request gave it.
        public let tag: String?

        /// A receipt, and what its options say that a screen shows.
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

    /// Claims that one snapshot holds at most, however many receipts a task has.
    public static let claimLimit = 100

    /// What goes on after the network, or went on.
    public struct Decoding: Equatable, Sendable {
        /// When the body was whole, and the decoder was asked for.
        public var began: Timestamp
        /// When the image was there, or could not be made; `nil` while that takes.
        public var ended: Timestamp?
        /// One that goes on, unless its end is known.
        public init(began: Timestamp, ended: Timestamp? = nil) { (self.began, self.ended) = (began, ended) }
    }

    /// As in ``row``.
    public var task: TaskID
    /// The row, also of a task that none of the snapshot's lists holds.
    public var row: PipelineSnapshot.Row
    /// In order of submission; at most ``claimLimit``.
    public var claims: [Claim]
    /// Of the request that came first, else that of the settings.
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

    /// What is known of every live task; what an attempt adds is set where one runs.
    public init(_ row: PipelineSnapshot.Row, key: String, claims: [Claim], policy: CachePolicy) {
        (task, self.row, self.key, self.claims, self.policy) = (row.task, row, key, claims, policy)
    }
}
