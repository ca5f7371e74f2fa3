internal import SluiceCore

/// What a task asks for: its URL, and another one to go on with.
extension AppReducer {
    /// Opens the prompt with the URL of the selected task, to be edited.
    static func openURL(_ state: inout AppState, _ now: Timestamp) {
        if isOneOfMany("URLs are changed one at a time", &state, now) { return }
        if let row = state.selectedRow, row.isDetached, state.focus != .failed {
            return say("nobody is left for \(EventSentence.name(row.url)): add the other URL with a", .dim, &state, now)
        }
        guard let (task, url) = state.replaceable else {
            if state.focus == .failed, let row = state.selectedFailed {
                // Of an earlier session: nothing of it is left to go on with.
                openPrompt(with: "", &state)
                return state.prompt.editor.replace(with: row.url)
            }
            return say("only what runs, waits or failed can go on with another URL", .dim, &state, now)
        }
        openPrompt(with: ":url \(url)", &state)
        state.prompt.subject = task
    }

    /// The task whose URL the line began with goes on with another, else the selected one.
    static func replaceURL(_ url: String, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard let task = state.prompt.subject ?? state.replaceable?.task else { return }
        state.prompt.subject = nil
        // Those that failed before it stand in its row, and go on with it.
        let tasks = state.news.failed.remove(task)
        for task in tasks.isEmpty ? [task] : tasks { change.send(.replaceURL(task, url)) }
        say("going on with \(EventSentence.name(url))", .ok, &state, now)
    }
}

extension PromptState {
    private static let replacing = Array("url ")

    /// The URL that stands alone behind a colon, where the line began with the URL of a task and was cut: what is left
    /// of the command, its colon, is not what was typed.
    func replacement(in text: String) -> String? {
        let words = PromptLine(text).words
        guard subject != nil, words.count == 1, !words[0].isOffer, case .url = words[0].meaning,
            words[0].text == text.trimmed
        else { return nil }
        return words[0].text
    }

    /// Clusters that cutting to the start leaves: that the line is a command, and that it is for the URL of a task.
    ///
    /// Without that nobody would know any more what the next URL is for.
    var keptHead: Int {
        guard isCommand, let colon = editor.characters.firstIndex(of: ":") else { return 0 }
        let head = colon + 1
        let isReplacing = subject != nil && editor.characters[head...].starts(with: Self.replacing)
        // Within the word itself somebody wants to cut it.
        return isReplacing && editor.cursor >= head + Self.replacing.count ? head + Self.replacing.count : head
    }

    /// Whether nothing stands there but what cutting leaves.
    var isCleared: Bool {
        let text = editor.text.trimmed
        return text == ":" || (subject != nil && text == ":url")
    }
}

extension AppState {
    /// The task that can go on with another URL, and the one it has.
    var replaceable: (task: TaskID, url: String)? {
        if focus == .failed { return selectedFailed.flatMap { row in row.id.task.map { ($0, row.url) } } }
        if let row = selectedRow { return (row.task, row.url) }
        return selectedFailure.flatMap { end in news.failed.contains(end.task) ? (end.task, end.url) : nil }
    }
}
