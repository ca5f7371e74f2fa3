import SluiceCore
import SluiceOrigin
import SluicePipeline
import Testing

/// The memory cache as the pipeline fills, purges and reports it.
@Suite(.timeLimit(.minutes(5)))
struct MemoryCacheTests {
    /// Of one image of 100 × 50 pixels, in bytes.
    private static let cost = 20_000
    private let origin: Origin

    init() throws {
        origin = try Origin()
        let image = Picture.png(width: 100, height: 50)
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
    }

    @Test func anAdmissionHookKeepsImagesOut() throws {
        let harness = try PipelineHarness {
            $0.settings.maxActive = 1
            $0.admits = { key, image in !key.key.contains("secret") && image.cost == Self.cost }
        }
        harness.submit([origin.url("/secret.png"), origin.url("/open.png")])

        let changes = try harness.finish().compactMap { event -> CacheChange? in
            if case .cacheChanged(let change) = event.kind { change } else { nil }
        }
        #expect(changes.map(\.verb) == [.refused, .added])
        #expect(changes.first?.why == .refusedByHook && changes.first?.usage == 0)
    }

    @Test func theEleventhImagePurgesFiveAndSaysWhy() throws {
        let harness = try PipelineHarness {
            $0.settings.maxActive = 1
            $0.settings.cacheCapacity = 10 * Self.cost
            $0.settings.cachePreferred = 6 * Self.cost
        }
        harness.submit((1...11).map { origin.url("/\($0).png") })

        let events = try harness.finish()
        let purge = try #require(events.purges.first)
        #expect(events.purges.count == 1)
        #expect(purge.trigger == .capacity)
        #expect(purge.before == 11 * Self.cost)
        #expect(purge.needed == 5 * Self.cost)
        #expect(purge.freed == 5 * Self.cost)
        #expect(purge.after == 6 * Self.cost)
        #expect(purge.victims.map(\.key.key) == (1...5).map { origin.url("/\($0).png") })
        let last = events.compactMap { event -> CacheChange? in
            if case .cacheChanged(let change) = event.kind { change } else { nil }
        }.last
        #expect(last?.usage == 6 * Self.cost, "usage after the whole step")
    }

    @Test("an image that is not kept leaves none of an older body behind")
    func aRefusedImageReplacesTheOlderOne() throws {
        let (small, large) = (Picture.png(width: 100, height: 50), Picture.png(width: 400, height: 400))
        origin.route("/a.png") { _, number in .bytes(number == 1 ? small : large, type: "image/png") }
        let harness = try PipelineHarness {
            ($0.settings.cacheCapacity, $0.settings.cachePreferred) = (5 * Self.cost, 3 * Self.cost)
        }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"), options: RequestOptions(policy: .reload))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        harness.submit(origin.url("/a.png"))
        let events = try harness.finish()
        let changes = events.compactMap { event -> CacheChange? in
            if case .cacheChanged(let change) = event.kind { change } else { nil }
        }
        #expect(changes.map(\.verb) == [.added, .refused, .removed, .refused])
        #expect(changes[2].usage == 0)
        #expect(events.submissions.map(\.outcome) == [.started, .started, .started])
    }

    @Test("a refresh that has to go to the network leaves no other size of the older body")
    func whatARefreshFetchesReplacesOtherSizes() throws {
        let versions = [Picture.png(width: 100, height: 50), Picture.png(width: 200, height: 100)]
        origin.route("/a.png") { _, number in .bytes(versions[min(number, 2) - 1], type: "image/png") }
        let harness = try PipelineHarness()
        let size = ThumbnailSize(width: 60, height: 60)
        harness.submit(origin.url("/a.png"), options: RequestOptions(thumbnail: size))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"), options: RequestOptions(policy: .refresh))
        let changes = try harness.finish().cacheChanges
        #expect(changes.map(\.verb) == [.added, .removed, .added])
        #expect(changes.map(\.key.id) == [size.id, size.id, ""])
        #expect(origin.log.hits("/a.png") == 2)
    }

    @Test("two users never share an image, though their keys have the same digits")
    func usersWithTheSameDigitsHaveImagesOfTheirOwn() throws {
        let harness = try PipelineHarness()
        let urls = ["twljdlpc", "tcodjiny"].map { password in
            origin.url("/a.png").replacing("http://", with: "http://a:\(password)@")
        }
        for (count, url) in urls.enumerated() {
            harness.submit(url)
            #expect(harness.wait { $0.taskEnds.count == count + 1 })
        }
        let events = try harness.finish()
        let keys = events.compactMap { event -> String? in
            if case .cacheChanged(let change) = event.kind { change.key.key } else { nil }
        }
        #expect(Set(keys) == [origin.url("/a.png") + " #e2da0f24"], "else this test shows nothing")
        #expect(events.submissions.map(\.outcome) == [.started, .started])
        #expect(origin.log.hits("/a.png") == 2)
    }

    @Test func clearingAndPressureEmptyItOnce() throws {
        let harness = try PipelineHarness()
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.pipeline.send(.clearCache)
        harness.pipeline.send(.clearCache)
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        harness.pipeline.send(.pressure)
        harness.pipeline.send(.pressure)
        harness.submit(origin.url("/b.png"))
        let events = try harness.finish()
        #expect(events.purges.map(\.trigger) == [.cleared, .pressure])
        #expect(origin.log.hits("/a.png") == 2)
    }

    @Test func anImageLargerThanTheCacheIsRefusedAndEvictsNothing() throws {
        let harness = try PipelineHarness {
            $0.settings.maxActive = 1
            $0.settings.cacheCapacity = Self.cost + 10
            $0.settings.cachePreferred = Self.cost
        }
        let large = Picture.png(width: 200, height: 100)
        origin.route("/large.png") { _, _ in .bytes(large, type: "image/png") }
        harness.submit(origin.url("/small.png"), origin.url("/large.png"))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        harness.submit(origin.url("/small.png"))
        let events = try harness.finish()
        #expect(events.submissions.last?.outcome == .cached)
        #expect(
            events.contains { if case .cacheChanged(let change) = $0.kind { change.verb == .refused } else { false } }
        )
        #expect(events.purges.isEmpty)
    }

    @Test func shrinkingTheCacheWhileItIsFullPurgesAtOnce() throws {
        let harness = try PipelineHarness()
        harness.submit((1...10).map { origin.url("/\($0).png") })
        #expect(harness.wait { $0.taskEnds.count == 10 })
        try harness.set("cachePreferred", "40000")
        try harness.set("cacheCapacity", "100000")
        let events = try harness.finish()
        #expect(events.purges.map(\.trigger) == [.resized])
        #expect(events.purges.first?.after == 40_000)
    }

    @Test func allReceiptsGetTheSameImage() throws {
        let harness = try PipelineHarness()
        let images = Locked<[ObjectIdentifier]>([])
        origin.hold()
        for _ in 0..<5 {
            harness.pipeline.submit(DownloadRequest(origin.url("/a.png"))) { outcome in
                if let image = outcome.image { images.withLock { $0.append(ObjectIdentifier(image)) } }
            }
        }
        #expect(harness.wait { $0.submissions.count == 5 })
        origin.release()
        #expect(harness.wait { $0.receiptEnds.count == 5 })
        harness.pipeline.submit(DownloadRequest(origin.url("/a.png"))) { outcome in
            if let image = outcome.image { images.withLock { $0.append(ObjectIdentifier(image)) } }
        }
        try harness.finish()
        let seen = images.withLock { $0 }
        #expect(seen.count == 6)
        #expect(Set(seen).count == 1)
        #expect(origin.log.requests.count == 1)
    }
}
