import SluiceTestSupport
import Testing

@testable import SluiceTerminal

struct TerminalModesTests {
    private func features(_ terminal: String, _ variables: [String: String] = [:]) -> TerminalFeatures {
        TerminalFeatures(terminal: terminal) { variables[$0] }
    }

    @Test(arguments: [
        "xterm-256color", "tmux-256color", "screen", "foot", "xterm-kitty", "alacritty", "rxvt-unicode", "vte-256color",
        "vte", "vte-direct",
    ])
    func windowsHaveModesAndTitles(terminal: String) {
        #expect(features(terminal).hasModes)
        #expect(features(terminal).hasTitle)
        #expect(!features(terminal).hasProgress)
    }

    @Test(arguments: ["linux", "vt100", "vt220", "dumb", "ansi"]) func consolesGetNothingExtra(terminal: String) {
        let modes = TerminalModes(features: features(terminal, ["WT_SESSION": "1"]))
        #expect(modes.on.isEmpty)
        #expect(modes.off.isEmpty)
        #expect(modes.frameStart.isEmpty && modes.frameEnd.isEmpty)
        #expect(modes.title("x").isEmpty)
        #expect(modes.progress(true).isEmpty)
        #expect(modes.mouse(true).isEmpty && modes.groundQuestion.isEmpty)
    }

    @Test func progressIsForThoseThatKnowIt() {
        #expect(features("xterm-256color", ["WT_SESSION": "1"]).hasProgress)
        #expect(features("xterm-ghostty").hasProgress)
        #expect(features("xterm-256color", ["TERM_PROGRAM": "WezTerm"]).hasProgress)
        #expect(features("xterm-256color", ["VTE_VERSION": "8000"]).hasProgress)
        #expect(!features("xterm-256color", ["VTE_VERSION": "7006"]).hasProgress)
        #expect(!features("xterm-256color", ["TERM_PROGRAM": "iTerm.app"]).hasProgress)
    }

    @Test func whateverIsSwitchedOnIsSwitchedOffAgain() {
        let modes = TerminalModes(features: features("xterm-ghostty"))
        var screen = ScreenEmulator()

        screen.feed(modes.on + modes.frameStart + modes.progress(true) + modes.title("x") + modes.mouse(true))
        screen.feed("\u{1B}[?1049h\u{1B}[?1h\u{1B}=\u{1B}[?25l\u{1B}[1;31m\u{1B}[?1000h\u{1B}[?1006h".utf8)
        #expect(screen.remains.count == 11)
        screen.feed(
            modes.restore(
                capabilities: ["\u{1B}[m", "\u{1B}[?25h", "\u{1B}[?1l\u{1B}>", "\u{1B}[?1049l"].map { Array($0.utf8) }
            )
        )

        #expect(screen.remains == [])
        #expect(screen.unknown == [])
    }

    @Test func aTitleCannotEndItsSequence() {
        let modes = TerminalModes(features: features("xterm"))
        var screen = ScreenEmulator()
        screen.feed(modes.title("a\u{7}b\u{1B}[2Jc\u{9C}d猫"))
        #expect(screen.title == "ab[2Jcd猫")
        #expect(screen.text.allSatisfy { $0 == "\n" })
    }

    @Test func pausesOfOldTerminalsAreTakenOut() {
        #expect(TerminalModes.withoutPadding(Array("\u{1B}[m$<2>x$<5/>".utf8)) == Array("\u{1B}[mx".utf8))
        #expect(TerminalModes.withoutPadding(Array("a$b$<".utf8)) == Array("a$b$<".utf8))
    }
}
