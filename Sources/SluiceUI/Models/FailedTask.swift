public import SluiceCore

/// A task that failed and was not tried again since.
public struct FailedTask: Equatable, Sendable {
    public let task: TaskID
    /// Without credentials; not sanitised.
    public let url: String
    public let error: DownloadError
    public init(task: TaskID, url: String, error: DownloadError) {
        (self.task, self.url, self.error) = (task, url, error)
    }
}

/// The failed tasks of this session that a retry could help, oldest first.
struct FailedList: Sendable {
    /// Older ones are forgotten.
    static let capacity = 10_000

    private(set) var tasks: [FailedTask] = []

    mutating func add(_ task: FailedTask) {
        if tasks.count >= Self.capacity { tasks.removeFirst(Self.capacity / 10) }
        tasks.append(task)
    }

    /// - Returns: Whether it was there.
    @discardableResult
    mutating func remove(_ task: TaskID) -> Bool {
        guard let index = tasks.firstIndex(where: { $0.task == task }) else { return false }
        tasks.remove(at: index)
        return true
    }

    mutating func remove(url: String) {
        guard !tasks.isEmpty else { return }
        tasks.removeAll { $0.url == url }
    }

    mutating func removeAll() -> [FailedTask] {
        defer { tasks = [] }
        return tasks
    }

    func contains(_ task: TaskID) -> Bool { tasks.contains { $0.task == task } }
}
