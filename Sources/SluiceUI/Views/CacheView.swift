internal import SluiceCore

/// The memory cache: how full it is, how that went, and what was purged and why.
enum CacheView {
    /// Columns from which on the purges and the images stand side by side.
    private static let columnsOfTwo = 100

    static func draw(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let memory = state.snapshot.memory
        let isFocused = state.keyPanel == .cache
        let level = Format.usage(memory.usage, of: memory.capacity)
        var edges = Painter.Edges(
            state.digit(.cache),
            "cache",
            facts: [.figure(level.number) + .dim(level.rest)],
            feet: feet(memory)
        )
        edges.isFocused = isFocused
        painter.box(rect, edges)
        var inner = Rect(x: rect.x + 2, y: rect.y + 1, width: rect.width - 4, height: rect.height - 2)
        guard inner.width >= 12 else { return }
        // Without a limit there is nothing to fill.
        if memory.capacity > 0 {
            drawGauge(state, in: inner, &painter)
            inner = inner.below(2)
        }
        guard inner.height > 0 else { return }
        if memory.count == 0, state.news.ledger.entries.isEmpty, state.news.usage.samples.isEmpty {
            painter.put(.dim("Decoded images live here."), x: inner.x, y: inner.y, limit: inner.width)
            return
        }
        inner = drawHistory(state, in: inner, &painter)
        if inner.height > 1 || state.news.ledger.entries.isEmpty, inner.height > 0 {
            drawFigures(memory, in: inner, &painter)
            inner = inner.below(1)
        }
        guard inner.width >= columnsOfTwo, inner.height >= 3 else {
            inner = inner.below(LedgerView.draw(state, in: inner, &painter))
            drawNewest(state, in: inner, &painter)
            return
        }
        // Side by side, so that a name and its figures stay within one look.
        let width = (inner.width - 3) / 2
        let left = Rect(x: inner.x, y: inner.y, width: width, height: inner.height)
        painter.rule(.dim("purges"), x: left.x, y: left.y, width: width)
        _ = LedgerView.draw(state, in: left.below(1), hasWholePlace: true, &painter)
        let right = Rect(x: inner.right - width, y: inner.y, width: width, height: inner.height)
        drawNewest(state, in: right, &painter)
    }

    /// Everything in one line, for stacked layouts; the gauge goes first, then units.
    static func drawLine(_ state: AppState, y: Int, _ painter: inout Painter) {
        let memory = state.snapshot.memory
        let isFlash = state.news.flashUntil != nil
        let (level, short) = levels(memory)
        var purge = StyledText.dim("nothing purged")
        var bare = purge
        if let last = state.news.ledger.entries.first {
            let freed = Format.bytes(last.purge.freed)
            let time = StyledText.dim(" \(state.clock.time(after: last.t))")
            purge = .bold("♺", .purge) + .figure(" −\(freed.text)") + time
            bare = .bold("♺", .purge) + .figure("−\(freed.number)") + time
        }
        let x = painter.put(.bold(state.digit(.cache), .accent) + .figure(" cache"), x: 1, y: y) + 1
        let room = painter.width - 1 - x
        let gauge = min(24, max(6, painter.width / 6))
        var end = x
        if memory.capacity > 0, gauge + 1 + level.width + 2 + purge.width <= room {
            painter.gauge(fraction(memory), ghost: ghost(state), x: x, y: y, width: gauge)
            end = painter.put(level, x: x + gauge + 1, y: y) + 2
        } else {
            let text = level.width + 2 + purge.width <= room ? level : short
            end = painter.put(text, x: x, y: y, limit: room) + 1
            if text.width + 1 + purge.width > room { purge = bare }
        }
        guard end + purge.width < painter.width else { return }
        if isFlash { painter.ground(.purge, x: end - 1, y: y, width: purge.width + 2) }
        painter.put(isFlash ? purge.inked(.ink) : purge, x: end, y: y)
    }

    /// How full it is, in words and in fewer.
    private static func levels(_ memory: PipelineSnapshot.Memory) -> (StyledText, StyledText) {
        guard memory.capacity > 0 else {
            let used = Format.bytes(memory.usage)
            let figure = StyledText.figure(used.number) + .dim(" \(used.unit)")
            return (figure + .dim(" · no limit"), figure)
        }
        let used = StyledText.figure(Format.number(memory.usage, likeLimit: memory.capacity))
        let limit = Format.limit(memory.capacity)
        let share = StyledText.figure("\(percent(memory))")
        let level = share + .dim(" %  ") + used + .dim("/\(limit.text)")
        return (level, share + .dim("% ") + used + .dim("/\(limit.number)"))
    }

    private static func drawGauge(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let memory = state.snapshot.memory
        let width = rect.width - 6
        painter.gauge(fraction(memory), ghost: ghost(state), x: rect.x, y: rect.y, width: width)
        if state.news.flashUntil != nil, let last = state.news.ledger.entries.first {
            let text = StyledText(" −\(Format.bytes(last.purge.freed).text) freed ", .ink, bold: true, on: .purge)
            if text.width < width { painter.put(text, x: rect.x + width - text.width - 1, y: rect.y) }
        }
        painter.put(.figure("\(percent(memory))") + .dim(" %"), endingAt: rect.right, y: rect.y)
        drawMarks(memory, x: rect.x, y: rect.y + 1, width: width, &painter)
    }

    /// Two marks under the gauge: what a purge leaves at most, and the capacity; labels stand left of their mark.
    private static func drawMarks(
        _ memory: PipelineSnapshot.Memory,
        x: Int,
        y: Int,
        width: Int,
        _ painter: inout Painter
    ) {
        guard memory.capacity > 0 else { return }
        let share = Double(memory.preferred) / Double(memory.capacity)
        let preferred = x + Int((share * Double(width)).rounded()) + 1
        let figure = Format.number(memory.preferred, likeLimit: memory.capacity)
        let capacity = StyledText.dim(Format.limit(memory.capacity).number) + .bright("▴")
        painter.put(capacity, endingAt: x + width, y: y)
        let room = preferred - x
        let words = ["after a purge ", "purge to ", ""].map { StyledText.dim($0 + figure) + .bright("▴") }
        guard let text = words.first(where: { $0.width <= room }), preferred <= x + width - capacity.width else {
            return
        }
        painter.put(text, endingAt: preferred, y: y)
    }

    /// What came in last, where the ledger leaves room.
    private static func drawNewest(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        if !state.snapshot.largest.isEmpty { return drawLargest(state, in: rect, &painter) }
        let entries = state.news.newest.entries
        guard rect.height >= 2, !entries.isEmpty else { return }
        painter.rule(.dim("newest in memory"), x: rect.x, y: rect.y, width: rect.width)
        for (row, entry) in entries.prefix(rect.height - 1).enumerated() {
            let y = rect.y + 1 + row
            let name = EventSentence.name(entry.change.key.key)
            let id = entry.change.key.id.isEmpty ? "" : " \(entry.change.key.id)"
            let cost = StyledText.figure(Format.bytes(entry.change.cost), .bright)
            let age = StyledText.dim(state.clock.time(after: entry.t))
            let room = rect.width - 10 - 7
            let text = Elision.middle(VisibleText.visible(name + id, limit: 200), max(4, room))
            painter.put(.plain(text), x: rect.x, y: y)
            painter.put(cost, endingAt: rect.right - 7, y: y)
            painter.put(age, endingAt: rect.right, y: y)
        }
    }

    /// The entries of the greatest cost: the next purge takes them whole, if nobody looks at them.
    ///
    /// With the time of the last use and not how long ago that was, which would stand still while nothing is drawn.
    private static func drawLargest(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        guard rect.height >= 2 else { return }
        painter.rule(.dim("largest in memory"), x: rect.x, y: rect.y, width: rect.width)
        let (hasSize, hasSeconds) = (rect.width >= 46, rect.width >= 52)
        for (row, entry) in state.snapshot.largest.prefix(rect.height - 1).enumerated() {
            let y = rect.y + 1 + row
            let id = entry.key.id.isEmpty ? "" : " \(entry.key.id)"
            let text = VisibleText.visible(EventSentence.name(entry.key.key) + id, limit: 200)
            let cost = rect.right - (hasSeconds ? 15 : 12)
            let time = state.clock.time(at: entry.accessed, seconds: hasSeconds)
            painter.put(.dim("used ") + .plain(time), endingAt: rect.right, y: y)
            painter.put(.figure(Format.bytes(entry.cost), .bright), endingAt: cost, y: y)
            let end = cost - 10
            if hasSize { painter.put(.dim("\(entry.width)×\(entry.height)"), endingAt: end, y: y) }
            painter.put(.plain(Elision.middle(text, max(4, end - (hasSize ? 11 : 1) - rect.x))), x: rect.x, y: y)
        }
    }

    // MARK: The history

    private static func drawHistory(_ state: AppState, in rect: Rect, _ painter: inout Painter) -> Rect {
        let memory = state.snapshot.memory
        let hasAxis = rect.width >= 38 && rect.height >= 7
        let most = rect.width >= columnsOfTwo ? 16 : 12
        let rows = hasAxis ? min(most, max(4, rect.height * 4 / 10)) : rect.height >= 3 ? 2 : 0
        guard rows > 0, memory.capacity > 0 else { return rect }
        let graph = Rect(
            x: hasAxis ? rect.x + 4 : rect.x,
            y: rect.y,
            width: hasAxis ? rect.width - 4 : rect.width,
            height: rows
        )
        let samples = state.news.usage.samples.suffix(graph.width * 2)
        let low = floor(samples.compactMap(\.value), memory, rows: rows)
        let capacity = Double(memory.capacity)
        BrailleGraph(values: samples.map(\.value), low: low, high: capacity, gradient: .zone, scale: capacity)
            .draw(in: graph, &painter)
        guard hasAxis else { return rect.below(rows) }
        drawAxis(memory, low: low, graph, &painter)
        let y = graph.bottom
        let time = Format.time(state.news.usage.span(ofLast: samples.count))
        let axis = painter.put(.dim("−\(time)"), x: graph.x, y: y)
        if !samples.suffix(8).contains(where: \.isMarked) { painter.put(.dim("now"), endingAt: graph.right, y: y) }
        for (offset, sample) in samples.enumerated() where sample.isMarked {
            let column = graph.right - (samples.count - offset + 1) / 2
            // A time that lost a part of itself would be another time; the purge is in the ledger too.
            guard column >= axis else { continue }
            painter.put(StyledText("♺", .purge), x: column, y: y)
        }
        return rect.below(rows + 1)
    }

    /// The saw-tooth lives between what a purge leaves and the capacity: lower levels are cut off unless they are shown.
    private static func floor(_ values: [Double], _ memory: PipelineSnapshot.Memory, rows: Int) -> Double {
        let low = Double(memory.preferred) * (rows > 2 ? 0.5 : 0.9)
        return (values.min() ?? 0) >= low && low < Double(memory.capacity) ? low : 0
    }

    private static func drawAxis(
        _ memory: PipelineSnapshot.Memory,
        low: Double,
        _ graph: Rect,
        _ painter: inout Painter
    ) {
        func label(_ bytes: Int, _ row: Int) {
            let text = Format.number(bytes, likeLimit: memory.capacity)
            painter.put(.dim(text), endingAt: graph.x - 1, y: graph.y + row)
        }
        label(memory.capacity, 0)
        label(Int(low), graph.height - 1)
        let share = (Double(memory.preferred) - low) / (Double(memory.capacity) - low)
        let row = Int((Double(graph.height - 1) * (1 - share)).rounded())
        if row > 0, row < graph.height - 1 { label(memory.preferred, row) }
    }

    private static func drawFigures(_ memory: PipelineSnapshot.Memory, in rect: Rect, _ painter: inout Painter) {
        var text = StyledText.figure("\(memory.count)") + .dim(memory.count == 1 ? " image" : " images")
        let lookups = memory.hits + memory.misses
        if lookups > 0 { text += .dim(" · ") + .figure("\(memory.hits * 100 / lookups)") + .dim(" % hits") }
        let end = painter.put(text, x: rect.x, y: rect.y, limit: rect.width)
        let largest = StyledText.dim("largest ") + .figure(Format.bytes(memory.largest))
        if memory.largest > 0, end + 2 + largest.width <= rect.right {
            painter.put(largest, endingAt: rect.right, y: rect.y)
        }
    }

    private static func feet(_ memory: PipelineSnapshot.Memory) -> [StyledText] {
        guard memory.purges > 0 else { return [.dim("nothing purged yet")] }
        let freed = "\(Format.plural(memory.purges, "purge")) · \(Format.bytes(memory.freed).text)"
        return [.dim(freed + " freed"), .dim(freed), .dim(Format.plural(memory.purges, "purge"))]
    }

    private static func fraction(_ memory: PipelineSnapshot.Memory) -> Double {
        memory.capacity > 0 ? Double(memory.usage) / Double(memory.capacity) : 0
    }

    private static func percent(_ memory: PipelineSnapshot.Memory) -> Int { Int((fraction(memory) * 100).rounded()) }

    private static func ghost(_ state: AppState) -> Double? {
        guard state.news.flashUntil != nil, let last = state.news.ledger.entries.first,
            state.snapshot.memory.capacity > 0
        else {
            return nil
        }
        return min(1, Double(last.purge.before) / Double(state.snapshot.memory.capacity))
    }
}

extension Rect {
    /// What is left below the first `rows`.
    func below(_ rows: Int) -> Rect {
        let rows = min(rows, height)
        return Rect(x: x, y: y + rows, width: width, height: height - rows)
    }
}
