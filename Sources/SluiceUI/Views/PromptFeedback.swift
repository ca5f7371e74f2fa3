internal import SluiceCore

/// What Enter would do with the text in the prompt, or why it did not.
struct PromptFeedback {
    /// Longest first; the last keeps what matters, in signs.
    ///
    /// One alone can be cut off.
    let choices: [StyledText]

    /// With `hasRowUnder` a problem stands under the text, and not beside it.
    init(_ state: AppState, hasRowUnder: Bool) {
        guard state.quitArmedUntil == nil else {
            self.init(choices: QuitWarning.choices(state))
            return
        }
        if let problem = state.prompt.problem, !hasRowUnder {
            let texts = [problem.message, problem.brief].compactMap(\.self)
            self.init(choices: texts.map { StyledText(VisibleText.visible($0, limit: 200), .bad) })
            return
        }
        guard !state.prompt.isSearchLost else {
            self.init(.dim("no such line so far"))
            return
        }
        guard !state.prompt.editor.isEmpty else {
            let said = state.message.map { StyledText($0.text, $0.role) }
            self.init(said ?? .dim("nothing to add yet"))
            return
        }
        let line = PromptLine(state.prompt.editor.characters)
        if let command = line.command, let url = state.prompt.replacement(in: command) {
            let name = VisibleText.visible(EventSentence.name(url), limit: 200)
            let key = Self.keys("⏎", "goes on with ", Self.glyphs(state))
            self.init(key + StyledText(Elision.middle(name, 40), .accent), short: key + .dim("this"))
        } else if let command = line.command, URLText.hasScheme(command.trimmed) {
            let urls = PromptLine(command)
            if urls.tooMany != nil { self = Self.tooMany } else { self.init(counts: urls, merging: 0, looks: [:], nil) }
        } else if let command = line.command {
            self.init(choices: Self.setting(in: command, state) ?? [Self.feedback(command: command, state)])
        } else if line.tooMany != nil {
            self = Self.tooMany
        } else if let offer = line.offer {
            let url = StyledText(Elision.middle(VisibleText.visible(offer), 40), .accent)
            let glyphs = Self.glyphs(state)
            let text = Self.keys("⏎", "takes it as ", glyphs) + url
            var short = Self.keys("⏎", "", glyphs) + StyledText(String(offer.prefix { $0 != ":" }) + "://", .accent)
            var parts = text
            if state.merging == 1 { parts += .dim(", ") + StyledText("merges", .merge) }
            if let note = line.seriesNote {
                parts += .dim(", ") + StyledText(note, .wait)
                short += .dim(" ") + StyledText("path only", .wait)
            }
            self.init(parts, short: short)
        } else {
            self.init(counts: line, merging: state.merging ?? 0, looks: state.prompt.listLooks, state.prompt.refusal)
        }
    }

    /// That the line stands for more URLs than one may.
    private static var tooMany: Self {
        let limit = Format.count(URLSeries.limit)
        return Self(StyledText("more than \(limit) URLs", .bad), short: StyledText("> \(limit) URLs", .bad))
    }

    private init(choices: [StyledText]) { self.choices = choices }

    private init(_ text: StyledText, short: StyledText? = nil) {
        self.init(choices: [text, short].compactMap(\.self))
    }

    private init(counts line: PromptLine, merging: Int, looks: [String: ListLook], _ refusal: String?) {
        var parts: [(long: StyledText, short: StyledText)] = []
        func add(_ long: StyledText, _ short: StyledText) { parts.append((long, short)) }
        if line.urlCount > 0 {
            let text = StyledText.figure(Format.count(line.urlCount)) + .dim(line.urlCount == 1 ? " URL" : " URLs")
            add(text, text)
        }
        if line.offeredCount > 0 {
            let count = line.offeredCount == line.urlCount ? "" : Format.count(line.offeredCount) + " "
            add(.dim("\(count)as ") + StyledText("https://", .accent), StyledText("https", .accent))
        }
        if merging > 0 {
            let text = line.urlCount == 1 ? "merges" : "\(merging) merge"
            add(StyledText(text, .merge), StyledText("⊕\(merging)", .merge))
        }
        if !line.lists.isEmpty {
            let text = StyledText.figure("\(line.lists.count)") + .dim(line.lists.count == 1 ? " list" : " lists")
            add(text, .figure("@\(line.lists.count)"))
            for (long, short) in Self.facts(of: line.lists, looks) { add(long, short) }
        }
        if line.invalidCount > 0 {
            add(StyledText("\(line.invalidCount) invalid", .wait), StyledText("!\(line.invalidCount)", .wait))
        }
        if let note = line.seriesNote { add(StyledText(note, .wait), StyledText("path only", .wait)) }
        if let refusal {
            let short = refusal.split(separator: ":").first.map(String.init) ?? refusal
            add(StyledText(refusal, .wait), StyledText(short, .wait))
        }
        func joined(_ texts: [StyledText], _ separator: String) -> StyledText {
            texts.dropFirst().reduce(texts.first ?? StyledText()) { $0 + .dim(separator) + $1 }
        }
        self.init(joined(parts.map(\.long), ", "), short: joined(parts.map(\.short), " "))
    }

    /// What the lists hold together, as far as they were looked into, and what is wrong with the first that can't be.
    private static func facts(
        of lists: [String],
        _ looks: [String: ListLook]
    ) -> [(long: StyledText, short: StyledText)] {
        var facts: [(long: StyledText, short: StyledText)] = []
        var (urls, others, isKnown, isWhole, trouble) = (0, 0, false, true, String?.none)
        var doubtful: [String] = []
        for path in lists {
            switch looks[path] {
            // A picture has lines too, and how many tells nobody anything.
            case .lines(0, let rest, _) where rest > 0: doubtful.append(path)
            case .lines(let found, let rest, let isRead):
                (urls, others, isKnown, isWhole) = (urls + found, others + rest, true, isWhole && isRead)
            case .trouble(let words): trouble = trouble ?? words
            case .unknown, nil: isWhole = false
            }
        }
        if isKnown {
            let more = isWhole ? "" : "at least "
            let count = StyledText.figure(Format.count(urls))
            facts.append((.dim(more) + count + .dim(urls == 1 ? " URL in it" : " URLs in it"), count))
            if others > 0 {
                let figure = Format.count(others)
                facts.append((StyledText("\(figure) no URL", .wait), StyledText("!\(figure)", .wait)))
            }
        }
        if let path = doubtful.first {
            let name = lists.count == 1 ? "it" : Elision.middle(VisibleText.visible(path, limit: 100), 24)
            let words = "no URL in \(name): is it a list?"
            facts.append((StyledText(words, .wait), StyledText("no URL", .wait)))
        }
        if let trouble {
            let words = VisibleText.visible(trouble, limit: 60)
            facts.append((StyledText(words, .wait), StyledText(words, .wait)))
        }
        return facts
    }

    /// What the setting that a command changes is now and what it takes, in many words and in few.
    ///
    /// - Returns: `nil` for a command that changes none.
    private static func setting(in text: String, _ state: AppState) -> [StyledText]? {
        let words = text.split(separator: " ")
        guard let name = words.first, let command = CommandTable.definition(of: name) else { return nil }
        var setting: String?
        if case .value(let of) = command.argument { setting = of }
        if case .setting = command.argument, words.count > 1 { setting = String(words[1]) }
        guard let setting, let value = state.snapshot.settings.value(of: setting),
            let allowed = SettingText.allowed(setting), let brief = SettingText.allowedInBrief(setting)
        else { return nil }
        let now = StyledText.dim("now ") + .bright(SettingText.typed(setting, value)) + .dim(" · ")
        let long = now + .dim(allowed)
        // Where no row is under it, the line that is typed would have to give way for the few.
        guard state.layout.hintRow != nil else { return [long] }
        guard case .word(let current) = value else { return [long, now + .dim(brief)] }
        // What it is now is one of the words.
        let choices = Settings.words(of: setting).map { $0 == current ? StyledText.bright($0) : .dim($0) }
        return [long, choices.dropFirst().reduce(choices.first ?? StyledText()) { $0 + .dim(" ") + $1 }]
    }

    /// What the command that stands there takes.
    private static func feedback(command text: String, _ state: AppState) -> StyledText {
        let words = text.split(separator: " ")
        guard let name = words.first else { return .dim("a command: ") + keys("Tab", "names them") }
        guard let command = CommandTable.definition(of: name) else {
            let fitting = CommandTable.all.map(\.name).filter { $0.hasPrefix(name.lowercased()) }
            if fitting.isEmpty { return StyledText("no such command", .wait) }
            return .dim(fitting.prefix(4).joined(separator: "  ") + (fitting.count > 4 ? "  …" : ""))
        }
        let label = command.argument.label.trimmed
        let help = StyledText.dim((label.isEmpty ? "" : label + " · ") + (command.help ?? ""))
        guard command.name == "limit", let row = state.rowToLimit else { return help }
        let limit = row.rateLimit > 0 ? Format.bytes(row.rateLimit).text + "/s" : "none of its own"
        let task = Elision.middle(VisibleText.visible(row.name, limit: 200), 20)
        return StyledText(task, .accent) + .dim(" now ") + .bright(limit) + .dim(" · ") + help
    }

    private static func glyphs(_ state: AppState) -> Glyphs {
        Glyphs(isASCII: state.configuration.isASCII, depth: state.configuration.colorDepth)
    }

    private static func keys(_ key: String, _ text: String, _ glyphs: Glyphs? = nil) -> StyledText {
        .bold(glyphs?.label(key) ?? key, .accent) + .dim(" \(text)")
    }
}
