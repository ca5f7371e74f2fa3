internal import SluiceCore

/// The last row: the keys that do something now; help and quit always stand.
enum HintView {
    /// `before` is what the row of the prompt had no room for; keys take what it leaves.
    static func draw(_ state: AppState, y: Int, before: [StyledText] = [], _ painter: inout Painter) {
        let width = painter.width
        let tail = tail(state)
        let room = width - 2 - tail.width - 3
        var x = 1
        let keys = state.configuration.keys
        if state.mode == .filter {
            let words = (leave: "all rows, n N find", clear: "forget it")
            return drawTypingHints(keys, leave: words.leave, clear: words.clear, moves: true, y: y, &painter)
        }
        if case .help = state.mode, state.help.isTyping {
            let moves = HelpView.lastOffset(state) > 0
            return drawTypingHints(keys, leave: "all lines", clear: nil, moves: moves, y: y, &painter)
        }
        if state.mode == .sortMenu {
            painter.put(.bold("Esc", .accent) + .dim(" leaves it as it is"), x: 1, y: y)
            return
        }
        let isReplay = state.replay != nil && state.mode == .lists
        let player = isReplay ? keys.hints(in: .replay, focus: state.focus) : []
        let space = width - 4 - tail.width
        if let text = before.first(where: { $0.width <= space }) ?? before.last {
            x = painter.put(fitting: text, x: x, y: y, limit: space) + 2
        }
        let isSearch = state.mode == .prompt && state.prompt.search != nil
        let hints =
            isSearch
            ? searchHints(state) : player + keys.hints(in: state.scope, focus: state.focus, isReplay: isReplay)
        // The way back first: who came to a panel that hides the others must not have to look for it.
        let (back, others) = (hints.filter { $0.action == .restore }, hints.filter { $0.action != .restore })
        var told: [KeyAction: String] = [:]
        for (label, hint, action) in back + others where isUseful(action, state) {
            let word = word(for: action, state) ?? hint
            // Of two keys that do the same now, one is enough.
            if told.updateValue(word, forKey: action) == word { continue }
            let text = StyledText.bold(painter.glyphs.label(label), .accent) + .dim(" \(word)")
            guard x + text.width <= room else {
                painter.put(.dim("…"), x: x, y: y, limit: max(0, room + 1 - x))
                break
            }
            painter.noteTarget(.action(action), Rect(x: x, y: y, width: text.width, height: 1))
            x = painter.put(text, x: x, y: y) + 2
        }
        painter.put(tail, endingAt: width - 1, y: y)
    }

    /// While the history is searched: all other keys are for the line that was found, once they end the search.
    private static func searchHints(_ state: AppState) -> [(label: String, hint: String, action: KeyAction)] {
        let hints: [(KeyAction, String)] = [
            (.submit, state.prompt.isSearchLost ? "edit line" : "add"), (.searchHistory, "older"),
            (.leavePrompt, "leave search"),
        ]
        return hints.compactMap { action, hint in
            state.configuration.keys.label(of: action, in: .prompt).map { (label: $0, hint: hint, action: action) }
        }
    }

    /// While what is shown is narrowed; without `clear` its key does what the one that leaves does.
    private static func drawTypingHints(
        _ keys: KeyMap,
        leave: String,
        clear: String?,
        moves: Bool,
        y: Int,
        _ painter: inout Painter
    ) {
        let hints: [(KeyAction, String?)] = [
            (.submit, "keep"), (.leavePrompt, leave), (.clearOrQuit, clear), (.older, moves ? "up" : nil),
            (.newer, moves ? "down" : nil),
        ]
        var x = 1
        for (action, hint) in hints {
            guard let hint, let label = keys.label(of: action, in: .prompt) else { continue }
            let text = StyledText.bold(painter.glyphs.label(label), .accent) + .dim(" \(hint)")
            guard x + text.width < painter.width else { return }
            x = painter.put(text, x: x, y: y) + 2
        }
    }

    /// What a key that has two sides does now; `nil` if that is what it always does.
    private static func word(for action: KeyAction, _ state: AppState) -> String? {
        switch action {
        case .submit where state.prompt.isCommand && !state.prompt.isSearchLost: "run"
        case .openTile where state.hasTileOfTask: "detail"
        case .openDetail where state.inspectedTask == nil: "whole text"
        case .focus(.cache) where state.focus == .cache && state.isMaximised: "back"
        case .restore where state.scope == .help && !state.help.filter.isEmpty: "all lines"
        case .pause where state.selectedRow?.state == .paused: "resume"
        case .retry where !state.endableWaits.isEmpty: "retry now"
        case .pauseAll where state.isAllPaused: "resume all"
        case .suspend where state.snapshot.settings.suspended: "go on"
        default: nil
        }
    }

    private static func tail(_ state: AppState) -> StyledText {
        let map = state.configuration.keys
        let hints: [(String?, String)] =
            switch state.mode {
            case .prompt where state.prompt.search != nil: [(map.label(of: .help, in: .prompt), "help")]
            case .prompt:
                [
                    (map.label(of: .help, in: .prompt), "help"),
                    (map.label(of: .clearOrQuit, in: .prompt), state.prompt.editor.isEmpty ? "quit" : "clear"),
                ]
            case .trust: [(map.label(of: .help, in: .trust), "help"), (map.label(of: .close, in: .trust), "close")]
            case .question, .paste, .help, .event, .filter, .sortMenu: []
            case .lists: [(map.label(of: .help), "help"), (map.label(of: .quit), "quit")]
            }
        let keys = hints.compactMap { hint in hint.0.map { ($0, hint.1) } }
        return keys.enumerated().reduce(StyledText()) { text, key in
            text + StyledText("\(key.offset > 0 ? "  " : "")\(key.element.0) ", .accent) + .dim(key.element.1)
        }
    }

    /// Not where there is none, nor what is open already: that would be left, and the way back has a hint.
    private static func opensPicture(_ state: AppState) -> Bool {
        if state.pictures.gallery != nil { return state.galleryCount > 0 }
        return state.focus == .preview ? !state.isPreviewFull : state.nameWithoutPicture == nil
    }

    /// Keys that would do nothing now are not advertised.
    private static func isUseful(_ action: KeyAction, _ state: AppState) -> Bool {
        if state.replay != nil, action.refusalInReplay != nil { return false }
        return switch action {
        case .abort, .promote, .earlier: state.selectedRow != nil
        // Nobody is left who could let it go on.
        case .pause: state.selectedRow.map { !$0.isDetached } ?? false
        // Where others are selected it is refused.
        case .cancelReceipt: (state.selectedRow?.receipts ?? 0) > 0 && !state.meansOtherRows
        case .retry where state.focus == .failed: state.failedCount > 0 && !state.hidesAllRows
        // Elsewhere it only takes a row away.
        case .removeRow: state.focus == .failed && state.failedCount > 0 && !state.hidesAllRows
        case .retry where !state.endableWaits.isEmpty: true
        case .retry where !state[list: state.focus].selection.isEmpty: AppReducer.hasRetries(state)
        case .retry: (state.selectedFailure ?? state.selectedAborted).map(state.canTakeBack) ?? false
        case .openDetail: state.inspectedTask != nil || state.selectedEventText != nil
        case .allHeaders:
            TaskDetail(state, now: state.snapshot.time).map { $0.whyNoMoreHeaders == nil } ?? false
        case .select: state.shownCount > 0
        case .retryAll: state.failedCount > 0
        case .editURL:
            state.focus == .failed
                ? state.failedCount > 0 && !state.hidesAllRows : state.selectedRow == nil && state.replaceable != nil
        case .openFile, .copyPath: AppReducer.hasFiles(state)
        case .deleteFile: AppReducer.hasOwnFiles(state)
        case .sort: !RowSort.choices(for: state.focus).isEmpty && state.shownCount > 0
        case .trust: [.detail, .failed].contains(state.focus) && state.trustURL?.hasPrefix("https:") == true
        case .pinKey, .editPins, .tryPinning, .tryInvalid, .tryDomain: state.trust?.report != nil
        case .close where state.mode == .trust: false
        case .down where state.mode == .trust: state.trust?.report?.chain.certificates.isEmpty == false
        case .down where state.scope == .help: HelpView.lastOffset(state) > 0
        case .down where state.scope == .event: state.hasMoreOfEvent
        case .pauseAll: state.liveTasks > 0 && state.mayPauseAll
        case .dropImage: state.hasDroppableImage
        case .clearCache, .pressure: state.snapshot.memory.count > 0 || state.focus == .cache
        case .openPicture, .openTile: opensPicture(state)
        // In the gallery it leads back, which has a hint.
        case .openGallery: state.pictures.gallery == nil
        case .zoomPicture: state.previewCut() != nil
        case .nextTask: state.hasNeighbour
        case .nextPicture: state.pictures.gallery == nil && state.hasOtherPicture
        case .older: !state.prompt.history.lines.isEmpty
        case .searchHistory: state.prompt.olderMatch != nil
        case .restore: state.scope == .help || state.hasWayBack
        default: true
        }
    }
}
