import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// How soon the program ends by a signal, though a download stands still: a second is promised.
///
/// As with the indicator, the time is what is promised, and is not asked of a program under ThreadSanitizer.
@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: !ChildProcess.isThreadSanitized, "a program under ThreadSanitizer may stand still for as long")
)
struct SignalTimingTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.offerStalledFile()
    }

    private static func hasStalled(_ events: [JSONValue]) -> Bool {
        events.named("task.progress").contains { $0["received"]?.int == 600_000 }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aCommandEndsWithinASecond(number: Int32) throws {
        let run = try GetRun([origin.url("/slow.bin")])
        #expect(try run.wait(until: Self.hasStalled))

        let time = ContinuousClock().measure {
            run.child.send(signal: number)
            _ = run.child.waitForExit()
        }
        #expect(try run.finish(closesInput: false).exit == .exited(7))
        #expect(time <= .seconds(1), "\(time)")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func theDashboardEndsWithinASecond(number: Int32) throws {
        let dashboard = try DashboardScreen([origin.url("/slow.bin")])
        #expect(try dashboard.wait(until: Self.hasStalled))

        let time = ContinuousClock().measure {
            dashboard.terminal.send(signal: number)
            _ = dashboard.terminal.waitForExit()
        }
        try dashboard.expectEnd(.exited(7))
        #expect(time <= .seconds(1), "\(time)")
    }
}
