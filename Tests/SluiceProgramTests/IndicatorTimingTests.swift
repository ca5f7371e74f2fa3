import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// When the activity indicator shows and hides, by the times of the program's own events.
///
/// The delays are part of what is promised, so times are compared, which few tests do; they
/// are those of the program, whatever the tests are doing meanwhile. How late it may be is not
/// asked of a program under ThreadSanitizer, which may stand still for as long.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct IndicatorTimingTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        for (path, delay) in [("/long", 1_500), ("/medium", 1_300), ("/short", 500)] {
            origin.route(path) { _, _ in
                var answer = OriginResponse.text("text")
                answer.delay = .milliseconds(delay)
                return answer
            }
        }
    }

    /// A span of seconds that begins at `early`, and ends at `late` where a program keeps time.
    private func span(_ early: Double, _ late: Double) -> ClosedRange<Double> {
        early...(ChildProcess.isThreadSanitized ? .infinity : late)
    }

    private func start(_ options: [String] = []) throws -> GetRun { try GetRun(["--no-save", "-i", "-"] + options) }

    private func time(of name: String, in events: [JSONValue]) throws -> Double {
        try #require(events.named(name).first, "\(name)").t
    }

    private func change(to state: String, in events: [JSONValue]) throws -> JSONValue {
        try #require(events.named("indicator.changed").first { $0["to"]?.string == state }, "\(state)")
    }

    @Test func itShowsAfterASecondAndHidesAfterAMoment() throws {
        let run = try start()
        run.child.write(origin.url("/long\n"))
        #expect(try run.wait { $0.indicatorStates.last == "notActive" })
        let events = try run.finish().events
        #expect(events.indicatorStates == ["delayingStart", "active", "delayingEnd", "notActive"])

        let shown = try change(to: "active", in: events)
        let delay = shown.t - (try time(of: "task.started", in: events))
        #expect(span(0.95, 1.2).contains(delay), "shown after \(delay) s")
        #expect(shown["visible"]?.bool == true && shown["tasks"]?.int == 1)
        let hidden = try change(to: "notActive", in: events)
        let rest = hidden.t - (try time(of: "task.finished", in: events))
        #expect(span(0.15, 0.3).contains(rest), "hidden after \(rest) s")
        #expect(hidden["visible"]?.bool == false && hidden["tasks"]?.int == 0)
    }

    @Test func aShortRequestNeverShowsIt() throws {
        // The usual delays, but where the sanitizer makes each step ten times as long.
        let run = try start(ChildProcess.isThreadSanitized ? ["--activation-delay", "4"] : [])
        run.child.write(origin.url("/short\n"))
        #expect(try run.wait { $0.indicatorStates.last == "notActive" })
        let events = try run.finish().events
        #expect(events.indicatorStates == ["delayingStart", "notActive"])
        #expect(!events.named("indicator.changed").contains { $0["visible"]?.bool == true })
    }

    @Test func aShortGapDoesNotHideIt() throws {
        let run = try start(ChildProcess.isThreadSanitized ? ["--completion-delay", "2"] : [])
        run.child.write(origin.url("/medium\n"))
        #expect(try run.wait { $0.taskOutcomes.count == 1 })
        _ = run.child.waitForExit(within: .milliseconds(50))
        run.child.write(origin.url("/short\n"))
        #expect(try run.wait { $0.indicatorStates.last == "notActive" })
        let events = try run.finish().events
        #expect(
            events.indicatorStates == ["delayingStart", "active", "delayingEnd", "active", "delayingEnd", "notActive"]
        )
        let changes = events.named("indicator.changed")
        #expect(changes.map { $0["visible"]?.bool } == [false, true, true, true, true, false])
    }

    @Test func withoutDelaysItFollowsAtOnce() throws {
        let run = try start(["--activation-delay", "0", "--completion-delay", "0"])
        for count in 1...2 {
            run.child.write(origin.url("/short\n"))
            #expect(try run.wait { $0.taskOutcomes.count == count && $0.indicatorStates.last == "notActive" })
        }
        let events = try run.finish().events
        let visible = events.named("indicator.changed").compactMap { $0["visible"]?.bool }
        #expect(visible.contains(true))
        // Of the second one: before the first, the network's library makes itself ready.
        let second = Array(events.drop { $0["event"]?.string != "task.finished" }.dropFirst())
        let shown = try change(to: "active", in: second).t - (try time(of: "task.started", in: second))
        #expect(span(0, 0.05).contains(shown), "shown after \(shown) s")
        let hidden = try change(to: "notActive", in: second).t - (try time(of: "task.finished", in: events))
        #expect(span(0, 0.05).contains(hidden), "hidden after \(hidden) s")
    }

    @Test func disabledItNeverChanges() throws {
        let run = try start(["--indicator-enabled", "false", "--activation-delay", "0"])
        run.child.write(origin.url("/short\n"))
        #expect(try run.wait { $0.taskOutcomes.count == 1 })
        let events = try run.finish().events
        #expect(events.indicatorStates.isEmpty)
    }
}
