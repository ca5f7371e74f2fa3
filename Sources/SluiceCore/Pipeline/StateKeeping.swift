/// Keeps what must outlive the process: parts, known files, and the queue of a dashboard.
///
/// Every call returns at once; the work is done elsewhere, in the order of the calls.
public protocol StateKeeping: Sendable {
    /// Keeps changes, all of them or none.
    ///
    /// - Parameters:
    ///   - changes: In order.
    ///   - saved: Called once they would survive the death of the process, or can't be kept now; on any thread.
    ///     Where the problem may pass they are kept behind later ones of this process, or at its end.
    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void)
}

/// Why nothing can be kept; a sentence for people.
public struct StateProblem: Error, Equatable, Sendable {
    public let message: String
    /// Whether what is not kept waits for a better time; if not, nothing is kept any more.
    public let mayPass: Bool
    public init(message: String, mayPass: Bool = false) { (self.message, self.mayPass) = (message, mayPass) }
}

/// One thing that is to be kept, or forgotten.
///
/// Indirect: there may be hundreds of thousands at once, and the largest is many times as large as the usual one.
public indirect enum StateChange: Sendable {
    case part(PartRecord)
    /// The part became a file, or is of no use any more.
    case noPart(PartLocation)
    /// A file is the complete body of a key.
    case file(KnownFile)
    /// A task is new, or stands elsewhere.
    case task(TaskRecord)
    /// A receipt is new.
    case request(RequestRecord)
    /// A request of an earlier session needs no task any more.
    case restoredEnded(RestoredRequest.Row)
    case receiptEnded(TaskID, ReceiptID)
    case taskEnded(TaskID)
    case failed(FailedRecord)
    /// The key as text.
    case notFailed(String)
}

/// A file that is known as the complete body of a key, so that it may be replaced by a newer one.
public struct KnownFile: Hashable, Sendable {
    /// The merge key as text.
    public var key: String
    /// The destination directory that it was saved for.
    public var directory: String
    public var file: SavedFile
    public init(key: String, directory: String, file: SavedFile) {
        (self.key, self.directory, self.file) = (key, directory, file)
    }
}

/// Where a live task stands.
public struct TaskRecord: Equatable, Sendable {
    /// The band of what holds a slot: before all others.
    public static let activeBand = -1

    public var task: TaskID
    /// Of ``TaskQueue/Band``, or ``activeBand``.
    public var band: Int
    /// Orders the tasks of one band.
    public var rank: Int64
    public var isPaused: Bool
    /// Set by the user; `nil` follows the receipts.
    public var priority: Priority?

    public init(task: TaskID, band: Int, rank: Int64) {
        (self.task, self.band, self.rank) = (task, band, rank)
        (isPaused, priority) = (false, nil)
    }
}

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

/// A key on the failed list.
public struct FailedRecord: Equatable, Sendable {
    /// The merge key as text.
    public var key: String
    public var url: String
    public var error: DownloadError
    /// Seconds since 1970.
    public var until: Int
    public init(key: String, url: String, error: DownloadError, until: Int) {
        (self.key, self.url, self.error, self.until) = (key, url, error, until)
    }
}

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

/// What was kept by earlier processes.
public struct RememberedState: Sendable {
    public var parts: [PartRecord] = []
    public var files: [KnownFile] = []
    /// In the order in which they are to be queued.
    public var requests: [RestoredRequest] = []
    public var failed: [FailedRecord] = []
    /// Why something could not be read.
    public var problem: StateProblem?
    public init() {}
}
