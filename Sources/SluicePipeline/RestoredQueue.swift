internal import SluiceCore

/// The requests of earlier sessions that are still to be submitted.
struct RestoredQueue {
    private var requests: [RestoredRequest] = []
    private var next = 0
    /// The one that is being submitted.
    private(set) var current: RestoredRequest?
    /// The task that it is on.
    var task: TaskID?
    /// Whether its next attempt is not due yet.
    var isWaiting = false
    /// Whether it was asked for under other rules of trust than hold now.
    var hasOtherTrust = false
    /// Whether their queue was suspended.
    private let isSuspended: Bool

    init(_ requests: [RestoredRequest] = [], isSuspended: Bool = false) {
        (self.requests, self.isSuspended) = (requests, isSuspended)
    }

    var count: Int { requests.count - next }
    var isEmpty: Bool { next == requests.count }

    /// Why the one that is being submitted does not start; `nil` where it may.
    var whyPaused: Why? {
        guard let current else { return nil }
        let reached = current.mayHaveReachedServer ? current.request.options.method : nil
        if hasOtherTrust { return .restoredUnderOtherTrust(reached: reached) }
        guard current.isPaused else { return isSuspended ? .restoredSuspended : isWaiting ? .restoredWaiting : nil }
        return reached.map { .restoredUnsafe($0) } ?? .restoredPaused
    }

    mutating func begin() -> RestoredRequest? {
        guard next < requests.count else { return nil }
        var request = requests[next]
        // Whoever asked for it once decides whether to ask again.
        if request.mayHaveReachedServer { request.isPaused = true }
        (current, task) = (request, nil)
        next += 1
        if isEmpty { (requests, next) = ([], 0) }
        return current
    }

    mutating func end() { (current, task, isWaiting, hasOtherTrust) = (nil, nil, false, false) }
}
