internal import SluiceCore

/// The queued tasks that match a filter, found in slices so that a long queue never holds up a transfer or a key.
///
/// Found once, and again whenever the queue changed, at most every ``pause``; what left the
/// queue meanwhile is left out when rows are asked for.
struct QueueListing {
    /// Rows looked at in one turn of the loop.
    static let slice = 2_048
    /// Between two searches of a queue that changes all the time.
    static let pause: Duration = .milliseconds(250)

    let filter: ListFilter
    /// In the order of the queue; while the first search is under way, what was found so far.
    private(set) var matches: [TaskID] = []
    private var found: [TaskID] = []
    /// The next position to look at; `nil` once the end was reached.
    private var next: Int? = 1
    /// What was looked at last, in the order of the queue: it may have moved when the next slice begins.
    private var looked: [TaskID] = []
    private var version: UInt64
    private var hasBeenComplete = false
    private var finished: Timestamp?

    init(_ filter: ListFilter, version: UInt64) { (self.filter, self.version) = (filter, version) }

    var isSearching: Bool { next != nil }
    /// Whether every task was looked at once at least.
    var isComplete: Bool { hasBeenComplete }

    /// When a search is due, if the queue is not any more what it was.
    func deadline(version: UInt64) -> Timestamp? {
        next == nil && version != self.version ? finished.map { $0 + Self.pause } : nil
    }

    /// Starts again if that is due.
    mutating func renew(version: UInt64, now: Timestamp) {
        guard let deadline = deadline(version: version), deadline <= now else { return }
        (next, found, looked, self.version) = (1, [], [], version)
    }

    /// Looks at some more tasks.
    ///
    /// - Returns: Whether what is shown changed.
    mutating func search(_ scheduler: DownloadScheduler, now: Timestamp) -> Bool {
        guard let from = self.from(scheduler) else { return false }
        let tasks = scheduler.queued(from: from, count: Self.slice)
        let before = matches.count
        for task in tasks where filter.matches(url: task.key.url, name: { FileName.listed(for: task.key.url) }) {
            found.append(task.id)
        }
        (next, looked) = (tasks.count < Self.slice ? nil : from + Self.slice, tasks.map(\.id))
        if next == nil {
            let isChanged = found != matches || !hasBeenComplete
            (matches, found, looked, finished, hasBeenComplete) = (found, [], [], now, true)
            return isChanged
        }
        if !hasBeenComplete { matches = found }
        return matches.count != before
    }

    /// Where the next slice begins: behind what was looked at last and still has its place, since all others
    /// move towards the front with each task that leaves the queue.
    private mutating func from(_ scheduler: DownloadScheduler) -> Int? {
        guard let next, !looked.isEmpty else { return self.next }
        for task in looked.reversed() {
            // One that was sent to the front or to the end tells nothing.
            guard let position = scheduler.position(of: task), abs(position + 1 - next) <= Self.slice else { continue }
            return position + 1
        }
        // A whole slice has left: what was in front of it is not where it was either.
        found = []
        return 1
    }
}
