import SluiceCore
import SluiceOrigin
import SluicePipeline
import Testing

/// What snapshots hold beyond rows and counters.
@Suite(.timeLimit(.minutes(5)))
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
        // Of a prefetch no file is saved.
        harness.submit(origin.url("/d"), options: RequestOptions(saves: false))
        #expect(harness.wait { $0.submissions.count == 5 })
        harness.pipeline.send(.inspect(Inspection(task: TaskID(4))))
        harness.submit(origin.url("/c"))
        #expect(harness.wait { $0.submissions.count == 6 })
        harness.pipeline.send(.inspect(Inspection(task: TaskID(1))))
        origin.release()
        try harness.finish()

        let facts = snapshots.all.compactMap(\.inspected)
        let queued = try #require(facts.first { $0.task == TaskID(2) })
        #expect(queued.claims.map(\.receipt) == [ReceiptID(2), ReceiptID(3)])
        #expect(queued.row.state == .queued(position: 1))
        #expect(queued.started == nil && queued.head == nil && queued.row.savesFile)
        #expect(facts.first { $0.task == TaskID(4) }?.row.savesFile == false)
        let active = try #require(facts.last { $0.task == TaskID(1) })
        #expect(active.claims.map(\.receipt) == [ReceiptID(1)])
        #expect(active.started != nil)
        origin.close()
    }

    @Test func decodingAndSavingHaveTimesOfTheirOwn() throws {
        let origin = try Origin()
        let image = Picture.png(width: 900, height: 700)
        origin.route("/a.png", .bytes(image, type: "image/png"))
        origin.route("/b.bin", .bytes([1, 2, 3], type: "application/octet-stream"))
        origin.route("/bad.png", .bytes(Array(image.prefix(image.count / 2)), type: "image/png"))
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .always }
        harness.submit(origin.url("/a.png"), origin.url("/b.bin"), origin.url("/bad.png"))
        harness.submit(origin.url("/a.png") + "?memory", options: RequestOptions(saves: false))
        let events = try harness.finish()

        func timings(_ name: String) throws -> TaskEnd.Timings {
            let end = try #require(events.taskEnds.first { $0.url.hasSuffix(name) })
            return try #require(end.timings)
        }
        func time(_ isWanted: (PipelineEvent.Kind) -> Bool) throws -> Duration {
            try #require(events.first { isWanted($0.kind) }).t
        }
        let both = try timings("/a.png")
        let (decode, save) = (try #require(both.decode), try #require(both.save))
        #expect(decode > .zero)
        let started = try time {
            if case .taskChanged(let change) = $0 { change.url.hasSuffix("/a.png") } else { false }
        }
        let ended = try time { if case .taskFinished(let end) = $0 { end.url.hasSuffix("/a.png") } else { false } }
        #expect(decode + save <= ended - started, "they follow the network")
        #expect(try timings("/b.bin").decode == nil && timings("/b.bin").save != nil)
        #expect(try timings("/bad.png").decode != nil && timings("/bad.png").save == nil)
        #expect(try timings("?memory").decode != nil && timings("?memory").save == nil)
        origin.close()
    }

    @Test func theHopsOfARedirectGoWithItsAnswer() throws {
        let origin = try Origin()
        origin.route("/a", .redirect(to: "/b", status: 301))
        origin.route("/b", .redirect(to: "/c?d", status: 307))
        origin.route("/c", .text("there"))
        origin.route("/circle", .redirect(to: "/circle", status: 308))
        let harness = try PipelineHarness()
        harness.submit(origin.url("/a"), origin.url("/circle"))
        let events = try harness.finish()

        let hops = [RedirectHop(status: 301, url: origin.url("/b")), RedirectHop(status: 307, url: origin.url("/c?d"))]
        #expect(events.responses.map(\.head.hops) == [hops])
        let ends = events.taskEnds.sorted { $0.task < $1.task }
        let times = try #require(ends.first?.timings?.transfer)
        #expect(try #require(times.redirects) <= #require(times.firstByte))
        #expect(ends.map(\.hops.count) == [0, RedirectHop.limit], "without an answer they go with the end")
        #expect(ends.last?.hops.last == RedirectHop(status: 308, url: origin.url("/circle")))
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
