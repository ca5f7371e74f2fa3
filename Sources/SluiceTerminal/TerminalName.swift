/// What the name of a terminal tells, and which descriptions may stand for it; pure.
public enum TerminalName {
    /// Whether it is drawn on in ASCII, whatever the locale: the console of Linux, those like `vt100`, and `dumb` ones.
    public static func isASCII(_ terminal: String) -> Bool {
        ["linux", "dumb"].contains(terminal) || isVideoTerminal(terminal)
    }

    /// Whether it is one like `vt100`; `vte`, `vte-256color` and `vte-direct` are windows, whatever they begin with.
    static func isVideoTerminal(_ terminal: String) -> Bool {
        terminal.hasPrefix("vt") && !terminal.hasPrefix("vte")
    }

    /// Whether its colours are 24 bits wide by name: `xterm-direct`, `vte-direct`, `xterm-direct256`.
    static func isDirect(_ terminal: String) -> Bool { base(terminal) != nil }

    /// The descriptions to try, the terminal's own first; the first that is installed counts.
    ///
    /// A direct-colour entry is passed over for the palette's: an index of the palette is no colour to it, and hardly
    /// any system has one. What it promises is added to the other, see ``TrueColor``.
    static func descriptions(of terminal: String) -> [String] {
        let own = base(terminal).map { $0 + "-256color" } ?? terminal
        let usual = hasFewColors(own) ? ["xterm", "xterm-256color"] : ["xterm-256color", "xterm"]
        return [own] + (usual + ["vt100"]).filter { $0 != own }
    }

    /// Whether the name says that there are fewer colours than 256.
    private static func hasFewColors(_ terminal: String) -> Bool {
        ["-mono", "-color", "-8color", "-16color", "-88color"].contains(where: terminal.hasSuffix)
    }

    /// What stands before `-direct`, with or without the number of its palette behind.
    private static func base(_ terminal: String) -> String? {
        guard let mark = terminal.lastIndex(of: "-"), mark > terminal.startIndex,
            ["direct", "direct2", "direct16", "direct256"].contains(terminal[terminal.index(after: mark)...])
        else { return nil }
        return String(terminal[..<mark])
    }
}
