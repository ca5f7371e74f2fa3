internal import SluiceCore

/// A task that ended, as a row of the finished list; also a file of an earlier session, of which little else is known.
struct EndedTask: Sendable {
    /// Grows by one from task to task, from 1; those of earlier sessions are `...0`.
    let seq: Int
    /// Since the start of the session.
    let t: Duration
    let end: TaskEnd

    init(seq: Int, t: Duration, end: TaskEnd) { (self.seq, self.t, self.end) = (seq, t, end) }

    /// A file of an earlier session; no task of this one has its number.
    init(seq: Int, _ known: KnownFile) {
        let text = MergeKey.Text(known.key)
        let url = text.urlOfMore ?? text.urlOfOnce ?? known.key
        var end = TaskEnd(task: TaskID(seq - 1), url: url, outcome: .success, receipts: 0)
        (end.file, end.bytes, end.source) = (known.file.path, known.file.size, .disk)
        end.key = known.key
        (self.seq, t, self.end) = (seq, .zero, end)
    }

    /// Whether another session saved it.
    var isEarlier: Bool { end.isEarlier }

    /// Whether its name ends as those of pictures do that Sluice can decode.
    var isNamedAsPicture: Bool { Self.namesPicture(name) }

    static func namesPicture(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"].contains { name.hasSuffix($0) }
    }

    /// The file's name, else the last part of the URL; not sanitised.
    var name: String {
        end.file.map(PathText.name(of:)) ?? URLText.name(of: end.url)
    }

    /// Bytes in the column of sizes; `nil` where it is empty.
    var shownSize: Int? { end.outcome == .success ? end.bytes : nil }

    /// What a filter looks into: the words of its row, and what events call its outcome.
    var searchText: String {
        var parts = [end.url, name, end.outcome.rawValue]
        switch end.outcome {
        case .success:
            parts.append(end.file == nil ? "loaded in memory" : end.successWord)
            if isEarlier {
                parts.append("earlier")
            } else if end.source == .disk {
                parts.append("from disk")
            }
            if end.source == .revalidated { parts.append("not modified") }
            if let image = end.image { parts.append("\(image.format.rawValue) \(image.width)×\(image.height)") }
        case .failed:
            if let error = end.error { parts.append("\(error.code.rawValue) \(EventSentence.brief(error))") }
        case .cancelled: parts.append("aborted")
        }
        return parts.joined(separator: " ")
    }
}

extension TaskEnd {
    /// What became of the body of a success.
    var successWord: String { file == nil ? "loaded" : isFileUnchanged ? "kept" : "saved" }

    /// How long its last transfer took, to be said behind its size, and of how much if that was not all.
    var pace: String {
        guard let timings else { return "" }
        let time = Format.seconds(timings.transfer.total)
        return continued > 0 ? ", the last \(Format.bytes(bytes - continued).text) in \(time)" : " in \(time)"
    }

    /// The same where there is little room.
    var shortPace: String {
        guard continued > 0, let timings else { return pace }
        return ", the rest in \(Format.seconds(timings.transfer.total))"
    }

    /// Whether it stands for a file that another session saved: no task has such a number.
    var isEarlier: Bool { task.rawValue < 0 }
}
