internal import SluiceCore

/// All that an event says which belongs to no task, and so to no detail: its row has room for the start of it only.
///
/// A value of its own, so that it stays as it was opened, whatever happens meanwhile. Its texts are safe to draw.
struct EventText: Equatable, Sendable {
    /// Characters of a paragraph.
    static let limit = 4_000

    /// What was done, as its row says it, and to what.
    let verb: String
    let subject: String
    let time: String
    /// Each begins a line; one at least.
    let paragraphs: [String]
    /// First line that is seen where not everything fits.
    var offset = 0

    /// Fails for an event whose row says all, or the whole of which stands elsewhere.
    init?(_ entry: EventRows.Entry, _ state: AppState) {
        let texts: [String]
        switch entry.kind {
        case .warning(_, let message, _): texts = [message]
        case .requestSubmitted(let news) where news.outcome == .rejected:
            texts = [news.url, news.error?.message ?? news.why.sentence(now: state.configuration.start.time + entry.t)]
        case .trustDecided(let decision):
            let (rule, reason) = (decision.verdict.rule, decision.verdict.reason)
            texts = [decision.host, "rule \(rule.rawValue), \(rule.phrase)" + (reason.isEmpty ? "" : ": \(reason)")]
        default: return nil
        }
        paragraphs = texts.filter { !$0.isEmpty }.map { VisibleText.visible($0, limit: Self.limit) }
        guard !paragraphs.isEmpty else { return nil }
        let sentence = state.sentence(entry)
        (verb, subject) = (sentence.verb, sentence.subject)
        time = state.clock.time(after: entry.t, seconds: true)
    }

    /// What stands in one row where there is no room for a box.
    var short: String { paragraphs[paragraphs.count - 1] }

    /// The paragraphs with a blank line between them; none of the lines has more than `columns`, one at least.
    func lines(columns: Int) -> [String] {
        paragraphs.enumerated().flatMap { index, paragraph in
            (index > 0 ? [""] : []) + TextWrap.lines(paragraph, columns: columns)
        }
    }
}

extension AppState {
    /// All that the selected event says; `nil` if its row does, or if it is another list's turn.
    var selectedEventText: EventText? {
        guard focus == .events, let entry = selectedEvent else { return nil }
        return EventText(entry, self)
    }
}
