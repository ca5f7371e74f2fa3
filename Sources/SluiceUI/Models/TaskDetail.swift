internal import SluiceCore

/// Everything that the detail of one task says, in sections of lines; pure text, made when it is drawn.
struct TaskDetail {
    struct Section {
        var number = ""
        var title: String
        var facts: [StyledText] = []
        var feet: [StyledText] = []
        var lines: [Line] = []
    }

    /// The first line: name, bar and figures.
    struct Progress {
        var name: String
        var fraction: Double?
        var hasBar = true
        var gradient = Gradient.run
        var figures: StyledText
        /// What is left of them where a name needs the room.
        var short: StyledText?
    }

    enum Line {
        case text(StyledText)
        case pair(StyledText, StyledText)
        /// A label and what it labels.
        case fact(String, StyledText)
        case rule(String, StyledText)
        case progress(Progress)
        case axis(TimelineView.Scale)
        /// A span, and what is usual at its host.
        case span(Timeline.Span, HostFigures.Spread?, TimelineView.Scale)
        /// Cells of a table, each with its columns; the index is the receipt's, `nil` for the heading.
        case claim([(StyledText, Int)], index: Int?, isSelected: Bool)
    }

    let state: AppState
    let now: Timestamp
    let task: TaskID
    let record: TaskRecords.Record?
    let facts: TaskFacts?
    /// While it lives.
    let row: PipelineSnapshot.Row?

    /// - Returns: `nil` without a task, or with one that nothing is known of.
    init?(_ state: AppState, now: Timestamp) {
        guard let task = state.inspectedTask else { return nil }
        (self.state, self.now, self.task) = (state, now, task)
        record = state.record(of: task)
        facts = state.snapshot.inspected.flatMap { $0.task == task ? $0 : nil }
        row = facts?.row ?? state.activeRows.first { $0.task == task }
        if record == nil, row == nil { return nil }
    }

    /// Whether it is only a file of an earlier session, of which nothing is known besides its summary.
    var isEarlier: Bool { record?.end?.isEarlier ?? false }

    /// Whether all of a long text is told: who only glances at the panel beside the lists can't scroll it.
    var isWhole: Bool { state.focus == .detail }
    /// Lines of a text that may be long.
    var lineLimit: Int { isWhole ? .max : 3 }

    var url: String { row?.url ?? record?.url ?? "" }
    var end: TaskEnd? { record?.end }
    var head: ResponseHead? { record?.head ?? facts?.head }
    /// The merge key as text; `nil` where it is not known.
    var key: String? { facts?.key ?? end?.key }
    var name: String {
        let file = end?.file ?? row?.file
        let name =
            file.map(PathText.name(of:)) ?? row?.name ?? URLText.name(of: url)
        return VisibleText.visible(name, limit: 300)
    }

    static func labelWidth(_ width: Int) -> Int { width >= 40 ? 12 : 10 }

    // MARK: What it is

    func summary(width: Int) -> Section {
        var section = Section(number: state.digit(.detail), title: "detail")
        let number = isEarlier ? "in an earlier session" : "task \(task.rawValue)"
        section.facts = [stateText + .dim(" · \(number)"), stateText]
        if let row { section.feet = [.dim("attempt ") + .figure("\(row.attempt)") + .dim(" of \(row.attempts)")] }
        section.lines.append(.progress(progress))
        let room = width - Self.labelWidth(width)
        section.lines += whole("url", visible(url), room: room)
        if let head, head.finalURL != url, !head.finalURL.isEmpty {
            let count = StyledText.dim(" (\(Format.plural(head.redirects, "redirect")))")
            section.lines += whole("leads to", visible(head.finalURL), note: count, room: room)
        }
        section.lines += destination(room)
        if let row {
            let isRaised = row.priority != .normal
            section.lines.append(
                .fact("priority", .plain(row.priority.name) + .dim(isRaised ? "" : " · of its receipts"))
            )
            if row.rateLimit > 0 {
                let limit = StyledText.figure(Format.bytes(row.rateLimit)) + .dim("/s of its own")
                section.lines.append(.fact("limit", limit + state.hint(" · ", .limitTask, "changes it")))
            }
        }
        if url.hasPrefix("https:"), let decision = state.news.decisions[URLText.host(of: url)] {
            let verdict = decision.verdict
            let mark: StyledText = verdict.isAccepted ? .bold("✓ accepted", .ok) : .bold("✗ refused", .bad)
            let chain = state.hint(" · ", .trust, "shows the chain")
            section.lines.append(.fact("trust", mark + .dim(" by rule \(verdict.rule.rawValue)") + chain))
        }
        if let error = end?.error, end?.outcome == .failed {
            let code = error.code.rawValue
            let message = TextWrap.lines("\(code)  \(visible(error.message))", columns: room, limit: lineLimit)
            for (index, line) in message.enumerated() {
                let isFirst = index == 0 && line.hasPrefix(code)
                let text = isFirst ? StyledText(code, .bad) + .plain(String(line.dropFirst(code.count))) : .plain(line)
                section.lines.append(.fact(index == 0 ? "error" : "", text))
            }
            let advice = Advice.text(
                error,
                state.replay == nil ? state.configuration.keys : nil,
                url: end?.hops.isEmpty == false ? nil : url
            )
            for (index, line) in TextWrap.lines(advice, columns: room, limit: lineLimit).enumerated() {
                section.lines.append(.fact(index == 0 ? "what to do" : "", .plain(line)))
            }
        }
        for warning in record?.warnings ?? [] {
            for (index, line) in TextWrap.lines(visible(warning), columns: room - 2, limit: lineLimit).enumerated() {
                let mark: StyledText = index == 0 ? StyledText("! ", .wait) : .plain("  ")
                section.lines.append(.fact(index == 0 ? "warning" : "", mark + .plain(line)))
            }
        }
        section.lines += waitLines(room) + reasonLines(room)
        if isEarlier { section.lines.append(.text(.dim("Of what earlier sessions saved nothing else is kept."))) }
        section.lines = fitted(section.lines, width: width)
        return section
    }

    private var stateText: StyledText {
        let spinner = NetworkView.mark(.active, state).glyph
        if let end {
            switch end.outcome {
            case .success: return .bold(end.file == nil ? "✓ loaded" : "✓ saved", .ok)
            case .failed: return .bold("✗ failed", .bad)
            case .cancelled: return .dim("⊘ cancelled")
            }
        }
        switch row?.state {
        case .active: return row?.isDetached == true ? .dim("⇢ detached") : .bold("\(spinner) active", .run)
        case .queued(let position):
            return .bright("▸ queued") + .dim(position > 0 ? " at \(Format.count(position))" : "")
        case .waiting: return .bold("↻ waiting", .wait)
        case .paused: return .bold(state.snapshot.hasEnded ? "‖ left" : "‖ paused", .wait)
        case nil: return .dim("gone")
        }
    }

    private var progress: Progress {
        guard let row, end == nil else {
            var figures = StyledText()
            if let end {
                figures = .figure(Format.bytes(end.bytes), .bright, bold: true)
                if end.continued > 0 {
                    figures += .dim(end.pace)
                } else if let total = end.timings?.transfer.total {
                    figures += .dim(" in ") + .plain(Format.seconds(total))
                }
            }
            return Progress(name: name, hasBar: false, figures: figures)
        }
        let fraction = row.expected.flatMap { $0 > 0 ? min(1, Double(row.received) / Double($0)) : nil }
        var share = StyledText()
        if let fraction { share = .figure("\(Int(fraction * 100))") + .dim(" %") }
        let bytes = StyledText.figure(Format.progress(row.received, of: row.expected))
        var pace = StyledText()
        var gradient = Gradient.wait
        switch row.state {
        case .active:
            let silence = row.silenceWords(at: now)?.first.map { StyledText($0, .wait) }
            (gradient, pace) = (.run, silence ?? .figure(Format.rate(row.shownRate), .bright, bold: true))
        case .waiting(let until, _): pace = .bold("waiting \(Format.countdown(until - now))", .wait)
        default: break
        }
        func line(_ parts: [StyledText]) -> StyledText {
            let parts = parts.filter { !$0.isEmpty }
            return parts.dropFirst().reduce(parts.first ?? StyledText()) { $0 + .plain("  ") + $1 }
        }
        let isQueued = if case .queued = row.state { true } else { false }
        let waited = StyledText.dim("waited ") + .plain(Format.time(now - row.submitted))
        var progress = Progress(
            name: name,
            fraction: fraction,
            hasBar: !isQueued,
            gradient: gradient,
            figures: isQueued ? waited : line([share, bytes, pace])
        )
        if !isQueued { progress.short = line([share, pace]) }
        return progress
    }

    private func destination(_ room: Int) -> [Line] {
        if let file = end?.file { return whole("saves to", visible(file), room: room) }
        // Nothing is there, and nothing will be.
        if let end, end.outcome != .success { return [] }
        // As the pipeline names what it saves; what is told as its name may be its host.
        let (saved, _) = FileName.choose(disposition: nil, url: url)
        guard let file = state.destination(of: row, name: saved) else {
            let keeper = state.keeperWithoutFile(of: row, hasEnded: end != nil)
            return [.fact("saves to", .dim(keeper.map { "nowhere: for \($0)" } ?? "recorded at its end"))]
        }
        return whole("saves to", visible(file), note: .dim(end == nil ? "  as .part" : ""), room: room)
    }

    /// A label and all of its text, on as many lines as that takes; the note stands behind it, or below.
    func whole(_ label: String, _ text: String, note: StyledText = StyledText(), room: Int) -> [Line] {
        guard isWhole else { return [.fact(label, .plain(Elision.middle(text, max(8, room - note.width))) + note)] }
        var lines = TextWrap.lines(text, columns: max(1, room)).map { StyledText.plain($0) }
        if let last = lines.last, last.width + note.width <= room {
            lines[lines.count - 1] = last + note
        } else {
            lines.append(note)
        }
        return lines.enumerated().map { .fact($0.offset == 0 ? label : "", $0.element) }
    }

    /// What is to be said of its failure beside the error, which stands above; `nil` if that is nothing.
    private var failure: String? {
        guard let error = end?.error, end?.outcome == .failed else { return nil }
        if error.isPermanent { return "failed for good" }
        // Who was paused in between used a slot more often than it was tried.
        let earlier = record.map { $0.isShortened ? 0 : $0.attempts.count { $0.failure != nil } } ?? 0
        return earlier > 0 ? "failed after \(earlier + 1) attempts" : nil
    }

    /// A decision as it is told now: of a wait for a slot that is over, how long it took.
    func sentence(_ why: Why, at t: Duration) -> String {
        guard case .slotsTaken(_, _, let ahead) = why, let record, !record.isShortened,
            let start = record.attempts.first(where: { $0.started >= t })?.started
        else { return why.sentence(now: state.configuration.start.time + t) }
        let whom = ahead > 0 ? "behind \(Format.plural(ahead, "other"))" : "for a slot"
        return "waited \(Format.seconds(start - t)) \(whom)"
    }

    /// Why it stands where it does, newest first, each with the time at which that was so, if it is past.
    var reasons: [(time: String, text: String)] {
        var sentences: [(time: String, text: String)] = []
        func past(_ t: Duration) -> String { state.clock.time(after: t, seconds: true) + "  " }
        if let failure { sentences.append((record?.endedAt.map(past) ?? "", failure)) }
        let newest = sentences.count
        let why = isLeft ? nil : row?.reason
        if let why { sentences.append(("", why.sentence(now: now))) }
        func append(_ why: Why, at t: Duration, isPast: Bool) {
            sentences.append((isPast ? past(t) : "", sentence(why, at: t)))
        }
        for (t, earlier) in (record?.reasons ?? []).reversed() where earlier != why {
            append(earlier, at: t, isPast: true)
        }
        if sentences.count == newest, let claim = record?.claims.first, let why = claim.why,
            why.sentence(now: now) != waits?.sentence(now: now), let t = claim.submitted
        {
            // What was true as it was submitted is, for a task that waits since then, true still where nothing newer is
            // known.
            let isQueued = if case .queued? = row?.state { true } else { false }
            append(why, at: t, isPast: !isQueued || waits != nil || isLeft || isOver(why))
        }
        if isLeft { sentences.insert(("", "left as it stood when the session ended"), at: newest) }
        return Array(sentences.prefix(3))
    }

    private func reasonLines(_ room: Int) -> [Line] {
        var lines: [Line] = []
        for (time, text) in reasons {
            for (index, line) in TextWrap.lines(visible(text), columns: room - time.count, limit: lineLimit)
                .enumerated()
            {
                let indent = index == 0 ? time : String(repeating: " ", count: time.count)
                lines.append(.fact(lines.isEmpty ? "why" : "", .dim(indent) + .plain(line)))
            }
        }
        return lines
    }

    // MARK: Where the time went

    func timeline(width: Int) -> Section {
        let start = state.configuration.start.time
        let timeline = Timeline(record, facts, now: now - start, start: start)
        var section = Section(title: "timeline")
        guard !timeline.spans.isEmpty else { return section }
        let total = Self.duration(timeline.length)
        section.facts = [.figure(total.number) + .dim(" \(total.unit)" + (end == nil ? " so far" : ""))]
        let host = URLText.host(of: url)
        let spreads = timeline.spans.map { $0.phase.flatMap { state.news.hosts.spread(of: $0, host: host) } }
        let scale = TimelineView.Scale(
            length: max(0.001, timeline.length.seconds),
            width: width,
            comparesHost: spreads.contains { $0 != nil }
        )
        section.lines = [.axis(scale)] + zip(timeline.spans, spreads).map { .span($0, $1, scale) }
        if let (spread, count) = state.news.hosts.total(of: host) {
            let text = "median \(Self.text(spread.median)) · 95 % \(Self.text(spread.high))"
            section.feet = [
                .dim("\(visible(host)): \(text) of \(count)"), .dim("\(text) of \(count)"), .dim(text),
            ]
            if width < 70, !scale.comparesHost { section.lines.append(.fact("its host", section.feet[2])) }
        }
        section.lines = fitted(section.lines, width: width)
        return section
    }

    /// `1.24 s`, `38 ms`, `1:04 min`, `1:30:01 h`.
    static func duration(_ duration: Duration) -> Format.Figure {
        let milliseconds = duration.rounded(inUnitsOf: 1_000_000)
        if milliseconds < 100 { return Format.Figure(number: "\(milliseconds)", unit: "ms") }
        if milliseconds < 60_000 {
            let hundredths = milliseconds / 10
            return Format.Figure(number: "\(hundredths / 100).\(Format.two(Int(hundredths % 100)))", unit: "s")
        }
        if milliseconds < 3_600_000 { return Format.Figure(number: Format.time(duration), unit: "min") }
        // Seconds say nothing beside days.
        let isLong = milliseconds >= 360_000_000
        return Format.Figure(number: isLong ? "\(milliseconds / 3_600_000)" : Format.time(duration), unit: "h")
    }

    static func text(_ duration: Duration) -> String { self.duration(duration).text }

    /// Long enough for all that a server may mean seriously, and short enough to be wrapped for each frame.
    func visible(_ text: String, oneOf count: Int = 1) -> String {
        // Of hundreds of fields none means much: together they are as long as eight.
        VisibleText.visible(text, limit: max(200, min(8_000, 64_000 / max(1, count))))
    }
}
