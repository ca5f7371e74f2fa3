/// The order of the queue, as the positions in events say it.
///
/// Every step costs O(log n). Small in memory, since copies of it are kept.
struct ReplayQueue: Sendable {
    private var forest = RowForest(trees: 1)
    /// The task of each row; rows that are free stand in ``free``.
    private var owners: ContiguousArray<TaskID> = []
    private var free: [Int32] = []
    /// Grows with every change.
    private(set) var version = 0
    /// The tasks that match the filter that was asked for last, and when that was true.
    private var listing: (filter: ListFilter, version: Int, matches: [TaskID])?

    var count: Int { forest.count(inTree: 0) }

    /// Adds a task.
    ///
    /// - Parameters:
    ///   - task: Not queued.
    ///   - position: From 1; what is out of range, or `nil`, is the end.
    /// - Returns: Its row.
    mutating func insert(_ task: TaskID, at position: Int?) -> Int32 {
        version += 1
        let row: Int32
        if let last = free.popLast() {
            row = last
            owners[Int(row)] = task
        } else {
            row = Int32(owners.count)
            owners.append(task)
        }
        let end = count
        forest.attach(row, tree: 0, place: min(max(0, (position ?? Int.max) - 1), end))
        return row
    }

    mutating func remove(_ row: Int32) {
        guard forest.contains(row) else { return }
        version += 1
        forest.detach(row)
        free.append(row)
    }

    /// From 1.
    func position(of row: Int32) -> Int? { forest.contains(row) ? forest.place(of: row).place + 1 : nil }

    /// The tasks at consecutive positions, the first of them at `position`, from 1.
    func tasks(from position: Int, count: Int) -> [TaskID] {
        guard count > 0, position >= 1, position <= self.count else { return [] }
        var row = forest.row(at: position - 1, inTree: 0)
        var tasks = [owners[Int(row)]]
        while tasks.count < count, let next = forest.row(after: row).row {
            tasks.append(owners[Int(next)])
            row = next
        }
        return tasks
    }

    /// All tasks that match, in order; looked for again only when the queue has changed.
    mutating func matches(_ filter: ListFilter, url: (TaskID) -> String) -> [TaskID] {
        if let listing, listing.filter == filter, listing.version == version { return listing.matches }
        let matches = tasks(from: 1, count: count).filter { task in
            let url = url(task)
            return filter.matches(url: url) { FileName.listed(for: url) }
        }
        listing = (filter, version, matches)
        return matches
    }
}
