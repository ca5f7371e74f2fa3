internal import SluiceCore

/// What is left of the dashboard where there is hardly any room.
enum SmallView {
    /// Rows without frames, the queue behind the active ones, one line for the cache.
    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        guard rect.height > 0 else { return }
        let cacheRow = rect.height >= Layout.bodyWithCacheLine ? rect.bottom - 1 : nil
        if let cacheRow { CacheView.drawLine(state, y: cacheRow, &painter) }
        let rows = rect.height - (cacheRow == nil ? 0 : 1)
        if EmptyView.isShown(state) {
            let lines: [StyledText] = [
                .figure("Type or paste URLs, then Enter."), .dim("Equal ones merge into one download."),
                StyledText("@urls.txt", .accent) + .dim(" reads a list."),
            ]
            for (index, line) in lines.prefix(rows).enumerated() {
                painter.put(line, x: rect.x + 1, y: rect.y + index, limit: rect.width - 2)
            }
            return
        }
        let used = ActiveView.drawRows(
            state,
            in: Rect(x: rect.x, y: rect.y, width: rect.width, height: rows),
            hasHeading: false,
            now: now,
            &painter
        )
        drawQueue(state, in: Rect(x: rect.x, y: rect.y + used, width: rect.width, height: rows - used), &painter)
    }

    private static func drawQueue(_ state: AppState, in rect: Rect, _ painter: inout Painter) {
        let snapshot = state.snapshot
        guard rect.height >= 2, snapshot.queuedCount > 0 else { return }
        painter.rule(
            .dim("\(Format.count(snapshot.queuedCount)) queued"),
            x: rect.x + 3,
            y: rect.y,
            width: rect.width - 4
        )
        for row in 1..<rect.height {
            guard let task = snapshot.queuedRow(at: row) else { return }
            let y = rect.y + row
            painter.put(StyledText("\(row)", row == 1 ? .bright : .dim), endingAt: rect.x + 2, y: y)
            let mark = TaskColumns.receipts(task.receipts)
            let name = Elision.middle(VisibleText.visible(task.name, limit: 300), max(0, rect.width - 6 - mark.width))
            painter.put(.plain(name), x: rect.x + 3, y: y)
            painter.put(mark, endingAt: rect.right - 1, y: y)
        }
    }

    /// `sluice ⠹ 4/4 ↓11.3M q38 ✗3`; what does not fit is left out whole, since a figure that is cut is another figure.
    static func drawLine(_ state: AppState, y: Int, _ painter: inout Painter) {
        let snapshot = state.snapshot
        let (glyph, _, role) = NetworkView.mark(snapshot.indicator.state, state)
        var facts: [StyledText] = [.figure(VisibleText.visible(state.configuration.title, limit: 20))]
        if let replay = state.replay { facts.append(replay.short) }
        facts.append(.bold(glyph, role) + .figure(" \(snapshot.active.count)/\(snapshot.settings.maxActive)"))
        if snapshot.rate > 0 {
            let rate = snapshot.rateFigure
            facts.append(.bold("↓", .focus) + .bright(rate.number) + .dim(String(rate.unit.prefix(1))))
        }
        let stop = snapshot.settings.suspended ? StyledText("‖", .wait) : StyledText()
        if snapshot.queuedCount > 0 || stop.width > 0 {
            facts.append(.dim("q") + .bright("\(snapshot.queuedCount)") + stop)
        }
        var held: [StyledText] = []
        if snapshot.waitingCount > 0 { held.append(StyledText("↻\(snapshot.waitingCount)", .wait)) }
        if snapshot.pausedCount > 0 { held.append(StyledText("‖\(snapshot.pausedCount)", .wait)) }
        let failed = state.failedCount > 0 ? [StyledText("✗\(state.failedCount)", .bad)] : []
        let all = facts + held + failed
        if all.reduce(all.count - 1, { $0 + $1.width }) > painter.width { facts.removeFirst() }
        let mark = StyledText.bold(glyph, role)
        var room = painter.width
        let first = fitting(facts, &room, mark)
        // It stands behind what waits and what is paused, and has room before both.
        let last = fitting(failed, &room, mark)
        var x = 0
        for fact in first + fitting(held, &room, mark) + last {
            if role == .focus, fact.spans.first?.text == glyph { painter.noteSpinner(x: x, y: y) }
            x = painter.put(fact, x: x, y: y) + 1
        }
    }

    /// Those of the facts that fit whole, with a blank behind each; of the one with the mark at least that.
    private static func fitting(_ facts: [StyledText], _ room: inout Int, _ mark: StyledText) -> [StyledText] {
        var shown: [StyledText] = []
        for whole in facts {
            let isMark = whole.spans.first?.text == mark.spans.first?.text
            let fact = isMark && whole.width > room ? mark : whole
            guard fact.width <= room else { continue }
            shown.append(fact)
            room -= fact.width + 1
        }
        return shown
    }
}
