import SluiceCore
import Testing

@testable import SluiceUI

/// What the detail says of a task that does not run: why not, as things are now.
struct WaitReasonTests {
    private static func driver(_ change: (inout PipelineSnapshot) -> Void) -> Driver {
        var scene = Scene.full
        change(&scene.snapshot)
        let row = scene.snapshot.queued[0]
        scene.snapshot.inspected = TaskFacts(row, key: row.url, claims: [], policy: .protocol)
        var driver = Driver(scene, 80, 24)
        _ = driver.press(keys: [.character("2"), .enter])
        return driver
    }

    private static func expect(_ words: String, _ change: (inout PipelineSnapshot) -> Void) {
        var driver = driver(change)
        #expect(driver.text.contains(" waits       \(words)"), "\(driver.text)")
    }

    /// Of the first queued task, which was told a cause when it was submitted.
    private func detail(submittedFor why: Why, slots: Int) throws -> TaskDetail {
        var scene = Scene.full
        scene.snapshot.settings.maxActive = slots
        let row = scene.snapshot.queued[0]
        var submission = Submission(url: row.url, outcome: .queued, why: why, origin: .prompt)
        (submission.task, submission.receipt) = (row.task, ReceiptID(900))
        scene.add(50, .requestSubmitted(submission))
        scene.snapshot.inspected = TaskFacts(row, key: row.url, claims: [], policy: .protocol)
        var driver = Driver(scene, 80, 24)
        _ = driver.press(keys: [.character("2"), .enter])
        return try #require(TaskDetail(driver.dashboard.state, now: Scene.now))
    }

    @Test func whatIsQueuedSaysWhatHoldsIt() {
        Self.expect("queued as the next one because all 4 slots are taken") { _ in }
        Self.expect("queued behind 6 others because all 4 slots") { $0.queued[0].state = .queued(position: 7) }
        Self.expect("queued and kept there because the queue is suspended") { snapshot in
            (snapshot.settings.suspended, snapshot.neededSpace) = (true, 5)
        }
        Self.expect("queued and kept there because the disk is full") { $0.neededSpace = 5 }
        Self.expect("queued because one host gets at most 1 slot") { snapshot in
            snapshot.settings.maxPerHost = 1
            snapshot.active[0].host = snapshot.queued[0].host
        }
    }

    @Test func prefetchesSayThatTheyHaveFewSlots() {
        Self.expect("queued because prefetching uses at most 3 slots") { snapshot in
            snapshot.settings.maxActive = 8
            (snapshot.queued[0].source, snapshot.queued[0].receipts) = (.prefetch(BatchID(1)), 1)
            for index in 0..<3 {
                (snapshot.active[index].source, snapshot.active[index].receipts) = (.prefetch(BatchID(1)), 1)
            }
        }
    }

    /// Which is what the pipeline asks first.
    @Test func whereAllSlotsAreTakenThatIsWhatHoldsAPrefetchToo() {
        Self.expect("queued as the next one because all 4 slots are taken") { snapshot in
            snapshot.queued[0].source = .prefetch(BatchID(1))
            for index in 0..<3 { snapshot.active[index].source = .prefetch(BatchID(1)) }
        }
    }

    @Test func slotsThatWereTakenAreNoCauseOnceOneIsFree() throws {
        let detail = try detail(submittedFor: .slotsTaken(active: 8, limit: 8, ahead: 0), slots: 8)
        #expect(detail.waits == nil && detail.reasons.first?.time.isEmpty == false)
    }

    /// It starts in a moment, or for a reason that nothing tells.
    @Test func withASlotFreeNothingIsMadeUp() {
        var driver = Self.driver { $0.settings.maxActive = 8 }
        #expect(!driver.text.contains(" waits  "), "\(driver.text)")
    }

    @Test func whatWasTrueWhenItWasSubmittedIsPast() throws {
        let detail = try detail(submittedFor: .slotsTaken(active: 4, limit: 4, ahead: 9), slots: 4)
        #expect(detail.waits == .slotsTaken(active: 4, limit: 4, ahead: 0))
        #expect(detail.reasons.map(\.text) == ["queued behind 9 others because all 4 slots are taken"])
        #expect(detail.reasons.first?.time.isEmpty == false)
    }

    @Test func whatARecordedSessionLeftSaysSo() throws {
        var scene = Scene.failing
        scene.snapshot.hasEnded = true
        var driver = Driver(scene, 80, 24)
        _ = driver.press("G")
        _ = driver.press(keys: [.enter])
        let detail = try #require(TaskDetail(driver.dashboard.state, now: Scene.now))
        #expect(detail.waits == nil)
        #expect(detail.reasons.first?.text == "left as it stood when the session ended")
        #expect(driver.text.contains("‖ left"), "\(driver.text)")
    }
}
