internal import SluiceCore

/// The waterfall of a task's phases: a bar each, how long it took, and what is usual at its host.
enum TimelineView {
    /// What all lines of one waterfall share: its axis, and which columns follow the bars.
    struct Scale: Equatable {
        /// Cells before the bars.
        static let label = 12
        private static let figure = 9
        private static let spread = 17
        private static let note = 17

        /// Of the axis, in seconds.
        let length: Double
        let width: Int
        /// Whether there is room for what is usual, and anything to show.
        let comparesHost: Bool
        /// Whether notes have a column besides that; else they stand where there is nothing to compare.
        private let hasBoth: Bool

        init(length: Double, width: Int, comparesHost: Bool) {
            (self.length, self.width) = (length, width)
            self.comparesHost = comparesHost && width >= 66
            hasBoth = comparesHost && width >= 100
        }

        /// Cells of the bars.
        var cells: Int {
            let columns = Self.figure + (width >= 66 ? 2 + Self.spread : 0) + (hasBoth ? 2 + Self.note : 0)
            return max(4, width - Self.label - columns - 1)
        }

        /// Behind the figure.
        var figureEnd: Int { min(width, Self.label + cells + Self.figure) }
        /// Behind the median, and behind the 95th percentile.
        var spreadEnds: (Int, Int) { (figureEnd + 2 + 8, figureEnd + 2 + Self.spread) }
        func noteStart(besides spread: HostFigures.Spread?) -> Int? {
            if hasBoth { return spreadEnds.1 + 2 }
            return spread == nil || !comparesHost ? figureEnd + 2 : nil
        }

        /// Seconds from label to label, with room between them.
        var tick: Double {
            let most = max(1, cells / 8)
            var step = 0.001
            for factor in Array(repeating: [2.0, 2.5, 2.0], count: 9).flatMap({ $0 }) {
                if length / step <= Double(most) { return step }
                step *= factor
            }
            return max(step, length)
        }
    }

    static func drawAxis(_ scale: Scale, x: Int, y: Int, _ painter: inout Painter) {
        let (cells, step) = (scale.cells, scale.tick)
        var mark = 0.0
        while mark <= scale.length * 1.001 {
            let column = x + Scale.label + Int(mark / max(scale.length, 0.001) * Double(cells))
            let text = label(mark, step: step)
            if column + text.count <= x + Scale.label + cells + 4 { painter.put(.dim(text), x: column, y: y) }
            mark += step
        }
        guard scale.comparesHost else { return }
        let (median, high) = scale.spreadEnds
        painter.put(.dim("median"), endingAt: x + median, y: y)
        painter.put(.dim("95 %"), endingAt: x + high, y: y)
    }

    static func draw(
        _ span: Timeline.Span,
        _ spread: HostFigures.Spread?,
        _ scale: Scale,
        x: Int,
        y: Int,
        _ state: AppState,
        _ painter: inout Painter
    ) {
        let (start, cells) = (x + Scale.label, scale.cells)
        let isBig = span.role == .run || span.role == .wait
        let spins = span.isLive && (span.role == .run || span.role == .ok)
        if spins { painter.noteSpinner(x: x, y: y) }
        let spinner = spins ? painter.glyphs.spinner(state.spinnerStep) + " " : ""
        let glyph = span.role == .wait ? (span.label == "paused" ? "‖ " : "↻ ") : spinner
        let label = glyph + span.label
        painter.put(isBig ? .bold(label, span.role) : .plain(label), x: x, y: y, limit: Scale.label - 1)
        let perSecond = Double(cells) / max(scale.length, 0.001)
        let step = scale.tick
        var mark = 0.0
        while mark <= scale.length * 1.001 {
            let column = Int(mark * perSecond)
            if column < cells { painter.put(StyledText("┆", .frame), x: start + column, y: y) }
            mark += step
        }
        let first = max(0, min(cells - 1, Int(span.start.seconds * perSecond)))
        let last = min(cells, max(first + 1, Int((span.end.seconds * perSecond).rounded(.up))))
        let block = span.role == .frame || painter.glyphs.depth != .mono ? "█" : "▓"
        painter.put(StyledText(String(repeating: block, count: last - first), span.role), x: start + first, y: y)
        let figure = TaskDetail.duration(span.length)
        // Hours have no room for a unit, and need none.
        let isLong = figure.number.count > 5
        let unit = isLong ? "" : " " + figure.unit + String(repeating: " ", count: max(0, 2 - figure.unit.count))
        painter.put(.figure(figure.number) + .dim(unit), endingAt: x + scale.figureEnd, y: y)
        if scale.comparesHost, let spread {
            let (median, high) = scale.spreadEnds
            painter.put(.dim(short(spread.median)), endingAt: x + median, y: y)
            painter.put(.dim(short(spread.high)), endingAt: x + high, y: y)
        }
        if let note = scale.noteStart(besides: spread), note < scale.width, !span.note.isEmpty {
            let text = StyledText.dim(VisibleText.visible(span.note, limit: 60))
            painter.put(fitting: text, x: x + note, y: y, limit: scale.width - note)
        }
    }

    /// At most seven cells up to a hundred hours: from a minute on the colons are the unit.
    private static func short(_ duration: Duration) -> String {
        let figure = TaskDetail.duration(duration)
        return figure.unit == "min" ? figure.number : figure.text
    }

    private static func label(_ seconds: Double, step: Double) -> String {
        if step < 1 {
            if seconds == 0 { return "0 s" }
            if step < 0.1 { return "\(Int((seconds * 1_000).rounded())) ms" }
            return "\((seconds * 10).rounded() / 10) s"
        }
        return seconds < 100 ? "\(Int(seconds.rounded())) s" : Format.time(.seconds(Int(seconds.rounded())))
    }
}
