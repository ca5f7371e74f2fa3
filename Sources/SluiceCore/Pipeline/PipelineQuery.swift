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
    ///
    /// Requests that were submitted before keep to what held then.
    case changeTrust(TrustChange)
    /// Whom requests trust that are submitted now; answered by ``PipelineAnswer/trust(_:)``.
    case trust
    /// Answered by ``PipelineAnswer/state(_:)``.
    case state
    /// Queued tasks by position, from 1.
    case queue(from: Int, count: Int)
    /// One task, live or, where the pipeline is made with `keepsJournal`, among the last that ended.
    case task(TaskID)
    /// The memory cache, most recently accessed first.
    case cachedImages
    /// One entry, or an image with all its variants where `id` is `nil`; answered by ``PipelineAnswer/changed(_:)``.
    ///
    /// The key is a merge key as text, as ``cachedImages`` lists it: the normalised URL, and what else there is in the
    /// key. ``PipelineCommand/removeImages(_:)`` takes URLs instead.
    case removeCached(key: String, id: String?)
    /// Everything, because the user said so or memory is short.
    case purge(CachePurge.Trigger)
    /// Answered by ``PipelineAnswer/batch(_:)``, once all are submitted.
    case prefetch([DownloadRequest])
    /// Answered by ``PipelineAnswer/changed(_:)``.
    case cancelPrefetch(BatchID)
    /// Where the stream of events stands; answered by ``PipelineAnswer/done``.
    case position
    /// Answered by ``PipelineAnswer/done`` once no task is live.
    case idle
}
