import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Files and answers of one URL, of which the newest counts.
@Suite(.timeLimit(.minutes(5)))
struct NewerAnswerTests {
    private let origin: Origin
    private let cache: TemporaryDirectory

    init() throws { (origin, cache) = (try Origin(), try TemporaryDirectory()) }

    private func harness(
        _ configure: @escaping (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> PipelineHarness {
        try PipelineHarness(saves: true, cache: cache.path + "/cache", configure)
    }

    private static func fresh(_ body: [UInt8], type: String = "text/plain") -> OriginResponse {
        var answer = OriginResponse.bytes(body, type: type)
        answer.headers += [HeaderField("Cache-Control", "max-age=100"), HeaderField("ETag", "\"\(body.count)\"")]
        return answer
    }

    /// Asks, and waits until as many tasks have ended as must by then.
    private func ask(_ harness: PipelineHarness, _ url: String, _ options: RequestOptions = .standard, ends: Int) {
        harness.submit(url, options: options)
        #expect(harness.wait { $0.taskEnds.count == ends })
    }

    @Test func aFileIsNotNamedForAnAnswerThatCameAfterIt() throws {
        let bodies = ["one", "three", "seventh"].map { Array($0.utf8) }
        origin.route("/a.txt") { _, number in Self.fresh(bodies[min(number, 3) - 1]) }
        let harness = try harness()
        ask(harness, origin.url("/a.txt"), ends: 1)
        // Answered at once, and asked behind: the new body is stored, and in no file.
        ask(harness, origin.url("/a.txt"), RequestOptions(policy: .refresh), ends: 3)
        ask(harness, origin.url("/a.txt"), ends: 4)
        let end = try #require(try harness.finish().taskEnds.last)
        #expect(end.source == .disk && end.bytes == 5)
        let name = try #require(end.file?.split(separator: "/").last.map(String.init))
        #expect(harness.directory.contents(of: name) == bodies[1], "\(name)")
    }

    /// A small cache has to make room first, and so holds the file open meanwhile.
    @Test(arguments: [CachePolicy.protocol, .cacheOnly], [0, 400_000, 150_000_000])
    func aFileThatIsDeletedAtOnceComesBackFromTheCache(policy: CachePolicy, capacity: Int) throws {
        let size = 300_000
        let body = [UInt8](repeating: 7, count: size)
        origin.route("/a.bin") { _, _ in Self.fresh(body, type: "application/octet-stream") }
        let harness = try harness { $0.settings.httpCapacity = capacity }
        for number in 1...20 {
            ask(harness, origin.url("/a.bin"), RequestOptions(policy: number == 1 ? .protocol : policy), ends: number)
            FileTree.remove(harness.directory.path + "/a.bin")
        }
        let events = try harness.finish()
        #expect(events.taskEnds.dropFirst().allSatisfy { $0.outcome == .success && $0.source == .disk })
        #expect(origin.log.requests.count == 1 && events.changes(.started).count == 1)
    }

    /// What is not stored may be newer than what is.
    @Test func aNewerFileStaysAsItIsWhereAnOlderAnswerIsStored() throws {
        let bodies = ["one", "three"].map { Array($0.utf8) }
        origin.route("/a.txt") { _, number in
            var answer = Self.fresh(bodies[min(number, 2) - 1])
            // Files are dated by a clock of coarser steps.
            answer.delay = .milliseconds(number == 1 ? 0 : 50)
            return answer
        }
        let harness = try harness()
        ask(harness, origin.url("/a.txt"), ends: 1)
        ask(harness, origin.url("/a.txt"), RequestOptions(policy: .reload, stores: false), ends: 2)
        #expect(harness.directory.contents(of: "a.txt") == bodies[1])
        ask(harness, origin.url("/a.txt"), ends: 3)
        let end = try #require(try harness.finish().taskEnds.last)
        #expect(end.source == .disk)
        #expect(harness.directory.names == ["a.txt"] && harness.directory.contents(of: "a.txt") == bodies[1])
    }

    @Test func whatIsTooLargeToStoreDropsTheOlderAnswer() throws {
        let bodies = [100, 5000].map { [UInt8](repeating: 1, count: $0) }
        origin.route("/a.bin") { _, number in Self.fresh(bodies[min(number, 2) - 1]) }
        let harness = try harness { $0.settings.httpCapacity = 1000 }
        ask(harness, origin.url("/a.bin"), ends: 1)
        ask(harness, origin.url("/a.bin"), RequestOptions(policy: .reload), ends: 2)
        ask(harness, origin.url("/a.bin"), ends: 3)
        #expect(try harness.finish().taskEnds.map(\.bytes) == [100, 5000, 5000])
    }

    @Test(arguments: [CachePolicy.refresh, .reload]) func aNewerBodyReplacesTheThumbnailsToo(policy: CachePolicy) throws
    {
        let images = [Picture.png(width: 10, height: 10), Picture.png(width: 40, height: 10)]
        origin.route("/a.png") { _, number in Self.fresh(images[min(number, 2) - 1], type: "image/png") }
        let harness = try harness { $0.settings.decode = .always }
        let (small, other) = (ThumbnailSize(width: 5, height: 5), ThumbnailSize(width: 8, height: 8))
        for size in [small, other] {
            ask(harness, origin.url("/a.png"), RequestOptions(thumbnail: size), ends: size == small ? 1 : 2)
        }
        ask(harness, origin.url("/a.png"), RequestOptions(policy: policy, thumbnail: small), ends: 3)
        var costs: [String: Int] = [:]
        for event in try harness.finish() {
            guard case .cacheChanged(let change) = event.kind else { continue }
            costs[change.key.id] = change.verb == .removed ? nil : change.cost
        }
        #expect(costs == ["thumb-5x5": 20], "the other one was of the older body")
    }

    @Test func aCopyIsOfTheNewestImage() throws {
        let images = [Picture.png(width: 20, height: 10), Picture.png(width: 30, height: 10)]
        origin.route("/a.png") { _, number in Self.fresh(images[min(number, 2) - 1], type: "image/png") }
        let harness = try harness { $0.settings.decode = .always }
        ask(harness, origin.url("/a.png"), ends: 1)
        harness.submit(origin.url("/a.png"), options: RequestOptions(policy: .refresh))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "n.png"))
        let events = try harness.finish()
        #expect(harness.directory.contents(of: "n.png") == images[1])
        let behind = events.submissions.filter { news in
            if case .inMemory(_, _, asksBehind: true) = news.why { true } else { false }
        }
        #expect(behind.map(\.outcome) == [.cached], "who is answered from memory is told that the origin is asked")
    }

    @Test(arguments: [false, true]) func aRequestWithoutDestinationGetsAFileInTheUsualFolder(decodes: Bool) throws {
        let image = Picture.png(width: 20, height: 10)
        origin.route("/a.png", Self.fresh(image, type: "image/png"))
        let elsewhere = try TemporaryDirectory()
        let directory = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache") {
            $0.settings.decode = decodes ? .always : .never
            $0.directory = directory.path
        }
        ask(harness, origin.url("/a.png"), RequestOptions(destination: elsewhere.path + "/c.png"), ends: 1)
        ask(harness, origin.url("/a.png"), ends: 2)
        let end = try #require(try harness.finish().taskEnds.last)
        #expect(elsewhere.contents(of: "c.png") == image && harness.directory.contents(of: "a.png") == image)
        #expect(end.file == harness.directory.path + "/a.png", "\(end.file ?? "none")")
        #expect(origin.log.hits("/a.png") == 1)
    }

    @Test func onePostReplacesNoFileOfAnother() throws {
        origin.route("/form.txt") { _, number in .text("answer \(number)") }
        let harness = try harness()
        for (number, body) in ["a", "b"].enumerated() {
            let options = RequestOptions(method: "POST", body: Array(body.utf8))
            ask(harness, origin.url("/form.txt"), options, ends: number + 1)
        }
        try harness.finish()
        #expect(harness.directory.contents(of: "form.txt") == Array("answer 1".utf8))
        #expect(harness.directory.contents(of: "form.1.txt") == Array("answer 2".utf8))
    }

    @Test func aPostTakesTheImageOutOfMemory() throws {
        let image = Picture.png(width: 20, height: 10)
        origin.route("/a.png", Self.fresh(image, type: "image/png"))
        let harness = try harness { $0.settings.decode = .always }
        let unsaved = RequestOptions(saves: false)
        ask(harness, origin.url("/a.png"), unsaved, ends: 1)
        ask(harness, origin.url("/a.png"), RequestOptions(saves: false, method: "POST", body: []), ends: 2)
        ask(harness, origin.url("/a.png"), unsaved, ends: 3)
        try harness.finish()
        #expect(origin.log.hits("/a.png") == 3)
    }
}
