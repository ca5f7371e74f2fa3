internal import SluiceCore

/// The certificates of a host: in boxes where there is room, else on one page that scrolls.
///
/// Takes the place of the panels, between header and prompt.
enum TrustView {
    static func draw(_ state: AppState, _ painter: inout Painter) {
        guard let trust = state.trust, let rect = rect(state) else { return }
        let body = state.layout.bodyRect
        if rect.height < body.height { CacheView.drawLine(state, y: body.bottom - 1, &painter) }
        let text = text(trust, state)
        if isWide(rect) {
            drawBoxes(text, state, in: rect, &painter)
        } else {
            drawPage(text, state, in: rect, &painter)
        }
    }

    /// Rows of text that are seen at once.
    static func rows(_ state: AppState) -> Int { rect(state).map { max(0, $0.height - 2) } ?? 0 }

    /// How far it can be scrolled.
    static func lastOffset(_ state: AppState) -> Int {
        guard let trust = state.trust, let rect = rect(state) else { return 0 }
        return max(0, scrolled(trust, state, rect).count - (rect.height - 2))
    }

    /// The offset that shows what a policy that was tried says, at the end of the page; `nil` where that has a box.
    static func offsetOfAnswer(_ state: AppState) -> Int? {
        guard let rect = rect(state), !isWide(rect) else { return nil }
        return lastOffset(state)
    }

    /// The offset that shows the selected certificate.
    static func offset(showing state: AppState) -> Int {
        guard let trust = state.trust, let rect = rect(state) else { return 0 }
        let rows = scrolled(trust, state, rect)
        let visible = max(1, rect.height - 2)
        guard let first = rows.firstIndex(where: \.isSelected), let last = rows.lastIndex(where: \.isSelected) else {
            return trust.offset
        }
        var offset = trust.offset
        if last >= offset + visible { offset = last - visible + 1 }
        if first < offset || trust.place == 0 { offset = trust.place == 0 ? 0 : first }
        return min(max(0, offset), max(0, rows.count - visible))
    }

    /// What is left beside the line of the cache.
    private static func rect(_ state: AppState) -> Rect? {
        let layout = state.layout
        guard layout.form != .line, layout.promptRow != nil else { return nil }
        var rect = layout.bodyRect
        if rect.height >= Layout.bodyWithCacheLine { rect.height -= 1 }
        return rect.height >= 3 ? rect : nil
    }

    private static func isWide(_ rect: Rect) -> Bool { rect.width >= 110 && rect.height >= 26 }
    private static func rightWidth(_ rect: Rect) -> Int { min(72, max(56, rect.width * 38 / 100)) }

    private static func text(_ trust: TrustState, _ state: AppState) -> TrustText {
        TrustText(trust: trust, spinner: NetworkView.mark(.active, state).glyph)
    }

    /// The rows that scroll.
    private static func scrolled(_ trust: TrustState, _ state: AppState, _ rect: Rect) -> [TrustText.Row] {
        let text = text(trust, state)
        return isWide(rect)
            ? text.chain(width: rect.width - rightWidth(rect) - 4, unfolds: true).rows : page(text, rect.width - 4)
    }

    private static func drawBoxes(_ text: TrustText, _ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let right = rightWidth(rect)
        let left = Rect(x: rect.x, y: rect.y, width: rect.width - right, height: rect.height)
        var chain = text.chain(width: left.width - 4, unfolds: true)
        if chain.rows.isEmpty { chain.rows = text.verdict(width: left.width - 4).rows }
        box(chain, in: left, offset: state.trust?.offset ?? 0, isFocused: true, &painter)
        var sections = [text.verdict(width: right - 4)]
        for section in [text.policies(width: right - 4), text.pinning(width: right - 4)] where !section.rows.isEmpty {
            sections.append(section)
        }
        let legend = text.legend(width: right - 4)
        let used = sections.reduce(0) { $0 + $1.rows.count + 2 }
        // What would be pinned is never cut off for it.
        if sections.count > 1, used + legend.count <= rect.height { sections[1].rows += legend }
        var y = rect.y
        for (index, section) in sections.enumerated() {
            let isLast = index == sections.count - 1
            let height = isLast ? rect.bottom - y : min(section.rows.count + 2, rect.bottom - y)
            guard height >= 3 else { return }
            box(section, in: Rect(x: left.right, y: y, width: right, height: height), &painter)
            y += height
        }
    }

    private static func box(
        _ section: TrustText.Section,
        in rect: Rect,
        offset: Int = 0,
        isFocused: Bool = false,
        _ painter: inout Painter
    ) {
        var edges = Painter.Edges(section.number, section.title)
        (edges.facts, edges.feet, edges.isFocused) = (section.facts, section.feet, isFocused)
        painter.box(rect, edges)
        for (index, row) in section.rows.dropFirst(offset).prefix(rect.height - 2).enumerated() {
            draw(row, x: rect.x + 2, y: rect.y + 1 + index, width: rect.width - 4, &painter)
        }
    }

    private static func page(_ text: TrustText, _ width: Int) -> [TrustText.Row] {
        var rows = text.verdict(width: width).rows
        var policies = text.policies(width: width)
        // Before the table: what a policy that is tried says stands at the end of the page, with the table in sight.
        if !policies.rows.isEmpty { policies.rows = text.legend(width: width) + policies.rows }
        for section in [text.chain(width: width, unfolds: false), policies] where !section.rows.isEmpty {
            let title = section.number.isEmpty ? section.title : "chain"
            rows.append(TrustText.Row(text: .figure(title), isRule: true))
            rows += section.rows
        }
        return rows
    }

    private static func drawPage(_ text: TrustText, _ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let rows = page(text, rect.width - 4)
        let visible = max(0, rect.height - 2)
        let offset = min(state.trust?.offset ?? 0, max(0, rows.count - visible))
        var edges = Painter.Edges("T", "trust")
        edges.isFocused = true
        let badge = text.verdict(width: rect.width - 4).facts.first ?? StyledText()
        let host = text.chain(width: rect.width - 4, unfolds: false).facts.last ?? StyledText()
        edges.facts = [host + .dim("  ") + badge, badge]
        if rows.count > visible {
            edges.feet = PageFoot.texts(
                offset: offset,
                rows: visible,
                of: rows.count,
                forward: StyledText("PgDn", .accent) + .dim(" more · "),
                backward: StyledText("PgUp", .accent) + .dim(" back · ")
            )
        }
        if text.trust.report != nil {
            edges.note = .bold("p", .accent) + .dim(" pins the selected key")
            if rect.width < 60 { edges.note = .bold("p", .accent) + .dim(" pins") }
        }
        painter.box(rect, edges)
        for (index, row) in rows.dropFirst(offset).prefix(visible).enumerated() {
            draw(row, x: rect.x + 2, y: rect.y + 1 + index, width: rect.width - 4, &painter)
        }
    }

    private static func draw(_ row: TrustText.Row, x: Int, y: Int, width: Int, _ painter: inout Painter) {
        if row.isRule { return painter.rule(row.text, x: x, y: y, width: width) }
        if row.isSelected {
            painter.ground(.select, x: x - 1, y: y, width: width + 2)
            painter.put(.bold("▌", .focus), x: x - 1, y: y)
        }
        if let mark = row.mark { painter.ground(.select, x: x + mark.lowerBound, y: y, width: mark.count) }
        painter.put(row.text, x: x, y: y, limit: width)
        if row.text.width + 2 + row.end.width <= width { painter.put(row.end, endingAt: x + width, y: y) }
    }
}
