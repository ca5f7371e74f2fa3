internal import SluiceCore

extension EventRows.Entry {
    /// What a filter looks into, without making a sentence: the verb that the row shows, and what the event calls it.
    var searchText: String {
        switch kind {
        case .requestSubmitted(let news):
            "\(Self.verb(news.outcome)) \(news.outcome.rawValue) \(news.url) \(Self.text(news.error))"
        case .taskChanged(let change):
            "\(change.phase == .suspended ? "paused " : "")\(change.phase) \(change.url) \(Self.cause(change))"
        case .taskFinished(let end):
            "\(Self.verb(end)) \(end.outcome.rawValue) \(end.url) \(end.file ?? "") \(Self.text(end.error))"
        case .receiptFinished(let end):
            "\(end.outcome == .success ? "served " : "")\(end.outcome.rawValue) \(end.url) \(Self.text(end.error))"
        case .cacheChanged(let change):
            "\(change.verb == .added ? "cached " : "")\(change.verb) \(change.key.key)"
        case .cachePurged: "purged"
        case .settingChanged(let name, _, _): "set \(name)"
        case .warning(let code, let message, _):
            "warned \(EventSentence.words(of: code.rawValue)) \(code.rawValue) \(message)"
        default: ""
        }
    }

    private static func verb(_ outcome: Submission.Outcome) -> String {
        switch outcome {
        case .cached: "hit"
        case .joined: "merged"
        case .started, .queued, .rejected: ""
        }
    }

    private static func verb(_ end: TaskEnd) -> String {
        switch end.outcome {
        case .success: end.file == nil ? "loaded in memory" : end.successWord
        case .failed: ""
        case .cancelled: "aborted"
        }
    }

    private static func cause(_ change: TaskChange) -> String {
        guard case .retryAfter(let error, _, _, _) = change.reason else { return "" }
        return text(error)
    }

    private static func text(_ error: DownloadError?) -> String {
        error.map { "\($0.code.rawValue) \($0.message)" } ?? ""
    }
}
