internal import SluiceCore

/// A task that ended, as a row of the finished list.
struct EndedTask: Sendable {
    /// Grows by one from task to task.
    let seq: Int
    /// Since the start of the session.
    let t: Duration
    let end: TaskEnd

    /// The file's name, else the last part of the URL; not sanitised.
    var name: String {
        end.file.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? URLText.name(of: end.url)
    }

    /// What a filter looks into: the words of its row, and what events call its outcome.
    var searchText: String {
        var parts = [end.url, name, end.outcome.rawValue]
        switch end.outcome {
        case .success:
            parts.append(end.file == nil ? "loaded in memory" : "saved")
            if end.source == .disk { parts.append("from disk") }
            if end.source == .revalidated { parts.append("not modified") }
            if let image = end.image { parts.append("\(image.format.rawValue) \(image.width)×\(image.height)") }
        case .failed:
            if let error = end.error { parts.append("\(error.code.rawValue) \(EventSentence.brief(error))") }
        case .cancelled: parts.append("aborted")
        }
        return parts.joined(separator: " ")
    }
}
