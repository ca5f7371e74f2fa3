internal import SluiceCore

/// The first row: the indicator's pill, the rate, and what waits or failed; drops facts, never those.
enum HeaderView {
    private struct Fact {
        var text: StyledText
        var gap: Int
        /// Higher goes first where there is no room; 0 stays.
        var rank = 0
        /// What is left of it then; else nothing is.
        var rest: StyledText?
        /// Shorter words for the same.
        var short: StyledText?
        /// The shortest words for the same.
        var tiny: StyledText?
        /// Columns of a graph, which stands closer to what is before it.
        var graph: Int?
        var isCount = false

        var width: Int { graph.map { $0 + 1 - gap } ?? text.width }

        mutating func shorten() {
            if let short { text = short }
        }

        /// Takes every blank that is not needed.
        mutating func squeeze() {
            if let tiny = tiny ?? short { text = tiny }
            gap = min(gap, 1)
        }
    }

    static func draw(_ state: AppState, now: Timestamp, _ painter: inout Painter) {
        let width = painter.width
        let facts = fitted(facts(state, now: now, width: width), width: width, clock: clock(state, now, width).width)
        var x = 1
        for fact in facts.left {
            if let graph = fact.graph {
                x -= fact.gap
                let values = state.news.throughput.samples.suffix(graph * 2).map(\.value)
                BrailleGraph(values: values, low: 0, high: NetworkView.top(of: values), gradient: .net, scale: nil)
                    .draw(in: Rect(x: x + 1, y: 0, width: graph, height: 1), &painter)
                x += graph + 1 + fact.gap
            } else {
                // A figure that is cut would be another figure.
                guard x + fact.text.width <= width else { continue }
                if fact.text.spans.contains(where: { $0.ink.ground == .focus }) { painter.noteSpinner(x: x + 1, y: 0) }
                x = painter.put(fact.text, x: x, y: 0) + fact.gap
            }
        }
        if facts.hasClock { painter.put(clock(state, now, width), endingAt: width - 1, y: 0) }
    }

    /// The state of the indicator, as a glyph and a word.
    static func pill(_ state: AppState, now: Timestamp) -> StyledText {
        let snapshot = state.snapshot
        let slots = "\(snapshot.active.count)/\(snapshot.settings.maxActive)"
        guard snapshot.settings.indicatorEnabled else { return .dim("○ off \(slots)") }
        switch snapshot.indicator.state {
        case .notActive: return snapshot.active.isEmpty ? .dim("○ idle") : .dim("○ idle \(slots)")
        case .delayingStart:
            let left = snapshot.indicator.deadline.map { " " + Format.tenths($0 - now) } ?? ""
            return StyledText(" ◔ starting\(left) ", .ink, on: .wait)
        case .active:
            let spinner = NetworkView.mark(.active, state).glyph
            return StyledText(" \(spinner) ACTIVE \(slots) ", .ink, on: .focus)
        case .delayingEnd: return StyledText(" ◕ ending ", .ink, on: .accent)
        }
    }

    private static func pillHasSlots(_ state: AppState) -> Bool {
        let snapshot = state.snapshot
        guard snapshot.settings.indicatorEnabled else { return true }
        return snapshot.indicator.state == .active
            || (snapshot.indicator.state == .notActive && !snapshot.active.isEmpty)
    }

    private static func shortPill(_ state: AppState) -> StyledText? {
        guard state.snapshot.indicator.state == .active, state.snapshot.settings.indicatorEnabled else { return nil }
        let spinner = NetworkView.mark(.active, state).glyph
        let slots = "\(state.snapshot.active.count)/\(state.snapshot.settings.maxActive)"
        return StyledText(" \(spinner) \(slots) ", .ink, on: .focus)
    }

    private static func facts(_ state: AppState, now: Timestamp, width: Int) -> [Fact] {
        let snapshot = state.snapshot
        let gap = width < 120 ? 2 : 3
        let title = VisibleText.visible(state.configuration.title, limit: 20)
        var facts = [
            Fact(text: .figure(title), gap: width < 120 ? 1 : 2),
            Fact(text: pill(state, now: now), gap: 2, short: shortPill(state)),
        ]
        if let replay = state.replay { facts.append(Fact(text: replay.text, gap: gap, short: replay.short)) }
        let isIdle = snapshot.indicator.state == .notActive
        if isIdle {
            facts[0].gap = 2
            facts[1].gap = gap
        }
        let hasPanel = state.layout.panels[.active] != nil && state.trust == nil
        if !hasPanel, !pillHasSlots(state) {
            facts.append(Fact(text: .figure("\(snapshot.active.count)/\(snapshot.settings.maxActive)"), gap: gap))
        }
        if !isIdle || snapshot.rate > 0 {
            let rate = snapshot.rateFigure
            let text = StyledText.bold("↓", .focus) + .figure(" \(rate.number)") + .dim(" \(rate.unit)")
            let short = StyledText.bold("↓", .focus) + .figure(rate.number) + .dim(String(rate.unit.prefix(1)))
            var fact = Fact(text: text, gap: gap, short: short)
            if let limited = limited(snapshot) { (fact.text, fact.rest, fact.rank) = (limited, text, 2) }
            facts.append(fact)
            if width >= 120 {
                facts.append(Fact(text: StyledText(), gap: gap, rank: 4, graph: width < 200 ? 10 : 18))
            }
            if let eta = eta(state) { facts.append(Fact(text: .dim("eta ") + .plain(eta), gap: gap, rank: 3)) }
        } else if snapshot.settings.limitRate > 0 {
            let limit = Format.rate(0, of: snapshot.settings.limitRate).limit
            facts.append(
                Fact(text: .dim("limit ") + .plain(limit.number) + .dim(" \(limit.unit)"), gap: gap, rank: 2)
            )
        }
        if !snapshot.lenientHosts.isEmpty {
            facts.append(Fact(text: .bold("! insecure", .bad), gap: gap, short: .bold("! tls", .bad)))
        }
        facts += counts(state, gap: gap, width: width)
        return facts
    }

    /// The rate, and what the user lets it be, in the unit of that; `nil` without a limit.
    private static func limited(_ snapshot: PipelineSnapshot) -> StyledText? {
        guard snapshot.settings.limitRate > 0 else { return nil }
        let (number, limit) = Format.rate(snapshot.rate, of: snapshot.settings.limitRate)
        let end = StyledText.dim(" of ") + .plain(limit.number) + .dim(" \(limit.unit)")
        let own = snapshot.rateFigure
        // In the unit of a limit that is far away it would read as none.
        guard number == "0", own.number != "0" else { return .bold("↓", .focus) + .figure(" \(number)") + end }
        let unit = StyledText.dim(own.unit == limit.unit ? "" : " \(own.unit)")
        return .bold("↓", .focus) + .figure(" \(own.number)") + unit + end
    }

    private static func counts(_ state: AppState, gap: Int, width: Int) -> [Fact] {
        let snapshot = state.snapshot
        var facts: [Fact] = []
        func add(
            _ count: Int,
            _ glyph: String,
            _ word: String,
            _ role: Role,
            rank: Int = 0,
            extra: StyledText = StyledText(),
            sign: StyledText = StyledText()
        ) {
            guard count > 0 else { return }
            let figure = StyledText.bold("\(glyph)\(Format.count(count))", role)
            let label = StyledText(" \(word)", role == .bright ? .dim : role)
            let short = glyph.isEmpty ? figure + .dim(" \(word.prefix(1))") : figure
            let tiny = StyledText.bold(glyph.filter { $0 != " " } + Format.count(count), role)
            let reason = sign.width == 0 ? StyledText() : extra
            var fact = Fact(text: figure + label + extra, gap: gap, rank: rank, short: short + reason, isCount: true)
            fact.tiny = (glyph.isEmpty ? tiny + .dim(String(word.prefix(1))) : tiny) + sign
            facts.append(fact)
        }
        // Why nothing starts stays in words for as long as there is room, and in a sign after that.
        var (queueExtra, queueSign) = (StyledText(), StyledText())
        // Where there is a row for it, that says so.
        if let needed = snapshot.neededSpace, state.layout.bannerRow == nil {
            let words = "! disk full: paused until \(Format.bytes(needed).text) are free"
            facts.append(Fact(text: StyledText(words, .bad), gap: gap, short: StyledText("! disk full", .bad)))
        }
        if snapshot.settings.suspended {
            (queueExtra, queueSign) = (StyledText(" ‖ suspended", .wait), StyledText("‖", .wait))
        } else if width >= 200, let receipts = snapshot.queuedReceipts {
            queueExtra = .dim(", \(Format.plural(receipts, "receipt"))")
        }
        add(snapshot.queuedCount, "", "queued", .bright, extra: queueExtra, sign: queueSign)
        if snapshot.queuedCount == 0 {
            if snapshot.settings.suspended {
                facts.append(Fact(text: StyledText("‖ suspended", .wait), gap: gap))
            } else if state.liveTasks == 0 {
                facts.append(Fact(text: .dim("nothing queued"), gap: gap, rank: 1))
            }
        }
        if snapshot.backlog > 0 { add(snapshot.backlog, "", "to come", .bright, rank: 2) }
        add(snapshot.waitingCount, "↻ ", "waiting", .wait)
        add(snapshot.pausedCount, "‖ ", snapshot.hasEnded ? "left" : "paused", .wait)
        add(state.failedCount, "✗ ", "failed", .bad)
        add(snapshot.counts.succeededForUsers, "", "done", .bright, rank: 5)
        // Those are requests, and the others tasks: what the cache answered may be no task at all.
        if width >= 160 {
            add(snapshot.counts.cachedForUsers, "◆ ", "from the cache", .accent, rank: 6)
            add(max(snapshot.counts.joined, state.news.joined), "⊕ ", "merged", .merge, rank: 6)
        }
        // Not beside what is done: what runs and what failed is in it.
        if width >= 200, snapshot.received > 0 {
            facts.append(Fact(text: .figure(Format.bytes(snapshot.received)) + .dim(" received"), gap: gap, rank: 7))
        }
        if state.liveTasks == 0, let directory = directory(state) {
            facts.append(Fact(text: .dim("saving to ") + .plain(directory), gap: gap, rank: 7))
        }
        return facts
    }

    private static func directory(_ state: AppState) -> String? {
        (state.configuration.directory ?? state.snapshot.directory).map {
            Elision.middle(VisibleText.visible($0), 40)
        }
    }

    private static func clock(_ state: AppState, _ now: Timestamp, _ width: Int) -> StyledText {
        let time = StyledText.figure(state.clock.time(at: now))
        guard width >= 200, state.liveTasks > 0, let directory = directory(state) else { return time }
        return .dim("\(directory)   ") + time
    }

    private static func fitted(_ all: [Fact], width: Int, clock: Int) -> (left: [Fact], hasClock: Bool) {
        var facts = all
        func used(_ clock: Int) -> Int { facts.reduce(2 + clock) { $0 + $1.width + $1.gap } }
        while used(clock) > width, let worst = facts.indices.max(by: { facts[$0].rank < facts[$1].rank }),
            facts[worst].rank > 0
        {
            guard let rest = facts[worst].rest else {
                facts.remove(at: worst)
                continue
            }
            (facts[worst].text, facts[worst].rank) = (rest, 0)
        }
        if used(clock) <= width { return (facts, true) }
        // Without the clock, the last gap falls to the edge.
        func isFull() -> Bool { used(0) - (facts.last?.gap ?? 0) > width }
        for index in facts.indices where facts[index].isCount && isFull() { facts[index].shorten() }
        for index in facts.indices.dropFirst(2) where isFull() { facts[index].shorten() }
        if isFull() {
            facts[0].gap = 1
            for index in facts.indices.dropFirst(2) where isFull() { facts[index].squeeze() }
            facts[1].gap = 1
        }
        if isFull() { facts.removeFirst() }
        // The word goes last: its glyph and colour stay.
        if isFull() { facts[0].shorten() }
        return (facts, used(clock) <= width)
    }

    /// When what runs and is queued is done; estimated where sizes are unknown, `nil` without any hint.
    static func eta(_ state: AppState) -> String? {
        let (snapshot, bodies) = (state.snapshot, state.news.bodies)
        return TimeLeft(of: snapshot, orSize: bodies.mean(orOf: snapshot.active), eachFor: bodies.usualTime)?.text
    }
}
