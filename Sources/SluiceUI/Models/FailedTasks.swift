internal import SluiceCore

/// The failed tasks of this session that a retry could help, oldest first.
struct FailedTasks: Sendable {
    /// Older ones are forgotten.
    static let capacity = 10_000

    private(set) var tasks: [FailedTask] = []
    /// Older ones that only count: they can't be named any more.
    private(set) var forgottenCount = 0
    /// With those that are forgotten.
    var count: Int { tasks.count + forgottenCount }
    /// How many tasks have each URL, so that every frame may ask.
    private var urls: [String: Int] = [:]

    /// Adds a failure in place of an earlier one of the same, whose requests are then tried again with it.
    ///
    /// - Returns: The task whose row it takes; `nil` if it is the first.
    @discardableResult
    mutating func add(_ failed: FailedTask) -> TaskID? {
        var task = failed
        var replaced: TaskID?
        if contains(url: task.url), let old = tasks.firstIndex(where: { $0.url == task.url && $0.key == task.key }) {
            let other = tasks.remove(at: old)
            forget(other.url)
            task.follow(other)
            replaced = other.task
        }
        if tasks.count >= Self.capacity {
            for old in tasks.prefix(Self.capacity / 10) { forget(old.url) }
            tasks.removeFirst(Self.capacity / 10)
            forgottenCount += Self.capacity / 10
        }
        tasks.append(task)
        urls[task.url, default: 0] += 1
        return replaced
    }

    /// Takes the failure of a task out, also of one that another of the same has followed.
    ///
    /// - Returns: All tasks that are to be tried again then; none if it is not there.
    @discardableResult
    mutating func remove(_ task: TaskID) -> [TaskID] {
        guard let index = tasks.firstIndex(where: { $0.task == task || $0.earlier.contains(task) }) else { return [] }
        let failed = tasks.remove(at: index)
        forget(failed.url)
        return failed.tasksToRetry
    }

    mutating func remove(urls gone: Set<String>) {
        guard gone.contains(where: { urls.removeValue(forKey: $0) != nil }) else { return }
        for url in gone { urls[url] = nil }
        tasks.removeAll { gone.contains($0.url) }
    }

    /// Takes out what has succeeded by now: other requests for its URL may have failed for another reason.
    ///
    /// - Parameters:
    ///   - url: Of the task that succeeded.
    ///   - key: By which it merged; `nil` if nobody knows, which means each of the URL.
    mutating func settle(_ url: String, key: String?) {
        guard contains(url: url) else { return }
        let count = tasks.count
        tasks.removeAll { $0.url == url && ($0.key == key || $0.key == nil || key == nil) }
        for _ in tasks.count..<count { forget(url) }
    }

    mutating func removeAll() -> [FailedTask] {
        defer { self = FailedTasks() }
        return tasks
    }

    func contains(_ task: TaskID) -> Bool { tasks.contains { $0.task == task || $0.earlier.contains(task) } }

    func contains(url: String) -> Bool { urls[url] != nil }

    private mutating func forget(_ url: String) {
        let count = (urls[url] ?? 1) - 1
        urls[url] = count > 0 ? count : nil
    }
}
