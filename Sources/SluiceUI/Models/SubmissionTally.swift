internal import SluiceCore

/// What becomes of requests that were added together, until each of them has its answer.
///
/// That a paste was handed over says nothing yet: the pipeline may merge its URLs, or refuse them.
struct SubmissionTally: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case paste
        case prompt
        /// By its path as it is shown; events know the last part of it.
        case list(String)
    }

    /// As many reasons as a sentence can hold; where the events have them it tells fewer.
    private static let reasonLimit = 3

    let source: Source
    /// How many requests it stands for. `1...`
    let total: Int
    /// Whether it is one request that somebody typed: nothing is said before its answer, and then that alone.
    var isAlone: Bool { source == .prompt && total == 1 }
    /// Whether nothing new is seen of the one request: it is answered, or part of what was there.
    var hasNoRow: Bool { count(.joined) + count(.cached) > 0 }
    private var outcomes: [Submission.Outcome: Int] = [:]
    /// Where the last one that was queued stands.
    private var position: Int?
    /// Why some were refused, each reason once.
    private var reasons: [String] = []
    /// What was refused before the pipeline saw it, and so has no answer.
    private var unsent = 0
    /// What a copied command gave besides its URLs, and was not taken.
    var note: String?

    init(_ source: Source, total: Int) { (self.source, self.total) = (source, total) }

    /// The URLs of a paste, with what it held besides them that is none.
    init(_ paste: PastedURLs) {
        self.init(.paste, total: paste.urls.count)
        (reasons, unsent, note) = (paste.reasons, paste.refused, paste.note)
    }

    /// Whether each has its answer.
    var isComplete: Bool { unanswered == 0 }

    /// How many of them have no answer yet.
    var unanswered: Int { max(0, total - outcomes.values.reduce(0, +)) }

    /// - Returns: Whether the answer was for one of them.
    mutating func take(_ submission: Submission) -> Bool {
        guard holds(submission.origin) else { return false }
        outcomes[submission.outcome, default: 0] += 1
        if submission.outcome == .queued { position = submission.position }
        if submission.outcome == .rejected, reasons.count < PastedURLs.reasonLimit {
            let reason = Self.reason(submission.error)
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return true
    }

    private func holds(_ origin: DownloadRequest.Source) -> Bool {
        switch (source, origin) {
        case (.paste, .paste), (.prompt, .prompt), (.prompt, .promptLine): true
        case (.list(let path), .list(let name, _)): Self.name(ofList: path) == name
        default: false
        }
    }

    /// What events call a list.
    static func name(ofList path: String) -> String { PathText.name(of: path) }

    /// While nothing is known.
    var start: String { "adding \(what(total))" }

    /// When all is known.
    var sentence: String { note.map { "\(outcome); \($0)" } ?? outcome }

    private var outcome: String {
        if isAlone { return sentenceOfOne }
        let added = count(.started) + count(.queued)
        if added == total { return "\(what(total)) added\(refused > 0 ? ", \(refusal)" : "")" }
        if total == 1, hasNoRow { return "\(what(1)) \(count(.joined) > 0 ? "merged" : "from the cache")" }
        var parts: [String] = []
        for (count, word) in [(added, "added"), (count(.joined), "merged"), (count(.cached), "from the cache")]
        where count > 0 {
            parts.append("\(Format.count(count)) \(word)")
        }
        if refused > 0 { parts.append(refusal) }
        return "\(what(total + unsent)): \(parts.joined(separator: ", "))"
    }

    /// Where it stands is told too: its row may be far below those in sight.
    private var sentenceOfOne: String {
        if refused > 0 { return "\(what(1)) refused: \(reasons.joined(separator: " or "))" }
        if hasNoRow { return "\(what(1)) \(count(.joined) > 0 ? "merged" : "from the cache")" }
        return position.map { "added, position \(Format.count($0))" } ?? "\(what(1)) added"
    }

    var role: Role { refused > 0 ? .bad : note == nil ? .ok : .wait }

    private var refused: Int { count(.rejected) + unsent }

    private var refusal: String {
        // Of what was never sent, no event says why.
        let isShort = unsent > 0 || reasons.count < Self.reasonLimit
        return "\(Format.count(refused)) refused: \(isShort ? reasons.joined(separator: " or ") : "the events say why")"
    }

    private func what(_ total: Int) -> String {
        switch source {
        case .paste: "\(Format.plural(total, "URL")) of the paste"
        case .prompt: Format.plural(total, "URL")
        // What is no URL is a line of it too.
        case .list(let path): "\(Format.plural(total, "line")) of \(path)"
        }
    }

    private func count(_ outcome: Submission.Outcome) -> Int { outcomes[outcome] ?? 0 }

    private static func reason(_ error: DownloadError?) -> String {
        guard let error else { return "no reason given" }
        return switch error.code {
        case .previouslyFailed: "failed before"
        case .badURL: "no URL"
        default: Elision.end(EventSentence.brief(error), 80)
        }
    }
}
