import SluiceCore
import SluicePipeline
import Testing

/// Batches of a program, which are taken in slices.
@Suite(.timeLimit(.minutes(5)))
struct PrefetchTests {
    private static func requests(_ count: Int) -> [DownloadRequest] {
        (0..<count).map { DownloadRequest("http://a.example/\($0)") }
    }

    private static func last(_ events: [PipelineEvent], _ name: String) throws -> PipelineEvent {
        try #require(events.last { $0.kind.name == name }, "there is no \(name)")
    }

    /// What is sent after its first request was told is done before its last one is submitted.
    @Test func aBatchHoldsUpNothingAndIsAnsweredBehindItsRequests() throws {
        let change = try Settings.parse("maxActive", "3")
        let bare = BarePipeline(
            answering: { event in
                guard case .requestSubmitted(let news) = event.kind, news.receipt == ReceiptID(1) else { return nil }
                return .set(change)
            },
            configuring: { $0.settings.suspended = true }
        )
        bare.ask(.prefetch(Self.requests(1_000)))
        bare.ask(.position)
        bare.ask(.cancelPrefetch(BatchID(1)))
        bare.run()

        let events = bare.events
        let last = try Self.last(events, "request.submitted")
        #expect(events.submissions.count == 1_000)
        #expect(try Self.last(events, "settings.changed").seq < last.seq)
        let replies = bare.replies
        try #require(replies.count == 3)
        guard case .batch(BatchID(1)) = replies[0].answer, case .done = replies[1].answer,
            case .changed(true) = replies[2].answer
        else {
            Issue.record("\(replies.map(\.answer))")
            return
        }
        #expect(replies[0].seq >= last.seq && replies[1].seq == replies[0].seq)
        // Whoever takes it back before all is submitted takes back all.
        #expect(events.receiptEnds.count == 1_000 && events.receiptEnds.allSatisfy { $0.outcome == .cancelled })
        #expect(events.count { $0.kind.name == "prefetch.finished" } == 1)
    }

    @Test func aBatchOfWhichNothingIsFetchedIsAnsweredToo() throws {
        let bare = BarePipeline()
        bare.ask(.prefetch([]))
        bare.ask(.prefetch(["nonsense", "more of it"].map { DownloadRequest($0) }))
        bare.run()

        let ends = bare.events.compactMap { event -> [Int]? in
            guard case .prefetchProgress(let batch, let finished, _, let total, true) = event.kind else { return nil }
            return [batch.rawValue, finished, total, event.seq]
        }
        let answers = bare.replies.compactMap { reply -> [Int]? in
            guard case .batch(let batch) = reply.answer else { return nil }
            return [batch.rawValue, reply.seq]
        }
        #expect(ends.map { Array($0.prefix(3)) } == [[1, 0, 0], [2, 2, 2]])
        #expect(answers.map(\.first) == [1, 2])
        #expect(answers.map(\.last) == ends.map(\.last))
    }

    /// The batch waits for each of its own, whatever is tried again while they are taken in.
    @Test func whatIsTriedAgainMeanwhileIsNoneOfTheBatch() throws {
        let bare = BarePipeline(answering: { event in
            guard case .taskFinished(let end) = event.kind, end.task == TaskID(1) else { return nil }
            return .steer(.retry, .tasks([end.task]))
        })
        bare.ask(.prefetch(Self.requests(1_000)))
        bare.run()

        let events = bare.events
        #expect(events.submissions.count == 1_001 && events.receiptEnds.count == 1_001)
        let end = try Self.last(events, "prefetch.finished")
        #expect(try Self.last(events, "receipt.finished").seq < end.seq)
    }
}
