/// The box with the whole text of an event, over the dimmed screen; scrolls where the text is longer than it is high.
enum EventTextView {
    /// Whether it can be opened; in a smaller window it would cover everything and show next to nothing.
    static func hasRoom(_ state: AppState) -> Bool { state.layout.form != .line && state.terminal.height >= 8 }

    /// Lines of the text that are seen at once. `1...`
    static func rows(_ text: EventText, _ state: AppState) -> Int { max(1, rect(text, state).height - 2) }

    /// How far it can be scrolled.
    static func lastOffset(_ text: EventText, _ state: AppState) -> Int {
        max(0, lines(text, state).count - rows(text, state))
    }

    static func draw(_ text: EventText, _ state: AppState, _ painter: inout Painter) {
        let rect = rect(text, state)
        guard hasRoom(state), rect.height >= 3 else { return }
        painter.dimAll()
        let lines = lines(text, state)
        let rows = rect.height - 2
        let offset = min(text.offset, max(0, lines.count - rows))
        let subject = Elision.middle(text.subject, max(8, rect.width - 8 - TextWidth.columns(of: text.verb)))
        var edges = Painter.Edges("", "\(text.verb) \(subject)", facts: [.dim(text.time)])
        edges.isFocused = true
        let closes = StyledText("Esc", .accent) + .dim(" closes")
        edges.feet = [closes]
        if lines.count > rows {
            let arrows = StyledText(painter.glyphs.label("↑ ↓"), .accent)
            edges.feet = [arrows + .dim(" scroll  ") + closes, arrows + .plain("  ") + closes, closes]
            edges.note = .dim("\(offset + 1)–\(offset + rows) of \(lines.count)")
        }
        painter.box(rect, edges)
        for (row, line) in lines.dropFirst(offset).prefix(rows).enumerated() {
            painter.put(.plain(line), x: rect.x + 2, y: rect.y + 1 + row, limit: rect.width - 4)
        }
    }

    private static func lines(_ text: EventText, _ state: AppState) -> [String] {
        text.lines(columns: max(1, width(state) - 4))
    }

    private static func width(_ state: AppState) -> Int { min(max(0, state.terminal.width - 4), 90) }

    /// As high as the text needs, between header and prompt.
    private static func rect(_ text: EventText, _ state: AppState) -> Rect {
        let body = state.layout.bodyRect
        let width = width(state)
        let height = min(lines(text, state).count + 2, body.height)
        return Rect(
            x: (state.terminal.width - width) / 2,
            y: body.y + (body.height - height) / 2,
            width: width,
            height: height
        )
    }
}

extension AppState {
    /// Whether an event is read that has more text than there is room for.
    var hasMoreOfEvent: Bool {
        if case .event(let text) = mode { EventTextView.lastOffset(text, self) > 0 } else { false }
    }
}
