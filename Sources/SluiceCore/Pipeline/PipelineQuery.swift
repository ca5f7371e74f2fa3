/// What a program outside asks of the pipeline, and wants an exact answer to.
///
/// Unlike a ``PipelineCommand`` a query keeps its order behind everything that was sent
/// before it, lists included, so that its answer says what they led to.
public enum PipelineQuery: Sendable {
    /// In order; answered by ``PipelineAnswer/submissions(_:)``, one for each.
    case submit([DownloadRequest])
    /// Answered by ``PipelineAnswer/changed(_:)``.
    case cancel(ReceiptID)
    /// Answered by ``PipelineAnswer/changed(_:)``.
    case steer(TaskID, TaskSteering)
    /// Suspends the queue and pauses what runs; answered by ``PipelineAnswer/tasks(_:)``.
    case pauseAll
    /// Undoes ``pauseAll``, and resumes every paused task.
    case resumeAll
    /// Answered by ``PipelineAnswer/setting(name:from:to:)`` or ``PipelineAnswer/refused(_:)``.
    case set(SettingChange)
    /// Whom to trust from now on; answered by ``PipelineAnswer/trustChanged(from:to:)`` or
    /// ``PipelineAnswer/trustRefused(_:)``.
    case changeTrust(TrustChange)
    /// Whom requests trust that are submitted now; answered by ``PipelineAnswer/trust(_:)``.
    case trust
    case state
    /// Queued tasks by position, from 1.
    case queue(from: Int, count: Int)
    /// One task, live or among the last that ended.
    case task(TaskID)
    /// The memory cache, most recently accessed first.
    case cachedImages
    /// One entry, or an image with all its variants where `id` is `nil`.
    case removeCached(key: String, id: String?)
    /// Everything, because the user said so or memory is short.
    case purge(CachePurge.Trigger)
    case prefetch([DownloadRequest])
    case cancelPrefetch(BatchID)
    /// Where the stream of events stands; answered by ``PipelineAnswer/done``.
    case position
    /// Answered by ``PipelineAnswer/done`` once no task is live.
    case idle
}

/// What a query came to.
public enum PipelineAnswer: Sendable {
    case submissions([Submission])
    /// Whether the query changed anything.
    case changed(Bool)
    /// How many tasks it changed.
    case tasks(Int)
    case setting(name: String, from: SettingValue, to: SettingValue)
    case trust(TrustBook)
    /// What held for exactly the pattern before and after; `nil` where nothing was said of it.
    case trustChanged(from: TrustPolicy?, to: TrustPolicy?)
    case trustRefused(TrustError)
    case state(PipelineState)
    case queue([QueuedTask])
    case task(TaskReport)
    case cachedImages([CachedImage])
    /// Entries that went, and their bytes.
    case purged(removed: Int, freed: Int)
    case batch(BatchID)
    case done
    /// There never was such a task, or it ended too long ago to be remembered.
    case unknownTask(TaskID)
    case unknownReceipt(ReceiptID)
    case refused(SettingError)
    /// The pipeline ends and answers nothing any more.
    case shuttingDown
}

/// An answer, and when it was true.
public struct PipelineReply: Sendable {
    public let answer: PipelineAnswer
    /// Number of the last event before it; 0 before the first.
    public let seq: Int
    public let time: Timestamp

    public init(_ answer: PipelineAnswer, seq: Int, time: Timestamp) {
        (self.answer, self.seq, self.time) = (answer, seq, time)
    }
}

/// An entry of the memory cache.
public struct CachedImage: Equatable, Sendable {
    public let key: CacheKey
    /// In bytes.
    public let cost: Int
    /// Since its last access.
    public let idle: Duration

    public init(key: CacheKey, cost: Int, idle: Duration) { (self.key, self.cost, self.idle) = (key, cost, idle) }
}
