import SluiceCore
import Testing

@testable import SluiceUI

/// Keys that meet more than one row, or one that is where it was sent to already.
struct ManyAtOnceTests {
    /// A selection is made with care: what does not apply to it leaves it.
    @Test func whatIsForOneTaskLeavesASelection() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2")
        #expect(driver.hints.contains("X cancel receipt"), "\(driver.hints)")
        _ = driver.press("  ")
        #expect(driver.dashboard.state.selectedCount(in: .queued) == 2)
        #expect(!driver.hints.contains("X cancel receipt"), "\(driver.hints)")
        #expect(driver.press("X") == [])
        #expect(
            driver.text.contains("requests are cancelled one at a time: Esc clears the selection"),
            "\(driver.text)"
        )
        #expect(driver.press("e") == [])
        #expect(driver.text.contains("URLs are changed one at a time: Esc clears the selection"))
        #expect(driver.dashboard.state.mode == .lists && driver.dashboard.state.selectedCount(in: .queued) == 2)
    }

    @Test("a key for one task does not act on the cursor's where another is selected", arguments: ["1", "2"])
    func aSelectedTaskIsNotPassedOver(panel: String) {
        var scene = Scene.full
        // Of its queue the scene has rows only, not how they came.
        let row = scene.snapshot.queued[0]
        for number in 901...902 {
            let why = Why.slotsTaken(active: 4, limit: 4, ahead: 0)
            var submission = Submission(url: row.url, outcome: .queued, why: why, origin: .prompt)
            (submission.receipt, submission.task) = (ReceiptID(number), row.task)
            scene.add(56, .requestSubmitted(submission))
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press(panel + " ")
        #expect(driver.dashboard.state.selectedCount(in: driver.dashboard.state.focus) == 1)
        #expect(!driver.hints.contains("X cancel receipt"), "the cursor went on: \(driver.hints)")
        #expect(driver.press("X") == [])
        #expect(driver.text.contains("one at a time: Esc clears the selection"))
        _ = driver.press("k")
        #expect(driver.press("X").count == 1, "its own row is meant")
    }

    @Test func aRetryOfWhatDidNotFailLeavesTheSelection() {
        var scene = Scene.full
        for task in 501...502 {
            scene.add(
                55,
                .taskFinished(TaskEnd(task: TaskID(task), url: "http://h/\(task)", outcome: .success, receipts: 1))
            )
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8gg  ")
        #expect(driver.dashboard.state.selectedCount(in: .finished) == 2)
        #expect(driver.press("r").allSatisfy { !$0.hasPrefix("retry") })
        #expect(driver.text.contains("nothing selected failed"))
        #expect(driver.dashboard.state.selectedCount(in: .finished) == 2)
    }

    @Test func theCursorStaysWhereRowsAboveItAreTakenAway() {
        var scene = Scene.full
        for task in 501...506 {
            scene.failed(54.5, "http://a/\(task)", DownloadError(.timedOut, "slow"), task: task)
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8gg  ")
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(504))
        _ = driver.press("d")
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(504))
    }

    @Test(arguments: [("gg", "U", "first"), ("G", "B", "last")])
    func whatIsAtAnEndOfTheQueueIsSaidToBe(place: String, key: String, edge: String) {
        var scene = Scene.full
        scene.snapshot.queued = Array(scene.snapshot.queued.prefix(3))
        scene.snapshot.queuedCount = 3
        var driver = Driver(scene, 120, 36)
        _ = driver.press("2" + place)
        #expect(driver.press(key).count == 1)
        #expect(driver.text.contains("it is the \(edge) of the queue already"), "\(driver.text)")
        _ = driver.press(key == "U" ? "j" : "k")
        _ = driver.press(key)
        #expect(driver.text.contains(key == "U" ? " before all others" : " at the end"), "\(driver.text)")
    }

    /// The header says how many run; the list says that they are hidden.
    @Test func aFilterThatHidesWhatRunsSaysSo() {
        var driver = Driver(.full, 120, 36)
        let snapshot = driver.dashboard.state.snapshot
        let count = snapshot.active.count + snapshot.waitingCount + snapshot.pausedCount
        _ = driver.press("1/nothing is called this")
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("0 of \(count) match"), "\(driver.text)")
        #expect(!driver.text.contains("no task runs"))
    }
}
