/// The cap on the slots of one host.
///
/// A task whose host is full when its turn comes keeps its place and its position, and is
/// passed over until the host gives a slot back.
extension DownloadScheduler {
    /// Slots of one host; 0 means no limit.
    public var maxPerHost: Int { hostShares.limit }

    /// Raising it lets as many go on as have room now; lowering lets started transfers end.
    ///
    /// - Precondition: `limit` is not negative.
    /// - Complexity: O(n) for n hosts, and O(log n) for each that goes on.
    public mutating func setMaxPerHost(_ limit: Int) {
        precondition(limit >= 0, "a limit must not be negative")
        hostShares.limit = limit
        // Without a limit nobody looks at who was passed over.
        guard limit > 0 else { return }
        for row in hostShares.allWithRoom() { letGo(row) }
    }

    /// Whether a queued task was passed over because its host is full.
    public func isHostFull(_ id: TaskID) -> Bool {
        maxPerHost > 0 && taskIDs[id.rawValue].map { hostShares.isAside($0) } ?? false
    }

    /// The queued row that is looked at next.
    var nextRow: Int32? { hostShares.limit > 0 ? queue.firstReady : queue.first }

    /// Takes the first task that may start out of the queue, setting aside those before it whose hosts are full.
    ///
    /// - Returns: The task, and the level at which it stood.
    mutating func takeFirst() -> (row: Int32, band: TaskQueue.Band?)? {
        while canStart, let row = nextRow {
            let host = hostShares.limit > 0 ? host(of: row) : ""
            guard hostShares.isFull(host) else {
                let band = queue.band(of: row)
                _ = queue.remove(row)
                hostShares.letGo(row)
                return (row, band)
            }
            queue.setReady(row, false)
            let queue = queue
            hostShares.setAside(row, host: host) { one, other in
                (queue.position(of: one) ?? 0) < (queue.position(of: other) ?? 0)
            }
        }
        return nil
    }

    /// Takes a row out of the queue; if its host had room that it meant to use, another of the host may.
    mutating func leaveQueue(_ row: Int32) {
        guard queue.remove(row) else { return }
        guard hostShares.asideCount > 0 else { return }
        hostShares.letGo(row)
        if let next = hostShares.firstWithRoom(host: host(of: row)) { letGo(next) }
    }

    /// Lets a row that was passed over go on as others do.
    mutating func letGo(_ row: Int32) {
        hostShares.letGo(row)
        queue.setReady(row, true)
    }

    func host(of row: Int32) -> String { RequestURL.host(ofNormal: tasks[row].key.url) }
}
