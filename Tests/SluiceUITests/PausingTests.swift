import SluiceCore
import Testing

@testable import SluiceUI

/// What is paused, what the cursor does then, and what is said of it.
struct PausingTests {
    /// What a pipeline shows once the first task is paused and a queued one has its slot.
    private static let afterPause: PipelineSnapshot = {
        var snapshot = Scene.full.snapshot
        var row = snapshot.active.removeFirst()
        row.state = .paused
        snapshot.paused = [row]
        snapshot.pausedCount = 1
        var next = snapshot.queued.removeFirst()
        next.state = .active
        snapshot.active.append(next)
        snapshot.queuedCount -= 1
        return snapshot
    }()

    private func selected(_ driver: Driver) -> Int? { driver.dashboard.state.selectedRow?.task.rawValue }

    @Test(arguments: [(true, 1_000_000), (false, 1_000_000), (false, 1_000)])
    func whatCannotBeContinuedIsSaidToStartOver(isContinuable: Bool, received: Int) {
        var scene = Scene.full
        (scene.snapshot.active[0].isContinuable, scene.snapshot.active[0].received) = (isContinuable, received)
        var driver = Driver(scene, 120, 36)
        _ = driver.press("p")
        let isSaid = driver.text.contains("which will start over · p resumes")
        #expect(isSaid == (!isContinuable && received > 65_536), "\(driver.text)")
    }

    @Test func theSameKeyTakesBackAPause() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.press("p") == ["pause 1"])
        #expect(driver.text.contains("paused dunes-4096.jpg · p resumes"))
        #expect(selected(driver) == 1, "before the pipeline has said anything")
        _ = driver.send(.snapshot(Self.afterPause))
        #expect(selected(driver) == 1, "though its row moved, and another has its slot")
        #expect(driver.press("p") == ["resume 1"])
        #expect(driver.text.contains("resumed dunes-4096.jpg, it waits for a slot · p pauses it again"))
    }

    /// A name gives way before what is to be done.
    @Test(arguments: ["p", "pp"]) func aLongNameLeavesRoomForTheKey(keys: String) {
        var scene = Scene.full
        scene.snapshot.active[0].name = String(repeating: "a-long-name-", count: 8) + ".jpg"
        (scene.snapshot.active[0].isContinuable, scene.snapshot.settings.maxActive) = (false, 3)
        var driver = Driver(scene, 80, 24)
        _ = driver.press(keys)
        let end = keys == "p" ? ", which will start over · p resumes " : ", it waits for a slot · p pauses it again "
        #expect(driver.text.contains(end), "\(driver.text)")
    }

    @Test func whatRunsForTheCacheOnlyIsNotPaused() {
        var scene = Scene.full
        scene.snapshot.active[0].receipts = 0
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("p") == [])
        #expect(!driver.text.contains("p pause "), "\(driver.text)")
        let words = "dunes-4096.jpg has no request left and runs on for the cache: x aborts it"
        #expect(driver.dashboard.state.message?.text == words)
        #expect(driver.dashboard.state.snapshot.pausedCount == 0)
    }

    @Test func whatRunsForTheCacheOnlyIsLeftOutOfAPause() {
        var scene = Scene.full
        scene.snapshot.active[0].receipts = 0
        var driver = Driver(scene, 120, 36)
        _ = driver.press(" ")
        #expect(driver.press("p") == [])
        let words = "what is selected has no request left and runs on for the cache: x aborts it"
        #expect(driver.dashboard.state.message?.text == words)
        _ = driver.press(" ")
        #expect(driver.press("p") == ["steer pause [2]"])
        #expect(driver.dashboard.state.message?.text == "1 task paused")
    }

    @Test func twoQuickPressesAreOneTask() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.press("pp") == ["pause 1", "resume 1"])
    }

    @Test func aTaskThatGoesOnIsFollowedThroughTheQueue() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("p")
        _ = driver.send(.snapshot(Self.afterPause))
        _ = driver.press("p")
        var waiting = Self.afterPause
        var row = waiting.paused.removeFirst()
        waiting.pausedCount = 0
        row.state = .queued(position: 1)
        waiting.queued.insert(row, at: 0)
        waiting.queuedCount += 1
        _ = driver.send(.snapshot(waiting))
        #expect(selected(driver) != 1, "it has no row here")
        #expect(driver.press("p") == ["pause 1"], "the key takes back what it did")
        _ = driver.send(.snapshot(Self.afterPause))
        _ = driver.press("p")
        _ = driver.send(.snapshot(waiting))
        _ = driver.send(.snapshot(Scene.full.snapshot))
        #expect(selected(driver) == 1, "it runs again")
    }

    @Test func whoGoesToAnotherRowPausesThatOne() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("p")
        _ = driver.send(.snapshot(Self.afterPause))
        _ = driver.press("p")
        _ = driver.press("gg")
        #expect(driver.press("p") == ["pause 2"])
    }

    @Test func aCommandResumesAsTheKeyDoes() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("p")
        _ = driver.send(.snapshot(Self.afterPause))
        _ = driver.press(":resume")
        #expect(driver.press(keys: [.enter]).last == "resume 1")
        #expect(driver.text.contains("resumed dunes-4096.jpg"))
    }

    /// The key would let it go on.
    @Test func aCommandThatPausesResumesNothing() {
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.snapshot(Self.afterPause))
        _ = driver.press("G")
        #expect(driver.run("pause") == [])
        #expect(driver.dashboard.state.message?.text == "dunes-4096.jpg is paused already")
        _ = driver.press("gg")
        #expect(driver.run("pause") == ["pause 2"])
    }

    @Test func commandsForASelectionAreForThoseThatTheyChange() {
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.snapshot(Self.afterPause))
        _ = driver.press("G ")
        #expect(driver.run("pause") == [])
        #expect(driver.dashboard.state.message?.text == "dunes-4096.jpg is paused already")
        _ = driver.press("gg ")
        #expect(driver.run("pause") == ["steer pause [2]"])
        #expect(driver.dashboard.state.message?.text == "1 task paused")
        #expect(driver.run("resume") == ["steer resume [1]"])
        #expect(driver.dashboard.state.message?.text == "1 task resumed")
    }

    @Test func whatIsPausedAltogetherIsCounted() {
        var snapshot = Self.afterPause
        var row = snapshot.active.removeFirst()
        row.state = .paused
        snapshot.paused.append(row)
        snapshot.pausedCount = 2
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press("G k ")
        #expect(driver.run("pause") == [])
        #expect(driver.dashboard.state.message?.text == "2 tasks are paused already")
        #expect(driver.run("resume") == ["steer resume [1, 2]"])
        #expect(driver.dashboard.state.message?.text == "2 tasks resumed")
    }

    @Test(arguments: ["", "2"]) func whatIsNotPausedIsNotSaidToBeResumed(keys: String) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys)
        let name = driver.dashboard.state.selectedRow?.name ?? ""
        #expect(driver.run("resume") == [])
        #expect(driver.dashboard.state.message?.text == "\(name) is not paused")
    }

    @Test func anAbortSaysWhetherThePartStays() {
        var scene = Scene.full
        scene.snapshot.active[0].keepsPart = true
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("x") == ["abort 1"])
        #expect(driver.text.contains("aborted dunes-4096.jpg · partial kept"))
        #expect(driver.press("jx").last == "abort 2")
        #expect(driver.text.contains("aborted iss069e0031.png "))
        #expect(!driver.text.contains("partial kept"))
    }

    @Test func suspendingSaysHowToGoOn() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("Z")
        #expect(driver.text.contains("queue suspended · Z goes on"))
        _ = driver.press("Z")
        #expect(driver.text.contains("the queue goes on"))
    }

    @Test func aFullDiskHoldsAQueueThatMayGoOn() {
        var scene = Scene.full
        scene.snapshot.neededSpace = 1_000_000
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("ZZ").last == "set suspended off")
        #expect(driver.text.contains("the queue goes on when there is room on the disk"))
        #expect(driver.press("PP").last == "resumeAll")
        #expect(driver.text.contains("all resumed: the queue goes on when there is room on the disk"))
    }

    @Test func inASuspendedQueuePauseAllPausesWhatRuns() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.press("ZP") == ["set suspended on", "pauseAll"])
        #expect(driver.press("P") == ["resumeAll"], "now all is paused")
    }

    @Test func inASuspendedQueueWithoutRunningTasksNothingIsResumed() {
        var scene = Scene.full
        scene.snapshot.active = []
        scene.snapshot.settings.suspended = true
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("P") == [])
        #expect(driver.text.contains("nothing runs: the queue is suspended · Z goes on"))
        #expect(driver.dashboard.state.snapshot.settings.suspended)
    }

    @Test func pausingAllIsOfferedWhereItDoesSomething() {
        var scene = Scene.full
        func hints() -> String {
            var driver = Driver(scene, 240, 50)
            return driver.hints
        }
        scene.snapshot.settings.suspended = true
        #expect(hints().contains("P pause all"), "tasks run")
        scene.snapshot.active = []
        #expect(!hints().contains("P pause all") && hints().contains("Z go on"), "\(hints())")
        scene.snapshot.settings.suspended = false
        #expect(hints().contains("P pause all"), "the queue is stopped by it")
    }

    @Test func whatPauseAllSuspendedItResumes() {
        var scene = Scene.full
        scene.snapshot.active = []
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("PP") == ["pauseAll", "resumeAll"])
    }

    @Test func hintsSayWhatTheKeysDoNow() {
        var driver = Driver(.full, 240, 50)
        #expect(driver.text.contains("p pause  ") && driver.text.contains("P pause all"))
        #expect(driver.text.contains("Z suspend queue"))
        _ = driver.press("p")
        #expect(driver.text.contains("p resume  ") && driver.text.contains("P pause all"))
        _ = driver.press("PZ")
        #expect(driver.text.contains("P resume all"))
        _ = driver.press("Z")
        #expect(driver.text.contains("Z go on"))
    }
}

/// What the active panel says where nothing runs because somebody stopped it.
struct StoppedQueueTests {
    private func scene(queued: Int) -> Scene {
        var scene = Scene.empty
        scene.snapshot.counts.tasks = queued + 9
        scene.snapshot.counts.succeeded = 9
        scene.fillQueue(queued)
        return scene
    }

    @Test func aSuspendedQueueDoesNotLookFinished() {
        var driver = Driver(scene(queued: 9), 80, 24)
        _ = driver.press("Z")
        #expect(driver.text.contains("The queue is suspended with 9 waiting: Z goes on"), "\(driver.text)")
        #expect(!driver.text.contains("Nothing runs"))
    }

    @Test func oneWithoutTasksSaysThatTheyWouldWait() {
        var driver = Driver(scene(queued: 0), 80, 24)
        #expect(driver.text.contains("Nothing runs: 9 done, 0 failed. a adds URLs."))
        _ = driver.press("Z")
        #expect(driver.text.contains("The queue is suspended: Z goes on"))
    }

    /// Paused one by one while others wait for a retry: those go on by themselves.
    @Test(arguments: [(true, 1), (false, 1), (false, 0)])
    func allIsPausedOnlyWhereNothingGoesOn(isSuspended: Bool, waiting: Int) {
        var scene = Scene.failing
        scene.snapshot.active = []
        scene.snapshot.waiting = Array(scene.snapshot.waiting.prefix(waiting))
        (scene.snapshot.waitingCount, scene.snapshot.queuedCount, scene.snapshot.queued) = (waiting, 0, [])
        scene.snapshot.settings.suspended = isSuspended
        var driver = Driver(scene, 120, 36)
        let isAll = isSuspended || waiting == 0
        #expect(driver.text.contains("All paused: P resumes all") == isAll, "\(driver.text)")
        #expect(driver.text.contains("paused, holding no slot") == !isAll, "\(driver.text)")
    }

    @Test func whatPauseAllStoppedNamesItsKey() {
        var driver = Driver(scene(queued: 9), 80, 24)
        _ = driver.press("P")
        #expect(driver.text.contains("The queue is suspended with 9 waiting: P goes on"))
        var full = Driver(.full, 120, 36)
        _ = full.press("P")
        #expect(full.text.contains("All paused: P resumes all"))
    }
}
