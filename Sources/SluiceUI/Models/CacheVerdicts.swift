internal import SluiceCore

/// What the HTTP cache said last of a URL: whether it stored, used, skipped or dropped the answer, and why.
///
/// Bounded: what was said long ago is forgotten.
struct CacheVerdicts: Sendable {
    static let capacity = 2_000

    private var changes: [String: HTTPCacheChange] = [:]
    /// Keys as they were heard of, some of them twice.
    private var order: [String] = []

    subscript(url: String) -> HTTPCacheChange? { changes[url] }

    mutating func take(_ change: HTTPCacheChange) {
        changes[change.key] = change
        order.append(change.key)
        guard order.count > Self.capacity * 2 else { return }
        let recent = Set(order.suffix(Self.capacity))
        changes = changes.filter { recent.contains($0.key) }
        order.removeFirst(Self.capacity)
    }
}

extension TaskDetail {
    /// What the HTTP cache did with the answer, and why.
    func httpVerdict(width: Int) -> [Line] {
        guard state.snapshot.hasHTTPCache else { return [.fact("HTTP cache", .dim("off"))] }
        guard let verdict = state.verdicts[url] ?? head.flatMap({ state.verdicts[$0.finalURL] }) else {
            return [.fact("HTTP cache", .dim(end == nil ? "decided at its end" : "nothing was stored or asked"))]
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

    /// A time of this day, or `nil`: the sentence tells longer ones.
    private func freshUntil(_ verdict: HTTPCacheChange) -> String? {
        guard let until = verdict.freshUntil else { return nil }
        let after = until - state.configuration.startWallClock / 1_000_000
        let ahead = Duration.milliseconds(after) - (now - state.configuration.startTime)
        return ahead > .zero && ahead < .seconds(12 * 3_600) ? state.clock.time(after: .milliseconds(after)) : nil
    }
}
