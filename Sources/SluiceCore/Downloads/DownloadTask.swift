/// One download shared by all requests with one merge key, as the scheduler sees it.
public struct DownloadTask: Sendable {
    /// Where a live task stands; one that is over has no phase any more.
    public enum Phase: Equatable, Sendable {
        /// Waits for a slot. Valid next phases: `.active`, `.paused`; `.waiting` only where an earlier session left it so.
        case queued
        /// Holds a slot; detached if it has no receipts. Valid next phases: `.waiting`, `.paused`.
        case active(TransferID)
        /// Waits for its retry time without a slot. Valid next phases: `.queued`, `.paused`.
        case waiting(until: Timestamp, delay: Duration)
        /// Was paused by the user. Valid next phases: `.queued`.
        case paused
        /// Is answered from disk without a slot. Valid next phases: `.queued`, if the disk has no answer after all.
        case answering
    }

    /// Never used twice in a session.
    public let id: TaskID
    /// What requests are merged by; it never changes, wherever redirects lead.
    public let key: MergeKey
    /// Changed by the ``DownloadScheduler`` alone.
    public internal(set) var phase: Phase
    /// The highest of its live receipts', until the user sets one, which then holds.
    public internal(set) var priority: Priority
    /// Whether the user set ``priority``.
    public internal(set) var isPriorityFixed = false
    /// Grows along its level of the queue, where the queue is kept.
    public internal(set) var rank: Int64 = 0
    /// Whether it was started before; the next start is a resumption.
    public internal(set) var wasStarted = false
    /// Attempts that ended and count, from 0.
    public internal(set) var failedAttempts: Int32 = 0
    /// Live receipts; 0 only while active.
    public internal(set) var receiptCount: Int32 = 0
    var firstReceipt: Int32 = -1
    var lastReceipt: Int32 = -1
    /// Receipts that are no prefetches; none of them means that the task counts to the prefetch share.
    var demandCount: Int32 = 0
    /// Live receipts of high priority.
    var highCount: Int32 = 0
    /// Live receipts of normal priority.
    var normalCount: Int32 = 0
    /// When its first request was taken.
    public let submitted: Timestamp

    /// The highest priority of its live receipts.
    var highestPriority: Priority { highCount > 0 ? .high : normalCount > 0 ? .normal : .low }

    /// Counts a receipt in (`by` 1) or out (−1).
    mutating func count(_ receipt: Receipt, by change: Int32) {
        receiptCount += change
        if !receipt.isPrefetch { demandCount += change }
        switch receipt.options.priority {
        case .high: highCount += change
        case .normal: normalCount += change
        case .low: break
        }
    }

    /// Whether only prefetches wait for it.
    public var isPrefetch: Bool { demandCount == 0 && receiptCount > 0 }
    /// Whether its last receipt was cancelled while it was active.
    public var isDetached: Bool { receiptCount == 0 }
}

extension DownloadTask: SlabRow {
    static let vacant = DownloadTask(
        id: TaskID(0),
        key: MergeKey(url: ""),
        phase: .queued,
        priority: .low,
        submitted: Timestamp(nanoseconds: 0)
    )
    // Identifiers begin with 1.
    var isVacant: Bool { id.rawValue == 0 }
}
