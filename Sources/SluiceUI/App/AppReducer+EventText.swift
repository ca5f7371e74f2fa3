internal import SluiceCore

/// The whole text of an event: opening, scrolling, closing.
extension AppReducer {
    static func open(_ text: EventText, _ state: inout AppState, _ now: Timestamp) {
        // Where lines are typed each event was told in full, and no key would close it.
        guard state.hasKeys, EventTextView.hasRoom(state) else { return say(text.short, .wait, &state, now) }
        state.mode = .event(text)
    }

    /// - Parameters:
    ///   - text: That is open.
    ///   - action: What the key means, `nil` if nothing.
    ///   - state: Whose text it is.
    ///   - change: What else has to be done.
    static func read(_ text: EventText, _ action: KeyAction?, _ state: inout AppState, _ change: inout Change) {
        let rows = EventTextView.rows(text, state)
        switch action {
        case .close: state.mode = .lists
        case .down: scroll(text, by: 1, &state)
        case .up: scroll(text, by: -1, &state)
        case .pageDown: scroll(text, by: rows, &state)
        case .pageUp: scroll(text, by: -rows, &state)
        case .first: scroll(text, by: -text.offset, &state)
        case .last: scroll(text, by: EventTextView.lastOffset(text, state), &state)
        case .redraw: change.effects.append(.repaint)
        case .stop: change.effects.append(.stop)
        default: break
        }
    }

    static func scroll(_ text: EventText, by lines: Int, _ state: inout AppState) {
        var text = text
        text.offset = min(max(0, text.offset + lines), EventTextView.lastOffset(text, state))
        state.mode = .event(text)
    }
}
