import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceSystem
import SluiceTestSupport
import Testing

/// What a screen asks of a long queue, and does to many of its tasks.
@Suite(.timeLimit(.minutes(5)))
struct QueryTests {
    private let origin: Origin
    private let snapshots = SnapshotBox()

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
        origin.hold()
    }

    private func start(_ paths: [String], saves: Bool = false) throws -> PipelineHarness {
        let harness = try PipelineHarness(saves: saves, keeping: snapshots) {
            $0.settings.maxActive = 1
        }
        harness.submit(paths.map(origin.url))
        #expect(harness.wait { $0.submissions.count == paths.count })
        return harness
    }

    private func names(_ snapshot: PipelineSnapshot?) -> [String] { snapshot?.queued.map(\.name) ?? [] }

    @Test func aFilterNarrowsTheWatchedRows() throws {
        let harness = try start(["/run", "/cat-1.png", "/dog.png", "/Cat-2.png", "/saturn%20cat.png"])

        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 10, filter: ListFilter("CAT png"))))
        let cats = snapshots.wait { $0.queuedMatches == 3 && !$0.isFiltering }
        #expect(names(cats) == ["cat-1.png", "Cat-2.png", "saturn cat.png"])
        #expect(cats?.queued.map(\.state) == [.queued(position: 1), .queued(position: 3), .queued(position: 4)])

        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 10, filter: ListFilter("!cat"))))
        #expect(snapshots.wait { $0.queuedMatches == 1 && $0.queued.map(\.name) == ["dog.png"] } != nil)
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 10, filter: ListFilter("saturn cat"))))
        #expect(snapshots.wait { $0.queued.map(\.name) == ["saturn cat.png"] && !$0.isFiltering } != nil)

        harness.submit(origin.url("/saturn-cat.png"))
        #expect(snapshots.wait { $0.queuedMatches == 2 } != nil, "what comes later is found too")
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 10)))
        #expect(snapshots.wait { $0.queuedMatches == nil && $0.queued.count == 5 } != nil)
        origin.release()
        try harness.finish()
    }

    @Test(arguments: [Int.min, -1, .max]) func aWindowOfAnyNumbersShowsWhatThereIs(number: Int) throws {
        let harness = try start(["/run", "/cat-1.png", "/cat-2.png"])
        let filters: [(text: String, matches: Int?)] = [("cat", 2), ("", nil)]
        for (filter, matches) in filters {
            harness.pipeline.send(.watch(QueueWindow(from: number, count: number, filter: ListFilter(filter))))
            let snapshot = snapshots.wait { $0.queuedMatches == matches && !$0.isFiltering }
            #expect(snapshot?.queuedFrom == 1 && snapshot?.queued.count == (number == .max ? 2 : 0))
        }
        origin.release()
        try harness.finish()
    }

    /// Also before the queue is searched again: the last row is where the cursor goes.
    @Test func whatLeftIsNoRowAndNotCounted() throws {
        let harness = try start(["/run"] + (1...6).map { "/cat-\($0).png" })
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 10, filter: ListFilter("cat"))))
        #expect(snapshots.wait { $0.queuedMatches == 6 && !$0.isFiltering } != nil)
        for receipt in [7, 3] { harness.pipeline.send(.cancel(ReceiptID(receipt))) }
        let left = snapshots.wait { $0.counts.cancelled == 2 }
        #expect(left?.queuedMatches == 4 && names(left) == [1, 3, 4, 5].map { "cat-\($0).png" })
        origin.release()
        try harness.finish()
        let filtered = snapshots.all.filter { $0.queuedMatches != nil && !$0.isFiltering }
        #expect(filtered.allSatisfy { $0.queuedMatches == $0.queuedFrom - 1 + $0.queued.count })
    }

    @Test func theNextMatchIsFoundInBothDirectionsAndRoundTheEnd() throws {
        let harness = try start(["/run", "/a1", "/b1", "/a2", "/b2", "/a3"])
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 2, filter: ListFilter("b"), isNarrowed: false)))
        for (serial, (from, isBackward, position)) in [
            (1, false, 2), (2, false, 4), (4, false, 2), (5, true, 4), (1, true, 4),
        ].enumerated() {
            harness.pipeline.send(.find(QueueSearch(serial: serial, from: from, isBackward: isBackward)))
            let found = snapshots.wait { $0.found?.serial == serial }
            #expect(found?.found?.position == position)
            #expect(found?.queuedMatches == nil && names(found) == ["a1", "b1"], "all rows are shown")
        }
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 2)))
        harness.pipeline.send(.find(QueueSearch(serial: 9, from: 1, isBackward: false)))
        #expect(snapshots.wait { $0.found?.serial == 9 }?.found?.position == nil)
        origin.release()
        try harness.finish()
    }

    @Test func aLongQueueIsFilteredAndAbortedInSlices() throws {
        let harness = try PipelineHarness(keeping: snapshots) { $0.settings.suspended = true }
        harness.submit((1...5_000).map { "http://origin.example/\($0).jpg" })
        #expect(snapshots.wait { $0.queuedCount == 5_000 && $0.backlog == 0 } != nil)

        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 5, filter: ListFilter("499"))))
        let found = snapshots.wait { $0.queuedMatches != nil && !$0.isFiltering }
        #expect(found?.queuedMatches == 15)
        #expect(names(found) == ["499.jpg", "1499.jpg", "2499.jpg", "3499.jpg", "4499.jpg"])
        #expect(found?.queued.first?.state == .queued(position: 499))

        harness.pipeline.send(.steer(.abort, .queued(ListFilter("!7"))))
        let left = snapshots.wait { $0.counts.cancelled == 3_645 }
        #expect(left?.queuedCount == 1_355)
        harness.pipeline.send(.steer(.abort, .queued(ListFilter())))
        #expect(snapshots.wait { $0.queuedCount == 0 } != nil)
        try harness.finish()
    }

    @Test func manyTasksAreSteeredTogether() throws {
        let harness = try start((0...6).map { "/\($0)" })
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 10)))
        harness.pipeline.send(.steer(.promote, .tasks([TaskID(4), TaskID(6)])))
        #expect(names(snapshots.wait { $0.queued.first?.name == "3" }) == ["3", "5", "1", "2", "4", "6"])
        harness.pipeline.send(.steer(.toEnd, .tasks([TaskID(6)])))
        #expect(names(snapshots.wait { $0.queued.last?.name == "5" }) == ["3", "1", "2", "4", "6", "5"])
        harness.pipeline.send(.steer(.pause, .queued(ListFilter(), between: .init(TaskID(5), TaskID(2)))))
        let paused = snapshots.wait { $0.pausedCount == 3 }
        #expect(names(paused) == ["3", "6", "5"])
        harness.pipeline.send(.steer(.resume, .tasks([TaskID(2), TaskID(3), TaskID(99)])))
        #expect(snapshots.wait { $0.pausedCount == 1 } != nil)
        harness.pipeline.send(.steer(.move(by: 1), .tasks([TaskID(2), TaskID(3)])))
        harness.pipeline.send(.steer(.abort, .queued(ListFilter())))
        harness.pipeline.send(.steer(.abort, .tasks([TaskID(5)])))
        #expect(snapshots.wait { $0.queuedCount + $0.pausedCount == 0 } != nil)
        origin.release()
        #expect(try harness.finish().taskEnds.filter { $0.outcome == .cancelled }.count == 6)
    }

    @Test func thePriorityThatAPromotedTaskHasTakesItBack() throws {
        let harness = try start((0...3).map { "/\($0)" })
        let changes = Locked<[Bool]>([])
        harness.pipeline.send(.steer(.promote, .task(TaskID(4))))
        harness.pipeline.ask(.steer(TaskID(2), .setPriority(.high))) { _ in }
        for _ in 1...2 {
            harness.pipeline.ask(.steer(TaskID(4), .setPriority(.normal))) { reply in
                if case .changed(let hasChanged) = reply.answer { changes.withLock { $0.append(hasChanged) } }
            }
        }
        origin.release()
        let events = try harness.finish()
        #expect(changes.withLock { $0 } == [true, false])
        #expect(events.changes(.moved).map(\.position) == [1, 2, 2])
        #expect(events.changes(.moved).last?.reason == .priorityChanged(.normal))
    }

    /// Several that are moved stop at the edge as they stand, and keep the order in which they wait.
    @Test func selectedTasksMoveAsOneBlock() throws {
        let harness = try start((0...6).map { "/\($0)" })
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 10)))
        func move(_ places: Int, _ tasks: Int...) {
            harness.pipeline.send(.steer(.move(by: places), .tasks(tasks.map { TaskID($0) })))
        }
        move(-1, 2, 3)
        move(-1, 4, 3)
        #expect(names(snapshots.wait { $0.queued.first?.name == "2" }) == ["2", "3", "1", "4", "5", "6"])
        move(-5, 4, 6)
        #expect(names(snapshots.wait { $0.queued.first?.name == "3" }) == ["3", "5", "2", "1", "4", "6"])
        move(1, 7, 5)
        move(9, 3, 4)
        #expect(names(snapshots.wait { $0.queued.last?.name == "2" }) == ["5", "1", "4", "6", "3", "2"])
        origin.release()
        try harness.finish()
    }

    @Test func aMoveThatIsCutShortSaysHowFarItWent() throws {
        let harness = try start((0...3).map { "/\($0)" })
        harness.pipeline.send(.steer(.move(by: -100), .task(TaskID(3))))
        #expect(harness.wait { $0.changes(.moved).count == 1 })
        origin.release()
        #expect(try harness.finish().changes(.moved).map(\.reason) == [.movedByUser(by: -1)])
    }

    /// Also before its server has answered again.
    @Test func aResumedTaskIsAsFarAsItsPart() throws {
        origin.release()
        origin.route("/part") { request, number in
            var answer = OriginResponse.resource(.pattern(count: 300_000), for: request, etag: "\"1\"")
            if number == 1 { answer.fault = .stall(after: 100_000) }
            return answer
        }
        let harness = try start(["/part"], saves: true)
        #expect(
            harness.wait { events in
                events.contains { if case .taskProgress(_, 100_000, _) = $0.kind { true } else { false } }
            }
        )
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        origin.hold()
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        #expect(origin.waitUntil { $0.held == 1 })
        let told = Locked<[Int?]>([])
        harness.pipeline.ask(.task(TaskID(1))) { reply in
            guard case .task(let report) = reply.answer else { return }
            told.withLock { $0 = [report.received, report.expected] }
        }
        // It was answered when what was asked for after it is done.
        try harness.set("maxActive", "3")
        #expect(harness.wait { $0.contains { if case .settingChanged = $0.kind { true } else { false } } })
        #expect(told.withLock { $0 } == [100_000, 300_000])
        origin.release()
        try harness.finish()
    }

    @Test func aPromotedTaskGoesToTheVeryEndOfItsPriority() throws {
        let harness = try start(["/0", "/1", "/2", "/3"])
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 10)))
        harness.pipeline.send(.steer(.promote, .task(TaskID(3))))
        #expect(names(snapshots.wait { $0.queued.first?.name == "2" }) == ["2", "1", "3"])
        harness.pipeline.send(.steer(.toEnd, .tasks([TaskID(3)])))
        #expect(names(snapshots.wait { $0.queued.last?.name == "2" }) == ["1", "3", "2"])
        harness.pipeline.send(.steer(.toEnd, .tasks([TaskID(3)])))
        origin.release()
        let moves = try harness.finish().changes(.moved)
        #expect(moves.map(\.position) == [1, 3], "what stands there already does not move")
    }

    @Test func aProbeCountsWhatWouldMerge() throws {
        let harness = try start(["/0", "/1", "/2"])
        let urls = [origin.url("/1"), origin.url("/7"), origin.url("/7"), "nonsense", origin.url("/0#part")]
        harness.pipeline.send(.probe(URLProbe(serial: 3, requests: urls.map { DownloadRequest($0) })))
        let answer = snapshots.wait { $0.probe?.checked == 5 }?.probe
        #expect(answer?.serial == 3 && answer?.merging == 3 && answer?.invalid == 1)
        origin.release()
        #expect(try harness.finish().submissions.count == 3, "asking submits nothing")
    }

    @Test func aSavedFileIsDeletedAndAChangedOneStays() throws {
        origin.release()
        let harness = try start(["/a.txt", "/b.txt"], saves: true)
        #expect(harness.wait { $0.taskEnds.count == 2 })
        let files = harness.events.taskEnds.compactMap(\.file).sorted()
        try #require(files.count == 2)
        unsafe truncate(harness.directory.path + "/b.txt", 2)

        for path in files + ["/etc/hostname", files[0]] { harness.pipeline.send(.deleteFile(path)) }
        let warnings = { (events: [PipelineEvent]) in
            events.compactMap { event in
                if case .warning(let code, _, _) = event.kind { code } else { nil }
            }
        }
        #expect(harness.wait { warnings($0).count == 4 })
        #expect(warnings(harness.events).filter { $0 == .fileDeleted }.count == 1)
        #expect(harness.directory.names == ["b.txt"])

        harness.submit(origin.url("/a.txt"))
        #expect(harness.wait { $0.taskEnds.count == 3 }, "what was deleted is fetched again")
        try harness.finish()
        #expect(harness.directory.names.sorted() == ["a.txt", "b.txt"])
    }

    /// Before what waits for a thread already, though nobody waits for that any more.
    @Test func theEndWaitsForWhatIsDeleted() throws {
        origin.release()
        let harness = try start(["/a.txt"], saves: true)
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let file = try #require(harness.events.taskEnds.first?.file)
        let gate = harness.holdPool()
        defer { gate.give(3) }

        harness.pipeline.send(.deleteFile(file))
        try harness.set("maxActive", "2")
        #expect(harness.wait { events in events.contains { $0.kind.name == "settings.changed" } })
        harness.pipeline.send(.shutDown)
        gate.give()
        #expect(try harness.shutDown().warnings == [.fileDeleted])
        #expect(harness.directory.names == [])
    }
}
