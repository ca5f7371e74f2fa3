internal import SluiceCore

/// The tasks that wait for a slot: only the rows in sight are known and drawn.
enum QueuedView {
    /// Whether there is room to spare for the names of the columns.
    static func hasHeading(rows: Int) -> Bool { rows >= 8 }

    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        let snapshot = state.snapshot
        let visible = state.visibleQueueRows
        let isFocused = state.keyPanel == .queued
        var edges = Painter.Edges(state.digit(.queued), "queued", facts: facts(snapshot))
        let least = edges.facts.last?.width ?? 0
        ListTabs(beside: .queued, state, width: rect.width, leaving: least + 3).add(to: &edges, in: rect, &painter)
        edges.isFocused = isFocused
        let count = state.shownQueueCount
        edges.note = ListNote.text(.queued, state)
        if count > 0 {
            let first = state.queueCursor.top
            let last = min(count, first + visible - 1)
            let range =
                .dim("\(Format.count(first))–\(Format.count(last)) of \(Format.count(count))")
                as StyledText
            let place = StyledText.dim("\(Format.count(state.queueCursor.position)) · ") + range
            edges.feet = isFocused ? [place, range] : [range]
        }
        painter.box(rect, edges)
        guard snapshot.queuedCount > 0 else { return drawEmpty(state, in: rect, &painter) }
        let last = min(count, state.queueCursor.top + visible - 1)
        var columns = Columns(rect, digits: String(snapshot.queuedMatches == nil ? last : snapshot.queuedCount).count)
        let selection = state[list: .queued].selection
        var y = rect.y + 1
        if hasHeading(rows: rect.height - 2) {
            columns.drawHeading(y: y, &painter)
            y += 1
        }
        if count == 0, !snapshot.isFiltering, let text = ListNote.nothing(.queued, state) {
            painter.put(fitting: text, x: rect.x + 2, y: y, limit: rect.width - 3)
        }
        let (top, room) = (state.queueCursor.top, max(0, rect.bottom - 1 - y))
        let shown = (top..<top + room).map { position -> (name: String, url: String) in
            let row = snapshot.queuedRow(at: position)
            return (row?.name ?? "", row?.url ?? "")
        }
        columns.places = NamePlaces(shown, hostColumns: columns.host == nil ? nil : Columns.hostColumns)
        for position in top..<top + room {
            guard position <= count else { break }
            painter.noteTarget(.queued(position), Rect(x: rect.x, y: y, width: rect.width, height: 1))
            let isSelected = isFocused && position == state.queueCursor.position
            if isSelected {
                painter.ground(.select, x: rect.x + 1, y: y, width: rect.width - 2)
                painter.put(.bold("▌", .focus), x: rect.x + 1, y: y)
            }
            if let row = snapshot.queuedRow(at: position) {
                if selection.contains(row.task.rawValue, index: position, cursor: state.queueCursor.position) {
                    ListNote.mark(x: rect.x + 1, y: y, width: rect.width - 2, isCursor: isSelected, &painter)
                }
                let place = if case .queued(let place) = row.state, place > 0 { place } else { position }
                columns.draw(row, place, at: position - top, y: y, isSelected: isSelected, now: now, &painter)
            } else {
                painter.put(.dim("\(position)"), endingAt: columns.name - 2, y: y)
                painter.put(.dim("…"), x: columns.name, y: y)
            }
            y += 1
        }
    }

    private static func facts(_ snapshot: PipelineSnapshot) -> [StyledText] {
        let figure = StyledText.figure(Format.count(snapshot.queuedCount))
        let count = figure + .dim(" · \(snapshot.settings.order.rawValue)")
        guard snapshot.settings.suspended else { return [count, figure] }
        let suspended = StyledText.dim(" · ") + StyledText("‖ suspended", .wait)
        // The lower edge has the count; the tabs beside it stand nowhere else.
        return [count + suspended, figure + suspended, StyledText("‖ suspended", .wait)]
    }

    private static func drawEmpty(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let snapshot = state.snapshot
        let keys = [KeyAction.moreSlots, .fewerSlots].compactMap { state.configuration.keys.label(of: $0) }
        let slots = snapshot.settings.maxActive == 1 ? "the only slot" : "all \(snapshot.settings.maxActive) slots"
        var lines: [StyledText] = [
            .dim("Requests wait here while \(slots)"),
            .dim(snapshot.settings.maxActive == 1 ? "is taken." : "are taken."),
        ]
        if state.replay == nil, keys.count == 2 {
            lines[1] +=
                .dim(" ") + StyledText(keys[0], .accent) + .dim(" and ")
                + StyledText(keys[1].replacing("-", with: "−"), .accent)
                + .dim(rect.width < 44 ? " change that." : " change their number.")
        }
        for (index, line) in lines.prefix(max(0, rect.height - 2)).enumerated() {
            painter.put(fitting: line, x: rect.x + 2, y: rect.y + 1 + index, limit: rect.width - 3)
        }
    }

    /// Columns at one width; source and host go first.
    private struct Columns {
        let right: Int
        let name: Int
        static let hostColumns = 19

        let host: Int?
        let source: Int?
        let receipts: Int
        /// What tells the rows in sight apart that have the same name.
        var places = NamePlaces()

        /// `digits` are those of the largest position in sight.
        init(_ rect: Rect, digits: Int) {
            right = rect.right - 2
            name = rect.x + max(7, 4 + digits)
            receipts = right - 7
            let hasHost = rect.width >= 64
            let hasSource = rect.width >= 96
            source = hasSource ? receipts - 22 : nil
            host = hasHost ? (source.map { $0 - 2 } ?? receipts - 4) - 20 : nil
        }

        func drawHeading(y: Int, _ painter: inout Painter) {
            painter.put(.dim("#"), endingAt: name - 2, y: y)
            painter.put(.dim("name"), x: name, y: y)
            if let host { painter.put(.dim("host"), x: host, y: y) }
            if let source { painter.put(.dim("from"), x: source, y: y) }
            painter.put(.dim("rcpt"), endingAt: receipts, y: y)
            painter.put(.dim("wait"), endingAt: right, y: y)
        }

        func draw(
            _ row: PipelineSnapshot.Row,
            _ position: Int,
            at index: Int,
            y: Int,
            isSelected: Bool,
            now: Timestamp,
            _ painter: inout Painter
        ) {
            painter.put(StyledText(String(position), position == 1 ? .bright : .dim), endingAt: name - 2, y: y)
            let mark = TaskColumns.receipts(row.receipts)
            let end = host ?? source ?? receipts - mark.width
            let full = VisibleText.visible(row.name, limit: 300)
            let room = max(0, end - 1 - name)
            let marks = RowMarks.text(row, beside: places.whole(full, at: index), room: room)
            let text = places.text(full, at: index, room: room - marks.width) { text in
                isSelected ? .figure(text) : .plain(text)
            }
            painter.put(text + marks, x: name, y: y)
            if let host {
                painter.put(.dim(NamePlaces.shownHost(row.host, columns: Self.hostColumns)), x: host, y: y)
            }
            if let source {
                painter.put(.dim(DetailView.source(row.source, columns: 17)), x: source, y: y, limit: 17)
            }
            painter.put(mark, endingAt: receipts, y: y)
            painter.put(.plain(Format.shortTime(now - row.submitted)), endingAt: right, y: y)
        }
    }
}
