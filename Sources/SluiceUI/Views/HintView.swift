internal import SluiceCore

/// The last row: the keys that do something now; help and quit always stand.
enum HintView {
    static func draw(_ state: AppState, y: Int, _ painter: inout Painter) {
        let width = painter.width
        let tail = tail(state)
        let room = width - 2 - tail.width - 3
        var x = 1
        let bindings = KeyMap.hints(in: state.scope, focus: state.focus).filter { isUseful($0.action, state) }
        for binding in bindings {
            let label = painter.glyphs.label(
                binding.scope == .prompt ? first(binding.label) : binding.label
            )
            let text = StyledText.bold(label, .accent) + .dim(" \(binding.hint ?? "")")
            guard x + text.width <= room else {
                painter.put(.dim("…"), x: x, y: y, limit: max(0, room + 1 - x))
                break
            }
            x = painter.put(text, x: x, y: y) + 2
        }
        painter.put(tail, endingAt: width - 1, y: y)
    }

    private static func tail(_ state: AppState) -> StyledText {
        let keys: [(String, String)] =
            switch state.mode {
            case .prompt: [("F1", "help"), ("^C", state.prompt.editor.isEmpty ? "quit" : "clear")]
            case .question, .paste, .help: []
            case .lists: [("?", "help"), ("q", "quit")]
            }
        return keys.enumerated().reduce(StyledText()) { text, key in
            text + StyledText("\(key.offset > 0 ? "  " : "")\(key.element.0) ", .accent) + .dim(key.element.1)
        }
    }

    /// Keys that would do nothing now are not advertised.
    private static func isUseful(_ action: KeyAction, _ state: AppState) -> Bool {
        switch action {
        case .abort, .pause, .promote, .earlier: state.selectedRow != nil
        case .cancelReceipt: (state.selectedRow?.receipts ?? 0) > 0
        case .retry: !state.failed.tasks.isEmpty
        case .retryAll: !state.failed.tasks.isEmpty
        case .pauseAll: state.liveTasks > 0
        case .clearCache, .pressure: state.snapshot.memory.count > 0 || state.focus == .cache
        case .older: !state.prompt.history.lines.isEmpty
        default: true
        }
    }

    private static func first(_ label: String) -> String { label.split(separator: " ").first.map(String.init) ?? label }
}
