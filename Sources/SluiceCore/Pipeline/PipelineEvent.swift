/// Something that happened: the one stream that screen, logs and programs read.
public struct PipelineEvent: Sendable {
    /// 1, 2, 3 … without gaps.
    public let seq: Int
    /// Since the session started, monotonic.
    public let t: Duration
    public let kind: Kind

    public init(seq: Int, t: Duration, kind: Kind) { (self.seq, self.t, self.kind) = (seq, t, kind) }

    /// Indirect: events are handed on and kept by the thousand, and the largest is many times as large as the usual one.
    public indirect enum Kind: Sendable {
        case sessionStarted(version: String, pid: Int, settings: Settings)
        case requestSubmitted(Submission)
        case taskChanged(TaskChange)
        case taskResponse(TaskID, ResponseHead, source: AnswerSource)
        /// `received` counts bytes as sent.
        case taskProgress(TaskID, received: Int, expected: Int?)
        case taskFinished(TaskEnd)
        case receiptFinished(ReceiptEnd)
        case cacheChanged(CacheChange)
        case cachePurged(CachePurge)
        case httpCacheChanged(HTTPCacheChange)
        case indicatorChanged(from: ActivityState, to: ActivityState, tasks: Int)
        case settingChanged(name: String, from: SettingValue, to: SettingValue)
        case prefetchProgress(BatchID, finished: Int, skipped: Int, total: Int, isEnd: Bool)
        case trustDecided(TrustDecision)
        case warning(code: String, message: String, task: TaskID?)
        case sessionEnded(SessionCounts)
    }
}

/// Where an answer came from.
public enum AnswerSource: String, Sendable {
    case network
    case memory
    case disk
    case revalidated
}

/// The states of the network activity indicator.
public enum ActivityState: String, CaseIterable, Sendable {
    case notActive
    case delayingStart
    case active
    case delayingEnd

    /// Whether the indicator is shown.
    public var isVisible: Bool { self == .active || self == .delayingEnd }
}

/// The answer to a submitted request; exactly one each.
public struct Submission: Sendable {
    public enum Outcome: String, Sendable {
        case cached
        case joined
        case started
        case queued
        case rejected
    }
    /// Without credentials.
    public var url: String
    public var outcome: Outcome
    /// For `cached`: memory or disk.
    public var source: AnswerSource?
    public var receipt: ReceiptID?
    public var task: TaskID?
    /// From 1, for `queued`.
    public var position: Int?
    public var tag: String?
    public var error: DownloadError?
    public var why: Why
    /// Where the request came from.
    public var origin: DownloadRequest.Source
    /// Receipts of the task with this one; for the screen, no field of the event.
    public var receipts: Int

    public init(url: String, outcome: Outcome, why: Why, origin: DownloadRequest.Source) {
        (self.url, self.outcome, self.why, self.origin, receipts) = (url, outcome, why, origin, 0)
    }
}

/// A task went from one phase to another.
public struct TaskChange: Sendable {
    public enum Phase: String, Sendable {
        case queued
        case started
        case resumed
        case suspended
        case waiting
        case detached
        case moved
    }
    public var phase: Phase
    public var task: TaskID
    /// Without credentials.
    public var url: String
    /// From 1.
    public var attempt: Int
    /// Active tasks after the change.
    public var active: Int
    /// Queued tasks after the change.
    public var queued: Int
    /// From 1, for `queued` and `moved`.
    public var position: Int?
    /// When a waiting task goes on.
    public var until: Timestamp?
    /// How long a waiting task waits.
    public var delay: Duration?
    public var reason: Why?

    public init(phase: Phase, task: TaskID, url: String, attempt: Int, active: Int, queued: Int) {
        (self.phase, self.task, self.url, self.attempt) = (phase, task, url, attempt)
        (self.active, self.queued) = (active, queued)
    }
}

/// How a task or receipt ended.
public enum Outcome: String, Sendable {
    case success
    case failed
    case cancelled
}

/// The end of a task.
public struct TaskEnd: Sendable {
    public var task: TaskID
    public var url: String
    public var outcome: Outcome
    public var status: Int?
    /// Saved or decoded.
    public var bytes: Int
    public var source: AnswerSource
    /// Receipts that were served by it.
    public var receipts: Int
    /// Absolute path.
    public var file: String?
    public var image: ImageInfo?
    public var error: DownloadError?
    public var timings: Timings?
    /// Redirects that led to no answer; an answer has its own.
    public var hops: [RedirectHop] = []
    /// When it was submitted, if the pipeline has let go of it already; no field of the event.
    public var submitted: Timestamp?
    /// Whether only the HTTP cache asked, behind an answer that it gave: its failure is nobody's; no field of the event.
    public var isBehindAnswer = false

    /// Where the time went: the wait before the first transfer, the phases of the last, and what followed it.
    public struct Timings: Equatable, Sendable {
        public var queued: Duration
        public var transfer: TransferTimings
        /// From the whole body to its image, the wait for a core included; `nil` if nothing was decoded.
        public var decode: Duration?
        /// What the task took after the network besides that; `nil` without a file.
        public var save: Duration?
        public init(queued: Duration, transfer: TransferTimings) { (self.queued, self.transfer) = (queued, transfer) }
    }

    public init(task: TaskID, url: String, outcome: Outcome, receipts: Int) {
        (self.task, self.url, self.outcome, self.receipts) = (task, url, outcome, receipts)
        (bytes, source) = (0, .network)
    }
}

/// The one outcome of a receipt.
public struct ReceiptEnd: Sendable {
    public var receipt: ReceiptID
    public var task: TaskID
    public var url: String
    public var outcome: Outcome
    public var tag: String?
    public var file: String?
    public var error: DownloadError?
    /// Where the request came from; for the screen, no field of the event.
    public var origin: DownloadRequest.Source
    /// When it was submitted; for the screen, no field of the event.
    public var submitted: Timestamp?

    public init(receipt: ReceiptID, task: TaskID, url: String, outcome: Outcome) {
        (self.receipt, self.task, self.url, self.outcome) = (receipt, task, url, outcome)
        origin = .program
    }
}

/// The memory cache took, replaced, lost or refused one entry.
public struct CacheChange: Sendable {
    public enum Verb: String, Sendable {
        case added
        case replaced
        case removed
        case refused
    }
    public var verb: Verb
    public var key: CacheKey
    /// In bytes.
    public var cost: Int
    /// After the whole step, in bytes.
    public var usage: Int
    public var capacity: Int
    /// Entries after the whole step.
    public var count: Int
    public var why: Why

    public init(verb: Verb, key: CacheKey, cost: Int, usage: Int, capacity: Int, count: Int, why: Why) {
        (self.verb, self.key, self.cost, self.usage) = (verb, key, cost, usage)
        (self.capacity, self.count, self.why) = (capacity, count, why)
    }
}

/// The memory cache removed entries to make room, or all of them.
public struct CachePurge: Equatable, Sendable {
    public enum Trigger: String, Sendable {
        case capacity
        case resized
        case pressure
        case cleared
    }
    public struct Victim: Equatable, Sendable {
        public var key: CacheKey
        /// In bytes.
        public var cost: Int
        /// Since its last access.
        public var idle: Duration
        public init(key: CacheKey, cost: Int, idle: Duration) { (self.key, self.cost, self.idle) = (key, cost, idle) }
    }
    public var trigger: Trigger
    /// Usage before, the added entry included.
    ///
    /// In bytes, as all that follow.
    public var before: Int
    public var needed: Int
    public var freed: Int
    public var after: Int
    public var preferred: Int
    /// In the order in which they went: least recently accessed first.
    public var victims: [Victim]

    public init(trigger: Trigger, before: Int, needed: Int, freed: Int, preferred: Int, victims: [Victim]) {
        (self.trigger, self.before, self.needed, self.freed) = (trigger, before, needed, freed)
        (after, self.preferred, self.victims) = (before - freed, preferred, victims)
    }
}

/// What a session did, in numbers.
public struct SessionCounts: Equatable, Sendable {
    public var requests = 0
    public var tasks = 0
    public var succeeded = 0
    public var failed = 0
    public var cancelled = 0
    public var cached = 0
    public var rejected = 0
    public var joined = 0
    /// Received from the network, as sent.
    public var bytes = 0
    /// Requests without an outcome at the end.
    public var left = 0
    /// Receipts that ended otherwise than well; for exit statuses, no field of the event.
    public var unmet = 0
    /// Files that got their names; for summaries, no field of the event.
    public var saved = 0
    /// Bytes of them.
    public var savedBytes = 0
    public init() {}
}
