internal import SluiceCore

/// The prompt, pastes and lists.
extension AppReducer {
    /// URLs of a paste that are taken without asking.
    static let pasteLimit = 20

    static func edit(
        _ key: Key,
        _ action: KeyAction?,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        state.prompt.error = nil
        switch action {
        case .submit: submit(&state, &change, now)
        case .leavePrompt: state.mode = .lists
        case .older:
            if let line = state.prompt.history.older(than: state.prompt.editor.text) {
                state.prompt.editor.replace(with: line)
            }
        case .newer:
            if let line = state.prompt.history.newer() { state.prompt.editor.replace(with: line) }
        case .clearOrQuit:
            if state.prompt.editor.isEmpty { return quit(&state, &change, now) }
            state.prompt.editor.replace(with: "")
            state.prompt.history.leave()
        case .help, .redraw, .stop: perform(action ?? .redraw, &state, &change, now)
        default:
            guard let edit = LineEditor.edit(for: key) else { return }
            state.prompt.editor.apply(edit)
            state.prompt.history.leave()
        }
    }

    private static func submit(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let text = state.prompt.editor.text
        let line = PromptLine(text)
        guard !line.isEmpty else {
            state.prompt.editor.replace(with: "")
            state.mode = .lists
            return
        }
        if let url = line.tooLong {
            state.prompt.error = "more than \(Format.count(URLSeries.limit)) URLs in one series: \(url)"
            return
        }
        if let word = line.invalid.first {
            state.prompt.error = "no URL: \(word)"
            return
        }
        if !line.urls.isEmpty {
            change.send(.submit(line.urls.map { DownloadRequest($0, source: .prompt) }))
            if line.urls.count > 1 { say("\(Format.plural(line.urls.count, "URL")) added", .ok, &state, now) }
        }
        for path in line.lists { change.effects.append(.readList(path: path)) }
        state.prompt.history.add(text)
        change.effects.append(.saveHistory(state.prompt.history.lines))
        state.prompt.editor.replace(with: "")
    }

    // MARK: Pastes

    static func paste(_ text: String, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        state.prompt.error = nil
        state.quitArmedUntil = nil
        if case .help(let below) = state.mode { state.mode = below }
        if case .question = state.mode { state.mode = .lists }
        if case .paste(_, let below) = state.mode { state.mode = below }
        let urls = URLText.urls(in: text)
        switch urls.count {
        case 0: pasteText(text, &state, now)
        case 1:
            if state.mode == .prompt, !state.prompt.editor.isEmpty {
                state.prompt.editor.apply(.insert(oneLine(text)))
            } else {
                state.prompt.editor.replace(with: urls[0])
            }
            state.prompt.history.leave()
            state.mode = .prompt
        case ...pasteLimit: add(urls, &state, &change, now)
        default: state.mode = .paste(urls, over: state.mode)
        }
    }

    static func answer(
        _ urls: [String],
        _ below: AppState.Mode,
        _ action: KeyAction?,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        guard action == .yes || action == .no else { return }
        state.mode = below
        if action == .yes { add(urls, &state, &change, now) }
    }

    private static func add(_ urls: [String], _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        change.send(.submit(urls.map { DownloadRequest($0, source: .paste) }))
        say("\(Format.plural(urls.count, "URL")) of the paste added", .ok, &state, now)
    }

    private static func pasteText(_ text: String, _ state: inout AppState, _ now: Timestamp) {
        guard state.mode == .prompt else { return say("no http or https URL in what was pasted", .wait, &state, now) }
        state.prompt.editor.apply(.insert(oneLine(text)))
        state.prompt.history.leave()
    }

    /// Line ends and other control characters become blanks.
    private static func oneLine(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(LineEditor.limit) {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            scalars.append(isControl ? " " : scalar)
        }
        return String(scalars).trimmed
    }

    // MARK: Lists

    static func take(
        list path: String,
        _ result: Result<[String], ListError>,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        switch result {
        case .failure(let error):
            state.prompt.error = error.message
            state.mode = .prompt
            if state.prompt.editor.isEmpty { state.prompt.editor.replace(with: "@" + path) }
        case .success(let lines):
            let counts = submit(lines, of: path, &change)
            let wrong = counts.rejected > 0 ? ", \(Format.count(counts.rejected)) lines are none" : ""
            say(
                "\(Format.plural(counts.urls, "URL")) of \(path) added\(wrong)",
                counts.urls > 0 ? .ok : .wait,
                &state,
                now
            )
        }
    }

    private static func submit(
        _ lines: [String],
        of path: String,
        _ change: inout Change
    ) -> (urls: Int, rejected: Int) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var requests: [DownloadRequest] = []
        var counts = (urls: 0, rejected: 0)
        for (index, line) in lines.enumerated() {
            let line = line.trimmed
            guard let first = line.first, first != "#" else { continue }
            let source = DownloadRequest.Source.list(name: name, line: index + 1)
            // What is no URL is submitted all the same: the pipeline says why, in its place among the others.
            requests.append(DownloadRequest(line, source: source))
            if URLText.isURL(line) { counts.urls += 1 } else { counts.rejected += 1 }
        }
        if !requests.isEmpty { change.send(.submit(requests)) }
        return counts
    }
}
