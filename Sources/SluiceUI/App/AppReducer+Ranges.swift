internal import SluiceCore

/// Ranges whose rows leave their list: start, end or are taken away.
extension AppReducer {
    /// The rows of a list that has a range, as they stand before some of them go.
    struct RangeRows {
        let panel: Panel
        /// Of the queue those that are known.
        let rows: [Int]
        /// The row under the cursor of the list.
        let cursor: Int?
    }

    /// Those of the lists whose rows are tasks.
    static func rowsOfRanges(_ state: AppState) -> [RangeRows] {
        let panels: [Panel] = [.active, .queued]
        return panels.compactMap { rowsOfRange(in: $0, state) }
    }

    private static func rowsOfRange(in panel: Panel, _ state: AppState) -> RangeRows? {
        guard state[list: panel].selection.range != nil else { return nil }
        if panel == .active {
            let rows = state.activeRows.map(\.task.rawValue)
            let index = state.activeCursor.index
            return RangeRows(panel: panel, rows: rows, cursor: rows.indices.contains(index) ? rows[index] : nil)
        }
        let cursor = state.snapshot.queuedRow(at: state.queueCursor.position)
        return RangeRows(
            panel: panel,
            rows: state.snapshot.queued.map(\.task.rawValue),
            cursor: cursor?.task.rawValue
        )
    }

    /// Lets ranges go on at rows that are there still, once a snapshot tells which are; `old` is what was there before.
    static func slideRanges(from old: [RangeRows], _ state: inout AppState) {
        for list in old {
            let snapshot = state.snapshot
            let present: Set<Int>
            let isThere: (Int) -> Bool
            if list.panel == .active {
                present = Set(state.activeRows.map(\.task.rawValue))
                isThere = present.contains
            } else if snapshot.queued.count == snapshot.queuedCount {
                present = Set(snapshot.queued.map(\.task.rawValue))
                isThere = present.contains
            } else {
                // Of the others nobody knows; what has a place elsewhere has none in the queue.
                present = Set((snapshot.active + snapshot.waiting + snapshot.paused).map(\.task.rawValue))
                isThere = { !present.contains($0) }
            }
            slideRange(list, &state, snapshot.time, isThere)
        }
    }

    /// Lets the range of a list go on behind a task that an event takes out of it.
    static func slideRange(past task: TaskID, in panel: Panel, _ state: inout AppState, _ now: Timestamp) {
        guard let list = rowsOfRange(in: panel, state) else { return }
        slideRange(list, &state, now) { $0 != task.rawValue }
    }

    private static func slideRange(
        _ list: RangeRows,
        _ state: inout AppState,
        _ now: Timestamp,
        _ isThere: (Int) -> Bool
    ) {
        let lost = state[list: list.panel].selection.range?.anchor
        if state[list: list.panel].selection.slideRange(in: list.rows, cursor: list.cursor, isThere: isThere) { return }
        // What a key did to them is said already; nothing is told of what a recording shows.
        guard state.message == nil, state.replay == nil else { return }
        let isStart = list.panel == .queued && lost.map { hasStarted(TaskID($0), state) } == true
        let fate = isStart ? "started" : list.panel == .active ? "ended" : "are no longer queued"
        say("the range ended: its rows \(fate)", .dim, &state, now)
    }

    private static func hasStarted(_ task: TaskID, _ state: AppState) -> Bool {
        state.snapshot.active.contains { $0.task == task } || state.news.records[task]?.attempts.isEmpty == false
    }
}
