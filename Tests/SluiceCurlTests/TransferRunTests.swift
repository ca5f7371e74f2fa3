import SluiceCore
import Testing

@testable import SluiceCurl

/// What a transfer knows of its requests and answers.
struct TransferRunTests {
    private let now = Timestamp(nanoseconds: 7)
    private let run = CurlTransfer.Run(redirection: Redirection(url: "http://a/"))

    @Test func aRequestForgetsWhatConcernedTheOneBefore() {
        var run = run
        (run.exchange.headLines, run.exchange.uploaded, run.exchange.dropped) = (3, 2, 1)
        (run.exchange.socket, run.exchange.isSurplusKnown, run.exchange.lacksDescriptors) = (5, true, true)
        (run.exchange.isJudged, run.exchange.clientWish) = (true, CurlError.ClientWish.ignored)
        (run.isDigest, run.body.received) = (true, 9)

        run.beginRequest(at: now)

        #expect(run.exchange.asked == now)
        #expect([run.exchange.headLines, run.exchange.uploaded, run.exchange.dropped] == [0, 0, 0])
        #expect(run.exchange.socket == -1)
        #expect(!run.exchange.isSurplusKnown && !run.exchange.lacksDescriptors && !run.exchange.isJudged)
        let hasWish = run.exchange.clientWish != nil
        #expect(!hasWish)
        #expect(run.isDigest && run.body.received == 9, "these are of the transfer")
    }

    @Test func anAnswerThatLeadsOnIsAskedForOnce() {
        var run = run
        run.beginAnswer()
        #expect(!run.mustAskAgain)
        run.answer = .leadsOn(since: now)
        #expect(run.mustAskAgain && !run.answer.hasBegun)

        run.beginRequest(at: now)

        #expect(!run.mustAskAgain)
    }

    @Test func anUnfitConnectionIsFollowedByANewOneUntilThatAnswers() {
        var run = run
        run.connection = .unfit
        #expect(run.mustAskAgain)

        run.beginRequest(at: now)
        #expect(run.connection == .new && !run.mustAskAgain)
        run.beginRequest(at: now)
        #expect(run.connection == .new)

        run.beginAnswer()
        #expect(run.connection == .any)
    }

    /// Else a sink would be given a second head.
    @Test func whatHasBegunStaysSo() {
        for channel in [CurlTransfer.Run.Channel.shared, .own] {
            var run = run
            run.answer = .begun(channel)
            run.beginRequest(at: now)
            #expect(run.answer.channel == channel)
            #expect(!run.mustAskAgain)
        }
    }

    @Test func aStopEndsWithItsOwnReason() {
        #expect(CurlTransfer.Run.Stop.sink.reason == .sink)
        #expect(CurlTransfer.Run.Stop.rate.reason == .rate)
        #expect([true, false].allSatisfy { CurlTransfer.Run.Stop.turn(keepsBytes: $0).reason == .turn })
    }
}
