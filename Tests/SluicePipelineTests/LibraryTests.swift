import SluiceCore
import SluiceOrigin
import SluiceSystem
import SluiceTestSupport
import Testing

@testable import SluicePipeline

/// What a program may do that uses the pipeline by itself, and what it is told then.
@Suite(.timeLimit(.minutes(5)))
struct LibraryTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.serveStorableImage()
    }

    @Test func picturesOfTheScreenAreAnsweredToWhoAsks() throws {
        let harness = try PipelineHarness()
        let url = origin.url("/a.png")
        harness.submit(url)
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let answers = Locked<[Submission]>([])
        let requests = ["nonsense", url].map { DownloadRequest($0, source: .view(1), tag: "mine") }
        harness.pipeline.ask(.submit(requests)) { reply in
            if case .submissions(let all) = reply.answer { answers.withLock { $0 = all } }
            harness.ring()
        }
        #expect(harness.wait { _ in answers.withLock { !$0.isEmpty } })
        let events = try harness.finish()
        let all = answers.withLock { $0 }
        #expect(all.map(\.outcome) == [.rejected, .cached] && all.map(\.tag) == ["mine", "mine"])
        #expect(all.map(\.error?.code) == [.badURL, nil] && all.map(\.source) == [nil, .memory])
        #expect(events.submissions.count == 1, "no event tells of them")
    }

    @Test func whoAsksBehindTheEndIsAnswered() throws {
        let harness = try PipelineHarness()
        let events = try harness.finish()
        let replies = Locked<[PipelineReply]>([])
        harness.pipeline.ask(.position) { reply in replies.withLock { $0.append(reply) } }
        let reply = replies.withLock { $0.first }
        guard case .shuttingDown? = reply?.answer else {
            Issue.record("nobody answered")
            return
        }
        #expect(reply?.seq == events.last?.seq)
    }

    @Test func withoutAStartTimesCountFromWhenThePipelineWasMade() throws {
        let harness = try PipelineHarness { ($0.startTime, $0.startWallClock) = (nil, nil) }
        harness.submit(origin.url("/a.png"))
        let events = try harness.finish()
        let longest = MonotonicClock.now() - harness.start
        #expect(events.allSatisfy { $0.t >= .zero && $0.t <= longest })
    }

    @Test func aStartIsDatedByTheTimeOfDay() {
        var configuration = PipelineConfiguration()
        configuration.wallClock = { 1_700_000_000_500 }
        let now = Timestamp(nanoseconds: 5_000_000_000)
        let made = configuration.start(now: now)
        #expect(made.time == now && made.nanosecondsSince1970 == 1_700_000_000_500_000_000)
        let earlier = Timestamp(nanoseconds: 3_000_000_000)
        configuration.startTime = earlier
        let set = configuration.start(now: now)
        #expect(set.time == earlier)
        #expect(set.nanosecondsSince1970 == 1_699_999_998_500_000_000, "of that moment, and not of now")
        configuration.startWallClock = 7
        let dated = configuration.start(now: now)
        #expect(dated.time == earlier && dated.nanosecondsSince1970 == 7)
    }

    @Test func noTimeToConnectIsTheDefaultOfTheTransport() {
        var settings = Settings()
        settings.connectTimeout = .zero
        #expect(settings.transportLimits.connectTimeout == Settings().connectTimeout)
        var limits = TransportLimits()
        limits.connectTimeout = .zero
        #expect(limits == TransportLimits())
    }

    @Test func aSmallCacheNeedsNoOtherSetting() throws {
        let harness = try PipelineHarness { $0.settings.cacheCapacity = 5_000 }
        harness.submit(origin.url("/a.png"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success])
    }

    @Test func aPrefetchedThumbnailAnswersWhoWantsIt() throws {
        let harness = try PipelineHarness()
        let thumbnail = RequestOptions(thumbnail: ThumbnailSize(width: 8, height: 8))
        harness.pipeline.send(.prefetch([DownloadRequest(origin.url("/a.png"), options: thumbnail)]))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"), options: thumbnail)
        let events = try harness.finish()
        #expect(events.submissions.last?.source == .memory && origin.log.requests.count == 1)
    }

    @Test(arguments: [true, false]) func aPrefetchIsStoredUnlessItMayNotBe(stores: Bool) throws {
        let cache = try TemporaryDirectory()
        let harness = try PipelineHarness(cache: cache.path + "/cache")
        let options = RequestOptions(stores: stores)
        harness.pipeline.send(.prefetch([DownloadRequest(origin.url("/a.png"), options: options)]))
        let events = try harness.finish()
        #expect(events.httpCache(.stored).count == (stores ? 1 : 0))
    }

    @Test func onlyAGETWithoutABodyIsPrefetched() throws {
        let harness = try PipelineHarness()
        let others = [RequestOptions(method: "POST"), RequestOptions(body: [1])]
        harness.pipeline.send(.prefetch(others.map { DownloadRequest(origin.url("/a.png"), options: $0) }))
        let events = try harness.finish()
        #expect(events.submissions.map(\.error?.code) == [.unsupported, .unsupported] && origin.log.requests.isEmpty)
        let isDone = events.contains { event in
            guard case .prefetchProgress(_, let finished, _, _, let isEnd) = event.kind else { return false }
            return finished == 2 && isEnd
        }
        #expect(isDone, "they count for the batch")
    }
}
