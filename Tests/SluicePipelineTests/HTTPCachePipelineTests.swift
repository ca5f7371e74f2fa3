import CLinux
import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// The HTTP cache in a real pipeline, with a real origin, files and images.
@Suite(.timeLimit(.minutes(5)))
struct HTTPCachePipelineTests {
    let origin: Origin
    let cache: TemporaryDirectory

    init() throws { (origin, cache) = (try Origin(), try TemporaryDirectory()) }

    func harness(
        saves: Bool = true,
        _ configure: @escaping (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> PipelineHarness {
        try PipelineHarness(saves: saves, cache: cache.path + "/cache", configure)
    }

    /// Waits for one more end of a task than before.
    func ask(_ harness: PipelineHarness, _ url: String, _ options: RequestOptions = .standard) {
        let before = harness.events.count
        harness.submit(url, options: options)
        let isAnswered = harness.wait { events in
            let news = events[before...]
            return !Array(news).taskEnds.isEmpty
                || Array(news).submissions.contains { $0.outcome == .rejected || $0.source == .memory }
        }
        #expect(isAnswered)
    }

    /// Writes over a file in place, as an editor may.
    private func overwrite(_ path: String, _ text: String) {
        let descriptor = unsafe open(path, O_WRONLY)
        let bytes = Array(text.utf8)
        #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
    }

    static func fresh(_ text: String) -> OriginResponse {
        var answer = OriginResponse.text(text)
        answer.headers += [HeaderField("Cache-Control", "max-age=100"), HeaderField("ETag", "\"\(text)\"")]
        return answer
    }

    @Test func aFreshAnswerTakesNoSlotAndNoRequest() throws {
        origin.route("/a.txt", Self.fresh("fresh"))
        let first = try harness()
        first.submit(origin.url("/a.txt"))
        try first.finish()

        let second = try harness()
        second.submit(origin.url("/a.txt"))
        let events = try second.finish()

        #expect(origin.log.hits("/a.txt") == 1)
        #expect(events.submissions.map(\.source) == [.disk])
        #expect(events.changes(.started).isEmpty && events.indicatorChanges.isEmpty)
        #expect(events.taskEnds.map(\.source) == [.disk] && events.taskEnds.map(\.status) == [200])
        #expect(events.responses.map(\.source) == [.disk])
        #expect(events.responses[0].head.fields.has("age"))
        #expect(events.httpCache(.hit).count == 1)
        #expect(second.directory.contents(of: "a.txt") == Array("fresh".utf8))
    }

    @Test func theSameFileIsNotWrittenAgain() throws {
        origin.route("/a.txt", Self.fresh("fresh"))
        let harness = try harness()
        for _ in 0..<3 { ask(harness, origin.url("/a.txt")) }
        let events = try harness.finish()
        #expect(harness.directory.names == ["a.txt"])
        #expect(Set(events.receiptEnds.map(\.file)) == [harness.directory.path + "/a.txt"])
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func equalRequestsJoinAnAnsweringTask() throws {
        origin.route("/a.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 3_000_000))
            answer.headers = [HeaderField("Cache-Control", "max-age=100")]
            return answer
        }
        let first = try harness(saves: false)
        first.submit(origin.url("/a.bin"))
        try first.finish()

        let second = try harness(saves: false)
        second.submit(Array(repeating: origin.url("/a.bin"), count: 5))
        let events = try second.finish()

        #expect(events.submissions.map(\.outcome) == [.cached, .joined, .joined, .joined, .joined])
        #expect(events.taskEnds.map(\.receipts) == [5])
        #expect(origin.log.hits("/a.bin") == 1)
    }

    @Test(arguments: [0, 1, 511, 4096, 262_144, 262_145, 3_000_000])
    func bodiesOfEverySizeComeBackWhole(size: Int) throws {
        origin.route("/data.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: size))
            answer.headers = [HeaderField("Cache-Control", "max-age=100")]
            return answer
        }
        for saves in [false, true, true] {
            let harness = try harness(saves: saves)
            harness.submit(origin.url("/data.bin"))
            let events = try harness.finish()
            #expect(events.taskEnds.map(\.outcome) == [.success] && events.taskEnds.map(\.bytes) == [size])
            if saves {
                #expect(harness.directory.contents(of: "data.bin") == (0..<size).map { OriginPattern.byte(at: $0) })
            }
        }
        #expect(origin.log.hits("/data.bin") == 1)
    }

    @Test func anImageFromDiskFillsTheMemory() throws {
        var answer = OriginResponse.bytes(Picture.png(width: 30, height: 20), type: "image/png")
        answer.headers.append(HeaderField("Cache-Control", "max-age=100"))
        origin.route("/a.png", answer)
        let first = try harness(saves: false)
        first.submit(origin.url("/a.png"))
        try first.finish()

        let second = try harness(saves: false)
        ask(second, origin.url("/a.png"))
        ask(second, origin.url("/a.png"))
        let events = try second.finish()

        #expect(events.submissions.map(\.source) == [.disk, .memory])
        #expect(events.taskEnds.first?.image == ImageInfo(format: .png, width: 30, height: 20))
        #expect(origin.log.hits("/a.png") == 1)
    }

    @Test func aStaleAnswerIsValidatedAndItsHeadUpdated() throws {
        origin.route("/a.txt") { request, number in
            var answer = OriginResponse.text("same")
            if request.header("If-None-Match") == "\"v\"" { answer = OriginResponse(304) }
            answer.headers += [
                HeaderField("ETag", "\"v\""), HeaderField("Cache-Control", "max-age=0"),
                HeaderField("X-Number", "\(number)"),
            ]
            return answer
        }
        let first = try harness()
        first.submit(origin.url("/a.txt"))
        try first.finish()

        let second = try harness()
        second.submit(origin.url("/a.txt"))
        let events = try second.finish()

        #expect(origin.log.hits("/a.txt") == 2)
        #expect(events.taskEnds.map(\.source) == [.revalidated] && events.taskEnds.map(\.status) == [200])
        #expect(events.responses.map(\.source) == [.revalidated])
        #expect(events.responses[0].head.status == 200)
        #expect(events.responses[0].head.fields.single("x-number") == "2")
        #expect(events.httpCache(.revalidated).count == 1)
        #expect(second.directory.contents(of: "a.txt") == Array("same".utf8))
        #expect(!events.changes(.started).isEmpty, "asking takes a slot")
    }

    @Test func aBodyThatWasChangedOnDiskIsFetchedAgain() throws {
        origin.route("/a.txt", Self.fresh("right"))
        let first = try harness()
        first.submit(origin.url("/a.txt"))
        try first.finish()
        // The cache shares the bytes of the saved file until somebody writes over them.
        overwrite(first.directory.path + "/a.txt", "wrong")

        let second = try harness()
        second.submit(origin.url("/a.txt"))
        let events = try second.finish()

        #expect(second.directory.contents(of: "a.txt") == Array("right".utf8))
        #expect(events.httpCache(.evicted).map(\.why) == [.changed])
        #expect(origin.log.hits("/a.txt") == 2)
    }

    @Test func aBodyThatWasChangedOnDiskIsNotFetchedForWhoWantsNoNetwork() throws {
        origin.route("/a.txt", Self.fresh("right"))
        let first = try harness()
        first.submit(origin.url("/a.txt"))
        try first.finish()
        overwrite(first.directory.path + "/a.txt", "wrong")

        let second = try harness { $0.hostRules.headers = [HeaderField("Cache-Control", "only-if-cached")] }
        second.submit(origin.url("/a.txt"))
        let events = try second.finish()

        #expect(events.taskEnds.map(\.error?.code) == [.notCached])
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func aReplacedFileLeavesTheStoredBodyAlone() throws {
        origin.route("/a.txt", Self.fresh("right"))
        let first = try harness()
        first.submit(origin.url("/a.txt"))
        try first.finish()
        #expect(unsafe unlink(first.directory.path + "/a.txt") == 0)

        let second = try harness()
        second.submit(origin.url("/a.txt"))
        try second.finish()
        #expect(second.directory.contents(of: "a.txt") == Array("right".utf8))
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func aFileFromTheCacheIsACopyOfItsOwn() throws {
        origin.route("/a.txt", Self.fresh("right"))
        for round in 0..<3 {
            let harness = try harness()
            harness.submit(origin.url("/a.txt"))
            try harness.finish()
            #expect(harness.directory.contents(of: "a.txt") == Array("right".utf8), "round \(round)")
            if round == 0 { continue }
            overwrite(harness.directory.path + "/a.txt", "wrong")
        }
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func refreshAnswersAtOnceAndAsksBehind() throws {
        origin.route("/a.txt") { _, number in Self.fresh("version \(number)") }
        let first = try harness()
        first.submit(origin.url("/a.txt"))
        try first.finish()

        let options = RequestOptions(policy: .refresh)
        let second = try harness()
        second.submit(origin.url("/a.txt"), options: options)
        let events = try second.finish()
        #expect(second.directory.contents(of: "a.txt") == Array("version 1".utf8))
        #expect(events.submissions.map(\.outcome) == [.cached, .started])
        #expect(origin.log.hits("/a.txt") == 2)

        let third = try harness()
        third.submit(origin.url("/a.txt"))
        try third.finish()
        #expect(third.directory.contents(of: "a.txt") == Array("version 2".utf8))
        #expect(origin.log.hits("/a.txt") == 2)
    }

    @Test func anImageInMemoryWithoutItsFileIsCopiedFromTheCache() throws {
        var answer = OriginResponse.bytes(Picture.png(width: 30, height: 20), type: "image/png")
        answer.headers.append(HeaderField("Cache-Control", "max-age=0"))
        origin.route("/a.png", answer)
        let harness = try harness { $0.settings.decode = .always }
        ask(harness, origin.url("/a.png"), RequestOptions(saves: false))
        ask(harness, origin.url("/a.png"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.source) == [nil, .disk])
        #expect(harness.directory.names == ["a.png"])
        #expect(origin.log.hits("/a.png") == 1)
    }

    @Test func memoryFreshOnlyAsksForFreshness() throws {
        for (path, age) in [("/fresh.png", 100), ("/stale.png", 0)] {
            var answer = OriginResponse.bytes(Picture.png(width: 30, height: 20), type: "image/png")
            answer.headers.append(HeaderField("Cache-Control", "max-age=\(age)"))
            origin.route(path, answer)
        }
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(cache: cache.path + "/cache", keeping: snapshots) {
            $0.settings.memoryFreshOnly = true
        }
        for path in ["/fresh.png", "/fresh.png", "/stale.png", "/stale.png"] { ask(harness, origin.url(path)) }
        let events = try harness.finish()
        #expect(events.submissions.map(\.source) == [nil, .memory, nil, nil])
        let memory = snapshots.all.last?.memory
        #expect(memory?.hits == 1 && memory?.misses == 3)
    }

    @Test func theLimitHoldsWhileRunning() throws {
        for number in 0..<30 {
            var answer = OriginResponse(body: .pattern(count: 10_000, from: number))
            answer.headers = [HeaderField("Cache-Control", "max-age=100")]
            origin.route("/\(number)", answer)
        }
        let harness = try harness(saves: false) { $0.settings.httpCapacity = 100_000 }
        for number in 0..<30 { ask(harness, origin.url("/\(number)")) }
        let events = try harness.finish()
        #expect(events.httpCache(.stored).allSatisfy { $0.usage <= 100_000 })
        #expect(events.httpCache(.evicted).map(\.key) == (0..<20).map { origin.url("/\($0)") })
        #expect(events.httpCache(.stored).last?.usage == 100_000)
    }

    @Test func whatIsLargerThanTheCacheIsSkipped() throws {
        origin.route("/a", OriginResponse(body: .pattern(count: 10_000)))
        let harness = try harness(saves: false) { $0.settings.httpCapacity = 9_999 }
        harness.submit(origin.url("/a"))
        let events = try harness.finish()
        #expect(events.httpCache(.skipped).map(\.why) == [.tooLarge(bytes: 10_000, limit: 9_999)])
    }

    @Test func storeFalseKeepsAnAnswerOut() throws {
        origin.route("/a", Self.fresh("secret"))
        let options = RequestOptions(saves: false, stores: false)
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a"), options)
        ask(harness, origin.url("/a"), options)
        let events = try harness.finish()
        #expect(events.httpCache(.stored).isEmpty)
        #expect(events.httpCache(.skipped).map(\.why) == [.forbidden, .forbidden])
        #expect(origin.log.hits("/a") == 2)
    }

    @Test func oneUsersAnswersAreNoOtherUsers() throws {
        origin.route("/a") { request, _ in Self.fresh(request.header("Authorization") ?? "nobody") }
        let harness = try harness(saves: false)
        let users = ["http://ann:x@", "http://bob:x@", "http://", "http://ann:x@"]
        for user in users { ask(harness, origin.url("/a").replacingPrefix("http://", with: user)) }
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .started, .started, .cached])
    }

    /// What is stored for an address says nothing of what a redirect of it leads to.
    @Test func aRedirectIsNotAskedAboutWhatIsStored() throws {
        origin.route("/a") { [origin] _, number in
            var answer = number == 1 ? OriginResponse.text("old") : OriginResponse(302)
            answer.headers += [
                HeaderField("Cache-Control", "max-age=0"),
                HeaderField("Last-Modified", "Sat, 01 Nov 2025 06:00:00 GMT"),
                HeaderField("Location", origin.url("/b")),
            ]
            return answer
        }
        origin.route("/b") { request, _ in
            let isAsked = request.header("if-modified-since") != nil || request.header("if-none-match") != nil
            return isAsked ? OriginResponse(304) : .text("other")
        }
        let harness = try harness()
        ask(harness, origin.url("/a"))
        ask(harness, origin.url("/a"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.bytes) == [3, 5] && events.taskEnds.map(\.outcome) == [.success, .success])
    }

    @Test func aDetachedTransferThatNoCacheKeepsIsAborted() throws {
        origin.route("/a") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 40_000_000))
            answer.headers = [HeaderField("Cache-Control", "no-store")]
            answer.bytesPerSecond = 2_000_000
            return answer
        }
        let harness = try harness(saves: false)
        harness.submit(origin.url("/a"))
        #expect(harness.wait { !$0.responses.isEmpty })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled])
    }

    @Test func aDetachedTransferFillsTheCache() throws {
        origin.route("/a") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 400_000))
            answer.headers = [HeaderField("Cache-Control", "max-age=100")]
            answer.bytesPerSecond = 2_000_000
            return answer
        }
        let harness = try harness()
        harness.submit(origin.url("/a"))
        #expect(harness.wait { !$0.responses.isEmpty })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { !$0.taskEnds.isEmpty })
        ask(harness, origin.url("/a"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .cached])
        #expect(harness.directory.contents(of: "a") == (0..<400_000).map { OriginPattern.byte(at: $0) })
        #expect(origin.log.hits("/a") == 1)
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
