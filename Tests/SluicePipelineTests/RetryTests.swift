import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Trying again what failed.
@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
    private let origin: Origin

    init() throws { origin = try Origin() }

    private func request(_ place: String, _ priority: Priority = .normal) -> DownloadRequest {
        let options = RequestOptions(priority: priority, destination: place)
        return DownloadRequest(origin.url("/a"), options: options, source: .program, tag: place)
    }

    @Test(arguments: [PipelineCommand.steer(.retry, .task(TaskID(1))), .retryFailed])
    func whatFailedIsSubmittedAgainWhole(command: PipelineCommand) throws {
        origin.route("/a") { _, number in number == 1 ? OriginResponse(404) : .text("found") }
        origin.hold()
        let harness = try PipelineHarness(saves: true)
        harness.pipeline.send(.submit([request("one"), request("two", .low), request("three", .high)]))
        #expect(harness.wait { $0.submissions.count == 3 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        origin.release()
        #expect(harness.wait { $0.receiptEnds.count == 3 })
        harness.pipeline.send(command)
        let events = try harness.finish()
        #expect(events.submissions.map(\.tag) == ["one", "two", "three", "two", "three"])
        #expect(events.submissions.dropFirst(3).map(\.outcome) == [.started, .joined])
        #expect(events.receiptEnds.suffix(2).map(\.outcome) == [.success, .success])
        #expect(events.receiptEnds.suffix(2).map { $0.file?.split(separator: "/").last } == ["two", "three"])
        #expect(harness.directory.names == ["three", "two"])
        #expect(origin.log.hits("/a") == 2)
    }

    /// As where it ends while it is paused.
    @Test func whatEndsWhileItWaitsSaysWhatItHad() throws {
        origin.route("/a") { _, _ in
            var answer = OriginResponse(503)
            answer.headers.append(HeaderField("Retry-After", "50"))
            return answer
        }
        origin.route("/b") { _, _ in
            var answer = OriginResponse.text(String(repeating: "b", count: 10_000))
            answer.fault = .close(after: 5_000)
            return answer
        }
        let harness = try PipelineHarness { $0.random = { 1 } }
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.changes(.waiting).count == 1 })
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        try harness.set("maxActive", "1")
        harness.submit(origin.url("/b"))
        #expect(harness.wait { $0.changes(.waiting).count == 2 })
        harness.pipeline.send(.steer(.abort, .task(TaskID(2))))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled, .cancelled])
        #expect(events.taskEnds.map(\.status) == [503, 200])
        #expect(events.taskEnds.last?.bytes == 5_000)
    }

    /// Of what an abort, or the cancel of the last receipt, ended: queued, and under way.
    @Test(arguments: [false, true], [false, true])
    func whatWasAbortedIsSubmittedAgainWhole(isQueued: Bool, byReceipt: Bool) throws {
        origin.route("/a", .text("found"))
        origin.hold()
        let harness = try PipelineHarness(saves: true) {
            ($0.settings.suspended, $0.settings.lastReceipt) = (isQueued, .abort)
        }
        let requests = byReceipt ? [request("one", .high)] : [request("one", .high), request("two")]
        harness.pipeline.send(.submit(requests))
        #expect(harness.wait { $0.submissions.count == requests.count })
        if !isQueued { #expect(origin.waitUntil { $0.held == 1 }) }
        harness.pipeline.send(byReceipt ? .cancel(ReceiptID(1)) : .steer(.abort, .task(TaskID(1))))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        origin.release()
        for _ in 1...2 { harness.pipeline.send(.steer(.retry, .task(TaskID(1)))) }
        try harness.set("suspended", "false")
        let events = try harness.finish()
        #expect(events.submissions.count == 2 * requests.count, "only once")
        #expect(events.submissions.suffix(requests.count).map(\.tag) == requests.map(\.tag))
        #expect(events.taskEnds.map(\.outcome) == [.cancelled, .success])
        #expect(harness.directory.names == requests.compactMap(\.tag))
    }

    /// As any new task of its priority does, though the user set it.
    @Test(arguments: [(Settings.Order.fifo, 4), (.lifo, 1)])
    func whatIsTriedAgainStandsByTheOrder(order: Settings.Order, position: Int) throws {
        let harness = try PipelineHarness { ($0.settings.suspended, $0.settings.order) = (true, order) }
        harness.submit((1...4).map { origin.url("/\($0)") }, options: RequestOptions(priority: .low))
        #expect(harness.wait { $0.submissions.count == 4 })
        for steering in [TaskSteering.setPriority(.normal), .setPriority(.low), .abort, .retry] {
            harness.pipeline.ask(.steer(TaskID(3), steering)) { _ in }
        }
        #expect(harness.wait { $0.submissions.count == 5 })
        let events = try harness.shutDown()
        #expect(events.submissions.last?.position == position)
    }

    @Test func abortingManyForgetsNoFailure() throws {
        origin.route("/a") { _, number in number == 1 ? OriginResponse(404) : .text("found") }
        let harness = try PipelineHarness(saves: true)
        harness.pipeline.send(.submit([request("one")]))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        try harness.set("suspended", "true")
        harness.submit((1...10_100).map { origin.url("/\($0)") })
        harness.pipeline.send(.cancelAll)
        harness.pipeline.send(.steer(.retry, .task(TaskID(1))))
        try harness.set("suspended", "false")
        let events = try harness.finish()
        #expect(events.taskEnds.last?.outcome == .success)
        #expect(harness.directory.names == ["one"])
    }

    @Test func anotherURLTakesAllOfItsRequests() throws {
        origin.route("/a", OriginResponse(404))
        origin.route("/b", .text("found"))
        let harness = try PipelineHarness(saves: true)
        harness.pipeline.send(.submit([request("one"), request("two")]))
        #expect(harness.wait { $0.receiptEnds.count == 2 })
        harness.pipeline.send(.replaceURL(TaskID(1), origin.url("/b")))
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.tag) == ["one", "two", "one", "two"])
        #expect(harness.directory.names == ["one", "two"])
    }

    @Test("what only one server may know does not go to another one", arguments: [false, true])
    func anotherServerGetsNoCredentials(isElsewhere: Bool) throws {
        let other = isElsewhere ? try Origin() : origin
        origin.route("/a", OriginResponse(404))
        other.route("/b") { request, _ in
            .text(
                [request.header("Authorization"), request.header("Cookie"), request.header("X-A")].map { $0 ?? "-" }
                    .joined(separator: " ")
            )
        }
        let harness = try PipelineHarness(saves: true)
        let fields = [HeaderField("authorization", "Bearer T"), HeaderField("Cookie", "c=1"), HeaderField("X-A", "1")]
        harness.submit(origin.url("/a"), options: RequestOptions(headers: fields))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        harness.pipeline.send(.replaceURL(TaskID(1), other.url("/b")))
        let events = try harness.finish()
        let text = harness.directory.contents(of: "b").map { String(decoding: $0, as: UTF8.self) }
        #expect(text == (isElsewhere ? "- - 1" : "Bearer T c=1 1"))
        let warnings = events.filter { if case .warning(.url, _, _) = $0.kind { true } else { false } }
        #expect(warnings.count == (isElsewhere ? 1 : 0))
    }

    @Test(arguments: [false, true], [false, true])
    func whoTheUserIsGoesOnWithTheServerOfTheURL(isElsewhere: Bool, isRunning: Bool) throws {
        let other = isElsewhere ? try Origin() : origin
        if !isRunning { origin.route("/a", OriginResponse(403)) }
        other.setFallback { request, _ in .text(request.header("Authorization") ?? "-") }
        if isRunning { origin.hold("/a") }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a").replacing("://", with: "://us:pw@", maxReplacements: 1))
        #expect(isRunning ? origin.waitUntil { $0.held == 1 } : harness.wait { $0.receiptEnds.count == 1 })
        harness.pipeline.send(.replaceURL(TaskID(1), other.url("/b")))
        #expect(harness.wait { $0.submissions.count == 2 })
        origin.release()
        let events = try harness.finish()
        let text = harness.directory.contents(of: "b").map { String(decoding: $0, as: UTF8.self) }
        #expect(text == (isElsewhere ? "-" : "Basic dXM6cHc="))
        let warnings = events.filter { if case .warning(.url, _, _) = $0.kind { true } else { false } }
        #expect(warnings.count == (isElsewhere ? 1 : 0))
    }

    /// The wait that the server asked for is longer than the test may run: only the user can end it.
    @Test func aWaitEndsAtOnceForWhoTriesAgain() throws {
        origin.route("/a") { _, number in
            number == 1 ? OriginResponse(503, headers: [HeaderField("Retry-After", "120")]) : .text("found")
        }
        let harness = try PipelineHarness()
        harness.submit(origin.url("/a"))
        #expect(harness.wait { !$0.changes(.waiting).isEmpty })
        harness.pipeline.send(.steer(.retry, .task(TaskID(1))))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(events.taskEnds.map(\.task) == [TaskID(1)])
        #expect(events.changes(.queued).last?.reason == .retriedByUser)
    }

    @Test func aBatchOfPrefetchesCountsWhatIsTriedAgainOnce() throws {
        origin.route("/a") { _, number in number == 1 ? OriginResponse(404) : .text("found") }
        origin.route("/b", .text("late"))
        origin.hold("/b")
        let harness = try PipelineHarness()
        harness.pipeline.send(.prefetch(["/a", "/b"].map { DownloadRequest(origin.url($0)) }))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.pipeline.send(.steer(.retry, .task(TaskID(1))))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        origin.release("/b")
        let events = try harness.finish()
        let steps = events.compactMap { event -> String? in
            guard case .prefetchProgress(_, let finished, _, _, let isEnd) = event.kind else { return nil }
            return "\(finished)\(isEnd ? " end" : "")"
        }
        #expect(events.taskEnds.map(\.outcome) == [.failed, .success, .success])
        #expect(steps == ["1", "2 end"])
    }

    /// By a key, by a program, and all of the failed list: it is no prefetch any more, and still of low priority.
    @Test(arguments: [(true, false), (false, false), (true, true)])
    func aPrefetchThatIsTriedAgainIsARequestOfWhoTries(isPersons: Bool, isAll: Bool) throws {
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(saves: true, keeping: snapshots)
        origin.route("/a", OriginResponse(404))
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 9)))
        harness.pipeline.send(.prefetch([DownloadRequest(origin.url("/a"))]))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        try harness.set("suspended", "true")
        harness.pipeline.send(.prefetch([DownloadRequest(origin.url("/b"))]))
        #expect(harness.wait { $0.submissions.count == 2 })
        if isAll {
            harness.pipeline.send(.retryFailed)
        } else if isPersons {
            harness.pipeline.send(.steer(.retry, .task(TaskID(1))))
        } else {
            harness.pipeline.ask(.steer(TaskID(1), .retry)) { _ in }
        }
        #expect(snapshots.wait { $0.queued.first?.task == TaskID(3) }?.queued.first?.priority == .low)
        let events = try harness.shutDown()
        #expect(events.submissions.last?.origin == (isPersons ? .prompt : .program))
        #expect(events.submissions.last?.position == 1, "before what is only prefetched")
        let left = events.sessionEnds.map(\.left)
        #expect(left == [1] && harness.directory.names.isEmpty)
    }

    @Test func theEndsOfReceiptsStandTogetherThoughOneIsOfABatch() throws {
        origin.route("/a", .text("late"))
        origin.hold("/a")
        let harness = try PipelineHarness()
        harness.pipeline.send(.prefetch([DownloadRequest(origin.url("/a"))]))
        #expect(harness.wait { $0.submissions.count == 1 })
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.submissions.count == 2 })
        origin.release("/a")
        let events = try harness.finish()
        let names = events.map(\.kind.name).filter { $0.hasSuffix(".finished") }
        #expect(names == ["task.finished", "receipt.finished", "receipt.finished", "prefetch.finished"])
    }

    /// However long it is, and how little of it was submitted when the word came.
    @Test func aPrefetchIsCancelledAsAWhole() throws {
        origin.setFallback { _, _ in .text("late") }
        origin.hold()
        let harness = try PipelineHarness()
        harness.pipeline.send(.prefetch((1...1_000).map { DownloadRequest(origin.url("/\($0)")) }))
        harness.pipeline.send(.cancelPrefetch(BatchID(1)))
        let isCancelled = harness.wait { $0.receiptEnds.count == 1_000 }
        origin.release()
        let events = try harness.finish()
        #expect(isCancelled && events.receiptEnds.allSatisfy { $0.outcome == .cancelled })
        #expect(events.changes(.started).count <= 3, "the share of prefetches")
    }

    @Test func aShorterTimeHoldsForOlderFailuresToo() throws {
        origin.route("/a", OriginResponse(404))
        let harness = try PipelineHarness()
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        try harness.set("failedFor", "0.000001")
        harness.submit(origin.url("/a"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .started])
    }
}
