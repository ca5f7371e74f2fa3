import Testing

@testable import SluiceTerminal

/// What the name of a terminal says of its colours.
struct TerminalNameTests {
    @Test(arguments: [
        ("xterm-direct", ["xterm-256color", "xterm", "vt100"]),
        ("xterm-direct256", ["xterm-256color", "xterm", "vt100"]),
        ("vte-direct", ["vte-256color", "xterm-256color", "xterm", "vt100"]),
        ("xterm-256color", ["xterm-256color", "xterm", "vt100"]),
        ("tmux-256color", ["tmux-256color", "xterm-256color", "xterm", "vt100"]),
        ("xterm-16color", ["xterm-16color", "xterm", "xterm-256color", "vt100"]),
        ("rxvt-color", ["rxvt-color", "xterm", "xterm-256color", "vt100"]),
        ("xterm", ["xterm", "xterm-256color", "vt100"]), ("-direct", ["-direct", "xterm-256color", "xterm", "vt100"]),
        ("x-directory", ["x-directory", "xterm-256color", "xterm", "vt100"]),
    ])
    func itsOwnDescriptionComesFirstButAPaletteBeforeDirectColours(terminal: String, names: [String]) {
        #expect(TerminalName.descriptions(of: terminal) == names)
    }

    @Test(arguments: ["xterm-direct", "xterm-direct2", "vte-direct", "tmux-direct", "xterm-direct256"])
    func directColoursAreTrueColours(terminal: String) {
        #expect(TerminalName.isDirect(terminal))
        #expect(TrueColor.isLikely { ["TERM": terminal][$0] })
    }

    @Test(arguments: ["linux", "dumb", "vt100", "vt220", "vt52"]) func consolesAreDrawnOnInASCII(terminal: String) {
        #expect(TerminalName.isASCII(terminal))
    }

    @Test(arguments: ["vte", "vte-256color", "vte-direct", "xterm", "tmux-256color", ""])
    func windowsAreNot(terminal: String) {
        #expect(!TerminalName.isASCII(terminal))
    }

    @Test(arguments: ["xterm-256color", "xterm", "linux", "vt100", "screen-256color", "-direct", "direct", ""])
    func othersHaveThemOnlyIfTheySay(terminal: String) {
        #expect(!TrueColor.isLikely { ["TERM": terminal][$0] })
        #expect(TrueColor.isLikely { ["TERM": terminal, "COLORTERM": "truecolor"][$0] })
    }
}
