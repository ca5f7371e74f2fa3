internal import SluiceCore

/// Keys that steer tasks.
extension AppReducer {
    static func steer(_ action: KeyAction, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        if steerSelected(action, &state, &change, now) { return }
        if action == .pause, pauseAgain(&state, &change, now) { return }
        if action == .cancelReceipt, isOneOfMany("requests are cancelled one at a time", &state, now) { return }
        guard let row = state.selectedRow else { return say("nothing selected", .dim, &state, now) }
        let task = row.task
        switch action {
        case .abort: abort(row, &state, &change, now)
        case .cancelReceipt:
            if let receipt = receiptToCancel(task, state) {
                state.news.receipts.remove(receipt, from: task)
                state.news.cancelling.insert(receipt)
                change.send(.cancel(receipt))
            } else if state.focus != .detail, state.news.log.lost > 0, row.receipts > 0 {
                // It may have come with an event that nobody could read in time: the pipeline knows it.
                change.send(.cancelNewest(task))
            } else {
                let text =
                    state.focus == .detail
                    ? "this receipt has its outcome"
                    : state.keyed("this task has no receipt left", .abort, "aborts it")
                return say(text, .dim, &state, now)
            }
            let rest = max(0, row.receipts - 1)
            let name = shown(EventSentence.name(row.url))
            let runsOn = rest == 0 && row.state == .active && state.snapshot.settings.lastReceipt == .finish
            let words =
                if runsOn {
                    lastRequest(name, state)
                } else if rest == 0 {
                    "the last request for \(name)"
                } else {
                    "one request for \(name), \(rest) left"
                }
            say("cancelled \(words)", .ok, &state, now)
        case .pause: togglePause(row, &state, &change, now)
        case .promote:
            change.send(.steer(.promote, .task(task)))
            sayPlace(of: row, isFirst: true, &state, now)
        case .toEnd:
            change.send(.steer(.toEnd, .tasks([task])))
            sayPlace(of: row, isFirst: false, &state, now)
        case .earlier: move(row, by: -1, &state, &change, now)
        case .later: move(row, by: 1, &state, &change, now)
        default: break
        }
    }

    /// That a task lost its last request and may run on, with what can still be done; its name where that has room.
    private static func lastRequest(_ name: String, _ state: AppState) -> String {
        let words = "its last request · " + state.keyed("it may run on for the cache", .abort, "aborts it")
        let whole = words + " · \(name)"
        let columns = TextWidth.columns(of: "cancelled \(whole)")
        return !state.hasKeys || columns <= state.terminal.width - 2 ? whole : words
    }

    /// Says of a key for one task that others are selected, which it would pass over.
    ///
    /// - Returns: Whether they are.
    static func isOneOfMany(_ words: String, _ state: inout AppState, _ now: Timestamp) -> Bool {
        guard state.meansOtherRows else { return false }
        say(state.keyed(words, .restore, "clears the selection"), .dim, &state, now)
        return true
    }

    /// Says where a queued task goes that is put before or behind all others, or that it is there.
    private static func sayPlace(
        of row: PipelineSnapshot.Row,
        isFirst: Bool,
        _ state: inout AppState,
        _ now: Timestamp
    ) {
        guard case .queued(let position) = row.state else { return }
        let isThere = position == (isFirst ? 1 : state.snapshot.queuedCount)
        let name = Elision.middle(VisibleText.visible(row.name, limit: 300), 40)
        let (edge, place) = isFirst ? ("first", "before all others") : ("last", "at the end")
        say(isThere ? "it is the \(edge) of the queue already" : "\(name) \(place)", isThere ? .dim : .ok, &state, now)
    }

    /// Moves a queued task by one place, or says why it stays.
    private static func move(
        _ row: PipelineSnapshot.Row,
        by places: Int,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        guard case .queued(let position) = row.state else {
            return say("only what is queued moves", .dim, &state, now)
        }
        change.send(.steer(.move(by: places), .task(row.task)))
        let edge = places < 0 ? "first" : "last"
        if position == (places < 0 ? 1 : state.snapshot.queuedCount) {
            say("it is the \(edge) of the queue already", .dim, &state, now)
        } else if state.snapshot.queuedMatches == nil, let other = state.snapshot.queuedRow(at: position + places),
            other.priority != row.priority
        {
            say("it is the \(edge) of priority \(row.priority) already", .dim, &state, now)
        }
    }

    static func retry(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        if state.focus == .failed { return retryFailure(&state, &change, now) }
        if endWait(&state, &change, now) || retrySelected(&state, &change, now) { return }
        guard let end = state.selectedFailure ?? state.selectedAborted else {
            return say("this has neither failed nor been cancelled: select one that has", .dim, &state, now)
        }
        let tasks = state.takeBack(end)
        guard !tasks.isEmpty else {
            return say("it was tried again already, or forgotten", .dim, &state, now)
        }
        awaitTask(for: end.url, &state)
        for task in tasks { change.send(.steer(.retry, .task(task))) }
        say("trying \(EventSentence.name(end.url)) again", .bright, &state, now)
    }

    static func retryAll(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let count = state.failedCount
        guard count > 0 else { return say("nothing failed", .dim, &state, now) }
        let forgotten = count - state.knownFailedCount
        if state.focus == .failed { state.failedCursor.wait(for: state.selectedFailed?.url) }
        // With their options, priority and credentials; what is forgiven is off the pipeline's own list then.
        for task in state.news.failed.removeAll().flatMap(\.tasksToRetry) { change.send(.steer(.retry, .task(task))) }
        // What failed in an earlier session, or has been forgotten here.
        if state.snapshot.failedCount > 0 { change.send(.retryFailed) }
        let tried = "trying \(Format.plural(count - forgotten, "failed URL")) again"
        if forgotten == 0 { return say(tried, .bright, &state, now) }
        say("\(tried); \(Format.count(forgotten)) older ones are not known any more", .wait, &state, now)
    }

    /// Ends the waits of the selected rows, else of the one under the cursor.
    ///
    /// - Returns: Whether rows are meant that live; without keys what failed last is.
    private static func endWait(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) -> Bool {
        guard state.hasKeys else { return false }
        let isSelection = state.focus == .active && !state[list: .active].selection.isEmpty
        guard isSelection || state.selectedRow != nil else { return false }
        let waits = state.endableWaits
        guard let first = waits.first else {
            let words =
                isSelection
                ? "none of the selected tasks waits for another attempt"
                : "this task has not failed, and waits for no other attempt"
            say(words, .dim, &state, now)
            return true
        }
        // A list that is still being submitted is overtaken, as it is by other keys for tasks.
        change.send(.steer(.retry, .tasks(waits)))
        let name = isSelection ? nil : state.selectedRow.map { EventSentence.name($0.url) }
        if isSelection {
            state[list: .active].selection.clear()
        } else if state.focus == .active {
            state.activeCursor.follow(first)
        }
        let what = name ?? Format.plural(waits.count, "task")
        let settings = state.snapshot.settings
        if settings.suspended {
            let words = "\(what) first, but the queue is suspended"
            say(state.noted(words, .suspend, "goes on"), .wait, &state, now)
        } else if state.snapshot.active.count >= settings.maxActive {
            say("\(what) first, as soon as a slot is free", .ok, &state, now)
        } else {
            say("trying \(what) again", .bright, &state, now)
        }
        return true
    }

    /// Tries the selected row of the failed panel again.
    private static func retryFailure(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard let row = state.selectedFailed else { return say("nothing failed", .dim, &state, now) }
        state.failedCursor.wait(for: nil)
        if let task = row.id.task {
            for task in state.news.failed.remove(task) { change.send(.steer(.retry, .task(task))) }
        } else {
            change.send(.submit([DownloadRequest(row.url, options: RequestOptions.standard.retrying, source: .prompt)]))
        }
        say("trying \(EventSentence.name(row.url)) again", .bright, &state, now)
    }

    // MARK: Forgetting

    /// Forgets the selected failure, wherever it is selected, so that lists and pastes may ask for its URL again.
    static func forget(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let url: String
        if state.focus == .failed {
            guard let row = state.selectedFailed else {
                let isNarrowed = state[list: .failed].isNarrowed
                return say(isNarrowed ? "no row matches" : "nothing failed", .dim, &state, now)
            }
            url = row.url
        } else {
            guard let end = state.selectedFailure else {
                return say("this is no failure: select one", .dim, &state, now)
            }
            url = end.url
        }
        guard forget([url], &state, &change) > 0 else {
            return say("it was tried again already, or forgotten", .dim, &state, now)
        }
        say("forgotten: lists may ask for it again", .bright, &state, now)
    }

    /// Forgets those failures whose rows are taken away, as far as nobody tried them again.
    ///
    /// A row of an older failure says nothing of a newer one of the same URL, which has a row of its own. How many rows
    /// go in all is said too, and that the files of others stay.
    static func forget(
        _ ends: [TaskEnd],
        rowCount: Int,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        let listed = Set(state.news.failed.tasks.map(\.task))
        let urls = ends.filter { end in
            end.outcome == .failed && (listed.contains(end.task) || !state.news.failed.contains(url: end.url))
        }.map(\.url)
        let count = forget(urls, &state, &change)
        switch count {
        case 0:
            let files = ends.count { $0.file != nil }
            let stays =
                switch files {
                case 0: ""
                case 1: rowCount == 1 ? ", its file stays" : ", 1 file stays"
                default: ", files stay"
                }
            say("\(Format.plural(rowCount, "row")) removed\(stays)", .bright, &state, now)
        case 1 where rowCount == 1: say("forgotten: lists may ask for it again", .bright, &state, now)
        default:
            let rows = rowCount > count ? "\(Format.plural(rowCount, "row")) taken away, " : ""
            say("\(rows)\(Format.plural(count, "failed URL")) forgotten: lists may ask again", .bright, &state, now)
        }
    }

    /// - Returns: How many of them were known for a failure.
    private static func forget(_ urls: [String], _ state: inout AppState, _ change: inout Change) -> Int {
        // In one pass over each list: ten thousand may be selected.
        let known = Set(state.snapshot.failed.map(\.url))
        var forgotten: Set<String> = []
        for url in urls where known.contains(url) || state.news.failed.contains(url: url) {
            if forgotten.insert(url).inserted { change.send(.forgetFailure(url)) }
        }
        if forgotten.isEmpty { return 0 }
        state.news.failed.remove(urls: forgotten)
        let before = state.snapshot.failed.count
        state.snapshot.failed.removeAll { forgotten.contains($0.url) }
        state.snapshot.failedCount -= before - state.snapshot.failed.count
        settleForgotten(&state)
        return forgotten.count
    }

    /// Forgets all that failed, also what a filter hides.
    static func forgetAll(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let count = state.failedCount
        guard count > 0 else { return say("nothing failed", .dim, &state, now) }
        _ = state.news.failed.removeAll()
        (state.snapshot.failed, state.snapshot.failedCount) = ([], 0)
        change.send(.forgetFailures)
        settleForgotten(&state)
        say("\(Format.plural(count, "failed URL")) forgotten: lists may ask again", .bright, &state, now)
    }

    /// Lets the cursor of what failed find its row again, or take the neighbour of one that is gone.
    ///
    /// Until the panel is looked at the first row has it, and no row is made for that; who looks at it acts on the
    /// row that is seen there, and not on what fails meanwhile.
    static func settleFailed(_ state: inout AppState) {
        let isChosen = state.failedCursor.isChosen
        guard isChosen || state.focus == .failed else { return }
        let rows = state.failedRows.map(\.id)
        if isChosen { state.failedCursor.settle(rows) } else { state.failedCursor.select(0, in: rows) }
    }

    /// Lets the cursor stand on the row of a task that took the place of the one under it, unless a filter hides it.
    static func selectFailed(_ task: TaskID, _ state: inout AppState) {
        let rows = state.failedRows.map(\.id)
        guard let index = rows.firstIndex(where: { $0.task == task }) else { return settleFailed(&state) }
        state.failedCursor.select(index, in: rows)
    }

    private static func settleForgotten(_ state: inout AppState) {
        state.failedCursor.wait(for: nil)
        settleFailed(&state)
        // The next second may be that of a row that is gone.
        state.countdownDue = nil
    }

    static func setSlots(_ count: Int, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let range = Settings.slotRange
        guard range.contains(count) else {
            let most = "\(range.upperBound) slots are the most"
            return say(count > range.upperBound ? most : "1 slot is the least", .dim, &state, now)
        }
        state.snapshot.settings.maxActive = count
        change.send(.set(SettingChange(name: "maxActive", value: .integer(count))))
    }

    static func answer(
        _ question: AppState.Question,
        _ action: KeyAction?,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        guard action == .yes || action == .no else { return }
        state.mode = state.trust == nil ? .lists : .trust
        guard action == .yes else { return }
        switch question {
        case .cancelAll:
            change.send(.cancelAll)
            say("all tasks aborted", .bright, &state, now)
        case .abortSelected: _ = steerSelected(.abort, &state, &change, now, isSure: true)
        case .deleteFiles(let files): delete(files, &state, &change)
        case .pin(let draft): change.effects.append(.pin(draft))
        }
    }
}

extension AppState {
    /// The tasks whose waits the key for another attempt ends: of the selected rows, else of the one under the cursor.
    var endableWaits: [TaskID] {
        if focus == .active, !self[list: .active].selection.isEmpty {
            let meant = Set(AppReducer.targets(.active, self))
            return snapshot.waiting.map(\.task).filter { meant.contains($0.rawValue) }
        }
        guard let row = selectedRow, case .waiting = row.state else { return [] }
        return [row.task]
    }

    /// The end that the selection stands for, if it was a failure.
    var selectedFailure: TaskEnd? { selectedEnd.flatMap { $0.outcome == .failed ? $0 : nil } }

    /// The end of the selected task, if somebody aborted it.
    var selectedAborted: TaskEnd? { selectedEnd.flatMap { $0.outcome == .cancelled ? $0 : nil } }

    /// Notes that a task that failed or was aborted is tried again.
    ///
    /// - Returns: What is to be tried again; nothing if it was already.
    mutating func takeBack(_ end: TaskEnd) -> [TaskID] {
        guard end.outcome == .cancelled else { return news.failed.remove(end.task) }
        return takenBack.insert(end.task) ? [end.task] : []
    }

    private var selectedEnd: TaskEnd? {
        switch focus {
        case .finished: return selectedEnded?.end
        case .detail: return inspectedTask.flatMap { news.records[$0]?.end }
        default:
            // Where lines are typed no row is looked at, and what ended last is meant.
            let isEvent = focus == .events || !hasKeys
            guard isEvent, case .taskFinished(let last)? = selectedEvent?.kind else { return nil }
            return last
        }
    }
}
