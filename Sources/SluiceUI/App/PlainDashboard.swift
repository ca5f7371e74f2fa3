public import SluiceCore

/// The dashboard as sentences, one a line: for screen readers, and terminals that can't move a cursor.
///
/// The same state and the same prompt as the screen's, without a picture: news becomes
/// lines in order, and every line that is typed is answered. Nothing in a line is a
/// control character, and nothing is more than ASCII where the screen would be drawn in it.
/// Pure; whoever drives it prints.
public struct PlainDashboard {
    /// What an input led to.
    public struct Answer {
        /// To print, in order.
        public var lines: [String] = []
        /// For the shell to do, in order.
        public var effects: [AppEffect] = []
    }

    private var state: AppState
    /// Whether programs were told where to find it, and may resume what nobody can by a line any more.
    private let staysForPrograms: Bool
    private var hasInputEnded = false
    /// Number of the question behind all that the input asked for; its answer comes with a snapshot that has all of it.
    private var lastQuestion: Int?
    /// Whether it was said that nothing goes on by itself, since something last did.
    private var hasToldStall = false

    /// The state before the first event, in a mode without keys.
    ///
    /// - Parameters:
    ///   - configuration: What it has to know.
    ///   - takesLines: Whether somebody types; if not, URLs come from the list on standard input, or it tells a
    ///     recording.
    ///   - staysForPrograms: Whether it goes on where all is paused, though the input has ended.
    public init(_ configuration: DashboardConfiguration, takesLines: Bool = true, staysForPrograms: Bool = false) {
        self.staysForPrograms = staysForPrograms
        state = AppState(configuration)
        (state.terminal.width, state.terminal.height) = (0, 0)
        (state.hasKeys, state.hasPrompt) = (false, takesLines)
        state.message = AppState.Message.ofStart(configuration, hasKeys: false)
    }

    /// Whether an effect ended the loop.
    public var hasQuit: Bool { state.hasQuit }

    /// Whether it ended because nothing was left that goes on by itself, and not because somebody asked.
    public private(set) var hasStalled = false

    /// Whether the input has ended, and all is sent that it asked for: the pipeline may end when it is idle.
    public var mayEnd: Bool { hasInputEnded && state.awaitedLists == 0 }

    /// When an ``AppEvent/wake`` is wanted, or `nil`.
    public func nextWake(after now: Timestamp) -> Timestamp? {
        [state.message?.until, state.quitArmedUntil].compactMap { $0 }.min()
    }

    /// What is said before anything else.
    public var greeting: [String] {
        let lines =
            state.hasPrompt
            ? [
                "Sluice, as plain lines. Type or paste URLs to download them; equal ones merge.",
                "status tells how things stand, help lists the words, quit ends.",
            ]
            : [
                "Sluice, as plain lines, for the list on standard input; equal URLs merge.",
                "It ends when the list has ended and all is done.",
            ]
        return shown(lines + news)
    }

    /// Takes news of the pipeline, and answers to effects.
    public mutating func handle(_ event: AppEvent, now: Timestamp) -> Answer {
        let mode = state.mode
        state.said = []
        var answer = Answer()
        if case .events(let events, let lost) = event { answer.lines = sentences(events, lost: lost) }
        answer.effects = AppReducer.reduce(&state, event, now: now).effects
        // A list that was typed is read meanwhile, and may turn out to be none.
        answer.lines += takeProblem()
        // Who asked to quit was told of tasks that had ended, or would soon: the pipeline's figures come a moment late, and
        // a program asks once.
        if case .snapshot = event, state.quitArmedUntil.map({ now < $0 }) == true, !state.isBusy, !state.hasQuit {
            state.hasQuit = true
            answer.effects.append(.quit)
        }
        answer.lines += state.said.map { $0 + "." }
        state.said = []
        answer.lines += asked(since: mode)
        if case .inputEnded = event { hasInputEnded = true }
        followEnd(event, &answer)
        answer.lines = shown(answer.lines)
        return answer
    }

    /// Ends where the input has, and nothing goes on by itself.
    ///
    /// A snapshot may be older than what was sent last: the question goes behind that, and makes the pipeline show
    /// itself though nothing changes.
    private mutating func followEnd(_ event: AppEvent, _ answer: inout Answer) {
        guard mayEnd, !state.hasQuit else { return }
        guard let question = lastQuestion else {
            state.prompt.lastProbe += 1
            lastQuestion = state.prompt.lastProbe
            answer.effects.append(.pipeline(.probe(URLProbe(serial: state.prompt.lastProbe, requests: []))))
            return
        }
        guard case .snapshot(let snapshot) = event, let reply = snapshot.probe, reply.serial >= question else { return }
        guard PlainStall.isReached(snapshot) else {
            hasToldStall = false
            return
        }
        if !hasToldStall { answer.lines += PlainStall.lines(state, staysForPrograms: staysForPrograms) }
        hasToldStall = true
        guard !staysForPrograms else { return }
        (hasStalled, state.hasQuit) = (true, true)
        answer.effects.append(.quit)
    }

    /// Takes a line that was typed.
    public mutating func typed(_ line: String, now: Timestamp) -> Answer {
        var answer = answer(to: line, now: now)
        answer.lines = shown(answer.lines)
        return answer
    }

    /// Takes a line that was too long to be held.
    public mutating func refusedLine() -> Answer {
        Answer(lines: shown(["This line has more than 2 MiB, and nothing of it was taken: give a list, with @FILE."]))
    }

    /// The summary to print at the end; see ``Dashboard/summary(final:)``.
    public func summary(final: PipelineSnapshot? = nil) -> [String] {
        shown(LeaveSummary.lines(state, final: final))
    }

    private mutating func answer(to line: String, now: Timestamp) -> Answer {
        state.message = nil
        let text = line.filter { !$0.isNewline }
        let word = text.lowercased().split(separator: " ").joined(separator: " ")
        // Who goes on has changed their mind, as with any key of the screen.
        if !["", "quit", ":quit"].contains(word) { state.quitArmedUntil = nil }
        guard case .question(let question) = state.mode else { return take(text, word, now: now) }
        switch word {
        case "": return Answer(lines: words(of: question))
        case "y", "yes": return run { AppReducer.answer(question, .yes, &$0, &$1, now) }
        default:
            var answer = run { AppReducer.answer(question, .no, &$0, &$1, now) }
            answer.lines.append("Nothing was done.")
            // Who types a URL wants it, whatever was asked before.
            guard word != "n", word != "no" else { return answer }
            let next = take(text, word, now: now)
            answer.lines += next.lines
            answer.effects += next.effects
            return answer
        }
    }

    /// Takes a line that answers no question; `word` is it in small letters, its parts with one blank between them.
    private mutating func take(_ text: String, _ word: String, now: Timestamp) -> Answer {
        switch word {
        case "": return Answer()
        case "status": return Answer(lines: status(now: now))
        case "help", ":help", ":h": return Answer(lines: Self.help)
        case "quit": return run { AppReducer.quit(&$0, &$1, now) }
        case "pause" where !state.snapshot.settings.suspended || state.snapshot.isRunning:
            return run { AppReducer.pauseRunning(&$0, &$1, now) }
        case "resume" where state.snapshot.settings.suspended || state.snapshot.pausedCount > 0:
            return run { AppReducer.goOn(&$0, &$1, now) }
        case "pause": return Answer(lines: ["All is paused already: resume goes on."])
        case "resume": return Answer(lines: ["Nothing is paused."])
        case "retry": return run { AppReducer.retryAll(&$0, &$1, now) }
        default:
            state.mode = .prompt
            state.prompt.editor.replace(with: text)
            let answer = run { AppReducer.edit(.submit, &$0, &$1, now) }
            // Between lines nobody types: what a command asked for may come back as a question.
            if state.mode == .prompt { state.mode = .lists }
            return answer
        }
    }

    // MARK: What is said

    private static let help = [
        "A URL, or text with some: each is downloaded. @FILE reads a list of URLs.",
        "status: how things stand. pause, resume: all tasks. retry: what failed. quit.",
    ]

    /// The lines as the terminal can show them: without Unicode each character as the screen would have it.
    private func shown(_ lines: [String]) -> [String] {
        state.configuration.isASCII ? lines.map { String($0.map(Glyphs.ascii)) } : lines
    }

    private func words(of question: AppState.Question) -> [String] {
        PlainQuestion.lines(question, wordsOnParts: state.configuration.wordsOnParts)
    }

    /// What is asked now, and was not yet.
    private func asked(since mode: AppState.Mode) -> [String] {
        guard case .question(let question) = state.mode, state.mode != mode else { return [] }
        return words(of: question)
    }

    /// What is wrong with what was typed, which is told once: there is no line that it could stay under.
    private mutating func takeProblem() -> [String] {
        guard let problem = state.prompt.problem else { return [] }
        state.prompt.problem = nil
        state.prompt.editor.replace(with: "")
        if state.mode == .prompt { state.mode = .lists }
        return ["error: \(VisibleText.visible(problem.message, limit: 300))"]
    }

    private var news: [String] { state.message.map { [$0.text + "."] } ?? [] }

    private mutating func run(_ act: (inout AppState, inout AppReducer.Change) -> Void) -> Answer {
        let (mode, armed) = (state.mode, state.quitArmedUntil)
        var change = AppReducer.Change()
        act(&state, &change)
        var answer = Answer(effects: change.effects)
        answer.lines += takeProblem() + news
        state.said = []
        // By the word alone, or as a command.
        if let now = state.quitArmedUntil, now != armed {
            let words = state.configuration.wordsOnParts.map { " \($0)" } ?? ""
            answer.lines.append("\(whatQuittingLeaves) would be left: quit again within 3 s to quit.\(words)")
        }
        answer.lines += asked(since: mode)
        return answer
    }

    /// Tasks, and what has not become any yet.
    private var whatQuittingLeaves: String {
        var parts: [String] = []
        if state.liveTasks > 0 { parts.append(Format.plural(state.liveTasks, "task")) }
        if state.pendingRequests > 0 { parts.append(Format.plural(state.pendingRequests, "new request")) }
        if state.awaitedLists > 0 { parts.append("\(Format.plural(state.awaitedLists, "list")) not read yet") }
        return parts.isEmpty ? "what is to be prefetched" : parts.joined(separator: ", ")
    }

    private func sentences(_ events: [PipelineEvent], lost: Int) -> [String] {
        var lines: [String] = lost > 0 ? ["\(Format.plural(lost, "event")) came too fast to be told."] : []
        var log = EventRows()
        // Those of a task that is aborted end together, and then none of them alone.
        let ended = Set(
            events.compactMap { event -> ReceiptID? in
                if case .receiptFinished(let end) = event.kind { end.receipt } else { nil }
            }
        )
        // The entry that the last line is of: a run of requests goes on in it.
        var told: Int?
        for event in events {
            if case .indicatorChanged(_, let to, let tasks) = event.kind, to == .active || to == .notActive {
                let time = state.clock.time(after: event.t, seconds: true)
                let word = to == .active ? "active, \(Format.plural(tasks, "transfer"))" : "idle"
                lines.append("\(time) network \(word).")
                // Lines stand in the order of time: a run ends here, and another may begin.
                (log, told) = (EventRows(), nil)
                continue
            }
            var hasOthers = false
            // What was lost may be the end of the others.
            if lost == 0, case .receiptFinished(let end) = event.kind, end.outcome == .cancelled {
                hasOthers = state.hasReceipts(of: end.task, without: ended)
            }
            guard log.append(event, wasAskedFor: true, hasOthers: hasOthers) else { continue }
            let entry = log[age: 0]
            if entry.seq == told { lines.removeLast() }
            told = entry.seq
            lines.append(sentence(entry))
        }
        return lines
    }

    private func sentence(_ entry: EventRows.Entry) -> String {
        let sentence = state.sentence(entry)
        let time = state.clock.time(after: entry.t, seconds: true)
        let detail = sentence.detail.isEmpty ? "" : ": \(sentence.detail)"
        return "\(time) \(sentence.verb) \(sentence.subject)\(detail)."
    }

    private func status(now: Timestamp) -> [String] {
        let snapshot = state.snapshot
        let counts = snapshot.counts
        var lines = [
            "Network \(NetworkView.mark(snapshot.indicator.state, state).word.lowercased()), "
                + "\(snapshot.active.count) of \(Format.plural(snapshot.settings.maxActive, "slot")) taken, "
                + "\(snapshot.rateFigure.text).",
            "\(Format.count(snapshot.queuedCount)) queued, \(snapshot.waitingCount) waiting, "
                + "\(snapshot.pausedCount) paused, \(Format.count(counts.succeededForUsers)) done, "
                + (counts.cachedForUsers > 0 ? "\(Format.count(counts.cachedForUsers)) from the cache, " : "")
                + "\(Format.count(state.failedCount)) failed.",
        ]
        for row in snapshot.active.prefix(20) {
            let share = row.expected.map { $0 > 0 ? "\(min(100, row.received * 100 / $0)) %, " : "" } ?? ""
            let name = VisibleText.visible(row.name, limit: 200)
            let pace = row.silenceWords(at: state.sessionTime(at: now))?.first ?? Format.rate(row.shownRate).text
            lines.append("\(name): \(share)\(Format.bytes(row.received).text), \(pace).")
        }
        for row in (snapshot.waiting + snapshot.paused).prefix(20) {
            let name = VisibleText.visible(row.name, limit: 200)
            let why = row.reason.map { ": " + VisibleText.visible($0.sentence(now: now), limit: 300) } ?? ""
            lines.append("\(name) \(row.state == .paused ? "is paused" : "waits")\(why).")
        }
        let memory = snapshot.memory
        let level = Format.usage(memory.usage, of: memory.capacity)
        var cache = "Memory cache \(level.number)\(level.rest), \(Format.plural(memory.count, "image"))"
        if let last = state.news.ledger.entries.first {
            let time = state.clock.time(after: last.t)
            cache += ", last purge at \(time) freed \(Format.bytes(last.purge.freed).text)"
        }
        return lines + [cache + "."]
    }
}
