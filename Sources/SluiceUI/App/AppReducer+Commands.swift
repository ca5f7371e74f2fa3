internal import SluiceCore

/// Commands typed after a colon.
extension AppReducer {
    static func submit(
        command text: String,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        guard !text.trimmed.isEmpty else {
            return state.prompt.returnsToLists ? leavePrompt(&state) : refuse(state.wayOut(at: 0), &state)
        }
        if let url = state.prompt.replacement(in: text) {
            state.prompt.editor.replace(with: ":url " + url)
            return submit(command: "url " + url, &state, &change, now)
        }
        // Who types a URL wants it, also behind the colon.
        if URLText.hasScheme(text.trimmed) {
            state.prompt.editor.replace(with: ":add " + text.trimmed)
            return submit(command: "add " + text.trimmed, &state, &change, now)
        }
        let characters = state.prompt.editor.characters
        let start = (characters.firstIndex(of: ":") ?? 0) + 1
        let command: PromptCommand
        do throws(CommandError) {
            command = completed(try CommandTable.parse(text), state)
            try check(command, place: CommandTable.argumentPlace(in: text), state)
        } catch {
            let place = start + error.place
            return refuse(.init(message: error.message, brief: error.brief, place: place), &state)
        }
        remember(&state, &change)
        if state.prompt.returnsToLists { state.mode = .lists }
        if case .pin = command {} else { state.trust = nil }
        // What an earlier one led to is no answer to this one.
        state.message = nil
        carryOut(command, &state, &change, now)
        adviseUnit(of: command, text, &state)
    }

    /// With the usual size that a purge leaves, where the size of the cache alone was typed.
    ///
    /// One that was chosen stays as long as it fits.
    private static func completed(_ command: PromptCommand, _ state: AppState) -> PromptCommand {
        guard case .set(let changes) = command, changes.count == 1, changes[0].name == "cacheCapacity",
            case .integer(let capacity) = changes[0].value
        else { return command }
        let settings = state.snapshot.settings
        let usual = Settings.usualPreferred(of: capacity)
        let isUsual = settings.cachePreferred == Settings.usualPreferred(of: settings.cacheCapacity)
        let hasRoom = capacity == 0 || settings.cachePreferred <= capacity
        guard usual != settings.cachePreferred, isUsual || !hasRoom else { return command }
        return .set([SettingChange(name: "cachePreferred", value: .integer(usual))] + changes)
    }

    /// Says how mebibytes are typed, to who typed a small number without a unit where sizes and rates are in bytes.
    private static func adviseUnit(of command: PromptCommand, _ text: String, _ state: inout AppState) {
        let name: String? =
            switch command {
            case .set(let changes): changes.last?.name
            case .limitTasks: "limitRate"
            default: nil
            }
        guard let name, SettingText.isSize(name), let message = state.message, message.role == .ok,
            let word = text.split(separator: " ").last,
            let number = Int(word.hasSuffix("/s") ? word.dropLast(2) : word), (1..<1_024).contains(number)
        else { return }
        state.message?.text += "; \(number)M sets \(SettingText.text(name, .integer(number << 20)))"
    }

    /// What only shows against the state: settings that contradict each other, lines that are no URLs.
    private static func check(_ command: PromptCommand, place: Int, _ state: AppState) throws(CommandError) {
        switch command {
        case .set(let changes):
            var settings = state.snapshot.settings
            do throws(SettingError) {
                try settings.apply(changes)
            } catch {
                throw CommandError(message: error.message, place: place)
            }
        case .add(let text):
            let line = PromptLine(text)
            if let problem = problem(line) {
                throw CommandError(message: problem.message, place: place + problem.place)
            }
        case .theme(let name) where !name.isEmpty && state.configuration.theme(named: name) == nil:
            let names = state.configuration.themeNames.joined(separator: " ")
            throw CommandError(message: "there is no theme \(name), but \(names)", place: place)
        case .replaceURL where state.prompt.subject == nil && state.replaceable == nil:
            throw CommandError(message: "no task is selected that could go on with another URL", place: 0)
        case .sort(let sort):
            let choices = RowSort.choices(for: state.focus)
            guard !choices.isEmpty, !choices.contains(sort) else { return }
            let names = choices.map(\.title).joined(separator: " ")
            throw CommandError(
                message: "\(state.focus.title) can't be sorted by \(sort.title), but by \(names)",
                place: place
            )
        case .limitTasks where state.prompt.limited == nil && !state.hasLiveTarget,
            .setPriority where !state.hasLiveTarget:
            throw CommandError(message: "no task is selected that runs or waits", place: 0)
        default: break
        }
    }

    private static func carryOut(
        _ command: PromptCommand,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        switch command {
        case .key(let action): performHere(action, &state, &change, now)
        case .turn(let step):
            let (next, previous): (KeyAction, KeyAction) =
                switch state.focus {
                case .detail: (.nextTask, .previousTask)
                case .preview: (.nextPicture, .previousPicture)
                default: (.findNext, .findPrevious)
                }
            performHere(step > 0 ? next : previous, &state, &change, now)
        case .preset(let preset): show(preset, &state, now)
        case .mouse(let isUsed): useMouse(isUsed, &state, &change, now)
        case .set(let changes): set(changes, &state, &change, now)
        case .tell(let name): tell([name], &state, now)
        case .add(let text): send(PromptLine(text), &state, &change, now)
        case .importList(let path):
            state.prompt.importing.insert(path)
            read(list: path, &state, &change)
        case .prefetchList(let path):
            state.prompt.prefetching.insert(path)
            read(list: path, &state, &change)
        case .filter(let text):
            if let why = whyNot(.filter, state) { return say(why, .dim, &state, now) }
            narrow(to: text, isNarrowed: true, &state)
        case .find(let text):
            if let why = whyNot(.findNext, state) { return say(why, .dim, &state, now) }
            narrow(to: text, isNarrowed: false, &state)
            find(isBackward: false, &state, &change, now)
        case .selectNone: _ = clearSelection(&state)
        case .sort(let sort):
            if RowSort.choices(for: state.focus).isEmpty { return openSort(&state, now) }
            chooseSort(.character(sort.key), &state, now)
        case .pause: pauseSelected(&state, &change, now)
        case .resume: resumeSelected(&state, &change, now)
        case .resumeAll: goOn(&state, &change, now)
        case .forget: forget(&state, &change, now)
        case .forgetAll: forgetAll(&state, &change, now)
        case .replaceURL(let url): replaceURL(url, &state, &change, now)
        case .limitTasks(let rate): limitTasks(rate, &state, &change, now)
        case .setPriority(let priority): setPriority(priority, &state, &change, now)
        case .theme(let name): chooseTheme(name, &state, now)
        case .trust(let host): openTrust(host: host, &state, &change, now)
        case .pin(let host, let pins): draftPin(host: host, pins: pins, &state, &change, now)
        case .pauseAll: pauseRunning(&state, &change, now)
        case .quitNow:
            state.hasQuit = true
            change.effects.append(.quit)
        }
    }

    /// As the key would, or says in which panels that can be done.
    private static func performHere(
        _ action: KeyAction,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        if let why = whyNot(action, state) { return say(why, .dim, &state, now) }
        perform(action, &state, &change, now)
    }

    /// Changes settings in an order in which none contradicts another on the way.
    private static func set(
        _ changes: [SettingChange],
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        var steps = changes
        var trial = state.snapshot.settings
        do throws(SettingError) {
            for step in steps { _ = try trial.apply(step) }
        } catch {
            steps.reverse()
        }
        for step in steps {
            do throws(SettingError) {
                _ = try state.snapshot.settings.apply(step)
            } catch {
                return say(error.message, .bad, &state, now)
            }
            change.send(.set(step))
        }
        tell(changes.reversed().map(\.name), &state, now)
    }

    /// Says what a setting is, and what others are that were changed with it.
    private static func tell(_ names: [String], _ state: inout AppState, _ now: Timestamp) {
        let settings = state.snapshot.settings
        let facts = names.compactMap { name in
            settings.value(of: name).map { "\(name) is \(SettingText.typed(name, $0))" }
        }
        if !facts.isEmpty { say(facts.joined(separator: ", and with it "), .ok, &state, now) }
    }

    static func chooseTheme(_ name: String, _ state: inout AppState, _ now: Timestamp) {
        if !name.isEmpty, let theme = state.configuration.theme(named: name) { state.terminal.theme = theme }
        if !name.isEmpty, let note = state.noteOnGround {
            return say("theme is \(state.terminal.theme.name), \(note)", .wait, &state, now)
        }
        let others = state.configuration.themeNames.filter { $0 != state.terminal.theme.name }.joined(separator: " ")
        say(
            "theme is \(state.terminal.theme.name)\(name.isEmpty ? "; there are also \(others)" : "")",
            .ok,
            &state,
            now
        )
    }
}

extension AppState {
    /// That the theme is made for another ground than the terminal has, which is dark as long as it says nothing.
    ///
    /// `nil` where it is not: no theme paints a ground of its own.
    fileprivate var noteOnGround: String? {
        let (theme, isLightGround) = (terminal.theme, terminal.isLightGround)
        guard configuration.colorDepth != .mono, theme != .mono, !theme.followsGround else { return nil }
        let ground = isLightGround ?? false
        guard theme.palette(isLightGround: ground).isLight != ground else { return nil }
        guard let isLightGround else { return "made for a light ground; :theme auto asks for it" }
        return "and the ground is \(isLightGround ? "light" : "dark"); :theme auto follows it"
    }
}
