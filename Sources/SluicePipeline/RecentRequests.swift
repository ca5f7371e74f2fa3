internal import SluiceCore

/// The requests of the tasks that failed or were aborted last, so that they can be tried again.
struct RecentRequests {
    struct Ended {
        let key: MergeKey
        /// As they were submitted, in that order, but for the credentials in their URL; never empty.
        var requests: [DownloadRequest]
        /// What stood in their URL.
        let credentials: Credentials?
        var standing = TaskStanding()
    }

    /// Requests that are remembered; those of the newest task are in any case.
    static let limit = 10_000
    /// Bytes of bodies to send that are remembered, those of the newest task in any case.
    static let byteLimit = 16_777_216
    private var all: [TaskID: Ended] = [:]
    /// The last task of each key.
    private var tasks: [String: TaskID] = [:]
    private var order = Queue<(task: TaskID, count: Int, bytes: Int)>()
    /// Requests of all tasks in ``order``, of those too that were taken since, and the bytes of their bodies.
    private var (count, bytes) = (0, 0)

    mutating func add(_ ended: Ended, task: TaskID) {
        all[task] = ended
        tasks[ended.key.text] = task
        let size = ended.requests.reduce(0) { $0 + ($1.options.body?.count ?? 0) }
        order.append((task, ended.requests.count, size))
        (count, bytes) = (count + ended.requests.count, bytes + size)
        while count > Self.limit || bytes > Self.byteLimit, order.count > 1, let oldest = order.popFirst() {
            (count, bytes) = (count - oldest.count, bytes - oldest.bytes)
            _ = take(oldest.task)
        }
    }

    mutating func take(_ task: TaskID) -> Ended? {
        guard let ended = all.removeValue(forKey: task) else { return nil }
        if tasks[ended.key.text] == task { tasks[ended.key.text] = nil }
        return ended
    }

    /// Takes the last one of a key, as the failed list names it.
    mutating func take(key: String) -> Ended? { tasks[key].flatMap { take($0) } }
}

/// What can be tried again.
///
/// What was aborted is kept apart: where that is much, it must not push out what failed.
struct RetryableRequests {
    var failed = RecentRequests()
    var aborted = RecentRequests()

    mutating func take(_ task: TaskID) -> RecentRequests.Ended? { failed.take(task) ?? aborted.take(task) }
}
