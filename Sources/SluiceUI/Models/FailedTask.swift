public import SluiceCore

/// A task that failed and was not tried again since.
public struct FailedTask: Equatable, Sendable {
    /// A retry names it.
    public let task: TaskID
    /// Without credentials; not sanitised.
    public let url: String
    /// Why it failed; its message is what the row says.
    public let error: DownloadError
    /// The end of a task that failed.
    public init(task: TaskID, url: String, error: DownloadError) {
        (self.task, self.url, self.error) = (task, url, error)
    }
}
