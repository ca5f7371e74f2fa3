/// Where a live task stands.
public struct TaskRecord: Equatable, Sendable {
    /// The band of what holds a slot: before all others.
    public static let activeBand = -1

    /// Which task it is, in this session.
    public var task: TaskID
    /// Of ``TaskQueue/Band``, or ``activeBand``.
    public var band: Int
    /// Orders the tasks of one band.
    public var rank: Int64
    /// By the user; it stays so when the queue is restored.
    public var isPaused: Bool
    /// Set by the user; `nil` follows the receipts.
    public var priority: Priority?

    /// Where a task stands that is not paused, and whose priority follows its receipts.
    public init(task: TaskID, band: Int, rank: Int64) {
        (self.task, self.band, self.rank) = (task, band, rank)
        (isPaused, priority) = (false, nil)
    }
}
