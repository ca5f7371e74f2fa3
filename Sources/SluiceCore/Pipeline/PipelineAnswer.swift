/// What a query came to.
public enum PipelineAnswer: Sendable {
    /// One for each request, in order.
    case submissions([Submission])
    /// Whether the query changed anything.
    case changed(Bool)
    /// How many tasks it changed.
    case tasks(Int)
    /// Both are equal where nothing changed.
    case setting(name: String, from: SettingValue, to: SettingValue)
    /// Whom requests trust that are submitted now.
    case trust(TrustBook)
    /// What held for exactly the pattern before and after; `nil` where nothing was said of it.
    case trustChanged(from: TrustPolicy?, to: TrustPolicy?)
    /// Nothing changed; the policy is invalid.
    case trustRefused(TrustError)
    /// True as a whole: nothing came in between.
    case state(PipelineState)
    /// Those of the range asked for; fewer where the queue ends.
    case queue([QueuedTask])
    /// Of a live task, or of one of the last that ended.
    case task(TaskReport)
    /// Most recently accessed first.
    case cachedImages([CachedImage])
    /// Entries that went, and their bytes.
    case purged(removed: Int, freed: Int)
    /// The number by which a prefetch is taken back.
    case batch(BatchID)
    /// There is nothing to tell but the number of the last event.
    case done
    /// There never was such a task, or it ended too long ago to be remembered; without `keepsJournal`, it ended.
    case unknownTask(TaskID)
    /// There never was such a receipt.
    case unknownReceipt(ReceiptID)
    /// Nothing changed; the name or the value is not allowed.
    case refused(SettingError)
    /// The pipeline ends and answers nothing any more.
    case shuttingDown
}
