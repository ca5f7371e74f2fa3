internal import SluiceCore

/// The mouse: a click focuses and selects, another one on the same row opens it, the wheel scrolls.
extension AppReducer {
    static func take(mouse: Mouse, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard state.terminal.usesMouse else { return }
        let hit = state.terminal.targets.last { $0.contains(mouse.x, mouse.y) }
        switch (state.mode, mouse.kind) {
        case (.help, .wheelUp), (.help, .wheelDown), (.trust, .wheelUp), (.trust, .wheelDown):
            scroll(mouse.kind, &state, &change, now)
        case (.trust, .press):
            guard case .action(let action)? = hit?.meaning else { return }
            inspectTrust(action, &state, &change, now)
        case (.event(let text), .wheelUp): scroll(text, by: -1, &state)
        case (.event(let text), .wheelDown): scroll(text, by: 1, &state)
        case (.event(let text), .press):
            guard case .action(let action)? = hit?.meaning else { return }
            read(text, action, &state, &change)
        case (.lists, .press), (.prompt, .press):
            guard let hit else { return }
            let click = Mouse.Click(x: mouse.x, y: mouse.y, time: now)
            defer { state.terminal.lastClick = hit.isRow && state.focus != .detail ? click : nil }
            // The list may have moved under the pointer: a double click is for the row that its first one selected.
            if hit.isRow, let last = state.terminal.lastClick, click.isSecond(after: last) {
                return openDetail(&state, now)
            }
            self.click(hit.meaning, &state, &change, now)
        case (.lists, _), (.prompt, _):
            guard
                case .panel(let panel)? = state.terminal.targets.last(where: { $0.isPanel(mouse.x, mouse.y) })?.meaning
            else {
                return
            }
            turnToLists(&state)
            if state.focus != panel { focus(panel, &state) }
            scroll(mouse.kind, &state, &change, now)
        default: break
        }
    }

    static func useMouse(_ isUsed: Bool, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        state.terminal.usesMouse = isUsed
        change.effects.append(.mouse(state.terminal.usesMouse))
        let text = state.terminal.usesMouse ? "mouse on: click selects, again opens, wheel scrolls" : "mouse off"
        say(text, .dim, &state, now)
    }

    private static func scroll(_ kind: Mouse.Kind, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        // Keys may be what is looked for.
        if case .help = state.mode { return scrollHelp(by: kind == .wheelUp ? -1 : 1, &state) }
        let key = Key.character(kind == .wheelUp ? "k" : "j")
        guard let action = state.mode == .lists ? (kind == .wheelUp ? KeyAction.up : .down) : nil else {
            return press(key, &state, &change, now)
        }
        for _ in 0..<3 { perform(action, &state, &change, now) }
    }

    /// Leaves the prompt, or the certificates, for the panel that the mouse points at.
    private static func turnToLists(_ state: inout AppState) {
        (state.mode, state.trust) = (.lists, nil)
        state.prompt.endAsides()
    }

    private static func click(
        _ meaning: MouseTarget.Meaning,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        if case .prompt = meaning {
            if state.mode == .lists { perform(.typeURL, &state, &change, now) }
            return
        }
        // The hints there are the prompt's, and mean to it what their keys do.
        if state.mode == .prompt, case .action(let action) = meaning {
            state.quitArmedUntil = nil
            return edit(action, &state, &change, now)
        }
        turnToLists(&state)
        switch meaning {
        case .panel(let panel): if state.focus != panel { focus(panel, &state) }
        case .tab(let panel): focus(panel, &state)
        case .active(let index):
            let isAgain = state.focus == .active && state.activeCursor.index == index
            focus(.active, &state)
            state.activeCursor.select(index, in: state.activeRows.map(\.task))
            if isAgain { openDetail(&state, now) }
        case .queued(let position):
            let isAgain = state.focus == .queued && state.queueCursor.position == position
            focus(.queued, &state)
            state.queueCursor.move(to: position, state.snapshot, visible: state.visibleQueueRows)
            if isAgain { openDetail(&state, now) }
        case .event(let seq):
            let isAgain = state.focus == .events && state.selectedEvent?.seq == seq
            focus(.events, &state)
            state.eventCursor.pin(seq)
            if isAgain { openDetail(&state, now) }
        case .purge(let index):
            focus(.cache, &state)
            state.purgeCursor.select(index, in: state.news.ledger.entries.map(\.id))
        case .finished(let seq):
            let isAgain = state.focus == .finished && state.selectedEnded?.seq == seq
            focus(.finished, &state)
            state.finishedCursor.pin(seq)
            if isAgain { openDetail(&state, now) }
        case .failed(let index):
            let ids = state.failedRows.map(\.id)
            let isAgain =
                state.focus == .failed && ids.indices.contains(index) && state.selectedFailed?.id == ids[index]
            focus(.failed, &state)
            state.failedCursor.select(index, in: ids)
            if isAgain { openDetail(&state, now) }
        case .receipt(let index):
            if state.focus != .detail { openDetail(&state, now) }
            state.detail.receipt = index
        case .tile(let index):
            let isAgain = state.galleryIndex == index
            let selected = state.galleryItem(at: index)?.url
            state.pictures.gallery?.selected = selected
            if isAgain { openTile(&state, now) }
        case .action(let action): perform(action, &state, &change, now)
        case .prompt: break
        }
    }
}

extension MouseTarget {
    /// Whether it selects a row that can be opened.
    fileprivate var isRow: Bool {
        switch meaning {
        case .active, .queued, .event, .finished, .failed: true
        // Tiles stay where they are, so that a second click meets the one that the first one selected.
        case .panel, .tab, .purge, .receipt, .tile, .action, .prompt: false
        }
    }

    fileprivate func isPanel(_ x: Int, _ y: Int) -> Bool {
        if case .panel = meaning { contains(x, y) } else { false }
    }
}
