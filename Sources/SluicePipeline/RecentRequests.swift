internal import SluiceCore

/// The requests of the tasks that failed last, so that they can be tried again.
struct RecentRequests {
    struct Failure {
        let key: MergeKey
        /// As it was submitted, but for the credentials in its URL.
        var request: DownloadRequest
        /// What stood in its URL.
        let credentials: Credentials?
    }

    private static let limit = 10_000
    private var failures: [TaskID: Failure] = [:]
    /// The last task of each key.
    private var tasks: [String: TaskID] = [:]
    private var order = Queue<TaskID>()

    mutating func add(_ failure: Failure, task: TaskID) {
        failures[task] = failure
        tasks[failure.key.text] = task
        order.append(task)
        if order.count > Self.limit, let oldest = order.popFirst() { _ = take(oldest) }
    }

    mutating func take(_ task: TaskID) -> Failure? {
        guard let failure = failures.removeValue(forKey: task) else { return nil }
        if tasks[failure.key.text] == task { tasks[failure.key.text] = nil }
        return failure
    }

    /// Takes the last failure of a key, as the failed list names it.
    mutating func take(key: String) -> Failure? { tasks[key].flatMap { take($0) } }
}
