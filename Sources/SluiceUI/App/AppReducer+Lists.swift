internal import SluiceCore

/// Pastes, and lists read from files.
extension AppReducer {
    /// URLs of a paste that are taken without asking.
    static let pasteLimit = 20

    static func paste(_ text: String, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let found = URLText.pasted(in: text)
        // Nobody looks for several URLs at once.
        if found.urls.count < 2, pasteAside(oneLine(text), &state, &change, now) { return }
        (state.prompt.problem, state.prompt.refusal) = (nil, nil)
        state.prompt.endAsides()
        state.quitArmedUntil = nil
        if case .help(let below) = state.mode { state.mode = below }
        if case .event = state.mode { state.mode = .lists }
        // As Enter does: what was typed goes on narrowing the list.
        if state.mode == .filter { state.mode = .lists }
        if case .question = state.mode { state.mode = state.trust == nil ? .lists : .trust }
        if case .paste(_, let below) = state.mode { leavePaste(to: below, &state) }
        switch found.urls.count {
        case 0: pasteText(text, found, &state, now)
        // Cut to what a line takes it would be another one.
        case 1 where !fits(oneLine(text), or: found.urls[0], state): question(found, &state, &change)
        case 1:
            if state.mode == .prompt, !state.prompt.editor.isEmpty {
                let isCommand = CopiedCommand(text) != nil
                let line = isCommand ? found.urls[0] : oneLine(text)
                state.prompt.editor.apply(.insert(apart(line, in: state.prompt.editor)))
                state.prompt.refusal = found.note
                if let note = found.note { say(note, .wait, &state, now) }
            } else {
                state.prompt.editor.replace(with: found.urls[0])
                // The rest of the text is not in the line, where Enter would find it.
                state.prompt.refusal = found.remark
                if let remark = found.remark { say(remark, .wait, &state, now) }
            }
            state.prompt.history.leave()
            state.mode = .prompt
        case ...pasteLimit: add(found, &state, &change, now)
        default: question(found, &state, &change)
        }
        probe(&state, &change)
    }

    /// Says what the terminal did not hand over of the paste before, which is too long for it.
    static func tellCutPaste(_ state: inout AppState, _ now: Timestamp) {
        let limit = "the paste is longer than 16 MiB, and its end is left out"
        if case .paste(var found, let below) = state.mode {
            found.note = limit
            state.mode = .paste(found, over: below)
        }
        say("\(limit): put it into a file, and add that with @FILE", .wait, &state, now)
    }

    /// Whether the line has room for a paste of one URL: for all that is put there of it.
    private static func fits(_ line: @autoclosure () -> String, or url: String, _ state: AppState) -> Bool {
        let isAlone = state.mode != .prompt || state.prompt.editor.isEmpty
        // With a blank on either side.
        let room = LineEditor.limit - (isAlone ? 0 : state.prompt.editor.characters.count + 2)
        return (isAlone ? url : line()).count <= room
    }

    /// Asks whether the URLs of a paste are to be added.
    private static func question(_ found: PastedURLs, _ state: inout AppState, _ change: inout Change) {
        var counted = found
        counted.countHosts()
        state.mode = .paste(counted, over: state.mode)
        ask(found.urls.map { DownloadRequest($0, source: .paste) }, &state, &change)
    }

    /// Puts a paste where a text is typed that is no request: what is looked for in help, lists or the history.
    ///
    /// - Returns: Whether one is typed.
    private static func pasteAside(
        _ line: String,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) -> Bool {
        let insertion = KeyAction.edit(.insert(line))
        switch state.mode {
        case .help(let below) where state.help.isTyping: read(insertion, over: below, &state, &change)
        case .filter: editFilter(insertion, &state, &change, now)
        case .prompt where state.prompt.search != nil: edit(insertion, &state, &change, now)
        default: return false
        }
        return true
    }

    static func answer(
        _ found: PastedURLs,
        _ below: AppState.Mode,
        _ action: KeyAction?,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        guard action == .yes || action == .no else { return }
        leavePaste(to: below, &state)
        if action == .yes { add(found, &state, &change, now) }
        probe(&state, &change)
    }

    /// Back to what the question stood over: how many would merge was told of the paste, and is asked of the line anew.
    private static func leavePaste(to below: AppState.Mode, _ state: inout AppState) {
        state.mode = below
        (state.prompt.probe, state.prompt.probedText) = (0, "")
    }

    private static func add(_ found: PastedURLs, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        change.send(.submit(found.urls.map { DownloadRequest($0, source: .paste) }))
        follow(SubmissionTally(found), &state, now)
    }

    private static func pasteText(
        _ text: String,
        _ found: PastedURLs,
        _ state: inout AppState,
        _ now: Timestamp
    ) {
        if pastePath(text, &state, now) { return }
        guard state.mode == .prompt else {
            let reason = found.refusal.map { ", \($0)" } ?? ""
            return say("no http or https URL in what was pasted\(reason)", .wait, &state, now)
        }
        let line = oneLine(text)
        if line.count > LineEditor.limit - state.prompt.editor.characters.count {
            say("the line is full: the end of what was pasted is left out", .wait, &state, now)
        }
        state.prompt.editor.apply(.insert(URLText.hasScheme(line) ? apart(line, in: state.prompt.editor) : line))
        state.prompt.history.leave()
    }

    /// A paste that holds a URL, with blanks towards the words beside the cursor, with which it would be one wrong URL.
    ///
    /// Commands that take no URLs, and paths, stay as they are typed, and so does what wraps URLs, stands between them, or
    /// begins a value within one.
    private static func apart(_ text: String, in editor: LineEditor) -> String {
        let line = editor.text.trimmed
        guard line.first != ":" || line.hasPrefix(":add "), line.first != "@" else { return text }
        func joins(_ character: Character?, _ marks: String) -> Bool {
            character.map { !$0.isWhitespace && !marks.contains($0) } ?? false
        }
        let head = editor.characters[..<editor.cursor]
        let before = joins(head.last, ",;<([{\"'") && !beginsValue(head) ? " " : ""
        let after = joins(editor.characters[editor.cursor...].first, ",;>)]}\"'") ? " " : ""
        return before + text + after
    }

    /// Whether a text ends in a name of a query and its `=`, so that a value follows; `==` may end one.
    private static func beginsValue(_ text: ArraySlice<Character>) -> Bool {
        guard text.last == "=", let start = text.lastIndex(where: { $0 == "?" || $0 == "&" }) else { return false }
        let name = text[(start + 1)...].dropLast()
        return !name.isEmpty && !name.contains("=")
    }

    /// Puts the path of a file that was dragged in, or copied, where a list is named.
    ///
    /// Reads nothing: Enter does, and what is in the file is told before.
    ///
    /// - Returns: Whether the text is one, and stands there.
    private static func pastePath(_ text: String, _ state: inout AppState, _ now: Timestamp) -> Bool {
        guard let path = PathText.path(in: text) else { return false }
        if state.mode == .prompt, !state.prompt.editor.isEmpty {
            guard state.prompt.namesFile else { return false }
            state.prompt.editor.apply(.insert(path))
        } else {
            // At the prompt it is a URL like others, and its file is copied.
            if state.mode == .prompt, URLText.hasScheme(text.trimmed), !PathText.hasListEnding(path) { return false }
            state.prompt.editor.replace(with: "@" + path)
            state.mode = .prompt
            say("Enter reads this file as a list of URLs", .bright, &state, now)
        }
        state.prompt.history.leave()
        return true
    }

    /// Line ends and other control characters become blanks.
    private static func oneLine(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            scalars.append(isControl ? " " : scalar)
        }
        return String(scalars).trimmed
    }

    // MARK: Lists

    /// Asks for the lines of a list, without which nothing is over.
    static func read(list path: String, _ state: inout AppState, _ change: inout Change) {
        state.awaitedLists += 1
        change.effects.append(.readList(path: path))
    }

    static func take(
        list path: String,
        _ result: Result<[String], ListError>,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        state.awaitedLists = max(0, state.awaitedLists - 1)
        switch result {
        case .failure(let error):
            refuse(list: path, error, &state)
        case .success(let lines):
            state.prompt.importing.remove(path)
            if state.prompt.prefetching.remove(path) != nil { return prefetch(lines, of: path, &state, &change, now) }
            let count = submit(lines, of: path, &change)
            guard count > 0 else { return say("\(path) holds no URL", .wait, &state, now) }
            follow(SubmissionTally(.list(path), total: count), &state, now)
        }
    }

    /// Brings back what named the list, to be mended: `@` would add what a command was to prefetch only.
    private static func refuse(list path: String, _ error: ListError, _ state: inout AppState) {
        let isPrefetched = state.prompt.prefetching.remove(path) != nil
        let isImported = state.prompt.importing.remove(path) != nil
        let head = isPrefetched ? ":prefetch " : isImported ? ":import " : "@"
        state.mode = .prompt
        // A line that was begun meanwhile has nothing to do with it, and keeps its cursor.
        var place = state.prompt.editor.cursor
        if state.prompt.editor.isEmpty {
            state.prompt.editor.replace(with: head + path)
            place = head == "@" ? 0 : head.count
        }
        // A mark and the edges stand beside it on the screen; where there is none, the line holds no more either.
        let message = error.message(columns: state.hasKeys ? min(state.terminal.width - 6, 200) : 300)
        state.prompt.problem = PromptState.Problem(message: message, place: place)
    }

    private static func prefetch(
        _ lines: [String],
        of path: String,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        let urls = lines.map(\.trimmed).filter { !$0.isEmpty && $0.first != "#" }
        if urls.isEmpty { return say("\(path) holds no URL", .wait, &state, now) }
        change.send(.prefetch(urls.map { DownloadRequest($0) }))
        state.awaitsPrefetch = true
        let others = urls.count { !URLText.isURL($0) }
        let refused = others > 0 ? "; \(Format.plural(others, "line")) of it \(others == 1 ? "is" : "are") none" : ""
        let words = "prefetching \(Format.plural(urls.count - others, "URL")) of \(path), without files\(refused)"
        say(words, others > 0 ? .wait : .ok, &state, now)
    }

    /// - Returns: How many lines there were to submit.
    private static func submit(_ lines: [String], of path: String, _ change: inout Change) -> Int {
        let name = SubmissionTally.name(ofList: path)
        var requests: [DownloadRequest] = []
        for (index, line) in lines.enumerated() {
            let line = line.trimmed
            guard let first = line.first, first != "#" else { continue }
            // What is no URL is submitted all the same: the pipeline says why, in its place among the others.
            requests.append(DownloadRequest(line, source: .list(name: name, line: index + 1)))
        }
        if !requests.isEmpty { change.send(.submit(requests)) }
        return requests.count
    }
}
