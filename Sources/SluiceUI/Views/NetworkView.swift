internal import SluiceCore

/// The indicator as a machine of four states, its delays, and the throughput.
enum NetworkView {
    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        let snapshot = state.snapshot
        var edges = Painter.Edges("6", "network", facts: [fact(state, now: now), word(state)], feet: feet(state))
        edges.isFocused = state.keyPanel == .network
        painter.box(rect, edges)
        var inner = Rect(x: rect.x + 2, y: rect.y + 1, width: rect.width - 4, height: rect.height - 2)
        guard inner.height > 0, inner.width >= 20 else { return }
        if inner.height >= 6 {
            drawMachine(state, in: inner, &painter)
            let settings = snapshot.settings
            var delays =
                StyledText.dim("start delay ") + .plain(seconds(settings.activationDelay)) + .dim(" s · end delay ")
            delays += .plain(seconds(settings.completionDelay)) + .dim(" s")
            if inner.width >= 46 { delays += .dim(snapshot.indicator.state.isVisible ? " · visible" : " · hidden") }
            painter.put(delays, x: inner.x, y: inner.y + 1, limit: inner.width)
            inner = inner.below(2)
        }
        let graph = Rect(x: inner.x + 4, y: inner.y, width: inner.width - 4, height: max(0, inner.height - 1))
        let values = state.throughput.samples.suffix(graph.width * 2).map(\.value)
        BrailleGraph(values: values, low: 0, high: top(state), gradient: .net, scale: nil).draw(in: graph, &painter)
        if graph.height >= 2 {
            let top = top(state) / 1_048_576
            painter.put(
                .dim(top < 10 ? "\((top * 10).rounded() / 10)" : "\(Int(top.rounded()))"),
                endingAt: graph.x - 1,
                y: graph.y
            )
            painter.put(.dim("0"), endingAt: graph.x - 1, y: graph.bottom - 1)
        }
        drawFigures(state, in: inner, &painter)
    }

    /// The scale of throughput graphs, in bytes a second: the peak in sight, at least 0.1 MiB/s.
    static func top(_ state: AppState) -> Double {
        max(104_858, state.throughput.samples.suffix(200).compactMap(\.value).max() ?? 0)
    }

    private static func drawMachine(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let current = state.snapshot.indicator.state
        let isWide = rect.width >= 52
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
                text = step == current ? .bright("\(glyph) \(word)") : .dim("\(step == .active ? "●" : glyph) \(word)")
            }
            x = painter.put(text, x: x, y: rect.y, limit: rect.right - x)
        }
    }

    private static func drawFigures(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let snapshot = state.snapshot
        let rate = Format.rate(snapshot.rate)
        let transfers =
            StyledText.figure("\(snapshot.active.count)")
            + .dim(snapshot.active.count == 1 ? " transfer" : " transfers")
        let speed = transfers + .dim(" · ") + .figure(rate.number) + .dim(" \(rate.unit)")
        let sum = speed + .dim(" · ") + .figure(Format.bytes(snapshot.received), .bright)
        let choices = [sum + .dim(" so far"), sum, speed]
        let text = choices.first { $0.width <= rect.width } ?? transfers
        painter.put(text, x: rect.x, y: rect.bottom - 1, limit: rect.width)
    }

    private static func fact(_ state: AppState, now: Timestamp) -> StyledText {
        let indicator = state.snapshot.indicator
        guard state.snapshot.settings.indicatorEnabled, indicator.state == .active else { return word(state) }
        return word(state) + .dim(" for \(Format.seconds(now - indicator.since))")
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

    private static func feet(_ state: AppState) -> [StyledText] {
        let samples = state.throughput.samples.suffix(200)
        guard let peak = samples.compactMap(\.value).max() else { return [.dim("no transfer yet")] }
        let figure = Format.rate(Int(peak))
        let text = StyledText.dim("peak ") + .plain(figure.number) + .dim(" \(figure.unit)")
        return [text + .dim(" · last \(Format.seconds(state.throughput.interval * samples.count))"), text]
    }

    private static func seconds(_ duration: Duration) -> String {
        let hundredths = (duration.nanoseconds + 5_000_000) / 10_000_000
        let text = "\(hundredths / 100).\(Format.two(Int(hundredths % 100)))"
        return text.hasSuffix("0") ? String(text.dropLast()) : text
    }
}
