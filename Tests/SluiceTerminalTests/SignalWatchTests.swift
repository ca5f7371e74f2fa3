import Glibc
import SluiceTestSupport
import Testing

/// The watch without a terminal, in a program of its own: signals belong to the whole process.
@Suite(.timeLimit(.minutes(5)))
struct SignalWatchTests {
    private func start() throws -> ChildProcess {
        let probe = try ChildProcess(ChildProcess.product("terminal-probe"), arguments: ["wait"])
        try #require(probe.waitForOutput("ready"))
        return probe
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func theFirstSignalIsNotedAndASecondEnds(number: Int32) throws {
        let probe = try start()
        probe.send(signal: number)
        #expect(probe.waitForOutput("ending \(number)\n"))
        #expect(probe.sendUntilItEnds(signal: SIGTERM).exit == .exited(128 + SIGTERM))
    }

    @Test func theSameSignalTwiceEnds() throws {
        let probe = try start()
        probe.send(signal: SIGINT)
        #expect(probe.waitForOutput("ending 2\n"))
        #expect(probe.sendUntilItEnds(signal: SIGINT).exit == .exited(130))
    }

    @Test func oneHangUpAfterAnotherIsForgiven() throws {
        let probe = try start()
        probe.send(signal: SIGHUP)
        #expect(probe.waitForOutput("ending 1\n"))
        probe.send(signal: SIGHUP)
        #expect(probe.waitForExit(within: .milliseconds(300)).exit == nil)
        #expect(probe.sendUntilItEnds(signal: SIGHUP).exit == .exited(129))
    }

    @Test func aClosedPipeIsNoReasonToDie() throws {
        let probe = try start()
        probe.send(signal: SIGPIPE)
        probe.send(signal: SIGINT)
        #expect(probe.waitForOutput("ending 2\n"))
    }
}
