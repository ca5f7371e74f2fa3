import SluiceCore
import Testing

@testable import SluiceUI

/// A filter that was kept: what the tabs say of its list, and how it goes.
struct KeptFilterTests {
    private func filtered(_ text: String, _ panel: String = "8") -> Driver {
        var scene = Scene.full
        for number in 1...9 {
            let url = "https://img.example/photo-\(number).jpg"
            var end = TaskEnd(task: TaskID(900 + number), url: url, outcome: .success, receipts: 1)
            end.bytes = 1_000
            scene.add(55, .taskFinished(end))
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press(panel + "/" + text)
        _ = driver.press(keys: [.enter])
        return driver
    }

    @Test func aTabStaysThoughAFilterHidesAllOfItsRows() {
        var driver = filtered("zzz")
        #expect(driver.text.contains("no row matches /zzz · Esc shows all"))
        _ = driver.press("2")
        #expect(driver.text.contains("8 finished 0/11"), "\(driver.text)")
    }

    @Test func aTabTellsHowManyOfHowMany() {
        var driver = filtered("photo-7")
        _ = driver.press("2")
        #expect(driver.text.contains("8 finished 1/11"))
    }

    @Test func whatTheUserTookAwayIsNotCounted() {
        var driver = filtered("photo-7")
        _ = driver.press("d2")
        #expect(driver.text.contains("8 finished 0/10"))
    }

    @Test func theRowThatWasFoundStaysUnderTheCursor() {
        var driver = filtered("photo-7")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.selectedEnded?.end.url == "https://img.example/photo-7.jpg")
        driver = Driver(.failing, 120, 36)
        _ = driver.press("9")
        let names = driver.dashboard.state.failedRows.map(\.name)
        _ = driver.press("/\(names[2])")
        _ = driver.press(keys: [.enter, .escape])
        #expect(names.count > 3 && driver.dashboard.state.selectedFailed?.name == names[2])
    }

    /// Rows of a queue of 296, as the pipeline shows them.
    private func queue(_ positions: [Int], matches: Int? = nil) -> PipelineSnapshot {
        var snapshot = Scene.full.snapshot
        snapshot.queued = positions.map { position in
            var row = Scene.row(1_000 + position, "tile_\(position).png", "tiles.example")
            row.state = .queued(position: position)
            return row
        }
        (snapshot.queuedFrom, snapshot.queuedCount) = (matches == nil ? positions.first ?? 1 : 1, 296)
        snapshot.queuedMatches = matches
        return snapshot
    }

    /// The queue with what `/_28` finds in it, and the cursor some rows below the first one.
    private func found(_ keys: String) -> (driver: Driver, snapshot: PipelineSnapshot) {
        var driver = Driver(.full, 80, 24)
        let snapshot = queue([28, 128, 228, 280, 281], matches: 5)
        _ = driver.press("2/_28")
        _ = driver.press(keys: [.enter])
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press(keys)
        return (driver, snapshot)
    }

    @Test(arguments: [("", 28, "watch 1+65 ?_28", 1), ("jjj", 280, "watch 247+65 ?_28", 232)])
    func aRowThatWasFoundInTheQueueStaysUnderTheCursor(keys: String, position: Int, window: String, from: Int) {
        let scene = found(keys)
        var driver = scene.driver
        let asked = driver.press(keys: [.escape])
        #expect(asked.last == window)
        #expect(driver.dashboard.state.selectedRow?.task == TaskID(1_000 + position))

        // One that was on its way before.
        _ = driver.send(.snapshot(scene.snapshot))
        #expect(driver.dashboard.state.selectedRow?.task == TaskID(1_000 + position))

        _ = driver.send(.snapshot(queue(Array(from..<from + 65))))
        #expect(driver.dashboard.state.queueCursor.position == position)
        let text = driver.text
        #expect(text.contains("tile_\(position).png"), "\(text)")
        let aborted = driver.press("x")
        #expect(aborted == ["abort \(1_000 + position)"])
    }

    @Test func keysForTheRowsAroundAFoundOneWaitForThem() {
        let scene = found("jjj")
        var driver = scene.driver
        let early = driver.press(keys: [.escape, .character("j"), .character("x")])
        let stale = driver.send(.snapshot(scene.snapshot))
        #expect(!(early + stale).contains { $0.hasPrefix("abort") }, "\(early + stale)")

        let aborted = driver.send(.snapshot(queue(Array(232...296))))
        #expect(aborted.filter { $0.hasPrefix("abort") } == ["abort 1281"])
    }

    @Test func escapeShowsAllAgain() {
        var driver = filtered("zzz")
        _ = driver.press(keys: [.escape])
        #expect(!driver.text.contains("no row matches"))
        #expect(driver.dashboard.state.focus == .finished, "that was all it did")
        _ = driver.press("2")
        #expect(driver.text.contains("8 finished 11"))
    }

    @Test func whatWasLookedForIsFoundAfterAllRowsAreShownAgain() {
        var driver = filtered("photo-7")
        _ = driver.press(keys: [.escape])
        _ = driver.press("ggn")
        #expect(driver.dashboard.state.selectedEnded?.end.url == "https://img.example/photo-7.jpg")
        #expect(driver.dashboard.state.shownEndedCount == 11)
        _ = driver.press("/")
        #expect(driver.dashboard.state.filterEditor.text.isEmpty, "another text begins anew")
    }

    @Test(arguments: ["1", "9", "4"]) func everyListSaysThatNothingMatches(panel: String) {
        var driver = filtered("zzz", panel)
        #expect(driver.text.contains("no row matches /zzz · Esc shows all"), "\(driver.text)")
        _ = driver.press(keys: [.escape])
        #expect(!driver.text.contains("no row matches"))
    }

    @Test(arguments: ["1", "9", "4", "8"]) func noKeyIsForARowThatIsHidden(panel: String) {
        var driver = filtered("zzz", panel)
        let focus = driver.dashboard.state.focus
        let hints = driver.hints
        for hint in ["⏎ detail", "r retry", "Space select", "s S sort", "d forget", "e edit URL"] {
            #expect(!hints.contains(hint), "\(hints)")
        }

        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.dashboard.state.focus == focus && driver.text.contains("no row to open"), "\(driver.text)")
        #expect(driver.press("r") == [])

        _ = driver.press(keys: [.escape, .enter])
        #expect(driver.dashboard.state.focus == .detail)
    }

    @Test func aTaskThatEndedAndLingersIsFilteredWithTheActiveOnes() {
        var driver = Driver(.full, 120, 36)
        let url = "https://img.example/paper-moons.webp"
        let end = TaskEnd(task: TaskID(950), url: url, outcome: .success, receipts: 1)
        _ = driver.send(.events([PipelineEvent(seq: 950, t: .seconds(61), kind: .taskFinished(end))], lost: 0))
        func isShown() -> Bool {
            driver.text.split(separator: "\n").contains { $0.hasPrefix("│ ✓ paper-moons.webp") }
        }
        #expect(isShown(), "\(driver.text)")
        _ = driver.press("/moons")
        #expect(isShown() && driver.text.contains("1 row matches"), "\(driver.text)")
        #expect(!driver.text.contains("no row matches"))

        _ = driver.press("zzz")
        #expect(!isShown() && driver.text.contains("0 rows match"), "\(driver.text)")
        #expect(driver.text.contains("no row matches /moonszzz"))

        _ = driver.press(keys: [.escape])
        #expect(isShown())
    }

    @Test func whereOnlyTasksThatEndedAreHiddenTheListSaysSoToo() {
        var driver = Driver(.empty, 120, 36)
        let end = TaskEnd(task: TaskID(950), url: "https://img.example/a.webp", outcome: .success, receipts: 1)
        _ = driver.send(.events([PipelineEvent(seq: 950, t: .seconds(61), kind: .taskFinished(end))], lost: 0))
        _ = driver.press("/zzz")
        #expect(driver.text.contains("no row matches /zzz"), "\(driver.text)")
    }

    @Test func theQueueSaysSoOnceAllOfItWasSeen() {
        var driver = filtered("zzz", "2")
        var snapshot = Scene.full.snapshot
        (snapshot.queued, snapshot.queuedMatches, snapshot.isFiltering) = ([], 0, true)
        _ = driver.send(.snapshot(snapshot))
        #expect(!driver.text.contains("no row matches"))
        snapshot.isFiltering = false
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains("no row matches /zzz · Esc shows all"))
        _ = driver.press("8")
        #expect(driver.text.contains("2 queued 0/38"))
    }
}
