internal import SluiceCore

/// Where the time of a task went, as spans on one axis.
///
/// Made of what events and the running transfer tell; a phase that nobody measured has no span.
struct Timeline: Sendable {
    struct Span: Equatable, Sendable {
        var label: String
        var role: Role
        /// Since the task was submitted, or first seen.
        var start: Duration
        var end: Duration
        var note = ""
        /// Whether it still goes on.
        var isLive = false

        var length: Duration { max(.zero, end - start) }
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
        let until = (firstAttempt ?? record?.endedAt ?? now) - zero
        if until > .milliseconds(1) || firstAttempt == nil {
            let isWaiting = firstAttempt == nil && record?.end == nil
            spans.append(Span(label: "queued", role: .frame, start: .zero, end: until, isLive: isWaiting))
        }
        let attempts = record?.attempts ?? []
        for (index, attempt) in attempts.enumerated() {
            let isLast = index == attempts.count - 1
            let head = attempt.head ?? (isLast ? facts?.head : nil)
            let timings = isLast ? record?.end?.timings?.transfer ?? head?.timings : head?.timings
            let begin = attempt.started - zero
            let isLive = isLast && live && attempt.ended == nil
            add(attempt, head, timings, from: begin, to: (attempt.ended ?? now) - zero, isLive: isLive)
            guard let ended = attempt.ended, record?.end == nil || !isLast else { continue }
            let next = isLast ? now : attempts[index + 1].started
            let word = attempt.waitsUntil == nil ? "paused" : "waiting"
            let note = attempt.problem.map { EventSentence.cause($0) } ?? ""
            spans.append(
                Span(label: word, role: .wait, start: ended - zero, end: next - zero, note: note, isLive: isLast)
            )
        }
        guard let end = record?.end, let endedAt = record?.endedAt, let last = attempts.last,
            let total = end.timings?.transfer.total
        else { return }
        let network = last.started - zero + total
        if endedAt - zero - network > .milliseconds(2), end.outcome == .success {
            let words = [end.image == nil ? nil : "decode", end.file == nil ? nil : "save"].compactMap { $0 }
            let label = words.isEmpty ? "finish" : words.joined(separator: "+")
            spans.append(Span(label: label, role: .ok, start: network, end: endedAt - zero))
        }
    }

    private mutating func add(
        _ attempt: TaskRecords.Attempt,
        _ head: ResponseHead?,
        _ timings: TransferTimings?,
        from begin: Duration,
        to end: Duration,
        isLive: Bool
    ) {
        var at = Duration.zero
        func note(_ phase: String) -> String {
            switch phase {
            case "connect": head?.remoteAddress ?? ""
            case "tls": head.map { "h\($0.httpVersion)" } ?? ""
            case "first byte": head.map { "\($0.status)" + ($0.reused ? ", reused" : "") } ?? ""
            default: ""
            }
        }
        for (label, moment) in [("dns", timings?.dns), ("connect", timings?.connect), ("tls", timings?.tls)] {
            guard let moment, moment > at else { continue }
            spans.append(Span(label: label, role: .accent, start: begin + at, end: begin + moment, note: note(label)))
            at = moment
        }
        let answered = timings?.firstByte ?? attempt.answered.map { $0 - attempt.started }
        guard let answered else {
            spans.append(
                Span(label: "first byte", role: .merge, start: begin + at, end: max(begin + at, end), isLive: isLive)
            )
            return
        }
        if answered > at {
            spans.append(
                Span(
                    label: "first byte",
                    role: .merge,
                    start: begin + at,
                    end: begin + answered,
                    note: note("first byte")
                )
            )
        }
        // The network's own end is exact; the event comes when everything else is done too.
        let network = isLive ? end : min(end, begin + (timings?.total ?? end - begin))
        spans.append(
            Span(
                label: "body",
                role: .run,
                start: begin + answered,
                end: max(begin + answered, attempt.problem == nil ? max(network, begin + answered) : end),
                isLive: isLive
            )
        )
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
