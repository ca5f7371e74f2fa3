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
