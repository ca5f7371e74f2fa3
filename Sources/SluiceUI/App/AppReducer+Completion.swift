internal import SluiceCore

/// Tab at the prompt.
extension AppReducer {
    static func complete(_ state: inout AppState, _ change: inout Change) {
        if var completion = state.prompt.completion {
            let word = completion.advance()
            let length = state.prompt.editor.characters.count
            state.prompt.editor.replace(completion.range, with: word)
            let grown = state.prompt.editor.characters.count - length
            state.prompt.completion = completion.moved(to: completion.range.count + grown)
            return
        }
        let editor = state.prompt.editor
        guard
            let (range, source) = Completion.wanted(
                editor.characters,
                cursor: editor.cursor,
                hosts: state.knownHosts,
                themes: state.configuration.themeNames
            )
        else { return }
        switch source {
        case .words(let words): offer(words, for: range, &state)
        case .folder(let path, let prefix):
            state.prompt.awaitedFolder = PromptState.AwaitedFolder(path: path, prefix: prefix, range: range)
            change.effects.append(.readFolder(path: path))
        }
    }

    /// The names in a folder came.
    static func take(folder path: String, _ names: [String], _ state: inout AppState, _ change: inout Change) {
        guard let awaited = state.prompt.awaitedFolder, awaited.path == path, state.mode == .prompt else { return }
        state.prompt.awaitedFolder = nil
        let showsHidden = awaited.prefix.first == "."
        let fitting = names.filter { name in
            name.hasPrefix(awaited.prefix) && (showsHidden || name.first != ".")
                // What is no UTF-8 can't be typed, and the name that is shown for it is none of a file.
                && !name.unicodeScalars.contains { $0.isHazardous || $0 == "\u{FFFD}" }
        }
        offer(fitting.sorted(), for: awaited.range, &state)
        probe(&state, &change)
    }

    /// Puts what all have in common into the line; where that is nothing new, the next Tab takes one after the other.
    private static func offer(_ words: [String], for range: Range<Int>, _ state: inout AppState) {
        // Words for a line that is no more are for nothing.
        guard !words.isEmpty, range.upperBound <= state.prompt.editor.characters.count else { return }
        let typed = String(state.prompt.editor.characters[range])
        let completion = Completion(range: range, candidates: words)
        if words.count == 1 {
            let before = String(state.prompt.editor.characters[..<range.lowerBound]).trimmed
            let isName =
                before == ":set" || before == ":" && CommandTable.all.contains { $0.name == words[0] && $0.takesMore }
            guard words[0] != typed || isName else { return }
            return state.prompt.editor.replace(range, with: words[0] + (isName ? " " : ""))
        }
        let common = completion.common
        // Of hosts with different schemes that is less than was typed, which begins behind the scheme.
        let isHost = words[0].contains("://") && !typed.contains("://")
        let host = common.firstRange(of: "://").map { common[$0.upperBound...] } ?? ""
        let goesOn = (isHost ? host : common[...]).lowercased().hasPrefix(typed.lowercased())
        if goesOn, common != typed { state.prompt.editor.replace(range, with: common) }
        state.prompt.completion = completion.moved(to: goesOn ? common.count : typed.count)
    }
}

extension CommandDefinition {
    var takesMore: Bool { argument != .none }
}

extension AppState {
    /// Hosts that were downloaded from, the ones at hand first, each with the scheme that it was last used with; at
    /// most a few hundred.
    var knownHosts: [String] {
        var urls = (snapshot.active + snapshot.waiting + snapshot.paused + snapshot.queued).map(\.url)
        for age in 0..<min(news.ended.count, 200) { urls.append(news.ended[age: age].end.url) }
        for line in prompt.history.lines.suffix(200).reversed() {
            urls += PromptLine(line).words.compactMap { word in
                if case .url(let url, _) = word.meaning { url } else { nil }
            }
        }
        var seen: Set<String> = []
        return urls.compactMap { url in
            let host = URLText.host(of: url)
            guard !host.isEmpty, seen.insert(host).inserted else { return nil }
            return (url.prefix(5).lowercased() == "http:" ? "http://" : "https://") + host
        }
    }
}
