internal import SluiceCore

/// The indicator as a machine of four states, its delays, and the throughput.
enum NetworkView {
    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        let snapshot = state.snapshot
        var edges = Painter.Edges(
            state.digit(.network),
            "network",
            facts: facts(state, now: now),
            feet: feet(state, in: rect)
        )
        edges.isFocused = state.keyPanel == .network
        painter.box(rect, edges)
        var inner = Rect(x: rect.x + 2, y: rect.y + 1, width: rect.width - 4, height: rect.height - 2)
        guard inner.height > 0, inner.width >= 20 else { return }
        if inner.height >= 6 {
            drawMachine(state, in: inner, &painter)
            drawDelays(snapshot, in: inner.below(1), &painter)
            inner = inner.below(2)
        }
        let members = memberRows(state, height: inner.height)
        if members > 0 {
            let height = inner.height - members - 1
            drawMembers(state, in: inner.below(height), &painter)
            inner.height = height
        }
        let changes = changeRows(state, height: inner.height)
        if changes > 0 {
            let height = inner.height - changes - 1
            drawChanges(state, in: inner.below(height), hasCount: members == 0, &painter)
            inner.height = height
        }
        let graph = Rect(x: inner.x + 5, y: inner.y, width: inner.width - 5, height: max(0, inner.height - 1))
        let values = samples(state, in: rect).map(\.value)
        let high = top(of: values)
        BrailleGraph(values: values, low: 0, high: high, gradient: .net, scale: nil).draw(in: graph, &painter)
        if graph.height >= 2 {
            painter.put(.dim(Format.axis(Int(high))), endingAt: graph.x - 1, y: graph.y)
            painter.put(.dim("0"), endingAt: graph.x - 1, y: graph.bottom - 1)
        }
        drawFigures(state, in: inner, &painter)
    }

    private static func drawDelays(_ snapshot: PipelineSnapshot, in rect: Rect, _ painter: inout Painter) {
        func text(_ word: String) -> StyledText {
            .dim("start\(word) ") + .plain(seconds(snapshot.settings.activationDelay)) + .dim(" s · end\(word) ")
                + .plain(seconds(snapshot.settings.completionDelay)) + .dim(" s")
        }
        let (full, short) = (text(" delay"), text(""))
        let visible = full + .dim(snapshot.indicator.state.isVisible ? " · visible" : " · hidden")
        let choice = [visible, full].first { $0.width <= rect.width } ?? short
        painter.put(fitting: choice, x: rect.x, y: rect.y, limit: rect.width)
    }

    /// What the graph has room for: the axis, and what stands in the edge, are of these alone.
    private static func samples(_ state: AppState, in rect: Rect) -> ArraySlice<History.Sample> {
        // Beside the frame and its margins, the axis has five columns.
        state.news.throughput.samples.suffix(max(0, rect.width - 9) * 2)
    }

    /// The scale of a throughput graph, in bytes a second: the peak of what it draws, at least 100 KiB/s.
    static func top(of values: [Double?]) -> Double { max(102_400, values.compactMap(\.self).max() ?? 0) }

    /// Rows for the last changes of the indicator, where the graph keeps enough.
    private static func changeRows(_ state: AppState, height: Int) -> Int {
        guard height >= 9 else { return 0 }
        return min(max(1, state.news.transitions.entries.count + 1), max(3, height * 4 / 10), 12)
    }

    /// The tasks behind the machine, where each of them is known: those whose transfers are under way.
    private static func members(_ state: AppState) -> [PipelineSnapshot.Row] {
        let rows = state.snapshot.active.filter { $0.state == .active }
        return rows.count == state.snapshot.indicator.tasks ? rows : []
    }

    /// Rows for their names, where everything else keeps enough.
    private static func memberRows(_ state: AppState, height: Int) -> Int {
        height >= 16 ? min(members(state).count, height / 4) : 0
    }

    /// Name, host and rate of each; the last row counts those that have none.
    private static func drawMembers(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let rows = members(state)
        let title = StyledText.dim("transfers it counts ") + .figure("\(rows.count)")
        painter.rule(title, x: rect.x, y: rect.y, width: rect.width)
        let room = rect.height - 1
        let shown = rows.count > room ? max(0, room - 1) : rows.count
        for (index, row) in rows.prefix(shown).enumerated() {
            let y = rect.y + 1 + index
            let rate = Format.rate(row.shownRate)
            let pace = StyledText.figure(rate.number) + .dim(" \(rate.unit)")
            painter.put(row.hasBegun ? pace : .dim("–"), endingAt: rect.right, y: y)
            var left = rect.width - 14
            let host = VisibleText.visible(row.host, limit: 60)
            let hostWidth = TextWidth.columns(of: host)
            if left >= hostWidth + 26 {
                painter.put(.dim(host), endingAt: rect.x + left, y: y)
                left -= hostWidth + 2
            }
            painter.put(.plain(Elision.middle(VisibleText.visible(row.name, limit: 300), left)), x: rect.x, y: y)
        }
        if shown < rows.count {
            painter.put(.dim("and \(Format.count(rows.count - shown)) more"), x: rect.x, y: rect.y + 1 + shown)
        }
    }

    /// The last changes of the machine, newest first; with the size of its set, where that stands nowhere else.
    private static func drawChanges(
        _ state: AppState,
        in rect: Rect,
        hasCount: Bool,
        _ painter: inout Painter
    ) {
        var title = StyledText.dim("last changes")
        if hasCount {
            let count = StyledText.figure("\(state.snapshot.indicator.tasks)")
            let long = title + .dim(" · transfers it counts ") + count
            title = long.width < rect.width ? long : title + .dim(" · counts ") + count
        }
        painter.rule(title, x: rect.x, y: rect.y, width: rect.width)
        for (row, entry) in state.news.transitions.entries.prefix(rect.height - 1).enumerated() {
            let y = rect.y + 1 + row
            let (glyph, word, role) = mark(entry.to, state)
            let shown = entry.to == .active ? "●" : glyph
            var x = painter.put(.dim(state.clock.time(after: entry.t, seconds: true)), x: rect.x, y: y) + 2
            let ink: StyledText = role == .dim ? .dim("\(shown) \(word)") : .bold("\(shown) \(word)", role)
            painter.put(ink, x: x, y: y, limit: rect.right - x)
            x += 12
            // A time alone would be read as that of the state in its row, which for the newest goes on.
            let before = mark(entry.from, state).word
            var choices = [StyledText.dim("after \(before)")]
            if let lasted = entry.lasted {
                let time = StyledText.dim("after ") + .plain(Format.seconds(lasted))
                choices = [time + .dim(" of \(before)"), time] + choices
            }
            if let cause = choices.first(where: { $0.width <= rect.right - x }) { painter.put(cause, x: x, y: y) }
        }
        if state.news.transitions.entries.isEmpty {
            painter.put(.dim("none yet"), x: rect.x, y: rect.y + 1, limit: rect.width)
        }
    }

    private static func drawMachine(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let current = state.snapshot.indicator.state
        let isWide = rect.width >= 52
        // Where not all words fit, the state at hand has its own, and the others their signs.
        let hasWords = rect.width >= 38
        var x = rect.x
        for (index, step) in ActivityState.allCases.enumerated() {
            if index > 0 {
                x = painter.put(StyledText(isWide ? " ── " : " ", .frame), x: x, y: rect.y, limit: rect.right - x)
            }
            let (glyph, word, role) = mark(step, state)
            let text: StyledText
            if step == current, step != .notActive {
                if step == .active { painter.noteSpinner(x: x + 1, y: rect.y) }
                text = StyledText(" \(glyph) \(word) ", .ink, on: role)
            } else {
                let sign = step == .active ? "●" : glyph
                text = step == current ? .bright("\(glyph) \(word)") : .dim(hasWords ? "\(sign) \(word)" : sign)
            }
            x = painter.put(text, x: x, y: rect.y, limit: rect.right - x)
        }
    }

    private static func drawFigures(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let snapshot = state.snapshot
        let rate = snapshot.rateFigure
        let transfers =
            StyledText.figure("\(snapshot.active.count)")
            + .dim(snapshot.active.count == 1 ? " transfer" : " transfers")
        let protocols = snapshot.connections.sorted { $0.key > $1.key }.map {
            "\($0.value) h\(VisibleText.visible($0.key, limit: 5))"
        }
        if !protocols.isEmpty {
            let count = snapshot.connections.values.reduce(0, +)
            let list = protocols.joined(separator: ", ")
            let connections =
                StyledText.dim(" · ") + .figure("\(count)") + .dim(count == 1 ? " connection" : " connections")
            // One version alone needs no count of its own.
            let version = protocols.count == 1 ? String(list.drop { $0 != "h" }) : list
            let short = StyledText.figure("\(count)") + .dim(count == 1 ? " connection" : " connections")
            var choices = [transfers + connections, short].map { $0 + .dim(": \(version)") }
            // Their connections, if they have any yet, are not among those that are counted.
            let waiting = snapshot.active.count { $0.httpVersion == nil }
            if waiting > 0 {
                choices.insert(choices[0] + .dim(" · ") + .figure("\(waiting)") + .dim(" unanswered"), at: 0)
            }
            let text = choices.first { $0.width <= rect.width } ?? transfers + connections
            let end = painter.put(fitting: text, x: rect.x, y: rect.bottom - 1, limit: rect.width)
            let sum = StyledText.figure(Format.bytes(snapshot.received), .bright)
            let received = sum + .dim(" so far")
            let figures = [StyledText.figure(rate.number) + .dim(" \(rate.unit) · ") + received, received, sum]
            if let text = figures.first(where: { end + 2 + $0.width <= rect.right }) {
                painter.put(text, endingAt: rect.right, y: rect.bottom - 1)
            }
            return
        }
        let speed = transfers + .dim(" · ") + .figure(rate.number) + .dim(" \(rate.unit)")
        let sum = speed + .dim(" · ") + .figure(Format.bytes(snapshot.received), .bright)
        let choices = [sum + .dim(" so far"), sum, speed]
        let text = choices.first { $0.width <= rect.width } ?? transfers
        painter.put(text, x: rect.x, y: rect.bottom - 1, limit: rect.width)
    }

    /// The state, with how long it lasts or what its timer leads to.
    private static func facts(_ state: AppState, now: Timestamp) -> [StyledText] {
        let (indicator, word) = (state.snapshot.indicator, word(state))
        guard state.snapshot.settings.indicatorEnabled else { return [word] }
        let left = indicator.deadline.map { Format.tenths($0 - now) }
        switch (indicator.state, left) {
        case (.active, _): return [word + .dim(" for \(Format.tenths(now - indicator.since))"), word]
        case (.delayingStart, let left?):
            return [word + .dim(" · ACTIVE in ") + .plain(left), word + .plain(" \(left)"), word]
        case (.delayingEnd, let left?):
            return [word + .dim(" · idle in ") + .plain(left), word + .plain(" \(left)"), word]
        default: return [word]
        }
    }

    private static func word(_ state: AppState) -> StyledText {
        guard state.snapshot.settings.indicatorEnabled else { return .dim("○ off") }
        let (glyph, word, role) = mark(state.snapshot.indicator.state, state)
        return state.snapshot.indicator.state == .notActive ? .dim("\(glyph) \(word)") : .bold("\(glyph) \(word)", role)
    }

    /// Glyph, word and colour of a state.
    static func mark(_ activity: ActivityState, _ state: AppState) -> (glyph: String, word: String, role: Role) {
        switch activity {
        case .notActive: return ("○", "idle", .dim)
        case .delayingStart: return ("◔", "starting", .wait)
        case .active:
            let glyphs = Glyphs(isASCII: state.configuration.isASCII, depth: .mono)
            return (glyphs.spinner(state.spinnerStep), "ACTIVE", .focus)
        case .delayingEnd: return ("◕", "ending", .accent)
        }
    }

    private static func feet(_ state: AppState, in rect: Rect) -> [StyledText] {
        let samples = samples(state, in: rect)
        guard let peak = samples.compactMap(\.value).max() else {
            return state.news.throughput.samples.contains { $0.value != nil } ? [] : [.dim("no transfer yet")]
        }
        let figure = Format.rate(Int(peak))
        let text = StyledText.dim("peak ") + .plain(figure.number) + .dim(" \(figure.unit)")
        return [text + .dim(" · last \(Format.seconds(state.news.throughput.span(ofLast: samples.count)))"), text]
    }

    private static func seconds(_ duration: Duration) -> String {
        let hundredths = duration.rounded(inUnitsOf: 10_000_000)
        let text = "\(hundredths / 100).\(Format.two(Int(hundredths % 100)))"
        return text.hasSuffix("0") ? String(text.dropLast()) : text
    }
}
