internal import SluiceCore

/// What is told to the listeners.
extension ImagePipeline {
    /// Makes and reports an event, if a listener or the journal of tasks wants it.
    func emit(_ kind: EventInterest, _ make: () -> PipelineEvent.Kind) {
        guard !interest.isDisjoint(with: kind) else {
            if callers.tracked != nil { track(make()) }
            return
        }
        lastSeq += 1
        if kind == .progress { snapshots.hasProgressed = true } else { snapshots.isDirty = true }
        let event = PipelineEvent(seq: lastSeq, t: now - start.time, kind: make())
        if callers.tracked != nil { track(event.kind) }
        note(event)
        if journal.mustHold { acknowledge(.event(event, kind)) } else { deliver(event, kind) }
    }

    func deliver(_ event: PipelineEvent, _ kind: EventInterest) {
        for listener in listeners where !listener.interest.isDisjoint(with: kind) { listener.hear(event) }
    }

    /// What a task was asked for first: its key may leave out a part of that.
    func url(of task: DownloadTask) -> String { notebook.target(of: task.id).url ?? task.key.url }

    /// The end of a task of so many receipts, `nil` for all, as far as its outcome says; the rest is set where it is known.
    func end(of task: DownloadTask, _ outcome: Outcome, receipts: Int? = nil) -> TaskEnd {
        let receipts = receipts ?? Int(task.receiptCount)
        var end = TaskEnd(task: task.id, url: url(of: task), outcome: outcome, receipts: receipts)
        end.key = task.key.text
        return end
    }

    func wants(_ kind: EventInterest) -> Bool { interest.contains(kind) }

    func changed(
        _ id: TaskID,
        _ phase: TaskChange.Phase,
        reason: Why? = nil,
        until: Timestamp? = nil,
        delay: Duration? = nil
    ) {
        snapshots.isDirty = true
        switch phase {
        case .queued, .moved, .suspended, .waiting: keepPlace(of: id)
        case .started, .resumed: keepSlot(of: id)
        default: break
        }
        guard wants(.tasks), let task = scheduler.task(id) else { return }
        emit(.tasks) {
            var change = TaskChange(
                phase: phase,
                task: id,
                url: url(of: task),
                attempt: Int(task.failedAttempts) + 1,
                active: scheduler.runningCount,
                queued: scheduler.queuedCount
            )
            if phase == .queued || phase == .moved { change.position = scheduler.position(of: id) }
            (change.reason, change.until, change.delay) = (reason, until, delay)
            return .taskChanged(change)
        }
    }

    func warn(_ code: WarningCode, _ message: String, task: TaskID?) {
        emit(.session) { .warning(code: code, message: message, task: task) }
    }

    func report(_ change: ActivityIndicator.Change?) {
        guard let change else { return }
        snapshots.mustPublish = true
        let tasks = indicator.count
        emit(.session) { .indicatorChanged(from: change.from, to: change.to, tasks: tasks) }
    }
}
