/// A queued task and where it stands.
public struct QueuedTask: Equatable, Sendable {
    /// By which programs ask for more of it.
    public var task: TaskID
    /// Without credentials.
    public var url: String
    /// From 1 = next.
    public var position: Int
    /// Of the task, a user's choice included.
    public var priority: Priority
    /// Live ones; at least 1.
    public var receipts: Int

    /// A task of the scheduler's, at a position that the caller counted, with the URL that it was asked for first.
    public init(_ task: DownloadTask, url: String, position: Int) {
        (self.task, self.url, self.position) = (task.id, url, position)
        (priority, receipts) = (task.priority, Int(task.receiptCount))
    }
}
