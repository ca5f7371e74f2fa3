import SluiceCore
import Testing

@testable import SluiceUI

/// What failed, with its countdown, and how it is tried again.
struct FailedPanelTests {
    /// Two failures of this session, of which one is remembered, and one of an earlier session.
    static let scene: Scene = {
        var scene = Scene.full
        scene.failed(
            55,
            "https://tiles.example/tile_9.png",
            DownloadError(.connectionLost, "the server hung up"),
            task: 78
        )
        let gone = DownloadError(.badStatus, "410 Gone\u{1B}[2J", status: 410)
        scene.snapshot.failed = [
            PipelineSnapshot.Failed(
                url: "https://maps.example/old-map.png",
                error: DownloadError(.badStatus, "404 Not Found", status: 404),
                until: Scene.now + .seconds(552)
            ),
            PipelineSnapshot.Failed(url: "https://old.example/gone.png", error: gone, until: Scene.now + .seconds(61)),
        ]
        scene.snapshot.failedCount = 2
        return scene
    }()

    private func retryEffects(_ effects: [String]) -> [String] { effects.filter { !$0.hasPrefix("watch") } }

    @Test func everyFailureStandsThereWithReasonAndCountdown() {
        var driver = Driver(Self.scene, 120, 36)
        _ = driver.press("9")
        let text = driver.text
        let rows = text.split(separator: "\n").filter { $0.contains("✗") }
        #expect(rows.contains { $0.contains("tile_9.png") && $0.contains("connectionLost") && $0.contains("not kept") })
        #expect(rows.contains { $0.contains("old-map.png") && $0.contains("badStatus") && $0.contains("9:12") })
        #expect(rows.contains { $0.contains("gone.png") && $0.contains("410 Gone^[[2J") && $0.contains("1:01") })
        #expect(text.contains("9 failed") && text.contains("2 queued 38"))
    }

    @Test(arguments: [(80, 24, "connectionLost"), (40, 8, "connectionL…")])
    func aNarrowListTellsTheCodeBeforeANameIsWhole(width: Int, height: Int, code: String) {
        var scene = Self.scene
        let long = "https://a.example/a-name-that-is-longer-than-its-room.jpg"
        scene.failed(56, long, DownloadError(.timedOut, ""), task: 79)
        var driver = Driver(scene, width, height)
        _ = driver.press("9")
        let rows = driver.text.split(separator: "\n").filter { $0.contains("✗") }
        func shows(_ name: String, _ end: String) -> Bool { rows.contains { $0.contains(name) && $0.contains(end) } }
        #expect(shows("✗ a-nam", ".jpg  timedOut  not kept │"), "\(driver.text)")
        #expect(shows("✗ tile_9.png", " \(code)  not kept │"), "\(driver.text)")
        #expect(shows("✗ old-map.png", " 404 kept 9:12 │"), "\(driver.text)")
    }

    @Test func theHeaderCountsWhatTheListHolds() {
        var driver = Driver(Self.scene, 120, 36)
        #expect(driver.text.contains("✗ 3 failed"), "two of this session, one of an earlier")
        _ = driver.press("9r")
        #expect(driver.text.contains("✗ 2 failed"), "one is tried again")
        #expect(driver.dashboard.state.failedRows.count == 2)
        var snapshot = Self.scene.snapshot
        (snapshot.counts.failed, snapshot.failed, snapshot.failedCount) = (57, [], 0)
        _ = driver.press("R")
        _ = driver.send(.snapshot(snapshot))
        #expect(
            driver.text.split(separator: "\n").first?.contains("failed") == false,
            "what failed before and is tried again stands nowhere"
        )
    }

    @Test func whatAnEarlierSessionLeftIsCounted() {
        var scene = Scene.empty
        (scene.snapshot.failed, scene.snapshot.failedCount) = (Self.scene.snapshot.failed, 2)
        for (width, text) in [(120, "✗ 2 failed"), (30, "✗2")] {
            var driver = Driver(scene, width, 36)
            #expect(driver.text.contains(text), "\(driver.text)")
        }
        var dashboard = PlainDashboard(Scene.configuration())
        _ = dashboard.handle(.snapshot(scene.snapshot), now: Scene.now)
        #expect(dashboard.typed("status", now: Scene.now).lines.contains { $0.hasSuffix("0 done, 2 failed.") })
    }

    @Test(arguments: [
        (80, 24, "2 queued  8 ended 3  9 failed 3 ─── 38 ─╮"),
        (100, 30, "2 queued  8 finished 3  9 failed 3 ──── 38 · fifo ─╮"),
        (60, 16, "2 queued  8 finished 3  9 failed 3 ───────── 38 · fifo ─╮"),
    ])
    func theWayToTheOtherListsStandsInTheTitle(width: Int, height: Int, text: String) {
        var driver = Driver(Self.scene, width, height)
        #expect(driver.text.contains(text), "\(driver.text)")
    }

    @Test func whereWordsHaveNoRoomTheCountsHave() {
        var scene = Self.scene
        scene.snapshot.queuedCount = 1_234_567
        var driver = Driver(scene, 80, 24)
        #expect(driver.text.contains("2 queued  8 #3  9 ✗3 "), "\(driver.text)")
        scene = .failing
        driver = Driver(scene, 80, 24)
        #expect(driver.text.contains("‖ suspended ─╮"), "what stops the queue is more than the way to others")
        driver = Driver(.empty, 80, 24)
        #expect(!driver.text.contains("8 finished") && !driver.text.contains("9 failed"), "nothing is there yet")
    }

    /// Of those that earlier sessions left, a snapshot holds the newest.
    @Test func whatHasNoRowIsCountedAsNotListed() {
        var scene = Self.scene
        scene.snapshot.failedCount = 300
        var driver = Driver(scene, 120, 36)
        _ = driver.press("9")
        let rows = driver.dashboard.state.failedRows.count
        let unlisted = 300 - scene.snapshot.failed.count
        #expect(driver.text.contains("1 of \(rows) · \(unlisted) more not listed"), "\(driver.text)")
        _ = driver.press("/nowhere")
        #expect(driver.text.contains("no row matches /nowhere · \(unlisted) more are not listed"), "\(driver.text)")
    }

    /// Those of this session that are not remembered count beside them.
    @Test func failuresOfThisSessionAndEarlierOnesAddUp() {
        var scene = Self.scene
        let earlier = scene.snapshot.failed.count
        scene.snapshot.failedCount = earlier + 100
        for task in 0..<150 { scene.failed(50, "http://h/\(task)", DownloadError(.timedOut, ""), task: 1_000 + task) }
        let state = Driver(scene, 120, 36).dashboard.state
        let own = state.news.failed.count
        let rows = state.failedRows.count
        #expect(own >= 150 && state.failedCount == rows + 100 && state.unlistedFailedCount == 100)
    }

    @Test func whatWaitsWithoutARowIsCountedAsNotListed() {
        var scene = Scene.full
        scene.snapshot.waitingCount = scene.snapshot.waiting.count + 99
        var driver = Driver(scene, 120, 36)
        _ = driver.press("1")
        #expect(driver.text.contains("99 more not listed"), "\(driver.text)")
        _ = driver.press("/nowhere")
        #expect(driver.text.contains("match · 99 more not listed"), "\(driver.text)")
    }

    @Test func equalURLsAndManyFailuresAreCountedRight() {
        let limit = FailedTasks.capacity
        var list = FailedTasks()
        let error = DownloadError(.timedOut, "")
        for task in 1...limit + 1 {
            // Each with a header of its own: else the second would stand in place of the first.
            list.add(FailedTask(task: TaskID(task), url: "http://h/\(task % 5_000)", error: error, key: "\(task)"))
        }
        #expect(list.tasks.count == limit * 9 / 10 + 1 && list.contains(url: "http://h/1"))
        #expect(list.count == limit + 1, "what can't be named any more counts all the same")
        list.remove(urls: ["http://h/7"])
        #expect(!list.contains(url: "http://h/7") && !list.tasks.contains { $0.url == "http://h/7" })
        #expect(list.remove(TaskID(5_001)) == [TaskID(5_001)] && list.remove(TaskID(5_001)) == [])
        #expect(list.contains(url: "http://h/1"), "another task has it")
        list.remove(TaskID(10_001))
        #expect(!list.contains(url: "http://h/1"))
        #expect(list.removeAll().count == limit * 9 / 10 - 2 && !list.contains(url: "http://h/2"))
        #expect(list.count == 0)
    }

    @Test func aCountdownTicksOnlyWhileItIsSeen() {
        var driver = Driver(Self.scene, 80, 24)
        var snapshot = Self.scene.snapshot
        (snapshot.waiting, snapshot.waitingCount) = ([], 0)
        _ = driver.send(.snapshot(snapshot))
        driver.pass(.seconds(10))
        #expect(driver.dashboard.nextWake(after: driver.now) == nil, "no countdown is on the screen")
        _ = driver.press("9")
        driver.pass(.milliseconds(200))
        // 1:01 began at a whole second.
        #expect(driver.dashboard.nextWake(after: driver.now) == Scene.now + .seconds(11))
        driver.pass(.milliseconds(800))
        #expect(driver.text.contains(" 0:50 "), "\(driver.text)")
        _ = driver.press("33")
        driver.pass(.seconds(2))
        #expect(driver.dashboard.nextWake(after: driver.now) == nil, "the cache covers it")
    }

    @Test func aWaitingTaskTicksOnlyWhereItHasARow() {
        var driver = Driver(.full, 80, 24)
        driver.pass(.seconds(1))
        #expect(driver.dashboard.nextWake(after: driver.now) != nil)
        _ = driver.press("33")
        driver.pass(.seconds(1))
        #expect(driver.dashboard.nextWake(after: driver.now) == nil)
    }

    @Test func rowsAreTriedAgainOneByOneOrAll() {
        var driver = Driver(Self.scene, 120, 36)
        #expect(retryEffects(driver.press("9r")) == ["dropPicture 1", "retry 78"])
        #expect(driver.dashboard.state.failedRows.map(\.name) == ["old-map.png", "gone.png"])
        #expect(driver.press("Gr") == ["submit 1 prompt"], "nothing of an earlier session's task is left but its URL")
        #expect(driver.press("R") == ["retry 77", "retryFailed"])
        var snapshot = Self.scene.snapshot
        (snapshot.failed, snapshot.failedCount) = ([], 0)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.press("R") == [])
        #expect(driver.text.contains("nothing failed"))
        #expect(driver.text.contains("What failed stands here"))
    }

    @Test func aRowIsForgottenHereAndByThePipeline() {
        var driver = Driver(Self.scene, 120, 36)
        #expect(driver.press("9jd") == ["dropPicture 1", "forget https://maps.example/old-map.png"])
        #expect(driver.text.contains("forgotten: lists may ask for it again"))
        #expect(driver.text.contains("✗ 2 failed"), "before the pipeline has answered")
        #expect(driver.dashboard.state.failedRows.map(\.name) == ["tile_9.png", "gone.png"])
        #expect(driver.dashboard.state.selectedFailed?.name == "gone.png", "the next one has its place")
        #expect(driver.press("d") == ["forget https://old.example/gone.png"], "of an earlier session")
        let last = driver.press("d").first
        #expect(last == "forget https://tiles.example/tile_9.png", "not remembered, but on the list")
        #expect(driver.text.contains("What failed stands here"))
        #expect(driver.press("d") == [])
        #expect(driver.text.contains("nothing failed"))
        #expect(driver.dashboard.state.failedCount == 0 && driver.dashboard.nextWake(after: driver.now) != nil)
    }

    /// The rows of tasks 504 to 501 above that of the full scene, with the cursor on 502.
    private func onTheThirdOfFive() -> Driver {
        var scene = Scene.full
        for task in 501...504 { scene.failed(55, "http://a/\(task)", DownloadError(.timedOut, ""), task: task) }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("9jj")
        return driver
    }

    private func fail(_ tasks: ClosedRange<Int>, _ driver: inout Driver, succeeded: String? = nil) {
        var more = Scene()
        for task in tasks { more.failed(60, "http://a/\(task)", DownloadError(.timedOut, ""), task: task) }
        if let succeeded {
            more.add(60, .taskFinished(TaskEnd(task: TaskID(900), url: succeeded, outcome: .success, receipts: 1)))
        }
        _ = driver.send(.events(more.events, lost: 0))
    }

    @Test func whereARowIsTriedAgainItsNeighbourHasTheCursorAndKeepsIt() {
        var driver = onTheThirdOfFive()
        fail(505...506, &driver)
        #expect(driver.press("r").contains("retry 502"))
        #expect(driver.dashboard.state.selectedFailed?.id.task == TaskID(501))

        fail(507...508, &driver)
        #expect(driver.press("r").contains("retry 501"), "more failures move no other row under the cursor")
    }

    @Test func whereAURLSucceedsTheNeighbourHasTheCursorAndKeepsIt() {
        var driver = onTheThirdOfFive()
        fail(505...506, &driver, succeeded: "http://a/502")
        #expect(driver.dashboard.state.selectedFailed?.id.task == TaskID(501))

        fail(507...508, &driver)
        #expect(driver.dashboard.state.selectedFailed?.id.task == TaskID(501))
    }

    @Test func whereARememberedRowExpiresTheNeighbourHasTheCursorAndKeepsIt() {
        var driver = Driver(Self.scene, 120, 36)
        _ = driver.press("9G")
        #expect(driver.dashboard.state.selectedFailed?.name == "gone.png")
        fail(505...506, &driver)

        var snapshot = Self.scene.snapshot
        snapshot.failed.removeLast()
        snapshot.failedCount = 1
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.dashboard.state.selectedFailed?.name == "old-map.png")

        fail(507...508, &driver)
        #expect(driver.dashboard.state.selectedFailed?.name == "old-map.png")
    }

    @Test func whatHasOneURLIsForgottenTogether() {
        var scene = Self.scene
        scene.failed(56, "https://tiles.example/tile_9.png", DownloadError(.timedOut, ""), task: 79, key: "x-a: 1")
        let error = DownloadError(.badStatus, "403", status: 403)
        for seconds in [60, 90] {
            scene.snapshot.failed.append(
                PipelineSnapshot.Failed(
                    url: "https://tiles.example/tile_9.png",
                    error: error,
                    until: Scene.now + .seconds(Int64(seconds))
                )
            )
        }
        scene.snapshot.failedCount = 4
        var driver = Driver(scene, 120, 36)
        #expect(driver.dashboard.state.failedRows.count == 4)
        _ = driver.press("9d")
        #expect(driver.dashboard.state.failedRows.map(\.name) == ["old-map.png", "gone.png"])
        #expect(driver.dashboard.state.failedCount == 2)
    }

    @Test func commandsForgetOneOrAll() {
        var driver = Driver(Self.scene, 120, 36)
        _ = driver.press("8")
        #expect(driver.run("forget") == ["forget https://tiles.example/tile_9.png"], "its row in the finished list")
        #expect(driver.run("forget") == [])
        #expect(driver.text.contains("it was tried again already, or forgotten"))
        var empty = Driver(.empty, 120, 36)
        #expect(empty.run("forget") == [] && empty.text.contains("this is no failure: select one"))
        #expect(driver.run("forget 9") == [])
        #expect(driver.text.contains(":forget is for what is selected, :forget all for all; it takes no \"9\""))
        _ = driver.press(keys: [.escape])
        _ = driver.press("9/gone")
        _ = driver.press(keys: [.enter])
        let effects = driver.run("forget all").filter { $0.hasPrefix("forget") }
        #expect(effects == ["forgetFailures"], "what a filter hides too")
        #expect(driver.text.contains("2 failed URLs forgotten: lists may ask again"))
        #expect(driver.dashboard.state.failedCount == 0 && driver.dashboard.state.failedRows.isEmpty)
        #expect(driver.run("forget all") == [] && driver.text.contains("nothing failed"))
    }

    @Test func theKeyIsNamedWhereItForgets() throws {
        var driver = Driver(Self.scene, 120, 36)
        #expect(!driver.text.contains("d forget"))
        _ = driver.press("9")
        #expect(driver.text.contains("r retry · R all · d forget · e edit URL ─"), "\(driver.text)")
        #expect(driver.hints.contains("d forget"), "\(driver.text)")
        _ = driver.press("8")
        #expect(!driver.text.contains("d forget"), "there it takes a row away")
        var narrow = Driver(Self.scene, 80, 24)
        _ = narrow.press("9")
        #expect(narrow.text.contains("1 of 3 · r retry · R all · d forget ─"), "\(narrow.text)")
        #expect(KeyMap.standard.help(.files).contains { $0 == ("d", "remove or forget a row") })
    }

    @Test func itsURLIsEditedCopiedAndLookedAt() {
        var driver = Driver(Self.scene, 120, 36)
        #expect(driver.press("9jY") == ["dropPicture 1", "copy https://maps.example/old-map.png"])
        _ = driver.press("e")
        #expect(driver.dashboard.state.prompt.editor.text == ":url https://maps.example/old-map.png")
        _ = driver.press(keys: [.escape])
        _ = driver.press("je")
        #expect(driver.dashboard.state.prompt.editor.text == "https://old.example/gone.png", "it is added anew")
        _ = driver.press(keys: [.escape])
        _ = driver.press("gg")
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("the server hung up") && driver.text.contains("what to do"))
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .failed)
    }

    @Test func theListIsFilteredAndSearched() {
        var driver = Driver(Self.scene, 120, 36)
        let effects = driver.press("9/old=")
        #expect(!effects.contains { $0.hasPrefix("set ") }, "what is typed is no key")
        #expect(driver.dashboard.state.filterEditor.text == "old=")
        _ = driver.press(keys: [.backspace])
        #expect(driver.dashboard.state.failedRows.map(\.name) == ["old-map.png", "gone.png"], "name and host")
        #expect(driver.text.contains("2 rows match"))
        _ = driver.press("-x")
        #expect(driver.dashboard.state.failedRows.isEmpty && driver.text.contains("no row matches"))
        _ = driver.press(keys: [.control("u")])
        _ = driver.press("gone")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.failedRows.count == 3)
        _ = driver.press("n")
        #expect(driver.dashboard.state.selectedFailed?.name == "gone.png")
        #expect(driver.text.contains("✗ 3 failed"), "the count is of all")
    }

    @Test func whereThereIsRoomTheHostIsTold() {
        var driver = Driver(Self.scene, 120, 36)
        _ = driver.press("9")
        #expect(!driver.text.contains(" tiles.example  "))
        _ = driver.press("9")
        let row = driver.text.split(separator: "\n").first { $0.contains("tile_9.png") }
        #expect(row?.contains(" tiles.example ") == true && row?.contains("the server hung up") == true)
    }

    @Test func itIsWholeAtEverySize() throws {
        for (width, height) in GoldenTests.sizes {
            var dashboard = Self.scene.dashboard(width, height)
            _ = dashboard.handle(.key(.character("9")), now: Scene.now)
            try Golden.check(&dashboard, "failed-rows", width, height)
        }
    }
}
