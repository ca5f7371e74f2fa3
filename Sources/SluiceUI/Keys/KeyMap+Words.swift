internal import SluiceCore

/// Keys in sentences, as the configuration has them.
extension KeyMap {
    /// `r tries again`; `nil` while the action has no key.
    func phrase(_ action: KeyAction, _ words: String, in scope: Scope = .lists) -> String? {
        label(of: action, in: scope).map { "\($0) \(words)" }
    }
}

extension AppState {
    /// The key that focuses a panel; empty if there is none.
    func digit(_ panel: Panel) -> String { configuration.keys.label(of: .focus(panel)) ?? "" }

    /// A key's label as the terminal can show it, for sentences.
    func shown(_ label: String) -> String {
        Glyphs(isASCII: configuration.isASCII, depth: configuration.colorDepth).label(label)
    }

    /// What stands before a hint, then the key and what it does; empty while the action has no key, or in a
    /// recording, to which it does nothing.
    func hint(_ before: String, _ action: KeyAction, _ words: String) -> StyledText {
        if replay != nil, action.refusalInReplay != nil { return StyledText() }
        guard let label = configuration.keys.label(of: action) else { return StyledText() }
        return .dim(before) + StyledText(label, .accent) + .dim(" \(words)")
    }

    func hint(_ action: KeyAction, _ words: String) -> StyledText { hint("", action, words) }

    /// What tries a failure again, for the sentence that tells of it; `nil` where nothing can.
    var retryWords: String? {
        if replay != nil { return nil }
        if hasKeys { return configuration.keys.phrase(.retry, "retries") }
        return hasPrompt ? "retry tries again" : nil
    }

    /// What a row of the events says; where lines are typed, with reasons in full.
    func sentence(_ entry: EventRows.Entry) -> EventSentence {
        EventSentence(
            entry.kind,
            count: entry.count,
            at: configuration.start.time + entry.t,
            hasOthers: entry.hasOthers,
            retry: retryWords,
            isWhole: !hasKeys
        )
    }

    /// A sentence, and behind it the key that helps, as `all paused: P resumes`; where words are typed, the word.
    func keyed(_ sentence: String, _ action: KeyAction, _ words: String) -> String {
        guard hasKeys else { return action == .pauseAll ? "\(sentence): resume goes on" : sentence }
        return configuration.keys.phrase(action, words).map { "\(sentence): \($0)" } ?? sentence
    }
}
