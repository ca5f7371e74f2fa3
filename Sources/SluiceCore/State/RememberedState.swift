/// What was kept by earlier processes.
public struct RememberedState: Sendable {
    /// Those of the destination directory whose files are still there.
    public var parts: [PartRecord] = []
    /// The newest that were saved for the destination directory, the oldest of them first.
    public var files: [KnownFile] = []
    /// In the order in which they are to be queued.
    public var requests: [RestoredRequest] = []
    /// Those whose files went to other destination directories.
    public var elsewhere: [BegunElsewhere] = []
    /// Whether the user had suspended the queue that is restored.
    public var isSuspended = false
    /// Those whose time has not come, the first that expires in front.
    public var failed: [FailedRecord] = []
    /// Why something could not be read; where that may pass, it stays for a later start.
    public var problem: StateProblem?
    /// Nothing: the first start, or one that begins afresh.
    public init() {}
}
