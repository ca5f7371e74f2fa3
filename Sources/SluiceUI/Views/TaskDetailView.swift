internal import SluiceCore

/// One task in full: what it is, where its time went, who asked for it, what the server said, and what to do.
///
/// The sections are the same at every size: boxes where there is room, else one page that scrolls.
enum TaskDetailView {
    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        guard let subject = TaskDetail(state, now: now) else { return drawNothing(state, in: rect, &painter) }
        if isWide(rect) {
            drawBoxes(subject, state, in: rect, &painter)
        } else {
            drawPage(subject, state, in: rect, &painter)
        }
    }

    /// How far it can be scrolled.
    static func lastOffset(_ state: AppState) -> Int {
        guard let rect = state.layout.panels[.detail], let subject = TaskDetail(state, now: state.snapshot.time) else {
            return 0
        }
        if isWide(rect) {
            let rows = columns(subject, in: rect).response
            return max(0, subject.response(width: rightWidth(rect) - 4).lines.count - rows)
        }
        return max(0, page(subject, width: rect.width - 4).count - (rect.height - 2))
    }

    private static func isWide(_ rect: Rect) -> Bool { rect.width >= 104 && rect.height >= 26 }
    private static func rightWidth(_ rect: Rect) -> Int { min(72, rect.width * 37 / 100) }

    private static func drawNothing(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        var edges = Painter.Edges(state.digit(.detail), "detail")
        edges.isFocused = state.keyPanel == .detail
        painter.box(rect, edges)
        let words = ["The selected task is told here in full.", "Tells of the selected task."]
        let text = words.map { StyledText.dim($0) }.first { $0.width <= rect.width - 4 } ?? .dim(words[1])
        painter.put(fitting: text, x: rect.x + 2, y: rect.y + 1, limit: rect.width - 4)
    }

    // MARK: Boxes

    private static func columns(
        _ subject: TaskDetail,
        in rect: Rect
    ) -> (
        summary: Int, timeline: Int, response: Int, caches: Int
    ) {
        let left = rect.width - rightWidth(rect)
        let summary = subject.summary(width: left - 4).lines.count + 2
        let wanted = subject.timeline(width: left - 4).lines.count + 2
        let timeline = max(6, min(wanted, rect.height - summary - 7))
        let caches = subject.caches(width: rightWidth(rect) - 4).lines.count + 2
        return (summary, timeline, max(1, rect.height - caches - 2), min(caches, rect.height - 5))
    }

    private static func drawBoxes(
        _ subject: TaskDetail,
        _ state: AppState,
        in rect: Rect,
        _ painter: inout Painter
    ) {
        let right = rightWidth(rect)
        let left = rect.width - right
        let heights = columns(subject, in: rect)
        var y = rect.y
        func box(_ section: TaskDetail.Section, _ x: Int, _ width: Int, _ height: Int, offset: Int = 0) {
            guard height >= 3 else { return }
            var edges = Painter.Edges(section.number, section.title)
            (edges.facts, edges.feet) = (section.facts, section.feet)
            edges.isFocused = !section.number.isEmpty && state.keyPanel == .detail
            let box = Rect(x: x, y: y, width: width, height: height)
            painter.box(box, edges)
            for (row, line) in section.lines.dropFirst(offset).prefix(height - 2).enumerated() {
                draw(line, x: x + 2, y: y + 1 + row, width: width - 4, state, &painter)
            }
            y += height
        }
        box(subject.summary(width: left - 4), rect.x, left, heights.summary)
        box(subject.timeline(width: left - 4), rect.x, left, heights.timeline)
        let receipts = rect.bottom - y
        let claims = subject.receipts(width: left - 4)
        box(claims, rect.x, left, receipts, offset: claimOffset(claims, state, rows: receipts - 2))
        y = rect.y
        let response = subject.response(width: right - 4)
        box(response, rect.x + left, right, rect.height - heights.caches, offset: state.detail.offset)
        box(subject.caches(width: right - 4), rect.x + left, right, heights.caches)
    }

    /// Keeps the selected receipt in sight.
    private static func claimOffset(_ section: TaskDetail.Section, _ state: AppState, rows: Int) -> Int {
        guard section.lines.count > rows, rows > 2 else { return 0 }
        return max(0, min(state.detail.receipt - rows / 2, section.lines.count - rows))
    }

    // MARK: One page

    private static func page(_ subject: TaskDetail, width: Int) -> [TaskDetail.Line] {
        var lines = subject.summary(width: width).lines
        for section in [
            subject.timeline(width: width), subject.receipts(width: width), subject.caches(width: width),
            subject.response(width: width),
        ] where !section.lines.isEmpty {
            lines.append(.rule(section.title, section.facts.first ?? StyledText()))
            lines += section.lines
        }
        return lines
    }

    private static func drawPage(_ subject: TaskDetail, _ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let summary = subject.summary(width: rect.width - 4)
        let lines = page(subject, width: rect.width - 4)
        let rows = max(0, rect.height - 2)
        let offset = min(state.detail.offset, max(0, lines.count - rows))
        var edges = Painter.Edges(state.digit(.detail), "detail", facts: summary.facts)
        if lines.count > rows {
            let last = min(lines.count, offset + rows)
            edges.feet = [
                state.hint(.pageDown, "more · ") + .dim("\(offset + 1)–\(last) of \(lines.count)"),
                .dim("\(offset + 1)–\(last) of \(lines.count)"),
            ]
        } else {
            edges.feet = summary.feet
        }
        edges.isFocused = state.keyPanel == .detail
        painter.box(rect, edges)
        for (row, line) in lines.dropFirst(offset).prefix(rows).enumerated() {
            draw(line, x: rect.x + 2, y: rect.y + 1 + row, width: rect.width - 4, state, &painter)
        }
    }

    // MARK: Lines

    private static func draw(
        _ line: TaskDetail.Line,
        x: Int,
        y: Int,
        width: Int,
        _ state: AppState,
        _ painter: inout Painter
    ) {
        switch line {
        case .text(let text): painter.put(fitting: text, x: x, y: y, limit: width)
        case .pair(let left, let right):
            painter.put(fitting: left, x: x, y: y, limit: max(0, width - right.width - 1))
            painter.put(right, endingAt: x + width, y: y)
        case .fact(let label, let text):
            let column = TaskDetail.labelWidth(width)
            painter.put(.dim(label), x: x, y: y, limit: column - 1)
            painter.put(fitting: text, x: x + column, y: y, limit: width - column)
        case .rule(let title, let fact):
            let end = fact.isEmpty ? x + width : x + width - fact.width - 1
            painter.rule(.figure(title), x: x, y: y, width: end - x)
            if !fact.isEmpty { painter.put(fact, endingAt: x + width, y: y) }
        case .progress(let bar): draw(bar, x: x, y: y, width: width, &painter)
        case .axis(let scale): TimelineView.drawAxis(scale, x: x, y: y, &painter)
        case .span(let span, let spread, let scale):
            TimelineView.draw(span, spread, scale, x: x, y: y, state, &painter)
        case .claim(let columns, let index, let isSelected):
            if let index { painter.noteTarget(.receipt(index), Rect(x: x, y: y, width: width, height: 1)) }
            if isSelected, state.keyPanel == .detail {
                painter.ground(.select, x: x - 1, y: y, width: width + 2)
                painter.put(.bold("▌", .focus), x: x - 1, y: y)
            }
            var column = x
            for (text, cells) in columns {
                painter.put(fitting: text, x: column, y: y, limit: min(cells - 1, x + width - column))
                column += cells
            }
        }
    }

    private static func draw(_ bar: TaskDetail.Progress, x: Int, y: Int, width: Int, _ painter: inout Painter) {
        let isTight = width - bar.figures.width - 2 < min(12, TextWidth.columns(of: bar.name))
        let figures = isTight ? bar.short ?? bar.figures : bar.figures
        let room = max(0, width - figures.width - 2)
        let cells = bar.hasBar && room >= 24 ? min(24, room - 18) : 0
        let name = Elision.middle(bar.name, room - (cells > 0 ? cells + 2 : 0))
        painter.put(.figure(name), x: x, y: y, limit: room)
        if cells > 0 {
            painter.bar(
                bar.fraction,
                x: x + width - figures.width - 2 - cells,
                y: y,
                width: cells,
                gradient: bar.gradient
            )
        }
        painter.put(figures, endingAt: x + width, y: y)
    }
}
