/// A queued task and where it stands.
public struct QueuedTask: Equatable, Sendable {
    public var task: TaskID
    /// Without credentials.
    public var url: String
    /// From 1 = next.
    public var position: Int
    public var priority: Priority
    public var receipts: Int

    public init(_ task: DownloadTask, position: Int) {
        (self.task, url, self.position) = (task.id, task.key.url, position)
        (priority, receipts) = (task.priority, Int(task.receiptCount))
    }
}
