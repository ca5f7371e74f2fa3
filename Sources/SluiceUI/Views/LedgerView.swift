internal import SluiceCore

/// The purges, newest first; the selected one opens its why and its victims.
enum LedgerView {
    /// Rows that other purges keep beside an open one, if there are so many.
    private static let rowsOfOthers = 6

    /// - Parameters:
    ///   - state: Of the screen.
    ///   - rect: Where it stands.
    ///   - hasWholePlace: Whether nothing else is to stand below, so that more victims can be named.
    ///   - painter: What it is drawn with.
    /// - Returns: Rows used.
    static func draw(_ state: AppState, in rect: Rect, hasWholePlace: Bool = false, _ painter: inout Painter) -> Int {
        guard rect.height > 0 else { return 0 }
        if state.news.ledger.entries.isEmpty { return drawRule(state.snapshot.memory, in: rect, &painter) }
        let entries = state.news.ledger.entries
        let isFocused = state.keyPanel == .cache
        let open = isFocused ? state.purgeCursor.index : 0
        let others = min(entries.count, rowsOfOthers)
        let victims = hasWholePlace ? max(3, rect.height - others - 3) : 3
        func reasons(victims: Int) -> [Reason] {
            entries.indices.contains(open) ? Self.reasons(entries[open], rect.width, victims: victims) : []
        }
        let why = reasons(victims: victims)
        let shown: [Reason] =
            if rect.height >= why.count + (isFocused ? 1 : min(entries.count, 5)) { why } else if rect.height >= 6 {
                Array(reasons(victims: 0).prefix(2))
            } else { [] }
        let rows = rect.height - shown.count
        let top = isFocused ? ListCursor<Int>.top(index: open, count: entries.count, rows: rows) : 0
        var y = rect.y
        for (index, entry) in entries.enumerated().dropFirst(top).prefix(rows) {
            let isSelected = isFocused && index == state.purgeCursor.index
            painter.noteTarget(.purge(index), Rect(x: rect.x, y: y, width: rect.width, height: 1))
            drawRow(entry, index, isSelected: isSelected, y: y, in: rect, state, &painter)
            y += 1
            guard index == open else { continue }
            for line in shown {
                painter.put(fitting: line.left, x: rect.x + 2, y: y, limit: rect.width - 2)
                if !line.middle.isEmpty { painter.put(line.middle, endingAt: rect.x + rect.width * 27 / 40, y: y) }
                if !line.right.isEmpty { painter.put(line.right, endingAt: rect.right, y: y) }
                y += 1
            }
        }
        return y - rect.y
    }

    /// Before the first purge: what will make one.
    private static func drawRule(_ memory: PipelineSnapshot.Memory, in rect: Rect, _ painter: inout Painter) -> Int {
        guard rect.height >= 2, memory.capacity > 0 else { return 0 }
        let preferred = Format.number(memory.preferred, likeLimit: memory.capacity)
        let above = StyledText.dim("Above ") + .plain(Format.limit(memory.capacity).text)
        let left = StyledText.plain(preferred) + .dim(" are left at most.")
        var (head, tail) = (above + .dim(" the least recently"), StyledText.dim("used go, until ") + left)
        let line = head + .dim(" ") + tail
        if line.width <= rect.width {
            painter.put(line, x: rect.x, y: rect.y)
            return 1
        }
        if max(head.width, tail.width) > rect.width {
            (head, tail) = (above + .dim(" the oldest go,"), StyledText.dim("until ") + left)
        }
        painter.put(fitting: head, x: rect.x, y: rect.y, limit: rect.width)
        painter.put(fitting: tail, x: rect.x, y: rect.y + 1, limit: rect.width)
        return 2
    }

    private static func drawRow(
        _ entry: PurgeLedger.Entry,
        _ index: Int,
        isSelected: Bool,
        y: Int,
        in rect: Rect,
        _ state: AppState,
        _ painter: inout Painter
    ) {
        let isFlash = index == 0 && state.news.flashUntil != nil
        if isFlash {
            painter.ground(.purge, x: rect.x - 1, y: y, width: rect.width + 2)
        } else if isSelected {
            painter.ground(.select, x: rect.x - 1, y: y, width: rect.width + 2)
            painter.put(.bold("▌", .focus), x: rect.x - 1, y: y)
        }
        func put(_ text: StyledText, x: Int) -> Int {
            painter.put(isFlash ? text.inked(.ink) : text, x: x, y: y, limit: rect.right - x)
        }
        let time = state.clock.time(after: entry.t, seconds: rect.width >= 46)
        let end = put(.bold("♺", .purge) + .dim(" \(time)"), x: rect.x)
        let freed = StyledText.bold("−\(Format.bytes(entry.purge.freed).text)", index == 0 ? .bright : .fg)
        _ = put(freed, x: max(end + 1, end + 12 - freed.width))
        let count = StyledText.plain(Format.plural(entry.victimCount, "image"))
        let countEnd = put(count, x: max(end + 13, end + 23 - count.width))
        let why = StyledText.dim(entry.purge.trigger.rawValue)
        if countEnd + 2 + why.width <= rect.right { _ = put(why, x: countEnd + 2) }
    }

    private struct Reason {
        var left: StyledText
        var middle = StyledText()
        var right = StyledText()
    }

    /// Why so much went, and the first that went.
    private static func reasons(_ entry: PurgeLedger.Entry, _ width: Int, victims limit: Int) -> [Reason] {
        let purge = entry.purge
        var lines: [Reason] = []
        let before = Format.level(purge.before)
        let needed = Format.bytes(purge.needed)
        switch purge.trigger {
        case .capacity:
            let capacity = (entry.cause?.capacity).map(Format.limit)
            // In one unit the last names it for all.
            let isMixed = before.unit != needed.unit || capacity.map { $0.unit != needed.unit } ?? false
            if let cause = entry.cause {
                let name = VisibleText.visible(EventSentence.name(cause.key.key), limit: 200)
                let cost = Format.bytes(cause.cost)
                let tail =
                    StyledText.dim(" (") + .bright(cost.number) + .dim(" \(cost.unit)) made ")
                    + .figure(isMixed ? before.text : before.number)
                lines.append(Reason(left: .plain(Elision.middle(name, max(6, width - 2 - tail.width))) + tail))
            }
            let of = capacity.map { "of \(isMixed ? $0.text : $0.number), " } ?? ""
            let end = limit > 0 ? "had to go, oldest:" : "had to go"
            lines.append(Reason(left: .dim("\(of)so ") + .figure(needed.number) + .dim(" \(needed.unit) \(end)")))
        case .resized:
            lines.append(Reason(left: .dim("the capacity shrank below ") + .figure(before)))
        case .pressure:
            lines.append(Reason(left: .dim("memory was short: all ") + .figure(before) + .dim(" went")))
        case .cleared:
            lines.append(Reason(left: .dim("cleared by the user: all ") + .figure(before) + .dim(" went")))
        }
        let victims = purge.victims.prefix(limit)
        for victim in victims {
            let name = VisibleText.visible(EventSentence.name(victim.key.key), limit: 200)
            lines.append(
                Reason(
                    left: .dim(Elision.middle(name, max(4, width * 27 / 40 - 13))),
                    middle: .figure(Format.bytes(victim.cost)),
                    right: .dim("idle ") + .plain(Format.time(victim.idle))
                )
            )
        }
        let more = entry.victimCount - victims.count
        if more > 0 {
            let rest = purge.freed - victims.reduce(0) { $0 + $1.cost }
            lines.append(Reason(left: .dim("\(more) more"), middle: .figure(Format.bytes(rest))))
        }
        return lines
    }
}
