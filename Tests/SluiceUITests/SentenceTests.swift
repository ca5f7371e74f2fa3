import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceUI

struct WhySentenceTests {
    private static let now = Timestamp(nanoseconds: 0)

    @Test(arguments: [
        (Why.slotsTaken(active: 4, limit: 4, ahead: 3), "queued behind 3 others because all 4 slots are taken"),
        (.slotsTaken(active: 1, limit: 1, ahead: 0), "queued as the next one because the only slot is taken"),
        (
            .slotsTaken(active: 2, limit: 4, ahead: 1),
            "queued behind 1 other because 2 of 4 slots are taken and others go first"
        ),
        (
            .joinedQueued(receipts: 5, position: 7, isMoved: false),
            "joined a download that is queued at position 7 and keeps it: one download serves 5 requests"
        ),
        (
            .inMemory(idle: .seconds(4), cost: 24_012_391),
            "answered from memory, where the image of 22.9 MiB was last used 4 s ago"
        ),
        (
            .inMemory(idle: .seconds(4), cost: 1_048_576, asksBehind: true),
            "answered from memory, where the image of 1 MiB was last used 4 s ago; the origin is asked behind it"
        ),
        (
            .largerThanCapacity(cost: 209_715_200, capacity: 104_857_600),
            "refused because its 200 MiB are more than the whole capacity of 100 MiB"
        ),
        (.addedByPurging(victims: 1), "added, and to keep the capacity 1 older entry was purged"),
        (.addedByPurging(victims: 17), "added, and to keep the capacity 17 older entries were purged"),
        (
            .purgedAtOnce(cost: 73_400_320, preferred: 62_914_560),
            "added and purged in the same step, because its 70 MiB are more than the 60 MiB that a purge leaves"
        ),
        (.movedByUser(by: -1), "moved by the user 1 place towards the front of its priority"),
        (.priorityChanged(.high), "its priority became high"),
        (
            .joinedWaiting(receipts: 2, until: Timestamp(nanoseconds: 3_000_000_000)),
            "joined a download that waits for its retry in 3 s: one download serves 2 requests"
        ),
        (
            .previouslyFailed(DownloadError(.badStatus, "404 Not Found", status: 404), remaining: .seconds(560)),
            "not tried because it failed for good (404 Not Found), which is remembered for 9 min more"
        ),
    ])
    func decisionsAreExplainedWithFigures(why: Why, sentence: String) {
        #expect(why.sentence(now: Self.now) == sentence)
    }

    @Test func everyDecisionHasASentence() {
        let error = DownloadError(.timedOut, "no byte for 60 s")
        let all: [Why] = [
            .slotFree(active: 3, limit: 4), .queueSuspended, .prefetchShare(limit: 3), .joinedActive(receipts: 2),
            .joinedPaused(receipts: 1), .joinedDetached, .joinedAnswering(receipts: 2), .savedEarlier(path: "/a"),
            .rejected(error), .retryAfter(error, next: 2, of: 3, serverAsked: true), .resumedByUser, .retriedByUser,
            .pausedByUser(gaveSlot: true),
            .pausedByUser(gaveSlot: false),
            .retryTimeCame, .lastReceiptGone, .promoted, .fitsCapacity, .replacedOlder, .removedByUser, .refusedByHook,
            .movedByUser(by: Int.min), .note("a note"),
        ]
        let sentences = all.map { $0.sentence(now: Self.now) }
        #expect(Set(sentences).count == all.count)
        #expect(sentences.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") })
    }
}

struct EventSentenceTests {
    @Test func hostileTextIsMadeVisible() {
        var end = TaskEnd(
            task: TaskID(1),
            url: "https://a.example/x%1B%5B2J%E2%80%AE.png",
            outcome: .failed,
            receipts: 1
        )
        end.error = DownloadError(.badStatus, "404 \u{1B}]0;evil\u{7}", status: 404)
        let sentence = EventSentence(.taskFinished(end), at: Scene.now)
        #expect(sentence.subject == "x^[[2J\\u{202e}.png")
        #expect(sentence.detail == "404 ^[]0;evil^G · not retried")
    }

    @Test func purgesNameTheirFigures() {
        let purge = CachePurge(
            trigger: .capacity,
            before: 105_801_318,
            needed: 42_886_758,
            freed: 43_201_331,
            preferred: 62_914_560,
            victims: []
        )
        let sentence = EventSentence(.cachePurged(purge), count: 17, at: Scene.now)
        #expect(sentence == EventSentence(.cachePurged(purge), count: 17, at: Scene.start), "no time is in it")
        #expect("\(sentence.glyph) \(sentence.verb) \(sentence.subject)" == "♺ purged 41.2 MiB")
        #expect(sentence.detail == "17 images · 100.9 → 59.7 MiB")
    }

    @Test(arguments: [
        (1_153_434, 719_872, "1.1 MiB → 423 KiB"), (265_216, 265_216, "259 KiB → 0 B"),
        (265_216, 102_400, "259 → 159 KiB"),
    ])
    func aPurgeNamesBothUnitsWhereTheyDiffer(before: Int, freed: Int, levels: String) {
        let purge = CachePurge(
            trigger: .capacity,
            before: before,
            needed: freed,
            freed: freed,
            preferred: 0,
            victims: []
        )
        let sentence = EventSentence(.cachePurged(purge), count: 3, at: Scene.now)
        #expect(sentence.detail == "3 images · \(levels)")
    }

    private static let changes: [(String, SettingValue, SettingValue, String)] = [
        ("cacheCapacity", .integer(0), .integer(104_857_600), "no limit → 100 MiB"),
        ("cachePreferred", .integer(62_914_560), .integer(0), "60 MiB → 0 B"),
        ("limitRate", .integer(0), .integer(51_200), "no limit → 50 KiB/s"),
        ("maxFileSize", .integer(104_857_600), .integer(104_857_601), "104,857,600 → 104,857,601"),
        ("maxPerHost", .integer(0), .integer(4), "no limit → 4"),
        ("retries", .integer(2), .integer(0), "2 → 0"),
        ("timeout", .seconds(5), .seconds(0), "5 s → no limit"),
        ("timeout", .seconds(90), .seconds(90.5), "1:30 → 90.5 s"),
        ("maxRetryAfter", .seconds(1_000_000), .seconds(0), "1000000 s → no limit"),
        ("failedFor", .seconds(600), .seconds(0), "10:00 → off"),
        ("completionDelay", .seconds(0.17), .seconds(0), "0.17 s → 0 s"),
        ("suspended", .flag(false), .flag(true), "off → on"),
    ]

    @Test(arguments: changes)
    func settingsReadAsInNotices(name: String, from: SettingValue, to: SettingValue, text: String) {
        let sentence = EventSentence(.settingChanged(name: name, from: from, to: to), at: Scene.now)
        #expect("\(sentence.subject) \(sentence.detail)" == "\(name) \(text)")
    }

    @Test func aCacheWithoutALimitIsToldSo() {
        var settings = Settings()
        let usual = EventSentence(.sessionStarted(version: "0.1", pid: 1, settings: settings), at: Scene.now)
        #expect(usual.detail == "4 slots · cache 100 MiB, purges to 60", "it says of what")
        settings.cacheCapacity = 0
        let start = EventSentence(.sessionStarted(version: "0.1", pid: 1, settings: settings), at: Scene.now)
        #expect(start.detail == "4 slots · cache without limit")
        settings.indicatorEnabled = false
        let off = EventSentence(.sessionStarted(version: "0.1", pid: 1, settings: settings), at: Scene.now)
        #expect(off.detail == "4 slots · cache without limit · indicator off")
        let change = CacheChange(
            verb: .added,
            key: CacheKey(key: "https://a.example/x.png"),
            cost: 1_024,
            usage: 480_000,
            capacity: 0,
            count: 2,
            why: .fitsCapacity
        )
        let added = EventSentence(.cacheChanged(change), at: Scene.now)
        #expect(added.detail == "1.0 KiB · now 469 KiB · no limit")
    }

    @Test func runsOfQueuedRequestsAreOneEntry() {
        var log = EventRows()
        for seq in 1...100_000 {
            var submission = Submission(
                url: "https://a.example/\(seq)",
                outcome: .queued,
                why: .slotsTaken(active: 4, limit: 4, ahead: seq),
                origin: .paste
            )
            submission.position = seq
            _ = log.append(PipelineEvent(seq: seq, t: .zero, kind: .requestSubmitted(submission)), wasAskedFor: false)
        }
        #expect(log.count == 1)
        let sentence = EventSentence(log[age: 0].kind, count: log[age: 0].count, at: Scene.now)
        #expect(sentence.subject == "100,000 requests")
        #expect(sentence.detail == "all 4 slots taken · the last is 100000")
    }

    @Test(arguments: [
        (1, 0, "2 of 4 slots taken, others go first · next"),
        (1, 7, "2 of 4 slots taken, others go first · behind 7 others"),
        (5_001, 0, "2 of 4 slots taken, others go first · the last is x.png"),
    ]) func onlyOneRequestHasAPlaceInTheQueue(count: Int, ahead: Int, detail: String) {
        let submission = Submission(
            url: "https://a.example/x.png",
            outcome: .queued,
            why: .slotsTaken(active: 2, limit: 4, ahead: ahead),
            origin: .paste
        )
        #expect(EventSentence(.requestSubmitted(submission), count: count, at: Scene.now).detail == detail)
        var recorded = submission
        recorded.why = .note(submission.why.sentence(now: Scene.now))
        #expect(EventSentence(.requestSubmitted(recorded), count: count, at: Scene.now).detail == detail)
    }

    @Test func theLogKeepsTheLastTenThousand() {
        var log = EventRows()
        for seq in 1...25_000 {
            let event = PipelineEvent(seq: seq, t: .zero, kind: .warning(code: .other, message: "\(seq)", task: nil))
            _ = log.append(event, wasAskedFor: false)
        }
        #expect(log.count == 10_000)
        #expect(log[age: 0].seq == 25_000)
        #expect(log[age: 9_999].seq == 15_001)
        #expect(log.age(ofSeq: 20_000) == 5_000)
        #expect(log.age(ofSeq: 3) == 9_999, "what is gone is the oldest")
    }
}

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
