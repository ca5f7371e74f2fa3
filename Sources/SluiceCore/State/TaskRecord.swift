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
