internal import SluiceCore

/// Questions in the row of the prompt, longest first; the shortest keep what is asked and both answers.
enum QuestionLine {
    /// - Parameters:
    ///   - question: What is asked.
    ///   - columns: Room for it.
    ///   - isTemporary: Whether nothing outlives the session, so that nothing is kept that could be promised.
    /// - Returns: Longest first.
    static func choices(_ question: AppState.Question, columns: Int, isTemporary: Bool) -> [StyledText] {
        switch question {
        case .cancelAll(let count):
            return abort(count == 1 ? "the only task" : "all \(Format.count(count)) tasks", count, isTemporary)
        case .abortSelected(let count): return abort(Format.plural(count, "task"), count, isTemporary)
        case .deleteFiles(let files):
            let what = files.count == 1 ? "this file" : "\(Format.count(files.count)) files"
            return choices("delete \(what)? ", short: "delete \(Format.count(files.count))? ", .bad)
        case .pin(let draft):
            let place = draft.file == nil ? "for this session" : "in the configuration"
            let host = VisibleText.visible(draft.host, limit: 80)
            // The box above names the host in full.
            let short = Elision.middle(host, max(8, columns - 6 - answers.width))
            let plain: [StyledText] =
                [.bold("pin \(host) \(place)? ", .wait) + answers]
                + choices("pin \(short)? ", short: "pin it? ", .wait)
            return draft.warning == nil ? plain : warned(host, place, columns) + plain
        }
    }

    /// About a pin that is not enough: that must be read where the answer is given.
    private static func warned(_ host: String, _ place: String, _ columns: Int) -> [StyledText] {
        let (long, head) = (StyledText("A pin alone would not help: ", .bad), StyledText("refused still: ", .bad))
        let question = StyledText.bold("pin \(host) \(place)? ", .wait) + answers
        let short = Elision.middle(host, max(8, columns - 6 - head.width - letters.width))
        let rest = choices("pin \(short)? ", short: "pin it? ", .wait)
        return [long + question, head + question] + rest.map { head + $0 }
    }

    private static func abort(_ tasks: String, _ count: Int, _ isTemporary: Bool) -> [StyledText] {
        let question = "abort \(tasks)? "
        let promise = StyledText.bold(question, .bad) + .dim("Partial files are kept. ") + answers
        return (isTemporary ? [] : [promise]) + choices(question, short: "abort \(Format.count(count))? ", .bad)
    }

    /// Where there is no room, the answers lose their words first.
    private static func choices(_ question: String, short: String, _ role: Role) -> [StyledText] {
        [.bold(question, role) + answers, .bold(question, role) + letters, .bold(short, role) + letters]
    }

    /// What to do with more URLs than are taken without asking.
    static func choices(paste found: PastedURLs, merging: Int?) -> [StyledText] {
        let urls = StyledText.figure("\(Format.count(found.urls.count)) URLs")
        var merge = StyledText()
        if let merging, merging > 0 { merge = .dim(", ") + StyledText("\(Format.count(merging)) merge", .merge) }
        var invalid = StyledText()
        if found.refused > 0 { invalid = .dim(", ") + StyledText("\(Format.count(found.refused)) invalid", .wait) }
        let short = key("Enter", "adds") + .dim(", ") + key("Esc", "drops")
        let long = key("Enter", "adds them") + .dim(", ") + key("Esc", "drops them")
        let all = urls + merge + invalid + .dim(": ")
        let figures = [all + long, all + short, urls + invalid + .dim(": ") + short, urls + .dim(": ") + short]
        return figures + [urls + .dim("? ") + .bold("Enter", .accent) + .plain(" ") + .bold("Esc", .accent)]
    }

    private static var answers: StyledText { key("y", "yes") + .plain("  ") + key("n", "no") }

    private static var letters: StyledText { .bold("y", .accent) + .plain(" ") + .bold("n", .accent) }

    private static func key(_ key: String, _ text: String) -> StyledText { .bold(key, .accent) + .dim(" \(text)") }
}
