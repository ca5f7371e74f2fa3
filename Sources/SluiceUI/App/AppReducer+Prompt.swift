internal import SluiceCore

/// The prompt: keys and Enter.
extension AppReducer {
    /// URLs that a line may stand for and still be looked up while it is typed.
    static let probeLimit = 1_000

    static func edit(
        _ action: KeyAction?,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        let isRefused = state.prompt.problem != nil
        (state.prompt.problem, state.prompt.refusal) = (nil, nil)
        if state.prompt.search != nil, searchHistory(action, &state) {
            return probe(&state, &change)
        }
        if action != .complete { (state.prompt.completion, state.prompt.awaitedFolder) = (nil, nil) }
        switch action {
        case .submit: submit(&state, &change, now)
        case .leavePrompt: leavePrompt(&state)
        case .older:
            if let line = state.prompt.history.older(than: state.prompt.editor.text) {
                state.prompt.editor.replace(with: line)
            }
        case .newer:
            if let line = state.prompt.history.newer() { state.prompt.editor.replace(with: line) }
        case .searchHistory: state.prompt.search = PromptState.Search(draft: state.prompt.editor.text)
        case .complete: complete(&state, &change)
        case .clearOrQuit:
            if state.prompt.editor.isEmpty { return quit(&state, &change, now) }
            state.prompt.editor.replace(with: "")
            state.prompt.history.leave()
        case .help, .redraw, .stop: perform(action ?? .redraw, &state, &change, now)
        // Typed out of habit after the text of a command was cut.
        case .edit(.insert(":")) where state.prompt.isCleared: state.prompt.editor.replace(with: ":")
        // Nothing is left of the command: who clears the line once more wants none, and types a URL next.
        case .edit(.cutToStart) where state.prompt.isCleared:
            state.prompt.editor.replace(with: "")
            (state.prompt.subject, state.prompt.returnsToLists) = (nil, false)
            state.prompt.history.leave()
        // A line that was refused is begun anew: the cursor stands behind the word to blame, not at the end.
        case .edit(.cutToStart) where isRefused && state.prompt.subject == nil:
            state.prompt.editor.cutAll()
            state.prompt.history.leave()
        case .edit(let edit):
            if isRefused, edit == .cutToStart { state.prompt.editor.move(to: .max) }
            // What is cut is the command, not that it is one.
            state.prompt.editor.apply(edit, keeping: state.prompt.keptHead)
            state.prompt.history.leave()
        default: break
        }
        probe(&state, &change)
    }

    /// Opens the prompt, for a command, which begins anew, or for URLs, of which what was typed half stays.
    static func openPrompt(with start: String, _ state: inout AppState) {
        state.mode = .prompt
        state.prompt.subject = nil
        state.prompt.endAsides()
        state.prompt.returnsToLists = start.first == ":"
        let isFitting =
            state.prompt.editor.isEmpty ? start.isEmpty : !state.prompt.isCommand && !state.prompt.returnsToLists
        if !isFitting { state.prompt.editor.replace(with: start) }
    }

    static func leavePrompt(_ state: inout AppState) {
        state.mode = state.trust == nil ? .lists : .trust
        state.prompt.subject = nil
        if state.prompt.editor.text == ":" { state.prompt.editor.clear() }
    }

    // MARK: Enter

    static func submit(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let line = PromptLine(state.prompt.editor.characters)
        if let command = line.command { return submit(command: command, &state, &change, now) }
        if line.isEmpty, let place = state.prompt.editor.characters.firstIndex(of: "@") {
            let advice = "@ reads a list of URLs: write the name of its file behind it, as in @urls.txt"
            return refuse(PromptState.Problem(message: advice, place: place), &state)
        }
        guard !line.isEmpty else {
            state.prompt.editor.clear()
            state.mode = state.trust == nil ? .lists : .trust
            return
        }
        if let word = line.words.first, line.words.count == 1, wordsForOut.contains(word.text.lowercased()) {
            return refuse(state.wayOut(at: word.start), &state)
        }
        if let advice = listAdvice(line, state.prompt.editor.text) { return refuse(advice, &state) }
        if let problem = problem(line, mayBeCommand: true) { return refuse(problem, &state) }
        send(line, &state, &change, now)
        remember(&state, &change)
    }

    /// How a path is read that was typed alone, as in a shell, or dragged in.
    private static func listAdvice(_ line: PromptLine, _ text: String) -> PromptState.Problem? {
        guard let word = line.firstInvalid, CommandTable.nearest(to: word.text) == nil,
            let path = PathText.path(in: text)
        else { return nil }
        let message = "@\(Elision.middle(path, 40)) reads that file as a list of URLs"
        return PromptState.Problem(message: message, place: word.start)
    }

    /// What is typed by who looks for the way out, or for help, and takes the prompt for a shell.
    private static let wordsForOut: Set<String> = ["q", "quit", "exit", "?", "help"]

    /// Shows why the line was not taken, with the cursor behind the word to blame.
    static func refuse(_ problem: PromptState.Problem, _ state: inout AppState) {
        state.prompt.problem = problem
        let characters = state.prompt.editor.characters
        let start = min(problem.place, characters.count)
        state.prompt.editor.move(to: characters[start...].firstIndex(where: \.isWhitespace) ?? characters.count)
    }

    /// - Parameters:
    ///   - line: As it was typed, or what follows `:add`.
    ///   - mayBeCommand: Whether a command could stand there, had it its colon: who clears a line may lose it unseen.
    /// - Returns: Why the line can't be taken; `nil` if it can.
    static func problem(_ line: PromptLine, mayBeCommand: Bool = false) -> PromptState.Problem? {
        if let word = line.tooMany {
            let count = line.urlCount > URLSeries.limit ? "more than \(Format.count(URLSeries.limit))" : "too many"
            return PromptState.Problem(
                message: "\(count) URLs in one line: shorten the series, or write a list and name it with @",
                place: word.start
            )
        }
        if let word = line.firstInvalid {
            if let fault = word.fault { return PromptState.Problem(message: fault, place: word.start) }
            let namesScheme = URLText.namesScheme(word.text) || word.text.contains("://")
            let fault = namesScheme ? URLText.fault(of: word.text) : nil
            let isFirst = mayBeCommand && word.start == line.words.first?.start
            let command = isFirst && fault == nil ? CommandTable.nearest(to: word.text) : nil
            let advice = command.map { "commands begin with : as in :\($0)" } ?? "one begins with https://"
            let shown = RequestURL.withoutCredentials(word.text)
            let message = fault.map { "\($0): \(shown)" } ?? "no URL: \(shown); \(advice)"
            return PromptState.Problem(message: message, place: word.start)
        }
        return nil
    }

    static func send(_ line: PromptLine, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let urls = line.urls
        if !urls.isEmpty {
            change.send(.submit(requests(of: line)))
            var tally = SubmissionTally(.prompt, total: urls.count)
            tally.note = line.note
            follow(tally, &state, now)
        }
        for path in line.lists { read(list: path, &state, &change) }
    }

    /// Only who types one alone means it, whatever became of it before.
    private static func requests(of line: PromptLine) -> [DownloadRequest] {
        let urls = line.urls
        let isAlone = urls.count == 1 && line.lists.isEmpty
        return urls.map { DownloadRequest($0, source: isAlone ? .prompt : .promptLine) }
    }

    static func remember(_ state: inout AppState, _ change: inout Change) {
        state.prompt.history.add(kept(state.prompt.editor.text))
        change.effects.append(.saveHistory(state.prompt.history.lines))
        state.prompt.editor.clear()
    }

    /// A line as the history has it: the headers of a copied command may be secrets, behind `:add` too.
    private static func kept(_ text: String) -> String {
        let line = text.drop(while: \.isWhitespace)
        var (head, rest) = ("", line)
        if line.first == ":" {
            let name = line.dropFirst().drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
            // Behind other commands are files and texts, which may look like it.
            guard case .url? = CommandTable.definition(of: String(name))?.argument else { return text }
            (head, rest) = (String(line[..<name.endIndex]) + " ", line[name.endIndex...])
        }
        guard let copied = CopiedCommand(String(rest)) else { return text }
        return head + URLText.urls(in: copied.text).joined(separator: " ")
    }

    // MARK: Live feedback

    /// Asks how many URLs of the line would join a live task.
    static func probe(_ state: inout AppState, _ change: inout Change) {
        lookAtLists(&state, &change)
        guard state.mode == .prompt else { return }
        if state.prompt.refusal == nil {
            state.prompt.refusal = CopiedCommand(typed: state.prompt.editor.characters)?.note
        }
        let text = state.prompt.editor.text
        guard text != state.prompt.probedText else { return }
        state.prompt.probedText = text
        let line = PromptLine(state.prompt.editor.characters)
        guard line.command == nil, (1...probeLimit).contains(line.urlCount) else {
            state.prompt.probe = 0
            return
        }
        ask(requests(of: line), &state, &change)
    }

    static func ask(_ requests: [DownloadRequest], _ state: inout AppState, _ change: inout Change) {
        askAnew(requests, &state, &change)
        state.prompt.firstProbe = state.prompt.probe
    }

    /// Asks again about a line of which some would join a task, once tasks ended: theirs may be among them.
    ///
    /// Goes by snapshots, of which `old` is the one before, since of events there are thousands. Never asks while an
    /// answer is awaited, nor more than four times a second: each answer comes with a snapshot, in which the next task may
    /// have ended.
    static func probeAgain(since old: PipelineSnapshot, _ state: inout AppState, _ change: inout Change) {
        if state.snapshot.counts.ended != old.counts.ended { state.prompt.isProbeStale = true }
        guard state.prompt.isProbeStale, state.mode == .prompt, let answer = state.snapshot.probe, answer.merging > 0,
            answer.serial == state.prompt.probe, state.prompt.editor.text == state.prompt.probedText,
            state.snapshot.time - state.prompt.probedAt >= .milliseconds(250)
        else { return }
        let same = requests(of: PromptLine(state.prompt.editor.characters))
        guard answer.checked == same.count else { return }
        state.prompt.probedAt = state.snapshot.time
        askAnew(same, &state, &change)
    }

    private static func askAnew(_ requests: [DownloadRequest], _ state: inout AppState, _ change: inout Change) {
        state.prompt.isProbeStale = false
        state.prompt.lastProbe += 1
        state.prompt.probe = state.prompt.lastProbe
        change.send(.probe(URLProbe(serial: state.prompt.probe, requests: requests)))
    }

    // MARK: History

    /// Handles a key while the history is searched.
    ///
    /// - Returns: Whether the key is done with; else the line found is edited on.
    private static func searchHistory(_ action: KeyAction?, _ state: inout AppState) -> Bool {
        guard var search = state.prompt.search else { return false }
        switch action {
        case .edit(.insert(let text)):
            search.query += text
            find(&search, from: search.place ?? .max, &state)
        case .edit(.deleteBackward):
            search.query = String(search.query.dropLast())
            find(&search, from: .max, &state)
        case .searchHistory:
            find(&search, from: (search.place ?? .max) - 1, &state)
        // What stands there is not what was looked for, and nothing was said of it.
        case .submit where state.prompt.isSearchLost: state.prompt.search = nil
        case .leavePrompt, .clearOrQuit:
            state.prompt.search = nil
            state.prompt.editor.replace(with: search.draft)
        case nil: break
        default:
            state.prompt.search = nil
            return false
        }
        return true
    }

    private static func find(_ search: inout PromptState.Search, from place: Int, _ state: inout AppState) {
        if let found = state.prompt.history.last(containing: search.query, upTo: place) {
            search.place = found.index
            state.prompt.editor.replace(with: found.line)
        }
        state.prompt.search = search
    }
}

extension AppState {
    /// Says how to quit to who ends the input, as in a shell: once, since the key deletes too and may be held down.
    mutating func tellWayOut() {
        guard !prompt.hasToldWayOut else { return }
        prompt.hasToldWayOut = true
        AppReducer.refuse(wayOut(at: 0), &self)
    }

    /// How to get out of the prompt and on from there; where words are typed, the words for that.
    func wayOut(at place: Int) -> PromptState.Problem {
        let keys = configuration.keys
        let out = keys.phrase(.leavePrompt, "leaves the prompt", in: .prompt)
        let next = [keys.phrase(.quit, "quits"), keys.phrase(.help, "helps")].compactMap(\.self)
        let steps = [out ?? "", next.joined(separator: " and ")]
        let words = steps.filter { !$0.isEmpty }.joined(separator: ", then ")
        return PromptState.Problem(message: hasKeys ? words : "quit ends, help lists the words", place: place)
    }

    /// How many URLs of the line, or of the paste, would join a live task; `nil` until that is known.
    var merging: Int? {
        guard prompt.probe != 0, let answer = snapshot.probe, answer.serial >= prompt.firstProbe,
            answer.serial <= prompt.probe
        else { return nil }
        return answer.merging
    }
}
