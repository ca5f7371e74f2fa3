internal import SluiceCore

/// What failed, why, and for how long lists and pastes pass it over.
enum FailedView {
    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        let rows = state.failedRows
        let isFocused = state.keyPanel == .failed
        var edges = Painter.Edges(state.digit(.failed), "failed", facts: facts(state), feet: feet(state, rows))
        ListTabs(beside: .failed, state, width: rect.width).add(to: &edges, in: rect, &painter)
        edges.isFocused = isFocused
        edges.note = ListNote.text(.failed, state)
        painter.box(rect, edges)
        var (y, room) = (rect.y + 1, rect.height - 2)
        let hasHeading = room >= 8
        if hasHeading { room -= 1 }
        var cursor = state.failedCursor
        cursor.settle(rows.map(\.id))
        let top = ListCursor<FailedRow.ID>.top(index: cursor.index, count: rows.count, rows: room)
        let shown = rows.dropFirst(top).prefix(max(0, room))
        let columns = Columns(rect, shown, hasHeading: hasHeading)
        if hasHeading {
            columns.drawHeading(y: y, &painter)
            y += 1
        }
        guard room > 0 else { return }
        guard !rows.isEmpty else {
            let words = "What failed stands here" + (rect.width >= 56 ? ", with what to do about it." : ".")
            let text = ListNote.nothing(.failed, state) ?? .dim(words)
            painter.put(fitting: text, x: rect.x + 2, y: y, limit: rect.width - 4)
            return
        }
        // Of all that are remembered, a snapshot holds the newest only.
        let listsMore = state.snapshot.failedCount > state.snapshot.failed.count
        for (place, (index, row)) in zip(shown.indices, shown).enumerated() {
            let isSelected = isFocused && index == cursor.index
            painter.noteTarget(.failed(index), Rect(x: rect.x, y: y, width: rect.width, height: 1))
            if isSelected {
                painter.ground(.select, x: rect.x + 1, y: y, width: rect.width - 2)
                painter.put(.bold("▌", .focus), x: rect.x + 1, y: y)
            }
            columns.draw(row, at: place, y: y, isSelected: isSelected, listsMore: listsMore, now: now, &painter)
            y += 1
        }
    }

    private static func facts(_ state: AppState) -> [StyledText] {
        let count = state.failedCount
        let figure = StyledText(Format.count(count), count > 0 ? .bad : .bright, bold: true)
        let time = state.snapshot.settings.failedFor
        let remembered = state.snapshot.failedCount
        guard time > .zero, remembered > 0 || count == 0 else {
            return [figure + .dim(" · none is remembered"), figure]
        }
        let minutes = time.nanoseconds % 60_000_000_000 == 0
        let text = minutes ? Format.plural(Int(time.seconds) / 60, "minute") : Format.seconds(time)
        let words = remembered < count ? "\(Format.count(remembered)) remembered" : "remembered"
        return [figure + .dim(" · \(words) for \(text)"), figure + .dim(" · \(words)"), figure]
    }

    private static func feet(_ state: AppState, _ rows: [FailedRow]) -> [StyledText] {
        guard !rows.isEmpty else { return [] }
        var cursor = state.failedCursor
        cursor.settle(rows.map(\.id))
        var place = StyledText.dim("\(Format.count(cursor.index + 1)) of \(Format.count(rows.count))")
        let unlisted = state.unlistedFailedCount
        if unlisted > 0 { place += .dim(" · \(Format.count(unlisted)) more not listed") }
        let words: [(KeyAction, String)] = [
            (.retry, "retry"), (.retryAll, "all"), (.removeRow, "forget"), (.editURL, "edit URL"),
        ]
        let keys = words.map { action, word in state.hint(action, word) }.filter { !$0.isEmpty }
        // As many keys as fit.
        return keys.indices.reversed().map { last in keys[...last].reduce(place) { $0 + .dim(" · ") + $1 } } + [place]
    }

    /// Why something failed, in one word, where no column is for it; a name of ten columns keeps its place before that.
    ///
    /// - Returns: How wide the word is.
    static func putReason(
        _ error: DownloadError,
        after name: Int,
        endingAt end: Int,
        y: Int,
        _ painter: inout Painter
    ) -> Int {
        // Which status it was says more in three columns than that it was bad.
        let status = error.code == .badStatus ? error.status : nil
        let reason = status.map { String($0) } ?? error.code.rawValue
        let word = StyledText(Elision.end(reason, end - name - 12), .bad)
        painter.put(word, endingAt: end, y: y)
        return word.width
    }

    /// Columns at one width; what happened goes first, then the code.
    private struct Columns {
        let mark: Int
        let name: Int
        let host: Int?
        let code: Int?
        let what: Int?
        let right: Int
        /// Whether the code ends before the time instead of standing in a column, so that each name has the rest.
        let isNarrow: Bool

        /// Room of `not kept`, or of a countdown, which says of what where no heading does.
        private let time: Int
        private let hasHeading: Bool
        /// As wide as in the finished list, and a gap.
        private static let hostWidth = hostColumns + 2
        private static let hostColumns = 19
        private let codes: Int
        /// What tells the rows in sight apart that have the same name.
        private let places: NamePlaces

        /// Sized by the longest name and the longest code among the rows in sight.
        init(_ rect: Rect, _ rows: ArraySlice<FailedRow>, hasHeading: Bool) {
            self.hasHeading = hasHeading
            time = hasHeading ? 9 : 10
            codes = max(11, min(17, (rows.map(\.error.code.rawValue.count).max() ?? 0) + 2))
            (mark, right) = (rect.x + 2, rect.right - 2)
            name = mark + 2
            let room = right - time - name
            // Equal names of several hosts are told apart where what happened keeps its room.
            let hasHost = room >= 96
            let named = rows.map { (name: $0.name, url: $0.url) }
            let places = NamePlaces(named, hostColumns: hasHost ? Self.hostColumns : nil)
            self.places = places
            let longest = named.enumerated().map { index, row in
                TextWidth.columns(of: places.whole(VisibleText.visible(row.name, limit: 300), at: index))
            }.max()
            // The room that names leave is for what happened.
            let names = min(max(20, room * 3 / 10), longest.map { max(6, $0 + 2) } ?? .max)
            host = hasHost ? name + names : nil
            let left = name + names + (host == nil ? 0 : Self.hostWidth)
            code = room >= 34 ? room >= 50 ? left : right - time - codes : nil
            isNarrow = room < 34
            what = room >= 50 ? left + codes : nil
        }

        func drawHeading(y: Int, _ painter: inout Painter) {
            painter.put(.dim("name"), x: name, y: y)
            if let host { painter.put(.dim("host"), x: host, y: y) }
            if let code { painter.put(.dim("code"), x: code, y: y) }
            if isNarrow { painter.put(.dim("code"), endingAt: right - time, y: y) }
            if let what { painter.put(.dim("what happened"), x: what, y: y) }
            painter.put(.dim("kept for"), endingAt: right, y: y)
        }

        func draw(
            _ row: FailedRow,
            at index: Int,
            y: Int,
            isSelected: Bool,
            listsMore: Bool,
            now: Timestamp,
            _ painter: inout Painter
        ) {
            painter.put(.bold("✗", .bad), x: mark, y: y)
            var end = host ?? code ?? right - time
            if isNarrow {
                end -= FailedView.putReason(row.error, after: name, endingAt: end, y: y, &painter)
            }
            let text = places.text(
                VisibleText.visible(row.name, limit: 300),
                at: index,
                room: max(4, end - 2 - name),
                { isSelected ? .figure($0) : .plain($0) }
            )
            painter.put(text, x: name, y: y)
            if let host {
                let text = NamePlaces.shownHost(URLText.hostName(of: row.url), columns: Self.hostColumns)
                painter.put(.dim(text), x: host, y: y)
            }
            if let code {
                let word = Elision.end(row.error.code.rawValue, codes - 1)
                painter.put(StyledText(word, .bad), x: code, y: y)
            }
            if let what {
                let text = VisibleText.visible(EventSentence.brief(row.error), limit: 300)
                painter.put(fitting: .dim(text), x: what, y: y, limit: right - time - 1 - what)
            }
            painter.put(wait(row, listsMore: listsMore, now: now), endingAt: right, y: y)
        }

        /// For how long lists and pastes pass it over; a key tries again at once, whatever stands there.
        private func wait(_ row: FailedRow, listsMore: Bool, now: Timestamp) -> StyledText {
            let left = row.until.map { $0 - now } ?? .zero
            guard left > .zero else {
                return .dim(row.until == nil && row.error.isPermanent && listsMore ? "–" : "not kept")
            }
            let figure = StyledText.plain(Format.countdown(left))
            let sentence = StyledText.dim("kept ") + figure
            return hasHeading || sentence.width >= time ? figure : sentence
        }
    }
}
