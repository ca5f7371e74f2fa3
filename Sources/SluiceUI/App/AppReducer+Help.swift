internal import SluiceCore

/// The help: opening, scrolling, and looking for some of its lines.
extension AppReducer {
    static func openHelp(_ state: inout AppState, _ now: Timestamp) {
        // It would take the keys, and be nowhere, or a box without a row.
        guard state.layout.form != .line, state.terminal.height > 5 else {
            return say("the help needs 40×8", .dim, &state, now)
        }
        state.help = HelpState()
        state.mode = .help(over: state.mode)
    }

    /// - Parameters:
    ///   - action: What the key means, `nil` if nothing.
    ///   - below: The mode that the help covers, which comes back.
    ///   - state: Whose help it is.
    ///   - change: What else has to be done.
    static func read(
        _ action: KeyAction?,
        over below: AppState.Mode,
        _ state: inout AppState,
        _ change: inout Change
    ) {
        switch action {
        case .close, .help: state.mode = below
        // A search is a step of its own: what it hid comes back first.
        case .restore where state.help.filter.isEmpty: state.mode = below
        case .restore, .leavePrompt, .clearOrQuit: state.help = HelpState()
        case .filter: state.help.isTyping = true
        case .submit: state.help.isTyping = false
        case .edit(let edit):
            state.help.editor.apply(edit)
            state.help.offset = 0
        case .redraw: change.effects.append(.repaint)
        case .stop: change.effects.append(.stop)
        case .down, .newer: scrollHelp(by: 1, &state)
        case .up, .older: scrollHelp(by: -1, &state)
        case .pageDown: scrollHelp(by: 10, &state)
        case .pageUp: scrollHelp(by: -10, &state)
        case .first: state.help.offset = 0
        case .last: state.help.offset = HelpView.lastOffset(state)
        default: break
        }
    }

    static func scrollHelp(by lines: Int, _ state: inout AppState) {
        state.help.offset = min(max(0, state.help.offset + lines), HelpView.lastOffset(state))
    }
}
