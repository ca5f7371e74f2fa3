internal import SluiceCore

/// The row of the HTTP cache.
extension TaskDetail {
    /// What the HTTP cache did with the answer, and why.
    func httpVerdict(width: Int) -> [Line] {
        guard state.snapshot.hasHTTPCache else { return [.fact("HTTP cache", .dim("off"))] }
        guard let verdict else {
            let isKnown = record?.mayLackVerdict != true
            let words = isKnown ? "nothing was stored or asked" : "not known, since events were lost"
            return [.fact("HTTP cache", .dim(end == nil ? "decided at its end" : words))]
        }
        var fact: StyledText
        switch verdict.verb {
        case .stored: fact = .bold("✓ stored", .ok)
        case .hit: fact = .bold("◆ answered", .accent)
        case .revalidated: fact = .bold("◆ still holds", .accent)
        case .evicted: fact = .dim("⊘ dropped again")
        case .skipped: fact = .dim("⊘ not stored")
        }
        if verdict.verb != .skipped { fact += .dim(" · ") + .figure(Format.bytes(verdict.bytes)) }
        let room = width - Self.labelWidth(width)
        var more: [Line] = []
        if let time = freshUntil(verdict) {
            let words = StyledText.dim("fresh until ") + .plain(time)
            // Where both have no room, each has a line.
            if fact.width + 3 + words.width <= room { fact += .dim(" · ") + words } else { more = [.fact("", words)] }
        }
        // What the first line says already.
        let openings = ["not stored, ", "stored, and ", "stored, ", "answered from disk: "]
        let sentence = verdict.why.sentence
        let opening = openings.first { sentence.hasPrefix($0) } ?? ""
        let lines = TextWrap.lines(visible(String(sentence.dropFirst(opening.count))), columns: room, limit: 4)
        return [.fact("HTTP cache", fact)] + more + lines.map { .fact("", .dim($0)) }
    }

    /// What was said for this task, and not for others of its URL; or that what it stored or used is gone since.
    private var verdict: HTTPCacheChange? {
        guard let own = record?.verdict, own.verb != .skipped, let last = state.news.verdicts[own.key],
            last.verb == .evicted
        else { return record?.verdict }
        return last
    }

    /// A time of this day, or `nil`: the sentence tells longer ones.
    private func freshUntil(_ verdict: HTTPCacheChange) -> String? {
        guard let until = verdict.freshUntil else { return nil }
        let after = until - state.configuration.start.nanosecondsSince1970 / 1_000_000
        let ahead = Duration.milliseconds(after) - (now - state.configuration.start.time)
        return ahead > .zero && ahead < .seconds(12 * 3_600) ? state.clock.time(after: .milliseconds(after)) : nil
    }
}
