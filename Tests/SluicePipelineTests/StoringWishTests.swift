import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Requests that keep an answer out of the HTTP cache, and tasks that only ask behind an answer.
@Suite(.timeLimit(.minutes(2)))
struct StoringWishTests {
    private let origin: Origin
    private let cache: TemporaryDirectory

    init() throws { (origin, cache) = (try Origin(), try TemporaryDirectory()) }

    /// The checker of the stream compares the sums with the tasks.
    @Test func aFailureBehindAnAnswerIsATaskThatFailedNobody() throws {
        origin.route("/a") { _, number in
            if number > 1 { return OriginResponse(404) }
            var answer = OriginResponse.text("first")
            answer.headers.append(HeaderField("ETag", "\"1\""))
            return answer
        }
        let harness = try PipelineHarness(cache: cache.path + "/cache")
        for ends in [1, 3] {
            harness.submit(origin.url("/a"), options: RequestOptions(policy: .refresh, saves: false))
            #expect(harness.wait { $0.taskEnds.count == ends })
        }
        let events = try harness.finish()
        let ends = events.compactMap { event -> SessionCounts? in
            if case .sessionEnded(let counts) = event.kind { counts } else { nil }
        }
        let counts = try #require(ends.first)
        #expect((counts.tasks, counts.succeeded, counts.failed, counts.cancelled) == (3, 2, 1, 0))
        #expect(counts.failedForUsers == 0 && counts.unmet == 0)
        #expect(events.warnings == ["refresh"])
    }
}
