internal import SluiceCore

/// Tasks that run, wait and are paused, and for some seconds those that ended.
enum ActiveView {
    /// One line of the list.
    private enum Line {
        case task(PipelineSnapshot.Row, index: Int)
        case heading(String)
        case finished(AppState.LingeringTask)
    }

    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        let isFocused = state.keyPanel == .active
        let inner = Rect(x: rect.x + 1, y: rect.y + 1, width: rect.width - 2, height: rect.height - 2)
        let hasHeading = rect.width < painter.width ? inner.height > 1 : inner.height >= 9
        let feet = feet(state, rows: hasHeading ? inner.height - 1 : inner.height)
        var edges = Painter.Edges(state.digit(.active), "active", facts: facts(state), feet: feet)
        edges.isFocused = isFocused
        edges.note = ListNote.text(.active, state)
        painter.box(rect, edges)
        if EmptyView.isShown(state) { return EmptyView.draw(in: rect, &painter) }
        drawRows(state, in: inner, hasHeading: hasHeading, now: now, &painter)
    }

    /// Draws the rows without a frame, as in small terminals.
    ///
    /// - Returns: Rows used.
    @discardableResult
    static func drawRows(
        _ state: AppState,
        in rect: Rect,
        hasHeading: Bool,
        now: Timestamp,
        _ painter: inout Painter
    ) -> Int {
        var columns = TaskColumns(x: rect.x, width: rect.width)
        var (y, rows) = (rect.y, rect.height)
        guard rows > 0 else { return 0 }
        if hasHeading {
            columns.drawHeading(y: y, &painter)
            (y, rows) = (y + 1, rows - 1)
        }
        let selected = state.keyPanel == .active ? state.activeCursor.index : nil
        let lines = shownLines(state, rows: rows)
        let selection = state[list: .active].selection
        columns.places = NamePlaces(lines.map(named), hostColumns: columns.host == nil ? nil : TaskColumns.hostColumns)
        for (place, line) in lines.enumerated() {
            switch line {
            case .task(let row, let index):
                painter.noteTarget(.active(index), Rect(x: rect.x, y: y, width: rect.width, height: 1))
                let isMarked = selection.contains(row.task.rawValue, index: index, cursor: state.activeCursor.index)
                if isMarked { painter.mark(x: rect.x, y: y, width: rect.width) }
                columns.draw(row, at: place, y: y, isSelected: index == selected, state, now: now, &painter)
                if isMarked {
                    painter.put(.bold("●", index == selected ? .focus : .accent), x: rect.x, y: y)
                }
            case .heading(let text):
                painter.rule(.dim(text), x: columns.name, y: y, width: rect.right - 1 - columns.name)
            case .finished(let task):
                columns.draw(task, at: place, y: y, &painter)
            }
            y += 1
        }
        if lines.isEmpty {
            painter.put(fitting: nothing(state), x: columns.name, y: y, limit: rect.right - 1 - columns.name)
        }
        let left = rect.bottom - y
        if hasHeading, left >= 4, let row = state.selectedActiveRow {
            DetailView.draw(
                row,
                state,
                in: Rect(x: columns.name, y: y, width: rect.right - 1 - columns.name, height: left),
                now: now,
                &painter
            )
            return rect.height
        }
        return y - rect.y
    }

    /// What a line shows as its name, and the URL; both empty for a heading.
    private static func named(_ line: Line) -> (name: String, url: String) {
        switch line {
        case .task(let row, _): (row.name, row.url)
        case .heading: ("", "")
        case .finished(let task): (task.sentence.subject, task.url)
        }
    }

    /// Why no row is there.
    private static func nothing(_ state: AppState) -> StyledText {
        let snapshot = state.snapshot
        let isHiding = state.liveTasks > snapshot.queuedCount || !state.news.lingering.isEmpty
        if isHiding, let text = ListNote.nothing(.active, state) { return text }
        if snapshot.settings.suspended, state.replay == nil {
            let count = snapshot.queuedCount
            let waiting = StyledText.dim(" with ") + .plain(Format.count(count)) + .dim(" waiting")
            let text = StyledText("The queue is suspended", .wait) + (count > 0 ? waiting : StyledText())
            return text + state.hint(": ", state.isAllPaused ? .pauseAll : .suspend, "goes on")
        }
        let counts = snapshot.counts
        let text = StyledText.dim("Nothing runs: ") + .plain(Format.count(counts.succeededForUsers)) + .dim(" done, ")
        let cached = StyledText.plain(Format.count(counts.cachedForUsers)) + .dim(" from the cache, ")
        let rest = StyledText.plain(Format.count(state.failedCount)) + .dim(" failed. ")
        return text + (counts.cachedForUsers > 0 ? cached : StyledText()) + rest
            + (state.replay == nil ? state.hint(.typeURL, "adds URLs.") : StyledText())
    }

    private static func lines(_ state: AppState, rows: Int) -> [Line] {
        let snapshot = state.snapshot
        var lines: [Line] = []
        var index = 0
        func add(_ tasks: [PipelineSnapshot.Row]) {
            for row in tasks {
                lines.append(.task(row, index: index))
                index += 1
            }
        }
        let groups = state.activeGroups
        add(groups[0])
        if !groups[1].isEmpty {
            let more = snapshot.waitingCount - snapshot.waiting.count
            lines.append(.heading("waiting for a retry, holding no slot" + (more > 0 ? " · \(more) more" : "")))
            add(groups[1])
        }
        if !groups[2].isEmpty {
            let more = snapshot.pausedCount - snapshot.paused.count
            let isAll = state.isAllStopped && state.replay == nil
            let key = isAll ? state.configuration.keys.phrase(.pauseAll, "resumes all") : nil
            let word = snapshot.hasEnded ? "left when the session ended" : "paused, holding no slot"
            let title = key.map { "All paused: \($0)" } ?? word
            lines.append(.heading(title + (more > 0 ? " · \(more) more" : "")))
            add(groups[2])
        }
        // Each row says by its sign and word what it waits for: a row in sight is more than the heading above it.
        // Which key resumes all, only that heading says.
        if lines.count > rows, rows < 8 || index <= rows, !state.isAllStopped {
            lines.removeAll { if case .heading = $0 { true } else { false } }
        }
        for task in state.lingering.suffix(max(0, rows - lines.count)).reversed() { lines.append(.finished(task)) }
        return lines
    }

    /// The lines that a place of so many rows has room for, the selected one among them.
    private static func shownLines(_ state: AppState, rows: Int) -> ArraySlice<Line> {
        var lines = lines(state, rows: rows)
        let selected = state.keyPanel == .active ? state.activeCursor.index : 0
        let cursor = lines.firstIndex { line in
            if case .task(_, let index) = line { index == selected } else { false }
        }
        func shown() -> ArraySlice<Line> {
            let top = ListCursor<TaskID>.top(index: cursor ?? 0, count: lines.count, rows: rows)
            return lines.dropFirst(top).prefix(rows)
        }
        let last = shown().endIndex - 1
        // The row under it takes the place of a heading that would stand alone; the cursor is above both.
        if lines.indices.contains(last), case .heading = lines[last] { lines.remove(at: last) }
        return shown()
    }

    private static func facts(_ state: AppState) -> [StyledText] {
        let snapshot = state.snapshot
        let slots =
            StyledText.figure("\(snapshot.active.count)")
            + .dim(" of \(Format.plural(snapshot.settings.maxActive, "slot"))")
        var full = slots
        if snapshot.waitingCount > 0 { full += .dim(" · ") + .bold("\(snapshot.waitingCount) waiting", .wait) }
        if snapshot.pausedCount > 0 {
            full += .dim(" · ") + .bold("\(snapshot.pausedCount) \(snapshot.hasEnded ? "left" : "paused")", .wait)
        }
        return [full, slots]
    }

    /// `rows` are those that tasks and their headings have room for.
    private static func feet(_ state: AppState, rows: Int) -> [StyledText] {
        let tasks = state.activeRows
        guard !tasks.isEmpty else {
            let snapshot = state.snapshot
            let hidden = snapshot.active.count + snapshot.waitingCount + snapshot.pausedCount
            if state[list: .active].isNarrowed, hidden > 0 {
                let unlisted = state.unlistedCount
                let match = StyledText.dim("0 of \(Format.count(hidden - unlisted)) match")
                return unlisted > 0 ? [match + .dim(" · \(Format.count(unlisted)) more not listed"), match] : [match]
            }
            return [.dim(snapshot.counts.tasks == 0 ? "no tasks yet" : "no task runs")]
        }
        let position = min(state.activeCursor.index, tasks.count - 1) + 1
        // Of rows that are not known nobody knows the receipts.
        let unlisted = state.unlistedCount
        func choices(_ place: String) -> [StyledText] {
            if unlisted > 0 { return [.dim("\(place) · \(Format.count(unlisted)) more not listed"), .dim(place)] }
            // Those of queued tasks stand in the header.
            let receipts = Format.plural(tasks.reduce(0) { $0 + $1.receipts }, "receipt")
            return [.dim("\(receipts) · \(place)"), .dim(place)]
        }
        let shown = shownLines(state, rows: max(0, rows)).compactMap { line -> Int? in
            if case .task(_, let index) = line { index } else { nil }
        }
        // A row that has no place must not seem not to be: as in the queue.
        guard shown.count < tasks.count, let first = shown.first, let last = shown.last else {
            return choices("\(position) of \(tasks.count)")
        }
        let range = "\(first + 1)–\(last + 1) of \(tasks.count)"
        let place = state.keyPanel == .active ? "\(position) · \(range)" : range
        return choices(place) + [.dim(range)]
    }
}

extension AppState {
    /// Waiting and paused tasks beyond those that a snapshot holds: none of them has a row, or is looked into.
    var unlistedCount: Int {
        max(0, snapshot.waitingCount - snapshot.waiting.count) + max(0, snapshot.pausedCount - snapshot.paused.count)
    }

    /// The selected row of the active panel, whatever has the focus.
    var selectedActiveRow: PipelineSnapshot.Row? {
        let rows = activeRows
        return rows.indices.contains(activeCursor.index) ? rows[activeCursor.index] : rows.last
    }
}
