/// What a user, or a program that uses the library, asks of the pipeline.
///
/// Commands are values that are queued without blocking and applied in the order sent,
/// except that steering may overtake what is left of a list that is still being
/// submitted: it can only name tasks that exist already.
public enum PipelineCommand: Sendable {
    /// In order; each gets its own `request.submitted` event.
    case submit([DownloadRequest])
    case cancel(ReceiptID)
    /// Aborts every live task; applied after all submissions sent before it.
    case cancelAll
    case abort(TaskID)
    case pause(TaskID)
    case resume(TaskID)
    case pauseAll
    case resumeAll
    /// Before all other queued tasks.
    case promote(TaskID)
    /// By places towards the end, negative towards the front; within its priority.
    case move(TaskID, by: Int)
    case setPriority(TaskID, Priority)
    /// Submits the request of an ended task again, whatever the failed list says.
    case retry(TaskID)
    /// Name and value as at the prompt; checked by ``Settings/parse(_:_:)`` before sending.
    case set(SettingChange)
    case removeCached(CacheKey)
    case clearCache
    /// As if memory were short.
    case pressure
    case prefetch([DownloadRequest])
    case cancelPrefetch(BatchID)
    /// Which queued rows the snapshots hold; answered by a snapshot at once.
    case watch(QueueWindow)
    /// Aborts what runs, reports what is left, and ends the loop.
    case shutDown
}

/// A range of queue positions that is on screen.
public struct QueueWindow: Equatable, Sendable {
    /// Position of the first row, from 1.
    public var from: Int
    /// Rows. `0...1000`
    public var count: Int
    public init(from: Int, count: Int) { (self.from, self.count) = (from, count) }
}

/// A new value for one setting, already checked.
public struct SettingChange: Equatable, Sendable {
    public let name: String
    public let value: SettingValue
    public init(name: String, value: SettingValue) { (self.name, self.value) = (name, value) }
}
