import Glibc
import SluiceTestSupport
import Testing

/// However the process ends, the terminal is as it was.
@Suite(.timeLimit(.minutes(5)))
struct TerminalExitTests {
    private func start(
        _ path: String = ChildProcess.product("terminal-probe"),
        _ arguments: [String] = []
    ) throws -> Pseudoterminal {
        let probe = try Pseudoterminal(path, arguments: arguments, environment: ["WT_SESSION": "1"])
        try #require(probe.waitForText("size: 80x24"), "\(probe.screen.text)")
        // Everything that can be on is on.
        probe.type("vTb")
        try #require(probe.wait { $0.progress == "3" && $0.modes.contains(2_004) && $0.isAlternate })
        #expect(probe.modes != probe.initialModes)
        return probe
    }

    private func expectRestored(_ probe: Pseudoterminal) {
        #expect(probe.screen.remains == [])
        #expect(probe.screen.unknown == [])
        #expect(probe.modes == probe.initialModes)
    }

    @Test func quittingRestoresTheTerminal() throws {
        let probe = try start()
        probe.type("q")
        #expect(probe.waitForExit() == .exited(0))
        #expect(probe.screen.rows.contains("ended: quit"))
        expectRestored(probe)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalToEndReachesTheApplicationFirst(number: Int32) throws {
        let probe = try start()
        probe.send(signal: number)
        #expect(probe.waitForExit() == .exited(7))
        #expect(probe.screen.rows.contains("ended: signal(\(number))"), "\(probe.screen.text)")
        expectRestored(probe)
    }

    @Test(arguments: [SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE])
    func aSignalThatKillsRestoresTheTerminal(number: Int32) throws {
        let probe = try start()
        probe.send(signal: number)
        #expect(probe.waitForExit() == .signalled(number))
        expectRestored(probe)
    }

    @Test(arguments: [
        ("c", [ChildExit.signalled(SIGSEGV)]), ("t", [.signalled(SIGILL), .signalled(SIGTRAP)]),
        ("a", [.signalled(SIGABRT)]), ("e", [.exited(3)]),
        ("\u{1C}", [.signalled(SIGQUIT)]),
    ]) func aCrashRestoresTheTerminal(key: String, expected: [ChildExit]) throws {
        let probe = try start()
        probe.type(key)
        let exit = try #require(probe.waitForExit())
        #expect(expected.contains(exit))
        expectRestored(probe)
    }

    @Test(
        .enabled(if: !ChildProcess.isThreadSanitized, "the sanitizer's own stack overflows first, and it dies of that")
    )
    func aStackOverflowRestoresTheTerminal() throws {
        let probe = try start()
        probe.type("o")
        #expect(probe.waitForExit() == .signalled(SIGSEGV))
        expectRestored(probe)
    }

    @Test func aSecondSignalEndsAProgramThatHangs() throws {
        let probe = try start()
        probe.type("h")
        #expect(probe.wait { $0.bells == 1 })
        probe.send(signal: SIGINT)
        #expect(probe.sendUntilItEnds(signal: SIGTERM) == .signalled(SIGTERM))
        expectRestored(probe)
    }

    @Test func aTerminalThatGoesAwayEndsTheProgram() throws {
        let probe = try start()
        probe.hangUp()
        #expect(probe.waitForExit() == .exited(7))
    }

    @Test func aTerminalThatGoesAwayIsNoticedWithoutTheSignal() throws {
        let command = "trap '' HUP; exec \(ChildProcess.product("terminal-probe"))"
        let probe = try start("/bin/sh", ["-c", command])
        probe.hangUp()
        #expect(probe.waitForExit() == .exited(7))
    }

    @Test func stoppingGivesTheTerminalToTheShellAndContinuingTakesItBack() throws {
        let shell = try Pseudoterminal(
            "/bin/bash",
            arguments: ["--norc", "--noprofile", "-i"],
            environment: ["PS1": "prompt> ", "HISTFILE": ""]
        )
        try #require(shell.waitForText("prompt>"))
        shell.type("\(ChildProcess.product("terminal-probe"))\r")
        try #require(shell.waitForText("size: 80x24"))

        for _ in 0..<2 {
            shell.type("\u{1A}")
            try #require(
                shell.wait { !$0.isAlternate && $0.rows.contains { $0.contains("Stopped") } },
                "\(shell.screen.text)"
            )
            #expect(shell.screen.modes.contains(25))
            #expect(!shell.screen.modes.contains(1_004))
            shell.resize(width: 100, height: 30)
            shell.type("fg\r")
            try #require(shell.wait { $0.isAlternate && $0.rows.contains("resumed: yes") }, "\(shell.screen.text)")
            #expect(shell.waitForText("size: 100x30"))
            #expect(shell.wait { $0.modes.isSuperset(of: [1_004, 2_004]) })
            shell.type("d")
            #expect(shell.wait { $0.row(0).hasSuffix("d") })
        }
        shell.type("q")
        #expect(shell.waitForText("ended: quit"))
        #expect(!shell.screen.isAlternate)
        shell.type("exit\r")
        #expect(shell.waitForExit() == .exited(0))
    }

    @Test(arguments: [[SIGTSTP], [SIGSTOP, SIGCONT]])
    func signalsThatStopAndContinueRepaintTheScreen(numbers: [Int32]) throws {
        let probe = try start()
        for number in numbers { probe.send(signal: number) }
        #expect(probe.waitForText("resumed: yes"), "\(probe.screen.text)")
        #expect(probe.wait { $0.isAlternate && $0.modes.isSuperset(of: [1_004, 2_004]) })
        probe.type("q")
        #expect(probe.waitForExit() == .exited(0))
        expectRestored(probe)
    }
}
