/// What is live, and where it stands; none of it changes anything.
extension DownloadScheduler {
    /// A live task; `nil` if there never was one of that number, or it is over.
    ///
    /// - Complexity: O(1)
    public func task(_ id: TaskID) -> DownloadTask? { taskIDs[id.rawValue].map { tasks[$0] } }

    /// The task that a request with this key joins, whatever its phase; `nil` if it would be a new one.
    ///
    /// - Complexity: O(1)
    public func liveTask(for key: MergeKey) -> DownloadTask? { row(of: key).map { tasks[$0] } }

    /// In order of submission.
    public func receipts(of id: TaskID) -> [Receipt] {
        guard let row = taskIDs[id.rawValue] else { return [] }
        var found: [Receipt] = []
        found.reserveCapacity(Int(tasks[row].receiptCount))
        var next = tasks[row].firstReceipt
        while next >= 0 {
            found.append(receipts[next].receipt)
            next = receipts[next].next
        }
        return found
    }

    /// Live receipts that no next session goes on with, in order of submission.
    ///
    /// - Complexity: O(1) where there are none, else O(n log n) for n live receipts, and O(n) for those of a
    ///   peak whose rows are not given back yet.
    public var passingReceipts: [ReceiptID] {
        if keptReceiptCount == liveReceiptCount { return [] }
        return receipts.all.filter { !$0.receipt.source.isKept }.map(\.receipt.id).sorted()
    }

    /// Whether a receipt still waits for its task's outcome.
    ///
    /// - Complexity: O(1)
    public func isLive(_ receipt: ReceiptID) -> Bool { receiptIDs[receipt.rawValue] != nil }

    /// Whether a task has such a receipt, without making a list.
    public func hasReceipt(of id: TaskID, where isMeant: (Receipt) -> Bool) -> Bool {
        guard let row = taskIDs[id.rawValue] else { return false }
        var next = tasks[row].firstReceipt
        while next >= 0 {
            if isMeant(receipts[next].receipt) { return true }
            next = receipts[next].next
        }
        return false
    }

    /// A task with the receipt that was submitted first.
    ///
    /// - Precondition: It is live and has a receipt, as what ``startNext()`` names.
    public func taskAndFirstReceipt(_ id: TaskID) -> (task: DownloadTask, receipt: Receipt) {
        guard let row = taskIDs[id.rawValue], tasks[row].firstReceipt >= 0 else {
            preconditionFailure("a task that starts has a receipt")
        }
        return (tasks[row], receipts[tasks[row].firstReceipt].receipt)
    }

    /// The receipt that was submitted first, without making a list.
    public func firstReceipt(of id: TaskID) -> Receipt? {
        guard let row = taskIDs[id.rawValue], tasks[row].firstReceipt >= 0 else { return nil }
        return receipts[tasks[row].firstReceipt].receipt
    }

    /// The receipt that was submitted last.
    public func newestReceipt(of id: TaskID) -> ReceiptID? {
        guard let row = taskIDs[id.rawValue], tasks[row].lastReceipt >= 0 else { return nil }
        return receipts[tasks[row].lastReceipt].receipt.id
    }

    /// From 1 over all priorities; `nil` unless it is queued.
    public func position(of id: TaskID) -> Int? { taskIDs[id.rawValue].flatMap { queue.position(of: $0) } }

    /// The queue from a position on, over all priorities.
    ///
    /// - Parameters:
    ///   - position: From 1 = next.
    ///   - count: At most so many.
    /// - Returns: Fewer where the queue ends.
    /// - Complexity: O(log n + count)
    public func queued(from position: Int, count: Int) -> [DownloadTask] {
        queue.rows(from: position, count: count).map { tasks[$0] }
    }

    /// In order of their start.
    public var active: [DownloadTask] { activeRows.map { tasks[$0] } }

    /// Soonest first.
    ///
    /// - Complexity: O(`count`²); O(n log n) for all.
    public func waiting(atMost count: Int) -> [DownloadTask] { waits.sorted(atMost: count).map { tasks[$0] } }

    /// In order of their creation.
    ///
    /// - Complexity: O(log n) for each.
    public func paused(atMost count: Int) -> [DownloadTask] {
        pausedRows.first(count).map { tasks[$0] }
    }

    /// In order of their creation.
    ///
    /// - Complexity: O(n) for the live tasks and those of a peak whose rows are not given back yet; O(m log m) for the m
    ///   that are found.
    public var answering: [DownloadTask] {
        tasks.all.filter { $0.phase == .answering }.sorted { $0.id < $1.id }
    }

    /// Every live task, in no order.
    ///
    /// - Complexity: O(n) for the live tasks and those of a peak whose rows are not given back yet.
    public var live: [TaskID] { tasks.all.map(\.id) }
}
