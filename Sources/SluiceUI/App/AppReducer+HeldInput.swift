internal import SluiceCore

/// Input that waits for the row that it is meant for.
///
/// Of a long queue only a window is known. Whoever jumps and types on at once means a row that the
/// pipeline is still being asked for: its key, and all input behind it, is done when the row has come.
extension AppReducer {
    /// How long a row is waited for, which comes at once unless the pipeline has much to do.
    private static let patience: Duration = .seconds(1)

    /// Takes keys, pastes and the mouse in the order in which they came.
    static func take(input: AppEvent, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard state.held.isEmpty else { return state.held.events.append(input) }
        switch input {
        case .key(let key):
            state.terminal.lastClick = nil
            press(key, &state, &change, now)
        case .paste where state.replay != nil, .cutPaste where state.replay != nil:
            say(state.refusal(of: .typeURL) ?? "", .dim, &state, now)
        case .paste(let text): paste(text, &state, &change, now)
        case .cutPaste: tellCutPaste(&state, now)
        case .mouse(let mouse): take(mouse: mouse, &state, &change, now)
        default: return
        }
        forgetLimited(&state)
        change.draw(.urgent)
    }

    /// Keeps a key of the lists back that is for a row which is not known yet.
    ///
    /// - Returns: Whether it was kept back.
    static func holdsBack(_ key: Key, _ action: KeyAction, _ state: inout AppState, _ now: Timestamp) -> Bool {
        guard state.awaitsRow(for: action) else { return false }
        if state.held.isEmpty { state.held.until = now + patience }
        state.held.events.append(.key(key))
        return true
    }

    /// A snapshot came, or it was waited for long enough: does what was kept back.
    ///
    /// - Parameters:
    ///   - state: Where the cursor is on a row that is known, or not.
    ///   - change: What it leads to.
    ///   - now: When the wait for a row that did not come is over.
    static func releaseHeldInput(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard !state.held.isEmpty, let until = state.held.until else { return }
        state.held.waitsForRows = now < until
        defer { state.held.waitsForRows = true }
        let input = state.held.events
        state.held.events = []
        // What is for a row that is still on its way is kept back once more, with all behind it.
        for event in input { take(input: event, &state, &change, now) }
        state.held.until = state.held.isEmpty ? nil : until
    }
}

extension AppState {
    /// Whether an action is for the row under the cursor of the queue, and that row is being asked for.
    fileprivate func awaitsRow(for action: KeyAction) -> Bool {
        guard held.waitsForRows, focus == .queued, replay == nil, shownQueueCount > 0,
            snapshot.queuedRow(at: queueCursor.position) == nil
        else { return false }
        return switch action {
        case .select, .selectRange, .openDetail, .openPicture, .trust, .editURL, .cancelReceipt: true
        case .abort, .pause, .promote, .toEnd, .earlier, .later, .copyURL, .limitTask:
            self[list: .queued].selection.isEmpty
        default: false
        }
    }
}
