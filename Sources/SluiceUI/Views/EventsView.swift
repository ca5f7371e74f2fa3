internal import SluiceCore

/// What happened, newest first; sentences are made for the rows in sight only.
enum EventsView {
    static func draw(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let isFocused = state.keyPanel == .events
        var edges = Painter.Edges(state.digit(.events), "events", feet: feet(state, isFocused: isFocused))
        if state.news.log.lost > 0 { edges.facts = [.dim("\(Format.count(state.news.log.lost)) not seen")] }
        edges.isFocused = isFocused
        edges.note = ListNote.text(.events, state)
        painter.box(rect, edges)
        let rows = rect.height - 2
        guard rows > 0 else { return }
        let selected = state.eventRowIndex
        let count = state.shownEventCount
        if count == 0, let text = ListNote.nothing(.events, state) {
            painter.put(fitting: text, x: rect.x + 2, y: rect.y + 1, limit: rect.width - 3)
        }
        let selection = state[list: .events].selection
        let top = isFocused ? ListCursor<Int>.top(index: selected, count: count, rows: rows) : 0
        for row in 0..<rows where top + row < count {
            guard let entry = state.eventRow(at: top + row) else { break }
            let isCursor = isFocused && top + row == selected
            let line = Rect(x: rect.x, y: rect.y + 1 + row, width: rect.width, height: 1)
            painter.noteTarget(.event(seq: entry.seq), line)
            drawRow(
                entry,
                isSelected: isCursor,
                y: rect.y + 1 + row,
                in: rect,
                state,
                &painter
            )
            if selection.contains(entry.seq, index: top + row, cursor: selected) {
                painter.put(.bold("●", isCursor ? .focus : .accent), x: rect.x + 1, y: rect.y + 1 + row)
            }
        }
    }

    private static func drawRow(
        _ entry: EventRows.Entry,
        isSelected: Bool,
        y: Int,
        in rect: Rect,
        _ state: AppState,
        _ painter: inout Painter
    ) {
        let sentence = state.sentence(entry)
        let subject = entry.subject.map { VisibleText.visible($0, limit: 200) } ?? sentence.subject
        var isFlash = false
        if case .cachePurged = entry.kind, state.news.flashUntil != nil, entry.t == state.news.ledger.entries.first?.t {
            isFlash = true
            painter.ground(.purge, x: rect.x + 1, y: y, width: rect.width - 2)
        } else if isSelected {
            painter.ground(.select, x: rect.x + 1, y: y, width: rect.width - 2)
            painter.put(.bold("▌", .focus), x: rect.x + 1, y: y)
        }
        let right = rect.right - 2
        func put(_ text: StyledText, x: Int, limit: Int) -> Int {
            painter.put(isFlash ? text.inked(.ink) : text, x: x, y: y, limit: min(limit, right - x))
        }
        var x = rect.x + 2
        let hasSeconds = rect.width < painter.width || rect.width >= 100
        x = put(.dim(state.clock.time(after: entry.t, seconds: hasSeconds)), x: x, limit: 8) + 2
        _ = put(.bold(sentence.glyph, sentence.role) + StyledText(" \(sentence.verb)", sentence.role), x: x, limit: 12)
        x += rect.width < 60 ? 12 : 13
        let nameWidth = rect.width < 100 ? 16 : 24
        _ = put(
            isSelected
                ? .figure(Elision.middle(subject, nameWidth))
                : .plain(Elision.middle(subject, nameWidth)),
            x: x,
            limit: nameWidth
        )
        x += nameWidth + 2
        _ = put(.dim(Elision.words(sentence.detail, right - x)), x: x, limit: .max)
    }

    private static func feet(_ state: AppState, isFocused: Bool) -> [StyledText] {
        let counts = state.snapshot.counts
        if isFocused, state.shownEventCount > 0 {
            return [.dim("\(Format.count(state.eventRowIndex + 1)) of \(Format.count(state.shownEventCount))")]
        }
        var facts: [String] = []
        if counts.succeededForUsers > 0 { facts.append("\(Format.count(counts.succeededForUsers)) done") }
        if counts.cachedForUsers > 0 { facts.append("\(Format.count(counts.cachedForUsers)) from the cache") }
        if counts.joined > 0 { facts.append("\(Format.count(counts.joined)) merged") }
        var choices = facts.isEmpty ? [] : [facts.joined(separator: " · "), facts[0]]
        if state.snapshot.received > 0 {
            // Not beside what is done: what runs and what failed is in it.
            facts.append("\(Format.bytes(state.snapshot.received).text) received")
            choices.insert(facts.joined(separator: " · "), at: 0)
        }
        return choices.isEmpty ? [.dim("all")] : choices.map(StyledText.dim)
    }
}
