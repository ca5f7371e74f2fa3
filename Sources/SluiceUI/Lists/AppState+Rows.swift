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

    /// Tasks that ended and are still shown behind the active ones, as far as the filter of those lets them through.
    var lingering: [FinishedTask] {
        let filter = self[list: .active].narrowing
        return filter.isEmpty ? finished : finished.filter { filter.matches("\($0.url) \($0.sentence.subject)") }
    }

    /// Rows of the queue, or those of them that match.
    var shownQueueCount: Int { snapshot.queuedMatches ?? snapshot.queuedCount }

    /// Rows of the finished list, whatever a filter hides.
    var wholeEndedCount: Int {
        let oldest = ended.lastSeq - ended.count
        return ended.count - endedIndex.hidden.count { $0 > oldest }
    }

    var shownEndedCount: Int { endedIndex.seqs?.count ?? ended.count }

    /// The entry at a row of the finished list.
    func endedRow(at index: Int) -> EndedTask? {
        guard index >= 0, index < shownEndedCount else { return nil }
        return ended[age: endedIndex.seqs.map { ended.age(ofSeq: $0[index]) } ?? index]
    }

    /// Where the cursor of the finished list stands.
    var endedCursor: Int {
        guard let seq = finishedCursor.id else { return 0 }
        if endedIndex.seqs != nil { return endedIndex.index(of: seq) ?? 0 }
        return ended.age(ofSeq: seq)
    }

    var shownEventCount: Int { eventIndex.seqs?.count ?? log.count }

    func eventRow(at index: Int) -> EventRows.Entry? {
        guard index >= 0, index < shownEventCount else { return nil }
        return log[age: eventIndex.seqs.map { log.age(ofSeq: $0[index]) } ?? index]
    }

    var eventCursor: Int {
        guard let seq = events.id else { return 0 }
        if eventIndex.seqs != nil { return eventIndex.index(of: seq) ?? 0 }
        return log.age(ofSeq: seq)
    }

    /// Makes the lists anew that something changed for; costs nothing where all rows are shown.
    mutating func refreshLists() {
        let list = self[list: .finished]
        if endedIndex.isStale(list, newest: ended.lastSeq, count: ended.count) { endedIndex.show(endedSeqs(list)) }
        let events = self[list: .events]
        let newest = log.count > 0 ? log[age: 0].seq : 0
        guard eventIndex.isStale(events, newest: newest, count: log.count) else { return }
        var seqs: [Int] = []
        for age in 0..<log.count where events.narrowing.matches(log[age: age].searchText) {
            seqs.append(log[age: age].seq)
        }
        eventIndex.show(events.isReversed ? seqs.reversed() : seqs)
    }

    private func endedSeqs(_ list: ListState) -> [Int] {
        if list.narrowing.isEmpty, list.sort == .natural {
            // Their numbers have no gap, and no row need be looked at.
            let seqs = (0..<ended.count).map { ended.lastSeq - $0 }
            return list.isReversed ? seqs.reversed() : seqs
        }
        var rows = (0..<ended.count).map { ended[age: $0] }
        if !list.narrowing.isEmpty {
            rows = rows.filter { list.narrowing.matches($0.searchText) }
        }
        switch list.sort {
        case .name: rows = Self.sorted(rows) { $0.name.lowercased() }
        case .host: rows = Self.sorted(rows) { URLText.hostName(of: $0.end.url) }
        case .size: rows = Self.sorted(rows) { -$0.end.bytes }
        case .outcome: rows = Self.sorted(rows) { $0.end.outcome.rawValue }
        case .natural, .progress, .rate: break
        }
        if list.isReversed { rows.reverse() }
        return rows.map(\.seq)
    }

    /// Each key is made once.
    private static func sorted<Key: Comparable>(_ rows: [EndedTask], by key: (EndedTask) -> Key) -> [EndedTask] {
        let keyed = rows.enumerated().map { (key($0.element), $0.offset, $0.element) }
        return keyed.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }.map(\.2)
    }

    /// How a list is looked at.
    subscript(list panel: Panel) -> ListState {
        get { lists[panel] ?? ListState() }
        set { lists[panel] = newValue == ListState() ? nil : newValue }
    }

    /// The number that the row under the cursor keeps, and where it stands.
    var cursorRow: (row: Int, index: Int)? {
        switch focus {
        case .active:
            let rows = activeRows
            return rows.indices.contains(active.index) ? (rows[active.index].task.rawValue, active.index) : nil
        case .queued:
            return snapshot.queuedRow(at: queue.position).map { ($0.task.rawValue, queue.position) }
        case .finished: return endedRow(at: endedCursor).map { ($0.seq, endedCursor) }
        case .events: return eventRow(at: eventCursor).map { ($0.seq, eventCursor) }
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

    /// How many rows are selected in a list, 0 if only the cursor's row is meant.
    func selectedCount(in panel: Panel) -> Int {
        let selection = self[list: panel].selection
        guard !selection.isEmpty else { return 0 }
        switch panel {
        case .active:
            let rows = activeRows.map(\.task.rawValue)
            return selection.count(in: rows.indices, known: rows.indices, cursor: active.index) { rows[$0] }
        case .queued:
            let first = snapshot.queuedFrom
            return selection.count(
                in: 1..<max(0, shownQueueCount) + 1,
                known: first..<first + snapshot.queued.count,
                cursor: queue.position
            ) { snapshot.queuedRow(at: $0)?.task.rawValue }
        case .finished:
            let shown = 0..<shownEndedCount
            return selection.count(in: shown, known: shown, cursor: endedCursor) { endedRow(at: $0)?.seq }
        case .events:
            let shown = 0..<shownEventCount
            return selection.count(in: shown, known: shown, cursor: eventCursor) { eventRow(at: $0)?.seq }
        default: return 0
        }
    }
}
