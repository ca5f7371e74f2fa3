internal import SluiceCore

/// Questions as lines: first what an answer would touch, last what is asked and how it is answered.
enum PlainQuestion {
    /// Files that are named at most.
    static let fileLimit = 20

    /// - Parameters:
    ///   - question: What is asked.
    ///   - wordsOnParts: What becomes of what came so far, in a sentence; `nil` where nothing is said of it.
    /// - Returns: In order. Without control characters.
    static func lines(_ question: AppState.Question, wordsOnParts: String?) -> [String] {
        switch question {
        case .cancelAll(let count), .abortSelected(let count):
            let words = wordsOnParts.map { " \($0)" } ?? ""
            return ["Abort \(Format.plural(count, "task"))?\(words) \(answers)"]
        case .deleteFiles(let files): return delete(files)
        case .pin(let draft): return pin(draft)
        }
    }

    private static let answers = "Type yes or no."

    private static func delete(_ files: [String]) -> [String] {
        let end = "This can't be undone. \(answers)"
        let names = files.prefix(fileLimit).map { VisibleText.visible($0, limit: 500) }
        if files.count == 1 { return ["Delete \(names[0])? \(end)"] }
        var lines = names
        if files.count > fileLimit { lines.append("and \(Format.count(files.count - fileLimit)) more") }
        lines.append("Delete \(Format.plural(files.count, "file"))? \(end)")
        return lines
    }

    private static func pin(_ draft: PinDraft) -> [String] {
        var lines = draft.pins.enumerated().map { index, pin in
            (index == 0 ? "key " : "backup ") + VisibleText.visible(pin, limit: 100)
        }
        if let file = draft.file {
            let name = VisibleText.visible(file, limit: 300)
            lines.append("\(name) gets these lines\(draft.before.isEmpty ? "" : " at its end"):")
            lines += draft.lines.map { VisibleText.visible($0, limit: 400) }
        }
        if let warning = draft.warning { lines += warning.lines(columns: .max, rows: .max) }
        let place = draft.file == nil ? "for this session" : "in the configuration"
        lines.append("Pin \(VisibleText.visible(draft.host, limit: 300)) \(place)? \(answers)")
        return lines
    }
}
