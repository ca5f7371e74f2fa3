/// The one table of keys: what they do, where, and how they are explained.
///
/// The reducer looks keys up here, the hint bar, the help and the manual are made of it.
public enum KeyMap {
    /// Where a binding holds.
    enum Scope: Equatable, Sendable {
        /// Whenever a list has the focus.
        case lists
        /// Only while one of these panels has it.
        case panels([Panel])
        case prompt
        case help
        case question
        case paste

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
        case rows
        case queue
        case cache
        case everywhere
        case prompt
    }

    struct Binding: Sendable {
        let keys: [Key]
        let action: KeyAction
        let scope: Scope
        /// As it is shown: `+ −`.
        let label: String
        /// For the hint bar; `nil` keeps it out.
        let hint: String?
        /// For the help and the manual; `nil` if the row of another key explains it.
        let help: String?
        let group: Group
    }

    /// The action of a key, in the scope that holds and for the panel that has the focus.
    static func action(for key: Key, in scope: Scope, focus: Panel) -> KeyAction? {
        bindings.first { binding in
            guard binding.keys.contains(key) else { return false }
            if case .panels(let panels) = binding.scope { return scope == .lists && panels.contains(focus) }
            return binding.scope == scope
        }?.action
    }

    /// What the hint bar may show, the keys of the focused panel first.
    static func hints(in scope: Scope, focus: Panel) -> [Binding] {
        let all = bindings.filter { $0.hint != nil && !isTail($0) }
        guard scope == .lists else { return all.filter { $0.scope == scope } }
        let own = all.filter { binding in
            if case .panels(let panels) = binding.scope { return panels.contains(focus) }
            return binding.scope == .lists && focus == .cache && binding.group == .cache
        }
        return own + all.filter { $0.scope == .lists && !(focus == .cache && $0.group == .cache) }
    }

    /// Rows of the help: label and meaning.
    static func help(_ group: Group) -> [(label: String, text: String)] {
        bindings.filter { $0.group == group }.compactMap { binding in binding.help.map { (binding.label, $0) } }
    }

    /// The keys as a Markdown table, for the manual.
    public static var markdown: String {
        var lines = ["| Keys | Where | What they do |", "| --- | --- | --- |"]
        for group in Group.allCases {
            for row in help(group) {
                let keys = row.label.split(separator: " ").map { "`\($0 == "|" ? "\\|" : $0)`" }
                lines.append("| \(keys.joined(separator: " ")) | \(group.rawValue) | \(row.text) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Help and quit stand at the right end of the hint bar, whatever is dropped.
    private static func isTail(_ binding: Binding) -> Bool { binding.action == .help || binding.action == .quit }
}
