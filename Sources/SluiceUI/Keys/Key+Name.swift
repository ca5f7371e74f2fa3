/// Keys by name, as the configuration and the table of keys write them, and as the screen shows them.
extension Key {
    /// Reads `x`, `^X`, `ctrl+x`, `alt+d`, `space`, `enter`, `f5`, `shift+tab`, `ctrl+left` …; upper or lower case.
    ///
    /// A single character stands for itself, so that `X` is another key than `x`.
    ///
    /// - Returns: `nil` for what no key is called.
    init?(name: String) {
        let parts = name.lowercased().split(separator: "+", omittingEmptySubsequences: true).map(String.init)
        if name.count == 1, let character = name.first, Self.isPrintable(character) {
            self = .character(character)
        } else if let key = Self.named[name.lowercased()] {
            self = key
        } else if name.count == 2, name.first == "^", let letter = name.last {
            guard let key = Self.control(named: letter) else { return nil }
            self = key
        } else if parts.count == 2, parts[0] == "ctrl", parts[1].count == 1, let letter = parts[1].first {
            guard let key = Self.control(named: letter) else { return nil }
            self = key
        } else if parts.count == 2, parts[0] == "alt", let last = name.last, parts[1].count == 1 {
            self = .alt(last)
        } else if parts.count == 1, name.count <= 3, name.lowercased().hasPrefix("f"),
            let number = Int(name.dropFirst()),
            (1...12).contains(number)
        {
            self = .function(number)
        } else {
            return nil
        }
    }

    /// What the screen and the manual call it: `^X`, `Alt-d`, `⏎`.
    var label: String {
        switch self {
        case .character(" "): "Space"
        case .character("-"): "−"
        case .character(let character): String(character)
        case .control(" "): "^Space"
        case .control(let character): "^" + String(character).uppercased()
        case .alt(let character): "Alt-" + String(character)
        case .enter: "⏎"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "⇧Tab"
        case .backspace: "⌫"
        case .delete: "Del"
        case .insert: "Ins"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .controlLeft: "^←"
        case .controlRight: "^→"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        }
    }

    /// The character that it types, if it types one.
    var typed: Character? { if case .character(let character) = self { character } else { nil } }

    /// Names that are no single characters, for messages.
    static let names = named.keys.sorted()

    private static let named: [String: Key] = [
        "space": .character(" "), "plus": .character("+"), "minus": .character("-"), "enter": .enter,
        "esc": .escape, "tab": .tab, "shift+tab": .backTab, "backspace": .backspace, "del": .delete, "ins": .insert,
        "up": .up, "down": .down, "left": .left, "right": .right, "ctrl+left": .controlLeft,
        "ctrl+right": .controlRight, "home": .home, "end": .end, "pgup": .pageUp, "pgdn": .pageDown,
        "ctrl+space": .control(" "),
    ]

    /// What a terminal sends for Control and some keys is another key: `^I` is Tab, `^M` Enter, `^[` Escape.
    private static func control(named character: Character) -> Key? {
        let letter = Character(character.lowercased())
        guard letter.isASCII, !"him[".contains(letter) else { return nil }
        return letter.isLetter || "]^_\\".contains(letter) ? .control(letter) : nil
    }

    private static func isPrintable(_ character: Character) -> Bool {
        !character.isWhitespace && character.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }
}
