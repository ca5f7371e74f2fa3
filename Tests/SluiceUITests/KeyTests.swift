import SluiceCore
import Testing

@testable import SluiceUI

struct KeyTests {
    @Test func keysSteerTheSelectedTask() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("x") == ["abort 1"])
        #expect(driver.press("jx") == ["abort 2"])
        #expect(driver.press("Gp") == ["pause 9"], "the waiting task is the last")
        #expect(driver.press("ggjjp") == ["pause 3"])
        #expect(driver.press("Gp") == ["resume 3"], "what was paused stands last now")
        #expect(driver.press("ggx") == ["abort 1"])
    }

    @Test func cancellingReceiptsTakesTheNewestFirst() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("XX") == ["cancel 43", "cancel 42"])
        #expect(driver.press("XX") == ["cancel 41"], "no receipt is left for the second")
        #expect(driver.press("jX") == ["cancel 44"])
    }

    @Test func aReceiptWhoseEventWasLostIsCancelledAllTheSame() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("2jX") == [], "no event has named a receipt of this task")
        #expect(driver.text.contains("this task has no receipt left"))
        _ = driver.send(.events([], lost: 3))
        #expect(driver.press("X") == ["cancel newest of 101"])
        #expect(driver.text.contains("cancelled the last request") || driver.text.contains("cancelled one request"))
        #expect(driver.press("1X") == ["cancel 43"], "what is known is named")
    }

    /// What runs goes on without its last receipt, unless a setting ends it; what has no slot goes at once.
    @Test(arguments: [
        (PipelineSnapshot.Row.State.active, Settings.LastReceipt.finish, true), (.active, .abort, false),
        (.paused, .finish, false),
    ]) func cancellingTheLastReceiptSaysWhatBecomesOfTheTask(
        phase: PipelineSnapshot.Row.State,
        lastReceipt: Settings.LastReceipt,
        runsOn: Bool
    ) {
        var scene = Scene.full
        scene.snapshot.settings.lastReceipt = lastReceipt
        (scene.snapshot.active[1].state, scene.snapshot.active[1].receipts) = (phase, 1)
        var driver = Driver(scene, 80, 24)
        #expect(driver.press("jX") == ["cancel 44"])
        let words =
            runsOn
            ? "its last request · it may run on for the cache: x aborts it"
            : "the last request for iss069e0031.png"
        #expect(driver.dashboard.state.message?.text == "cancelled \(words)")
        var wide = Driver(scene, 120, 36)
        _ = wide.press("jX")
        #expect(wide.dashboard.state.message?.text.hasSuffix(" iss069e0031.png") == true, "where it has room")
    }

    @Test func pauseAllIsUndoneByTheSameKey() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("P") == ["pauseAll"])
        #expect(driver.press("P") == ["resumeAll"])
    }

    @Test func pausedTasksAreResumed() {
        var driver = Driver(.failing, 80, 24)
        #expect(driver.press("Gp") == ["resume 79"])
    }

    @Test func queueKeysActInTheQueue() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("2jU") == ["promote 101"])
        #expect(driver.press("KJ") == ["move 101 by -1", "move 101 by 1"])
        #expect(driver.press("B") == ["steer toEnd [101]"])
        #expect(driver.press("x") == ["abort 101"])
        #expect(driver.press("1U") == [], "not a key of the active panel")
    }

    @Test func pagesAreTurnedAsInAPager() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(keys: [.character("2"), .pageDown])
        let place = driver.dashboard.state.queueCursor.position
        #expect(place > 1)
        _ = driver.press(keys: [.control("b")])
        #expect(driver.dashboard.state.queueCursor.position == 1)
        _ = driver.press(keys: [.control("f")])
        #expect(driver.dashboard.state.queueCursor.position == place)
        _ = driver.press("?")
        let help = driver.text
        _ = driver.press(keys: [.control("f")])
        #expect(driver.text != help)
        _ = driver.press(keys: [.control("b")])
        #expect(driver.text == help)
        _ = driver.press(keys: [.escape, .character("a"), .character("v"), .character("w"), .control("b")])
        _ = driver.press("x")
        #expect(driver.dashboard.state.prompt.editor.text == "vxw", "a letter back, where text is typed")
    }

    @Test func whatCanMoveNoFurtherSaysSo() {
        var scene = Scene.full
        scene.snapshot.queuedCount = 4
        scene.snapshot.queued.removeLast(scene.snapshot.queued.count - 4)
        for place in 2..<4 { scene.snapshot.queued[place].priority = .low }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("2K")
        #expect(driver.text.contains("it is the first of the queue already"))
        _ = driver.press("J")
        #expect(!driver.text.contains("of the queue already"))
        _ = driver.press("jJ")
        #expect(driver.text.contains("it is the last of priority normal already"))
        _ = driver.press("jK")
        #expect(driver.text.contains("it is the first of priority low already"))
        _ = driver.press("jJ")
        #expect(driver.text.contains("it is the last of the queue already"))
    }

    @Test func settingsChangeAtOnce() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("++-") == ["set maxActive 5", "set maxActive 6", "set maxActive 5"])
        #expect(driver.press("ff") == ["set order lifo", "set order fifo"])
        #expect(driver.press("ZZ") == ["set suspended on", "set suspended off"])
        #expect(driver.press("CM") == ["clearCache", "pressure"])
        #expect(driver.text.contains("of 5 slots"))
    }

    @Test func theOrderOfTheQueueIsSaidWhereverItIsChanged() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("33f")
        #expect(driver.text.contains("order is lifo · f changes it"), "\(driver.text)")
        _ = driver.press("f")
        #expect(driver.text.contains("order is fifo · f changes it"))
    }

    @Test func sortingIsSaidToBeWhereRowsCanBeSorted() {
        var driver = Driver(.full, 80, 24)
        for key in ["s", "S"] {
            _ = driver.press("3" + key)
            #expect(driver.text.contains("\(key) is for active and finished only"), "\(driver.text)")
        }
    }

    @Test func anEmptyCacheSaysThatItIsEmpty() {
        var scene = Scene.full
        var driver = Driver(scene, 80, 24)
        _ = driver.press("C")
        #expect(driver.dashboard.state.message == nil, "the purge is an event, which says it")
        scene.snapshot.memory.count = 0
        var empty = Driver(scene, 80, 24)
        #expect(empty.press("C") == ["clearCache"])
        #expect(empty.dashboard.state.message?.text == "the memory cache is empty")
        var pressed = Driver(scene, 80, 24)
        #expect(pressed.press("M") == ["pressure"])
        #expect(pressed.dashboard.state.message?.text == "the memory cache is empty")
    }

    @Test func slotsStayInTheirRange() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press(String(repeating: "-", count: 10)).last == "set maxActive 1")
        #expect(driver.dashboard.state.message?.text == "1 slot is the least")
        #expect(driver.press(String(repeating: "+", count: 80)).last == "set maxActive 64")
        #expect(driver.dashboard.state.message?.text == "64 slots are the most")
        _ = driver.press("-")
        #expect(driver.dashboard.state.message == nil, "within them the figure says it")
    }

    @Test func abortingAllAsksFirst() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press(keys: [.control("x")]) == [])
        #expect(driver.text.contains("abort all 43 tasks? "))
        #expect(driver.press("jxq") == [], "q says no")
        #expect(driver.press(keys: [.control("x"), .character("y")]) == ["cancelAll"])
    }

    @Test func quittingWithWorkUnderWayTakesTwoKeys() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("q") == [])
        #expect(driver.text.contains("4 active, 38 queued, 1 waiting: q again to quit"))
        driver.pass(.seconds(3))
        #expect(!driver.text.contains("again to quit"))
        #expect(driver.press("q") == [])
        #expect(driver.press(keys: [.control("c")]) == ["quit"])
        #expect(driver.dashboard.hasQuit)
    }

    @Test func anotherKeyDisarmsQuitting() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("qjq") == [])
    }

    @Test func anIdleDashboardQuitsAtOnce() {
        var driver = Driver(.empty, 80, 24)
        #expect(driver.press("q") == ["quit"])
    }

    @Test func signalsQuitWithoutAsking() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.send(.interrupted) == ["quit"])
    }

    @Test func failedTasksAreRetriedOnce() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("R") == ["retry 77"])
        #expect(driver.press("R") == [])
        #expect(driver.text.contains("nothing failed"))
    }

    @Test func theSelectedFailureIsRetried() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("4r") == [], "the newest event is no failure")
        #expect(driver.press("jjjr") == ["retry 77"])
        #expect(driver.press("r") == [], "it was tried again")
    }

    @Test func amongTheEventsOnlyAFailureOffersARetry() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("4")
        #expect(!driver.hints.contains("r retry") && driver.hints.contains("⏎ detail"), "\(driver.hints)")
        _ = driver.press("jjj")
        #expect(driver.hints.contains("r retry"), "\(driver.hints)")
        _ = driver.press("kkk")
        _ = driver.press(keys: [.control("a")])
        #expect(driver.hints.contains("r retry"), "one may be among those that are selected")
    }

    @Test func aWaitIsEndedWhereItIsSeenAndNowhereElse() {
        var driver = Driver(.full, 120, 36)
        #expect(!driver.hints.contains("retry now"), "the first row runs")
        _ = driver.press("G")
        #expect(driver.hints.contains("r retry now"))
        #expect(driver.press("r") == ["steer retry [9]"])
        #expect(driver.text.contains("tile_0_0_7.png first, as soon as a slot is free"))
        _ = driver.press("2r")
        #expect(driver.text.contains("r is for active, events, detail, finished and failed only"))
    }

    @Test func aWaitAmongSelectedRowsIsEnded() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.press("vGr") == ["dropPicture 1", "steer retry [9]"], "what runs is left alone")
        #expect(driver.text.contains("1 task first, as soon as a slot is free"))
    }

    @Test func aWaitIsOfferedToEndOnlyWhereASelectedRowWaits() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.character(" ")])
        #expect(!driver.hints.contains("retry now"), "the selected row runs")
        #expect(driver.press("r") == [])
        #expect(driver.text.contains("none of the selected tasks waits for another attempt"))
    }

    @Test func aPanelIsMaximisedByItsOwnKey() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("22") == [])
        #expect(driver.dashboard.state.layout.panels[.queued] == Rect(x: 0, y: 1, width: 80, height: 20))
        #expect(driver.dashboard.state.layout.panels.count == 1)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.layout.panels.count == 4)
    }

    @Test func everyPanelCanBeReachedWhereItHasNoPlace() {
        var driver = Driver(.full, 60, 16)
        _ = driver.press("6")
        #expect(driver.text.contains("peak"))
        _ = driver.press("4")
        #expect(driver.text.contains("old-map.png"))
    }

    @Test func tabGoesRound() {
        var driver = Driver(.full, 80, 24)
        var visited: [Panel] = []
        for _ in 0..<4 {
            _ = driver.press(keys: [.tab])
            visited.append(driver.dashboard.state.focus)
        }
        #expect(visited == [.queued, .cache, .events, .active])
        _ = driver.press(keys: [.backTab])
        #expect(driver.dashboard.state.focus == .events)
    }

    @Test func helpIsMadeOfTheTableAndCloses() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("?")
        var pages = driver.text
        for _ in 0..<20 {
            _ = driver.press(" ")
            pages += driver.text
        }
        for group in KeyMap.Group.allCases where group != .replay {
            for row in KeyMap.standard.help(group) {
                let isShown = pages.contains(row.text)
                #expect(isShown, "\(row.text)")
            }
        }
        #expect(driver.press("?x") == ["abort 1"])
    }

    @Test func helpScrollsWhereItDoesNotFit() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("?")
        #expect(!driver.text.contains("170 ms"))
        _ = driver.press("G")
        #expect(driver.text.contains("170 ms"))
    }

    @Test func shellKeysBecomeEffects() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press(keys: [.control("l"), .control("z")]) == ["repaint", "stop"])
        #expect(driver.press(keys: [.character("a"), .control("l"), .control("z")]) == ["repaint", "stop"])
    }
}

struct QueueTests {
    @Test func theQueueIsWatchedFromTheStart() {
        var dashboard = Dashboard(Scene.configuration())
        let effects = dashboard.handle(.resized(width: 80, height: 24), now: Scene.start).map(Driver.name)
        #expect(effects == ["watch 1+63"])
    }

    @Test func movingFarAsksForAWindowAndNothingElse() {
        var scene = Scene.full
        scene.fillQueue(100_000)
        var driver = Driver(scene, 80, 24)
        #expect(driver.press("2G") == ["watch 99966+65"])
        #expect(driver.text.contains("99,996–100,000 of 100,000"))
        #expect(driver.press("x") == [], "the row is not known yet")

        var snapshot = scene.snapshot
        snapshot.queuedFrom = 99_966
        snapshot.queued = (99_966...100_000).map { position in
            var row = Scene.row(position, "n\(position).png", "a.example")
            row.state = .queued(position: position)
            return row
        }
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.press("x") == ["abort 100000"])
        #expect(driver.press("kx") == ["abort 99999"])
        #expect(driver.press("ggx") == ["watch 1+65"])
    }

    @Test func theSelectionStaysOnItsTask() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2jj")
        #expect(driver.dashboard.state.selectedRow?.task == TaskID(102))

        var snapshot = Scene.full.snapshot
        snapshot.queued.removeFirst()
        for index in snapshot.queued.indices { snapshot.queued[index].state = .queued(position: index + 1) }
        snapshot.queuedCount = 37
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.dashboard.state.selectedRow?.task == TaskID(102))
        #expect(driver.dashboard.state.queueCursor.position == 2)

        snapshot.queued.removeAll { $0.task == TaskID(102) }
        for index in snapshot.queued.indices { snapshot.queued[index].state = .queued(position: index + 1) }
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.dashboard.state.selectedRow?.task == TaskID(103), "its neighbour")
    }

    @Test func theSelectionOfActiveTasksStaysToo() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("jj")
        var snapshot = Scene.full.snapshot
        snapshot.active.remove(at: 0)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.press("x") == ["abort 3"])
    }

    @Test func smallStepsNeedNoNewWindow() {
        var scene = Scene.full
        scene.fillQueue(100_000)
        var driver = Driver(scene, 80, 24)
        #expect(driver.press("2" + String(repeating: "j", count: 40)) == [])
    }
}
