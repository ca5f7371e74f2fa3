import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceSystem
import SluiceTestSupport
import Testing

/// What an earlier session left: how it comes back, and who waits for it.
@Suite(.timeLimit(.minutes(5)))
struct RestoringTests {
    private let origin: Origin
    private let keeper = SlowKeeper()

    init() throws { origin = try Origin() }

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

    /// Both were asked for, of which one is there already.
    @Test func whatGoesOnLeavesTheFileOfAnotherWayOfAskingAlone() throws {
        origin.route("/a") { request, _ in .text(request.header("x-a") ?? "nobody") }
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory) = (keeper, true, true)
        }
        let path = harness.directory.path + "/a"
        #expect(FileTree.write("first", to: path))
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        var state = RememberedState()
        let file = SavedFile(path: path, size: 5, modified: modified)
        state.files = [KnownFile(key: origin.url("/a"), directory: harness.directory.path, file: file)]
        state.requests = [
            RestoredRequest(
                row: RestoredRequest.Row(session: 1, task: 1, receipt: 1),
                request: DownloadRequest(
                    origin.url("/a"),
                    options: RequestOptions(headers: [HeaderField("X-A", "second")])
                ),
                band: TaskQueue.Band.normal.rawValue,
                isPaused: false,
                priority: nil
            )
        ]
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.taskEnds.count == 1 })
        _ = try harness.shutDown()
        let texts = ["a", "a.1"].map { harness.directory.contents(of: $0).map { String(decoding: $0, as: UTF8.self) } }
        #expect(texts == ["first", "second"])
    }

    /// A reader of the stream would else hold another queue than there is.
    @Test func aRestoredTaskIsToldWhereItStandsByThePriorityThatTheUserSet() throws {
        let harness = try PipelineHarness(saves: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory, $0.settings.suspended) = (keeper, true, true, true)
        }
        var state = RememberedState()
        // As the queue stood: two of low priority, and one of normal that the user lowered behind them.
        state.requests = (1...3).map { number in
            RestoredRequest(
                row: RestoredRequest.Row(session: 1, task: number, receipt: number),
                request: DownloadRequest(
                    origin.url("/\(number)"),
                    options: RequestOptions(priority: number == 3 ? .normal : .low)
                ),
                band: TaskQueue.Band.low.rawValue,
                isPaused: false,
                priority: number == 3 ? .low : nil
            )
        }
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.submissions.count == 3 })
        let events = try harness.shutDown()
        #expect(events.submissions.map(\.position) == [1, 2, 3])
    }

    /// Two of low priority that ran, and three of high priority that waited for them.
    private func runningBeforeHigh(isSuspended: Bool) -> RememberedState {
        var state = RememberedState()
        state.isSuspended = isSuspended
        state.requests = (1...5).map { number in
            let ran = number < 3
            return RestoredRequest(
                row: RestoredRequest.Row(session: 1, task: number, receipt: number),
                request: DownloadRequest(
                    origin.url("/\(number)"),
                    options: RequestOptions(priority: ran ? .low : .high)
                ),
                band: ran ? TaskRecord.activeBand : TaskQueue.Band.high.rawValue,
                isPaused: false,
                priority: nil
            )
        }
        return state
    }

    private func oneSlot(_ keeper: SlowKeeper) throws -> PipelineHarness {
        try PipelineHarness(saves: true) {
            ($0.state, $0.keepsQueue, $0.awaitsMemory, $0.settings.maxActive) = (keeper, true, true, 1)
        }
    }

    @Test func whatRanStandsFirstInASuspendedQueueHoweverOftenItIsRestored() throws {
        origin.setFallback { request, _ in .text(request.path) }
        var state = runningBeforeHigh(isSuspended: true)
        for _ in 1...2 {
            let keeper = SlowKeeper()
            let harness = try oneSlot(keeper)
            harness.pipeline.remember(state)
            #expect(harness.wait { $0.submissions.count == 5 })
            let events = try harness.shutDown()
            #expect(events.submissions.map(\.position) == [1, 2, 3, 4, 5] && events.changes(.started).isEmpty)
            state.requests = keeper.left
        }
        let harness = try oneSlot(keeper)
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.submissions.count == 5 })
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(false))))
        #expect(harness.wait { $0.taskEnds.count == 5 })
        let events = try harness.shutDown()
        #expect(events.changes(.started).map(\.url) == (1...5).map { origin.url("/\($0)") })
    }

    @Test func whatRanStandsFirstWhereThereAreFewerSlots() throws {
        origin.setFallback { request, _ in .text(request.path) }
        let harness = try oneSlot(keeper)
        harness.pipeline.remember(runningBeforeHigh(isSuspended: false))
        #expect(harness.wait { $0.taskEnds.count == 5 })
        let events = try harness.shutDown()
        #expect(events.changes(.started).map(\.url) == (1...5).map { origin.url("/\($0)") })
    }

    /// It stands first by where it was, not by a priority of its own.
    @Test func whatRanKeepsItsPriority() throws {
        let harness = try oneSlot(keeper)
        harness.pipeline.remember(runningBeforeHigh(isSuspended: true))
        #expect(harness.wait { $0.submissions.count == 5 })
        for steering in [TaskSteering.pause, .resume] {
            harness.pipeline.send(.steer(steering, .task(TaskID(1))))
        }
        #expect(harness.wait { $0.changes(.queued).count == 6 })
        let events = try harness.shutDown()
        #expect(events.changes(.queued).last?.position == 5, "in front of its own level, behind the high ones")
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
        harness.pipeline.send(.steer(.retry, .task(try #require(waits.first?.task))))
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
        let reason = events.changes(.suspended).first?.reason?.sentence(now: Timestamp(nanoseconds: 0))
        #expect(reason == (waits ? why : nil), "nobody paused it")
        #expect(keeper.openRequests == (waits ? [1] : []))
    }
}

/// What several threads count.
private final class SharedCount: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
