import CLinux
import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceSystem
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

    @Test func whatPicturesAskForIsNoUnfinishedRequest() throws {
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory) = (keeper, true, true)
        }
        let options = RequestOptions(policy: .cacheOnly, saves: false)
        harness.pipeline.submit(DownloadRequest(origin.url("/a"), options: options, source: .view(1))) { _ in }
        let events = try harness.shutDown()
        let left = events.compactMap { if case .sessionEnded(let counts) = $0.kind { counts.left } else { nil } }
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
        let left = events.compactMap { if case .sessionEnded(let counts) = $0.kind { counts.left } else { nil } }
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
        #expect(events.count { if case .warning("state", _, _) = $0.kind { true } else { false } } == 1)
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
        #expect(said == ["state", "stateKept"])
        #expect(keeper.openRequests.isEmpty, "all of it was handed over")
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
        let left = events.compactMap { if case .sessionEnded(let counts) = $0.kind { counts.left } else { nil } }
        #expect(left == [2_000])
    }

    @Test func restoredRequestsComeBeforeNewOnesInTheirOrder() throws {
        origin.setFallback { request, _ in .text(request.path) }
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory) = (keeper, true, true)
            $0.settings.order = .lifo
        }
        harness.submit(origin.url("/new"))
        var state = RememberedState()
        state.requests = (1...3).map { number in
            RestoredRequest(
                row: RestoredRequest.Row(session: 1, task: number, receipt: number),
                request: DownloadRequest(origin.url("/\(number)")),
                band: TaskQueue.Band.normal.rawValue,
                isPaused: number == 2,
                priority: number == 3 ? .low : nil
            )
        }
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.taskEnds.count == 3 })
        let events = try harness.shutDown()
        #expect(events.submissions.map(\.url) == ["/1", "/2", "/3", "/new"].map { origin.url($0) })
        #expect(events.changes(.suspended).map(\.url) == [origin.url("/2")])
        #expect(!events.changes(.started).contains { $0.url == origin.url("/2") })
        #expect(keeper.openRequests == [2])
    }

    /// A server that asked for time is not asked again because the program was started anew.
    @Test func aRestoredTaskWaitsForItsNextAttempt() throws {
        origin.setFallback { request, _ in .text(request.path) }
        let start: Int64 = 1_800_000_000_000_000_000
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory, $0.startWallClock) = (keeper, true, true, start)
            $0.settings.maxRetryAfter = .seconds(300)
        }
        // One whose time has come, one whose has not, and one for which the calendar was set back since.
        let seconds: [Int64?] = [nil, -1, 120, 86_400]
        var state = RememberedState()
        state.requests = zip(1..., seconds).map { number, left in
            var request = RestoredRequest(
                row: RestoredRequest.Row(session: 1, task: number, receipt: number),
                request: DownloadRequest(origin.url("/\(number)")),
                band: TaskQueue.Band.normal.rawValue,
                isPaused: false,
                priority: nil
            )
            request.waitsUntil = left.map { start + $0 * 1_000_000_000 }
            return request
        }
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.taskEnds.count == 2 && $0.changes(.waiting).count == 2 })
        let waits = harness.events.changes(.waiting)
        #expect(waits.map(\.url) == ["/3", "/4"].map { origin.url($0) })
        let delays = waits.compactMap(\.delay)
        #expect(delays.count == 2 && (.seconds(60)...(.seconds(120))).contains(delays[0]) && delays[1] == .seconds(300))
        #expect(waits.allSatisfy { $0.reason == .restoredWaiting && $0.attempt == 1 })
        // Whoever does not want to wait still need not.
        harness.pipeline.send(.retry(try #require(waits.first?.task)))
        #expect(harness.wait { $0.taskEnds.count == 3 })
        try harness.shutDown()
        #expect(origin.log.requests.map(\.path).sorted() == ["/1", "/2", "/3"])
        #expect(keeper.openRequests == [4])
    }

    @Test("who waits for the end of all waits for what an earlier session left")
    func oldRequestsAreWaitedForBeforeTheyAreSubmitted() throws {
        origin.route("/1", .text("1"))
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory) = (keeper, true, true)
        }
        let (answered, bell) = (SharedCount(), Doorbell(waits: true))
        harness.pipeline.ask(.idle) { _ in
            answered.add()
            bell.ring()
        }
        // It was looked at when what was asked for after it is done.
        try harness.set("maxActive", "3")
        #expect(harness.wait { $0.contains { if case .settingChanged = $0.kind { true } else { false } } })
        #expect(answered.value == 0)
        var state = RememberedState()
        state.requests = [
            RestoredRequest(
                row: RestoredRequest.Row(session: 1, task: 1, receipt: 1),
                request: DownloadRequest(origin.url("/1")),
                band: TaskQueue.Band.normal.rawValue,
                isPaused: false,
                priority: nil
            )
        ]
        harness.pipeline.remember(state)
        bell.answer()
        #expect(harness.events.taskEnds.count == 1)
        try harness.shutDown()
    }

    @Test(arguments: [("POST", true), ("PUT", true), ("GET", false), ("HEAD", false)])
    func whatMayNotBeAskedTwiceIsRestoredPaused(method: String, waits: Bool) throws {
        origin.setFallback { request, _ in .text(request.path) }
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory) = (keeper, true, true)
        }
        var state = RememberedState()
        state.requests = (1...2).map { number in
            RestoredRequest(
                row: RestoredRequest.Row(session: 1, task: number, receipt: number),
                request: DownloadRequest(origin.url("/\(number)"), options: RequestOptions(method: method)),
                band: number == 1 ? TaskRecord.activeBand : TaskQueue.Band.normal.rawValue,
                isPaused: false,
                priority: nil
            )
        }
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.taskEnds.count == (waits ? 1 : 2) })
        let events = try harness.shutDown()
        #expect(events.changes(.suspended).map(\.url) == (waits ? [origin.url("/1")] : []))
        #expect(origin.log.hits("/1") == (waits ? 0 : 1) && origin.log.hits("/2") == 1)
        let why = events.submissions.first?.why.sentence(now: Timestamp(nanoseconds: 0))
        #expect(why?.contains("may have reached") == waits)
        #expect(keeper.openRequests == (waits ? [1] : []))
    }
}

/// What several threads count.
private final class SharedCount: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

/// Keeps changes in memory, and says so when it is told to.
private final class SlowKeeper: StateKeeping {
    private struct State {
        var changes: [StateChange] = []
        var waiting: [@Sendable (StateProblem?) -> Void] = []
        var isHeld = false
        /// Lots that are safe at once all the same.
        var besides = 0
        var problem: StateProblem?
    }

    private let state = Locked(State())
    /// Rings with each change.
    private let bell = eventfd(0, Int32(EFD_CLOEXEC))

    deinit { close(bell) }

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        defer { eventfd_write(bell, 1) }
        let (isHeld, problem) = state.withLock { state in
            state.changes += changes
            let isHeld = state.isHeld && state.besides == 0
            state.besides = max(0, state.besides - 1)
            if isHeld { state.waiting.append(saved) }
            return (isHeld, state.problem)
        }
        if !isHeld { saved(problem) }
    }

    func hold(besides lots: Int = 0) { state.withLock { ($0.isHeld, $0.besides) = (true, lots) } }
    func fail(_ problem: StateProblem?) { state.withLock { $0.problem = problem } }

    func release() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.isHeld) = ([], false) }
            return state.waiting
        }
        for saved in waiting { saved(nil) }
    }

    func wait(forChanges count: Int) -> Bool { wait { $0.count >= count } }

    func wait(until isDone: ([StateChange]) -> Bool) -> Bool {
        let end = ContinuousClock.now + .patience
        while !isDone(state.withLock { $0.changes }) {
            guard ContinuousClock.now < end else { return false }
            var (entry, rings) = (pollfd(fd: bell, events: Int16(POLLIN), revents: 0), eventfd_t(0))
            if unsafe poll(&entry, 1, 1_000) == 1 { _ = unsafe eventfd_read(bell, &rings) }
        }
        return true
    }

    /// Requests that were ever kept.
    var requestCount: Int {
        state.withLock { $0.changes }.count { if case .request = $0 { true } else { false } }
    }

    /// Receipts that were kept and have no end.
    var openRequests: [Int] {
        var open: [(task: Int, receipt: Int)] = []
        for change in state.withLock({ $0.changes }) {
            switch change {
            case .request(let record): open.append((record.task.rawValue, record.receipt.rawValue))
            case .receiptEnded(let task, let receipt):
                open.removeAll { $0 == (task.rawValue, receipt.rawValue) }
            case .taskEnded(let task): open.removeAll { $0.task == task.rawValue }
            default: break
            }
        }
        return open.map(\.receipt)
    }

    var openTasks: Set<Int> {
        var open: Set<Int> = []
        for change in state.withLock({ $0.changes }) {
            switch change {
            case .task(let record): open.insert(record.task.rawValue)
            case .taskEnded(let task): open.remove(task.rawValue)
            default: break
            }
        }
        return open
    }

    /// URLs that were ever kept.
    var requested: [String] {
        state.withLock { $0.changes }.compactMap {
            if case .request(let record) = $0 { record.request.url } else { nil }
        }
    }

    var failed: [String] {
        state.withLock { $0.changes }.compactMap { if case .failed(let record) = $0 { record.url } else { nil } }
    }
}
