internal import SluiceCore

/// News of the pipeline.
extension AppReducer {
    static func take(snapshot: PipelineSnapshot, _ state: inout AppState, _ change: inout Change) {
        let old = state.snapshot
        let isFirst = !state.hasSnapshot
        let ranges = rowsOfRanges(state)
        state.snapshot = snapshot
        state.hasSnapshot = true
        // Of a filter that was left meanwhile: where its rows stand, others do.
        if snapshot.queuedMatches != nil, state[list: .queued].narrowing.isEmpty {
            (state.snapshot.queued, state.snapshot.queuedFrom) = (old.queued, old.queuedFrom)
            (state.snapshot.queuedMatches, state.snapshot.isFiltering) = (nil, false)
        }
        if snapshot.indicator.state != old.indicator.state {
            change.draw(.urgent)
        } else if snapshot.probe != old.probe || snapshot.found != old.found
            || snapshot.removal != old.removal || state.snapshot.queuedMatches != old.queuedMatches
        {
            // Somebody types, and waits for it.
            change.draw(.urgent)
        } else if isFirst || !snapshot.looks(like: old) {
            change.draw(.data)
        }
        slideRanges(from: ranges, &state)
        settle(&state)
        settleLost(&state)
        if state.replay != nil { return }
        probeAgain(since: old, &state, &change)
        sample(snapshot, old, at: snapshot.time, &state)
        if snapshot.received > state.spinnerBytes { spin(&state, &change, bytes: snapshot.received) }
        if snapshot.waiting != old.waiting || snapshot.failed != old.failed { state.countdownDue = nil }
    }

    /// Forgets what may be over since events were lost, once a snapshot is newer than they are.
    ///
    /// Tasks in no row may live still: the pipeline knows of them what is not known here.
    private static func settleLost(_ state: inout AppState) {
        let snapshot = state.snapshot
        guard let until = state.news.lostUntil, snapshot.time >= state.configuration.start.time + until else { return }
        state.news.lostUntil = nil
        var live: [TaskID: Int] = [:]
        let rows = snapshot.active + snapshot.waiting + snapshot.paused + snapshot.queued
        for row in rows { live[row.task] = row.receipts }
        if let row = snapshot.inspected?.row { live[row.task] = row.receipts }
        state.news.receipts.keep(only: live)
        state.news.records.settle(live: live)
    }

    /// Lets every cursor find its row again.
    static func settle(_ state: inout AppState) {
        let tasks = state.activeRows.map(\.task)
        state.activeCursor.settle(tasks)
        if !state[list: .active].selection.isEmpty {
            state[list: .active].selection.keep(only: Set(tasks.map(\.rawValue)))
            state[list: .active].selection.followRange { row in tasks.firstIndex { $0.rawValue == row } }
        }
        settleQueued(&state)
        state.queueCursor.settle(state.snapshot, visible: state.visibleQueueRows)
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
        if isMoving { state.news.throughput.record(Double(snapshot.rate), at: time) }
        if isMoving || snapshot.memory.usage != (old ?? snapshot).memory.usage {
            state.news.usage.record(Double(snapshot.memory.usage), at: time)
        }
    }

    private static func spin(_ state: inout AppState, _ change: inout Change, bytes: Int) {
        state.spinnerBytes = max(state.spinnerBytes, bytes)
        change.hasSpun = true
    }

    static func take(event: PipelineEvent, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        var (wasAskedFor, hasOthers) = (false, false)
        var subject: String?
        switch event.kind {
        case .requestSubmitted(let submission) where takePicture(submission, &state, &change): return
        case .receiptFinished(let end) where state.pictures.receipts.remove(end.receipt): return
        case .taskFinished(let end) where state.pictures.tasks.remove(end.task):
            state.news.records.skipEnd()
            return
        default: break
        }
        var event = event
        if case .taskFinished(var end) = event.kind, let record = state.news.records[end.task] {
            end.continued = record.continued(end)
            event = PipelineEvent(seq: event.seq, t: event.t, kind: .taskFinished(end))
        }
        state.news.records.take(event)
        switch event.kind {
        case .requestSubmitted(let submission):
            if submission.outcome == .joined { state.news.joined += 1 }
            state.refused.take(submission)
            if case .prefetch = submission.origin { state.awaitsPrefetch = false }
            if let task = submission.task, let receipt = submission.receipt {
                state.news.receipts.add(receipt, to: task)
                state.pictures.tasks.remove(task)
            }
            follow(submission, &state)
            count(submission, &state, &change, now)
        case .taskProgress:
            change.hasSpun = true
            return
        case .taskFinished(let end):
            change.replaced.formUnion(state.news.ended.append(end, t: event.t))
            deselect(end.task, in: [.active, .queued], &state, now)
            state.news.bodies.take(end)
            if let timings = end.timings, end.outcome == .success {
                state.news.hosts.add(timings, host: URLText.host(of: end.url))
            }
            finish(end, &state, event.t)
            takeImage(end, &state)
            change.draw(.data)
        case .receiptFinished(let end):
            wasAskedFor = state.news.cancelling.remove(end.receipt)
            hasOthers = wasAskedFor && state.hasReceipts(of: end.task, without: [end.receipt])
            state.news.receipts.remove(end.receipt, from: end.task)
        case .cacheChanged(let cacheChange):
            state.news.newest.take(cacheChange, t: event.t)
            // An open detail says whether its image is in memory.
            if state.pictures.take(cacheChange) || state.layout.panels[.detail] != nil { change.draw(.data) }
        case .cachePurged(let purge):
            state.news.ledger.add(purge, t: event.t, cause: purge.trigger == .capacity ? state.news.newest.last : nil)
            state.news.newest.take(purge)
            state.pictures.take(purge)
            state.purgeCursor.settle(state.news.ledger.entries.map(\.id))
            state.news.usage.mark(Double(purge.before), at: now, isMarked: false)
            state.news.usage.mark(Double(purge.after), at: now, isMarked: true)
            state.news.flashUntil = now + .seconds(1)
        case .warning(let code, let message, let task):
            take(warning: code, message, &state, &change)
            if let task {
                subject = state.snapshot.active.first { $0.task == task }?.name ?? state.news.records[task]?.name
            }
        case .indicatorChanged(let from, let to, let tasks):
            state.news.transitions.add(from: from, to: to, tasks: tasks, t: event.t)
            return
        case .httpCacheChanged(let cacheChange):
            state.news.verdicts.take(cacheChange)
            if state.layout.panels[.detail] != nil { change.draw(.data) }
        case .trustDecided(let decision):
            take(decision: decision, &state)
        case .taskChanged(let news) where [.started, .waiting, .suspended].contains(news.phase):
            deselect(news.task, in: [.queued], &state, now)
        case .sessionStarted, .taskChanged, .taskResponse, .settingChanged, .prefetchProgress, .sessionEnded:
            break
        }
        if state.news.log.append(event, wasAskedFor: wasAskedFor, subject: subject, hasOthers: hasOthers) {
            change.draw(.data)
        }
    }

    /// Keeps what a warning says of the disk, of files and of the state that is left for next time.
    private static func take(
        warning code: WarningCode,
        _ message: String,
        _ state: inout AppState,
        _ change: inout Change
    ) {
        switch code {
        case .diskFull: state.news.isDiskFull = true
        case .diskSpace: state.news.isDiskFull = false
        // The message is the path.
        case .fileDeleted: change.deleted.insert(message)
        case .state: state.news.hasLostState = true
        case .stateKept: state.news.hasLostState = false
        default: break
        }
    }

    /// Lets an ended task linger; `t`, since the session's start, counts, since a recording knows no other clock.
    private static func finish(_ end: TaskEnd, _ state: inout AppState, _ t: Duration) {
        state.news.receipts.remove(end.task)
        switch end.outcome {
        case .success where state.news.failed.contains(url: end.url):
            // Its row goes from where it stands by now, below what failed in the same batch.
            settleFailed(&state)
            state.news.failed.settle(end.url, key: end.key)
            settleFailed(&state)
        // What went on for nobody is nobody's failure, and there is no request to try again.
        case .failed where end.receipts > 0:
            let error = end.error ?? DownloadError(.connectionLost, "")
            let isAgain = state.news.failed.contains(url: end.url)
            if isAgain { settleFailed(&state) }
            let chosen = isAgain && state.failedCursor.isChosen ? state.selectedFailed?.id.task : nil
            let failed = FailedTask(task: end.task, url: end.url, error: error, key: end.key)
            let replaced = state.news.failed.add(failed)
            if let replaced, replaced == chosen {
                selectFailed(end.task, &state)
            } else if isAgain {
                settleFailed(&state)
            }
        case .success, .failed, .cancelled: break
        }
        // Those that end close together go in one frame.
        let fraction = t.nanoseconds % 250_000_000
        state.news.lingering.append(
            AppState.LingeringTask(
                end: end,
                until: state.configuration.start.time + t + AppState.LingeringTask.time
                    + .nanoseconds(250_000_000 - fraction)
            )
        )
        if state.news.lingering.count > AppState.LingeringTask.limit { state.news.lingering.removeFirst() }
    }
}
