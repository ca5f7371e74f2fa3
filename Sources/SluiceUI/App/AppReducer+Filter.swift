internal import SluiceCore

/// Filtering, finding and sorting the focused list.
extension AppReducer {
    static func openFilter(_ state: inout AppState, _ now: Timestamp) {
        if let why = whyNot(.filter, state) { return say(why, .dim, &state, now) }
        let list = state[list: state.focus]
        // What no longer narrows the list is found with other keys; a new text begins anew.
        state.filterEditor = LineEditor(list.isNarrowed ? list.filter.text : "")
        state.mode = .filter
    }

    static func editFilter(_ action: KeyAction?, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        switch action {
        case .submit: state.mode = .lists
        case .leavePrompt:
            // What was typed can still be found with n and N.
            state.mode = .lists
            narrow(to: state[list: state.focus].filter.text, isNarrowed: false, &state)
        case .clearOrQuit:
            state.mode = .lists
            narrow(to: "", isNarrowed: false, &state)
        case .older: move(.up, &state)
        case .newer: move(.down, &state)
        case .redraw, .stop, .help: perform(action ?? .redraw, &state, &change, now)
        case .edit(let edit):
            state.filterEditor.apply(edit)
            narrow(to: state.filterEditor.text, isNarrowed: true, &state)
        default: break
        }
    }

    /// Shows what matches only, or all rows.
    static func narrow(to text: String, isNarrowed: Bool, _ state: inout AppState) {
        let filter = ListFilter(text)
        let panel = state.focus
        let old = state[list: panel]
        state[list: panel].filter = filter
        state[list: panel].isNarrowed = isNarrowed && !filter.isEmpty
        guard old.narrowing != state[list: panel].narrowing else { return }
        state[list: panel].selection.clear()
        state.looksAtRows = true
        if panel == .queued { restartQueue(&state) }
        state.refreshLists()
        settle(&state)
    }

    /// Begins at the first row that is shown from now on; where all are shown again, stays on the row that was gone to.
    ///
    /// Until the pipeline shows the others that row alone is known, so that keys are for it or wait.
    private static func restartQueue(_ state: inout AppState) {
        guard state[list: .queued].narrowing.isEmpty else { return state.queueCursor.restart() }
        let task = state.queueCursor.task
        var known: [PipelineSnapshot.Row] = []
        if let row = state.snapshot.queued.first(where: { $0.task == task }), case .queued(let position) = row.state,
            position > 0
        {
            known = [row]
            state.queueCursor.follow(to: position)
        } else {
            state.queueCursor.restart()
        }
        guard state.snapshot.queuedMatches != nil else { return }
        (state.snapshot.queued, state.snapshot.queuedFrom) = (known, state.queueCursor.position)
        (state.snapshot.queuedMatches, state.snapshot.isFiltering) = (nil, false)
    }

    /// Shows all rows of the focused list again; what was looked for can still be found.
    ///
    /// - Returns: Whether some were hidden.
    static func clearFilter(_ state: inout AppState) -> Bool {
        guard state[list: state.focus].isNarrowed else { return false }
        // The row that was found stays under the cursor when the others come back.
        if state.shownCount > 0, let index = state.cursorIndex { place(cursorAt: index, &state) }
        narrow(to: state[list: state.focus].filter.text, isNarrowed: false, &state)
        return true
    }

    static func find(isBackward: Bool, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let list = state[list: state.focus]
        guard !list.filter.isEmpty else { return say("nothing to look for yet: / takes a text", .dim, &state, now) }
        if state.focus == .queued, !list.isNarrowed {
            state.find.asked += 1
            change.send(
                .find(QueueSearch(serial: state.find.asked, from: state.queueCursor.position, isBackward: isBackward))
            )
            return
        }
        let count = state.shownCount
        guard count > 0, let cursor = state.cursorIndex else { return say("no row matches", .dim, &state, now) }
        if state.focus == .queued {
            let next = (cursor - 1 + (isBackward ? count - 1 : 1)) % count
            return state.queueCursor.move(to: next + 1, state.snapshot, visible: state.visibleQueueRows)
        }
        // Made anew at each look, so looked at once.
        let failed = state.focus == .failed ? state.failedRows.map(\.searchText) : []
        for step in 1...count {
            let index = (cursor + (isBackward ? count - step : step)) % count
            let isMatch =
                state.focus == .failed ? list.filter.matches(failed[index]) : matches(list.filter, at: index, state)
            if list.isNarrowed || isMatch { return place(cursorAt: index, &state) }
        }
        say("no row matches \(list.filter.text)", .dim, &state, now)
    }

    /// The pipeline found the next row of the queue that matches.
    static func take(found answer: QueueSearch.Answer?, _ state: inout AppState, _ now: Timestamp) {
        guard let answer, answer.serial == state.find.asked, answer.serial != state.find.taken else { return }
        state.find.taken = answer.serial
        guard let position = answer.position else {
            return say("no queued task matches \(state[list: .queued].filter.text)", .dim, &state, now)
        }
        state.queueCursor.move(to: position, state.snapshot, visible: state.visibleQueueRows)
    }

    private static func matches(_ filter: ListFilter, at index: Int, _ state: AppState) -> Bool {
        switch state.focus {
        case .active:
            let row = state.activeRows[index]
            return filter.matches(url: row.url) { row.name }
        case .finished: return state.endedRow(at: index).map { filter.matches($0.searchText) } ?? false
        case .events: return state.eventRow(at: index).map { filter.matches($0.searchText) } ?? false
        default: return false
        }
    }

    /// Puts the cursor of the focused list on a row that is known, where it stays when others come above it.
    ///
    /// Rows of the queue count from 1.
    static func place(cursorAt index: Int, _ state: inout AppState) {
        state.looksAtRows = true
        switch state.focus {
        case .active: state.activeCursor.select(index, in: state.activeRows.map(\.task))
        case .queued: state.queueCursor.move(to: index, state.snapshot, visible: state.visibleQueueRows)
        case .finished: placeEnded(cursorAt: index, &state)
        case .events:
            if let row = state.eventRow(at: index) { state.eventCursor.pin(row.seq) }
        case .failed: state.failedCursor.select(index, in: state.failedRows.map(\.id))
        default: break
        }
    }

    /// Lets the cursor have the newest row again, once somebody goes to the first row who is there already.
    ///
    /// - Returns: `false` if it was not held.
    static func followNewest(_ state: inout AppState) -> Bool {
        switch state.focus {
        case .finished where state.finishedCursor.id != nil: state.finishedCursor.release()
        case .events where state.eventCursor.id != nil: state.eventCursor.release()
        default: return false
        }
        return true
    }

    /// Puts the cursor of the finished list on a row, whatever has the focus.
    static func placeEnded(cursorAt index: Int, _ state: inout AppState) {
        if let row = state.endedRow(at: index) { state.finishedCursor.pin(row.seq) }
    }

    static func openSort(_ state: inout AppState, _ now: Timestamp) {
        guard !RowSort.choices(for: state.focus).isEmpty else {
            let text =
                state.focus == .queued
                ? "the queue stands in the order in which it starts: U B K J move in it"
                : "this list has one order only"
            return say(text, .dim, &state, now)
        }
        state.mode = .sortMenu
    }

    static func chooseSort(_ key: Key, _ state: inout AppState, _ now: Timestamp) {
        state.mode = .lists
        let sort = RowSort.choices(for: state.focus).first { $0.key == key.typed }
        guard let sort else { return }
        holdRange(state.focus, &state)
        state[list: state.focus].sort = sort
        state.refreshLists()
        settle(&state)
        say("sorted by \(sort.title)", .dim, &state, now)
    }

    static func reverse(_ state: inout AppState, _ now: Timestamp) {
        guard !RowSort.choices(for: state.focus).isEmpty else { return openSort(&state, now) }
        holdRange(state.focus, &state)
        state[list: state.focus].isReversed.toggle()
        state.refreshLists()
        settle(&state)
        let list = state[list: state.focus]
        say(list.sort.first(in: state.focus, isReversed: list.isReversed), .dim, &state, now)
    }
}
