internal import SluiceCore

/// Changes the state of the screen, one event at a time, and says what the shell has to do.
///
/// Pure: never draws, never waits, and never walks the whole queue.
enum AppReducer {
    /// What an event led to.
    struct Change {
        var effects: [AppEffect] = []
        /// What has to be drawn, and how soon.
        var redraw: FramePacer.Reason?
        /// Files that are gone, whose rows go with ``AppReducer/hideGone(_:_:)``: one look at the list for all.
        var deleted: Set<String> = []
        /// Rows of the finished list that another one takes the place of; they go in the same way.
        var replaced: Set<Int> = []
        /// Whether a spinner-only frame would show something new.
        var hasSpun = false

        mutating func draw(_ reason: FramePacer.Reason) { redraw = max(redraw ?? reason, reason) }

        mutating func send(_ command: PipelineCommand) { effects.append(.pipeline(command)) }

        /// Whether the pipeline was asked for something that the next snapshot shows.
        var hasCommand: Bool {
            effects.contains { effect in
                switch effect {
                case .pipeline(.probe): false
                case .pipeline: true
                default: false
                }
            }
        }
    }

    static func reduce(_ state: inout AppState, _ event: AppEvent, now: Timestamp) -> Change {
        var change = Change()
        switch event {
        case .key, .paste, .cutPaste, .mouse:
            take(input: event, &state, &change, now)
        case .ground(let isLight):
            state.terminal.isLightGround = isLight
        case .link:
            break
        case .focus(let isFocused):
            if isFocused != state.terminal.isFocused { change.draw(.data) }
            state.terminal.isFocused = isFocused
        case .resized(let width, let height):
            (state.terminal.width, state.terminal.height) = (max(0, width), max(0, height))
            change.draw(.urgent)
        case .snapshot(let snapshot):
            take(snapshot: snapshot, &state, &change)
            take(found: snapshot.found, &state, now)
            take(removal: snapshot.removal, &state, now)
            releaseHeldInput(&state, &change, now)
        case .events(let events, let lost):
            if lost > 0 {
                state.news.log.noteLost(lost)
                state.news.records.noteLost()
                state.news.lostUntil = events.last?.t ?? state.news.lostUntil ?? .zero
                (state.tallies, state.awaitsPrefetch) = ([], false)
                state.news.newest.forget()
                state.pictures.forgetGone()
            }
            for event in events { take(event: event, &state, &change, now) }
            sayDeleted(change.deleted, &state, now)
            hideGone(&state, &change)
            state.refreshLists()
            followRanges(&state)
        case .wake, .inputEnded:
            break
        case .resumed:
            change.draw(.urgent)
        case .interrupted:
            state.hasQuit = true
            change.effects.append(.quit)
        case .picture(let ask, let news):
            take(picture: ask, news, &state, &change)
        case .pixels(let size):
            state.pictures.cellSize = size
            change.draw(.urgent)
        case .sketch(let sketch):
            take(sketch: sketch, &state)
        case .earlier(let files):
            // In a list that is sorted they may come before the row that the cursor stands on.
            let row = state.focus == .finished && state.endedIndex.seqs != nil ? state.selectedEnded : nil
            if let row { state.finishedCursor.pin(row.seq) }
            change.replaced.formUnion(state.news.ended.prepend(files))
            hideGone(&state, &change)
            state.refreshLists()
            followRanges(&state)
            change.draw(.data)
        case .list(let path, let result):
            take(list: path, result, &state, &change, now)
            change.draw(.urgent)
        case .listLook(let path, let look):
            take(listLook: look, at: path, &state, &change)
            change.draw(.urgent)
        case .notice(let text, let isError):
            say(text, isError ? .bad : .ok, &state, now)
            change.draw(.urgent)
        case .trust(let ask, let result):
            take(look: ask, result, &state)
            change.draw(.urgent)
        case .pinDraft(let draft):
            take(pinDraft: draft, &state, now)
            change.draw(.urgent)
        case .pinned(let draft):
            take(pinned: draft, &state, &change, now)
            change.draw(.urgent)
        case .folder(let path, let names):
            take(folder: path, names, &state, &change)
            change.draw(.urgent)
        }
        // What failed changes with events, snapshots and keys of several lists.
        settleFailed(&state)
        expire(&state, &change, now)
        watchQueue(&state, &change)
        inspect(&state, &change)
        settlePictures(&state, &change, now)
        return change
    }

    /// Shows a sentence for some seconds.
    static func say(_ text: String, _ role: Role = .bright, _ state: inout AppState, _ now: Timestamp) {
        state.message = AppState.Message(
            text: VisibleText.visible(text, limit: 300),
            role: role,
            until: now + .seconds(4)
        )
        if !state.hasKeys, let message = state.message { state.said.append(message.text) }
    }

    private static func expire(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        if let until = state.held.until, until <= now { releaseHeldInput(&state, &change, now) }
        if let message = state.message, message.until <= now {
            state.message = nil
            change.draw(.urgent)
        }
        if let until = state.quitArmedUntil, until <= now {
            state.quitArmedUntil = nil
            change.draw(.urgent)
        }
        let time = state.sessionTime(at: now)
        if let until = state.news.flashUntil, until <= time {
            state.news.flashUntil = nil
            change.draw(.urgent)
        }
        if let first = state.news.lingering.first, first.until <= time {
            state.news.lingering.removeAll { $0.until <= time }
            change.draw(.data)
        }
        if let due = state.countdownDue, due <= time {
            state.countdownDue = nil
            if state.snapshot.isSilent, state.replay == nil { sample(state.snapshot, at: time, &state) }
            change.draw(.data)
        }
        if state.countdownDue == nil { state.countdownDue = state.nextCountdown(after: time) }
    }

    private static func watchQueue(_ state: inout AppState, _ change: inout Change) {
        let visible = state.visibleQueueRows
        if let window = state.queueCursor.wanted(count: state.shownQueueCount, visible: visible, state[list: .queued]) {
            change.send(.watch(window))
        }
    }
}
