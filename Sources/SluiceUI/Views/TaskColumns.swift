internal import SluiceCore

/// The columns of a task row at one width; drops those first that are missed least.
struct TaskColumns {
    let x: Int
    /// One past the last column for text.
    let right: Int
    let name: Int
    let host: Int?
    /// Right edge of the number of receipts.
    let receipts: Int
    let bar: Int
    let barWidth: Int
    let percent: Int
    let size: Int?
    let rate: Int
    let eta: Int?
    static let hostColumns = 16
    /// What tells the rows in sight apart that have the same name.
    var places = NamePlaces()

    init(x: Int, width: Int) {
        self.x = x
        right = x + width - 1
        name = x + 3
        let choices: [(host: Bool, size: Bool, bar: Int, eta: Bool)] = [
            (true, true, 20, true), (true, true, 12, true), (false, true, 12, true), (false, true, 10, true),
            (false, false, 10, true), (false, false, 6, true), (false, false, 6, false), (false, false, 0, false),
        ]
        var choice = choices[choices.count - 1]
        for next in choices {
            let used = (next.eta ? 6 : 0) + 11 + (next.size ? 15 : 0) + 5 + (next.bar > 0 ? next.bar + 2 : 1) + 4
            if right - name - used - (next.host ? 19 : 0) >= (next.host ? 16 : next.bar >= 12 ? 18 : 15) {
                choice = next
                break
            }
        }
        var edge = right
        eta = choice.eta ? edge : nil
        if choice.eta { edge -= 6 }
        rate = edge
        edge -= 11
        size = choice.size ? edge : nil
        if choice.size { edge -= 15 }
        percent = edge
        edge -= 5
        // A blank before the figure, which all of a body fills.
        barWidth = max(0, choice.bar - 1)
        bar = edge - choice.bar
        receipts = choice.bar > 0 ? bar - 2 : edge - 1
        host = choice.host ? receipts - 4 - 17 : nil
    }

    func drawHeading(y: Int, _ painter: inout Painter) {
        painter.put(.dim("name"), x: name, y: y)
        if let host { painter.put(.dim("host"), x: host, y: y) }
        painter.put(.dim("rcpt"), endingAt: receipts, y: y)
        if let size { painter.put(.dim("done/total"), endingAt: size, y: y) }
        painter.put(.dim("rate"), endingAt: rate, y: y)
        if let eta { painter.put(.dim("eta"), endingAt: eta, y: y) }
    }

    func draw(
        _ row: PipelineSnapshot.Row,
        at index: Int,
        y: Int,
        isSelected: Bool,
        _ state: AppState,
        now: Timestamp,
        _ painter: inout Painter
    ) {
        if isSelected {
            painter.ground(.select, x: x, y: y, width: right + 1 - x)
            painter.put(.bold("▌", .focus), x: x, y: y)
        }
        if row.state == .active, row.receipts > 0 { painter.noteSpinner(x: x + 1, y: y) }
        painter.put(mark(row, painter.glyphs.spinner(state.spinnerStep)), x: x + 1, y: y)
        drawName(
            VisibleText.visible(row.name, limit: 300),
            at: index,
            row.receipts,
            { isSelected ? .figure($0) : .plain($0) },
            marks: { RowMarks.text(row, beside: $0, room: $1) },
            y: y,
            &painter
        )
        if let host {
            painter.put(.dim(NamePlaces.shownHost(row.host, columns: Self.hostColumns)), x: host, y: y)
        }
        switch row.state {
        case .active, .queued: drawFigures(row, y: y, state, now: now, &painter)
        case .waiting(let until, let delay):
            let total = max(0.001, delay.seconds)
            painter.bar(1 - (until - now).seconds / total, x: bar, y: y, width: barWidth, gradient: .wait)
            var text = StyledText.bold("waiting \(Format.countdown(until - now))", .wait)
            if case .retryAfter(let error, _, _, _) = row.reason {
                let cause = error.status.map(String.init) ?? error.code.rawValue
                text += .dim(" · ") + .plain(cause)
            }
            text += .dim(" · attempt \(row.attempt) of \(row.attempts)")
            drawState(text, y: y, &painter)
        case .paused:
            painter.bar(fraction(row) ?? 0, x: bar, y: y, width: barWidth, gradient: .wait)
            var text = StyledText.bold(state.snapshot.hasEnded ? "left" : "paused", .wait)
            if let fraction = fraction(row) {
                text += .dim(" at ") + .plain("\(Int(fraction * 100)) %")
            } else if row.received > 0 {
                text += .dim(" at ") + .plain(Format.bytes(row.received).text)
            }
            let hint = state.hint(" · ", .pause, "resumes")
            drawState(text.width + hint.width <= right - stateStart ? text + hint : text, y: y, &painter)
        }
    }

    /// A task that ended: quiet, with its outcome in words.
    func draw(_ task: AppState.LingeringTask, at index: Int, y: Int, _ painter: inout Painter) {
        let mark: StyledText =
            switch task.outcome {
            case .success: .bold("✓", .ok)
            case .failed: .bold("✗", .bad)
            case .cancelled: .dim("⊘")
            }
        let sentence = task.sentence
        painter.put(mark, x: x + 1, y: y)
        drawName(sentence.subject, at: index, task.receipts, StyledText.dim, y: y, &painter)
        drawState(.dim("\(sentence.verb) \(sentence.detail)"), y: y, from: bar, &painter)
    }

    private func drawName(
        _ text: String,
        at index: Int,
        _ count: Int,
        _ style: (String) -> StyledText,
        marks: (_ name: String, _ room: Int) -> StyledText = { _, _ in StyledText() },
        y: Int,
        _ painter: inout Painter
    ) {
        let mark = Self.receipts(count)
        let room = max(0, (host ?? receipts - mark.width) - 1 - name)
        let marks = marks(places.whole(text, at: index), room)
        painter.put(places.text(text, at: index, room: room - marks.width, style) + marks, x: name, y: y)
        painter.put(mark, endingAt: receipts, y: y)
    }

    private func drawFigures(
        _ row: PipelineSnapshot.Row,
        y: Int,
        _ state: AppState,
        now: Timestamp,
        _ painter: inout Painter
    ) {
        painter.bar(fraction(row), x: bar, y: y, width: barWidth)
        if let fraction = fraction(row) {
            painter.put(.figure("\(Int(fraction * 100))") + .dim(" %"), endingAt: percent, y: y)
        } else {
            painter.put(.dim("–"), endingAt: percent, y: y)
        }
        if let size {
            let isUnknown = row.received == 0 && row.expected == nil
            let text = isUnknown ? StyledText.dim("–") : .figure(Format.progress(row.received, of: row.expected))
            painter.put(text, endingAt: size, y: y)
        }
        if let words = row.silenceWords(at: now) {
            let room = (eta ?? rate) - (size ?? percent) - 1
            let text = words.first { $0.count <= room } ?? "0"
            return painter.put(StyledText(text, .wait), endingAt: eta ?? rate, y: y)
        }
        painter.put(row.pace(.bright, bold: true), endingAt: rate, y: y)
        if let eta { painter.put(.plain(remaining(row, state)), endingAt: eta, y: y) }
    }

    private var stateStart: Int { barWidth > 0 ? bar + barWidth + 1 : receipts + 1 }

    private func drawState(_ text: StyledText, y: Int, from start: Int? = nil, _ painter: inout Painter) {
        let x = start ?? stateStart
        let room = right - x
        let end = painter.put(text, x: x, y: y, limit: text.width > room ? room - 1 : room)
        if text.width > room, room > 0 { painter.put(.dim("…"), x: end, y: y) }
    }

    private func mark(_ row: PipelineSnapshot.Row, _ spinner: String) -> StyledText {
        switch row.state {
        case .active: row.isDetached ? .dim("⇢") : .bold(spinner, .run)
        case .queued: .bright("▸")
        case .waiting: .bold("↻", .wait)
        case .paused: .bold("‖", .wait)
        }
    }

    private func fraction(_ row: PipelineSnapshot.Row) -> Double? {
        guard let expected = row.expected, expected > 0 else { return row.expected == 0 ? 1 : nil }
        return min(1, max(0, Double(row.received) / Double(expected)))
    }

    private func remaining(_ row: PipelineSnapshot.Row, _ state: AppState) -> String {
        if let left = row.secondsLeft { return Format.shortTime(.seconds(Int(left.rounded(.up)))) }
        // What the header dares to say of all, a row may say of itself.
        guard let left = row.guessedSecondsLeft, HeaderView.eta(state) != nil else { return "–" }
        let seconds = Int(left.rounded(.up))
        // In five cells.
        if seconds < 600 { return "~" + Format.time(.seconds(seconds)) }
        return seconds < 3_600 ? "~\((seconds + 30) / 60)m" : "~\((seconds + 1_800) / 3_600)h"
    }

    /// `×3`; two and more in the colour of merging.
    static func receipts(_ count: Int) -> StyledText {
        let text = count < 1_000 ? "×\(count)" : "×\(count / 1_000)k"
        return count > 1 ? .bold(text, .merge) : .dim(text)
    }
}
