internal import SluiceCore

/// The prompt line: the text with its cursor and live feedback, or how to come back to it.
enum PromptView {
    /// `under` is the row of the hints, which the prompt may need; `nil` where there is none.
    ///
    /// - Returns: Where the cursor stands, if the prompt has it.
    static func draw(_ state: AppState, y: Int, under: Int? = nil, _ painter: inout Painter) -> Frame.Cursor? {
        let width = painter.width
        switch state.mode {
        case .question(.cancelAll(let count)):
            let tasks = count == 1 ? "the only task" : "all \(Format.count(count)) tasks"
            let question =
                StyledText.bold("abort \(tasks)?", .bad) + .dim(" Partial files are kept. ") + keys("y", "yes")
            painter.put(question + .plain("  ") + keys("n", "no"), x: 1, y: y, limit: width - 2)
            return nil
        case .question(.deleteFiles(let files)):
            let what = files.count == 1 ? "this file" : "\(Format.count(files.count)) files"
            let question = StyledText.bold("delete \(what)? ", .bad) + keys("y", "yes") + .plain("  ") + keys("n", "no")
            painter.put(question, x: 1, y: y, limit: width - 2)
            return nil
        case .question(.pin(let draft)):
            let place = draft.file == nil ? "for this session" : "in the configuration"
            let question = StyledText.bold("pin \(VisibleText.visible(draft.host, limit: 80)) \(place)? ", .wait)
            let answers = keys("y", "yes") + .plain("  ") + keys("n", "no")
            painter.put(question + answers, x: 1, y: y, limit: width - 2)
            return nil
        case .sortMenu:
            drawSortMenu(state, y: y, &painter)
            return nil
        case .filter:
            return drawFilter(state, y: y, &painter)
        case .paste(let urls, _):
            var text = StyledText.figure("\(Format.count(urls.count)) URLs")
            if let merging = state.merging, merging > 0 {
                text += .dim(", ") + StyledText("\(Format.count(merging)) merge", .merge)
            }
            text += .dim(": ") + keys("Enter", "adds them") + .dim(", ") + keys("Esc", "drops them")
            painter.put(text, x: 1, y: y, limit: width - 2)
            return nil
        case .help, .lists, .trust:
            drawInactive(state, y: y, &painter)
            return nil
        case .prompt:
            return drawActive(state, y: y, under: needsRowUnder(state) ? under : nil, &painter)
        }
    }

    private static func drawSortMenu(_ state: AppState, y: Int, _ painter: inout Painter) {
        let current = state[list: state.focus].sort
        var text = StyledText.bold("sort › ", .accent)
        for choice in RowSort.choices(for: state.focus) {
            let title: StyledText = choice == current ? .bold(" \(choice.title)", .accent) : .dim(" \(choice.title)")
            text += .bold(String(choice.key), .accent) + title + .plain("  ")
        }
        painter.put(text, x: 1, y: y, limit: painter.width - 2)
    }

    private static func drawFilter(_ state: AppState, y: Int, _ painter: inout Painter) -> Frame.Cursor {
        let width = painter.width
        let start = painter.put(.bold("filter › ", .accent), x: 1, y: y, limit: width)
        let room = max(1, width - start - 1)
        let shown = VisibleLine(state.filterEditor, columns: room)
        painter.put(.plain(shown.text), x: start, y: y, limit: room)
        let cursor = Frame.Cursor(x: min(max(0, width - 1), start + shown.cursor), y: y)
        painter.put(StyledText(shown.underCursor, .ink, on: .accent), x: cursor.x, y: y)
        let left = max(start + TextWidth.columns(of: shown.text), cursor.x + 1)
        let list = state[list: state.focus]
        var text = StyledText.dim("case does not matter, ! in front inverts")
        if !list.filter.isEmpty {
            let count = state.shownCount
            let isCounting = state.focus == .queued && state.snapshot.isFiltering
            text = .figure(Format.count(count)) + .dim(count == 1 ? " row matches" : " rows match")
            if isCounting { text += .dim(" so far") }
        }
        if text.width <= width - 3 - left { painter.put(text, endingAt: width - 1, y: y) }
        return cursor
    }

    private static func drawInactive(_ state: AppState, y: Int, _ painter: inout Painter) {
        let room = painter.width - 2
        if let warning = quitWarning(state) { painter.put(warning, x: 1, y: y, limit: room); return }
        if let message = state.message {
            painter.put(StyledText(message.text, message.role), x: 1, y: y, limit: room)
            return
        }
        if let replay = state.replay { return drawReplay(replay, y: y, &painter) }
        let key = state.configuration.keys.label(of: .typeURL)
        let a = StyledText.dim("add › ") + StyledText(key ?? "", .accent)
        func or(_ words: String) -> StyledText { .dim(key == nil ? words : " or " + words) }
        let long =
            a + .dim(key == nil ? "" : " to type,")
            + or("paste anything: every URL in it is queued, equal ones merge · ")
            + StyledText("@file", .accent) + .dim(" reads a list")
        let medium = a + or("paste: every URL in it is queued, equal ones merge")
        let short = a + or("paste URLs")
        painter.put([long, medium].first { $0.width <= room } ?? short, x: 1, y: y, limit: room)
    }

    private static func drawReplay(_ replay: ReplayFacts, y: Int, _ painter: inout Painter) {
        let name = VisibleText.visible(replay.name, limit: 200)
        var text = StyledText.dim("event ") + .figure(Format.count(replay.index))
        text +=
            .dim(" of \(Format.count(replay.count))")
            + (replay.isCutOff ? .dim(", its last line is cut off") : .dim(""))
        let room = painter.width - 2
        let left = room - 9 - text.width - 2
        let file = StyledText.dim("replay › ") + .plain(Elision.middle(name, max(8, left))) + .plain("  ")
        painter.put(left >= 8 ? file + text : text, x: 1, y: y, limit: room)
    }

    private static func drawActive(
        _ state: AppState,
        y: Int,
        under: Int?,
        _ painter: inout Painter
    ) -> Frame.Cursor {
        let width = painter.width
        let start = painter.put(label(state), x: min(1, max(0, width - 8)), y: y, limit: width)
        let feedback = feedback(state, hasRowUnder: under != nil)
        let editor = state.prompt.editor
        let room = max(1, width - start - 1)
        let shown = VisibleLine(editor, columns: room)
        painter.put(.plain(shown.text), x: start, y: y, limit: room)
        let cursor = Frame.Cursor(x: min(max(0, width - 1), start + shown.cursor), y: y)
        painter.put(StyledText(shown.underCursor, .ink, on: .accent), x: cursor.x, y: y)
        let end = max(start + TextWidth.columns(of: shown.text), cursor.x + 1)
        if editor.isEmpty, state.prompt.search == nil, feedback.isEmpty || width >= 70 {
            painter.put(.dim("paste or type a URL"), x: start + 2, y: y, limit: width - start - 3)
        }
        let left = editor.isEmpty ? start + 22 : end
        let space = width - 1 - left - 2
        if !feedback.isEmpty, space >= 8 {
            if feedback.width <= space {
                painter.put(feedback, endingAt: width - 1, y: y)
            } else {
                painter.put(feedback, x: left + 2, y: y, limit: space)
            }
        }
        if let under { drawUnder(state, cursor: cursor.x, y: under, &painter) }
        return cursor
    }

    private static func label(_ state: AppState) -> StyledText {
        if let search = state.prompt.search {
            let role: Role = search.place == nil && !search.query.isEmpty ? .bad : .accent
            return .bold("search ", .accent) + StyledText("‹\(VisibleText.visible(search.query, limit: 40))› ", role)
        }
        return .bold(state.prompt.isCommand ? "run › " : "add › ", .accent)
    }

    /// Whether the row of the hints is needed for what stands under the cursor.
    static func needsRowUnder(_ state: AppState) -> Bool {
        state.mode == .prompt && (state.prompt.problem != nil || state.prompt.completion != nil)
    }

    /// What is wrong, under the place where it is wrong, or what Tab can choose from.
    private static func drawUnder(_ state: AppState, cursor: Int, y: Int, _ painter: inout Painter) {
        let room = painter.width - 2
        if let problem = state.prompt.problem {
            let text = StyledText("▴ " + VisibleText.visible(problem.message, limit: 300), .bad)
            painter.put(text, x: min(cursor, max(1, painter.width - 1 - text.width)), y: y, limit: room)
        } else if let completion = state.prompt.completion {
            drawChoices(completion, y: y, &painter)
        }
    }

    /// The words that fit, the chosen one among them, and how many follow.
    private static func drawChoices(_ completion: Completion, y: Int, _ painter: inout Painter) {
        let room = painter.width - 2
        let longest = max(8, min(40, room - 16))
        let words = completion.candidates.map { Elision.middle(VisibleText.visible($0, limit: 100), longest) }
        func rest(_ index: Int) -> String {
            index < words.count ? "… \(Format.count(words.count - index)) more" : ""
        }
        /// One past the last word that fits behind the words before it, with the note of what follows.
        func end(from first: Int) -> Int {
            var used = 0
            for index in first..<words.count {
                used += TextWidth.columns(of: words[index]) + (index > first ? 2 : 0)
                let note = TextWidth.columns(of: rest(index + 1))
                if used + (note > 0 ? note + 2 : 0) > room { return index }
            }
            return words.count
        }
        let chosen = completion.index ?? 0
        var first = max(0, chosen - 4)
        while first < chosen, end(from: first) <= chosen { first += 1 }
        let last = end(from: first)
        var x = 1
        for index in first..<last {
            let text: StyledText = index == completion.index ? .bold(words[index], .accent) : .dim(words[index])
            x = painter.put(text, x: x, y: y) + 2
        }
        painter.put(fitting: .dim(rest(last)), x: x, y: y, limit: room + 1 - x)
    }

    /// What Enter would do, or why it did not.
    private static func feedback(_ state: AppState, hasRowUnder: Bool) -> StyledText {
        if let warning = quitWarning(state) { return warning }
        if let problem = state.prompt.problem, !hasRowUnder {
            return StyledText(VisibleText.visible(problem.message, limit: 200), .bad)
        }
        if state.prompt.editor.isEmpty, let message = state.message { return StyledText(message.text, message.role) }
        if state.prompt.editor.isEmpty { return .dim("nothing to add yet") }
        let line = PromptLine(state.prompt.editor.characters)
        if let command = line.command { return feedback(command: command, state) }
        if line.tooMany != nil { return StyledText("more than \(Format.count(URLSeries.limit)) URLs", .bad) }
        if let offer = line.offer {
            let url = StyledText(Elision.middle(VisibleText.visible(offer), 40), .accent)
            let text = keys("⏎", "takes it as ", painterGlyphs(state)) + url
            return state.merging == 1 ? text + .dim(", ") + StyledText("merges", .merge) : text
        }
        var parts: [StyledText] = []
        if line.urlCount > 0 {
            parts.append(.figure(Format.count(line.urlCount)) + .dim(line.urlCount == 1 ? " URL" : " URLs"))
        }
        if let merging = state.merging, merging > 0 {
            parts.append(line.urlCount == 1 ? StyledText("merges", .merge) : StyledText("\(merging) merge", .merge))
        }
        if !line.lists.isEmpty {
            parts.append(.figure("\(line.lists.count)") + .dim(line.lists.count == 1 ? " list" : " lists"))
        }
        if line.invalidCount > 0 { parts.append(StyledText("\(line.invalidCount) invalid", .wait)) }
        return parts.dropFirst().reduce(parts.first ?? StyledText()) { $0 + .dim(", ") + $1 }
    }

    /// What the command that stands there takes, and what the setting is now.
    private static func feedback(command text: String, _ state: AppState) -> StyledText {
        let words = text.split(separator: " ")
        guard let name = words.first else { return .dim("a command: ") + keys("Tab", "names them") }
        guard let command = CommandTable.all.first(where: { $0.name == name }) else {
            let fitting = CommandTable.all.map(\.name).filter { $0.hasPrefix(name.lowercased()) }
            if fitting.isEmpty { return StyledText("no such command", .wait) }
            return .dim(fitting.prefix(4).joined(separator: "  ") + (fitting.count > 4 ? "  …" : ""))
        }
        var setting: String?
        if case .value(let of) = command.argument { setting = of }
        if case .setting = command.argument, words.count > 1 { setting = String(words[1]) }
        if let setting, let value = state.snapshot.settings.value(of: setting), let allowed = Settings.allowed(setting)
        {
            return .dim("now ") + .bright(SettingText.text(setting, value)) + .dim(" · \(allowed)")
        }
        return .dim(
            (command.argument.label.trimmed.isEmpty ? "" : command.argument.label.trimmed + " · ")
                + (command.help ?? "")
        )
    }

    private static func quitWarning(_ state: AppState) -> StyledText? {
        guard state.quitArmedUntil != nil else { return nil }
        let snapshot = state.snapshot
        var facts = ["\(snapshot.active.count) active"]
        if snapshot.queuedCount + snapshot.backlog > 0 {
            facts.append("\(Format.count(snapshot.queuedCount + snapshot.backlog)) queued")
        }
        if snapshot.waitingCount > 0 { facts.append("\(snapshot.waitingCount) waiting") }
        if snapshot.pausedCount > 0 { facts.append("\(snapshot.pausedCount) paused") }
        let map = state.configuration.keys
        let key = (state.mode == .prompt ? map.label(of: .clearOrQuit, in: .prompt) : map.label(of: .quit)) ?? "^C"
        let isKept = state.configuration.keptIn != nil
        return StyledText(facts.joined(separator: ", "), .wait, bold: true)
            + StyledText(isKept ? " will resume next start. \(key) again to quit" : ": \(key) again to quit", .wait)
            + .dim(isKept ? "" : " · partial files are kept, the queue is not")
    }

    private static func painterGlyphs(_ state: AppState) -> Glyphs {
        Glyphs(isASCII: state.configuration.isASCII, depth: state.configuration.colorDepth)
    }

    private static func keys(_ key: String, _ text: String, _ glyphs: Glyphs? = nil) -> StyledText {
        .bold(glyphs?.label(key) ?? key, .accent) + .dim(" \(text)")
    }
}

/// The part of the edited line that fits, with the cursor in it.
struct VisibleLine: Equatable {
    /// Sanitised.
    private(set) var text = ""
    /// Column of the cursor within ``text``.
    private(set) var cursor = 0
    private(set) var underCursor = " "

    /// Fits into `columns`, the cursor behind the text included.
    init(_ editor: LineEditor, columns: Int) {
        let pieces = editor.characters.map { VisibleText.visible(String($0)) }
        let widths = pieces.map { TextWidth.columns(of: $0) }
        var first = editor.cursor
        let cursorWidth = editor.cursor < widths.count ? max(1, widths[editor.cursor]) : 1
        var used = cursorWidth
        while first > 0, used + widths[first - 1] <= columns {
            first -= 1
            used += widths[first]
        }
        cursor = widths[first..<editor.cursor].reduce(0, +)
        var column = 0
        for index in first..<pieces.count {
            guard column + widths[index] <= columns else { break }
            text += pieces[index]
            column += widths[index]
        }
        if editor.cursor < pieces.count, widths[editor.cursor] > 0 { underCursor = pieces[editor.cursor] }
    }
}
