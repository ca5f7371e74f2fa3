import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Merging, slots and outcomes over real sockets.
@Suite(.timeLimit(.minutes(5)))
struct MergingAndSlotsTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { request, _ in .bytes(Array(request.path.utf8), type: "text/plain") }
    }

    @Test func aNewSlotIsFilledBeforeTheNextRequestIsPlaced() throws {
        let harness = try PipelineHarness { $0.settings.maxActive = 1 }
        origin.hold()
        harness.submit((1...6).map { origin.url("/slot\($0)") })
        #expect(harness.wait { $0.submissions.count == 6 })
        harness.pipeline.send(.set(try Settings.parse("maxActive", "2")))
        harness.submit(origin.url("/last"))
        #expect(harness.wait { $0.submissions.count == 7 })
        #expect(harness.events.submissions.last?.position == 5)
        origin.release()
        try harness.finish()
    }

    @Test func aThousandRequestsForTenURLsAreTenTransfers() throws {
        let harness = try PipelineHarness()
        origin.hold()
        for number in 0..<1000 { harness.submit(origin.url("/\(number % 10)")) }
        #expect(harness.wait { $0.submissions.count == 1000 })
        origin.release()

        let events = try harness.finish()
        let outcomes = events.submissions.map(\.outcome)
        #expect(outcomes.count { $0 == .started } == 4)
        #expect(outcomes.count { $0 == .queued } == 6)
        #expect(outcomes.count { $0 == .joined } == 990)
        #expect(events.receiptEnds.count == 1000)
        #expect(events.receiptEnds.allSatisfy { $0.outcome == .success })
        #expect(origin.log.requests.count == 10)
        #expect(origin.log.peakActive <= 4)
    }

    /// Programs look for the URL that they gave; the key is only what requests are merged by.
    @Test func eventsNameTheURLThatWasAskedForThoughItsKeyLeavesAPartOut() throws {
        let harness = try PipelineHarness { $0.settings.keyFilter = ["token"] }
        let urls = (1...2).map { origin.url("/a?token=\($0)") }
        origin.hold()
        harness.submit(urls)
        #expect(harness.wait { $0.submissions.count == 2 && $0.changes(.started).count == 1 })
        origin.release()
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .joined])
        #expect(events.submissions.map(\.url) == urls)
        #expect(events.changes(.started).map(\.url) == [urls[0]])
        #expect(events.taskEnds.map(\.url) == [urls[0]])
        #expect(events.taskEnds.map(\.key) == [origin.url("/a")], "for the screen, which finds its image by that")
        #expect(origin.log.requests.count == 1)
    }

    @Test func whatEndsTellsWhatElseIsInItsKey() throws {
        origin.setFallback { _, _ in .text("fine") }
        let harness = try PipelineHarness()
        let options = RequestOptions(headers: [HeaderField("X-User", "me")])
        harness.submit(origin.url("/a"), options: options)
        harness.submit(origin.url("/a"))
        let keys = try harness.finish().taskEnds.sorted { $0.task < $1.task }.compactMap(\.key)
        #expect(keys.count == 2 && keys.first?.hasPrefix(origin.url("/a") + " #") == true)
        #expect(keys.last == origin.url("/a"))
    }

    @Test func theQueueNamesTheURLThatWasAskedForToo() throws {
        let harness = try PipelineHarness { ($0.settings.keyFilter, $0.settings.suspended) = (["token"], true) }
        harness.submit(origin.url("/a?token=1"))
        #expect(harness.wait { $0.submissions.count == 1 })
        let urls = Locked<[String]>([])
        harness.pipeline.ask(.queue(from: 1, count: 9)) { reply in
            if case .queue(let tasks) = reply.answer { urls.withLock { $0 = tasks.map(\.url) } }
        }
        try harness.set("suspended", "false")
        try harness.finish()
        #expect(urls.withLock { $0 } == [origin.url("/a?token=1")])
    }

    @Test func cancelledQueuedTasksNeverReachTheOrigin() throws {
        let harness = try PipelineHarness()
        origin.hold()
        harness.submit((0..<9).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.submissions.count == 9 })
        let receipts = harness.events.submissions.compactMap(\.receipt)
        for receipt in receipts[4...] { harness.pipeline.send(.cancel(receipt)) }
        #expect(harness.wait { $0.receiptEnds.count == 5 })
        harness.submit((9..<14).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.submissions.count == 14 })
        origin.release()

        let events = try harness.finish()
        #expect(origin.log.peakActive <= 4)
        #expect(events.peakActive <= 4)
        for number in 4..<9 { #expect(origin.log.hits("/\(number)") == 0) }
        #expect(events.taskEnds.count { $0.outcome == .success } == 9)
        #expect(events.taskEnds.count { $0.outcome == .cancelled } == 5)
    }

    @Test func slotsStayWithinALimitThatMovesWhileTasksAreAbortedPausedAndFail() throws {
        let harness = try PipelineHarness { $0.settings.retries = 0 }
        origin.route("/missing", OriginResponse(404))
        origin.hold()
        harness.submit((0..<20).map { origin.url($0 % 5 == 4 ? "/missing?\($0)" : "/\($0)") })
        #expect(harness.wait { $0.submissions.count == 20 })
        let tasks = harness.events.submissions.compactMap(\.task)
        harness.pipeline.send(.steer(.abort, .task(tasks[0])))
        harness.pipeline.send(.steer(.pause, .task(tasks[1])))
        harness.pipeline.send(.steer(.abort, .task(tasks[10])))
        harness.pipeline.send(.steer(.pause, .task(tasks[11])))
        try harness.set("maxActive", "2")
        #expect(harness.wait { $0.changes(.suspended).count == 2 })
        #expect(harness.events.peakActive <= 4)
        origin.release()
        #expect(harness.wait { $0.taskEnds.count >= 12 })
        try harness.set("maxActive", "6")
        harness.pipeline.send(.steer(.resume, .task(tasks[1])))
        harness.pipeline.send(.steer(.resume, .task(tasks[11])))

        let events = try harness.finish()
        #expect(events.taskEnds.count == 20)
        #expect(events.taskEnds.count { $0.outcome == .cancelled } == 2)
        #expect(events.taskEnds.count { $0.outcome == .failed } == 4)
        #expect(origin.log.peakActive <= 6)
        #expect(events.receiptEnds.count == 20)
    }

    @Test func outcomesComeInTheOrderOfSubmission() throws {
        let harness = try PipelineHarness()
        origin.hold()
        for _ in 0..<50 { harness.submit(origin.url("/same")) }
        #expect(harness.wait { $0.submissions.count == 50 })
        origin.release()
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.receipt.rawValue) == Array(1...50))
    }

    @Test func pausingGivesTheSlotBackAndResumingGoesToTheFront() throws {
        let harness = try PipelineHarness { $0.settings.maxActive = 1 }
        origin.hold("/a")
        harness.submit(origin.url("/a"), origin.url("/b"), origin.url("/c"))
        #expect(origin.waitUntil { $0.hits("/a") == 1 })
        origin.hold()
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        #expect(origin.waitUntil { $0.hits("/b") == 1 })
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        #expect(harness.wait { $0.changes(.queued).contains { $0.task == TaskID(1) && $0.position == 1 } })
        origin.release()

        let events = try harness.finish()
        #expect(origin.log.paths == ["/a", "/b", "/a", "/c"])
        #expect(events.changes(.started).map(\.task.rawValue) == [1, 2, 3])
        #expect(events.changes(.resumed).map(\.task.rawValue) == [1])
    }

    @Test func lifoRunsTheLatestFirst() throws {
        let harness = try PipelineHarness {
            $0.settings.maxActive = 1
            $0.settings.order = .lifo
        }
        origin.hold("/1")
        origin.hold("/7")
        harness.submit((1...7).map { origin.url("/\($0)") })
        #expect(origin.waitUntil { $0.hits("/1") == 1 })
        #expect(harness.wait { $0.submissions.count == 7 })
        origin.release("/1")
        #expect(origin.waitUntil { $0.hits("/7") == 1 })
        harness.submit((8...14).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.submissions.count == 14 })
        origin.release("/7")
        try harness.finish()
        let order = [1, 7] + (8...14).reversed() + (2...6).reversed()
        #expect(origin.log.paths == order.map { "/\($0)" })
    }

    /// A wrong wish of one must not fail the other.
    @Test func requestsForBodiesOfDifferentSumsAreTwoTasks() throws {
        let harness = try PipelineHarness()
        origin.hold()
        for sum in [sha256(Array("/a".utf8)), String(repeating: "0", count: 64)] {
            harness.submit(origin.url("/a"), options: RequestOptions(sha256: sum))
        }
        #expect(harness.wait { $0.submissions.count == 2 })
        origin.release()
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .started])
        #expect(Set(events.taskEnds.map { $0.error?.code }) == [nil, .badChecksum])
        #expect(origin.log.hits("/a") == 2)
    }

    @Test func twoUsersNeverShareABody() throws {
        let harness = try PipelineHarness()
        origin.route("/private") { request, _ in .text(request.header("Authorization") ?? "nobody") }
        origin.hold()
        let base = "127.0.0.1:\(origin.port)/private"
        harness.submit("http://alice:1@\(base)", "http://bob:2@\(base)", "http://\(base)")
        #expect(harness.wait { $0.submissions.count == 3 })
        origin.release()
        let events = try harness.finish()
        #expect(!events.submissions.contains { $0.outcome == .joined })
        #expect(events.submissions.allSatisfy { !$0.url.contains("alice") && !$0.url.contains("bob") })
        #expect(origin.log.hits("/private") == 3)
    }
}
