internal import SluiceCore

/// Keys that wait for the row that they are meant for.
///
/// Of a long queue only a window is known. Whoever jumps and types on at once means a row that the
/// pipeline is still being asked for: its key, and those behind it, are done when the row has come.
extension AppReducer {
    /// Keeps a key back that is for a row which is not known yet, or that stands behind such a key.
    ///
    /// - Returns: Whether it was kept back.
    static func holdsBack(_ key: Key, _ action: KeyAction, _ state: inout AppState) -> Bool {
        switch action {
        case .quit, .redraw, .stop: return false
        default: break
        }
        guard !state.heldKeys.isEmpty || state.awaitsRow(for: action) else { return false }
        state.heldKeys.append(key)
        return true
    }

    /// A snapshot came: does what was kept back, as far as the rows are known now.
    static func pressHeldKeys(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard !state.heldKeys.isEmpty else { return }
        let keys = state.heldKeys
        state.heldKeys = []
        // Those for a row that is still on its way are kept back once more, in their order.
        for key in keys { press(key, &state, &change, now) }
        change.draw(.urgent)
    }
}

extension AppState {
    /// Whether an action is for the row under the cursor of the queue, and that row is being asked for.
    fileprivate func awaitsRow(for action: KeyAction) -> Bool {
        guard focus == .queued, replay == nil, shownQueueCount > 0, snapshot.queuedRow(at: queue.position) == nil else {
            return false
        }
        return switch action {
        case .select, .selectRange, .openDetail, .openPicture, .trust, .editURL, .cancelReceipt: true
        case .abort, .pause, .promote, .toEnd, .earlier, .later, .copyURL, .limitTask:
            self[list: .queued].selection.isEmpty
        default: false
        }
    }
}
