internal import SluiceCore

/// Selecting rows, and steering what is selected.
extension AppReducer {
    static func select(_ action: KeyAction, _ state: inout AppState, _ now: Timestamp) {
        guard [.active, .queued, .finished, .events].contains(state.focus) else { return }
        guard state.shownCount > 0 else { return say("no row to select", .dim, &state, now) }
        let panel = state.focus
        switch action {
        case .selectAll: selectAll(panel, &state)
        case .selectRange:
            guard let (row, index) = state.cursorRow else { return }
            if state[list: panel].selection.isExtending {
                state[list: panel].selection.freezeRange(at: row, index: index)
                foldRange(panel, &state)
            } else {
                pinCursor(panel, row: row, index: index, &state)
                state[list: panel].selection.startRange(at: row, index: index)
            }
        default:
            guard let (row, _) = state.cursorRow else { return }
            if state[list: panel].selection.isAll {
                return say(state.keyed("all are selected", .restore, "clears"), .dim, &state, now)
            }
            state[list: panel].selection.toggle(row)
            move(.down, &state)
        }
    }

    /// - Returns: Whether anything was selected.
    static func clearSelection(_ state: inout AppState) -> Bool {
        guard !state[list: state.focus].selection.isEmpty else { return false }
        state[list: state.focus].selection.clear()
        return true
    }

    private static func selectAll(_ panel: Panel, _ state: inout AppState) {
        // Of the queue only a part is known here: the pipeline says which match when something is done to them.
        if panel == .queued { return state[list: panel].selection.selectAll() }
        state[list: panel].selection.dropRange()
        state[list: panel].selection.add(numbers(of: panel, 0..<state.shownCount, state))
    }

    /// Keeps the cursor on its row: until somebody chose one, whatever comes first has it.
    private static func pinCursor(_ panel: Panel, row: Int, index: Int, _ state: inout AppState) {
        switch panel {
        case .active: state.activeCursor.select(index, in: state.activeRows.map(\.task))
        case .queued: state.queueCursor.move(to: index, state.snapshot, visible: state.visibleQueueRows)
        case .finished: state.finishedCursor.pin(row)
        case .events: state.eventCursor.pin(row)
        default: break
        }
    }

    /// Lets ranges among what ended and what happened go with their rows; once for all news of a batch.
    static func followRanges(_ state: inout AppState) {
        if state[list: .finished].selection.range != nil {
            let (index, ended) = (state.endedIndex, state.news.ended)
            followRange(.finished, &state) { index.seqs == nil ? ended.age(ofSeq: $0) : index.index(of: $0) }
        }
        if state[list: .events].selection.range != nil {
            let (index, log) = (state.eventIndex, state.news.log)
            followRange(.events, &state) { index.seqs == nil ? log.age(ofSeq: $0) : index.index(of: $0) }
        }
    }

    /// A range that lost an end is none: what is done to it would meet the rows that came there.
    private static func followRange(_ panel: Panel, _ state: inout AppState, _ place: (Int) -> Int?) {
        guard let range = state[list: panel].selection.range else { return }
        let lost = [range.anchor, range.end].compactMap(\.self).first { place($0) == nil }
        if let lost { return state[list: panel].selection.forget(lost) }
        state[list: panel].selection.followRange(place)
    }

    /// Lets a range stay with its rows while they move, wherever the cursor goes.
    static func holdRange(_ panel: Panel, _ state: inout AppState) {
        guard state[list: panel].selection.range != nil, let (row, index) = state.cursorRow else { return }
        if state[list: panel].selection.isExtending {
            state[list: panel].selection.freezeRange(at: row, index: index)
        }
        foldRange(panel, &state)
    }

    /// Makes single rows of a range, where all of them are known.
    private static func foldRange(_ panel: Panel, _ state: inout AppState) {
        guard let range = state[list: panel].selection.range, let end = range.endIndex else { return }
        let indices = min(range.anchorIndex, end)..<max(range.anchorIndex, end) + 1
        let rows = numbers(of: panel, indices, state)
        // Of the queue some may not be known; elsewhere the list may have become shorter.
        guard panel != .queued || rows.count == indices.count else { return }
        state[list: panel].selection.dropRange()
        state[list: panel].selection.add(rows)
    }

    private static func numbers(of panel: Panel, _ indices: Range<Int>, _ state: AppState) -> [Int] {
        switch panel {
        case .active:
            let rows = state.activeRows
            return indices.compactMap { rows.indices.contains($0) ? rows[$0].task.rawValue : nil }
        case .queued: return indices.compactMap { state.snapshot.queuedRow(at: $0)?.task.rawValue }
        case .finished: return indices.compactMap { state.endedRow(at: $0)?.seq }
        case .events: return indices.compactMap { state.eventRow(at: $0)?.seq }
        default: return []
        }
    }

    /// The rows that an action is for: those that are selected, else the one under the cursor.
    static func targets(_ panel: Panel, _ state: AppState) -> [Int] {
        let selection = state[list: panel].selection
        guard !selection.isEmpty else { return state.cursorRow.map { [$0.row] } ?? [] }
        let cursor = state.cursorRow?.index ?? 0
        return (0...state.shownCount).compactMap { index in
            guard let row = numbers(of: panel, index..<index + 1, state).first else { return nil }
            return selection.contains(row, index: index, cursor: cursor) ? row : nil
        }
    }

    /// What the pipeline is told of the selection; `nil` if nothing is selected.
    static func selected(_ state: AppState) -> [TaskSelection]? {
        let selection = state[list: state.focus].selection
        guard !selection.isEmpty else { return nil }
        switch state.focus {
        case .active: return [.tasks(targets(.active, state).map { TaskID($0) })]
        case .queued:
            let filter = state[list: .queued].narrowing
            if selection.isAll { return [.queued(filter)] }
            var parts: [TaskSelection] = []
            if let range = selection.range, let end = range.end ?? state.cursorRow?.row {
                parts.append(.queued(filter, between: .init(TaskID(range.anchor), TaskID(end))))
            }
            // What the range holds is told once: a task that is moved twice goes too far.
            let told: Set<Int> = parts.isEmpty ? [] : rowsOfRange(selection, state)
            let apart = inOrder(selection.rows.subtracting(told), state)
            if !apart.isEmpty { parts.append(.tasks(apart)) }
            return parts
        default: return nil
        }
    }

    /// The selected rows of the active panel, if some are selected.
    static func selectedActive(_ state: AppState) -> [PipelineSnapshot.Row]? {
        guard state.focus == .active, !state[list: .active].selection.isEmpty else { return nil }
        let tasks = Set(targets(.active, state))
        return state.activeRows.filter { tasks.contains($0.task.rawValue) }
    }

    /// The queued rows between the ends of the range, as far as they are known.
    private static func rowsOfRange(_ selection: RowSelection, _ state: AppState) -> Set<Int> {
        guard let span = selection.span(cursor: state.queueCursor.position) else { return [] }
        let first = state.snapshot.queuedFrom
        let known = state.snapshot.queued.enumerated().filter { span.contains(first + $0.offset) }
        return Set(known.map { $0.element.task.rawValue })
    }

    /// Those that are in sight in the order of the queue, then the others.
    private static func inOrder(_ rows: Set<Int>, _ state: AppState) -> [TaskID] {
        let seen = state.snapshot.queued.map(\.task).filter { rows.contains($0.rawValue) }
        let others = rows.subtracting(seen.map(\.rawValue)).sorted()
        return seen + others.map { TaskID($0) }
    }

    /// The selected tasks of the active panel without those that run for the caches only, which can't be paused.
    private static func pausable(_ state: AppState) -> [TaskID] {
        let detached = Set(state.snapshot.active.filter(\.isDetached).map(\.task))
        return targets(.active, state).map { TaskID($0) }.filter { !detached.contains($0) }
    }

    /// That nobody is left who could let what is selected go on, and so it can't be paused.
    static func sayAllRunsOn(_ state: inout AppState, _ now: Timestamp) {
        let words = "what is selected has no request left and runs on for the cache"
        say(state.keyed(words, .abort, "aborts it"), .dim, &state, now)
    }

    /// Selected tasks that are aborted without asking.
    static let abortLimit = 20

    /// Steers everything that is selected.
    ///
    /// - Parameters:
    ///   - action: What its key is for one task.
    ///   - state: Whose selection is meant.
    ///   - change: What the pipeline is told.
    ///   - now: For the sentence.
    ///   - isSure: Whether the user was asked already.
    /// - Returns: Whether anything is.
    static func steerSelected(
        _ action: KeyAction,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp,
        isSure: Bool = false
    ) -> Bool {
        // Where rows move, marks move with their tasks: a range between two places would hold others afterwards.
        if [.promote, .toEnd, .earlier, .later].contains(action) { holdRange(state.focus, &state) }
        guard var parts = selected(state) else { return false }
        var count = state.selectedCount(in: state.focus)
        // Which queued tasks a filter lets through is for the pipeline to say, also before it has counted them.
        let isOpen = state.focus == .queued && (state.snapshot.isFiltering || state[list: .queued].isNarrowed)
        guard count > 0 || isOpen else {
            // All that was selected has left this list, where nothing can be done to it any more.
            state[list: state.focus].selection.clear()
            say("what was selected stands here no more: nothing selected", .dim, &state, now)
            return true
        }
        if action == .abort, count > abortLimit, !isSure {
            state.mode = .question(.abortSelected(count))
            return true
        }
        let steering: TaskSteering
        let verb: String
        switch action {
        case .abort: (steering, verb) = (.abort, "aborted")
        case .pause:
            var isPaused = false
            if state.focus == .active {
                let tasks = pausable(state)
                guard !tasks.isEmpty else {
                    sayAllRunsOn(&state, now)
                    return true
                }
                let paused = Set(state.snapshot.paused.map(\.task))
                isPaused = tasks.allSatisfy(paused.contains)
                // Those that are paused already stay so, and are not counted.
                let meant = isPaused ? tasks : tasks.filter { !paused.contains($0) }
                (parts, count) = ([.tasks(meant)], meant.count)
            }
            (steering, verb) = isPaused ? (.resume, "resumed") : (.pause, "paused")
        case .promote: (steering, verb) = (.promote, "before all others")
        case .toEnd: (steering, verb) = (.toEnd, "at the end")
        // They may have gone out of sight by now, where nothing is seen to move.
        case .earlier: (steering, verb) = (.move(by: -1), "moved up")
        case .later: (steering, verb) = (.move(by: 1), "moved down")
        default: return false
        }
        for part in parts { change.send(.steer(steering, part)) }
        say("\(Format.plural(count, "task")) \(verb)", .bright, &state, now)
        if action == .abort { state[list: state.focus].selection.clear() }
        return true
    }
}
