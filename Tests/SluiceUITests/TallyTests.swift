import SluiceCore
import Testing

@testable import SluiceUI

/// What is said of requests that were added together.
struct TallyTests {
    private let urls = (1...4).map { "http://a.example/\($0)" }

    private func answers(
        _ outcomes: [Submission.Outcome],
        _ origin: DownloadRequest.Source = .paste,
        _ code: DownloadError.Code = .previouslyFailed
    ) -> AppEvent {
        let events = outcomes.enumerated().map { index, outcome in
            var news = Submission(
                url: "http://a.example/\(index)",
                outcome: outcome,
                why: .slotFree(active: 0, limit: 4),
                origin: origin
            )
            if outcome == .queued { news.position = 27 }
            if outcome == .rejected { news.error = DownloadError(code, "it failed before, try later") }
            return PipelineEvent(seq: 9_000 + index, t: .seconds(61), kind: .requestSubmitted(news))
        }
        return .events(events, lost: 0)
    }

    private func pasted() -> Driver {
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.paste(urls.joined(separator: "\n")))
        return driver
    }

    @Test func nothingIsClaimedBeforeItIsKnown() {
        var driver = pasted()
        #expect(driver.text.contains("adding 4 URLs of the paste"))
        _ = driver.send(answers([.started, .queued]))
        #expect(!driver.text.contains("paste added"))
        _ = driver.send(answers([.queued, .queued]))
        #expect(driver.text.contains("4 URLs of the paste added"))
        #expect(driver.dashboard.state.message?.role == .ok)
    }

    @Test func whatWasRefusedIsCountedWithItsReason() {
        var driver = pasted()
        _ = driver.send(answers([.started, .rejected, .rejected, .queued]))
        #expect(driver.text.contains("4 URLs of the paste: 2 added, 2 refused: failed before"))
        #expect(driver.dashboard.state.message?.role == .bad)
        #expect(driver.dashboard.state.tallies.isEmpty)
    }

    @Test func whatMergedWasNotAdded() {
        var driver = pasted()
        _ = driver.send(answers([.started, .joined, .joined, .cached]))
        #expect(driver.text.contains("4 URLs of the paste: 1 added, 2 merged, 1 from the cache"))
    }

    @Test func whatWasNeverSentIsCountedToo() {
        var driver = Driver(.full, 120, 36)
        let text = (urls + ["ftp://nothere.invalid/x"]).joined(separator: "\n")
        #expect(driver.send(.paste(text)) == ["submit 4 paste"])
        _ = driver.send(answers([.started, .queued, .queued, .queued]))
        let added = "4 URLs of the paste added, 1 refused: ftp:// is not supported"
        #expect(driver.dashboard.state.message?.text == added)
        #expect(driver.dashboard.state.message?.role == .bad)
        _ = driver.send(.paste(text))
        _ = driver.send(answers([.started, .joined, .joined, .rejected]))
        let sentence =
            "5 URLs of the paste: 1 added, 2 merged, 2 refused: ftp:// is not supported or failed before"
        #expect(driver.dashboard.state.message?.text == sentence)
    }

    @Test func aLongPasteRemembersWhatItHeldBesides() {
        var driver = Driver(.full, 120, 36)
        let many = (1...21).map { "http://a.example/\($0)" } + ["ftp://nothere.invalid/x"]
        #expect(driver.send(.paste(many.joined(separator: "\n"))) == [])
        #expect(driver.press(keys: [.enter]) == ["submit 21 paste"])
        _ = driver.send(answers(Array(repeating: .queued, count: 21)))
        let sentence = "21 URLs of the paste added, 1 refused: ftp:// is not supported"
        #expect(driver.dashboard.state.message?.text == sentence)
    }

    @Test func whatIsInvalidIsCountedBeforeAndAfterwards() {
        var driver = Driver(.full, 120, 36)
        let bad = ["htp://bad/x", "http://", "http://[::1/x", "ftp://foo/bar", "http://127.0.0.1:99999/x"]
        let lines = (1...31).map { "http://a.example/\($0)" } + bad
        #expect(driver.send(.paste(lines.joined(separator: "\n"))) == [])
        #expect(driver.text.contains("31 URLs, 5 invalid: add them?"), "\(driver.text)")
        #expect(driver.press(keys: [.enter]) == ["submit 31 paste"])
        _ = driver.send(answers(Array(repeating: .queued, count: 30) + [.joined]))
        let sentence =
            "36 URLs of the paste: 30 added, 1 merged, 5 refused: htp:// is not supported or the URL names no host or "
            + "the IPv6 address in the URL lacks its ] or ftp:// is not supported or a port is a number from 1 to 65535"
        #expect(driver.dashboard.state.message?.text == sentence)
    }

    @Test func answersForOthersAreNotCounted() {
        var driver = pasted()
        _ = driver.send(answers([.started, .started, .started, .started], .prompt))
        #expect(driver.dashboard.state.tallies.count == 1)
        _ = driver.send(.events([], lost: 3))
        #expect(driver.dashboard.state.tallies.isEmpty, "what was lost can't be counted")
    }

    @Test func aLineOfSeveralURLsIsCountedToo() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("ahttp://a.example/[1-2]")
        _ = driver.press(keys: [.enter])
        _ = driver.send(answers([.started, .joined], .prompt))
        #expect(driver.text.contains("2 URLs: 1 added, 1 merged"))
    }

    /// What was said of the line before would pass for its answer.
    @Test(
        arguments: zip(
            [Submission.Outcome.started, .queued, .joined, .cached, .rejected],
            [
                "1 URL added", "added, position 27", "1 URL merged", "1 URL from the cache",
                "1 URL refused: failed before",
            ]
        )
    )
    func oneURLHasItsOwnAnswer(outcome: Submission.Outcome, sentence: String) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("ahttp://a.example/[1-2]")
        _ = driver.press(keys: [.enter])
        _ = driver.send(answers([.started, .started], .prompt))
        #expect(driver.text.contains("2 URLs added"))
        _ = driver.press("http://a.example/3")
        _ = driver.press(keys: [.enter])
        #expect(!driver.text.contains("2 URLs added"), "\(driver.text)")
        _ = driver.send(answers([outcome], .prompt))
        #expect(driver.text.contains(sentence), "\(driver.text)")
        driver.pass(.seconds(5))
        #expect(!driver.text.contains(sentence))
    }

    @Test func whereLinesAreTypedTheEventTellsOfOneURLThatIsAdded() {
        var dashboard = PlainDashboard(Scene.configuration())
        _ = dashboard.typed("http://a.example/3", now: Scene.now)
        let added = dashboard.handle(answers([.queued], .prompt), now: Scene.now).lines
        #expect(!added.isEmpty && !added.contains { $0.contains("added") }, "\(added)")
    }

    @Test func aListIsCountedByItsLines() {
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.list(path: "dir/urls.txt", .success(["# head", "http://a.example/1", "oops"])))
        #expect(driver.text.contains("adding 2 lines of dir/urls.txt"))
        _ = driver.send(answers([.started, .rejected], .list(name: "urls.txt", line: 2), .badURL))
        #expect(driver.text.contains("2 lines of dir/urls.txt: 1 added, 1 refused: no URL"))
        _ = driver.send(.list(path: "empty", .success(["# head", ""])))
        #expect(driver.text.contains("empty holds no URL"))
    }

    @Test(arguments: [
        (["http://a/1", "def f():", "x = 1"], "prefetching 1 URL of l.txt, without files; 2 lines of it are none"),
        (["# no", ""], "l.txt holds no URL"),
    ])
    func whatIsPrefetchedOfAListIsCountedRight(lines: [String], words: String) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(":prefetch l.txt")
        _ = driver.press(keys: [.enter])
        _ = driver.send(.list(path: "l.txt", .success(lines)))
        #expect(driver.text.contains(words), "\(driver.text)")
    }
}
