internal import SluiceCore

extension KeyMap {
    /// The standard table with other keys.
    ///
    /// - Throws: For unknown actions, bad names of keys, and keys that would mean two things.
    public init(_ changes: [KeyChange]) throws(KeyMapError) {
        self = .standard
        var lines: [Int: Int] = [:]
        for change in changes {
            let name = Self.formerNames[change.action] ?? change.action
            guard let index = bindings.firstIndex(where: { $0.name == name }) else {
                throw KeyMapError(line: change.line, message: Self.unknown(change.action))
            }
            if lines[index] != nil {
                throw KeyMapError(line: change.line, message: "keys.\(change.action) stands there twice")
            }
            bindings[index].keys = try Self.keys(change, typesText: bindings[index].scope == .prompt)
            lines[index] = change.line
        }
        giveWay(to: lines)
        try checkConflicts(lines)
        for name in ["quit", "add", "prompt.leave", "prompt.add"] {
            guard let index = bindings.firstIndex(where: { $0.name == name }), bindings[index].keys.isEmpty else {
                continue
            }
            throw KeyMapError(
                line: lines[index] ?? 0,
                message: "keys.\(name) needs a key: without it there is no way on"
            )
        }
    }

    /// What actions were called, so that configurations stay good.
    private static let formerNames = ["throttle": "limitRate"]

    /// Names of the actions that can have other keys, in the order of the table.
    public static var actionNames: [String] { standard.bindings.compactMap(\.name) }

    private static func keys(_ change: KeyChange, typesText: Bool) throws(KeyMapError) -> [Key] {
        var keys: [Key] = []
        for name in change.keys {
            guard let key = Key(name: name) else {
                let names = Key.names.joined(separator: " ")
                throw KeyMapError(
                    line: change.line,
                    message: "keys.\(change.action): no key is called \"\(name)\"; a key is one character, ctrl+x,"
                        + " alt+x, f1 to f12, or one of \(names)"
                )
            }
            if typesText, key.typed != nil {
                throw KeyMapError(
                    line: change.line,
                    message: "keys.\(change.action): \"\(name)\" is typed at the prompt; take one with ctrl or alt"
                )
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// Takes from actions that keep their keys those beside their first that others are given.
    private mutating func giveWay(to lines: [Int: Int]) {
        for index in lines.keys {
            let given = bindings[index].keys
            for other in bindings.indices
            where lines[other] == nil && bindings[other].scope.overlaps(bindings[index].scope) {
                let first = bindings[other].keys.first
                bindings[other].keys.removeAll { $0 != first && given.contains($0) }
            }
        }
    }

    private func checkConflicts(_ lines: [Int: Int]) throws(KeyMapError) {
        for (index, line) in lines.sorted(by: { $0.value < $1.value }) {
            for other in bindings.indices where other != index && bindings[other].scope.overlaps(bindings[index].scope)
            {
                guard let key = bindings[index].keys.first(where: bindings[other].keys.contains) else { continue }
                let place = lines[other].map { " (line \($0))" } ?? ""
                throw KeyMapError(
                    line: max(line, lines[other] ?? 0),
                    message: "\(key.label) is the key of \(bindings[other].name ?? "an answer")\(place) and of"
                        + " \(bindings[index].name ?? ""): give one of them another"
                )
            }
        }
    }

    private static func unknown(_ action: String) -> String {
        let near = EditDistance.nearest(to: action, among: actionNames, or: EditDistance.holds)
        let offer = EditDistance.offer(near) ?? "they are \(actionNames.joined(separator: " "))"
        return "keys.\(action): there is no such action; \(offer)"
    }
}
