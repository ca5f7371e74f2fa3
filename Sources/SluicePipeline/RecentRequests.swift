internal import SluiceCore

/// The requests of the tasks that failed last, so that they can be tried again.
struct RecentRequests {
    private static let limit = 10_000
    private var requests: [TaskID: (DownloadRequest, Credentials?)] = [:]
    private var order: ContiguousArray<TaskID> = []
    private var head = 0

    /// - Parameters:
    ///   - request: As it was submitted, but for the credentials in its URL.
    ///   - credentials: What stood in its URL.
    ///   - task: The task that failed.
    mutating func add(_ request: DownloadRequest, _ credentials: Credentials?, task: TaskID) {
        requests[task] = (request, credentials)
        order.append(task)
        while order.count - head > Self.limit {
            requests[order[head]] = nil
            head += 1
        }
        if head > Self.limit {
            order.removeFirst(head)
            head = 0
        }
    }

    mutating func take(_ task: TaskID) -> (DownloadRequest, Credentials?)? { requests.removeValue(forKey: task) }
}
