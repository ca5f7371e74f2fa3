import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceSystem
import SluiceTestSupport
import Testing

/// Answers from disk that can't be given, and the end of the pipeline.
@Suite(.timeLimit(.minutes(5)))
struct FailedAnswerTests {
    private let origin: Origin
    private let cache: TemporaryDirectory

    init() throws { (origin, cache) = (try Origin(), try TemporaryDirectory()) }

    /// Stores an answer in a session of its own.
    private func store(_ path: String, _ body: [UInt8], type: String) throws {
        var answer = OriginResponse.bytes(body, type: type)
        answer.headers.append(HeaderField("Cache-Control", "max-age=100"))
        origin.route(path, answer)
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache") { $0.settings.decode = .never }
        harness.submit(origin.url(path))
        #expect(try harness.finish().httpCache(.stored).count == 1)
    }

    @Test func aDamagedImageOfTheCacheFailsAsOneOfTheNetworkDoes() throws {
        // Its header is fine, and so it was saved without being decoded.
        let whole = Picture.png(width: 60, height: 40)
        let image = Array(whole.prefix(whole.count / 2))
        try store("/a.png", image, type: "image/png")
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache") { $0.settings.decode = .always }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let failed = try #require(harness.events.taskEnds.first)
        #expect(failed.source == .disk && failed.error?.code == .badImage)
        #expect(harness.directory.names == ["a.png.bad"] && harness.events.warnings == [.kept])
        // It can be tried again by its number.
        harness.pipeline.send(.steer(.retry, .task(failed.task)))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        try harness.finish()
        #expect(origin.log.hits("/a.png") == 2)
    }

    @Test func aFullDiskStopsTheQueueForAnAnswerToo() throws {
        try store("/a.txt", Array("stored".utf8), type: "text/plain")
        let harness = try PipelineHarness(files: FullDisk(), cache: cache.path + "/cache") { $0.isDashboard = true }
        harness.submit(origin.url("/a.txt"))
        #expect(harness.wait { !$0.changes(.queued).isEmpty })
        let events = try harness.shutDown()
        #expect(events.taskEnds.isEmpty && events.warnings == [.diskFull])
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func aPipeInPlaceOfAStoredBodyIsNoneAndHoldsNobodyUp() throws {
        try store("/a.txt", Array("stored".utf8), type: "text/plain")
        let body = cache.path + "/cache/bodies/1"
        let isReplaced = unsafe unlink(body) == 0 && mkfifo(body, 0o600) == 0
        try #require(isReplaced)
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        harness.submit(origin.url("/a.txt"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.network])
        #expect(origin.log.hits("/a.txt") == 2)
    }

    @Test func aStoredBodyThatNoThreadCameToIsClosedAtTheEnd() throws {
        try store("/a.png", Picture.png(width: 60, height: 40), type: "image/png")
        let bodies = cache.path + "/cache/bodies"
        let harness = try PipelineHarness(cache: cache.path + "/cache") { $0.settings.decode = .always }
        let gate = harness.holdPool()
        defer { gate.give(3) }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { !$0.responses.isEmpty })
        // Done in a later turn than that of the answer.
        try harness.set("maxActive", "2")
        #expect(harness.wait { events in events.contains { $0.kind.name == "settings.changed" } })
        #expect(FileTree.openCount(below: bodies) == 1)
        try harness.shutDown()
        #expect(FileTree.openCount(below: bodies) == 0)
    }

    @Test func whoSubmitsBehindTheEndHearsOfIt() throws {
        let harness = try PipelineHarness()
        try harness.finish()
        let outcomes = Outcomes()
        harness.pipeline.submit(DownloadRequest(origin.url("/a"))) { outcomes.add($0.outcome) }
        harness.pipeline.readSaved(origin.url("/a")) { result in
            if case .failure(let error) = result, error.code == .cancelled { outcomes.add(.cancelled) }
        }
        #expect(outcomes.all == [.cancelled, .cancelled])
    }

    private final class Outcomes: Sendable {
        private let outcomes = Locked<[Outcome]>([])
        func add(_ outcome: Outcome) { outcomes.withLock { $0.append(outcome) } }
        var all: [Outcome] { outcomes.withLock { $0 } }
    }
}
