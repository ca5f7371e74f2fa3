internal import SluiceCore

/// The prompt line: the text with its cursor and live feedback, or how to come back to it.
enum PromptView {
    /// `under` is the row of the hints, which the prompt may need; `nil` where there is none.
    ///
    /// - Returns: Where the cursor stands, if the prompt has it, and what is said of the text where there is no room
    ///   for it beside the text.
    @discardableResult
    static func draw(
        _ state: AppState,
        y: Int,
        under: Int? = nil,
        _ painter: inout Painter
    ) -> (cursor: Frame.Cursor?, below: [StyledText]) {
        switch state.mode {
        case .question(let question):
            let columns = painter.width - 2
            let namesKeys = under == nil
            var choices = QuestionLine.choices(
                question,
                columns: columns,
                wordsOnParts: state.configuration.wordsOnParts,
                namesKeys: namesKeys
            )
            if case .deleteFiles(let files) = question {
                let named = DeleteLine.choices(files, columns: columns, namesKeys: namesKeys)
                choices.insert(contentsOf: named, at: 0)
            }
            put(choices, y: y, &painter)
            return (nil, [])
        case .sortMenu:
            drawSortMenu(state, y: y, &painter)
            return (nil, [])
        case .filter:
            return (drawFilter(state, y: y, &painter), [])
        case .paste(let found, _):
            put(QuestionLine.choices(paste: found, merging: state.merging, namesKeys: under == nil), y: y, &painter)
            return (nil, [])
        case .help where state.help.isTyping:
            return (drawSearch(state, y: y, &painter), [])
        case .event(let text) where !EventTextView.hasRoom(state):
            // The window was made smaller meanwhile, and has no room for the box.
            painter.put(fitting: StyledText(text.short, .wait), x: 1, y: y, limit: painter.width - 2)
            return (nil, [])
        case .help, .event, .lists, .trust:
            drawInactive(state, y: y, &painter)
            return (nil, [])
        case .prompt:
            return drawActive(state, y: y, under: needsRowUnder(state) ? under : nil, &painter)
        }
    }

    private static func drawSortMenu(_ state: AppState, y: Int, _ painter: inout Painter) {
        let current = state[list: state.focus].sort
        let words = RowSort.choices(for: state.focus).map { choice -> StyledText in
            let title: StyledText = choice == current ? .bold(" \(choice.title)", .accent) : .dim(" \(choice.title)")
            return .bold(String(choice.key), .accent) + title
        }
        func line(_ gap: String) -> StyledText {
            words.dropFirst().reduce(words.first ?? StyledText()) { $0 + .plain(gap) + $1 }
        }
        put([.bold("sort › ", .accent) + line("  "), line("  "), line(" ")], y: y, &painter)
    }

    /// The first that fits, else the last, cut off with a sign.
    private static func put(_ choices: [StyledText], y: Int, _ painter: inout Painter) {
        let room = painter.width - 2
        guard let text = choices.first(where: { $0.width <= room }) ?? choices.last else { return }
        painter.put(fitting: text, x: 1, y: y, limit: room)
    }

    private static func drawFilter(_ state: AppState, y: Int, _ painter: inout Painter) -> Frame.Cursor {
        var note = filterNote
        // A text that no longer narrows the list is still there, but not in the line.
        if !state[list: state.focus].filter.isEmpty, !state.filterEditor.text.isEmpty {
            let isCounting = state.focus == .queued && state.snapshot.isFiltering
            note = matches(state.matchCount, "row") + (isCounting ? .dim(" so far") : StyledText())
        }
        return drawLine("filter › ", state.filterEditor, note, y: y, &painter)
    }

    /// What is looked for in the help.
    private static func drawSearch(_ state: AppState, y: Int, _ painter: inout Painter) -> Frame.Cursor {
        let note = state.help.filter.isEmpty ? filterNote : matches(HelpView.matchCount(state), "line")
        return drawLine("search › ", state.help.editor, note, y: y, &painter)
    }

    private static let filterNote = StyledText.dim("case does not matter, ! in front inverts")

    private static func matches(_ count: Int, _ what: String) -> StyledText {
        .figure(Format.count(count)) + .dim(count == 1 ? " \(what) matches" : " \(what)s match")
    }

    /// A label, the text that is edited, and a note where there is room for it.
    private static func drawLine(
        _ label: String,
        _ editor: LineEditor,
        _ note: StyledText,
        y: Int,
        _ painter: inout Painter
    ) -> Frame.Cursor {
        let width = painter.width
        let start = painter.put(.bold(label, .accent), x: 1, y: y, limit: width)
        let room = max(1, width - start - 1)
        let shown = VisibleLine(editor, columns: room)
        painter.put(shown.styled, x: start, y: y, limit: room)
        let cursor = Frame.Cursor(x: min(max(0, width - 1), start + shown.cursor), y: y)
        let left = max(start + shown.columns, cursor.x + 1)
        if note.width <= width - 3 - left { painter.put(note, endingAt: width - 1, y: y) }
        return cursor
    }

    private static func drawInactive(_ state: AppState, y: Int, _ painter: inout Painter) {
        let room = painter.width - 2
        if state.quitArmedUntil != nil { return put(QuitWarning.choices(state), y: y, &painter) }
        if let message = state.message { return put([StyledText(message.text, message.role)], y: y, &painter) }
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
        let (index, count) = (Format.count(replay.index), Format.count(replay.count))
        let place = StyledText.dim("event ") + .figure(index) + .dim(" of \(count)")
        let choices = replay.notes.map { place + .dim($0) }
        let room = painter.width - 2
        // Shorter words leave room for the name of the file.
        let text = choices.first { $0.width <= room - 19 } ?? choices.first { $0.width <= room } ?? place
        let left = room - 9 - text.width - 2
        let file = StyledText.dim("replay › ") + .plain(Elision.middle(name, max(8, left))) + .plain("  ")
        painter.put(left >= 8 ? file + text : text, x: 1, y: y, limit: room)
    }

    private static func drawActive(
        _ state: AppState,
        y: Int,
        under: Int?,
        _ painter: inout Painter
    ) -> (cursor: Frame.Cursor?, below: [StyledText]) {
        let width = painter.width
        let label = label(state)
        let line = Line(state, width: width, label: label.width, PromptFeedback(state, hasRowUnder: under != nil))
        if under == nil, line.feedback.width > line.space, state.quitArmedUntil == nil,
            let problem = state.prompt.problem
        {
            // Without a word of it Enter would seem to do nothing; the next key brings the text back.
            drawWhole(message(of: problem, columns: width - 2), y: y, &painter)
            return (nil, [])
        }
        painter.put(label, x: line.x, y: y, limit: width)
        painter.put(line.shown.styled, x: line.start, y: y, limit: line.room)
        let cursor = Frame.Cursor(x: min(max(0, width - 1), line.start + line.shown.cursor), y: y)
        let isBare = state.prompt.editor.isEmpty && state.prompt.search == nil
        if isBare, line.feedback.isEmpty || width >= 70 {
            painter.put(fitting: .dim("paste or type a URL"), x: line.start + 2, y: y, limit: width - line.start - 3)
        }
        if let under { drawUnder(state, line, y: under, &painter) }
        if line.feedback.width <= line.space {
            painter.put(line.feedback, endingAt: width - 1, y: y)
        } else if state.layout.hintRow != nil, under == nil {
            return (cursor, line.choices)
        } else if line.space >= 8 {
            painter.put(fitting: line.feedback, x: width - 1 - line.space, y: y, limit: line.space)
        }
        return (cursor, [])
    }

    /// Where the label, the text that is edited and what is said of it stand in the row.
    private struct Line {
        let x: Int
        /// Where the text begins, and how many columns it may take.
        let start: Int
        let room: Int
        let shown: VisibleLine
        let feedback: StyledText
        /// The same and ways to say it in fewer signs.
        let choices: [StyledText]
        /// Columns for the feedback.
        let space: Int

        /// Columns below which the text does not give way: who types has to see what.
        private static let leastText = 12

        init(_ state: AppState, width: Int, label: Int, _ feedback: PromptFeedback) {
            x = min(1, max(0, width - 8))
            let start = min(width, x + label)
            choices = feedback.choices
            let editor = state.prompt.editor
            let whole = max(1, width - start - 1)
            func space(_ shown: VisibleLine) -> Int {
                let end = max(shown.columns, shown.cursor + 1)
                return width - 3 - start - (editor.isEmpty ? state.prompt.search == nil && width >= 70 ? 22 : 1 : end)
            }
            var (room, shown) = (whole, VisibleLine(editor, columns: whole))
            var text = choices.first ?? StyledText()
            // Without a row for hints the counts stay where they are, and the text moves on under them.
            if state.layout.hintRow == nil, let short = choices.dropFirst().last {
                let fitting = choices.first { $0.width <= space(shown) }
                text = fitting ?? short
                let left = whole - short.width - 2
                if fitting == nil, left >= Self.leastText {
                    (room, shown) = (left, VisibleLine(editor, columns: left))
                }
            }
            (self.start, self.room, self.shown) = (start, room, shown)
            (self.feedback, self.space) = (text, space(shown))
        }
    }

    private static func label(_ state: AppState) -> StyledText {
        if let search = state.prompt.search {
            let role: Role = state.prompt.isSearchLost ? .bad : .accent
            return .bold("search ", .accent) + StyledText("‹\(VisibleText.visible(search.query, limit: 40))› ", role)
        }
        return .bold(state.prompt.isCommand ? "run › " : "add › ", .accent)
    }

    /// Whether the row of the hints is needed for what stands under the cursor.
    static func needsRowUnder(_ state: AppState) -> Bool {
        state.mode == .prompt && (state.prompt.problem != nil || state.prompt.completion != nil)
    }

    /// What is wrong, under the word to blame, or what Tab can choose from.
    private static func drawUnder(_ state: AppState, _ line: Line, y: Int, _ painter: inout Painter) {
        if let problem = state.prompt.problem {
            let mark = min(line.start + line.shown.column(of: problem.place), max(0, painter.width - 1))
            draw(message(of: problem, columns: painter.width - 2), mark: mark, y: y, &painter)
        } else if let completion = state.prompt.completion {
            drawChoices(completion, y: y, &painter)
        }
    }

    /// What is wrong, in few words where the many don't fit.
    private static func message(of problem: PromptState.Problem, columns: Int) -> String {
        let isWhole = TextWidth.columns(of: VisibleText.visible(problem.message)) <= columns
        return isWhole ? problem.message : problem.brief ?? problem.message
    }

    /// Columns that a message is not cut below for the sake of its mark.
    private static let leastMessage = 36

    /// A message right of its mark, or left of it where there is more room; the mark points, so it never moves.
    ///
    /// Where both do not fit, and the row alone would do, the message has it: it names the word too.
    private static func draw(_ message: String, mark: Int, y: Int, _ painter: inout Painter) {
        let text = VisibleText.visible(message, limit: 300)
        let (left, right) = (mark - 2, painter.width - 1 - (mark + 2))
        let columns = TextWidth.columns(of: text)
        let beside = max(left, right)
        if columns > beside, columns <= painter.width - 2 || beside < leastMessage {
            return drawWhole(message, y: y, &painter)
        }
        painter.put(StyledText("▴", .bad), x: mark, y: y)
        if columns <= right || right >= left {
            painter.put(StyledText(words(of: text, columns: right), .bad), x: mark + 2, y: y, limit: right)
        } else {
            painter.put(StyledText(words(of: text, columns: left), .bad), endingAt: mark - 1, y: y)
        }
    }

    /// A message that has the row for itself.
    private static func drawWhole(_ message: String, y: Int, _ painter: inout Painter) {
        let room = max(0, painter.width - 2)
        let text = VisibleText.visible(message, limit: 300)
        painter.put(StyledText(words(of: text, columns: room), .bad), x: 1, y: y, limit: room)
    }

    /// Cut off between words: half a word may read as another one, and half a number as a smaller one.
    ///
    /// A word that is too long by itself is cut all the same, beside its escapes.
    private static func words(of text: String, columns: Int) -> String {
        guard columns > 0, TextWidth.columns(of: text) > columns else { return columns > 0 ? text : "" }
        let head = Elision.prefix(of: text, columns: columns - 1)
        return (head.lastIndex(of: " ").map { String(head[...$0]) } ?? head) + "…"
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
}
