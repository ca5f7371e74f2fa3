import SluiceCore
import Testing

@testable import SluiceUI

/// What is kept of tasks and receipts when events came too fast to be told.
struct LostEventsTests {
    private static func submitted(_ receipt: Int, _ task: Int, _ outcome: Submission.Outcome = .queued) -> PipelineEvent
    {
        var news = Submission(url: "http://a.example/x", outcome: outcome, why: .queueSuspended, origin: .prompt)
        (news.receipt, news.task) = (ReceiptID(receipt), TaskID(task))
        return PipelineEvent(seq: 1_000 + receipt, t: .seconds(60), kind: .requestSubmitted(news))
    }

    private static func started(_ task: Int) -> PipelineEvent {
        let change = TaskChange(
            phase: .started,
            task: TaskID(task),
            url: "http://a.example/x",
            attempt: 1,
            active: 1,
            queued: 0
        )
        return PipelineEvent(seq: 5_000 + task, t: .seconds(60), kind: .taskChanged(change))
    }

    /// Those of a thousand tasks that are no rows, each of which ran with one receipt.
    private static let many = (1_001...2_000).flatMap { [submitted($0, $0, .started), started($0)] }

    private static func receipts(_ driver: Driver, _ task: Int) -> [Int] {
        driver.dashboard.state.news.receipts.receipts(of: TaskID(task), limit: 9).map(\.rawValue)
    }

    private static func records(_ driver: Driver) -> Int { driver.dashboard.state.news.records.records.count }

    @Test func whatMayBeOverIsForgottenWithTheNextSnapshot() {
        var driver = Driver(.full, 120, 36)
        let before = Self.records(driver)
        _ = driver.send(.events(Self.many, lost: 0))
        _ = driver.send(.snapshot(Scene.full.snapshot))
        #expect(Self.records(driver) == before + 1_000, "nothing was lost yet")

        _ = driver.send(.events([Self.submitted(3_000, 3_000)], lost: 50_000))
        #expect(Self.records(driver) == before + 1_001 && Self.receipts(driver, 1_500) == [1_500])
        _ = driver.send(.snapshot(Scene.full.snapshot))

        #expect(Self.records(driver) <= before + 1, "only what is in a row, and what ended")
        #expect([1_001, 1_500, 2_000].flatMap { Self.receipts(driver, $0) } == [])
        #expect(Self.receipts(driver, 1) == [43, 42, 41], "all of its receipts are known")
        #expect(driver.dashboard.state.news.records[TaskID(1)]?.claims.count == 3)
        #expect(driver.press("X") == ["cancel 43"])
    }

    @Test func anOlderSnapshotProvesNothing() {
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.events(Self.many, lost: 7))
        var snapshot = Scene.full.snapshot
        snapshot.time = Scene.start + .seconds(59)
        _ = driver.send(.snapshot(snapshot))
        #expect(Self.receipts(driver, 1_500) == [1_500])
        _ = driver.send(.snapshot(Scene.full.snapshot))
        #expect(Self.receipts(driver, 1_500) == [])
    }

    /// The pipeline names the newest itself.
    @Test func receiptsThatAreNotAllLiveAreForgotten() {
        var driver = Driver(.full, 120, 36)
        var snapshot = Scene.full.snapshot
        snapshot.active[0].receipts = 2
        _ = driver.send(.events([], lost: 1))
        _ = driver.send(.snapshot(snapshot))
        #expect(Self.receipts(driver, 1) == [] && Self.receipts(driver, 2) == [44])
        #expect(driver.dashboard.state.news.records[TaskID(1)]?.claims.isEmpty == true)
        #expect(driver.press("X") == ["cancel newest of 1"])
    }

    @Test func whatBeganAfterTheLossIsKnownWhole() {
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.events([], lost: 5))
        _ = driver.send(.events([Self.submitted(901, 900), Self.submitted(902, 900, .joined)], lost: 0))
        let state = driver.dashboard.state
        #expect(state.hasReceipts(of: TaskID(900), without: [ReceiptID(902)]))
        #expect(!state.hasReceipts(of: TaskID(900), without: [ReceiptID(901), ReceiptID(902)]))
        #expect(!state.hasReceipts(of: TaskID(1), without: []), "it began before")
    }

    @Test func afterASnapshotSentencesAreWholeAgain() {
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.events([], lost: 5))
        _ = driver.send(.snapshot(Scene.full.snapshot))
        #expect(driver.dashboard.state.hasReceipts(of: TaskID(1), without: [ReceiptID(43)]))
    }

    @Test func asLinesNothingIsSaidOfOthersInTheSameBatch() {
        var dashboard = PlainDashboard(Scene.configuration())
        _ = dashboard.handle(.events(Scene.full.events, lost: 0), now: Scene.now)
        var end = ReceiptEnd(
            receipt: ReceiptID(43),
            task: TaskID(1),
            url: "https://img.nasa.example/x.jpg",
            outcome: .cancelled
        )
        end.error = DownloadError(.cancelled, "")
        let event = PipelineEvent(seq: 1_000, t: .seconds(61), kind: .receiptFinished(end))
        let lines = dashboard.handle(.events([event], lost: 2), now: Scene.now).lines
        #expect(lines == ["2 events came too fast to be told.", "12:41:05 cancelled x.jpg: receipt 43."])
    }

    @Test func whatIsNotedIsForgottenInTheEnd() {
        var set = RecentSet<Int>(limit: 100)
        let areNew = (0..<1_000).map { set.insert($0) }
        #expect(!areNew.contains(false))
        #expect((900..<1_000).allSatisfy { set.contains($0) })
        #expect((0..<800).allSatisfy { !set.contains($0) })
        let isNewAgain = set.insert(999)
        let wasThere = set.remove(999)
        let isThereStill = set.remove(999)
        #expect(!isNewAgain && wasThere && !isThereStill)
        #expect(!set.contains(999) && !set.isEmpty)
    }

    @Test func whatIsNotedAgainAfterItWasTakenOutIsThere() {
        var set = RecentSet<Int>(limit: 10)
        for number in 0..<1_000 {
            set.insert(number % 7)
            set.remove(number % 7)
        }
        #expect(set.isEmpty)
        set.insert(3)
        #expect(set.contains(3))
    }
}
