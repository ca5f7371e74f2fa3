internal import SluiceCore

/// The help over the dimmed screen: keys by section, then the glyphs; made of ``KeyMap``.
///
/// A search leaves the lines that match, each under the heading of its section.
enum HelpView {
    private enum Line {
        case heading(String)
        case key(String, String, words: String, Widths)
        case glyph(StyledText, String)
        case blank
        /// Where no line matches.
        case nothing

        /// What a search looks into: signs that stand for keys have their names too, and keys what else they are called.
        var searchText: String {
            switch self {
            case .key(let label, let text, let words, _):
                "\(label) \(HelpView.words.label(label).replacing("^", with: "ctrl+")) \(text) \(words)"
            case .glyph(let glyph, let text): glyph.spans.map(\.text).joined() + " " + text
            case .heading, .blank, .nothing: ""
            }
        }

        var isHeading: Bool { if case .heading = self { true } else { false } }
        var isBlank: Bool { if case .blank = self { true } else { false } }
    }

    private struct Section {
        let title: String
        var lines: [Line]
    }

    /// How wide the labels of a section are, and the longest of its texts.
    private struct Widths {
        var labels: [Int] = []
        var text = 0

        /// Columns of the keys, so that all texts begin in one; a label that would push out a text is left aside.
        func keys(in width: Int) -> Int {
            let most = max(8, width - 2 - text)
            // One more has a single blank behind it.
            return max(8, min(most, labels.filter { $0 <= most + 1 }.max() ?? 0))
        }
    }

    private static let words = Glyphs(isASCII: true, depth: .mono)

    private static let columnWidth = 36
    /// What a column has where there is room; more would only part keys from what they do.
    private static let widestColumn = 38
    private static let columnLimit = 5

    static func draw(_ state: AppState, _ painter: inout Painter) {
        painter.dimAll()
        let rect = rect(state)
        let columns = columnCount(rect)
        let pitch = pitch(rect)
        var edges = Painter.Edges(
            state.configuration.keys.label(of: .help) ?? "",
            "help",
            facts: facts(state)
        )
        edges.feet = feet(state, painter.glyphs)
        let note = note(state)
        // How to find something and how to leave matter more; what was found by, less than how to leave only.
        let least = edges.feet[edges.feet.count - (state.help.filter.isEmpty ? 2 : 1)]
        if note.width + least.width + 8 <= rect.width { edges.note = note }
        edges.isFocused = true
        painter.box(rect, edges)
        let rows = max(0, rect.height - 3)
        let flow = flow(state, rows: rows, columns: columns, offset: state.help.offset)
        for (column, lines) in flow.enumerated() {
            for (row, line) in lines.prefix(rows).enumerated() {
                draw(
                    line,
                    x: rect.x + 3 + column * pitch,
                    y: rect.y + 2 + row,
                    width: min(pitch - 3, rect.width - 6),
                    &painter
                )
            }
        }
    }

    private static func facts(_ state: AppState) -> [StyledText] {
        // While it is typed, the count stands beside it.
        if state.help.isTyping { return [] }
        guard state.help.filter.isEmpty else {
            let count = StyledText.figure(Format.count(matchCount(state)))
            let all = allSections(state, isSearched: true).reduce(0) { $0 + $1.lines.count }
            return [count + .dim(" of \(Format.count(all)) lines")]
        }
        return [.dim("keys of ") + .bright(place(state).title) + .dim(" first")]
    }

    /// Whose keys stand first: those of where the help was asked for.
    private static func place(_ state: AppState) -> (group: KeyMap.Group, title: String) {
        if state.replay != nil { return (.replay, "the recording") }
        if case .help(over: .prompt) = state.mode { return (.prompt, "the prompt") }
        if case .help(over: .trust) = state.mode { return (.trust, "the certificates") }
        let group: KeyMap.Group =
            switch state.focus {
            case .active, .events, .detail, .finished, .failed: .tasks
            case .queued: .queue
            case .cache: .cache
            case .preview: .pictures
            case .network: .everywhere
            }
        return (group, state.focus.title)
    }

    /// From the longest to what must stand: the last but one tells how to search.
    private static func feet(_ state: AppState, _ glyphs: Glyphs) -> [StyledText] {
        let isWhole = state.help.filter.isEmpty && !state.help.isTyping
        let leaves = StyledText("Esc", .accent) + .dim(isWhole ? " closes" : " shows all")
        let searches =
            state.help.isTyping
            ? leaves
            : StyledText(state.configuration.keys.label(of: .filter, in: .help) ?? "", .accent) + .dim(" search  ")
                + leaves
        guard lastOffset(state) > 0 else { return [searches, leaves] }
        let arrows = StyledText(glyphs.label("↑ ↓"), .accent)
        return [arrows + .dim(" scroll  ") + searches, arrows + .plain("  ") + searches, leaves]
    }

    private static func note(_ state: AppState) -> StyledText {
        if state.help.isTyping { return StyledText() }
        let text = state.help.editor.text
        guard state.help.filter.isEmpty else { return .dim("/") + .bright(Elision.end(VisibleText.visible(text), 20)) }
        return .dim(
            state.replay == nil ? "only what cannot be undone asks first" : "nothing here changes or downloads anything"
        )
    }

    /// How many lines a search leaves.
    static func matchCount(_ state: AppState) -> Int { sections(state).reduce(0) { $0 + $1.lines.count } }

    /// How far the help can be scrolled.
    static func lastOffset(_ state: AppState) -> Int {
        let rect = rect(state)
        let rows = max(1, rect.height - 3)
        let columns = columnCount(rect)
        let all = lines(state)
        return grouped(all, rows: rows, columns: columns) == nil ? lastOffset(all, rows: rows, columns: columns) : 0
    }

    /// As high as the help needs, above the prompt.
    private static func rect(_ state: AppState) -> Rect {
        let (width, height) = (state.terminal.width, state.terminal.height)
        var boxWidth = max(0, width - 4)
        if width >= 116 {
            let count = min(columnLimit, (width - 6) / columnWidth)
            boxWidth = count * max(columnWidth, min(widestColumn, (width - 8) / count)) + 2
        }
        guard height >= 16 else {
            return Rect(x: (width - boxWidth) / 2, y: 0, width: boxWidth, height: state.layout.promptRow ?? height)
        }
        var rect = Rect(x: (width - boxWidth) / 2, y: 0, width: boxWidth, height: height - 5)
        // A search leaves the box as it is: it would jump with each letter.
        let (all, columns) = (lines(allSections(state)), columnCount(rect))
        let wanted = (1..<max(2, rect.height - 3)).first { grouped(all, rows: $0, columns: columns) != nil }
        if let wanted { rect.height = wanted + 3 }
        rect.y = (height - rect.height) / 2
        return rect
    }

    private static func columnCount(_ rect: Rect) -> Int { max(1, min(columnLimit, (rect.width - 2) / columnWidth)) }

    /// From one column to the next.
    private static func pitch(_ rect: Rect) -> Int {
        max(columnWidth, min(widestColumn, (rect.width - 2) / columnCount(rect)))
    }

    /// The lines cut into columns; sections stay together where everything fits.
    private static func flow(_ state: AppState, rows: Int, columns: Int, offset: Int) -> [[Line]] {
        guard rows > 0 else { return [] }
        let all = lines(state)
        if let fitting = grouped(all, rows: rows, columns: columns) { return fitting }
        let start = min(offset, lastOffset(all, rows: rows, columns: columns))
        return cut(all, from: start, rows: rows, columns: columns).columns
    }

    /// The first line with which all that follow are seen: headings that stand twice take rows too.
    private static func lastOffset(_ all: [Line], rows: Int, columns: Int) -> Int {
        let least = max(0, all.count - rows * columns)
        return (least..<all.count).first { cut(all, from: $0, rows: rows, columns: columns).end == all.count } ?? least
    }

    /// Columns filled one after the other, and the first line that is in none.
    ///
    /// A heading never stands alone at the foot of a column, and what goes on in the next one has its heading again.
    private static func cut(
        _ all: [Line],
        from start: Int,
        rows: Int,
        columns: Int
    ) -> (columns: [[Line]], end: Int) {
        var result: [[Line]] = []
        var next = start
        for index in 0..<columns {
            // A column begins with a line that says something.
            while next < all.count, all[next].isBlank { next += 1 }
            var column: [Line] = []
            // With hardly any rows, what a key does is more than its heading.
            if index > 0, rows > 2, next < all.count, !all[next].isHeading {
                column += all[..<next].last { $0.isHeading }.map { [$0] } ?? []
            }
            let end = min(all.count, next + rows - column.count)
            column += all[next..<end]
            next = end
            while column.count > 1, let last = column.last, last.isHeading || last.isBlank {
                column.removeLast()
                next -= 1
            }
            result.append(column)
        }
        return (result, next)
    }

    private static func grouped(_ lines: [Line], rows: Int, columns: Int) -> [[Line]]? {
        var result: [[Line]] = [[]]
        for section in lines.split(whereSeparator: \.isBlank) {
            let used = result[result.count - 1].count
            if used > 0, used + 1 + section.count > rows { result.append([]) }
            if !result[result.count - 1].isEmpty { result[result.count - 1].append(.blank) }
            result[result.count - 1] += section
            if section.count > rows { return nil }
        }
        return result.count <= columns ? result : nil
    }

    private static func lines(_ state: AppState) -> [Line] {
        let found = lines(sections(state))
        return found.isEmpty ? [.nothing] : found
    }

    private static func lines(_ sections: [Section]) -> [Line] {
        Array(sections.map { [.heading($0.title)] + $0.lines }.joined(separator: [.blank]))
    }

    /// What a search leaves: a line matches by itself or by the title above it.
    private static func sections(_ state: AppState) -> [Section] {
        let filter = state.help.filter
        guard !filter.isEmpty else { return allSections(state) }
        return allSections(state, isSearched: true).compactMap { section in
            let lines = section.lines.filter { filter.matches("\(section.title) \($0.searchText)") }
            return lines.isEmpty ? nil : Section(title: section.title, lines: lines)
        }
    }

    private static func allSections(_ state: AppState, isSearched: Bool = false) -> [Section] {
        let isReplay = state.replay != nil
        var groups = KeyMap.Group.allCases.filter { isReplay || $0 != .replay }
        if isReplay { groups.removeAll { $0 == .prompt || $0 == .commands || $0 == .trust } }
        // The keys of a screen of its own are the last that somebody looks for elsewhere.
        if let index = groups.firstIndex(of: .trust) { groups.append(groups.remove(at: index)) }
        if let index = groups.firstIndex(of: place(state).group) { groups.insert(groups.remove(at: index), at: 0) }
        let keys = groups.compactMap { group -> Section? in
            let map = state.configuration.keys
            let rows = map.searchableHelp(group, isReplay: isReplay, isSearched: isSearched)
            // As without a search, so that nothing moves with the first letter.
            let usual = map.help(group, isReplay: isReplay)
            let widths = Widths(
                labels: usual.map { TextWidth.columns(of: state.shown($0.label)) },
                text: usual.map { TextWidth.columns(of: $0.text) }.max() ?? 0
            )
            let lines = rows.map { Line.key($0.label, $0.text, words: $0.words, widths) }
            return lines.isEmpty ? nil : Section(title: group.rawValue, lines: lines)
        }
        let states = ActivityState.allCases.map { activity -> Line in
            let mark = NetworkView.mark(activity, state)
            return .glyph(.bold(mark.glyph, mark.role), meaning(activity, state.snapshot.settings))
        }
        return keys + [Section(title: "glyphs", lines: glyphs(state)), Section(title: "indicator", lines: states)]
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
            .glyph(StyledText("≤", .wait), "has a rate limit of its own"),
            .glyph(.dim("kept"), "how long lists skip it"),
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
        case .key(let label, let text, _, let widths):
            let label = painter.glyphs.label(label)
            let columns = TextWidth.columns(of: label)
            let keys = widths.keys(in: width)
            // A label that is one too long has one blank behind it, so that its text begins where the others do.
            let start = x + (columns <= keys + 1 ? keys + 2 : columns + 2)
            painter.put(.bold(label, .accent), endingAt: x + max(keys, columns), y: y)
            painter.put(fitting: .plain(text), x: start, y: y, limit: x + width - start)
        case .glyph(let glyph, let text):
            painter.put(glyph, x: x + 1, y: y, limit: width)
            painter.put(fitting: .plain(text), x: x + 7, y: y, limit: max(0, width - 7))
        case .nothing: painter.put(fitting: .dim("no line of the help matches"), x: x, y: y, limit: width)
        case .blank: break
        }
    }
}
