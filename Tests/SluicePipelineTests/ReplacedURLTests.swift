import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceSystem
import SluiceTestSupport
import Testing

/// A task that goes on with another URL stands as the one did whose place it takes.
@Suite(.timeLimit(.minutes(5)))
struct ReplacedURLTests {
    private let origin: Origin
    private let keeper = KeptRates()

    init() throws {
        origin = try Origin()
        origin.setFallback { request, _ in .text(request.path) }
    }

    /// Each starts as soon as the one before has left its slot, with one of them running and held by the origin.
    ///
    /// Only `path` is held, or all without one.
    private func harness(holding path: String? = nil) throws -> PipelineHarness {
        let harness = try PipelineHarness(saves: true, namesDirectory: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.settings.maxActive) = (keeper, true, 1)
        }
        origin.hold(path)
        harness.submit(["/1", "/2", "/3"].map { origin.url($0) })
        #expect(origin.waitUntil { $0.held == 1 })
        return harness
    }

    private func steer(_ harness: PipelineHarness, _ task: Int, _ steering: TaskSteering) {
        harness.pipeline.ask(.steer(TaskID(task), steering)) { _ in }
    }

    @Test func whatHadBegunGoesBeforeThoseThatHaveNot() throws {
        let harness = try harness()
        steer(harness, 1, .setRate(90_000))
        harness.pipeline.send(.replaceURL(TaskID(1), origin.url("/new")))
        #expect(harness.wait { $0.submissions.count == 4 })
        origin.release()
        let events = try harness.finish()
        #expect(events.changes(.started).map(\.task) == [1, 4, 2, 3].map { TaskID($0) })
        #expect(keeper.rates == [90_000, 90_000], "a limit of its own stays")
    }

    /// Its URL has expired, as a signed one does on the way.
    @Test func whatHadBegunAndFailedGoesBeforeThoseThatHaveNot() throws {
        origin.route("/1", OriginResponse(403))
        let harness = try harness(holding: "/1")
        origin.hold("/2")
        origin.release("/1")
        #expect(harness.wait { $0.taskEnds.count == 1 } && origin.waitUntil { $0.held == 1 })
        harness.pipeline.send(.replaceURL(TaskID(1), origin.url("/new")))
        #expect(harness.wait { $0.submissions.count == 4 })
        #expect(harness.events.submissions.last?.position == 1)
        origin.release("/2")
        let events = try harness.finish()
        #expect(events.changes(.started).map(\.task) == [1, 2, 4, 3].map { TaskID($0) })
    }

    @Test func whatThePriorityWasSetToStays() throws {
        let harness = try harness()
        steer(harness, 3, .setPriority(.high))
        harness.pipeline.send(.replaceURL(TaskID(3), origin.url("/new")))
        #expect(harness.wait { $0.submissions.count == 4 })
        origin.release()
        let events = try harness.finish()
        #expect(events.changes(.started).map(\.task) == [1, 4, 2].map { TaskID($0) })
    }

    @Test(arguments: [false, true]) func whatWasPausedStaysSo(isSlotFree: Bool) throws {
        let harness = try harness()
        steer(harness, 2, .pause)
        if isSlotFree { try harness.set("maxActive", "4") }
        harness.pipeline.send(.replaceURL(TaskID(2), origin.url("/new")))
        #expect(harness.wait { $0.changes(.suspended).map(\.task) == [TaskID(2), TaskID(4)] })
        origin.release()
        #expect(harness.wait { $0.taskEnds.count == 3 })
        #expect(origin.log.hits("/new") == 0)
        #expect(harness.events.submissions.last?.outcome == .queued)
        steer(harness, 4, .resume)
        let events = try harness.finish()
        #expect(events.taskEnds.last?.outcome == .success && origin.log.hits("/new") == 1)
    }

    /// What is tried again is the same task to the user.
    @Test func anAbortedTaskKeepsItsLimitWhereItIsTriedAgain() throws {
        let harness = try harness()
        steer(harness, 1, .setRate(90_000))
        steer(harness, 1, .abort)
        #expect(harness.wait { $0.taskEnds.count == 1 })
        steer(harness, 1, .retry)
        origin.release()
        try harness.finish()
        #expect(keeper.rates == [90_000, 90_000])
    }
}

/// Keeps the limits of tasks in memory, at once.
private final class KeptRates: StateKeeping {
    private let changes = Locked<[Int]>([])
    var rates: [Int] { changes.withLock { $0 } }

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        let rates = changes.compactMap { if case .rate(_, let rate) = $0 { rate } else { nil } }
        self.changes.withLock { $0 += rates }
        saved(nil)
    }
}
