/// Something that happened: the one stream that screen, logs and programs read.
public struct PipelineEvent: Sendable {
    /// 1, 2, 3 … without gaps, over all that the listeners want together.
    public let seq: Int
    /// Since the session started, by a clock that goes on while the computer sleeps.
    public let t: Duration
    /// What happened, with what is known of it.
    public let kind: Kind

    /// The next event of a session; the pipeline numbers them.
    public init(seq: Int, t: Duration, kind: Kind) { (self.seq, self.t, self.kind) = (seq, t, kind) }

    /// Indirect: events are handed on and kept by the thousand, and the largest is many times as large as the usual one.
    public indirect enum Kind: Sendable {
        /// The first of all events.
        case sessionStarted(version: String, pid: Int, settings: Settings)
        /// A request was answered; comes before every event of its task.
        case requestSubmitted(Submission)
        /// Named after the phase: `task.queued`, `task.started` and so on.
        case taskChanged(TaskChange)
        /// The head of a task's answer, from whatever source.
        case taskResponse(TaskID, ResponseHead, source: AnswerSource)
        /// `received` counts bytes as sent.
        case taskProgress(TaskID, received: Int, expected: Int?)
        /// Comes when the file has its final name.
        case taskFinished(TaskEnd)
        /// Exactly once a receipt; where a task ends, in order of submission.
        ///
        /// None comes for what ``PipelineCommand/shutDown`` leaves, which ``sessionEnded(_:)`` counts.
        case receiptFinished(ReceiptEnd)
        /// Named after the verb: `cache.added` and so on.
        case cacheChanged(CacheChange)
        /// What had to go of the memory cache, all of it in one event.
        case cachePurged(CachePurge)
        /// Named after the verb: `httpcache.stored` and so on.
        case httpCacheChanged(HTTPCacheChange)
        /// A step of the indicator; `tasks` counts the transfers under way.
        case indicatorChanged(from: ActivityState, to: ActivityState, tasks: Int)
        /// A setting has another value; none is sent where it stays.
        case settingChanged(name: String, from: SettingValue, to: SettingValue)
        /// How far a batch is; `skipped` were in a cache. The last is `prefetch.finished`.
        case prefetchProgress(BatchID, finished: Int, skipped: Int, total: Int, isEnd: Bool)
        /// A host was trusted or refused, in a handshake or for a connection that is used again.
        case trustDecided(TrustDecision)
        /// Something that people should know and that stops nothing.
        case warning(code: WarningCode, message: String, task: TaskID?)
        /// The last of all events.
        case sessionEnded(SessionCounts)
    }
}
