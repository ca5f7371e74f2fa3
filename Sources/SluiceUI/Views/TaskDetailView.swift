internal import SluiceCore

/// One task in full: what it is, where its time went, who asked for it, what the server said, and what to do.
///
/// The sections are the same at every size: boxes where there is room, else one page that scrolls. Nothing is cut
/// that could not be scrolled to: a URL of many lines leaves no room for boxes.
enum TaskDetailView {
    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        guard let subject = TaskDetail(state, now: now) else { return drawNothing(state, in: rect, &painter) }
        if let heights = boxes(subject, in: rect) {
            drawBoxes(subject, state, in: rect, heights, &painter)
        } else {
            drawPage(subject, state, in: rect, &painter)
        }
    }

    /// How far it can be scrolled.
    static func lastOffset(_ state: AppState) -> Int {
        guard let rect = state.layout.panels[.detail], let subject = TaskDetail(state, now: state.snapshot.time) else {
            return 0
        }
        if let heights = boxes(subject, in: rect) {
            return max(0, subject.response(width: rightWidth(rect) - 4).lines.count - (heights.response - 2))
        }
        return max(0, page(subject, width: rect.width - 4).count - (rect.height - 2))
    }

    /// The offset that shows the answer, which ends the page; `nil` where that has a box.
    static func offsetOfAnswer(_ state: AppState) -> Int? {
        guard let rect = state.layout.panels[.detail], let subject = TaskDetail(state, now: state.snapshot.time),
            boxes(subject, in: rect) == nil
        else { return nil }
        let width = rect.width - 4
        let heading = page(subject, width: width).count - subject.response(width: width).lines.count - 1
        return min(max(0, heading), lastOffset(state))
    }

    /// How many lines of what scrolls are seen at once: of the page, or of the box that tells of the answer.
    static func rows(_ state: AppState) -> Int {
        guard let rect = state.layout.panels[.detail], let subject = TaskDetail(state, now: state.snapshot.time) else {
            return 0
        }
        return max(0, (boxes(subject, in: rect)?.response ?? rect.height) - 2)
    }

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

    /// How high the boxes are.
    private struct Heights {
        var summary: Int
        var timeline: Int
        var response: Int
        var caches: Int
    }

    /// - Returns: `nil` where one page tells more.
    private static func boxes(_ subject: TaskDetail, in rect: Rect) -> Heights? {
        guard rect.width >= 104, rect.height >= 26, !subject.isEarlier else { return nil }
        let left = rect.width - rightWidth(rect)
        let summary = subject.summary(width: left - 4).lines.count + 2
        let caches = subject.caches(width: rightWidth(rect) - 4).lines.count + 2
        // These two don't scroll; the least that the others need is a heading and a few rows.
        guard summary + 13 <= rect.height, caches + 5 <= rect.height else { return nil }
        let wanted = subject.timeline(width: left - 4).lines.count + 2
        let timeline = max(6, min(wanted, rect.height - summary - 7))
        return Heights(summary: summary, timeline: timeline, response: rect.height - caches, caches: caches)
    }

    private static func drawBoxes(
        _ subject: TaskDetail,
        _ state: AppState,
        in rect: Rect,
        _ heights: Heights,
        _ painter: inout Painter
    ) {
        let right = rightWidth(rect)
        let left = rect.width - right
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
        var response = subject.response(width: right - 4)
        let rows = heights.response - 2
        let offset = min(state.detail.offset, max(0, response.lines.count - rows))
        if response.lines.count > rows { response.feet = more(response.lines.count, rows, offset, state) }
        box(response, rect.x + left, right, heights.response, offset: offset)
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
        if subject.isEarlier { return lines }
        for section in [
            subject.timeline(width: width), subject.receipts(width: width), subject.caches(width: width),
            subject.response(width: width),
        ] where !section.lines.isEmpty {
            lines.append(.rule(section.title, section.facts.first ?? StyledText()))
            lines += section.lines
        }
        return lines
    }

    /// Which lines are seen, and the key for the others.
    private static func more(_ count: Int, _ rows: Int, _ offset: Int, _ state: AppState) -> [StyledText] {
        PageFoot.texts(
            offset: offset,
            rows: rows,
            of: count,
            forward: state.hint(.pageDown, "more · "),
            backward: state.hint(.pageUp, "back · ")
        )
    }

    private static func drawPage(_ subject: TaskDetail, _ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let summary = subject.summary(width: rect.width - 4)
        let lines = page(subject, width: rect.width - 4)
        let rows = max(0, rect.height - 2)
        let offset = min(state.detail.offset, max(0, lines.count - rows))
        var edges = Painter.Edges(state.digit(.detail), "detail", facts: summary.facts)
        if lines.count > rows {
            edges.feet = more(lines.count, rows, offset, state)
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
