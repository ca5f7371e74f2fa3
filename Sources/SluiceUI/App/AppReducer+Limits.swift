internal import SluiceCore

/// How much a task may have: its rate, its priority.
extension AppReducer {
    static func openLimit(_ state: inout AppState, _ now: Timestamp) {
        guard state.hasLiveTarget else { return say("nothing selected that runs or waits", .dim, &state, now) }
        let row = state.liveTarget
        openPrompt(with: ":limit ", &state)
        state.prompt.limited = PromptState.Limited(
            task: row?.task,
            name: row.map { shown($0.name) } ?? "what was selected"
        )
    }

    /// Forgets what the key for a limit was pressed on, once its line is left or is no limit any more.
    static func forgetLimited(_ state: inout AppState) {
        // A look through the history may come back to the line.
        let isLookingBack = state.prompt.search != nil || state.prompt.history.isShown
        guard state.prompt.limited != nil, !(state.mode.isPrompt && isLookingBack) else { return }
        if !state.mode.isPrompt || !state.prompt.isLimit { state.prompt.limited = nil }
    }

    static func limitTasks(_ rate: Int, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        var (count, name) = (state.liveTargetCount, nameOfTarget(state))
        if let limited = state.prompt.limited, !state.isLive(limited) {
            return say("\(limited.name) ended meanwhile", .wait, &state, now)
        }
        if let limited = state.prompt.limited, let task = limited.task {
            (count, name) = (1, limited.name)
            change.send(.steer(.setRate(rate), .tasks([task])))
        } else {
            steerTargets(.setRate(rate), &state, &change)
        }
        let words =
            switch (rate > 0, count) {
            case (true, 1): "\(name) limited to \(Format.limit(rate).text)/s"
            case (false, 1): "\(name) has no limit of its own"
            case (true, _): "each of \(Format.plural(count, "task")) has a limit of \(Format.limit(rate).text)/s"
            case (false, _): "\(Format.plural(count, "task")) have no limits of their own any more"
            }
        say(words, .ok, &state, now)
    }

    static func setPriority(_ priority: Priority, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let (count, name) = (state.liveTargetCount, nameOfTarget(state))
        steerTargets(.setPriority(priority), &state, &change)
        let words =
            count == 1
            ? "priority of \(name) is \(priority.name)"
            : "priority is \(priority.name) for \(Format.plural(count, "task"))"
        say(words, .ok, &state, now)
    }

    /// What a sentence calls the one task that a command is for.
    private static func nameOfTarget(_ state: AppState) -> String {
        state.liveTarget.map { shown($0.name) } ?? "1 task"
    }

    /// Steers what is selected, else the task under the cursor.
    static func steerTargets(_ steering: TaskSteering, _ state: inout AppState, _ change: inout Change) {
        let parts = selected(state) ?? state.selectedRow.map { [.tasks([$0.task])] } ?? []
        for part in parts { change.send(.steer(steering, part)) }
    }
}

extension PromptState {
    /// Whether the line limits tasks, or is about to.
    fileprivate var isLimit: Bool {
        let name = PromptLine(editor.characters).command?.split(separator: " ").first
        return name.flatMap { CommandTable.definition(of: $0) }?.name == "limit"
    }
}

extension AppState.Mode {
    /// Whether the prompt is typed at, or comes back.
    fileprivate var isPrompt: Bool {
        switch self {
        case .prompt: true
        case .help(let below), .paste(_, let below): below.isPrompt
        case .lists, .filter, .sortMenu, .trust, .event, .question: false
        }
    }
}

extension AppState {
    /// How many live tasks a command is for: those selected, else the one under the cursor.
    var liveTargetCount: Int {
        [.active, .queued].contains(focus) && !self[list: focus].selection.isEmpty ? selectedCount(in: focus) : 1
    }

    /// The row of the one task that a command is for; `nil` for several, and where it is out of sight.
    var liveTarget: PipelineSnapshot.Row? {
        let selection = self[list: focus].selection
        guard [.active, .queued].contains(focus), !selection.isEmpty else { return selectedRow }
        guard liveTargetCount == 1 else { return nil }
        let isActive = focus == .active
        let (first, cursor) = isActive ? (0, activeCursor.index) : (snapshot.queuedFrom, queueCursor.position)
        let rows = isActive ? activeRows : snapshot.queued
        return rows.enumerated().first { place, row in
            selection.contains(row.task.rawValue, index: first + place, cursor: cursor)
        }?.element
    }

    /// The row that a limit is typed for, if it is for one that is known.
    var rowToLimit: PipelineSnapshot.Row? {
        guard let limited = prompt.limited else { return liveTarget }
        return knownRows.first { $0.task == limited.task }
            ?? snapshot.inspected.flatMap { $0.task == limited.task ? $0.row : nil }
    }

    /// Whether what the key for a limit was pressed on is still there, as far as anybody knows.
    fileprivate func isLive(_ limited: PromptState.Limited) -> Bool {
        guard let task = limited.task else { return !self[list: focus].selection.isEmpty }
        if record(of: task)?.end != nil { return false }
        // Of many tasks only some have a row here, so this one is inspected meanwhile, wherever it stands.
        return snapshot.inspected?.task == task || knownRows.contains { $0.task == task }
    }

    private var knownRows: [PipelineSnapshot.Row] {
        snapshot.active + snapshot.waiting + snapshot.paused + snapshot.queued
    }

    /// Whether there is a live task that a command could be for.
    var hasLiveTarget: Bool {
        selectedRow != nil || ([.active, .queued].contains(focus) && !self[list: focus].selection.isEmpty)
    }
}
