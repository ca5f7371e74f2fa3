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
    ///   those around it need ranks anew, by ``rankAnew(around:)``.
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

    /// Gives a queued task and those around it new ranks, as few as it takes for room between all of them.
    ///
    /// - Returns: The tasks whose ranks are new, in their order.
    /// - Complexity: O(n) at worst; O(log n) amortised where tasks are moved one by one.
    public mutating func rankAnew(around id: TaskID) -> [(task: TaskID, rank: Int64)] {
        guard let row = taskIDs[id.rawValue], let band = queue.band(of: row), let position = queue.position(of: row)
        else { return [] }
        var reach = 16
        while true {
            let first = max(1, position - reach - 1)
            let near = queue.rows(from: first, count: position + reach + 2 - first)
            // Where the level goes on behind the reach, its next task keeps its rank.
            let goesOnBefore = position - first == reach + 1 && queue.band(of: near[0]) == band
            let goesOnAfter = first + near.count == position + reach + 2 && near.last.flatMap(queue.band(of:)) == band
            let level = near.filter { queue.band(of: $0) == band }
            let rows = level.dropFirst(goesOnBefore ? 1 : 0).dropLast(goesOnAfter ? 1 : 0)
            let before = goesOnBefore ? level.first.map { tasks[$0].rank } : nil
            let after = goesOnAfter ? level.last.map { tasks[$0].rank } : nil
            if let ranks = Self.ranks(rows.count, between: before, and: after) {
                return zip(rows, ranks).map { row, rank in
                    tasks[row].rank = rank
                    return (tasks[row].id, rank)
                }
            }
            reach *= 2
        }
    }

    /// Ranks between two others, evenly; `nil` if there is not much room.
    private static func ranks(_ count: Int, between before: Int64?, and after: Int64?) -> [Int64]? {
        let (start, gap): (Int64, Int64)
        switch (before, after) {
        case (nil, nil): (start, gap) = (-step, step)
        case (let before?, nil): (start, gap) = (before, step)
        case (nil, let after?): (start, gap) = (after - Int64(count + 1) * step, step)
        case (let before?, let after?):
            (start, gap) = (before, (after - before) / Int64(count + 1))
            guard gap >= 1 << 16 else { return nil }
        }
        return (1...Int64(count)).map { start + $0 * gap }
    }

    /// Gives a task the priority that the user set for it in an earlier session, or for the one whose place it takes.
    ///
    /// - Parameters:
    ///   - id: The task.
    ///   - priority: Holds whatever its receipts' are.
    ///   - atFront: Whether it goes before those of its level, not behind them.
    public mutating func restorePriority(_ id: TaskID, _ priority: Priority, atFront: Bool) {
        guard let row = taskIDs[id.rawValue] else { return }
        (tasks[row].isPriorityFixed, tasks[row].priority) = (true, priority)
        requeue(row, band(of: row), atFront: atFront)
    }

    /// Moves a queued task to the end of the promoted ones, since it stood there in an earlier session, or ran.
    ///
    /// Its priority stays, and counts again once it leaves that place.
    public mutating func restorePromotion(_ id: TaskID) {
        guard let row = taskIDs[id.rawValue] else { return }
        requeue(row, .promoted, atFront: false)
    }

    /// Makes a queued task wait for the attempt that it waited for in an earlier session.
    ///
    /// - Returns: Whether it was queued.
    public mutating func restoreWait(_ id: TaskID, until: Timestamp, delay: Duration) -> Bool {
        guard let row = taskIDs[id.rawValue], tasks[row].phase == .queued else { return false }
        leaveQueue(row)
        tasks[row].phase = .waiting(until: until, delay: delay)
        waits.insert(row, until: until)
        return true
    }

    /// Moves a row to one end of a level, if it is queued; its host may have set it aside where it stood.
    private mutating func requeue(_ row: Int32, _ band: TaskQueue.Band, atFront: Bool) {
        guard queue.contains(row) else { return }
        leaveQueue(row)
        queue.insert(row, band: band, atFront: atFront)
    }
}
