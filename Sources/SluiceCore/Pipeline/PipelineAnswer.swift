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
