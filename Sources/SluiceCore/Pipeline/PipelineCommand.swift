/// What a user, or a program that uses the library, asks of the pipeline.
///
/// Commands are values that are queued without blocking and applied in the order sent,
/// except that steering may overtake what is left of a list that is still being
/// submitted: it can only name tasks that exist already.
public enum PipelineCommand: Sendable {
    /// In order; each gets its own `request.submitted` event.
    case submit([DownloadRequest])
    /// Takes one receipt from its task; nothing happens if it has its outcome already.
    case cancel(ReceiptID)
    /// Takes the receipt that came last from a task; nothing happens if it has none.
    case cancelNewest(TaskID)
    /// Aborts every live task; applied after all submissions sent before it.
    case cancelAll
    /// Suspends the queue, and pauses what runs.
    case pauseAll
    /// Undoes ``pauseAll``, and resumes every paused task.
    case resumeAll
    /// Does one thing to one task at once, or to many in slices, so that a hundred thousand hold up nothing.
    case steer(TaskSteering, TaskSelection)
    /// Submits everything on the failed list again, also what failed in an earlier session.
    case retryFailed
    /// Takes everything with this URL off the failed list, so that lists and pastes ask for it again; starts nothing.
    ///
    /// The URL as ``PipelineSnapshot/Failed`` has it; whatever headers and credentials its requests had.
    case forgetFailure(String)
    /// The same for the whole failed list.
    case forgetFailures
    /// Goes on with another URL for what an expired one began; a part with a strong tag stays.
    case replaceURL(TaskID, String)
    /// Name and value as at the prompt; checked by ``Settings/parse(_:_:)`` before sending.
    case set(SettingChange)
    /// Takes the images of these URLs out of the memory cache; answered by a snapshot.
    case removeImages(ImageRemoval)
    /// Empties the memory cache; the HTTP cache stays.
    case clearCache
    /// As if memory were short.
    case pressure
    /// Fills the caches, at the lowest level and with few slots; saves no files.
    ///
    /// Of each request count URL, headers, policy, thumbnail, whether its answer may be stored, and tag. Another method than
    /// GET, or a body, is refused, since no cache answers it. A checksum is left out, since what is stored answers no request
    /// that has one; the failed list is respected.
    case prefetch([DownloadRequest])
    /// Takes back what is left of a batch.
    case cancelPrefetch(BatchID)
    /// Which queued rows the snapshots hold; answered by a snapshot at once.
    case watch(QueueWindow)
    /// Reports a warning of the program around the pipeline.
    case warn(code: WarningCode, message: String)
    /// Where the next queued task is that matches the watched filter; answered by a snapshot.
    case find(QueueSearch)
    /// How many URLs would join a live task; answered by a snapshot.
    case probe(URLProbe)
    /// Deletes a file that this session saved, unless somebody changed it since.
    case deleteFile(String)
    /// What the snapshots hold beyond rows; answered by a snapshot at once.
    case inspect(Inspection)
    /// Looks at the images of these tasks while they are loaded: what arrived is decoded now and then.
    case observe([TaskID])
    /// Submits what was asked for before, stops what runs, reports what is left, and ends the loop.
    ///
    /// Where there is a state, parts stay and the next session goes on with the queue. Whoever waits for the outcome of what is left hears that it is cancelled.
    case shutDown
}
