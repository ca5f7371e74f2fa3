/// Where a live task stands.
public struct TaskRecord: Equatable, Sendable {
    /// The band of what holds a slot: before all others.
    public static let activeBand = -1
    /// The rank there of what waits for its next attempt; transfers, by which the others are ranked, count from 1.
    public static let waitingRank: Int64 = 0

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
    /// When its next attempt is due, in nanoseconds since 1970; `nil` if it waits for none.
    public var waitsUntil: Int64?

    /// Where a task stands that is not paused, and whose priority follows its receipts.
    public init(task: TaskID, band: Int, rank: Int64) {
        (self.task, self.band, self.rank) = (task, band, rank)
        (isPaused, priority, waitsUntil) = (false, nil, nil)
    }
}
