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
        (next, found, self.version) = (1, [], version)
    }

    /// Looks at some more tasks.
    ///
    /// - Returns: Whether what is shown changed.
    mutating func search(_ scheduler: DownloadScheduler, now: Timestamp) -> Bool {
        guard let from = next else { return false }
        let tasks = scheduler.queued(from: from, count: Self.slice)
        let before = matches.count
        for task in tasks where filter.matches(url: task.key.url, name: { Self.name(task.key.url) }) {
            found.append(task.id)
        }
        next = tasks.count < Self.slice ? nil : from + Self.slice
        if next == nil {
            let isChanged = found != matches || !hasBeenComplete
            (matches, found, finished, hasBeenComplete) = (found, [], now, true)
            return isChanged
        }
        if !hasBeenComplete { matches = found }
        return matches.count != before
    }

    private static func name(_ url: String) -> String {
        FileName.choose(disposition: nil, url: url, contentType: nil, isHTML: false).name
    }
}
