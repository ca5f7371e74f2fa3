internal import SluiceCore

/// The requests of earlier sessions that are still to be submitted.
struct RestoredQueue {
    private var requests: [RestoredRequest] = []
    private var next = 0
    /// The one that is being submitted.
    private(set) var current: RestoredRequest?
    /// The task that it is on.
    var task: TaskID?

    init(_ requests: [RestoredRequest] = []) { self.requests = requests }

    var count: Int { requests.count - next }
    var isEmpty: Bool { next == requests.count }

    mutating func begin() -> RestoredRequest? {
        guard next < requests.count else { return nil }
        (current, task) = (requests[next], nil)
        next += 1
        if isEmpty { (requests, next) = ([], 0) }
        return current
    }

    mutating func end() { (current, task) = (nil, nil) }
}
