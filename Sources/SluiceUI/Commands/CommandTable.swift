internal import SluiceCore

/// The one table of `:` commands: every action and every setting by its name.
///
/// The prompt reads and completes from it; help and manual are made of it.
enum CommandTable {
    static let all: [CommandDefinition] =
        input + tasks + trust + queue + lists + files + cache + pictures + screen + settings

    /// Rows of the help: name and meaning; what follows a name is told while it is typed.
    ///
    /// The help has a row for each key already: what only repeats one is named by Tab and by the manual.
    static var help: [(label: String, text: String)] {
        all.compactMap { command in command.isKey ? nil : command.help.map { (":\(command.name)", $0) } }
            + [(":NAME", "a setting by name"), (": Tab", "the rest: what keys do")]
    }

    /// Rows of those that do what a key does: only who looks for one by its name wants it beside that key.
    static var helpOfKeys: [(label: String, text: String)] {
        all.compactMap { command in command.isKey ? command.help.map { (label: ":\(command.name)", text: $0) } : nil }
    }

    /// The commands as a Markdown table, for the manual.
    static var markdown: String {
        let explained = all.compactMap { command in
            command.help.map { (label: ":\(command.name)\(command.argument.fullLabel)", text: $0) }
        }
        let rows = (explained + [(label: ":NAME VALUE", text: "any setting by its name")]).map { row in
            "| `\(row.label.replacing("|", with: "\\|"))` | \(row.text.replacing("|", with: "\\|")) |"
        }
        let names = Settings.names.map { "`\($0)`" }.joined(separator: " ")
        return (["| Command | What it does |", "| --- | --- |"] + rows).joined(separator: "\n")
            + "\n\n`:q`, `:wq` and `:exit` quit as well, `:q!` without asking; `:h` helps.\n\nSettings: \(names).\n"
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
        guard let command = definition(of: name) else {
            throw CommandError(message: unknown(name), place: start)
        }
        do throws(CommandError) {
            return try command.read(argument)
        } catch {
            throw CommandError(message: error.message, brief: error.brief, place: argumentStart + error.place)
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
        // Every short name resembles a letter: it may be the first one only.
        let slips = name.count >= 2 ? 2 : 0
        let near = EditDistance.nearest(to: name, among: all.map(\.name), within: slips) { $0.hasPrefix($1) }
        let offer = EditDistance.offer(near, sign: ":") ?? "Tab completes, :help names all"
        return "there is no command :\(name); \(offer)"
    }

    /// What a name means, also one that only other programs have taught.
    static func definition(of name: some StringProtocol) -> CommandDefinition? {
        all.first { $0.name == name } ?? habits.first { $0.name == name }
    }

    /// The command that a word without a colon may have been meant for, if it is the name of one, or nearly.
    ///
    /// Stricter than what is offered behind a colon: here most words are meant for something else.
    static func nearest(to word: String) -> String? {
        let word = word.lowercased()
        if let command = definition(of: word) { return command.name }
        // Many names are a slip away from short words.
        let slips = word.count < 3 ? 0 : word.count < 6 ? 1 : 2
        let near = all.map { (name: $0.name, slips: EditDistance.between(word, $0.name.lowercased())) }
        return near.filter { $0.slips <= slips }.min { $0.slips < $1.slips }?.name
    }

    // MARK: Rows

    /// What fingers type that know editors, or Sluice as it was; neither completed nor listed one by one.
    private static let habits = [
        limit("rate"), value("throttle", of: "limitRate", "limit all together"),
        key("q", .quit, "quit"), key("wq", .quit, "quit"), key("exit", .quit, "quit"),
        key("h", .help, "keys and commands"),
        CommandDefinition(name: "q!", argument: .none, help: "quit without asking", isKey: true) {
            text throws(CommandError) in
            guard text.isEmpty else { throw CommandError(message: ":q! takes nothing", place: 0) }
            return .quitNow
        },
    ]

    private static let input = [
        CommandDefinition(name: "add", argument: .url("URL…"), help: "add URLs") { text throws(CommandError) in
            .add(try required(text, "URLs"))
        },
        CommandDefinition(name: "import", argument: .file, help: "add a list of URLs") {
            text throws(CommandError) in
            .importList(try listPath(text))
        },
        CommandDefinition(name: "prefetch", argument: .file, help: "fill the caches") {
            text throws(CommandError) in
            .prefetchList(try listPath(text))
        },
    ]

    private static let tasks = [
        key("abort", .abort, "abort the selected"),
        keys("cancel", ["": .cancelReceipt, "all": .cancelAll], "a receipt, or all"),
        CommandDefinition(name: "pause", argument: .optional(["all"]), help: "the selected, or all") {
            text throws(CommandError) in
            try word(text, of: "pause", ["": .pause, "all": .pauseAll])
        },
        CommandDefinition(name: "resume", argument: .optional(["all"]), help: "the selected, or all") {
            text throws(CommandError) in
            try word(text, of: "resume", ["": .resume, "all": .resumeAll])
        },
        keys("retry", ["": .retry, "all": .retryAll], "the failed one, or all"),
        CommandDefinition(name: "forget", argument: .optional(["all"]), help: "a failure, or all") {
            text throws(CommandError) in
            try word(text, of: "forget", ["": .forget, "all": .forgetAll])
        },
        key("detail", .openDetail, "detail of the task"), key("headers", .allHeaders, "all headers in the detail"),
        CommandDefinition(name: "url", argument: .url("URL"), help: "go on with another URL") {
            text throws(CommandError) in .replaceURL(try oneURL(text))
        },
        limit("limit"),
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
        value("limitRate", of: "limitRate", "limit all together"),
    ]

    private static let files = [
        key("open", .openFile, "open the saved file"),
        keys("copy", ["": .copyPath, "path": .copyPath, "url": .copyURL], "copy path or URL"),
        key("remove", .removeRow, "remove or forget a row"), key("delete", .deleteFile, "delete the file, asks"),
    ]

    private static let lists = [
        CommandDefinition(name: "filter", argument: .text("TEXT"), help: "show what matches only") {
            text throws(CommandError) in .filter(text)
        },
        CommandDefinition(name: "find", argument: .text("TEXT"), help: "go to what matches") {
            text throws(CommandError) in
            .find(try required(text, "a text"))
        },
        turn("next", 1), turn("previous", -1),
        CommandDefinition(
            name: "go",
            argument: .word(moves.map(\.word), as: "WHERE"),
            help: "move the cursor",
            isKey: true
        ) { text throws(CommandError) in
            let places = moves.map { ($0.word, PromptCommand.key($0.action)) }
            return try word(text, of: "go", Dictionary(uniqueKeysWithValues: places))
        },
        CommandDefinition(name: "select", argument: .optional(["range", "all", "none"]), help: "a row, or more") {
            text throws(CommandError) in
            let meanings: [String: PromptCommand] = [
                "": .key(.select), "range": .key(.selectRange), "all": .key(.selectAll), "none": .selectNone,
            ]
            return try word(text, of: "select", meanings, nil)
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

    private static let pictures = [
        key("image", .openPicture, "the image, and back"), key("gallery", .openGallery, "all images, and back"),
        key("zoom", .zoomPicture, "the image larger, and whole again"),
    ]

    private static let screen = [
        CommandDefinition(name: "set", argument: .setting, help: "change, tell a setting") {
            text throws(CommandError) in
            try setting(text)
        },
        CommandDefinition(
            name: "focus",
            argument: .word(panels.map(\.title) + ["next", "previous"]),
            help: "go to a panel"
        ) { text throws(CommandError) in
            let actions = panels.map { ($0.title, PromptCommand.key(.focus($0))) }
            let turns = [("next", PromptCommand.key(.nextPanel)), ("previous", .key(.previousPanel))]
            return try word(text, of: "focus", Dictionary(uniqueKeysWithValues: actions + turns))
        },
        CommandDefinition(
            name: "preset",
            argument: .optional(Layout.Preset.allCases.map(\.word)),
            help: "which panels are seen"
        ) { text throws(CommandError) in
            let presets = Layout.Preset.allCases.map { ($0.word, PromptCommand.preset($0)) }
            return try word(
                text,
                of: "preset",
                Dictionary(uniqueKeysWithValues: presets + [("", .key(.nextPreset))]),
                nil
            )
        },
        key("restore", .restore, "back to all panels"),
        CommandDefinition(name: "mouse", argument: .optional(["on", "off"]), help: "mouse on or off", isKey: true) {
            text throws(CommandError) in
            try word(text, of: "mouse", ["": .key(.toggleMouse), "on": .mouse(true), "off": .mouse(false)], nil)
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

    /// Where the cursor can go.
    private static let moves: [(word: String, action: KeyAction)] = [
        ("down", .down), ("up", .up), ("left", .left), ("right", .right), ("first", .first), ("last", .last),
        ("pagedown", .pageDown), ("pageup", .pageUp), ("halfdown", .halfDown), ("halfup", .halfUp),
    ]

    private static let settings = Settings.names.filter { !["order", "limitRate"].contains($0) }.map { name in
        value(name, of: name, nil)
    }
}
