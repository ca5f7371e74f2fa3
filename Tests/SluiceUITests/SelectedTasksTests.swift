import SluiceCore
import Testing

@testable import SluiceUI

/// What is selected is there, and much of it is not aborted by one key.
struct SelectedTasksTests {
    private func end(_ task: Int) -> AppEvent {
        let end = TaskEnd(task: TaskID(task), url: "https://a.example/x", outcome: .success, receipts: 1)
        return .events([PipelineEvent(seq: 9_000 + task, t: .seconds(61), kind: .taskFinished(end))], lost: 0)
    }

    private func change(_ task: Int, _ phase: TaskChange.Phase) -> AppEvent {
        let change = TaskChange(
            phase: phase,
            task: TaskID(task),
            url: "https://a.example/x",
            attempt: 1,
            active: 4,
            queued: 38
        )
        return .events([PipelineEvent(seq: 9_000 + task, t: .seconds(61), kind: .taskChanged(change))], lost: 0)
    }

    @Test func whatEndedIsSelectedNoLonger() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2   ")
        _ = driver.send(end(100))
        #expect(driver.press("p") == ["steer pause [101, 102]"])
        #expect(driver.text.contains("2 tasks paused"))
    }

    @Test(arguments: [
        ("limit 5K", "each of 2 tasks has a limit of 5 KiB/s"), ("limit 0", "2 tasks have no limits of their own"),
        ("priority high", "priority is high for 2 tasks"),
    ])
    func commandsSpeakOfAllThatIsSelected(command: String, words: String) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2  ")
        _ = driver.run(command)
        #expect(driver.text.contains(words), "\(driver.text)")
    }

    @Test func whatStartedHasLeftTheQueue() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2  ")
        _ = driver.send(change(100, .started))
        #expect(driver.press("p") == ["steer pause [101]"])
        #expect(driver.text.contains("1 task paused"))
    }

    /// Neither is what is paused already among those that the key pauses.
    @Test func onlyWhatIsPausedNowIsCounted() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("1")
        guard let first = driver.dashboard.state.activeRows.first else { return #expect(Bool(false), "nothing runs") }
        let all = driver.dashboard.state.activeRows.count
        _ = driver.press("p")
        _ = driver.press(keys: [.control("a")])
        let told = driver.press("p")
        #expect(told.count == 1 && !told[0].contains("[\(first.task.rawValue),"), "\(told)")
        #expect(driver.text.contains("\(all - 1) tasks paused"), "\(driver.text)")
    }

    /// The pipeline knows before it has counted them.
    @Test func whatAFilterWillLetThroughIsSteered() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2/name")
        _ = driver.press(keys: [.enter, .control("a")])
        var snapshot = Scene.full.snapshot
        (snapshot.queued, snapshot.queuedMatches, snapshot.isFiltering) = ([], 0, true)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.press("p").contains { $0.hasPrefix("steer pause") }, "\(driver.text)")
    }

    @Test func whatAllLeftTheListIsNotSteered() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2")
        _ = driver.press(keys: [.control("a")])
        var snapshot = Scene.full.snapshot
        (snapshot.queued, snapshot.queuedCount) = ([], 0)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.press("p") == [])
        #expect(driver.text.contains("nothing selected"), "\(driver.text)")
    }

    @Test func aSnapshotOfTheWholeQueueTellsWhatIsGone() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2   ")
        var snapshot = Scene.full.snapshot
        snapshot.queued.removeFirst(2)
        snapshot.queuedCount -= 2
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.press("x") == ["steer abort [102]"])
        #expect(driver.text.contains("1 task aborted"))
    }

    @Test func aRangeIsNoLongerThanTheList() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("Gvgg")
        var snapshot = Scene.full.snapshot
        snapshot.active.removeLast(2)
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press("p")
        #expect(driver.text.contains("3 tasks paused"), "\(driver.text)")
    }

    @Test func abortingManyAsksFirst() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.character("2"), .control("a")])
        #expect(driver.press("x") == [])
        #expect(driver.text.contains("abort 38 tasks? "))
        #expect(driver.press("n") == [])
        #expect(driver.press("xy") == ["steer abort all"])
        #expect(driver.text.contains("38 tasks aborted"))
    }

    @Test func abortingSomeDoesNot() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2" + String(repeating: " ", count: 20))
        #expect(driver.press("x").first?.hasPrefix("steer abort [100, 101,") == true)
        #expect(driver.dashboard.state.mode == .lists)
    }

    /// Keys that select, the one that acts, how many are selected, what is steered, and what is said.
    @Test(arguments: [
        ("  vj", "x", 4, ["steer abort [1, 2, 3, 4]"], "4 tasks aborted"),
        // Marks beside a range of the queue.
        ("2  jvj", "p", 4, ["steer pause all between 103 and 104", "steer pause [100, 101]"], "4 tasks paused"),
        // A mark inside a range is one row.
        ("2 kvjj", "p", 3, ["steer pause all between 100 and 102"], "3 tasks paused"),
    ])
    func marksAndARangeAreCountedAsTheyAreSteered(
        keys: String,
        action: String,
        count: Int,
        steered: [String],
        message: String
    ) {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(keys)
        #expect(driver.text.contains("\(count) selected"), "\(driver.text)")
        #expect(driver.press(action) == steered)
        #expect(driver.text.contains(message), "\(driver.text)")
    }

    /// They may be out of sight, where nothing is seen to move.
    @Test(arguments: [("J", "by: 1", "2 tasks moved down"), ("K", "by: -1", "2 tasks moved up")])
    func whatMovesSaysSo(key: String, step: String, message: String) {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2j  ")
        #expect(driver.press(key).contains { $0.hasPrefix("steer move(") && $0.contains(step) })
        #expect(driver.text.contains(message), "\(driver.text)")
    }

    @Test func marksStayOnTheirTasksWhenThoseMove() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2  jvj")
        #expect(driver.press("U") == ["steer promote [100, 101, 103, 104]"])
        #expect(driver.text.contains("4 tasks before all others"), "\(driver.text)")

        var snapshot = Scene.full.snapshot
        let passed = snapshot.queued.remove(at: 2)
        snapshot.queued.insert(passed, at: 4)
        _ = driver.send(.snapshot(snapshot))

        #expect(driver.text.contains("4 selected"), "\(driver.text)")
        #expect(driver.press("x") == ["steer abort [100, 101, 103, 104]"])
        #expect(driver.text.contains("4 tasks aborted"), "\(driver.text)")
    }

    @Test func aRangeGoesOnWhereItsFirstRowsLeave() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2vjjj")
        #expect(driver.text.contains("4 selected · range"), "\(driver.text)")
        var snapshot = Scene.full.snapshot
        snapshot.queued.removeFirst(2)
        snapshot.queuedCount -= 2
        _ = driver.send(change(100, .started))
        _ = driver.send(.snapshot(snapshot))

        #expect(driver.press("x") == ["steer abort all between 102 and 103"])
        #expect(driver.text.contains("2 tasks aborted"), "\(driver.text)")
    }

    /// Upwards, what stands behind its first row was never selected.
    @Test func aRangeNeverGrowsOverItsEnd() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("jjvkk")
        var snapshot = Scene.full.snapshot
        snapshot.active.remove(at: 2)
        _ = driver.send(end(3))
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.press("x") == ["steer abort [1, 2]"])
    }

    @Test func aRangeWithoutRowsSaysThatItIsNone() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2v")
        _ = driver.send(change(100, .started))
        #expect(driver.text.contains("the range ended: its rows started"), "\(driver.text)")
        #expect(!driver.text.contains("selected"), "\(driver.text)")
        driver = Driver(.full, 80, 24)
        _ = driver.press("v")
        _ = driver.send(end(1))
        #expect(driver.text.contains("the range ended: its rows ended"), "\(driver.text)")
    }

    @Test func aRangeGoesWithItsTasksWhenTheQueueMovesUp() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2jvj")
        var snapshot = Scene.full.snapshot
        snapshot.queued.removeFirst()
        snapshot.queuedCount -= 1
        _ = driver.send(.snapshot(snapshot))

        #expect(driver.text.contains("2 selected"), "\(driver.text)")
        #expect(driver.press("p") == ["steer pause all between 101 and 102"])
        #expect(driver.text.contains("2 tasks paused"), "\(driver.text)")
    }
}
