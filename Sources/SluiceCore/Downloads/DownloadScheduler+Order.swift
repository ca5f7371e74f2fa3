/// Where tasks stand, in a form that can be kept: each has a rank that grows along its level.
extension DownloadScheduler {
    /// Between the ranks of two tasks that were queued one behind the other.
    private static let step: Int64 = 1 << 32

    /// The level of a queued task.
    public func band(of id: TaskID) -> TaskQueue.Band? { taskIDs[id.rawValue].flatMap { queue.band(of: $0) } }

    /// Whether the user set the priority of a task.
    public func isPriorityFixed(_ id: TaskID) -> Bool { task(id)?.isPriorityFixed ?? false }

    /// Gives a queued task a rank between its neighbours'.
    ///
    /// - Returns: `nil` if it is not queued, or there is no number left between them: then all
    ///   tasks of the level need ranks anew, by ``rankAnew(_:)``.
    /// - Complexity: O(log n)
    public mutating func rank(_ id: TaskID) -> Int64? {
        guard let row = taskIDs[id.rawValue], let band = queue.band(of: row), let position = queue.position(of: row)
        else { return nil }
        let rows = queue.rows(from: max(1, position - 1), count: position == 1 ? 2 : 3)
        func rank(at index: Int) -> Int64? {
            guard rows.indices.contains(index), queue.band(of: rows[index]) == band else { return nil }
            return tasks[rows[index]].rank
        }
        let before = position == 1 ? nil : rank(at: 0)
        let after = rank(at: position == 1 ? 1 : 2)
        let found: Int64
        switch (before, after) {
        case (nil, nil): found = 0
        case (let before?, nil): found = before + Self.step
        case (nil, let after?): found = after - Self.step
        case (let before?, let after?):
            guard after - before > 1 else { return nil }
            found = before + (after - before) / 2
        }
        tasks[row].rank = found
        return found
    }

    /// Gives all tasks of a level new ranks, far apart.
    ///
    /// - Returns: The tasks in their order.
    /// - Complexity: O(n)
    public mutating func rankAnew(_ band: TaskQueue.Band) -> [(task: TaskID, rank: Int64)] {
        var ranked: [(task: TaskID, rank: Int64)] = []
        for row in queue.rows(from: 1, count: queue.count) where queue.band(of: row) == band {
            tasks[row].rank = Int64(ranked.count) * Self.step
            ranked.append((tasks[row].id, tasks[row].rank))
        }
        return ranked
    }

    /// Gives a task the priority that the user set in an earlier session, at the end of its level.
    public mutating func restorePriority(_ id: TaskID, _ priority: Priority) {
        guard let row = taskIDs[id.rawValue] else { return }
        (tasks[row].isPriorityFixed, tasks[row].priority) = (true, priority)
        requeue(row, band(of: row))
    }

    /// Moves a queued task to the end of the promoted ones, as it stood in an earlier session.
    public mutating func restorePromotion(_ id: TaskID) {
        guard let row = taskIDs[id.rawValue] else { return }
        requeue(row, .promoted)
    }

    /// Moves a row to the end of a level, if it is queued; its host may have set it aside where it stood.
    private mutating func requeue(_ row: Int32, _ band: TaskQueue.Band) {
        guard queue.contains(row) else { return }
        leaveQueue(row)
        queue.insert(row, band: band, atFront: false)
    }
}
