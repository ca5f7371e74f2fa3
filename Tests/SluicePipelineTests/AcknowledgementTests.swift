import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// News of a queue that is kept: none before it is safe.
@Suite(.timeLimit(.minutes(5)))
struct AcknowledgementTests {
    private let origin: Origin
    private let keeper = SlowKeeper()

    init() throws { origin = try Origin() }

    @Test func nothingIsAcknowledgedBeforeItIsSafe() throws {
        origin.setFallback { request, _ in .text(request.path) }
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue) = (keeper, true)
            $0.directory = "/nowhere"
        }
        keeper.hold()
        harness.submit(origin.url("/a"), origin.url("/b"))
        #expect(origin.waitUntil { $0.requests.count == 2 }, "transfers do not wait")
        #expect(keeper.wait(forChanges: 4))
        #expect(harness.events.submissions.isEmpty)
        keeper.release()
        let events = try harness.finish()
        #expect(events.submissions.count == 2)
        #expect(events.taskEnds.map(\.outcome) == [.success, .success])
    }

    /// Its file waits until it is on record that it is whole.
    @Test func aThumbnailMayJoinABodyThatIsAboutToGetItsName() throws {
        origin.route("/a.png", .bytes(Picture.png(width: 40, height: 30), type: "image/png"))
        let harness = try PipelineHarness(saves: true) { [keeper] in ($0.state, $0.keepsQueue) = (keeper, true) }
        keeper.hold()
        harness.submit(origin.url("/a.png"))
        #expect(keeper.wait { $0.contains { if case .part = $0 { true } else { false } } })
        let widths = Locked<[Int?]>([])
        let options = RequestOptions(saves: false, thumbnail: ThumbnailSize(width: 10, height: 10))
        harness.pipeline.submit(DownloadRequest(origin.url("/a.png"), options: options)) { outcome in
            widths.withLock { $0.append(outcome.image?.bitmap.width) }
        }
        #expect(keeper.wait { _ in keeper.requestCount == 2 })
        keeper.release()
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .joined] && widths.withLock { $0 } == [10])
        #expect(harness.directory.names == ["a.png"] && origin.log.hits("/a.png") == 1)
    }

    @Test func newRequestsWaitWhereTheOldOnesAreNotSafe() throws {
        origin.setFallback { request, _ in .text(request.path) }
        origin.hold()
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.settings.maxActive) = (keeper, true, 1)
        }
        keeper.hold()
        harness.submit((1...2_000).map { origin.url("/\($0)") })
        // Each of these takes a turn, in which more could be submitted.
        for slots in 1...20 {
            try harness.set("maxActive", "\(slots)")
            #expect(origin.waitUntil { $0.requests.count == slots })
        }
        #expect((512...1_024).contains(keeper.requestCount))
        keeper.release()
        let submitted = harness.wait { $0.submissions.count == 2_000 }
        #expect(submitted)
        origin.release()
        try harness.shutDown()
    }

    /// The store writes, and the screen hears, while the others are still being cancelled.
    @Test func manyThatAreCancelledAtOnceAreSafeInLots() throws {
        origin.hold()
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.settings.maxActive) = (keeper, true, 1)
        }
        harness.submit((1...4_000).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.submissions.count == 4_000 })
        keeper.hold(besides: 1)
        harness.pipeline.send(.cancelAll)
        #expect(harness.wait { !$0.taskEnds.isEmpty })
        // All are cancelled by then, though not reported.
        #expect(keeper.wait { $0.count { if case .taskEnded = $0 { true } else { false } } == 4_000 })
        let reported = harness.events.taskEnds.count
        #expect((1...2_000).contains(reported))
        keeper.release()
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.task.rawValue) == Array(1...4_000))
        #expect(events.receiptEnds.count == 4_000)
        #expect(keeper.openTasks.isEmpty && keeper.openRequests.isEmpty)
    }

    /// The screen has said that it is done to all of them.
    @Test func manyThatAreAbortedBeforeTheEndAreNoWorkForTheNextSession() throws {
        origin.hold()
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.settings.maxActive) = (keeper, true, 1)
        }
        harness.submit((1...1_000).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.submissions.count == 1_000 })
        harness.pipeline.send(.steer(.abort, .queued(ListFilter(""))))
        let events = try harness.shutDown()
        #expect(events.taskEnds.count { $0.outcome == .cancelled } == 999)
        let left = events.sessionEnds.map(\.left)
        #expect(left == [1] && keeper.openTasks.count == 1)
    }

    @Test func whatPicturesAskForIsNoUnfinishedRequest() throws {
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory) = (keeper, true, true)
        }
        let options = RequestOptions(policy: .cacheOnly, saves: false)
        harness.pipeline.submit(DownloadRequest(origin.url("/a"), options: options, source: .view(1))) { _ in }
        let events = try harness.shutDown()
        let left = events.sessionEnds.map(\.left)
        #expect(left == [0])
    }

    @Test func whatNoNextSessionGoesOnWithIsNotLeft() throws {
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue) = (keeper, true)
        }
        origin.hold()
        harness.submit(origin.url("/a"), origin.url("/b"))
        harness.pipeline.send(.prefetch(["/b", "/c", "/d"].map { DownloadRequest(origin.url($0)) }))
        #expect(harness.wait { $0.submissions.count == 5 })
        let events = try harness.shutDown()
        let left = events.sessionEnds.map(\.left)
        #expect(left == [2])
    }

    @Test func aTaskLeavesNothingBehind() throws {
        origin.route("/a", .text("a"))
        origin.route("/gone", OriginResponse(404))
        let harness = try PipelineHarness(saves: true) { [keeper] in ($0.state, $0.keepsQueue) = (keeper, true) }
        harness.submit(origin.url("/a"), origin.url("/a"), origin.url("/gone"))
        try harness.finish()
        #expect(keeper.openRequests.isEmpty && keeper.openTasks.isEmpty)
        #expect(keeper.failed == [origin.url("/gone")])
    }

    /// What a key leaves out is needed to ask again: the next session finds it in what is kept.
    @Test func whatIsKeptNamesTheWholeURLWhereTheKeyDoesNot() throws {
        let url = origin.url("/gone?token=1")
        origin.route("/gone", OriginResponse(404))
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.settings.keyFilter) = (keeper, true, ["token"])
        }
        harness.submit(url)
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.url) == [url])
        #expect(keeper.requested == [url])
        #expect(keeper.failed == [url])
    }

    @Test func whatCanNotBeKeptIsSaidOnceAndHoldsNothingUp() throws {
        origin.setFallback { request, _ in .text(request.path) }
        keeper.fail(StateProblem(message: "no room for it"))
        let harness = try PipelineHarness(saves: true) { [keeper] in ($0.state, $0.keepsQueue) = (keeper, true) }
        harness.submit((1...20).map { origin.url("/\($0)") })
        let events = try harness.finish()
        #expect(events.taskEnds.count == 20)
        #expect(events.count { if case .warning(.state, _, _) = $0.kind { true } else { false } } == 1)
    }

    @Test func whatCanBeKeptAgainIsSaid() throws {
        origin.setFallback { request, _ in .text(request.path) }
        keeper.fail(StateProblem(message: "no room for it", mayPass: true))
        let harness = try PipelineHarness(saves: true) { [keeper] in ($0.state, $0.keepsQueue) = (keeper, true) }
        harness.submit((1...5).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.taskEnds.count == 5 })
        keeper.fail(nil)
        harness.submit(origin.url("/6"))
        let events = try harness.finish()
        #expect(events.taskEnds.count == 6)
        let said = events.compactMap { if case .warning(let code, _, _) = $0.kind { code } else { nil } }
        #expect(said == [.state, .stateKept])
        #expect(keeper.openRequests.isEmpty, "all of it was handed over")
    }

    @Test func whatWaitsIsTriedAgainThoughNothingNewComes() throws {
        origin.setFallback { request, _ in .text(request.path) }
        keeper.fail(StateProblem(message: "no room for it", mayPass: true))
        let harness = try PipelineHarness(saves: true) { [keeper] in ($0.state, $0.keepsQueue) = (keeper, true) }
        harness.submit(origin.url("/1"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        keeper.fail(nil)
        let isKept = harness.wait { events in
            events.contains { if case .warning(.stateKept, _, _) = $0.kind { true } else { false } }
        }
        #expect(isKept)
        try harness.finish()
    }

    /// Who quits while a long list is still being taken finds all of it at the next start.
    @Test func aListThatWasNotTakenYetIsKeptAtTheEnd() throws {
        origin.hold()
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.settings.maxActive) = (keeper, true, 1)
        }
        harness.submit((1...2_000).map { origin.url("/\($0)") })
        let events = try harness.shutDown()
        #expect(events.submissions.count == 2_000)
        #expect(keeper.openRequests.count == 2_000)
        let left = events.sessionEnds.map(\.left)
        #expect(left == [2_000])
    }
}
