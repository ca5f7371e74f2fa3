import SluiceCore
import Testing

@testable import SluiceUI

/// What the detail tells of a task, and how one gets there.
struct TaskDetailTests {
    @Test func enterOpensTheSelectedTaskAndEscapeLeaves() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(keys: [.character("j"), .enter])
        #expect(driver.inspected == "inspect 2+0")
        #expect(driver.text.contains("iss069e0031.png"))
        #expect(driver.text.contains("task 2"))
        #expect(driver.press("x") == [], "the pipeline has not told of it yet")
        _ = driver.press(keys: [.escape])
        #expect(driver.inspected == "inspect -+0")
        #expect(driver.dashboard.state.focus == .active)
        #expect(driver.press("x") == ["abort 2"], "the selection stayed")
    }

    @Test func keysActOnTheTaskThatIsSeen() {
        var driver = Driver(Self.inspected, 120, 36)
        _ = driver.press(keys: [.enter])
        _ = driver.send(.snapshot(Self.inspected.snapshot))
        #expect(driver.press("p") == ["pause 1"])
        #expect(driver.press("X") == ["cancel 41"], "the first receipt is selected")
        #expect(driver.dashboard.state.message?.text == "cancelled one request for dunes-4096.jpg, 2 left")
        #expect(driver.press("jjX") == ["cancel 43"])
        #expect(driver.press("x") == ["abort 1"])
    }

    /// On a short screen, the page has more lines than there are rows.
    @Test func atTheEndOfThePageTheFootLeadsBack() {
        var driver = Driver(Self.inspected, 80, 24)
        _ = driver.press(keys: [.enter])
        _ = driver.send(.snapshot(Self.inspected.snapshot))
        #expect(driver.text.contains("PgDn more · "), "\(driver.text)")
        _ = driver.press(keys: Array(repeating: .pageDown, count: 10))
        #expect(driver.text.contains("PgUp back · ") && !driver.text.contains("PgDn more"), "\(driver.text)")
    }

    @Test func everyReceiptStandsThereWithItsOrigin() {
        let text = Self.text(Self.inspected, 120, 36)
        for part in ["41", "prompt", "urls.txt:14", "waits for it", "×3", "on one task", "started"] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(text.contains("started because a slot was free"), "the why of the selected receipt")
    }

    /// Receipts of the first task end at 50 s, 29 s and less after they were submitted.
    @Test(arguments: [(0, "age"), (1, "time"), (3, "took")])
    func theTimesOfReceiptsAreHeadedAsWhatTheyAre(ended: Int, heading: String) {
        var scene = Self.inspected
        for receipt in (41...43).prefix(ended) {
            let url = scene.snapshot.active[0].url
            let end = ReceiptEnd(receipt: ReceiptID(receipt), task: TaskID(1), url: url, outcome: .cancelled)
            scene.add(50, .receiptFinished(end))
        }
        let text = Self.text(scene, 120, 36)
        let head = text.split(separator: "\n").first { $0.contains("from") && $0.contains("outcome") } ?? ""
        #expect(head.split(separator: " ").contains(Substring(heading)), "\(text)")
        #expect(text.contains("0:29") == (ended > 0))
    }

    @Test func theAnswerIsToldWithControlCharactersVisible() {
        let text = Self.text(Self.inspected, 120, 36)
        #expect(text.contains("content-type"))
        #expect(text.contains("\"5f3a-61\""))
        #expect(text.contains("1 more: h shows all"))
        #expect(!text.contains("x-note"))
        var driver = Driver(Self.inspected, 120, 36)
        _ = driver.press(keys: [.enter, .character("h")])
        #expect(driver.text.contains("^[[2J"))
    }

    /// The column of the notes has 17 cells.
    @Test func aReusedConnectionIsNotedInFewCells() {
        var journal = TaskRecords()
        let url = "http://a.example/x"
        let change = TaskChange(phase: .started, task: TaskID(5), url: url, attempt: 1, active: 1, queued: 0)
        var head = ResponseHead(status: 200, finalURL: url)
        head.reused = true
        journal.take(PipelineEvent(seq: 1, t: .seconds(1), kind: .taskChanged(change)))
        journal.take(PipelineEvent(seq: 2, t: .seconds(2), kind: .taskResponse(TaskID(5), head, source: .network)))
        let timeline = Timeline(journal[TaskID(5)], nil, now: .seconds(3), start: Scene.start)
        #expect(timeline.spans.map(\.label) == ["first byte", "body"])
        #expect(timeline.spans.first?.note == "200, reused")
    }

    @Test func phasesAreAWaterfallThatEndsNow() throws {
        let scene = Self.inspected
        var dashboard = scene.dashboard(120, 36)
        _ = dashboard.handle(.key(.enter), now: Scene.now)
        let state = dashboard.state
        let timeline = Timeline(
            state.news.records[TaskID(1)],
            state.snapshot.inspected,
            now: Scene.now - Scene.start,
            start: Scene.start
        )
        #expect(timeline.spans.map(\.label) == ["queued", "dns", "connect", "tls", "first byte", "body"])
        #expect(timeline.spans.last?.isLive == true)
        for (span, next) in zip(timeline.spans, timeline.spans.dropFirst()) { #expect(span.end == next.start) }
        #expect(timeline.length == Scene.now - Scene.start - .seconds(21))
    }

    @Test func aLostAttemptAndTheWaitAfterItAreSpans() {
        var journal = TaskRecords()
        var change = TaskChange(
            phase: .started,
            task: TaskID(5),
            url: "http://a.example/x",
            attempt: 1,
            active: 1,
            queued: 0
        )
        func take(_ seconds: Double, _ kind: PipelineEvent.Kind) {
            journal.take(PipelineEvent(seq: 1, t: .seconds(seconds), kind: kind))
        }
        take(1, .taskChanged(change))
        take(1.5, .taskResponse(TaskID(5), ResponseHead(status: 200, finalURL: "http://a.example/x"), source: .network))
        change.phase = .waiting
        change.delay = .seconds(2)
        change.reason = .retryAfter(DownloadError(.connectionLost, "gone"), next: 2, of: 3, serverAsked: false)
        take(3, .taskChanged(change))
        change.phase = .resumed
        take(5, .taskChanged(change))
        var end = TaskEnd(task: TaskID(5), url: "http://a.example/x", outcome: .success, receipts: 1)
        end.timings = TaskEnd.Timings(queued: .seconds(1), transfer: TransferTimings(total: .seconds(2)))
        end.file = "/tmp/x"
        take(7.5, .taskFinished(end))

        let timeline = Timeline(journal[TaskID(5)], nil, now: .seconds(60), start: Scene.start)
        #expect(timeline.spans.map(\.label) == ["queued", "first byte", "body", "waiting", "first byte", "save"])
        #expect(timeline.spans[3].note == "connectionLost")
        #expect(timeline.length == .seconds(7.5))
    }

    @Test(arguments: [(40, 60), (60, 60), (70, 60), (80, 60), (106, 40), (120, 40), (180, 40)])
    func whatIsUsualAtTheHostIsDroppedWholeWhereThereIsNoRoom(width: Int, height: Int) {
        var driver = Driver(Self.compared, width, height)
        _ = driver.press(keys: [.enter])
        let rows = driver.text.split(separator: "\n").map(String.init)
        let hasColumns = rows.contains { $0.contains(/median +95 %/) }
        let body = rows.first { $0.contains(" body ") || $0.contains("│ body") } ?? ""
        #expect(hasColumns == body.contains(/1\.35 s +2\.25 s/), "\(driver.text)")
        #expect(hasColumns || driver.text.contains("median 1.70 s"), "\(driver.text)")
        #expect(hasColumns == ![40, 60, 106].contains(width), "\(driver.text)")
    }

    @Test func eachHopOfARedirectIsToldWithItsStatus() {
        let scene = Self.compared
        var driver = Driver(scene, 200, 50)
        _ = driver.press(keys: [.enter, .character("7")])
        #expect(driver.text.contains("301 → https://b.example/^[[2Jnext"), "\(driver.text)")
        #expect(driver.text.contains("307 → https://img.nasa.example/hi/dunes-4096.jpg"))
        #expect(driver.text.contains("3 more redirects"))
    }

    @Test func hopsThatLedNowhereAreToldWithTheFailure() {
        var scene = Scene.full
        var end = TaskEnd(task: TaskID(400), url: "http://a.example/x", outcome: .failed, receipts: 1)
        end.error = DownloadError(.tooManyRedirects, "more than 20 redirects")
        end.hops = Array(repeating: RedirectHop(status: 302, url: "http://a.example/y"), count: RedirectHop.limit)
        scene.add(55, .taskFinished(end))
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("8"), .enter])
        #expect(driver.text.contains("302 → http://a.example/y"), "\(driver.text)")
        #expect(driver.text.contains("and on; more are not kept"))
        #expect(driver.text.contains("There was no answer.") && !driver.text.contains("answered by"))
        let title = driver.text.split(separator: "\n").first { $0.contains("response") } ?? ""
        #expect(title.contains("none") && !title.contains("none yet"), "\(driver.text)")
    }

    @Test func dimensionsThatAServerOnlyClaimsAreTold() {
        var scene = Scene.full
        var end = TaskEnd(task: TaskID(400), url: "http://a.example/x.png", outcome: .success, receipts: 1)
        end.image = ImageInfo(format: .png, width: 2_147_483_647, height: 2_147_483_647, frames: 9)
        scene.add(55, .taskFinished(end))
        var driver = Driver(scene, 200, 50)
        _ = driver.press(keys: [.character("8"), .enter])
        #expect(driver.text.contains("png 2147483647×2147483647"), "\(driver.text)")
    }

    /// What is not known of one that ended, as in a recording, is left out.
    @Test(arguments: ["", " #01234567", nil]) func theMergeKeyOfWhatEndedIsRemembered(rest: String?) {
        var scene = Scene.full
        var end = TaskEnd(task: TaskID(400), url: "http://a.example/x.png", outcome: .success, receipts: 1)
        end.key = rest.map { end.url + $0 }
        scene.add(55, .taskFinished(end))
        var driver = Driver(scene, 200, 60)
        _ = driver.press(keys: [.character("8"), .enter, .character("7")])
        let row = rest == "" ? "the URL · no own headers" : "http://a.example/x.png #01234567"
        #expect(driver.text.contains("merge key   \(row)") == (rest != nil), "\(driver.text)")
        #expect(driver.text.contains("merge key") == (rest != nil), "\(driver.text)")
    }

    /// Without a file name in the URL the pipeline saves it as `index`, and so it is told.
    @Test(arguments: ["http://127.0.0.1:1/", "https://b.jpgax/"]) func aURLWithoutAPathIsSavedAsIndex(url: String) {
        var scene = Scene.full
        scene.add(55, .taskFinished(TaskEnd(task: TaskID(400), url: url, outcome: .success, receipts: 1)))
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("8"), .enter])
        #expect(driver.text.contains("~/Pictures/index"), "\(driver.text)")
    }

    @Test func nothingIsCutOffAtTheRightWithoutASign() {
        var driver = Driver(Self.inspected, 200, 50)
        let rows = driver.text.split(separator: "\n").map { String($0.suffix(50)) }
        #expect(rows.contains { $0.contains("from") && $0.contains("answer") && $0.contains("outcome") })
        #expect(rows.contains { $0.contains("waits for it") }, "\(rows)")
    }

    @Test func connectionsAreCountedAndNotTransfers() {
        var driver = Driver(.full, 200, 50)
        #expect(driver.text.contains("4 transfers · 3 connections: 2 h2, 1 h1.1"), "\(driver.text)")
        var snapshot = Scene.full.snapshot
        snapshot.connections = ["2": 1]
        _ = driver.send(.snapshot(snapshot))
        driver.pass(.seconds(1))
        #expect(driver.text.contains("4 transfers · 1 connection: h2"))
    }

    @Test func failuresSayWhatToDo() {
        for code in DownloadError.Code.allCases {
            let advice = Advice.text(DownloadError(code, "why"))
            #expect(advice.hasSuffix(".") && advice.count > 20, "\(code)")
        }
        var scene = Scene.full
        scene.failed(
            55,
            "https://maps.example/x.png",
            DownloadError(.badStatus, "404 \u{1B}[2J", status: 404),
            task: 400
        )
        var driver = Driver(scene, 80, 24)
        _ = driver.press(keys: [.character("8"), .enter])
        #expect(driver.text.contains("what to do"))
        #expect(driver.text.contains("leads nowhere any more"))
        #expect(driver.text.contains("404 ^[[2J"))
        #expect(driver.press("r") == ["retry 400"])
    }

    @Test(arguments: [
        (true, "/home/u/Pictures/a/k.1.bin", "~/Pictures/a/k.1.bin  as .part"),
        (true, "/elsewhere/k.2.bin", "/elsewhere/k.2.bin  as"),
        // Before a name is reserved.
        (false, "sub/k.bin", "~/Pictures/sub/k.bin"), (false, "/elsewhere/k.bin", "/elsewhere/k.bin"),
    ])
    func whereItsFileGoesIsToldWhileItRuns(
        isReserved: Bool,
        path: String,
        text: String
    ) {
        let part: WritableKeyPath<PipelineSnapshot.Row, String?> = isReserved ? \.file : \.destination
        var scene = Self.inspected
        scene.snapshot.directory = "/home/u/Pictures"
        scene.snapshot.active[0][keyPath: part] = path
        scene.snapshot.inspected?.row[keyPath: part] = path
        var driver = Driver(scene, 120, 36)
        #expect(driver.text.contains("to   \(text.split(separator: " ")[0])"), "\(driver.text)")
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains(text), "\(driver.text)")
    }

    @Test func theTaskThatTriesAgainIsShown() {
        let url = "https://maps.example/old-map.png"
        func submitted(_ url: String, _ task: Int) -> AppEvent {
            var news = Submission(
                url: url,
                outcome: .started,
                why: .slotFree(active: 0, limit: 4),
                origin: .prompt
            )
            (news.task, news.receipt) = (TaskID(task), ReceiptID(task))
            return .events([PipelineEvent(seq: 900 + task, t: .seconds(60), kind: .requestSubmitted(news))], lost: 0)
        }
        for leaves in [false, true] {
            var driver = Driver(.full, 80, 24)
            _ = driver.press(keys: [.character("9"), .enter])
            #expect(driver.inspected == "inspect 77+0")
            _ = driver.send(submitted(url, 500))
            #expect(driver.inspected == "inspect 77+0", "that was somebody else")
            #expect(driver.press("r") == ["retry 77"])
            if leaves { _ = driver.press(keys: [.escape, .character("1"), .enter]) }
            _ = driver.send(submitted("https://maps.example/other.png", 501))
            _ = driver.send(submitted(url, 502))
            #expect(driver.inspected == (leaves ? "inspect 1+0" : "inspect 502+0"))
            _ = driver.send(submitted(url, 503))
            #expect(driver.inspected == (leaves ? "inspect 1+0" : "inspect 502+0"), "it follows once")
        }
    }

    @Test func bracketsGoToTheTasksAround() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(keys: [.enter, .character("]"), .character("]")])
        #expect(driver.inspected == "inspect 3+0")
        _ = driver.press("[[[")
        #expect(driver.inspected == "inspect 1+0")
    }

    @Test(arguments: ["1", "2", "8", "9"], [1, 2])
    func bracketsAreOfferedWhereThereIsAnotherTask(list: String, rows: Int) {
        var scene = Scene.empty
        for index in 0..<rows {
            scene.snapshot.active.append(Scene.row(index + 1, "\(index).bin", "a.example"))
            var row = Scene.row(index + 11, "\(index).bin", "b.example")
            row.state = .queued(position: index + 1)
            scene.snapshot.queued.append(row)
            scene.failed(55, "http://c.example/\(index)", DownloadError(.timedOut, ""), task: index + 21)
        }
        scene.snapshot.queuedCount = rows
        scene.snapshot.inspected = TaskFacts(scene.snapshot.queued[0], key: "", claims: [], policy: .protocol)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(list)
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.focus == .detail)
        let before = driver.inspected
        #expect(driver.hints.contains("] [ next task") == (rows > 1), "\(driver.hints)")
        _ = driver.press("]")
        #expect((driver.inspected != before) == (rows > 1))
    }

    @Test func thePageScrollsWhereItDoesNotFit() {
        var driver = Driver(Self.inspected, 80, 24)
        _ = driver.press(keys: [.enter])
        #expect(!driver.text.contains("content-type"))
        _ = driver.press("G")
        #expect(driver.text.contains("content-type"))
    }

    @Test func percentilesAreThoseOfTheHost() throws {
        var figures = HostFigures()
        for milliseconds in 1...200 {
            var transfer = TransferTimings(total: .milliseconds(milliseconds))
            transfer.connect = milliseconds > 190 ? .milliseconds(milliseconds) / 2 : nil
            transfer.firstByte = .milliseconds(milliseconds) / 2
            figures.add(TaskEnd.Timings(queued: .seconds(1_000_000), transfer: transfer), host: "a.example")
        }
        let found = try #require(figures.total(of: "a.example"))
        #expect(found.count == HostFigures.sampleLimit)
        let spread = HostFigures.Spread(median: .milliseconds(168), high: .milliseconds(197))
        #expect(found.spread == spread)
        #expect(figures.spread(of: .body, host: "a.example")?.median == .milliseconds(84))
        #expect(
            figures.spread(of: .connect, host: "a.example")?.median == .milliseconds(97.5),
            "only where it happened"
        )
        #expect(
            figures.spread(of: .firstByte, host: "a.example")?.high == .milliseconds(93.5),
            "what the connection left"
        )
        #expect(figures.spread(of: .tls, host: "a.example") == nil)
        #expect(figures.spread(of: .queued, host: "a.example")?.high == .microseconds(429_496_729_500), "at most")
        #expect(figures.total(of: "b.example") == nil)
        let timings = TaskEnd.Timings(queued: .zero, transfer: TransferTimings(total: .seconds(1)))
        for host in 0..<1_000 { figures.add(timings, host: "\(host)") }
        #expect(figures.total(of: "a.example") == nil, "the oldest hosts are forgotten")
    }

    @Test func theJournalIsBounded() {
        var journal = TaskRecords()
        for number in 1...20_000 {
            var submission = Submission(url: "http://a/", outcome: .queued, why: .queueSuspended, origin: .prompt)
            (submission.task, submission.receipt) = (TaskID(number), ReceiptID(number))
            journal.take(PipelineEvent(seq: number, t: .zero, kind: .requestSubmitted(submission)))
        }
        #expect(journal.records.count <= 2 * TaskRecords.pendingLimit)
        for number in 1...20_000 {
            let end = TaskEnd(task: TaskID(number), url: "http://a/", outcome: .success, receipts: 1)
            journal.take(PipelineEvent(seq: number, t: .zero, kind: .taskFinished(end)))
        }
        #expect(journal.records.count <= 2 * TaskRecords.endedLimit)
    }

    static func text(_ scene: Scene, _ width: Int, _ height: Int) -> String {
        var driver = Driver(scene, width, height)
        _ = driver.press(keys: [.enter])
        return driver.text
    }
}
