internal import SluiceCore

/// News of the pipeline.
extension AppReducer {
    static func take(_ snapshot: PipelineSnapshot, _ state: inout AppState, _ change: inout Change) {
        let old = state.snapshot
        let isFirst = !state.hasSnapshot
        let ranges = rowsOfRanges(state)
        state.snapshot = snapshot
        state.hasSnapshot = true
        if snapshot.indicator.state != old.indicator.state {
            change.draw(.urgent)
        } else if snapshot.probe != old.probe || snapshot.found != old.found
            || snapshot.removal != old.removal || snapshot.queuedMatches != old.queuedMatches
        {
            // Somebody types, and waits for it.
            change.draw(.urgent)
        } else if isFirst || !snapshot.looks(like: old) {
            change.draw(.data)
        }
        slideRanges(from: ranges, &state)
        settle(&state)
        if state.replay != nil { return }
        sample(snapshot, old, at: snapshot.time, &state)
        if snapshot.received > state.spinnerBytes { spin(&state, &change, bytes: snapshot.received) }
        if snapshot.waiting != old.waiting || snapshot.failed != old.failed { state.countdownDue = nil }
    }

    /// Lets every cursor find its row again.
    static func settle(_ state: inout AppState) {
        let tasks = state.activeRows.map(\.task)
        state.active.settle(tasks)
        if !state[list: .active].selection.isEmpty {
            state[list: .active].selection.keep(only: Set(tasks.map(\.rawValue)))
            state[list: .active].selection.followRange { row in tasks.firstIndex { $0.rawValue == row } }
        }
        settleQueued(&state)
        state.queue.settle(state.snapshot, visible: state.visibleQueueRows)
    }

    /// Lets go of selected tasks that are queued no longer, as far as the snapshot tells; events tell the rest.
    private static func settleQueued(_ state: inout AppState) {
        let snapshot = state.snapshot
        guard !state[list: .queued].selection.isEmpty else { return }
        state[list: .queued].selection.followRange { row in
            snapshot.queued.firstIndex { $0.task.rawValue == row }.map { snapshot.queuedFrom + $0 }
        }
        for row in snapshot.active + snapshot.waiting + snapshot.paused {
            state[list: .queued].selection.forget(row.task.rawValue)
        }
        guard snapshot.queued.count == snapshot.queuedCount else { return }
        state[list: .queued].selection.keep(only: Set(snapshot.queued.map(\.task.rawValue)))
    }

    /// Nothing that is done to a selection is for a task that left its list.
    private static func deselect(_ task: TaskID, in panels: [Panel], _ state: inout AppState, _ now: Timestamp) {
        for panel in panels where !state[list: panel].selection.isEmpty {
            slideRange(past: task, in: panel, &state, now)
            state[list: panel].selection.forget(task.rawValue)
        }
    }

    /// Lets the graphs go on; `old` is what was known before.
    static func sample(
        _ snapshot: PipelineSnapshot,
        _ old: PipelineSnapshot? = nil,
        at time: Timestamp,
        _ state: inout AppState
    ) {
        let isMoving = !snapshot.active.isEmpty || snapshot.rate > 0
        if isMoving { state.throughput.record(Double(snapshot.rate), at: time) }
        if isMoving || snapshot.memory.usage != (old ?? snapshot).memory.usage {
            state.usage.record(Double(snapshot.memory.usage), at: time)
        }
    }

    private static func spin(_ state: inout AppState, _ change: inout Change, bytes: Int) {
        state.spinnerBytes = max(state.spinnerBytes, bytes)
        change.hasSpun = true
    }

    static func take(_ event: PipelineEvent, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        var (wasAskedFor, hasOthers) = (false, false)
        var subject: String?
        switch event.kind {
        case .requestSubmitted(let submission) where takePicture(submission, &state, &change): return
        case .receiptFinished(let end) where state.pictures.receipts.remove(end.receipt) != nil: return
        case .taskFinished(let end) where state.pictures.tasks.remove(end.task) != nil: return
        default: break
        }
        var event = event
        if case .taskFinished(var end) = event.kind, let record = state.journal[end.task] {
            end.continued = record.continued(end)
            event = PipelineEvent(seq: event.seq, t: event.t, kind: .taskFinished(end))
        }
        state.journal.take(event)
        switch event.kind {
        case .requestSubmitted(let submission):
            if submission.outcome == .joined { state.joined += 1 }
            state.refused.take(submission)
            if let task = submission.task, let receipt = submission.receipt {
                state.receipts.add(receipt, to: task)
                state.pictures.tasks.remove(task)
            }
            follow(submission, &state)
            count(submission, &state, &change, now)
        case .taskProgress:
            change.hasSpun = true
            return
        case .taskFinished(let end):
            change.replaced.formUnion(state.ended.append(end, t: event.t))
            deselect(end.task, in: [.active, .queued], &state, now)
            state.bodies.take(end)
            if let timings = end.timings, end.outcome == .success {
                state.hosts.add(timings, host: URLText.host(of: end.url))
            }
            finish(end, &state, event.t, now)
            takeImage(end, &state)
            change.draw(.data)
        case .warning(.fileDeleted, let path, _):
            change.deleted.insert(path)
        case .warning(.state, _, _):
            state.hasLostState = true
        case .warning(.stateKept, _, _):
            state.hasLostState = false
        case .receiptFinished(let end):
            wasAskedFor = state.cancelling.remove(end.receipt) != nil
            hasOthers = wasAskedFor && state.hasReceipts(of: end.task, without: [end.receipt])
            state.receipts.remove(end.receipt, from: end.task)
        case .cacheChanged(let cacheChange):
            state.newest.take(cacheChange, t: event.t)
            if state.pictures.take(cacheChange) { change.draw(.data) }
        case .cachePurged(let purge):
            state.ledger.add(purge, t: event.t, cause: purge.trigger == .capacity ? state.newest.last : nil)
            state.newest.take(purge)
            state.pictures.take(purge)
            state.purges.settle(state.ledger.entries.map(\.id))
            state.usage.mark(Double(purge.before), at: now, isMarked: false)
            state.usage.mark(Double(purge.after), at: now, isMarked: true)
            state.flashUntil = now + .seconds(1)
        case .warning(let code, _, let task?):
            if code == .diskFull { state.isDiskFull = true }
            subject = state.snapshot.active.first { $0.task == task }?.name ?? state.journal[task]?.name
        case .indicatorChanged(let from, let to, let tasks):
            state.transitions.add(from: from, to: to, tasks: tasks, t: event.t)
            return
        case .warning(.diskSpace, _, _):
            state.isDiskFull = false
        case .httpCacheChanged(let cacheChange):
            state.verdicts.take(cacheChange)
            if state.layout.panels[.detail] != nil { change.draw(.data) }
        case .trustDecided(let decision):
            take(decision, &state)
        case .taskChanged(let news) where [.started, .waiting, .suspended].contains(news.phase):
            deselect(news.task, in: [.queued], &state, now)
        case .sessionStarted, .taskChanged, .taskResponse, .settingChanged, .prefetchProgress,
            .warning, .sessionEnded:
            break
        }
        if state.log.append(event, wasAskedFor: wasAskedFor, subject: subject, hasOthers: hasOthers) {
            change.draw(.data)
        }
    }

    /// Lets an ended task linger; `t`, since the session's start, counts, since a recording knows no other clock.
    private static func finish(_ end: TaskEnd, _ state: inout AppState, _ t: Duration, _ now: Timestamp) {
        state.receipts.remove(end.task)
        switch end.outcome {
        case .success where state.failed.contains(url: end.url):
            // Its row goes from where it stands by now, below what failed in the same batch.
            settleFailed(&state)
            state.failed.remove(urls: [end.url])
            settleFailed(&state)
        case .failed:
            let error = end.error ?? DownloadError(.connectionLost, "")
            state.failed.add(FailedTask(task: end.task, url: end.url, error: error))
        case .success, .cancelled: break
        }
        // Those that end close together go in one frame.
        let fraction = t.nanoseconds % 250_000_000
        state.finished.append(
            AppState.FinishedTask(
                end: end,
                until: state.configuration.startTime + t + AppState.FinishedTask.time
                    + .nanoseconds(250_000_000 - fraction)
            )
        )
        if state.finished.count > AppState.FinishedTask.limit { state.finished.removeFirst() }
    }
}

extension AppState {
    /// Rows of the active panel that can be selected, in order.
    var activeRows: [PipelineSnapshot.Row] {
        self[list: .active].isPlain
            ? snapshot.active + snapshot.waiting + snapshot.paused : activeGroups.flatMap(\.self)
    }

    /// The row that keys act on, if the focused panel has one.
    var selectedRow: PipelineSnapshot.Row? {
        switch focus {
        case .active:
            let rows = activeRows
            return rows.indices.contains(active.index) ? rows[active.index] : nil
        case .queued:
            guard shownQueueCount > 0 else { return nil }
            return snapshot.queuedRow(at: queue.position)
        case .detail:
            guard let facts = snapshot.inspected, facts.task == inspectedTask else { return nil }
            return facts.row
        case .cache, .events, .network, .preview, .finished, .failed: return nil
        }
    }

    /// Whether a task is known to have a receipt without an outcome, apart from some that end.
    func hasReceipts(of task: TaskID, without ended: Set<ReceiptID>) -> Bool {
        // An outcome that was lost would leave a receipt open for good.
        guard log.lost == 0, let record = journal[task] else { return false }
        return record.claims.contains { $0.outcome == nil && !ended.contains($0.receipt) }
    }

    /// The event under the cursor; none while a filter hides all.
    var selectedEvent: EventRows.Entry? { eventRow(at: eventCursor) }
}
