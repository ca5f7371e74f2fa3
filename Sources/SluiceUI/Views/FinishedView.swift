internal import SluiceCore

/// Tasks that ended, newest first; only the rows in sight are made.
enum FinishedView {
    static func draw(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let counts = state.snapshot.counts
        let isFocused = state.keyPanel == .finished
        var facts = StyledText.figure(Format.count(counts.succeededForUsers)) + .dim(" done")
        // As the header: what was tried again or forgotten is no failure any more.
        let failed = state.failedCount
        if failed > 0 { facts += .dim(" · ") + .bold("\(Format.count(failed)) failed", .bad) }
        if counts.cancelledForUsers > 0 { facts += .dim(" · \(Format.count(counts.cancelledForUsers)) cancelled") }
        var edges = Painter.Edges(state.digit(.finished), "finished", facts: [facts], feet: feet(state))
        ListTabs(beside: .finished, state, width: rect.width).add(to: &edges, in: rect, &painter)
        edges.isFocused = isFocused
        edges.note = ListNote.text(.finished, state)
        painter.box(rect, edges)
        let selected = state.endedRowIndex
        let count = state.shownEndedCount
        let selection = state[list: .finished].selection
        var y = rect.y + 1
        var rows = rect.height - 2
        let hasHeading = rows >= 8
        if hasHeading { rows -= 1 }
        let top = ListCursor<Int>.top(index: selected, count: count, rows: rows)
        let shown = (top..<max(top, min(count, top + rows))).compactMap { index in
            state.endedRow(at: index).map { (index: index, row: $0) }
        }
        let columns = Columns(rect, shown.map(\.row))
        if hasHeading {
            columns.drawHeading(y: y, &painter)
            y += 1
        }
        guard rows > 0 else { return }
        // Also where the last row was taken away.
        if count == 0, !state[list: .finished].isNarrowed {
            return drawEmpty(x: rect.x + 2, y: y, limit: rect.width - 3, &painter)
        }
        if count == 0, let text = ListNote.nothing(.finished, state) {
            painter.put(fitting: text, x: rect.x + 2, y: y, limit: rect.width - 3)
        }
        for (place, (index, row)) in shown.enumerated() {
            let isSelected = isFocused && index == selected
            painter.noteTarget(.finished(seq: row.seq), Rect(x: rect.x, y: y, width: rect.width, height: 1))
            if isSelected {
                painter.ground(.select, x: rect.x + 1, y: y, width: rect.width - 2)
                painter.put(.bold("▌", .focus), x: rect.x + 1, y: y)
            }
            if selection.contains(row.seq, index: index, cursor: selected) {
                ListNote.mark(x: rect.x + 1, y: y, width: rect.width - 2, isCursor: isSelected, &painter)
            }
            columns.draw(row, at: place, y: y, isSelected: isSelected, state, &painter)
            y += 1
        }
    }

    private static func drawEmpty(x: Int, y: Int, limit: Int, _ painter: inout Painter) {
        let words = limit < 41 ? "What ended stands here." : "What ended stands here, the newest first."
        painter.put(fitting: .dim(words), x: x, y: y, limit: limit)
    }

    private static func feet(_ state: AppState) -> [StyledText] {
        let count = state.shownEndedCount
        guard count > 0 else { return [] }
        return [.dim("\(Format.count(state.endedRowIndex + 1)) of \(Format.count(count))")]
    }

    /// Columns at one width; host and type go first.
    private struct Columns {
        private static let mostName = 48

        let mark: Int
        let name: Int
        let host: Int?
        let size: Int
        let what: Int
        let right: Int
        /// Whether there is room for what happened; without it a failure has its reason in the place of its size.
        let hasWhat: Bool
        /// What tells the rows in sight apart that have the same name.
        private let places: NamePlaces

        private static let hostColumns = 19

        /// `shown` are the rows in sight.
        init(_ rect: Rect, _ shown: [EndedTask]) {
            let rows = shown.map { (name: $0.name, url: $0.end.url) }
            let places = NamePlaces(rows, hostColumns: rect.width >= 96 ? Self.hostColumns : nil)
            self.places = places
            right = rect.right - 2
            mark = rect.x + 2
            name = mark + 2
            // A word of it that is cut off says less than the name that it would cost.
            var whatWidth = rect.width >= 96 ? 34 : rect.width >= 70 ? 26 : rect.width >= 56 ? 16 : 0
            // The room that names leave is for what happened, which may be a whole sentence.
            let longest = rows.enumerated().map { index, row in
                TextWidth.columns(of: places.whole(VisibleText.visible(row.name, limit: 300), at: index))
            }.max()
            let names = min(Self.mostName, longest.map { max(4, $0) + 1 } ?? .max)
            let spare = right - 6 - whatWidth - 2 - (rect.width >= 96 ? 30 : 9) - 1 - name - names
            if whatWidth > 0 { whatWidth += max(0, spare) }
            hasWhat = whatWidth > 0
            what = right - 6 - whatWidth
            size = what - 2
            host = rect.width >= 96 ? size - 10 - 20 : nil
        }

        func drawHeading(y: Int, _ painter: inout Painter) {
            painter.put(.dim("name"), x: name, y: y)
            if let host { painter.put(.dim("host"), x: host, y: y) }
            painter.put(.dim("size"), endingAt: size, y: y)
            painter.put(.dim("what happened"), x: what, y: y, limit: right - 6 - what)
            painter.put(.dim("at"), endingAt: right, y: y)
        }

        func draw(
            _ task: EndedTask,
            at index: Int,
            y: Int,
            isSelected: Bool,
            _ state: AppState,
            _ painter: inout Painter
        ) {
            let end = task.end
            let glyph: StyledText =
                switch end.outcome {
                case .success: .bold("✓", .ok)
                case .failed: .bold("✗", .bad)
                case .cancelled: .dim("⊘")
                }
            painter.put(glyph, x: mark, y: y)
            var room = max(4, (host ?? size - 9) - 1 - name)
            if !hasWhat, end.outcome == .failed, let error = end.error {
                room = size - 2 - name - FailedView.putReason(error, after: name, endingAt: size, y: y, &painter)
            }
            let text = places.text(
                VisibleText.visible(task.name, limit: 300),
                at: index,
                room: room,
                { isSelected ? .figure($0) : .plain($0) }
            )
            painter.put(text, x: name, y: y)
            if let host {
                let text = NamePlaces.shownHost(URLText.hostName(of: end.url), columns: Self.hostColumns)
                painter.put(.dim(text), x: host, y: y)
            }
            if let bytes = task.shownSize { painter.put(.figure(Format.bytes(bytes)), endingAt: size, y: y) }
            painter.put(fitting: facts(task, room: right - 7 - what), x: what, y: y, limit: right - 7 - what)
            painter.put(.dim(task.isEarlier ? "–" : state.clock.time(after: task.t)), endingAt: right, y: y)
        }

        private func facts(_ task: EndedTask, room: Int) -> StyledText {
            if task.isEarlier { return .dim(room < 27 ? "saved earlier" : "saved in an earlier session") }
            let end = task.end
            switch end.outcome {
            case .success:
                var parts: [String] = [end.successWord]
                if end.source == .network {
                    parts[0] += room < 40 ? end.shortPace : end.pace
                } else {
                    parts.append(end.source == .disk ? "from disk" : "not modified")
                }
                if let image = end.image { parts.append("\(image.format.rawValue) \(image.width)×\(image.height)") }
                return .dim(parts.joined(separator: " · "))
            case .failed:
                guard let error = end.error else { return StyledText("failed", .bad) }
                let text = VisibleText.visible(EventSentence.brief(error), limit: 200)
                return StyledText(error.code.rawValue, .bad) + .dim("  \(text)")
            case .cancelled:
                return .dim(end.bytes > 0 ? "cancelled after \(Format.bytes(end.bytes).text)" : "cancelled")
            }
        }
    }
}
