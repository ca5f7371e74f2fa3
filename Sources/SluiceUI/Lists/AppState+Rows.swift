internal import SluiceCore

/// The rows of every list as they are shown: filtered, sorted, and where the cursor is.
extension AppState {
    /// Rows of the active panel that are shown, in order: those that run, that wait, and that are paused.
    var activeGroups: [[PipelineSnapshot.Row]] {
        let list = self[list: .active]
        return [snapshot.active, snapshot.waiting, snapshot.paused].map { rows in
            guard !list.isPlain else { return rows }
            let shown = rows.filter { row in list.narrowing.matches(url: row.url) { row.name } }
            guard list.sort != .natural || list.isReversed else { return shown }
            let sorted = list.sort == .natural ? shown : shown.sorted { list.sort.isBefore($0, $1) }
            return list.isReversed ? sorted.reversed() : sorted
        }
    }

    /// Rows of the active panel that can be selected, in order.
    var activeRows: [PipelineSnapshot.Row] {
        self[list: .active].isPlain
            ? snapshot.active + snapshot.waiting + snapshot.paused : activeGroups.flatMap(\.self)
    }

    /// Tasks that ended and are still shown behind the active ones, as far as the filter of those lets them through.
    var lingering: [LingeringTask] {
        let filter = self[list: .active].narrowing
        return filter.isEmpty
            ? news.lingering : news.lingering.filter { filter.matches("\($0.url) \($0.sentence.subject)") }
    }

    /// Rows of the queue, or those of them that match.
    var shownQueueCount: Int { snapshot.queuedMatches ?? snapshot.queuedCount }

    /// Rows of the queue that the screen has room for; some are watched even where it shows none.
    var visibleQueueRows: Int {
        let layout = layout
        guard let panel = layout.panels[.queued] else { return 10 }
        let rows = panel.height - 2
        return max(1, QueuedView.hasHeading(rows: rows) ? rows - 1 : rows)
    }

    /// Rows of the finished list, whatever a filter hides.
    var wholeEndedCount: Int {
        let oldest = news.ended.lastSeq - news.ended.count
        return news.ended.count - endedIndex.hidden.count { $0 > oldest }
    }

    var shownEndedCount: Int { endedIndex.seqs?.count ?? news.ended.count }

    /// The entry at a row of the finished list.
    func endedRow(at index: Int) -> EndedTask? {
        guard index >= 0, index < shownEndedCount else { return nil }
        return news.ended[age: endedIndex.seqs.map { news.ended.age(ofSeq: $0[index]) } ?? index]
    }

    /// Which row of the finished list the cursor is on.
    var endedRowIndex: Int {
        guard let seq = finishedCursor.id else { return 0 }
        if endedIndex.seqs != nil { return endedIndex.index(of: seq) ?? 0 }
        return news.ended.age(ofSeq: seq)
    }

    var shownEventCount: Int { eventIndex.seqs?.count ?? news.log.count }

    func eventRow(at index: Int) -> EventRows.Entry? {
        guard index >= 0, index < shownEventCount else { return nil }
        return news.log[age: eventIndex.seqs.map { news.log.age(ofSeq: $0[index]) } ?? index]
    }

    /// Which row of the events the cursor is on.
    var eventRowIndex: Int {
        guard let seq = eventCursor.id else { return 0 }
        if eventIndex.seqs != nil { return eventIndex.index(of: seq) ?? 0 }
        return news.log.age(ofSeq: seq)
    }

    /// The event under the cursor; none while a filter hides all.
    var selectedEvent: EventRows.Entry? { eventRow(at: eventRowIndex) }

    /// Takes into the lists what came and what went; costs nothing where all rows are shown.
    mutating func refreshLists() {
        endedIndex.refresh(self[list: .finished], endedSource)
        eventIndex.refresh(self[list: .events], eventSource)
    }

    private var endedSource: RowIndex.Source {
        let (list, ended) = (self[list: .finished], news.ended)
        let order = EndedOrder(list.sort, isReversed: list.isReversed)
        let row: (Int) -> EndedTask = { ended[age: ended.lastSeq - $0] }
        return RowIndex.Source(
            oldest: ended.lastSeq - ended.count + 1,
            newest: ended.lastSeq,
            rows: { last in
                // Their numbers have no gap, and where all are meant no row need be looked at.
                let seqs = (0..<ended.lastSeq - last).lazy.map { ended.lastSeq - $0 }
                if list.narrowing.isEmpty { return Array(seqs) }
                return seqs.filter { list.narrowing.matches(row($0).searchText) }
            },
            sorted: { order?.sorted($0, row) ?? $0 },
            isBefore: order.map { order in { order.isBefore(row($0), row($1)) } }
        )
    }

    private var eventSource: RowIndex.Source {
        let (filter, log) = (self[list: .events].narrowing, news.log)
        return RowIndex.Source(
            oldest: log.count > 0 ? log[age: log.count - 1].seq : 0,
            newest: log.newestSeq,
            // A run of queued requests is one entry.
            newestChanges: true,
            rows: { last in
                (0..<log.count).lazy.map { log[age: $0] }.prefix { $0.seq > last }
                    .filter { filter.isEmpty || filter.matches($0.searchText) }.map(\.seq)
            },
            sorted: { $0 },
            isBefore: nil
        )
    }

    /// How a list is looked at.
    subscript(list panel: Panel) -> ListState {
        get { lists[panel] ?? ListState() }
        set { lists[panel] = newValue == ListState() ? nil : newValue }
    }

    /// The row that keys act on, if the focused panel has one.
    var selectedRow: PipelineSnapshot.Row? {
        switch focus {
        case .active:
            let rows = activeRows
            return rows.indices.contains(activeCursor.index) ? rows[activeCursor.index] : nil
        case .queued:
            guard shownQueueCount > 0 else { return nil }
            return snapshot.queuedRow(at: queueCursor.position)
        case .detail:
            guard let facts = snapshot.inspected, facts.task == inspectedTask else { return nil }
            return facts.row
        case .cache, .events, .network, .preview, .finished, .failed: return nil
        }
    }

    /// The number that the row under the cursor keeps, and where it stands.
    var cursorRow: (row: Int, index: Int)? {
        switch focus {
        case .active:
            let rows = activeRows
            let index = activeCursor.index
            return rows.indices.contains(index) ? (rows[index].task.rawValue, index) : nil
        case .queued:
            return snapshot.queuedRow(at: queueCursor.position).map { ($0.task.rawValue, queueCursor.position) }
        case .finished: return endedRow(at: endedRowIndex).map { ($0.seq, endedRowIndex) }
        case .events: return eventRow(at: eventRowIndex).map { ($0.seq, eventRowIndex) }
        default: return nil
        }
    }

    /// Where the cursor of the focused list stands, also where its rows have no number.
    var cursorIndex: Int? {
        guard focus == .failed else { return cursorRow?.index }
        var cursor = failedCursor
        cursor.settle(failedRows.map(\.id))
        return cursor.index
    }

    /// Rows that are shown in the focused list.
    var shownCount: Int {
        switch focus {
        case .active: activeRows.count
        case .queued: shownQueueCount
        case .finished: shownEndedCount
        case .events: shownEventCount
        case .failed: failedRows.count
        default: 0
        }
    }

    /// Rows that the filter of the focused list lets through, also those that can't be selected.
    var matchCount: Int { shownCount + (focus == .active ? lingering.count : 0) }

    /// Whether the filter of the focused list leaves no row that a key could be for.
    var hidesAllRows: Bool { self[list: focus].isNarrowed && shownCount == 0 }

    /// Whether rows of the focused list are selected beside the cursor's or without it: a key for one row would act on one that
    /// is not meant.
    var meansOtherRows: Bool {
        let count = selectedCount(in: focus)
        guard count == 1, let row = selectedRow?.task.rawValue else { return count > 1 }
        let index = focus == .queued ? queueCursor.position : activeCursor.index
        return !self[list: focus].selection.contains(row, index: index, cursor: index)
    }

    /// How many rows are selected in a list, 0 if only the cursor's row is meant.
    func selectedCount(in panel: Panel) -> Int {
        let selection = self[list: panel].selection
        guard !selection.isEmpty else { return 0 }
        switch panel {
        case .active:
            let rows = activeRows.map(\.task.rawValue)
            return selection.count(in: rows.indices, known: rows.indices, cursor: activeCursor.index) { rows[$0] }
        case .queued:
            let first = snapshot.queuedFrom
            return selection.count(
                in: 1..<max(0, shownQueueCount) + 1,
                known: first..<first + snapshot.queued.count,
                cursor: queueCursor.position
            ) { snapshot.queuedRow(at: $0)?.task.rawValue }
        case .finished:
            let shown = 0..<shownEndedCount
            return selection.count(in: shown, known: shown, cursor: endedRowIndex) { endedRow(at: $0)?.seq }
        case .events:
            let shown = 0..<shownEventCount
            return selection.count(in: shown, known: shown, cursor: eventRowIndex) { eventRow(at: $0)?.seq }
        default: return 0
        }
    }
}
