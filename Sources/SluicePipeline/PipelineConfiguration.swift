public import SluiceCore

/// What a pipeline is made with and keeps for its life; ``Settings`` change, this does not.
public struct PipelineConfiguration: Sendable {
    public var settings = Settings()
    /// Sluice's version, for events and `User-Agent`.
    public var version = "0"
    public var userAgent: String?
    /// Whether a screen wants decoded images, which is what `decode auto` asks.
    public var isDashboard = false
    /// Whether https may be left by a redirect.
    public var allowsDowngrade = false
    /// Whether the failed list also stops URLs that the user named.
    public var startTime = Timestamp(nanoseconds: 0)
    /// Shown in snapshots; `nil` without saving.
    public var directory: String?
    /// Seconds between two snapshots at least; 0 makes none.
    public var snapshotInterval: Duration = .milliseconds(33)
    /// A body that is only kept in memory, to be decoded, may have this many bytes.
    public var memoryBodyLimit = 67_108_864
    /// A number in `0..<1` for the spread of retries.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    public init() {}
}

/// Which events a listener wants; the others are not even made for it.
public struct EventInterest: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `request.submitted`.
    public static let requests = EventInterest(rawValue: 1)
    /// Phases of tasks and their answers.
    public static let tasks = EventInterest(rawValue: 2)
    public static let progress = EventInterest(rawValue: 4)
    /// `task.finished` and `receipt.finished`.
    public static let outcomes = EventInterest(rawValue: 8)
    public static let cache = EventInterest(rawValue: 16)
    /// Session, settings, indicator, prefetch and warnings.
    public static let session = EventInterest(rawValue: 32)
    /// Of requests and tasks, only those that were rejected or failed.
    public static let failures = EventInterest(rawValue: 64)
    public static let all: EventInterest = [.requests, .tasks, .progress, .outcomes, .cache, .session]
}

/// Hears events in order, on the loop's thread.
public struct EventListener: Sendable {
    let interest: EventInterest
    let hear: @Sendable (PipelineEvent) -> Void

    /// - Parameters:
    ///   - interest: What is wanted.
    ///   - hear: Called on the loop's thread; while it runs, every transfer waits.
    public init(_ interest: EventInterest = .all, hear: @escaping @Sendable (PipelineEvent) -> Void) {
        (self.interest, self.hear) = (interest, hear)
    }
}

/// What a request that the library submitted came to.
public struct RequestOutcome: Sendable {
    public let outcome: Outcome
    /// The same instance for all receipts of a task, and for hits.
    public let image: DecodedImage?
    /// Absolute path.
    public let file: String?
    public let error: DownloadError?

    static let cancelled = RequestOutcome(outcome: .cancelled, image: nil, file: nil, error: .cancelled)
}
