internal import SluiceCore

/// Rows of one kind, and how what follows their names is read.
extension CommandTable {
    static func key(_ name: String, _ action: KeyAction, _ help: String) -> CommandDefinition {
        CommandDefinition(name: name, argument: .none, help: help, isKey: true) { text throws(CommandError) in
            guard text.isEmpty else { throw CommandError(message: refusal(of: text, name, action), place: 0) }
            return .key(action)
        }
    }

    static func turn(_ name: String, _ step: Int) -> CommandDefinition {
        let help = "the \(name) match, task or image"
        return CommandDefinition(name: name, argument: .none, help: help, isKey: true) { text throws(CommandError) in
            guard text.isEmpty else { throw CommandError(message: ":\(name) takes nothing", place: 0) }
            return .turn(step)
        }
    }

    /// What a command is for, for the sentence that refuses another word.
    struct Scope {
        /// Without a word.
        var alone: String
        /// With one, where the word does not say it.
        var words: [String: String] = [:]

        static let selected = Scope(alone: "what is selected")
        static let memory = Scope(alone: "all images in memory", words: ["image": "the selected one"])
    }

    static func keys(
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

    static func value(_ name: String, of setting: String, _ help: String?) -> CommandDefinition {
        CommandDefinition(name: name, argument: .value(of: setting), help: help) { text throws(CommandError) in
            text.isEmpty ? .tell(setting) : .set([try change(setting, text)])
        }
    }

    static func host(_ text: String) throws(CommandError) -> String {
        if RequestURL(secureHost: text) != nil, HostPattern(text)?.isWide == false { return text }
        throw CommandError(message: "a host can follow: site.example or site.example:8443", place: 0)
    }

    static func pins(_ text: String) throws(CommandError) -> PromptCommand {
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

    static func required(_ text: String, _ what: String) throws(CommandError) -> String {
        guard !text.isEmpty else { throw CommandError(message: "\(what) must follow", place: 0) }
        return text
    }

    /// The path of a list, also behind the `@` that a list has where URLs are typed.
    ///
    /// A file whose name begins with one is `./@name`.
    static func listPath(_ text: String) throws(CommandError) -> String {
        let path = text.first == "@" ? String(text.dropFirst()).trimmed : text
        if URLText.isURL(path), !path.lowercased().hasPrefix("file:") {
            throw CommandError(message: "a file of URLs must follow, and not a URL", place: 0)
        }
        return try required(path, "a file")
    }

    /// One of several words; with a scope the error tells what each is for.
    static func word(
        _ text: String,
        of name: String,
        _ meanings: [String: PromptCommand],
        _ scope: Scope? = .selected
    ) throws(CommandError) -> PromptCommand {
        if let meaning = meanings[text] { return meaning }
        let words = meanings.keys.filter { !$0.isEmpty }.sorted()
        // Tasks have numbers in the events and for programs; here one points at them.
        if let scope, meanings[""] != nil {
            let rest = words.map { ":\(name) \($0) for \(scope.words[$0] ?? $0)" }.joined(separator: ", ")
            throw CommandError(
                message: ":\(name) is for \(scope.alone), \(rest); it takes no \"\(text)\"",
                place: 0
            )
        }
        let list =
            words.count > 1
            ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words.joined()
        if words.count > 4, meanings[""] == nil {
            throw refusal(of: text, name, list)
        }
        let nothing = meanings[""] == nil ? "" : ", or nothing"
        let instead = text.isEmpty ? "" : ", not \"\(text)\""
        throw CommandError(message: "\(list) can follow\(nothing)\(instead)", place: 0)
    }

    /// Columns that a sentence under the prompt has where the screen is 80 wide.
    private static let room = 78

    /// Why a word can't follow, with all that can; where that has no room, how to learn them: half of a list is no advice.
    private static func refusal(of text: String, _ name: String, _ list: String) -> CommandError {
        let word = VisibleText.visible(text, limit: 24)
        let fault = text.isEmpty ? "a word must follow" : "\"\(word)\" can't follow"
        let usage = ":\(name) \(list)"
        let advice = "\(fault); Tab behind :\(name) names what can"
        return CommandError(
            message: fault + (text.isEmpty ? ": " : ", but ") + list,
            brief: TextWidth.columns(of: usage) <= room ? usage : advice,
            place: 0
        )
    }

    /// Why nothing can follow a command that takes nothing.
    static func refusal(of text: String, _ name: String, _ action: KeyAction) -> String {
        switch action {
        case .abort, .promote, .toEnd, .earlier, .later, .openFile, .removeRow, .deleteFile:
            ":\(name) is for what is selected; it takes no \"\(text)\""
        default: ":\(name) takes nothing"
        }
    }

    static func setting(_ text: String) throws(CommandError) -> PromptCommand {
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

    static func oneURL(_ text: String) throws(CommandError) -> String {
        let line = PromptLine(try required(text, "a URL"))
        if let fault = line.firstInvalid?.fault { throw CommandError(message: fault, place: 0) }
        guard line.words.count == 1, case .url(let url, 1) = line.words[0].meaning else {
            throw CommandError(message: "one URL can follow: https://site.example/a.jpg", place: 0)
        }
        return url
    }

    /// Limits the selected tasks, each by itself.
    static func limit(_ name: String) -> CommandDefinition {
        CommandDefinition(name: name, argument: .text("SIZE"), help: "limit it, 0 for none") {
            text throws(CommandError) in .limitTasks(try rate(text))
        }
    }

    private static func rate(_ text: String) throws(CommandError) -> Int {
        do throws(SettingError) {
            if case .integer(let rate) = try Settings.parse("limitRate", text).value { return rate }
        } catch {}
        throw CommandError(message: "a size a second can follow, as 200K, or 0 for no limit", place: 0)
    }

    static func change(_ name: String, _ text: String) throws(CommandError) -> SettingChange {
        // Nothing behind the name asks what the setting is, so that an empty list needs a word.
        if SettingText.isList(name), text == "none" || text == "\"\"" {
            return SettingChange(name: name, value: .list([]))
        }
        do throws(SettingError) {
            return try Settings.parse(name, text)
        } catch {
            throw CommandError(message: SettingText.refusal(ofSize: name) ?? error.message, place: 0)
        }
    }

    /// The capacity with the usual size that a purge leaves of it, as on the command line.
    static func cacheChanges(_ text: String) throws(CommandError) -> [SettingChange] {
        guard !text.isEmpty else { throw CommandError(message: "a size must follow: :cache 200M", place: 0) }
        let capacity = try change("cacheCapacity", text)
        guard case .integer(let bytes) = capacity.value, bytes > 0 else { return [capacity] }
        return [SettingChange(name: "cachePreferred", value: .integer(Settings.usualPreferred(of: bytes))), capacity]
    }
}
