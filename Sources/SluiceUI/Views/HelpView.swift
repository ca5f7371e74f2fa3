internal import SluiceCore

/// The help over the dimmed screen: keys by section, then the glyphs; made of ``KeyMap``.
enum HelpView {
    private enum Line {
        case heading(String)
        case key(String, String)
        case glyph(StyledText, String)
        case blank
    }

    private static let columnWidth = 36
    private static let columnLimit = 5

    static func draw(_ state: AppState, _ painter: inout Painter) {
        painter.dimAll()
        let rect = rect(state)
        let columns = columnCount(rect)
        var edges = Painter.Edges(
            state.configuration.keys.label(of: .help) ?? "",
            "help",
            facts: [
                .dim("keys of ") + .bright(state.replay == nil ? state.focus.title : "the recording") + .dim(" first")
            ]
        )
        let closes = StyledText("Esc", .accent) + .dim(" closes")
        let arrows = StyledText(painter.glyphs.label("↑ ↓"), .accent)
        edges.feet = [lastOffset(state) > 0 ? arrows + .dim(" scroll  ") + closes : closes, closes]
        let note = StyledText.dim(
            state.replay == nil ? "only what cannot be undone asks first" : "nothing here changes or downloads anything"
        )
        // How to leave it matters more.
        if note.width + edges.feet[0].width + 8 <= rect.width { edges.note = note }
        edges.isFocused = true
        painter.box(rect, edges)
        let rows = max(0, rect.height - 3)
        let flow = flow(state, rows: rows, columns: columns, offset: state.helpOffset)
        for (column, lines) in flow.enumerated() {
            for (row, line) in lines.prefix(rows).enumerated() {
                draw(
                    line,
                    x: rect.x + 3 + column * columnWidth,
                    y: rect.y + 2 + row,
                    width: min(columnWidth - 3, rect.width - 6),
                    &painter
                )
            }
        }
    }

    /// How far the help can be scrolled.
    static func lastOffset(_ state: AppState) -> Int {
        let rect = rect(state)
        let rows = max(1, rect.height - 3)
        let columns = columnCount(rect)
        let all = lines(state)
        return grouped(all, rows: rows, columns: columns) == nil ? max(0, all.count - rows * columns) : 0
    }

    /// As high as the help needs, above the prompt.
    private static func rect(_ state: AppState) -> Rect {
        let (width, height) = (state.width, state.height)
        let boxWidth = width >= 116 ? min(columnLimit, (width - 6) / columnWidth) * columnWidth + 2 : max(0, width - 4)
        guard height >= 16 else {
            return Rect(x: (width - boxWidth) / 2, y: 0, width: boxWidth, height: state.layout.promptRow ?? height)
        }
        var rect = Rect(x: (width - boxWidth) / 2, y: 0, width: boxWidth, height: height - 5)
        let (all, columns) = (lines(state), columnCount(rect))
        let wanted = (1..<max(2, rect.height - 3)).first { grouped(all, rows: $0, columns: columns) != nil }
        if let wanted { rect.height = wanted + 3 }
        rect.y = (height - rect.height) / 2
        return rect
    }

    private static func columnCount(_ rect: Rect) -> Int { max(1, min(columnLimit, (rect.width - 2) / columnWidth)) }

    /// The lines cut into columns; sections stay together where everything fits.
    private static func flow(_ state: AppState, rows: Int, columns: Int, offset: Int) -> [[Line]] {
        guard rows > 0 else { return [] }
        let all = lines(state)
        if let fitting = grouped(all, rows: rows, columns: columns) { return fitting }
        var result: [[Line]] = []
        var rest = all.dropFirst(min(offset, max(0, all.count - rows * columns)))
        for _ in 0..<columns {
            // A column begins with a line that says something.
            rest = rest.drop { if case .blank = $0 { true } else { false } }
            result.append(Array(rest.prefix(rows)))
            rest = rest.dropFirst(rows)
        }
        return result
    }

    private static func grouped(_ lines: [Line], rows: Int, columns: Int) -> [[Line]]? {
        var result: [[Line]] = [[]]
        for section in lines.split(whereSeparator: { if case .blank = $0 { true } else { false } }) {
            let used = result[result.count - 1].count
            if used > 0, used + 1 + section.count > rows { result.append([]) }
            if !result[result.count - 1].isEmpty { result[result.count - 1].append(.blank) }
            result[result.count - 1] += section
            if section.count > rows { return nil }
        }
        return result.count <= columns ? result : nil
    }

    private static func lines(_ state: AppState) -> [Line] {
        let isReplay = state.replay != nil
        var groups = KeyMap.Group.allCases.filter { isReplay || $0 != .replay }
        if isReplay { groups.removeAll { $0 == .prompt || $0 == .commands || $0 == .trust } }
        let own: KeyMap.Group =
            switch state.focus {
            case _ where isReplay: .replay
            case .active, .events, .detail, .finished, .failed: .tasks
            case .queued: .queue
            case .cache: .cache
            case .network, .preview: .everywhere
            }
        if let index = groups.firstIndex(of: own) { groups.insert(groups.remove(at: index), at: 0) }
        var lines: [Line] = []
        for group in groups {
            let rows = state.configuration.keys.help(group, isReplay: isReplay)
            guard !rows.isEmpty else { continue }
            lines.append(.heading(group.rawValue))
            lines += rows.map { .key($0.label, $0.text) }
            lines.append(.blank)
        }
        lines.append(.heading("glyphs"))
        lines += glyphs(state)
        lines += [.blank, .heading("indicator")]
        lines += ActivityState.allCases.map { activity in
            let mark = NetworkView.mark(activity, state)
            return .glyph(.bold(mark.glyph, mark.role), meaning(activity, state.snapshot.settings))
        }
        return lines
    }

    private static func glyphs(_ state: AppState) -> [Line] {
        let spinner = NetworkView.mark(.active, state).glyph
        return [
            .glyph(.bold(spinner, .run), "active: steps on bytes"), .glyph(.bright("1"), "queued: its position"),
            .glyph(.bold("↻", .wait), "waiting for a retry"), .glyph(.bold("‖", .wait), "paused"),
            .glyph(.dim("⇢"), "detached: no receipt left"), .glyph(.bold("◆", .accent), "hit: memory or disk"),
            .glyph(.bold("✓", .ok), "saved"), .glyph(.bold("✗", .bad), "failed"), .glyph(.dim("⊘"), "cancelled"),
            .glyph(.bold("⊕ ×3", .merge), "merged, receipts"), .glyph(.bold("♺", .purge), "purged from memory"),
            .glyph(.bold("!", .wait), "warning"),
        ]
    }

    private static func meaning(_ activity: ActivityState, _ settings: Settings) -> String {
        switch activity {
        case .notActive: "idle"
        case .delayingStart: "starting, up to \(Format.seconds(settings.activationDelay))"
        case .active: "ACTIVE, transfers run"
        case .delayingEnd: "ending, \(settings.completionDelay.nanoseconds / 1_000_000) ms"
        }
    }

    private static func draw(_ line: Line, x: Int, y: Int, width: Int, _ painter: inout Painter) {
        switch line {
        case .heading(let title): painter.rule(.figure(title), x: x, y: y, width: width)
        case .key(let label, let text):
            let label = painter.glyphs.label(label)
            let columns = TextWidth.columns(of: label)
            // A label of nine columns has one blank behind it, so that its text begins where the others do.
            let start = x + (columns <= 9 ? 10 : columns + 2)
            painter.put(.bold(label, .accent), endingAt: columns <= 8 ? start - 2 : x + columns, y: y)
            painter.put(fitting: .plain(text), x: start, y: y, limit: x + width - start)
        case .glyph(let glyph, let text):
            painter.put(glyph, x: x + 1, y: y, limit: width)
            painter.put(fitting: .plain(text), x: x + 7, y: y, limit: max(0, width - 7))
        case .blank: break
        }
    }
}
