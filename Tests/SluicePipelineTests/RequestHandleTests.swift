import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Requests of a program that waits for their outcomes, and takes them back.
@Suite(.timeLimit(.minutes(5)))
struct RequestHandleTests {
    private let origin: Origin
    private let outcomes = Outcomes()

    init() throws {
        origin = try Origin()
        let image = Picture.png(width: 30, height: 20)
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
    }

    private func submit(_ path: String, _ harness: PipelineHarness) -> RequestHandle {
        harness.pipeline.submit(DownloadRequest(origin.url(path))) { [outcomes] in
            outcomes.add($0)
            harness.ring()
        }
    }

    @Test func oneOfTwoThatWantTheSameIsTakenBack() throws {
        origin.hold()
        let harness = try PipelineHarness()
        let first = submit("/a.png", harness)
        _ = submit("/a.png", harness)
        #expect(harness.wait { $0.submissions.count == 2 })
        harness.pipeline.cancel(first)
        #expect(harness.wait { _ in outcomes.all.count == 1 })
        origin.release()
        let events = try harness.finish()

        let all = outcomes.all
        #expect(all.map(\.outcome) == [.cancelled, .success])
        #expect(all.map(\.receipt) == [ReceiptID(1), ReceiptID(2)] && all.map(\.error?.code) == [.cancelled, nil])
        #expect(all.last?.source == .network && all.last?.status == 200 && all.last?.image?.bitmap.width == 30)
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success] && origin.log.requests.count == 1)
    }

    @Test func whatIsTakenBackBeforeItsTurnIsNeverSubmitted() throws {
        // Nothing has its turn before the memory came.
        let harness = try PipelineHarness { $0.awaitsMemory = true }
        harness.pipeline.cancel(submit("/a.png", harness))
        #expect(harness.wait { _ in outcomes.all.count == 1 })
        harness.pipeline.remember(RememberedState())
        let events = try harness.finish()

        #expect(outcomes.all.map(\.outcome) == [.cancelled] && outcomes.all.map(\.receipt) == [nil])
        #expect(events.submissions.isEmpty && origin.log.requests.isEmpty)
        guard case .sessionEnded(let counts)? = events.last?.kind else {
            Issue.record("the session has no end")
            return
        }
        #expect((counts.requests, counts.left) == (0, 0))
    }

    @Test func behindTheOutcomeThereIsNothingToTakeBack() throws {
        let harness = try PipelineHarness()
        let first = submit("/a.png", harness)
        #expect(harness.wait { _ in outcomes.all.count == 1 })
        let second = submit("/a.png", harness)
        #expect(harness.wait { _ in outcomes.all.count == 2 })
        for handle in [first, second, first] { harness.pipeline.cancel(handle) }
        let events = try harness.finish()
        harness.pipeline.cancel(first)
        harness.pipeline.cancel(submit("/b.png", harness))

        let all = outcomes.all
        #expect(all.map(\.outcome) == [.success, .success, .cancelled], "the last one came behind the end")
        #expect(all.map(\.source) == [.network, .memory, nil] && all.map(\.receipt) == [ReceiptID(1), nil, nil])
        #expect(events.receiptEnds.count == 1)
    }

    @Test func anotherPipelinesRequestIsLeftAlone() throws {
        origin.hold()
        let harnesses = try [PipelineHarness(), PipelineHarness()]
        let handles = harnesses.map { submit("/a.png", $0) }
        for harness in harnesses { #expect(harness.wait { $0.submissions.count == 1 }) }
        harnesses[1].pipeline.cancel(handles[0])
        origin.release()
        for harness in harnesses { try harness.finish() }
        #expect(outcomes.all.map(\.outcome) == [.success, .success])
    }

    @Test func whatWaitsAtTheEndIsCancelledOnce() throws {
        origin.hold()
        let harness = try PipelineHarness()
        let handle = submit("/a.png", harness)
        #expect(harness.wait { $0.submissions.count == 1 })
        try harness.shutDown()
        harness.pipeline.cancel(handle)
        origin.release()
        #expect(outcomes.all.map(\.outcome) == [.cancelled] && outcomes.all.map(\.receipt) == [ReceiptID(1)])
    }

    @Test func aTaskWaitsForTheOutcomeAndTakesItsRequestBack() async throws {
        let harness = try PipelineHarness()
        let pipeline = harness.pipeline
        let image = await pipeline.outcome(of: DownloadRequest(origin.url("/a.png"))).image
        #expect(image?.bitmap.width == 30)

        origin.hold()
        let held = DownloadRequest(origin.url("/b.png"))
        let waiting = Task { await pipeline.outcome(of: held) }
        #expect(harness.wait { $0.submissions.count == 2 })
        waiting.cancel()
        #expect(await waiting.value.error == .cancelled)

        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return await pipeline.outcome(of: held)
        }
        early.cancel()
        #expect(await early.value.outcome == .cancelled)
        origin.release()
        try harness.finish()
        #expect(await pipeline.outcome(of: held).outcome == .cancelled, "it has ended")
    }

    /// What requests came to, from any thread.
    private final class Outcomes: Sendable {
        private let kept = Locked<[RequestOutcome]>([])
        var all: [RequestOutcome] { kept.withLock { $0 } }
        func add(_ outcome: RequestOutcome) { kept.withLock { $0.append(outcome) } }
    }
}
