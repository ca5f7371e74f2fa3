internal import SluiceCore

/// Where the time of a task went, as spans on one axis.
///
/// Made of what events and the running transfer tell; a phase that nobody measured has no span.
struct Timeline: Sendable {
    struct Span: Equatable, Sendable {
        var label: String
        /// `nil` for what is no part of every task, as a pause.
        var phase: TaskPhase?
        var role: Role
        /// Since the task was submitted, or first seen.
        var start: Duration
        var end: Duration
        var note = ""
        /// Whether it still goes on.
        var isLive = false

        var length: Duration { max(.zero, end - start) }

        init(_ label: String, _ role: Role, from start: Duration, to end: Duration, note: String = "") {
            (self.label, self.role, self.start, self.end, self.note) = (label, role, start, end, note)
        }

        init(_ phase: TaskPhase, _ role: Role, from start: Duration, to end: Duration, note: String = "") {
            self.init(phase.label, role, from: start, to: end, note: note)
            self.phase = phase
        }
    }

    private(set) var spans: [Span] = []

    /// To the end of the last span.
    var length: Duration { spans.map(\.end).max() ?? .zero }

    /// - Parameters:
    ///   - record: What events told.
    ///   - facts: What the pipeline knows, while the task lives.
    ///   - now: Since the start of the session.
    ///   - start: Of the session.
    init(_ record: TaskRecords.Record?, _ facts: TaskFacts?, now: Duration, start: Timestamp) {
        let firstAttempt = record?.attempts.first?.started ?? facts?.started.map { $0 - start }
        let queued = record?.end?.timings.map(\.queued)
        guard
            let zero = facts.map({ $0.row.submitted - start }) ?? record?.submitted
                ?? firstAttempt.map({ $0 - (queued ?? .zero) }) ?? record?.endedAt
        else { return }
        let live = facts.map { $0.row.state == .active } ?? false
        addFirstStands(of: record, until: firstAttempt, now: now, zero: zero)
        let attempts = record?.attempts ?? []
        for (index, attempt) in attempts.enumerated() {
            let isLast = index == attempts.count - 1
            let head = attempt.head ?? (isLast ? facts?.head : nil)
            let ended = isLast ? record?.end?.timings?.transfer ?? facts?.network : nil
            let begin = attempt.started - zero
            let isLive = isLast && live && attempt.ended == nil
            let isReceiving = isLive && facts?.network == nil
            add(
                attempt,
                head,
                ended ?? head?.timings,
                total: ended?.total,
                failure: attempt.failure ?? (isLast ? record?.end?.error : nil),
                from: begin,
                to: (attempt.ended ?? now) - zero,
                isLive: isReceiving
            )
            if isLive, let facts { addRest(of: facts, from: begin, now: now - zero, start: start + zero) }
            guard let record, let ended = attempt.ended else { continue }
            let next = isLast ? nil : attempts[index + 1].started
            addStands(of: record, from: ended, to: next, now: now, zero: zero)
        }
        if let record, let last = attempts.last { addRest(of: record, from: last.started - zero, zero: zero) }
    }

    private mutating func append(_ span: Span, isLive: Bool) {
        spans.append(span)
        spans[spans.count - 1].isLive = isLive
    }

    /// The time before the first attempt that is known.
    private mutating func addFirstStands(
        of record: TaskRecords.Record?,
        until firstAttempt: Duration?,
        now: Duration,
        zero: Duration
    ) {
        let end = firstAttempt ?? record?.endedAt
        let first = record?.stands.first { stand in end.map { stand.began < $0 } ?? true }
        let until = (first?.began ?? end ?? now) - zero
        if until > .milliseconds(1) || (first == nil && firstAttempt == nil) {
            let isLive = first == nil && end == nil
            let isKnown = record?.isShortened != true
            let queued = Span(.queued, .frame, from: .zero, to: until)
            append(isKnown ? queued : Span("earlier", .frame, from: .zero, to: until), isLive: isLive)
        }
        if let record, let first { addStands(of: record, from: first.began, to: firstAttempt, now: now, zero: zero) }
    }

    /// A time without a slot, in the pieces that events told apart.
    ///
    /// - Parameters:
    ///   - record: Whose.
    ///   - start: Of the first piece, since the start of the session, as the other times.
    ///   - next: When the next attempt started; `nil` if there is none.
    ///   - now: To which it goes on if the task has not ended.
    ///   - zero: Of the axis.
    private mutating func addStands(
        of record: TaskRecords.Record,
        from start: Duration,
        to next: Duration?,
        now: Duration,
        zero: Duration
    ) {
        let end = next ?? record.endedAt
        let stands = record.stands.filter { stand in stand.began >= start && end.map { stand.began < $0 } ?? true }
        for (index, stand) in stands.enumerated() {
            let isLast = index == stands.count - 1
            let until = isLast ? end ?? now : stands[index + 1].began
            let isLive = isLast && end == nil
            guard isLive || until - stand.began > .milliseconds(1) else { continue }
            let (label, role): (String, Role) =
                switch stand.kind {
                case .queued: ("queued", .frame)
                case .paused: ("paused", .wait)
                case .waiting: ("waiting", .wait)
                }
            append(Span(label, role, from: stand.began - zero, to: until - zero, note: stand.note), isLive: isLive)
        }
    }

    /// What followed the network, counted back from the end.
    private mutating func addRest(of record: TaskRecords.Record, from begin: Duration, zero: Duration) {
        guard let end = record.end, let endedAt = record.endedAt, let timings = end.timings else { return }
        let finished = endedAt - zero
        let decoded = finished - (timings.save ?? .zero)
        if let decode = timings.decode { spans.append(Span(.decode, .ok, from: decoded - decode, to: decoded)) }
        if timings.save != nil { spans.append(Span(.save, .ok, from: decoded, to: finished)) }
        // Recorded by a program that does not tell them apart.
        let network = begin + timings.transfer.total
        guard timings.decode == nil, timings.save == nil, end.outcome == .success,
            finished - network > .milliseconds(2)
        else { return }
        let words = [end.image == nil ? nil : "decode", end.file == nil ? nil : "save"].compactMap { $0 }
        spans.append(
            Span(words.isEmpty ? "finish" : words.joined(separator: "+"), .ok, from: network, to: finished)
        )
    }

    /// What goes on after the network.
    private mutating func addRest(of facts: TaskFacts, from begin: Duration, now: Duration, start: Timestamp) {
        guard let network = facts.network else { return }
        var saving = begin + network.total
        if let decoding = facts.decoding {
            let ended = decoding.ended.map { $0 - start }
            append(Span(.decode, .ok, from: decoding.began - start, to: ended ?? now), isLive: ended == nil)
            guard let ended else { return }
            saving = ended
        }
        if facts.claims.contains(where: \.saves) {
            append(Span(.save, .ok, from: saving, to: max(saving, now)), isLive: true)
        }
    }

    private mutating func add(
        _ attempt: TaskRecords.Attempt,
        _ head: ResponseHead?,
        _ timings: TransferTimings?,
        total: Duration?,
        failure: DownloadError?,
        from begin: Duration,
        to end: Duration,
        isLive: Bool
    ) {
        var at = Duration.zero
        func note(_ phase: TaskPhase) -> String {
            switch phase {
            case .connect: head?.remoteAddress ?? ""
            case .tls: head.map { "h\($0.httpVersion)" } ?? ""
            case .firstByte: head.map { "\($0.status)" + ($0.reused ? ", reused" : "") } ?? ""
            default: ""
            }
        }
        for (phase, end) in timings?.ends ?? [] where end > at {
            let role: Role = phase == .redirects ? .merge : .accent
            spans.append(Span(phase, role, from: begin + at, to: begin + end, note: note(phase)))
            at = end
        }
        let answered = timings?.firstByte ?? attempt.answered.map { $0 - attempt.started }
        guard let answered else {
            let (phase, note) = failure?.lastPhase ?? (.firstByte, "")
            let role: Role = note.isEmpty ? .merge : .bad
            append(Span(phase, role, from: begin + at, to: max(begin + at, end), note: note), isLive: isLive)
            return
        }
        if answered > at {
            spans.append(
                Span(.firstByte, .merge, from: begin + at, to: begin + answered, note: note(.firstByte))
            )
        }
        // The network's own end is exact; the event comes when everything else is done too.
        let network = isLive ? end : min(end, begin + (total ?? end - begin))
        let received = max(begin + answered, attempt.problem == nil ? network : end)
        append(Span(.body, .run, from: begin + answered, to: received), isLive: isLive)
    }
}

extension EventSentence {
    /// What a reason says went wrong, in a word.
    static func cause(_ why: Why) -> String {
        switch why {
        case .retryAfter(let error, _, _, _): error.status.map(String.init) ?? error.code.rawValue
        case .pausedByUser: "by the user"
        default: ""
        }
    }
}
