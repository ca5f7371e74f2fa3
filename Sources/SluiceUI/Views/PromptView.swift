internal import SluiceCore

/// The prompt line: the text with its cursor and live feedback, or how to come back to it.
enum PromptView {
    /// - Returns: Where the cursor stands, if the prompt has it.
    static func draw(_ state: AppState, y: Int, now: Timestamp, _ painter: inout Painter) -> Frame.Cursor? {
        let width = painter.width
        switch state.mode {
        case .question(.cancelAll(let count)):
            let tasks = count == 1 ? "the only task" : "all \(Format.count(count)) tasks"
            let question =
                StyledText.bold("abort \(tasks)?", .bad) + .dim(" Partial files are kept. ") + keys("y", "yes")
            painter.put(question + .plain("  ") + keys("n", "no"), x: 1, y: y, limit: width - 2)
            return nil
        case .paste(let urls, _):
            let text = StyledText.figure("\(Format.count(urls.count)) URLs") + .dim(": ") + keys("Enter", "adds them")
            painter.put(text + .dim(", ") + keys("Esc", "drops them"), x: 1, y: y, limit: width - 2)
            return nil
        case .help, .lists:
            drawInactive(state, y: y, &painter)
            return nil
        case .prompt:
            return drawActive(state, y: y, now: now, &painter)
        }
    }

    private static func drawInactive(_ state: AppState, y: Int, _ painter: inout Painter) {
        let room = painter.width - 2
        if let warning = quitWarning(state) { painter.put(warning, x: 1, y: y, limit: room); return }
        if let message = state.message {
            painter.put(StyledText(message.text, message.role), x: 1, y: y, limit: room)
            return
        }
        let a = StyledText.dim("add › ") + StyledText("a", .accent)
        let long =
            a + .dim(" to type, or paste anything: every URL in it is queued, equal ones merge · ")
            + StyledText("@file", .accent) + .dim(" reads a list")
        let medium = a + .dim(" or paste: every URL in it is queued, equal ones merge")
        let short = a + .dim(" or paste URLs")
        painter.put([long, medium].first { $0.width <= room } ?? short, x: 1, y: y, limit: room)
    }

    private static func drawActive(_ state: AppState, y: Int, now: Timestamp, _ painter: inout Painter) -> Frame.Cursor
    {
        let width = painter.width
        let start = painter.put(.bold("add › ", .accent), x: min(1, max(0, width - 8)), y: y, limit: width)
        let feedback = feedback(state)
        let editor = state.prompt.editor
        let room = max(1, width - start - 1)
        let shown = VisibleLine(editor, columns: room)
        painter.put(.plain(shown.text), x: start, y: y, limit: room)
        let cursor = Frame.Cursor(x: min(max(0, width - 1), start + shown.cursor), y: y)
        painter.put(StyledText(shown.underCursor, .ink, on: .accent), x: cursor.x, y: y)
        let end = max(start + TextWidth.columns(of: shown.text), cursor.x + 1)
        if editor.isEmpty, feedback.isEmpty || width >= 70 {
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
        return cursor
    }

    /// What Enter would do, or why it did not.
    private static func feedback(_ state: AppState) -> StyledText {
        if let warning = quitWarning(state) { return warning }
        if let error = state.prompt.error { return StyledText(VisibleText.visible(error, limit: 200), .bad) }
        if state.prompt.editor.isEmpty, let message = state.message { return StyledText(message.text, message.role) }
        let line = PromptLine(state.prompt.editor.text)
        if state.prompt.editor.isEmpty { return .dim("nothing to add yet") }
        if line.tooLong != nil { return StyledText("too many URLs in one series", .bad) }
        var parts: [StyledText] = []
        if line.urls.count == 1, let offer = line.offers.first {
            parts.append(
                keys("⏎", "takes it as ", painterGlyphs(state))
                    + StyledText(Elision.middle(VisibleText.visible(offer), 40), .accent)
            )
        } else if !line.urls.isEmpty {
            parts.append(.figure(Format.count(line.urls.count)) + .dim(line.urls.count == 1 ? " URL" : " URLs"))
        }
        if !line.lists.isEmpty {
            parts.append(.figure("\(line.lists.count)") + .dim(line.lists.count == 1 ? " list" : " lists"))
        }
        if !line.invalid.isEmpty { parts.append(StyledText("\(line.invalid.count) no URL", .wait)) }
        return parts.dropFirst().reduce(parts.first ?? StyledText()) { $0 + .dim(", ") + $1 }
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
        let key = state.mode == .prompt ? "^C" : "q"
        return StyledText(facts.joined(separator: ", "), .wait, bold: true)
            + StyledText(": \(key) again to quit", .wait)
            + .dim(" · partial files are kept, the queue is not")
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
