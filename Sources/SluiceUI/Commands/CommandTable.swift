internal import SluiceCore

/// The one table of `:` commands: every action and every setting by its name.
///
/// The prompt reads and completes from it; help and manual are made of it.
enum CommandTable {
    static let all: [CommandDefinition] = input + tasks + trust + queue + lists + files + cache + screen + settings

    /// Rows of the help: name and meaning; what follows a name is told while it is typed.
    static var help: [(label: String, text: String)] {
        all.compactMap { command in command.help.map { (":\(command.name)", $0) } } + [(":NAME", "a setting by name")]
    }

    /// The commands as a Markdown table, for the manual.
    static var markdown: String {
        let explained = all.compactMap { command in
            command.help.map { (label: ":\(command.name)\(command.argument.label)", text: $0) }
        }
        let rows = (explained + [(label: ":NAME VALUE", text: "any setting by its name")]).map { row in
            "| `\(row.label.replacing("|", with: "\\|"))` | \(row.text.replacing("|", with: "\\|")) |"
        }
        let names = Settings.names.map { "`\($0)`" }.joined(separator: " ")
        return (["| Command | What it does |", "| --- | --- |"] + rows).joined(separator: "\n")
            + "\n\nSettings: \(names).\n"
    }

    /// Reads what follows the colon.
    ///
    /// - Throws: For an unknown command, with those that resemble it, and for a bad argument, with what is allowed.
    static func parse(_ text: String) throws(CommandError) -> PromptCommand {
        let characters = Array(text)
        let start = characters.firstIndex { !$0.isWhitespace } ?? characters.count
        let end = characters[start...].firstIndex(where: \.isWhitespace) ?? characters.count
        let argumentStart = characters[end...].firstIndex { !$0.isWhitespace } ?? characters.count
        let name = String(characters[start..<end])
        let argument = String(characters[argumentStart...]).trimmed
        guard let command = all.first(where: { $0.name == name }) else {
            throw CommandError(message: unknown(name), place: start)
        }
        do throws(CommandError) {
            return try command.read(argument)
        } catch {
            throw CommandError(message: error.message, place: argumentStart + error.place)
        }
    }

    /// Where the argument stands behind the colon, in clusters.
    static func argumentPlace(in text: String) -> Int {
        let characters = Array(text)
        let start = characters.firstIndex { !$0.isWhitespace } ?? characters.count
        let end = characters[start...].firstIndex(where: \.isWhitespace) ?? characters.count
        return characters[end...].firstIndex { !$0.isWhitespace } ?? characters.count
    }

    private static func unknown(_ name: String) -> String {
        guard !name.isEmpty else { return "a command's name is missing: :help names them, Tab completes" }
        let word = name.lowercased()
        let near = all.map { ($0.name, EditDistance.between(word, $0.name.lowercased())) }
            .filter { $0.1 <= 2 || (word.count >= 2 && $0.0.lowercased().hasPrefix(word)) }
            .sorted { $0.1 < $1.1 }.prefix(3).map { ":\($0.0)" }
        let offer = near.isEmpty ? "Tab completes, :help names all" : "did you mean \(near.joined(separator: " or "))?"
        return "there is no command :\(name); \(offer)"
    }

    // MARK: Rows

    private static let input = [
        CommandDefinition(name: "add", argument: .url("URL…"), help: "add URLs") { text throws(CommandError) in
            .add(try required(text, "URLs"))
        },
        CommandDefinition(name: "import", argument: .file, help: "add a list of URLs") {
            text throws(CommandError) in
            .importList(try required(text, "a file"))
        },
        CommandDefinition(name: "prefetch", argument: .file, help: "fill the caches") {
            text throws(CommandError) in
            .prefetchList(try required(text, "a file"))
        },
    ]

    private static let tasks = [
        key("abort", .abort, "abort the selected"),
        keys("cancel", ["": .cancelReceipt, "all": .cancelAll], "a receipt, or all"),
        CommandDefinition(name: "pause", argument: .optional(["all"]), help: "the selected, or all") {
            text throws(CommandError) in
            try word(text, of: "pause", ["": .key(.pause), "all": .pauseAll])
        },
        CommandDefinition(name: "resume", argument: .optional(["all"]), help: "the selected, or all") {
            text throws(CommandError) in
            try word(text, of: "resume", ["": .resume, "all": .resumeAll])
        },
        keys("retry", ["": .retry, "all": .retryAll], "the failed one, or all"),
        CommandDefinition(name: "url", argument: .url("URL"), help: "go on with another URL") {
            text throws(CommandError) in .replaceURL(try oneURL(text))
        },
        CommandDefinition(name: "rate", argument: .text("SIZE"), help: "limit it, 0 for none") {
            text throws(CommandError) in .limitTasks(try rate(text))
        },
        CommandDefinition(name: "priority", argument: .word(Priority.allCases.map(\.name)), help: "of the selected") {
            text throws(CommandError) in
            let priorities = Priority.allCases.map { ($0.name, PromptCommand.setPriority($0)) }
            return try word(text, of: "priority", Dictionary(uniqueKeysWithValues: priorities))
        },
    ]

    private static let trust = [
        CommandDefinition(name: "trust", argument: .text("[HOST]"), help: "certificates of a host") {
            text throws(CommandError) in
            text.isEmpty ? .key(.trust) : .trust(try host(text))
        },
        CommandDefinition(name: "pin", argument: .text("HOST sha256/…"), help: "pin its keys, asks") {
            text throws(CommandError) in
            try pins(text)
        },
    ]

    private static let queue = [
        key("top", .promote, "before all others"), key("end", .toEnd, "to its level's end"),
        key("earlier", .earlier, "one place up"), key("later", .later, "one place down"),
        value("slots", of: "maxActive", "how many run at once"), value("order", of: "order", "where new tasks stand"),
        key("suspend", .suspend, "suspend, go on"),
        value("throttle", of: "limitRate", "bytes a second in all"),
    ]

    private static let files = [
        key("open", .openFile, "open the saved file"),
        keys("copy", ["path": .copyPath, "url": .copyURL], "copy path or URL"),
        key("remove", .removeRow, "take the row away"), key("delete", .deleteFile, "delete the file, asks"),
    ]

    private static let lists = [
        CommandDefinition(name: "filter", argument: .text("TEXT"), help: "show what matches only") {
            text throws(CommandError) in .filter(text)
        },
        CommandDefinition(name: "find", argument: .text("TEXT"), help: "go to what matches") {
            text throws(CommandError) in
            .find(try required(text, "a text"))
        },
        CommandDefinition(name: "select", argument: .word(["all", "none"]), help: "all rows, or none") {
            text throws(CommandError) in
            try word(text, of: "select", ["all": .key(.selectAll), "none": .selectNone])
        },
        CommandDefinition(name: "sort", argument: .word(RowSort.allCases.map(\.title)), help: "sort the list") {
            text throws(CommandError) in
            let sorts = RowSort.allCases.map { ($0.title, PromptCommand.sort($0)) }
            return try word(text, of: "sort", Dictionary(uniqueKeysWithValues: sorts))
        },
        key("reverse", .reverse, "the other way round"),
    ]

    private static let cache = [
        CommandDefinition(name: "cache", argument: .value(of: "cacheCapacity"), help: "size of the cache") {
            text throws(CommandError) in
            .set(try cacheChanges(text))
        },
        keys("purge", ["": .clearCache, "image": .dropImage], "memory cache, or image", scope: .memory),
        key("pressure", .pressure, "simulate pressure"),
    ]

    private static let screen = [
        CommandDefinition(name: "set", argument: .setting, help: "change, tell a setting") {
            text throws(CommandError) in
            try setting(text)
        },
        CommandDefinition(name: "focus", argument: .word(panels.map(\.title)), help: "go to a panel") {
            text throws(CommandError) in
            let actions = panels.map { ($0.title, PromptCommand.key(.focus($0))) }
            return try word(text, of: "focus", Dictionary(uniqueKeysWithValues: actions))
        },
        CommandDefinition(name: "theme", argument: .theme, help: "other colours") { text throws(CommandError) in
            .theme(text)
        },
        key("redraw", .redraw, "paint it anew"), key("shell", .stop, "to the shell"),
        key("help", .help, "keys and commands"),
        key("quit", .quit, "quit"),
    ]

    /// Those that a key leads to.
    private static let panels = Panel.allCases.filter { panel in
        KeyMap.standardBindings.contains { $0.action == .focus(panel) }
    }

    private static let settings = Settings.names.filter { $0 != "order" }.map { name in
        value(name, of: name, nil)
    }

    // MARK: Reading arguments

    private static func key(_ name: String, _ action: KeyAction, _ help: String) -> CommandDefinition {
        CommandDefinition(name: name, argument: .none, help: help) { text throws(CommandError) in
            guard text.isEmpty else { throw CommandError(message: refusal(of: text, name, action), place: 0) }
            return .key(action)
        }
    }

    /// What a command is for, for the sentence that refuses another word.
    private struct Scope {
        /// Without a word.
        var alone: String
        /// With one, where the word does not say it.
        var words: [String: String] = [:]

        static let selected = Scope(alone: "what is selected")
        static let memory = Scope(alone: "all images in memory", words: ["image": "the selected one"])
    }

    private static func keys(
        _ name: String,
        _ actions: [String: KeyAction],
        _ help: String,
        scope: Scope = .selected
    ) -> CommandDefinition {
        let words = actions.keys.filter { !$0.isEmpty }.sorted()
        return CommandDefinition(name: name, argument: .optional(words), help: help) { text throws(CommandError) in
            try word(text, of: name, actions.mapValues { .key($0) }, scope)
        }
    }

    private static func value(_ name: String, of setting: String, _ help: String?) -> CommandDefinition {
        CommandDefinition(name: name, argument: .value(of: setting), help: help) { text throws(CommandError) in
            text.isEmpty ? .tell(setting) : .set([try change(setting, text)])
        }
    }

    private static func host(_ text: String) throws(CommandError) -> String {
        if AppState.secureURL(ofHost: text) != nil, HostPattern(text)?.isWide == false { return text }
        throw CommandError(message: "a host can follow: site.example or site.example:8443", place: 0)
    }

    private static func pins(_ text: String) throws(CommandError) -> PromptCommand {
        let words = text.split(separator: " ").map(String.init)
        guard let name = words.first else {
            throw CommandError(message: "a host and its keys must follow: :pin site.example sha256/…", place: 0)
        }
        let pins = Array(words.dropFirst())
        if pins.isEmpty { throw CommandError(message: "keys must follow: sha256/…; T shows them", place: text.count) }
        for pin in pins {
            do throws(TrustError) {
                _ = try TrustPin.hash(pin)
            } catch {
                let place = text.firstRange(of: pin).map { text.distance(from: text.startIndex, to: $0.lowerBound) }
                throw CommandError(message: error.message, place: place ?? 0)
            }
        }
        return .pin(try host(name), pins)
    }

    private static func required(_ text: String, _ what: String) throws(CommandError) -> String {
        guard !text.isEmpty else { throw CommandError(message: "\(what) must follow", place: 0) }
        return text
    }

    private static func word(
        _ text: String,
        of name: String,
        _ meanings: [String: PromptCommand],
        _ scope: Scope = .selected
    ) throws(CommandError) -> PromptCommand {
        if let meaning = meanings[text] { return meaning }
        let words = meanings.keys.filter { !$0.isEmpty }.sorted()
        // Tasks have numbers in the events and for programs; here one points at them.
        guard meanings[""] == nil else {
            let rest = words.map { ":\(name) \($0) for \(scope.words[$0] ?? $0)" }.joined(separator: ", ")
            throw CommandError(
                message: ":\(name) is for \(scope.alone), \(rest); it takes no \"\(text)\"",
                place: 0
            )
        }
        let list =
            words.count > 1
            ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words.joined()
        let instead = text.isEmpty ? "" : ", not \"\(text)\""
        throw CommandError(message: "\(list) can follow\(instead)", place: 0)
    }

    /// Why nothing can follow a command that takes nothing.
    private static func refusal(of text: String, _ name: String, _ action: KeyAction) -> String {
        switch action {
        case .abort, .promote, .toEnd, .earlier, .later, .openFile, .removeRow, .deleteFile:
            ":\(name) is for what is selected; it takes no \"\(text)\""
        default: ":\(name) takes nothing"
        }
    }

    private static func setting(_ text: String) throws(CommandError) -> PromptCommand {
        let words = text.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
        guard let name = words.first else {
            throw CommandError(message: "a setting and a value must follow: :set maxActive 8", place: 0)
        }
        guard Settings.names.contains(name) else {
            do throws(SettingError) {
                _ = try Settings.parse(name, "")
            } catch {
                throw CommandError(message: error.message, place: 0)
            }
            return .tell(name)
        }
        guard words.count == 2, !words[1].isEmpty else { return .tell(name) }
        do throws(CommandError) {
            return .set([try change(name, words[1])])
        } catch {
            throw CommandError(message: error.message, place: text.count - words[1].count)
        }
    }

    private static func oneURL(_ text: String) throws(CommandError) -> String {
        let line = PromptLine(try required(text, "a URL"))
        if let fault = line.firstInvalid?.fault { throw CommandError(message: fault, place: 0) }
        guard line.words.count == 1, case .url(let url, 1) = line.words[0].meaning else {
            throw CommandError(message: "one URL can follow: https://site.example/a.jpg", place: 0)
        }
        return url
    }

    private static func rate(_ text: String) throws(CommandError) -> Int {
        do throws(SettingError) {
            if case .integer(let rate) = try Settings.parse("limitRate", text).value { return rate }
        } catch {}
        throw CommandError(message: "a size a second can follow, as 200K, or 0 for no limit", place: 0)
    }

    private static func change(_ name: String, _ text: String) throws(CommandError) -> SettingChange {
        do throws(SettingError) {
            return try Settings.parse(name, text)
        } catch {
            throw CommandError(message: error.message, place: 0)
        }
    }

    /// A smaller capacity lowers what a purge leaves too, as on the command line.
    private static func cacheChanges(_ text: String) throws(CommandError) -> [SettingChange] {
        guard !text.isEmpty else { throw CommandError(message: "a size must follow: :cache 200M", place: 0) }
        let capacity = try change("cacheCapacity", text)
        guard case .integer(let bytes) = capacity.value, bytes > 0 else { return [capacity] }
        let (tenths, overflow) = bytes.multipliedReportingOverflow(by: 6)
        let preferred = overflow ? bytes / 10 * 6 : tenths / 10
        return [SettingChange(name: "cachePreferred", value: .integer(preferred)), capacity]
    }
}
