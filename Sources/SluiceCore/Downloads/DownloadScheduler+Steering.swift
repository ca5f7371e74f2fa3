extension DownloadScheduler {
    /// Takes a task out of the queue, off its slot, or out of its wait.
    ///
    /// - Returns: Whether it was not paused already, and the transfer to abort, if it ran.
    public mutating func pause(_ id: TaskID) -> (didChange: Bool, transfer: TransferID?) {
        guard let row = taskIDs[id.rawValue] else { return (false, nil) }
        switch tasks[row].phase {
        case .paused, .answering:
            return (false, nil)
        case .queued:
            leaveQueue(row)
        case .waiting:
            waits.remove(row)
        case .active(let transfer):
            // A detached task has nobody who could resume it.
            guard tasks[row].receiptCount > 0 else { return (false, nil) }
            _ = leaveSlot(id)
            setPaused(row)
            return (true, transfer)
        }
        setPaused(row)
        return (true, nil)
    }

    private mutating func setPaused(_ row: Int32) {
        tasks[row].phase = .paused
        let tasks = tasks
        pausedRows.insert(row) { tasks[$0].id < tasks[$1].id }
    }

    /// Queues a paused task at the front of its priority.
    ///
    /// - Returns: Whether it was paused.
    public mutating func resume(_ id: TaskID) -> Bool {
        guard let row = taskIDs[id.rawValue], tasks[row].phase == .paused else { return false }
        pausedRows.remove(row)
        enqueueAtFront(row)
        return true
    }

    /// Queues a task that waits for its next attempt at the front of its priority, before its time.
    ///
    /// - Returns: Whether it waited.
    public mutating func endWait(_ id: TaskID) -> Bool {
        guard let row = taskIDs[id.rawValue], case .waiting = tasks[row].phase else { return false }
        waits.remove(row)
        enqueueAtFront(row)
        return true
    }

    /// Queues a task that is answering, because the disk has no answer after all.
    public mutating func fetchAfterAll(_ id: TaskID) {
        guard let row = taskIDs[id.rawValue], tasks[row].phase == .answering else { return }
        enqueueAtFront(row)
    }

    /// Moves a queued task before all others, whatever their priorities.
    ///
    /// - Returns: Whether it was not promoted and first already.
    public mutating func promote(_ id: TaskID) -> Bool {
        guard let row = taskIDs[id.rawValue], queue.moveToFront(row) else { return false }
        letGo(row)
        return true
    }

    /// Moves a queued task by places towards the end, or the front if negative, within its priority.
    public mutating func move(_ id: TaskID, by places: Int) -> Bool {
        guard let row = taskIDs[id.rawValue], queue.move(row, by: places) else { return false }
        letGo(row)
        return true
    }

    /// Moves one of several queued tasks by as many places as the others, without passing the one that moved before it:
    /// at the end of their priority they stop as they stand.
    ///
    /// - Parameters:
    ///   - id: The task.
    ///   - places: Towards the end, or the front if negative.
    ///   - former: The one nearer to where they move, if there is one.
    /// - Returns: Whether it moved.
    public mutating func move(_ id: TaskID, by places: Int, behind former: TaskID?) -> Bool {
        var places = places
        if let former, let own = position(of: id), let other = position(of: former) {
            if places < 0, other < own { places = max(places, other + 1 - own) }
            if places > 0, other > own { places = min(places, other - 1 - own) }
        }
        return places != 0 && move(id, by: places)
    }

    /// Moves a queued task behind all others of its priority, also one that was promoted.
    ///
    /// - Returns: Whether it was not there already.
    public mutating func moveToEnd(_ id: TaskID) -> Bool {
        guard let row = taskIDs[id.rawValue], let old = queue.band(of: row) else { return false }
        let band = band(of: row)
        if old == band { return move(id, by: queue.count) }
        leaveQueue(row)
        queue.insert(row, band: band, atFront: false)
        return true
    }

    /// Grows with every change of the queue.
    public var queueVersion: UInt64 { queue.version }

    /// Sets a priority that holds whatever the receipts' are.
    ///
    /// A promoted task goes back to those of its level, also where it has that priority already.
    ///
    /// - Returns: Whether the priority or the level changed.
    public mutating func setPriority(_ id: TaskID, _ priority: Priority) -> Bool {
        guard let row = taskIDs[id.rawValue] else { return false }
        tasks[row].isPriorityFixed = true
        guard tasks[row].priority != priority || queue.band(of: row) == .promoted else { return false }
        change(priorityOf: row, to: priority, evenIfPromoted: true)
        return true
    }

    /// Gives a task the highest priority of its live receipts, unless the user set one.
    mutating func follow(priorityOf row: Int32) {
        guard !tasks[row].isPriorityFixed, tasks[row].receiptCount > 0 else { return }
        let highest = tasks[row].highestPriority
        if tasks[row].priority != highest { change(priorityOf: row, to: highest) }
    }

    /// Puts a raised task behind those of its new level, and one that is lowered, or was promoted, ahead of them.
    ///
    /// A promoted task keeps its place unless the user says otherwise, and so does a prefetch that nobody raised: all of
    /// them are one level.
    private mutating func change(priorityOf row: Int32, to priority: Priority, evenIfPromoted: Bool = false) {
        let isRaised = priority > tasks[row].priority
        tasks[row].priority = priority
        let new = band(of: row)
        if case .active(let transfer) = tasks[row].phase {
            if new == .prefetch { prefetchTransfers.insert(transfer) } else { prefetchTransfers.remove(transfer) }
        }
        guard let old = queue.band(of: row), evenIfPromoted || old != .promoted, old != new else { return }
        leaveQueue(row)
        queue.insert(row, band: new, atFront: !isRaised)
    }

    /// A request that is no prefetch joined a prefetched task: it competes like the others now.
    mutating func leavePrefetchShare(_ row: Int32) {
        if case .active(let transfer) = tasks[row].phase { prefetchTransfers.remove(transfer) }
        guard queue.band(of: row) == .prefetch else { return }
        leaveQueue(row)
        queue.insert(row, band: TaskQueue.Band(tasks[row].priority), atFront: false)
    }

    /// Only prefetches are left.
    mutating func joinPrefetchShare(_ row: Int32) {
        guard self.band(of: row) == .prefetch else { return }
        if case .active(let transfer) = tasks[row].phase { prefetchTransfers.insert(transfer) }
        guard let band = queue.band(of: row), band != .prefetch, band != .promoted else { return }
        leaveQueue(row)
        queue.insert(row, band: .prefetch, atFront: true)
    }
}
