public import SluiceCore

/// A task that failed and was not tried again since.
public struct FailedTask: Equatable, Sendable {
    /// A retry names it.
    public let task: TaskID
    /// Without credentials; not sanitised.
    public let url: String
    /// Why it failed; its message is what the row says.
    public let error: DownloadError
    /// The merge key as text: requests with one of these are for the same; `nil` where nobody knows it.
    let key: String?
    /// The end of a task that failed.
    public init(task: TaskID, url: String, error: DownloadError, key: String? = nil) {
        (self.task, self.url, self.error, self.key) = (task, url, error, key)
    }
}
