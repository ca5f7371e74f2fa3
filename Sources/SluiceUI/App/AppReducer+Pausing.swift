internal import SluiceCore

/// Pausing and going on: one task, all that run, and the queue; each says what it did.
///
/// What was paused is shown as such at once: a key that comes before the next snapshot acts on what the user sees.
extension AppReducer {
    /// For how long the same key takes back what it did to a task whose row is gone.
    private static let takingBack: Duration = .seconds(4)

    /// The task that the key for pausing is for, if no row is it: one that goes on, and waits for a slot out of sight.
    ///
    /// - Returns: Whether it was paused again.
    static func pauseAgain(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) -> Bool {
        guard state.focus == .active, let resumed = state.resumed, now < resumed.until,
            state.activeCursor.awaited == resumed.task, state.selectedRow?.task != resumed.task
        else { return false }
        pause(resumed.task, resumed.name, startsOver: false, &state, &change, now)
        return true
    }

    static func togglePause(
        _ row: PipelineSnapshot.Row,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        if row.state == .paused {
            resume(row, &state, &change, now)
        } else if row.isDetached {
            // Nobody is left who could let it go on, and so it can't be paused.
            let words = sentence(of: row.name, state) { name in
                state.keyed("\(name) has no request left and runs on for the cache", .abort, "aborts it")
            }
            say(words, .dim, &state, now)
        } else {
            // Of what came within a moment nobody cares.
            let startsOver = row.state == .active && !row.isContinuable && row.received > 65_536
            pause(row.task, row.name, startsOver: startsOver, &state, &change, now)
        }
    }

    private static func pause(
        _ task: TaskID,
        _ name: String,
        startsOver: Bool,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        change.send(.steer(.pause, .task(task)))
        state.resumed = nil
        if state.focus == .active { state.activeCursor.follow(task) }
        state.snapshot.showPaused { $0.task == task }
        settle(&state)
        let words = sentence(of: name, state) { name in
            let words = "paused \(name)" + (startsOver ? ", which will start over" : "")
            // In the queue the next row has the cursor, and with it the key.
            return state.focus == .queued ? words : state.noted(words, .pause, "resumes")
        }
        say(words, .wait, &state, now)
    }

    static func resume(
        _ row: PipelineSnapshot.Row,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        change.send(.steer(.resume, .task(row.task)))
        let settings = state.snapshot.settings
        if settings.suspended {
            let words = sentence(of: row.name, state) { name in
                state.noted("resumed \(name), but the queue is suspended", .suspend, "goes on")
            }
            say(words, .wait, &state, now)
        } else if state.snapshot.active.count >= settings.maxActive {
            let words = sentence(of: row.name, state) { name in
                let words = "resumed \(name), it waits for a slot"
                return state.focus == .active ? state.noted(words, .pause, "pauses it again") : words
            }
            say(words, .ok, &state, now)
        } else {
            say("resumed \(shown(row.name))", .ok, &state, now)
        }
        state.snapshot.paused.removeAll { $0.task == row.task }
        state.snapshot.pausedCount = max(state.snapshot.paused.count, state.snapshot.pausedCount - 1)
        guard state.focus == .active else { return settle(&state) }
        state.resumed = AppState.Resumed(task: row.task, name: row.name, until: now + takingBack)
        state.activeCursor.follow(row.task)
        settle(&state)
    }

    static func abort(
        _ row: PipelineSnapshot.Row,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        change.send(.steer(.abort, .task(row.task)))
        say("aborted \(shown(row.name))" + (row.keepsPart ? " · partial kept" : ""), .bright, &state, now)
    }

    // MARK: By name

    /// Pauses what is selected, as far as it is not paused.
    static func pauseSelected(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        // Where no row is in sight the key says so.
        if state.hasKeys, state.layout.form == .line { return perform(.pause, &state, &change, now) }
        guard let rows = selectedActive(state) else {
            // What was resumed a moment ago may have no row here, and the cursor stand on another.
            if state[list: state.focus].selection.isEmpty, pauseAgain(&state, &change, now) { return }
            guard let row = state.selectedRow, row.state == .paused else {
                return perform(.pause, &state, &change, now)
            }
            return say("\(shown(row.name)) is paused already", .dim, &state, now)
        }
        let others = rows.filter { $0.state != .paused }
        guard !others.isEmpty else {
            let words = rows.count == 1 ? "\(shown(rows[0].name)) is" : "\(Format.plural(rows.count, "task")) are"
            return say("\(words) paused already", .dim, &state, now)
        }
        let tasks = others.filter { !$0.isDetached }.map(\.task)
        guard !tasks.isEmpty else { return sayAllRunsOn(&state, now) }
        change.send(.steer(.pause, .tasks(tasks)))
        say("\(Format.plural(tasks.count, "task")) paused", .bright, &state, now)
    }

    /// Lets go on what is selected and paused.
    static func resumeSelected(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard let rows = selectedActive(state) else {
            guard let row = state.selectedRow else { return say("nothing selected", .dim, &state, now) }
            if row.state == .paused { return resume(row, &state, &change, now) }
            let isAlone = state.selectedCount(in: state.focus) < 2
            return say("\(isAlone ? shown(row.name) : "what is selected") is not paused", .dim, &state, now)
        }
        let tasks = rows.filter { $0.state == .paused }.map(\.task)
        guard !tasks.isEmpty else {
            let words = rows.count == 1 ? shown(rows[0].name) : "what is selected"
            return say("\(words) is not paused", .dim, &state, now)
        }
        change.send(.steer(.resume, .tasks(tasks)))
        say("\(Format.plural(tasks.count, "task")) resumed", .bright, &state, now)
    }

    // MARK: All

    /// Pauses what runs; only if nothing is left to pause, lets all go on.
    static func pauseAll(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        if state.isAllPaused {
            goOn(&state, &change, now)
        } else if state.mayPauseAll {
            pauseRunning(&state, &change, now)
        } else {
            say(state.noted("nothing runs: the queue is suspended", .suspend, "goes on"), .wait, &state, now)
        }
    }

    static func pauseRunning(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        change.send(.pauseAll)
        state.snapshot.settings.suspended = true
        state.hasPausedAll = true
        state.snapshot.showPaused { $0.state == .active && $0.receipts > 0 }
        settle(&state)
        say(state.keyed("all paused", .pauseAll, "resumes"), .wait, &state, now)
    }

    static func goOn(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        change.send(.resumeAll)
        (state.snapshot.settings.suspended, state.hasPausedAll) = (false, false)
        if state.snapshot.neededSpace == nil {
            say("all resumed", .ok, &state, now)
        } else {
            say("all resumed: the queue goes on when there is room on the disk", .wait, &state, now)
        }
    }

    static func suspend(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let isSuspended = !state.snapshot.settings.suspended
        (state.snapshot.settings.suspended, state.hasPausedAll) = (isSuspended, false)
        change.send(.set(SettingChange(name: "suspended", value: .flag(isSuspended))))
        if isSuspended {
            say(state.noted("queue suspended", .suspend, "goes on"), .wait, &state, now)
        } else if state.snapshot.neededSpace == nil {
            say("the queue goes on", .ok, &state, now)
        } else {
            say("the queue goes on when there is room on the disk", .wait, &state, now)
        }
    }

    /// A task's name in a sentence.
    static func shown(_ name: String) -> String { shown(name, 40) }

    private static func shown(_ name: String, _ columns: Int) -> String {
        Elision.middle(VisibleText.visible(name, limit: 300), columns)
    }

    /// A sentence whose end says what to do: where the screen is narrow, the name in it gives way first.
    private static func sentence(of name: String, _ state: AppState, _ words: (String) -> String) -> String {
        let whole = words(shown(name))
        let over = TextWidth.columns(of: whole) - (state.terminal.width - 2)
        guard state.hasKeys, over > 0 else { return whole }
        return words(shown(name, max(12, TextWidth.columns(of: shown(name)) - over)))
    }
}

extension AppState {
    /// A task that was told to go on, and may wait for its slot where the user does not see it.
    struct Resumed: Equatable, Sendable {
        let task: TaskID
        let name: String
        let until: Timestamp
    }

    /// Whether there is nothing left to pause, so that the key for that lets all go on.
    var isAllPaused: Bool {
        !snapshot.isRunning && (snapshot.pausedCount > 0 || hasPausedAll && snapshot.settings.suspended)
    }

    /// Whether the key for pausing all does something, be it that all go on.
    ///
    /// Where a suspended queue runs nothing it does not: who suspended it does not ask this key for it.
    var mayPauseAll: Bool { isAllPaused || snapshot.isRunning || !snapshot.settings.suspended }

    /// Whether all is paused indeed: no retry comes due, and nothing that is queued may start.
    var isAllStopped: Bool {
        isAllPaused && (snapshot.settings.suspended || snapshot.waitingCount + snapshot.queuedCount == 0)
    }

    /// A sentence, and behind it what a key does next, as `paused a.jpg · p resumes`; nothing where words are typed.
    func noted(_ sentence: String, _ action: KeyAction, _ words: String) -> String {
        guard hasKeys, let phrase = configuration.keys.phrase(action, words) else { return sentence }
        return "\(sentence) · \(phrase)"
    }
}

extension PipelineSnapshot {
    /// Whether a task has a slot and somebody who waits for it.
    var isRunning: Bool { active.contains { $0.receipts > 0 && $0.state == .active } }

    /// Moves rows that run, or wait for a retry, to the paused ones, as the pipeline will.
    fileprivate mutating func showPaused(_ isMeant: (Row) -> Bool) {
        let rows = (active + waiting).filter(isMeant)
        guard !rows.isEmpty else { return }
        let tasks = Set(rows.map(\.task))
        active.removeAll { tasks.contains($0.task) }
        let left = waiting.count { !tasks.contains($0.task) }
        waitingCount -= waiting.count - left
        waiting.removeAll { tasks.contains($0.task) }
        for var row in rows {
            row.state = .paused
            (row.rate, row.silentSince) = (0, nil)
            paused.append(row)
        }
        pausedCount += rows.count
    }
}
