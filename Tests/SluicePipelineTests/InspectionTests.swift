import SluiceCore
import SluiceOrigin
import SluicePipeline
import Testing

/// What snapshots hold beyond rows and counters.
@Suite(.timeLimit(.minutes(1)))
struct InspectionTests {
    @Test func anInspectedTaskIsToldWithItsReceiptsAndItsAnswer() throws {
        let origin = try Origin()
        origin.setFallback { _, _ in
            OriginResponse(headers: [HeaderField("X-Note", "hello")], body: .pattern(count: 100_000))
        }
        origin.hold()
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(keeping: snapshots) {
            $0.settings.maxActive = 1
            $0.settings.decode = .never
        }
        harness.submit(origin.url("/a"), origin.url("/b"), origin.url("/b"))
        #expect(harness.wait { $0.submissions.count == 3 })
        harness.pipeline.send(.inspect(Inspection(task: TaskID(2), largest: 5)))
        // What was asked for is published before the next request is served.
        harness.submit(origin.url("/c"))
        #expect(harness.wait { $0.submissions.count == 4 })
        harness.pipeline.send(.inspect(Inspection(task: TaskID(1))))
        origin.release()
        try harness.finish()

        let facts = snapshots.all.compactMap(\.inspected)
        let queued = try #require(facts.first { $0.task == TaskID(2) })
        #expect(queued.claims.map(\.receipt) == [ReceiptID(2), ReceiptID(3)])
        #expect(queued.row.state == .queued(position: 1))
        #expect(queued.started == nil && queued.head == nil)
        let active = try #require(facts.last { $0.task == TaskID(1) })
        #expect(active.claims.map(\.receipt) == [ReceiptID(1)])
        #expect(active.started != nil)
        origin.close()
    }

    @Test func theLargestImagesComeFirst() {
        var cache = PurgingCache<String>(capacity: 1_000, preferred: 600)
        let time = Timestamp(nanoseconds: 1)
        for (index, cost) in [30, 200, 10, 90, 200, 5].enumerated() {
            _ = cache.add("\(index)", for: CacheKey(key: "\(index)"), cost: cost, now: time)
        }
        #expect(cache.largestEntries(3).map(\.cost) == [200, 200, 90])
        #expect(cache.largestEntries(100).map(\.cost) == [200, 200, 90, 30, 10, 5])
        #expect(cache.largestEntries(0).isEmpty)
        _ = cache.remove(CacheKey(key: "1"))
        #expect(cache.largestEntries(2).map(\.cost) == [200, 90])
    }

    @Test func receiptsEndWithTheirOrigin() throws {
        let origin = try Origin()
        origin.setFallback { _, _ in .text("fine") }
        let harness = try PipelineHarness()
        harness.pipeline.send(.submit([DownloadRequest(origin.url("/a"), source: .list(name: "l.txt", line: 7))]))
        let ends = try harness.finish().receiptEnds
        #expect(ends.first?.origin == .list(name: "l.txt", line: 7))
        #expect(ends.first?.submitted != nil)
        origin.close()
    }
}
