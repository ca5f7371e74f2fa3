internal import SluiceCore

/// Questions in the row of the prompt, longest first; the shortest keep what is asked and both answers.
///
/// Where there is a row for hints, that one names the keys that answer: twice they would be taken for two questions.
enum QuestionLine {
    /// The keys that answer with yes and no.
    private struct Keys {
        /// With what they mean; empty where another row names them, as the other.
        var words = StyledText()
        var letters = StyledText()

        init(areNamed: Bool) {
            guard areNamed else { return }
            words = QuestionLine.key("y", "yes") + .plain("  ") + QuestionLine.key("n", "no")
            letters = .bold("y", .accent) + .plain(" ") + .bold("n", .accent)
        }
    }

    /// - Parameters:
    ///   - question: What is asked.
    ///   - columns: Room for it.
    ///   - wordsOnParts: What becomes of what came so far, in a sentence; `nil` where nothing is said of it.
    ///   - namesKeys: Whether the keys that answer are named in it, and not in the row below.
    /// - Returns: Longest first.
    static func choices(
        _ question: AppState.Question,
        columns: Int,
        wordsOnParts: String?,
        namesKeys: Bool = true
    ) -> [StyledText] {
        let keys = Keys(areNamed: namesKeys)
        switch question {
        case .cancelAll(let count):
            return abort(count == 1 ? "the only task" : "all \(Format.count(count)) tasks", count, wordsOnParts, keys)
        case .abortSelected(let count): return abort(Format.plural(count, "task"), count, wordsOnParts, keys)
        case .deleteFiles(let files):
            let what = files.count == 1 ? "this file" : "\(Format.count(files.count)) files"
            return choices("delete \(what)? ", short: "delete \(Format.count(files.count))? ", .bad, keys)
        case .pin(let draft):
            let place = draft.file == nil ? "for this session" : "in the configuration"
            let host = VisibleText.visible(draft.host, limit: 80)
            // The box above names the host in full.
            let short = Elision.middle(host, max(8, columns - 6 - keys.words.width))
            let plain: [StyledText] =
                [.bold("pin \(host) \(place)? ", .wait) + keys.words]
                + choices("pin \(short)? ", short: "pin it? ", .wait, keys)
            return draft.warning == nil ? plain : warned(host, place, columns, keys) + plain
        }
    }

    /// About a pin that is not enough: that must be read where the answer is given.
    private static func warned(_ host: String, _ place: String, _ columns: Int, _ keys: Keys) -> [StyledText] {
        let (long, head) = (StyledText("A pin alone would not help: ", .bad), StyledText("refused still: ", .bad))
        let question = StyledText.bold("pin \(host) \(place)? ", .wait) + keys.words
        let short = Elision.middle(host, max(8, columns - 6 - head.width - keys.letters.width))
        let rest = choices("pin \(short)? ", short: "pin it? ", .wait, keys)
        return [long + question, head + question] + rest.map { head + $0 }
    }

    private static func abort(_ tasks: String, _ count: Int, _ wordsOnParts: String?, _ keys: Keys) -> [StyledText] {
        let question = "abort \(tasks)? "
        let told = wordsOnParts.map { StyledText.bold(question, .bad) + .dim($0 + " ") + keys.words }
        return (told.map { [$0] } ?? []) + choices(question, short: "abort \(Format.count(count))? ", .bad, keys)
    }

    /// Where there is no room, the answers lose their words first.
    private static func choices(_ question: String, short: String, _ role: Role, _ keys: Keys) -> [StyledText] {
        [.bold(question, role) + keys.words, .bold(question, role) + keys.letters, .bold(short, role) + keys.letters]
    }

    /// What to do with more URLs than are taken without asking; `namesKeys` as for the others.
    static func choices(paste found: PastedURLs, merging: Int?, namesKeys: Bool = true) -> [StyledText] {
        let count = found.urls.count
        let urls = StyledText.figure(Format.plural(count, "URL"))
        var merge = StyledText()
        if let merging, merging > 0 { merge = .dim(", ") + StyledText("\(Format.count(merging)) merge", .merge) }
        var invalid = StyledText()
        if found.refused > 0 { invalid = .dim(", ") + StyledText("\(Format.count(found.refused)) invalid", .wait) }
        let (all, few) = (urls + merge + invalid, urls + invalid)
        guard namesKeys else {
            let question = StyledText.dim(count == 1 ? ": add it?" : ": add them?")
            let whole = hosts(of: found).map { all + question + .dim(" · ") + $0 }
            return whole + [all + question, few + question, urls + question, urls + .dim("?")]
        }
        let short = key("Enter", "adds") + .dim(", ") + key("Esc", "drops")
        let them = count == 1 ? "it" : "them"
        let long = key("Enter", "adds \(them)") + .dim(", ") + key("Esc", "drops \(them)")
        let figures = [all + .dim(": ") + long, all + .dim(": ") + short, few + .dim(": ") + short]
        let last = urls + .dim("? ") + .bold("Enter", .accent) + .plain(" ") + .bold("Esc", .accent)
        return figures + [urls + .dim(": ") + short, last]
    }

    /// `a.example and 2 more hosts`, longest first; none where nobody looked, or where no host is asked.
    private static func hosts(of found: PastedURLs) -> [StyledText] {
        guard let first = found.firstHost, !first.isEmpty else { return [] }
        let count = found.otherHosts
        let more = count > 0 ? " and \(Format.count(count)) more \(count == 1 ? "host" : "hosts")" : ""
        let host = VisibleText.visible(first, limit: 100)
        return [host, Elision.middle(host, 24)].map { StyledText.plain($0) + .dim(more) }
    }

    private static func key(_ key: String, _ text: String) -> StyledText { .bold(key, .accent) + .dim(" \(text)") }
}
