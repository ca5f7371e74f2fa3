import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceUI

/// What the dashboard keeps of receipts, figures and the session, beside snapshots.
struct ModelTests {
    @Test func theReceiptBookForgetsWhatEnded() {
        var book = ReceiptBook()
        for receipt in 1...4 { book.add(ReceiptID(receipt), to: TaskID(1)) }
        book.remove(ReceiptID(2), from: TaskID(1))
        #expect(book.receipts(of: TaskID(1), limit: 9) == [4, 3, 1].map { ReceiptID($0) })
        book.remove(ReceiptID(4), from: TaskID(1))
        #expect(book.receipts(of: TaskID(1), limit: 1) == [ReceiptID(3)])
        book.remove(ReceiptID(99), from: TaskID(1))
        book.remove(TaskID(1))
        #expect(book.receipts(of: TaskID(1), limit: 9) == [])
    }

    /// Against a list for each task, whatever ends first.
    @Test func theReceiptBookIsAListForEachTask() {
        var (book, lists) = (ReceiptBook(), [[Int]](repeating: [], count: 3))
        var generator = SeededRandom(seed: 7)
        for step in 0..<3_000 {
            let task = Int.random(in: 0..<3, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0 where step.isMultiple(of: 7):
                book.remove(TaskID(task))
                lists[task] = []
            case 0..<4:
                guard let receipt = lists[task].randomElement(using: &generator) else { continue }
                book.remove(ReceiptID(receipt), from: TaskID(task))
                lists[task].removeAll { $0 == receipt }
            default:
                book.add(ReceiptID(step), to: TaskID(task))
                lists[task].insert(step, at: 0)
            }
            for (task, list) in lists.enumerated() {
                #expect(book.receipts(of: TaskID(task), limit: 5_000).map(\.rawValue) == list)
            }
        }
    }

    @Test func historiesMarkAPauseOnce() {
        var history = History(interval: .seconds(1))
        for second in [0, 1, 2, 60, 61] { history.record(Double(second), at: Scene.start + .seconds(second)) }
        #expect(history.samples.map(\.value) == [0, 1, 2, nil, 60, 61])
    }

    @Test func historiesTakeOneSampleAnInterval() {
        var history = History(interval: .seconds(1))
        for tick in 0..<40 { history.record(Double(tick), at: Scene.start + .milliseconds(tick * 100)) }
        #expect(history.samples.count == 4)
        for tick in 0..<5_000 { history.mark(0, at: Scene.start + .seconds(tick), isMarked: true) }
        #expect(history.samples.count <= History.capacity * 2)
    }

    @Test func aHistorySpansTheTimeThatPassedHoweverManyMarksItHas() {
        var history = History(interval: .seconds(1))
        for second in 0...39 {
            let time = Scene.start + .seconds(second)
            history.record(1, at: time)
            guard [10, 20, 30].contains(second) else { continue }
            history.mark(2, at: time + .milliseconds(200), isMarked: false)
            history.mark(1, at: time + .milliseconds(200), isMarked: true)
        }
        let span = history.span(ofLast: .max)
        #expect(history.samples.count > 40)
        #expect(span > .seconds(38) && span <= .seconds(39), "\(span)")
        #expect(history.span(ofLast: 5) == .seconds(5) && history.span(ofLast: 0) == .zero)
        history.record(1, at: Scene.start + .seconds(100))
        #expect(history.span(ofLast: .max) == .seconds(100), "a pause is time that passed")
    }

    @Test func theSummaryNamesWhatWasSavedAndWhatFailed() {
        var snapshot = PipelineSnapshot(time: Scene.now)
        snapshot.counts.requests = 20
        (snapshot.counts.cancelled, snapshot.counts.saved) = (1, 2)
        snapshot.received = 3_250_585
        snapshot.left = 5
        let failed = (1...12).map { number in
            FailedTask(
                task: TaskID(number),
                url: "https://a.example/\(number)\u{1B}[2J",
                error: DownloadError(.badStatus, "404 Not\u{7} Found", status: 404)
            )
        }
        let lines = LeaveSummary.lines(
            snapshot: snapshot,
            failed: failed,
            directory: "~/Pictures"
        )
        #expect(lines.first == "saved 2 files in ~/Pictures, 3.1 MiB received")
        #expect(lines.contains("12 failed:"))
        #expect(lines.contains("  https://a.example/1^[[2J: 404 Not^G Found"))
        #expect(lines.contains("  and 2 more"))
        let more = LeaveSummary.lines(snapshot: snapshot, failed: failed, forgotten: 3_000, directory: nil)
        #expect(more.contains("3012 failed:") && more.contains("  and 3002 more"))
        #expect(lines.last == "5 requests left undone: partial files are kept, the queue is not restored")
    }

    /// Nobody else says so; who typed or pasted it heard it there.
    @Test func theSummaryNamesWhatWasRefused() {
        var refused = RefusedRequests()
        func refuse(_ url: String, _ origin: DownloadRequest.Source) {
            let error = DownloadError(.badURL, "no URL\u{7}")
            var submission = Submission(url: url, outcome: .rejected, why: .rejected(error), origin: origin)
            submission.error = error
            refused.take(submission)
        }
        refuse("one", .argument)
        refuse("two", .standardInput(line: 7))
        for number in 1...10 { refuse("x\(number)", .list(name: "urls.txt", line: number)) }
        refuse("typed", .prompt)
        refuse("asked", .revalidation)
        let lines = LeaveSummary.lines(
            snapshot: PipelineSnapshot(time: Scene.now),
            failed: [],
            refused: refused,
            directory: nil
        )
        #expect(lines.first == "12 refused:" && lines.count == 12)
        #expect(lines[1...3] == ["  one: no URL^G", "  line 7: two: no URL^G", "  urls.txt:1: x1: no URL^G"])
        #expect(lines.last == "  and 2 more")
    }

    @Test func aFolderThatIsGoneIsNotNamed() {
        var snapshot = PipelineSnapshot(time: Scene.now)
        (snapshot.counts.requests, snapshot.counts.saved, snapshot.received) = (20, 2, 3_250_585)
        snapshot.left = 5
        let lines = LeaveSummary.lines(snapshot: snapshot, failed: [], directory: "/tmp/demo", isTemporary: true)
        #expect(
            lines == [
                "saved 2 files, 3.1 MiB received; the demo's folder was removed",
                "5 requests left undone: nothing of the demo is kept",
            ]
        )
    }

    @Test func whatADemoWouldLoseIsNotSaidToBeKept() {
        var configuration = Scene.configuration()
        configuration.isTemporary = true
        var dashboard = Dashboard(configuration)
        _ = dashboard.handle(.snapshot(Scene.full.snapshot), now: Scene.now)
        var driver = Driver(dashboard, 120, 36)
        _ = driver.send(.resized(width: 120, height: 36))
        _ = driver.press(keys: [.control("x")])
        #expect(driver.text.contains("abort all 43 tasks? ") && !driver.text.contains("Partial files"))
        _ = driver.press("nq")
        #expect(driver.text.contains("nothing of the demo is kept") && !driver.text.contains("partial"))
    }

    @Test("where the state can't be written nothing is promised, until it can be again")
    func whatIsNotKeptIsNotSaidToBe() {
        var configuration = Scene.configuration()
        configuration.keptIn = "~/.local/state/sluice"
        var dashboard = Dashboard(configuration)
        var snapshot = Scene.full.snapshot
        snapshot.left = 43
        _ = dashboard.handle(.snapshot(snapshot), now: Scene.now)
        var driver = Driver(dashboard, 120, 36)
        _ = driver.send(.resized(width: 120, height: 36))
        for (code, isKept) in [(WarningCode.stateKept, true), (.state, false), (.stateKept, true)] {
            let event = PipelineEvent(seq: 900, t: .seconds(60), kind: .warning(code: code, message: "", task: nil))
            _ = driver.send(.events([event], lost: 0))
            _ = driver.press("q")
            #expect(driver.text.contains("will resume next start") == isKept, "\(driver.text)")
            let summary = driver.dashboard.summary(final: nil)
            #expect(summary.contains { $0.contains("kept for next time") } == isKept, "\(summary)")
            _ = driver.press(keys: [.escape])
        }
    }

    @Test(
        "what stays as it is does not resume by itself, and what only fills caches is not kept",
        arguments: [
            (43, 0, false, "will resume next start"), (43, 2, false, "will be there next start"),
            (43, 0, true, "will be there next start"), (0, 0, false, "for the caches only, not kept"),
            (2, 0, false, "· 2 requests will resume next start"),
            (1, 2, false, "· 1 request will be there next start"),
        ]
    )
    func quittingPromisesWhatComesTrue(left: Int, paused: Int, isSuspended: Bool, promise: String) {
        var configuration = Scene.configuration()
        configuration.keptIn = "~/.local/state/sluice"
        var dashboard = Dashboard(configuration)
        var snapshot = Scene.full.snapshot
        (snapshot.left, snapshot.pausedCount, snapshot.settings.suspended) = (left, paused, isSuspended)
        snapshot.liveReceipts = 43
        _ = dashboard.handle(.snapshot(snapshot), now: Scene.now)
        var driver = Driver(dashboard, 120, 36)
        _ = driver.send(.resized(width: 120, height: 36))
        _ = driver.press("q")
        #expect(driver.text.contains(promise), "\(driver.text)")
    }

    @Test(arguments: [
        (DownloadError.Code.badStatus, "the server answered 404 Not Found", "404 Not Found"),
        (.timedOut, "", "timedOut"), (.truncated, "h ended the body: early", "h ended the body: early"),
    ])
    func anErrorBeginsWithWhatTellsItFromOthers(code: DownloadError.Code, message: String, brief: String) {
        #expect(EventSentence.brief(DownloadError(code, message)) == brief)
    }

    @Test func aStatusIsReadInEventsAndActive() {
        var scene = Scene.full
        let error = DownloadError(.badStatus, "the server answered 404 Not Found", status: 404)
        scene.failed(61, "https://maps.example/a-long-name-of-a-map-of-a-place.png", error, task: 88)
        var driver = Driver(scene, 120, 36)
        let rows = driver.text.split(separator: "\n").filter { $0.contains("404 Not Found") }
        #expect(rows.contains { $0.contains("✗ failed") && $0.contains("12:41:05") }, "\(driver.text)")
        #expect(rows.contains { $0.contains("failed 404 Not Found") }, "as long as it stays among the active")
    }

    @Test func nothingAskedForLeavesNoSummary() {
        let lines = LeaveSummary.lines(
            snapshot: PipelineSnapshot(time: Scene.now),
            failed: [],
            directory: nil
        )
        #expect(lines.isEmpty)
    }
}
