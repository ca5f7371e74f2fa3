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
    /// Tasks of the same that failed before it, the oldest first: what they were to do is tried again with it.
    var earlier: [TaskID] = []
    /// How many of those are known.
    private static let earlierLimit = 100

    /// The end of a task that failed.
    public init(task: TaskID, url: String, error: DownloadError, key: String? = nil) {
        (self.task, self.url, self.error, self.key) = (task, url, error, key)
    }

    /// Itself and those before it, in order.
    var tasksToRetry: [TaskID] { earlier + [task] }

    /// Takes the place of a failure of the same.
    mutating func follow(_ other: FailedTask) { earlier = Array(other.tasksToRetry.suffix(Self.earlierLimit)) }
}
