import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Requests that keep an answer out of the HTTP cache, and tasks that only ask behind an answer.
@Suite(.timeLimit(.minutes(5)))
struct StoringWishTests {
    private let origin: Origin
    private let cache: TemporaryDirectory

    init() throws { (origin, cache) = (try Origin(), try TemporaryDirectory()) }

    /// Requests that become one task; one of them may be cancelled on the way.
    private func end(stores: [Bool], cancelling: Int?, queued: Bool) throws -> [PipelineEvent] {
        var answer = OriginResponse.text("secret")
        answer.headers.append(HeaderField("Cache-Control", "max-age=100"))
        origin.route("/a", answer)
        origin.hold()
        let harness = try PipelineHarness(cache: cache.path + "/cache") { $0.settings.suspended = queued }
        harness.pipeline.send(
            .submit(stores.map { DownloadRequest(origin.url("/a"), options: RequestOptions(saves: false, stores: $0)) })
        )
        #expect(harness.wait { $0.submissions.count == stores.count })
        if let cancelling { harness.pipeline.send(.cancel(ReceiptID(cancelling))) }
        if queued { try harness.set("suspended", "false") }
        origin.release()
        return try harness.finish()
    }

    @Test(
        arguments: [
            ([false, true], nil), ([true, false], nil), ([false, true], 1), ([true, false], 2), ([true, false], 1),
        ] as [([Bool], Int?)]
    )
    func oneOfSeveralIsEnough(stores: [Bool], cancelling: Int?) throws {
        let events = try end(stores: stores, cancelling: cancelling, queued: false)
        #expect(events.httpCache(.stored).isEmpty)
        #expect(events.httpCache(.skipped).map(\.why) == [.forbidden])
    }

    @Test func whoLeftBeforeTheStartForbidsNothing() throws {
        let events = try end(stores: [true, false], cancelling: 2, queued: true)
        #expect(events.httpCache(.stored).count == 1)
    }

    @Test func whoIsQueuedBehindAnotherForbidsToo() throws {
        let events = try end(stores: [true, false], cancelling: nil, queued: true)
        #expect(events.httpCache(.stored).isEmpty)
        #expect(events.httpCache(.skipped).map(\.why) == [.forbidden])
    }

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
        let counts = try #require(events.sessionEnds.first)
        #expect((counts.tasks, counts.succeeded, counts.failed, counts.cancelled) == (3, 2, 1, 0))
        #expect(counts.failedForUsers == 0 && counts.unmet == 0)
        #expect(events.warnings == [.refresh])
    }
}
