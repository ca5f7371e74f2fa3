import Glibc
import SluiceCore
import SluiceOrigin
import SluicePictures
import SluicePipeline
import SluiceSystem
import SluiceTestSupport
import Testing

/// What places for pictures ask of the pipeline.
@Suite(.timeLimit(.minutes(5)))
struct ViewTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        let image = Picture.png(width: 30, height: 20)
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
    }

    private static let view = RequestOptions(policy: .cacheOnly, saves: false)

    @Test func aViewNeverAsksTheNetwork() throws {
        let harness = try PipelineHarness()
        let outcomes = Outcomes()
        harness.pipeline.submit(DownloadRequest(origin.url("/a.png"), options: Self.view, source: .view(1))) {
            outcomes.add($0)
        }
        let events = try harness.finish()
        #expect(outcomes.all.map(\.error?.code) == [.notCached])
        #expect(events.submissions.isEmpty && origin.log.requests.isEmpty, "what is drawn is nobody's request")
    }

    @Test func aLookRefreshesNothingAndIsNotCounted() throws {
        let harness = try PipelineHarness()
        let outcomes = Outcomes()
        for path in ["/old.png", "/new.png"] {
            harness.submit(origin.url(path))
            #expect(harness.wait { events in events.taskEnds.last?.url.hasSuffix(path) == true })
        }
        for _ in 0..<3 {
            harness.pipeline.submit(DownloadRequest(origin.url("/old.png"), options: Self.view, source: .view(1))) {
                outcomes.add($0)
            }
        }
        for name in ["cachePreferred", "cacheCapacity"] { try harness.set(name, "3000") }
        let events = try harness.finish()
        #expect(outcomes.all.map { $0.image?.bitmap.width } == [30, 30, 30])
        #expect(events.submissions.count == 2)
        #expect(events.purges.first?.victims.first?.key.key == origin.url("/old.png"), "it is the oldest all the same")
        guard case .sessionEnded(let counts)? = events.last?.kind else { return }
        #expect((counts.requests, counts.cached) == (2, 0))
    }

    @Test func aLookAtWhatIsStoredIsNoDownloadOfTheUsers() throws {
        let cache = try TemporaryDirectory()
        origin.serveStorableImage()
        let harness = try PipelineHarness(cache: cache.path + "/cache")
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.pipeline.send(.clearCache)
        harness.pipeline.submit(DownloadRequest(origin.url("/a.png"), options: Self.view, source: .view(1))) { _ in }
        let events = try harness.finish()
        #expect(events.taskEnds.count == 2 && origin.log.requests.count == 1)
        guard case .sessionEnded(let counts)? = events.last?.kind else { return }
        #expect((counts.succeeded, counts.cached) == (2, 1), "as the events before it")
        #expect((counts.succeededForUsers, counts.cachedForUsers) == (1, 0))
    }

    /// Without a limit there is always room.
    @Test(arguments: [5_000, 0]) func aLookPushesNothingOut(capacity: Int) throws {
        let cache = try TemporaryDirectory()
        origin.serveStorableImage()
        // Room for two, of which a purge leaves one.
        let harness = try PipelineHarness(cache: cache.path + "/cache") {
            ($0.settings.cachePreferred, $0.settings.cacheCapacity) = (capacity == 0 ? 0 : 2_400, capacity)
        }
        let urls = ["/a.png", "/b.png", "/c.png"].map { origin.url($0) }
        for url in urls {
            harness.submit(url)
            #expect(harness.wait { $0.taskEnds.last?.url == url })
        }
        if capacity == 0 {
            harness.pipeline.send(.clearCache)
            #expect(harness.wait { $0.purges.count == 1 })
        }
        let outcomes = Outcomes()
        for (number, url) in urls.enumerated() {
            harness.pipeline.submit(DownloadRequest(url, options: Self.view, source: .view(number))) {
                outcomes.add($0)
            }
        }
        let events = try harness.finish()
        #expect(outcomes.all.map { $0.image?.bitmap.width } == [30, 30, 30] && origin.log.requests.count == 3)
        #expect(events.purges.count == 1, "that of the third download, or the one above")
        if capacity > 0 { #expect(events.purges.flatMap(\.victims).map(\.key.key) == urls.dropLast()) }
        let added = events.count {
            if case .cacheChanged(let change) = $0.kind { change.verb == .added } else { false }
        }
        #expect(added == (capacity == 0 ? 6 : 4), "a look keeps what there is room for")
    }

    @Test func aSavedImageIsReadWithoutTouchingACache() throws {
        let harness = try PipelineHarness(saves: true) { $0.isDashboard = true }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.pipeline.send(.clearCache)
        let answers = Locked<[Result<DecodedImage, DownloadError>]>([])
        for path in ["/a.png", "/b.png", "nonsense"] {
            let url = path.hasPrefix("/") ? origin.url(path) : path
            harness.pipeline.readSaved(url) { answer in
                answers.withLock { $0.append(answer) }
                harness.ring()
            }
            #expect(harness.wait { _ in answers.withLock { !$0.isEmpty } })
            let answer = answers.withLock { $0.removeLast() }
            switch path {
            case "/a.png": #expect((try? answer.get().bitmap.width) == 30)
            default:
                if case .success = answer { Issue.record("there is no file of \(path)") }
            }
        }
        let events = try harness.finish()
        #expect(events.submissions.count == 1 && events.taskEnds.count == 1)
        let additions = events.filter { if case .cacheChanged = $0.kind { true } else { false } }
        #expect(additions.count == 1, "what is only looked at enters no cache")
    }

    @Test func aReadThatNoThreadCameToIsCancelledAtTheEnd() throws {
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let gate = harness.holdPool()
        defer { gate.give(3) }
        let codes = Locked<[DownloadError.Code?]>([])
        harness.pipeline.readSaved(origin.url("/a.png")) { answer in
            let code: DownloadError.Code? = if case .failure(let error) = answer { error.code } else { nil }
            codes.withLock { $0.append(code) }
        }
        try harness.shutDown()
        #expect(codes.withLock { $0 } == [.cancelled])
    }

    @Test func aSavedImageOfAnEarlierSessionIsReadAsLongAsItIsAsItWas() throws {
        let harness = try PipelineHarness(saves: true) { ($0.isDashboard, $0.awaitsMemory) = (true, true) }
        let path = harness.directory.path + "/old.png"
        #expect(FileTree.write(Picture.png(width: 30, height: 20), to: path))
        let status = try #require(FileStatus(path, in: AT_FDCWD))
        var state = RememberedState()
        let (directory, url) = (harness.directory.path, origin.url("/old.png"))
        state.files = [KnownFile(key: url, directory: directory, file: status.saved(path))]
        harness.pipeline.remember(state)
        harness.submit(origin.url("/new.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let answers = Locked<[Int?]>([])
        for isChanged in [false, true] {
            if isChanged { #expect(FileTree.write("another", to: path)) }
            harness.pipeline.readSaved(url) { answer in
                answers.withLock { $0.append(try? answer.get().bitmap.width) }
                harness.ring()
            }
            #expect(harness.wait { _ in answers.withLock { $0.count == (isChanged ? 2 : 1) } })
        }
        try harness.finish()
        #expect(answers.withLock { $0 } == [30, nil] && origin.log.hits("/old.png") == 0)
    }

    @Test func imagesOfAURLLeaveMemoryWithTheirVariants() throws {
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(keeping: snapshots)
        let url = origin.url("/a.png")
        harness.submit(url)
        harness.submit(url, options: RequestOptions(thumbnail: ThumbnailSize(width: 8, height: 8)))
        harness.submit(url, options: RequestOptions(headers: [HeaderField("X-Own", "1")]))
        harness.submit(origin.url("/b.png"))
        #expect(harness.wait { $0.taskEnds.count == 3 })
        harness.pipeline.send(.removeImages(ImageRemoval(serial: 7, urls: [url, origin.url("/none.png")])))
        let answer = snapshots.wait { $0.removal != nil }
        #expect(answer?.removal?.serial == 7 && answer?.removal?.removed == 1)
        #expect(answer?.memory.count == 1, "the other image stays")
        harness.pipeline.send(.removeImages(ImageRemoval(serial: 8, urls: [url])))
        let nothing = snapshots.wait { $0.removal?.serial == 8 }
        #expect(nothing?.removal == ImageRemoval.Answer(serial: 8, removed: 0, freed: 0))
        let events = try harness.finish()
        let removed = events.compactMap { event -> CacheChange? in
            if case .cacheChanged(let change) = event.kind, change.verb == .removed { change } else { nil }
        }
        #expect(answer?.removal?.freed == removed.reduce(0) { $0 + $1.cost })
        #expect(removed.count == 3 && removed.allSatisfy { $0.key.url == url }, "one event for each entry")
    }

    @Test func whatArrivesIsSketchedForWhoWatches() throws {
        let image = ImageEncoder.jpeg(Picture.bitmap(width: 400, height: 300), quality: 95)
        origin.route("/slow.jpg") { _, _ in
            var answer = OriginResponse.bytes(image, type: "image/jpeg")
            answer.fault = .stall(after: image.count / 2)
            return answer
        }
        let sketches = Sketches()
        let harness = try PipelineHarness(sketches: sketches)
        harness.submit(origin.url("/slow.jpg"))
        #expect(harness.wait { !$0.changes(.started).isEmpty })
        #expect(sketches.all.isEmpty, "nobody watches")
        harness.pipeline.send(.observe([TaskID(1)]))
        #expect(harness.wait { _ in !sketches.all.isEmpty })
        let (task, bitmap) = try #require(sketches.all.first)
        #expect(task == TaskID(1) && bitmap.width == 400 && bitmap.height == 300)
        #expect(bitmap.pixels[3] == 255 && bitmap.pixels[bitmap.pixels.count - 1] == 0, "above, not yet below")
        try harness.shutDown()
    }

    @Test func severalAreSketchedInTurnAndAgainForWhoComesBack() throws {
        let image = ImageEncoder.jpeg(Picture.bitmap(width: 400, height: 300), quality: 95)
        for path in ["/1.jpg", "/2.jpg", "/3.jpg"] {
            origin.route(path) { _, _ in
                var answer = OriginResponse.bytes(image, type: "image/jpeg")
                answer.fault = .stall(after: image.count / 2)
                return answer
            }
        }
        let sketches = Sketches()
        let harness = try PipelineHarness(sketches: sketches)
        harness.submit(["/1.jpg", "/2.jpg", "/3.jpg"].map(origin.url))
        #expect(harness.wait { $0.changes(.started).count == 3 })

        harness.pipeline.send(.observe([TaskID(1), TaskID(3)]))
        #expect(harness.wait { _ in Set(sketches.all.map(\.0)).count == 2 })
        #expect(Set(sketches.all.map(\.0)) == [TaskID(1), TaskID(3)], "nobody looks at the second")

        harness.pipeline.send(.observe([TaskID(3)]))
        harness.pipeline.send(.observe([TaskID(1), TaskID(3)]))
        let count = sketches.all.filter { $0.0 == TaskID(1) }.count
        #expect(harness.wait { _ in sketches.all.filter { $0.0 == TaskID(1) }.count > count }, "though nothing arrived")
        try harness.shutDown()
    }

    /// What requests came to, from the loop's thread.
    private final class Outcomes: Sendable {
        private let kept = Locked<[RequestOutcome]>([])
        var all: [RequestOutcome] { kept.withLock { $0 } }
        func add(_ outcome: RequestOutcome) { kept.withLock { $0.append(outcome) } }
    }
}
