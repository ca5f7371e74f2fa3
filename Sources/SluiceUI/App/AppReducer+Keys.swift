internal import SluiceCore

/// Keys.
extension AppReducer {
    static func press(_ key: Key, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let scope = state.scope
        let action = KeyMap.action(for: key, in: scope, focus: state.focus)
        if action != .quit, action != .clearOrQuit { state.quitArmedUntil = nil }
        if state.message?.role == .bad || scope != .prompt { state.message = nil }
        switch state.mode {
        case .question(let question):
            answer(question, action, &state, &change, now)
        case .paste(let urls, let below):
            answer(urls, below, action, &state, &change, now)
        case .help(let below):
            if let action { leaf(action, below, &state, &change) }
        case .prompt:
            edit(key, action, &state, &change, now)
        case .lists:
            if let action { perform(action, &state, &change, now) } else { state.awaitsSecondG = false }
        }
    }

    static func perform(_ action: KeyAction, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let wasAwaitingG = state.awaitsSecondG
        state.awaitsSecondG = false
        switch action {
        case .prefixG:
            if wasAwaitingG { move(.first, &state) } else { state.awaitsSecondG = true }
        case .down, .up, .first, .last, .pageDown, .pageUp, .halfDown, .halfUp: move(action, &state)
        case .quit: quit(&state, &change, now)
        case .help:
            state.helpOffset = 0
            state.mode = .help(over: state.mode)
        case .redraw: change.effects.append(.repaint)
        case .stop: change.effects.append(.stop)
        case .typeURL: state.mode = .prompt
        case .typeList:
            state.mode = .prompt
            if state.prompt.editor.isEmpty { state.prompt.editor.replace(with: "@") }
        case .focus(let panel):
            state.isMaximised = state.focus == panel ? !state.isMaximised : false
            state.focus = panel
        case .nextPanel: turn(1, &state)
        case .previousPanel: turn(-1, &state)
        case .restore:
            state.isMaximised = false
            if state.layout.form != .line, !state.homePanels.contains(state.focus) { state.focus = .active }
        case .abort, .cancelReceipt, .pause, .promote, .toEnd, .earlier, .later:
            steer(action, &state, &change, now)
        case .pauseAll: pauseAll(&state, &change, now)
        case .cancelAll:
            let count = state.liveTasks
            if count == 0 {
                say("no task to abort", .dim, &state, now)
            } else {
                state.mode = .question(.cancelAll(count))
            }
        case .retry: retry(&state, &change, now)
        case .retryAll: retryAll(&state, &change, now)
        case .moreSlots: setSlots(state.snapshot.settings.maxActive + 1, &state, &change)
        case .fewerSlots: setSlots(state.snapshot.settings.maxActive - 1, &state, &change)
        case .order:
            let order: Settings.Order = state.snapshot.settings.order == .fifo ? .lifo : .fifo
            state.snapshot.settings.order = order
            change.send(.set(SettingChange(name: "order", value: .word(order.rawValue))))
        case .suspend:
            let isSuspended = !state.snapshot.settings.suspended
            state.snapshot.settings.suspended = isSuspended
            change.send(.set(SettingChange(name: "suspended", value: .flag(isSuspended))))
        case .clearCache: change.send(.clearCache)
        case .pressure: change.send(.pressure)
        case .submit, .leavePrompt, .clearOrQuit, .older, .newer, .edit, .yes, .no, .close: break
        }
    }

    static func quit(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard state.liveTasks > 0 || state.snapshot.backlog > 0, state.quitArmedUntil == nil else {
            state.hasQuit = true
            return change.effects.append(.quit)
        }
        state.quitArmedUntil = now + .seconds(3)
    }

    // MARK: Lists

    private static func move(_ action: KeyAction, _ state: inout AppState) {
        let rows = max(1, state.layout.rows(in: state.focus))
        switch state.focus {
        case .active:
            let tasks = state.activeRows.map(\.task)
            state.active.select(target(action, from: state.active.index, count: tasks.count, page: rows), in: tasks)
        case .queued:
            let (count, visible) = (state.snapshot.queuedCount, state.visibleQueueRows)
            let index = target(action, from: state.queue.position - 1, count: count, page: visible)
            state.queue.move(to: index + 1, state.snapshot, visible: visible)
        case .events:
            let age = target(action, from: state.selectedEventAge, count: state.log.count, page: rows)
            if age <= 0 || state.log.count == 0 {
                state.events.reset()
            } else {
                state.events.pin(state.log[age: age].seq)
            }
        case .cache:
            let ids = state.ledger.entries.map(\.id)
            state.purges.select(target(action, from: state.purges.index, count: ids.count, page: rows), in: ids)
        case .network: break
        }
    }

    private static func target(_ action: KeyAction, from index: Int, count: Int, page: Int) -> Int {
        let step =
            switch action {
            case .down: 1
            case .up: -1
            case .pageDown: page
            case .pageUp: -page
            case .halfDown: max(1, page / 2)
            case .halfUp: -max(1, page / 2)
            case .first: -index
            case .last: count
            default: 0
            }
        return min(max(0, index + step), max(0, count - 1))
    }

    private static func turn(_ step: Int, _ state: inout AppState) {
        state.isMaximised = false
        let panels = state.homePanels
        guard !panels.isEmpty else { return }
        let index = panels.firstIndex(of: state.focus) ?? (step > 0 ? -1 : 0)
        state.focus = panels[(index + step + panels.count) % panels.count]
    }

    private static func leaf(
        _ action: KeyAction,
        _ below: AppState.Mode,
        _ state: inout AppState,
        _ change: inout Change
    ) {
        switch action {
        case .close: state.mode = below
        case .down: state.helpOffset += 1
        case .up: state.helpOffset = max(0, state.helpOffset - 1)
        case .pageDown: state.helpOffset += 10
        case .pageUp: state.helpOffset = max(0, state.helpOffset - 10)
        case .first: state.helpOffset = 0
        case .last: state.helpOffset = 1_000
        case .redraw: change.effects.append(.repaint)
        case .stop: change.effects.append(.stop)
        default: break
        }
        state.helpOffset = min(state.helpOffset, HelpView.lastOffset(state))
    }
}

extension AppState {
    /// Where keys are looked up.
    var scope: KeyMap.Scope {
        switch mode {
        case .lists: .lists
        case .prompt: .prompt
        case .help: .help
        case .question: .question
        case .paste: .paste
        }
    }

    /// Panels that have a place in the layout, in the order of Tab.
    var homePanels: [Panel] {
        let layout = Layout(
            width: width,
            height: height,
            slots: snapshot.settings.maxActive,
            focus: .active,
            isMaximised: false
        )
        return layout.form == .small || layout.form == .line
            ? [.active, .queued] : Panel.allCases.filter { layout.panels[$0] != nil }
    }
}
