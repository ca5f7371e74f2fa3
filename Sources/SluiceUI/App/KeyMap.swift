/// The one table of keys: what they do, where, and how they are explained.
///
/// The reducer looks keys up here; the hint bar, the help and the manual are made of it.
/// A configuration may give actions other keys; two actions never share one.
public struct KeyMap: Sendable {
    /// Where a binding holds.
    enum Scope: Equatable, Sendable {
        /// Whenever a list has the focus.
        case lists
        /// Only while one of these panels has it.
        case panels([Panel])
        case prompt
        /// In the lists of a recording, before everything else.
        case replay
        case help
        /// While all that an event says is read.
        case event
        case question
        case paste
        /// While the certificates of a host are looked at.
        case trust

        /// Whether a key could mean two things.
        func overlaps(_ other: Scope) -> Bool {
            switch (self, other) {
            case (.lists, .panels), (.panels, .lists): true
            case (.panels(let left), .panels(let right)): left.contains(where: right.contains)
            default: self == other
            }
        }
    }

    /// Sections of the help.
    enum Group: String, CaseIterable, Sendable {
        case tasks
        case trust
        case pictures
        case rows
        case lists
        case files
        case queue
        case cache
        case replay
        case everywhere
        case prompt
        case commands
    }

    struct Binding: Sendable {
        /// In the configuration; `nil` for keys that are always the same.
        let name: String?
        let action: KeyAction
        let scope: Scope
        var keys: [Key]
        /// For the hint bar; `nil` keeps it out.
        let hint: String?
        /// For the help and the manual; `nil` if it shares the row of the binding before it.
        let help: String?
        let group: Group
    }

    /// As Sluice comes.
    public static let standard = KeyMap()

    var bindings = Self.standardBindings

    private init() {}

    // MARK: Looking up

    /// The action of a key, in the scope that holds and for the panel that has the focus.
    func action(for key: Key, in scope: Scope, focus: Panel) -> KeyAction? {
        let binding = bindings.first { binding in
            guard binding.keys.contains(key) else { return false }
            if case .panels(let panels) = binding.scope { return scope == .lists && panels.contains(focus) }
            return binding.scope == scope
        }
        if let binding { return binding.action }
        guard scope == .prompt, let character = key.typed else { return nil }
        return .edit(.insert(String(character)))
    }

    /// What a key does that means nothing where the focus is, and all panels in which it does something.
    func elsewhere(_ key: Key) -> (action: KeyAction, panels: [Panel])? {
        var found: (action: KeyAction, panels: [Panel])?
        for binding in bindings where binding.keys.contains(key) {
            guard case .panels(let panels) = binding.scope else { continue }
            let known = found ?? (binding.action, [])
            let places = panels.filter { binding.action.works(in: $0) && !known.panels.contains($0) }
            found = (known.action, known.panels + places)
        }
        return found
    }

    /// The panels of an action that only some have; `nil` for one that holds in all.
    func panels(of action: KeyAction) -> [Panel]? {
        guard case .panels(let panels)? = bindings.first(where: { $0.action == action })?.scope else { return nil }
        return panels
    }

    /// What the hint bar may show, the keys of the focused panel first; without those that a recording took.
    func hints(
        in scope: Scope,
        focus: Panel,
        isReplay: Bool = false
    ) -> [(label: String, hint: String, action: KeyAction)] {
        let all = bindings.indices.filter { index in
            bindings[index].hint != nil && !bindings[index].keys.isEmpty && !isTail(bindings[index].action)
                && !(isReplay && isOverridden(bindings[index]))
        }
        func named(_ indices: [Int]) -> [(label: String, hint: String, action: KeyAction)] {
            indices.map { (shortLabel($0), bindings[$0].hint ?? "", bindings[$0].action) }
        }
        guard scope == .lists else { return named(all.filter { bindings[$0].scope == scope }) }
        let own = all.filter { index in
            if case .panels(let panels) = bindings[index].scope { return panels.contains(focus) }
            return bindings[index].scope == .lists && focus == .cache && bindings[index].group == .cache
        }
        return named(
            own + all.filter { bindings[$0].scope == .lists && !(focus == .cache && bindings[$0].group == .cache) }
        )
    }

    /// The first key of an action as the screen calls it, or `nil` if it has none.
    func label(of action: KeyAction, in scope: Scope = .lists) -> String? {
        // Every frame asks for several: a binding is looked at where it stands, since a copy counts all that it holds.
        let place = bindings.indices.first { index in
            guard bindings[index].action == action, !bindings[index].keys.isEmpty else { return false }
            guard case .panels(let panels) = bindings[index].scope else { return bindings[index].scope == scope }
            // A panel is called by the key that leads to it, not by one that holds only inside.
            return scope == .lists && panels.map(KeyAction.focus) != [action]
        }
        return place.flatMap { bindings[$0].keys.first?.label }
    }

    /// Rows of the help: label and meaning; without those that do nothing to a recording, where one is shown.
    func help(_ group: Group, isReplay: Bool = false) -> [(label: String, text: String)] {
        searchableHelp(group, isReplay: isReplay).map { (label: $0.label, text: $0.text) }
    }

    /// The same, with the words that a row is found by besides: those of the hint bar and of the configuration.
    ///
    /// Once it is searched, commands that only repeat a key have rows too.
    func searchableHelp(
        _ group: Group,
        isReplay: Bool = false,
        isSearched: Bool = false
    ) -> [(label: String, text: String, words: String)] {
        let rows = bindings.indices.compactMap { index -> (label: String, text: String, words: String)? in
            guard bindings[index].group == group, let help = bindings[index].help else { return nil }
            if isReplay, bindings[index].action.refusalInReplay != nil || isOverridden(bindings[index]) { return nil }
            let label = longLabel(index)
            // Nothing runs in a recording, so nothing is asked twice.
            let text = isReplay && bindings[index].action == .quit ? "quit" : help
            return label.isEmpty ? nil : (label, text, words(of: index))
        }
        let commands = isSearched ? CommandTable.help + CommandTable.helpOfKeys : CommandTable.help
        let others = group == .prompt ? Self.promptNotes : group == .commands ? commands : []
        return rows + others.map { (label: $0.label, text: $0.text, words: "") }
    }

    /// Hints and names of the keys of a row of the help, and of those behind it that have no row of their own.
    private func words(of first: Int) -> String {
        let (group, scope) = (bindings[first].group, bindings[first].scope)
        let others = bindings.dropFirst(first + 1).prefix { $0.help == nil && $0.group == group }
        let all = [bindings[first]] + others.filter { $0.scope.overlaps(scope) }
        let names = all.compactMap(\.name).map { "\($0) \(EventSentence.words(of: $0))" }
        return (all.compactMap(\.hint) + names).joined(separator: " ")
    }

    /// The keys as a Markdown table, for the manual.
    public var markdown: String {
        var lines = ["| Keys | Where | What they do | Name in `[keys]` |", "| --- | --- | --- | --- |"]
        for group in Group.allCases {
            for index in bindings.indices where bindings[index].group == group && bindings[index].help != nil {
                let keys = longLabel(index).split(separator: " ").map { "`\($0 == "|" ? "\\|" : $0)`" }
                let names = row(index).compactMap { bindings[$0].name.map { "`\($0)`" } }
                let text = (bindings[index].help ?? "").replacing("|", with: "\\|")
                lines.append(
                    "| \(keys.joined(separator: " ")) | \(group.rawValue) | \(text) | \(names.joined(separator: " ")) |"
                )
            }
            guard group == .prompt else { continue }
            lines += Self.promptNotes.map { "| `\($0.label)` | prompt | \($0.text) | |" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The commands as a Markdown table, for the manual.
    public static var commandMarkdown: String { CommandTable.markdown }

    // MARK: Labels

    /// The bindings that share a row of the help: one that is explained, and those without a text behind it.
    private func row(_ first: Int) -> [Int] {
        var row = [first]
        var next = first + 1
        while next < bindings.count, bindings[next].help == nil, bindings[next].group == bindings[first].group,
            bindings[next].scope == bindings[first].scope
        {
            row.append(next)
            next += 1
        }
        return row
    }

    /// One key of each binding of a row, or all keys of a single one.
    private func longLabel(_ first: Int) -> String {
        let row = row(first)
        if row.count == 1 {
            if bindings[first].action == .prefixG { return bindings[first].keys.map { $0.label + $0.label }.joined() }
            return bindings[first].keys.prefix(2).map(\.label).joined(separator: " ")
        }
        return Self.joined(row.compactMap { bindings[$0].keys.first })
    }

    /// One key, or two where the binding behind shares the hint, or all where they are digits.
    private func shortLabel(_ first: Int) -> String {
        let own = bindings[first].keys.first?.label ?? ""
        guard bindings[first].scope != .prompt else { return own }
        // Those behind it share the hint up to the next that has one of its own.
        let shared = [first] + row(first).dropFirst().prefix { bindings[$0].hint == nil }
        let keys = shared.compactMap { bindings[$0].keys.first }
        if keys.count > 1, keys.allSatisfy({ $0.typed?.isWholeNumber == true }) { return Self.joined(keys) }
        return Self.joined(Array(keys.prefix(2)))
    }

    /// `1–4 6` for digits, else all.
    private static func joined(_ keys: [Key]) -> String {
        let digits = keys.compactMap { $0.typed?.wholeNumberValue }
        guard digits.count == keys.count, !digits.isEmpty else { return keys.map(\.label).joined(separator: " ") }
        var runs: [ClosedRange<Int>] = []
        for digit in digits.sorted() {
            if let last = runs.last, digit == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...digit
            } else {
                runs.append(digit...digit)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
            .joined(separator: " ")
    }

    /// Whether the keys of recordings took the first key of a binding of the lists.
    private func isOverridden(_ binding: Binding) -> Bool {
        guard let key = binding.keys.first, binding.scope.overlaps(.lists) else { return false }
        return bindings.contains { $0.scope == .replay && $0.keys.contains(key) }
    }

    /// Help and quit stand at the right end of the hint bar, whatever is dropped.
    private func isTail(_ action: KeyAction) -> Bool { action == .help || action == .quit }
}
