/// Which events a listener wants; the others are not even made for it.
public struct EventInterest: OptionSet, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt8
    /// A set of kinds, as bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `request.submitted`.
    public static let requests = EventInterest(rawValue: 1)
    /// Phases of tasks and their answers, and `trust.decided`, the verdict on the host of a transfer.
    public static let tasks = EventInterest(rawValue: 2)
    /// `task.progress`, of which there are ten a second for each task.
    public static let progress = EventInterest(rawValue: 4)
    /// `task.finished` and `receipt.finished`.
    public static let outcomes = EventInterest(rawValue: 8)
    /// All that the memory cache and the HTTP cache do.
    public static let cache = EventInterest(rawValue: 16)
    /// Session, settings, indicator, prefetch and warnings.
    public static let session = EventInterest(rawValue: 32)
    /// Of requests and tasks, only those that were rejected or failed.
    public static let failures = EventInterest(rawValue: 64)
    /// All that ``TaskJournal`` reads.
    static let journal: EventInterest = [.requests, .tasks, .outcomes]
    /// Every event; those of ``failures`` are among requests and outcomes.
    public static let all: EventInterest = [.requests, .tasks, .progress, .outcomes, .cache, .session]
}
