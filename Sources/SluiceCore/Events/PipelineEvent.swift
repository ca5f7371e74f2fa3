/// Something that happened: the one stream that screen, logs and programs read.
public struct PipelineEvent: Sendable {
    /// 1, 2, 3 … without gaps.
    public let seq: Int
    /// Since the session started, monotonic.
    public let t: Duration
    /// What happened, with what is known of it.
    public let kind: Kind

    /// The next event of a session; the pipeline numbers them.
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
