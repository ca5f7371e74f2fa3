import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// What becomes of a running task that nobody waits for any more.
@Suite(.timeLimit(.minutes(5)))
struct LastReceiptTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        let image = Picture.png(width: 40, height: 30)
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
    }

    @Test func byDefaultTheTransferFinishesAndTheNextRequestIsCached() throws {
        let harness = try PipelineHarness()
        origin.hold()
        harness.submit(origin.url("/a.png"))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.changes(.detached).count == 1 })
        #expect(harness.events.receiptEnds.map(\.outcome) == [.cancelled])
        origin.release()
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"))

        let events = try harness.finish()
        #expect(events.submissions.last?.outcome == .cached)
        #expect(events.submissions.last?.source == .memory)
        #expect(events.receiptEnds.count == 1, "no success follows a cancel")
        #expect(origin.log.requests.count == 1)
    }

    @Test func aNewRequestJoinsADetachedTask() throws {
        let harness = try PipelineHarness()
        origin.hold()
        harness.submit(origin.url("/a.png"))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.submissions.count == 2 })
        origin.release()
        let events = try harness.finish()
        #expect(events.submissions.last?.outcome == .joined)
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success])
        #expect(origin.log.requests.count == 1)
    }

    @Test func theReceiptThatCameLastIsCancelledByTheTasksNumberAlone() throws {
        let harness = try PipelineHarness()
        origin.hold()
        for _ in 1...3 { harness.submit(origin.url("/a.png")) }
        #expect(harness.wait { $0.submissions.count == 3 })
        harness.pipeline.send(.cancelNewest(TaskID(1)))
        harness.pipeline.send(.cancelNewest(TaskID(1)))
        harness.pipeline.send(.cancelNewest(TaskID(9)))
        #expect(harness.wait { $0.receiptEnds.count == 2 })
        #expect(harness.events.receiptEnds.map(\.receipt) == [ReceiptID(3), ReceiptID(2)])
        origin.release()
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.receipt) == [3, 2, 1].map { ReceiptID($0) })
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .cancelled, .success])
    }

    @Test func abortClosesTheConnectionEachTimeAndNothingIsCached() throws {
        let harness = try PipelineHarness { $0.settings.lastReceipt = .abort }
        for round in 1...100 {
            let path = "/\(round).png"
            origin.hold(path)
            harness.submit(origin.url(path))
            try #require(origin.waitUntil { $0.hits(path) == 1 })
            harness.pipeline.send(.cancel(ReceiptID(round)))
            try #require(origin.waitUntil { $0.closes(path).count == 1 })
        }
        let events = try harness.finish()
        #expect(events.receiptEnds.count == 100)
        #expect(events.receiptEnds.allSatisfy { $0.outcome == .cancelled })
        #expect(!events.contains { if case .cacheChanged = $0.kind { true } else { false } })
    }

    @Test(arguments: [DownloadRequest.Source.program, .view(1)])
    func aDetachedBodyThatNoCacheKeepsIsDropped(source: DownloadRequest.Source) throws {
        let harness = try PipelineHarness()
        origin.route("/data") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 4_000_000))
            answer.fault = .stall(after: 2000)
            return answer
        }
        harness.pipeline.submit(DownloadRequest(origin.url("/data"), source: source)) { _ in }
        #expect(harness.wait { events in events.contains { if case .taskResponse = $0.kind { true } else { false } } })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(origin.waitUntil { $0.closes("/data").count == 1 })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled])
        guard case .sessionEnded(let counts)? = events.last?.kind else { return }
        #expect(counts.cancelled == 1)
        #expect(counts.cancelledForUsers == (source.isView ? 0 : 1), "a picture on screen is nobody's request")
        #expect(counts.withdrawn == 0, "its task did not go on in the end, and is counted itself")
    }

    /// One request is counted once, whoever ends its task in the end.
    @Test(arguments: [DownloadRequest.Source.program, .view(1)])
    func aDetachedTaskThatIsAbortedIsCountedItself(source: DownloadRequest.Source) throws {
        let harness = try PipelineHarness()
        origin.hold()
        harness.pipeline.submit(DownloadRequest(origin.url("/a"), source: source)) { _ in }
        #expect(origin.waitUntil { $0.held == 1 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { !$0.changes(.detached).isEmpty })
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled])
        let counts = try #require(events.sessionEnds.first)
        #expect(counts.cancelled == 1 && counts.withdrawn == 0)
        #expect(counts.cancelledForUsers == (source.isView ? 0 : 1))
    }

    @Test(arguments: [true, false]) func aDetachedStreamIsDroppedAsSoonAsItsBytesAreNoImage(saves: Bool) throws {
        let harness = try PipelineHarness(saves: saves)
        origin.route("/news") { _, _ in .stream(after: 20) }
        harness.submit(origin.url("/news"))
        #expect(harness.wait { events in events.contains { if case .taskResponse = $0.kind { true } else { false } } })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(origin.waitUntil { $0.closes("/news").count == 1 })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled])
        #expect(harness.directory.names.isEmpty)
    }

    @Test func aDetachedTransferThatFailsIsNotTriedAgain() throws {
        var lost = OriginResponse(200)
        lost.fault = .noAnswer
        origin.route("/a.png", lost)
        origin.hold()
        let harness = try PipelineHarness()
        harness.submit(origin.url("/a.png"))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.changes(.detached).count == 1 })
        origin.release()
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.connectionLost])
        #expect(events.changes(.waiting).isEmpty && origin.log.hits("/a.png") == 1)
    }

    @Test func aSessionEndsWithADetachedTransferUnderWay() throws {
        let harness = try PipelineHarness(saves: true)
        origin.hold()
        harness.submit(origin.url("/a.png"))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.changes(.detached).count == 1 })
        let events = try harness.shutDown()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled])
        #expect(harness.directory.names.isEmpty)
    }

    @Test func aQueuedTaskIsGoneAtOnce() throws {
        let harness = try PipelineHarness { $0.settings.maxActive = 1 }
        origin.hold()
        harness.submit(origin.url("/a.png"), origin.url("/b.png"))
        #expect(harness.wait { $0.submissions.count == 2 })
        harness.pipeline.send(.cancel(ReceiptID(2)))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        origin.release()
        let events = try harness.finish()
        #expect(origin.log.hits("/b.png") == 0)
        #expect(events.taskEnds.first?.outcome == .cancelled)
    }
}

extension OriginResponse {
    /// News that come slowly and never end: so many bytes, and then nothing.
    static func stream(after count: Int) -> OriginResponse {
        let news = Array(String(repeating: "data: 1\n\n", count: 1000).utf8)
        var answer = OriginResponse.bytes(news, type: "text/event-stream")
        answer.fault = .stall(after: count)
        return answer
    }
}
