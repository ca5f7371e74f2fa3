internal import SluiceCore

/// The requests of the tasks that failed last, so that they can be tried again.
struct RecentRequests {
    struct Failure {
        let key: MergeKey
        /// As they were submitted, in that order, but for the credentials in their URL; never empty.
        var requests: [DownloadRequest]
        /// What stood in their URL.
        let credentials: Credentials?
    }

    /// Requests that are remembered; those of the newest task are in any case.
    private static let limit = 10_000
    private var failures: [TaskID: Failure] = [:]
    /// The last task of each key.
    private var tasks: [String: TaskID] = [:]
    private var order = Queue<(task: TaskID, count: Int)>()
    /// Requests of all tasks in ``order``, of those too that were taken since.
    private var count = 0

    mutating func add(_ failure: Failure, task: TaskID) {
        failures[task] = failure
        tasks[failure.key.text] = task
        order.append((task, failure.requests.count))
        count += failure.requests.count
        while count > Self.limit, order.count > 1, let oldest = order.popFirst() {
            count -= oldest.count
            _ = take(oldest.task)
        }
    }

    mutating func take(_ task: TaskID) -> Failure? {
        guard let failure = failures.removeValue(forKey: task) else { return nil }
        if tasks[failure.key.text] == task { tasks[failure.key.text] = nil }
        return failure
    }

    /// Takes the last failure of a key, as the failed list names it.
    mutating func take(key: String) -> Failure? { tasks[key].flatMap { take($0) } }
}
