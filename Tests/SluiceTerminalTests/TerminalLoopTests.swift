import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TerminalLoopTests {
    private func start(
        _ arguments: [String] = [],
        terminal: String = "xterm-256color",
        variables: [String: String] = [:],
        width: Int = 80,
        height: Int = 24
    ) throws -> Pseudoterminal {
        let probe = try Pseudoterminal(
            ChildProcess.product("terminal-probe"),
            arguments: arguments,
            environment: variables.merging(["TERM": terminal]) { $1 },
            width: width,
            height: height
        )
        try #require(showsFrame("size: \(width)x\(height)", probe), "\(probe.screen.text)")
        return probe
    }

    /// Waits for a whole frame with `text`; the mark in its last corner is painted last.
    private func showsFrame(_ text: String, _ probe: Pseudoterminal) -> Bool {
        probe.wait {
            $0.rows.contains { $0.contains(text) } && $0.rows.last?.last == "x" && !$0.modes.contains(2_026)
        }
    }

    @Test(arguments: [
        ("d", "d"), ("é", "é"), ("猫", "猫"), ("\u{1B}x", "M-x"), ("\u{1B}[A", "up"), ("\u{1B}OB", "down"),
        ("\u{1B}[1;5C", "controlRight"), ("\u{1B}[5~", "pageUp"), ("\u{1B}OP", "F1"), ("\u{1B}[24~", "F12"),
        ("\u{1B}", "escape"), ("\u{3}", "^c"), ("\u{13}", "^s"), ("\r", "enter"), ("\u{1B}[Z", "backTab"),
    ]) func keysReachTheApplication(bytes: String, name: String) throws {
        let probe = try start()
        probe.type(bytes)
        #expect(probe.waitForText("keys: \(name)"), "\(probe.screen.text)")
        probe.type("q")
        #expect(probe.waitForExit() == .exited(0))
        #expect(probe.screen.unknown == [])
    }

    @Test(arguments: ["xterm-256color", "tmux-256color", "screen-256color"])
    func coloursOf24BitsStandBesideThePalette(terminal: String) throws {
        let probe = try start(terminal: terminal, variables: ["COLORTERM": "truecolor"])
        probe.type("M")
        #expect(probe.wait { $0.row($0.height - 2).hasPrefix("%%%") && !$0.modes.contains(2_026) })
        let looks = (0..<3).map { probe.screen.cell(x: $0, y: probe.screen.height - 2).look }
        #expect(looks.map(\.foreground) == [0x112_3456, 0x100_0109, 208])
        #expect(looks.map(\.background) == [208, 0x100_0109, 0x112_3456])
        probe.type("q")
        #expect(probe.waitForExit() == .exited(0))
        #expect(probe.screen.remains == [])
    }

    @Test func aLongPasteIsOneEvent() throws {
        let probe = try start()
        let line = "https://example.test/some/path/to/a/picture/of/a/cat.png"
        let text = (1...10_000).map { "\(line)?\($0)" }.joined(separator: "\r")
        probe.type("\u{1B}[200~\(text)\u{1B}[201~")
        #expect(probe.waitForText("paste: \(text.utf8.count) bytes, 10000 lines"), "\(probe.screen.text)")
        probe.type("q")
        #expect(probe.waitForExit() == .exited(0))
        #expect(probe.screen.rows.contains("ended: quit"))
    }

    @Test func answersOfTheTerminalAreNoKeys() throws {
        let probe = try start()
        probe.type("\u{1B}[?62;c\u{1B}]11;rgb:0/0/0\u{1B}\\\u{1B}P>|kitty\u{1B}\\\u{1B}[Od")
        #expect(probe.waitForText("focus: false"), "\(probe.screen.text)")
        #expect(probe.waitForText("keys: d"))
        #expect(probe.screen.row(0) == "keys: d")
    }

    @Test func aResizeRepaintsForTheNewSize() throws {
        let probe = try start()
        for (width, height) in [(120, 36), (40, 8), (20, 3), (200, 50)] {
            probe.resize(width: width, height: height)
            #expect(probe.waitForText("size: \(width)x\(height)"), "\(probe.screen.text)")
            #expect(probe.wait { $0.row(height - 1).last == "x" && $0.row(height - 1).count == width })
        }
        #expect(probe.screen.unknown == [])
    }

    @Test func anIdleLoopNeitherWritesNorWakesUp() throws {
        let probe = try start()
        #expect(probe.bytes(for: .milliseconds(300)) == [])
        let wakeUps = try #require(probe.wakeUps)
        #expect(probe.bytes(for: .milliseconds(300)) == [])
        #expect(probe.wakeUps == wakeUps)
    }

    @Test func aFrameThatIsNotDueIsNotDrawn() throws {
        let probe = try start()
        let before = probe.transcript.count
        probe.type("n")
        #expect(probe.bytes(for: .milliseconds(300)) == [])
        #expect(probe.transcript.count == before)
    }

    @Test func anEqualFrameWritesNothing() throws {
        let probe = try start()
        probe.type("\u{1B}[I")
        #expect(showsFrame("focus: true", probe))
        let before = probe.transcript.count
        probe.type("\u{1B}[I")
        #expect(probe.bytes(for: .milliseconds(300)) == [])
        #expect(probe.transcript.count == before)
    }

    @Test func oneChangeCostsFewBytes() throws {
        let probe = try start(width: 200, height: 50)
        probe.type("d")
        #expect(showsFrame("keys: d", probe))
        let before = probe.transcript.count
        probe.type("d")
        #expect(probe.waitForText("keys: d d"))
        #expect(probe.transcript.count - before < 60)
    }

    @Test func aWakeComesWhenItWasAskedFor() throws {
        let probe = try start()
        probe.type("w")
        #expect(probe.waitForText("wakes: 1"))
        probe.type("w")
        #expect(probe.waitForText("wakes: 2"))
    }

    @Test func effectsAreCarriedOutAndAnswered() throws {
        let probe = try start()
        probe.type("r")
        #expect(probe.waitForText("list: list: 2"))
        probe.type("p")
        #expect(probe.waitForText("events: 10000, 2 lost"), "\(probe.screen.text)")
        #expect(probe.waitForText("snapshot: 3"))
    }

    @Test func repaintingSendsEverythingAgain() throws {
        let probe = try start()
        let before = probe.transcript.count
        probe.type("\u{C}")
        #expect(showsFrame("keys: ^l", probe))
        let bytes = String(decoding: probe.transcript[before...], as: UTF8.self)
        #expect(bytes.contains("size: 80x24"))
        #expect(bytes.contains("\u{1B}[2J"))
    }

    @Test func framesAreSynchronised() throws {
        let probe = try start()
        let before = probe.transcript.count
        probe.type("d")
        #expect(probe.wait { $0.row(0) == "keys: d" && !$0.modes.contains(2_026) })
        let bytes = String(decoding: probe.transcript[before...], as: UTF8.self)
        #expect(bytes.hasPrefix("\u{1B}[?2026h") && bytes.hasSuffix("\u{1B}[?2026l"))
    }

    @Test func theCursorTheTitleAndTheProgressMarkAreShown() throws {
        let probe = try start(variables: ["WT_SESSION": "1"])
        #expect(!probe.screen.modes.contains(25))
        probe.type("v")
        #expect(probe.wait { $0.modes.contains(25) && $0.cursor == (3, 1) })
        probe.type("v")
        #expect(probe.wait { !$0.modes.contains(25) })
        probe.type("T")
        #expect(probe.wait { $0.title == "probe [2J猫" })
        probe.type("b")
        #expect(probe.wait { $0.progress == "3" })
        probe.type("b")
        #expect(probe.wait { $0.progress == "0" })
        probe.type("b")
        #expect(probe.wait { $0.progress == "3" })
        probe.type("q")
        #expect(probe.waitForExit() == .exited(0))
        #expect(probe.screen.remains == [])
    }

    @Test func colorsOfThePaletteAreShown() throws {
        let probe = try start()
        probe.type("m")
        #expect(probe.wait { $0.row(12) == String(repeating: "#", count: 40) }, "\(probe.screen.text)")
        for color in 0..<40 {
            #expect(probe.screen.cell(x: color, y: 12).look.foreground == color)
            #expect(probe.screen.cell(x: color, y: 12).look.background == color / 4)
        }
    }

    @Test func moreColorsThanPairsStillShowEveryCharacter() throws {
        let probe = try start(terminal: "xterm", width: 60)
        for _ in 0..<4 { probe.type("m") }
        #expect(probe.wait { $0.row(12) == String(repeating: "#", count: 60) && $0.row(14).count == 40 })
        #expect(probe.screen.cell(x: 1, y: 12).look.foreground == 1)
    }

    @Test func withoutColorsNoneAreSent() throws {
        let probe = try start(["mono"])
        probe.type("m")
        #expect(probe.wait { $0.row(12) == String(repeating: "#", count: 40) })
        #expect((0..<40).allSatisfy { probe.screen.cell(x: $0, y: 12).look == ScreenEmulator.Look() })
    }

    @Test func anUnknownTerminalIsTakenForAnXterm() throws {
        let probe = try start(terminal: "xterm-from-the-future")
        probe.type("\u{1B}[A")
        #expect(probe.waitForText("keys: up"))
    }

    @Test func aVT100GetsNoPrivateModes() throws {
        let probe = try start(terminal: "vt100")
        probe.type("dq")
        #expect(probe.waitForExit() == .exited(0))
        let text = String(decoding: probe.transcript, as: UTF8.self)
        #expect(!text.contains("?20") && !text.contains("?10") && !text.contains("]2;"))
        #expect(probe.screen.unknown == [])
        #expect(probe.screen.remains == [])
    }

    @Test func aCursorThatCantBeHiddenStandsBelowEverything() throws {
        let probe = try start(terminal: "vt100")
        #expect(probe.wait { $0.cursor == (0, 23) }, "\(probe.screen.cursor)")
        probe.type("v")
        #expect(probe.wait { $0.cursor == (3, 1) })
        probe.type("vd")
        #expect(probe.wait { $0.text.contains("keys: v v d") && $0.cursor == (0, 23) }, "\(probe.screen.text)")
    }

    @Test(arguments: ["dumb", ""]) func aTerminalWithoutACursorIsRefused(terminal: String) throws {
        let probe = try Pseudoterminal(ChildProcess.product("terminal-probe"), environment: ["TERM": terminal])
        #expect(probe.waitForExit() == .exited(2))
        #expect(probe.screen.rows.contains("no screen: unknownTerminal(\"\(terminal)\")"), "\(probe.screen.text)")
        #expect(probe.modes == probe.initialModes)
        #expect(probe.screen.remains == [])
    }

    @Test func aProcessWithoutATerminalIsRefused() throws {
        let result = try ChildProcess(ChildProcess.product("terminal-probe")).finish()
        #expect(result.exit == .exited(2))
        #expect(result.outputText == "no screen: noTerminal\n")
    }

    @Test func keysComeFromTheTerminalWhenInputAndOutputArePipes() throws {
        let command = "echo list | \(ChildProcess.product("terminal-probe")) | cat"
        let probe = try Pseudoterminal("/bin/sh", arguments: ["-c", command])
        try #require(probe.waitForText("size: 80x24"))
        probe.type("d")
        #expect(probe.waitForText("keys: d"))
        probe.type("q")
        #expect(probe.waitForExit() == .exited(0))
        #expect(probe.screen.rows.contains("ended: quit"))
        #expect(probe.modes == probe.initialModes)
    }
}
