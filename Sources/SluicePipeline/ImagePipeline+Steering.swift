internal import SluiceCore

/// What the user does to one task, or to many at once.
extension ImagePipeline {
    /// Tasks that are steered in one turn.
    private static let slice = 128

    /// Does one thing to what was selected: to a single task at once, to several behind what was asked for before.
    func steer(_ steering: TaskSteering, _ selection: TaskSelection) {
        switch selection {
        case .task(let task): _ = steer(task, steering)
        case .tasks, .queued: self.steering.append(steering, resolved(selection))
        }
    }

    /// Does one thing to one task.
    ///
    /// - Parameters:
    ///   - id: Live, or one that failed or was aborted where that is tried again.
    ///   - steering: What.
    ///   - former: What it may not overtake where it is moved.
    ///   - asker: Where a request of whoever steers comes from: a person's by default.
    /// - Returns: Whether it changed anything.
    func steer(
        _ id: TaskID,
        _ steering: TaskSteering,
        behind former: TaskID? = nil,
        by asker: DownloadRequest.Source = .prompt
    ) -> Bool {
        switch steering {
        case .abort: return abort(id)
        case .pause: return pause(id)
        case .resume: return resume(id)
        case .retry: return retry(id, by: asker)
        case .setRate(let rate): return setRate(rate, of: id)
        case .promote:
            guard scheduler.promote(id) else { return false }
            changed(id, .moved, reason: .promoted)
        case .toEnd:
            guard scheduler.moveToEnd(id) else { return false }
            changed(id, .moved, reason: .movedToEnd)
        case .move(let places):
            let before = scheduler.position(of: id)
            guard scheduler.move(id, by: places, behind: former), let before, let after = scheduler.position(of: id)
            else { return false }
            // It may have come to the end of its priority before.
            changed(id, .moved, reason: .movedByUser(by: after - before))
        case .setPriority(let priority):
            let isQueued = scheduler.position(of: id) != nil
            let hasChanged = scheduler.setPriority(id, priority)
            if hasChanged, isQueued {
                changed(id, .moved, reason: .priorityChanged(priority))
            } else {
                // It holds from now on, where it was the same by its receipts too.
                keepPlace(of: id)
            }
            return hasChanged
        }
        return true
    }

    /// Does the next of what was asked for many tasks.
    func serveSteering() {
        if steering.isEmpty || phase == .ending || phase == .ended { return }
        for step in steering.next(atMost: Self.slice) { _ = steer(step.task, step.steering, behind: step.former) }
        if steering.isEmpty { snapshots.mustPublish = true }
    }

    /// Whom a selection means now, in the order in which they wait.
    private func resolved(_ selection: TaskSelection) -> [TaskID] {
        switch selection {
        case .task(let task):
            return [task]
        case .tasks(let tasks):
            // They keep the order in which they wait, whatever they were selected in.
            let places = tasks.map { (task: $0, position: scheduler.position(of: $0) ?? .max) }
            return places.sorted { $0.position < $1.position }.map(\.task)
        case .queued(let filter, let ends):
            var range = 1...max(1, scheduler.queuedCount)
            if let ends {
                guard let first = scheduler.position(of: ends.first), let last = scheduler.position(of: ends.last)
                else {
                    return [ends.first, ends.last]
                }
                range = min(first, last)...max(first, last)
            }
            let tasks = scheduler.queued(from: range.lowerBound, count: range.count)
            return tasks.filter { task in
                filter.matches(url: task.key.url) { FileName.listed(for: task.key.url) }
            }.map(\.id)
        }
    }
}
