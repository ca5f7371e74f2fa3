internal import SluiceCore

/// Keys.
extension AppReducer {
    static func press(_ key: Key, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let scope = state.scope
        let keys = state.configuration.keys
        let player =
            state.replay != nil && scope == .lists ? keys.action(for: key, in: .replay, focus: state.focus) : nil
        let action = player ?? keys.action(for: key, in: scope, focus: state.focus)
        if action != .quit, action != .clearOrQuit { state.quitArmedUntil = nil }
        if state.message?.role == .bad || scope != .prompt { state.message = nil }
        switch state.mode {
        case .question(let question):
            answer(question, action, &state, &change, now)
        case .paste(let found, let below):
            answer(found, below, action, &state, &change, now)
        case .help(let below):
            read(action, over: below, &state, &change)
        case .event(let text):
            read(text, action, &state, &change)
        case .prompt:
            let isEnd =
                key == .control("d") && action == .edit(.deleteForward) && state.prompt.editor.isEmpty
                && state.prompt.search == nil
            edit(action, &state, &change, now)
            if isEnd { state.tellWayOut() }
        case .filter:
            editFilter(action, &state, &change, now)
        case .sortMenu:
            chooseSort(key, &state, now)
        case .trust:
            if let action { return inspectTrust(action, &state, &change, now) }
            guard key.typed != nil else { return }
            say(state.keyed("that key is for the lists", .close, "goes back"), .dim, &state, now)
        case .lists:
            if let action {
                if holdsBack(key, action, &state, now) { return }
                return perform(action, &state, &change, now)
            }
            state.awaitsSecondG = false
            sayWhyNot(key, &state, now)
        }
    }

    /// Says where else a key does something, or that it does nothing.
    ///
    /// Nobody presses a function key by chance, nor one with Control; others that no text has stay silent.
    private static func sayWhyNot(_ key: Key, _ state: inout AppState, _ now: Timestamp) {
        if let (action, panels) = state.configuration.keys.elsewhere(key) {
            if let refusal = state.refusal(of: action) { return say(refusal, .dim, &state, now) }
            return say("\(state.shown(key.label)) is for \(list(panels)) only", .dim, &state, now)
        }
        let name: String
        switch key {
        case .function, .control: name = key.label
        case .character(let character) where character != " ": name = String(character)
        default: return
        }
        say(state.keyed("\(name) is no key", .help, "shows the keys"), .dim, &state, now)
    }

    /// Why a command does nothing where the focus is, though its key does something in other panels; `nil` if it may.
    ///
    /// What is done to tasks finds the selected one from everywhere; how a panel is looked at is its own.
    static func whyNot(_ action: KeyAction, _ state: AppState) -> String? {
        switch action {
        case .nextTask, .previousTask, .allHeaders, .zoomPicture, .nextPicture, .previousPicture, .left, .right,
            .select,
            .selectRange, .selectAll, .filter, .findNext, .findPrevious, .sort, .reverse:
            let keys = state.configuration.keys
            guard let panels = keys.panels(of: action), !panels.contains(state.focus) else { return nil }
            let name = state.hasKeys ? keys.label(of: action) : nil
            return "\(name.map(state.shown) ?? "this") is for \(list(panels.filter { action.works(in: $0) })) only"
        default: return nil
        }
    }

    /// `active, queued and events`, or `the preview`.
    private static func list(_ panels: [Panel]) -> String {
        let titles = panels.sorted { $0.rawValue < $1.rawValue }.map(\.title)
        guard titles.count > 1 else { return panels == [.queued] ? "the queue" : "the " + titles.joined() }
        return titles.dropLast().joined(separator: ", ") + " and " + titles[titles.count - 1]
    }

    static func perform(_ action: KeyAction, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let wasAwaitingG = state.awaitsSecondG
        state.awaitsSecondG = false
        if let refusal = state.refusal(of: action) { return say(refusal, .dim, &state, now) }
        // What an event says has the row of the prompt.
        let opensDetail = action == .openDetail && state.inspectedTask != nil
        if state.hasKeys, state.layout.form == .line, action.changesRow || action.opensView || opensDetail {
            return say("its row is not in sight: make the window larger first", .dim, &state, now)
        }
        holdTile(for: action, &state)
        switch action {
        case .replay(let command): state.replay?.commands.append(command)
        case .prefixG:
            if wasAwaitingG { move(.first, &state) } else { state.awaitsSecondG = true }
        case .down, .up, .first, .last, .pageDown, .pageUp, .halfDown, .halfUp: move(action, &state)
        case .quit: quit(&state, &change, now)
        case .help: openHelp(&state, now)
        case .redraw: change.effects.append(.repaint)
        case .stop: change.effects.append(.stop)
        case .typeURL: openPrompt(with: "", &state)
        case .typeList: openPrompt(with: "@", &state)
        case .typeCommand: openPrompt(with: ":", &state)
        case .focus(.detail) where state.focus != .detail: openDetail(&state, now)
        case .focus(let panel):
            state.isMaximised = state.focus == panel ? !state.isMaximised : false
            focus(panel, &state)
        case .toggleMouse: useMouse(!state.terminal.usesMouse, &state, &change, now)
        case .openDetail: openDetail(&state, now)
        case .previousTask: turnDetail(-1, &state)
        case .nextTask: turnDetail(1, &state)
        case .trust: openTrust(&state, &change, now)
        case .allHeaders: toggleHeaders(&state, now)
        case .nextPreset: show(state.preset.next, &state, now)
        case .nextPanel: turn(1, &state)
        case .previousPanel: turn(-1, &state)
        case .restore:
            if clearSelection(&state) || clearFilter(&state) || leaveDetail(&state) { return }
            if stepBackInPictures(&state) { return }
            // The detail that a picture was opened from is a step of its own, left by the next key.
            if state.focus == .detail { return }
            state.isMaximised = false
            if state.layout.form != .line, !state.homePanels.contains(state.focus) { focus(.active, &state) }
        case .select, .selectRange, .selectAll: select(action, &state, now)
        case .filter: openFilter(&state, now)
        case .findNext: find(isBackward: false, &state, &change, now)
        case .findPrevious: find(isBackward: true, &state, &change, now)
        case .sort: openSort(&state, now)
        case .reverse: reverse(&state, now)
        case .openFile: open(&state, &change, now)
        case .copyPath: copyPaths(&state, &change, now)
        case .copyURL: copyURLs(&state, &change, now)
        case .removeRow: removeRows(&state, &change, now)
        case .deleteFile: askDelete(&state, now)
        case .limitRate: openPrompt(with: ":limitRate ", &state)
        case .limitTask: openLimit(&state, now)
        case .editURL: openURL(&state, now)
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
        case .moreSlots: setSlots(state.snapshot.settings.maxActive + 1, &state, &change, now)
        case .fewerSlots: setSlots(state.snapshot.settings.maxActive - 1, &state, &change, now)
        case .order:
            let order: Settings.Order = state.snapshot.settings.order == .fifo ? .lifo : .fifo
            state.snapshot.settings.order = order
            change.send(.set(SettingChange(name: "order", value: .word(order.rawValue))))
            say(state.noted("order is \(order.rawValue)", .order, "changes it"), .ok, &state, now)
        case .suspend: suspend(&state, &change, now)
        case .openPicture: openPicture(&state, now)
        case .openTile: openTile(&state, now)
        case .openGallery: openGallery(&state)
        case .zoomPicture: zoomPicture(&state, now)
        case .previousPicture: turnPicture(-1, &state)
        case .nextPicture: turnPicture(1, &state)
        case .left, .right: movePicture(action, &state)
        case .dropImage: dropImages(&state, &change, now)
        case .clearCache, .pressure:
            // Sent all the same: the snapshot may be older than the first image.
            change.send(action == .clearCache ? .clearCache : .pressure)
            if state.snapshot.memory.count == 0 { say("the memory cache is empty", .dim, &state, now) }
        case .submit, .leavePrompt, .clearOrQuit, .older, .newer, .complete, .searchHistory, .edit, .yes,
            .no, .close, .pinKey, .editPins, .tryPinning, .tryInvalid, .tryDomain, .lookAgain:
            break
        }
    }

    static func quit(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard state.isBusy, state.quitArmedUntil == nil else {
            state.hasQuit = true
            return change.effects.append(.quit)
        }
        state.quitArmedUntil = now + .seconds(3)
    }

    // MARK: Lists

    static func move(_ action: KeyAction, _ state: inout AppState) {
        state.looksAtRows = true
        let rows = max(1, state.layout.rows(in: state.focus))
        switch state.focus {
        case .active:
            let tasks = state.activeRows.map(\.task)
            state.activeCursor.select(
                target(action, from: state.activeCursor.index, count: tasks.count, page: rows),
                in: tasks
            )
        case .queued:
            let (count, visible) = (state.shownQueueCount, state.visibleQueueRows)
            let index = target(action, from: state.queueCursor.position - 1, count: count, page: visible)
            state.queueCursor.move(to: index + 1, state.snapshot, visible: visible)
        case .events, .finished:
            let cursor = state.focus == .events ? state.eventRowIndex : state.endedRowIndex
            if action == .first, cursor == 0, followNewest(&state) { return }
            place(cursorAt: target(action, from: cursor, count: state.shownCount, page: rows), &state)
        case .failed:
            let ids = state.failedRows.map(\.id)
            state.failedCursor.settle(ids)
            let index = target(action, from: state.failedCursor.index, count: ids.count, page: rows)
            state.failedCursor.select(index, in: ids)
        case .cache:
            let ids = state.news.ledger.entries.map(\.id)
            state.purgeCursor.select(
                target(action, from: state.purgeCursor.index, count: ids.count, page: rows),
                in: ids
            )
        case .detail: moveDetail(action, &state)
        case .preview: movePicture(action, &state)
        case .network: break
        }
    }

    static func show(_ preset: Layout.Preset, _ state: inout AppState, _ now: Timestamp) {
        guard state.layout.form.hasPresets else { return say("other panels need 80×24", .dim, &state, now) }
        state.preset = preset
        state.isMaximised = false
        if !state.homePanels.contains(state.focus) { focus(.active, &state) }
        say("shows \(preset.title)", .dim, &state, now)
    }

    /// Gives a panel the focus.
    static func focus(_ panel: Panel, _ state: inout AppState) {
        if panel == .preview, state.focus != .preview {
            state.pictures.origin = state.focus == .detail ? .detail : .active
        } else if panel != .detail, panel != .preview {
            // From then on the detail follows the rows again, also if it was left by way of a picture.
            (state.detail.task, state.detail.awaited) = (nil, nil)
        }
        state.focus = panel
        state.looksAtRows = true
        if [.queued, .finished, .failed].contains(panel) { state.listPanel = panel }
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
        focus(panels[(index + step + panels.count) % panels.count], &state)
    }
}

extension AppState {
    /// Where keys are looked up.
    var scope: KeyMap.Scope {
        switch mode {
        case .lists: .lists
        case .prompt, .filter: .prompt
        case .sortMenu: .question
        case .help: help.isTyping ? .prompt : .help
        case .event: .event
        case .trust: .trust
        case .question: .question
        case .paste: .paste
        }
    }

    /// Whether something stands that the user went into, and that hides other panels or holds its task.
    var hasWayBack: Bool {
        focus == .detail || isMaximised || (layout.form != .line && !homePanels.contains(focus))
    }

    /// Panels that have a place in the layout, in the order of Tab.
    var homePanels: [Panel] {
        var wish = wish
        (wish.focus, wish.isMaximised) = (.active, false)
        let layout = Layout(width: terminal.width, height: terminal.height, wish)
        return layout.form == .small || layout.form == .line
            ? [.active, listPanel] : Panel.allCases.filter { layout.panels[$0] != nil }
    }
}
