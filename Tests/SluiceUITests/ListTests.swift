import SluiceCore
import Testing

@testable import SluiceUI

struct SelectionTests {
    @Test func whatIsSelectedIsSteeredTogether() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("  x") == ["steer abort [1, 2]"])
        #expect(driver.text.contains("2 tasks aborted"))
        #expect(driver.press("x") == ["abort 3"], "nothing is selected any more")
    }

    @Test func aRangeFollowsTheCursorAndCanBeFrozen() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2vjj")
        #expect(driver.text.contains("3 selected"))
        #expect(driver.press("p") == ["steer pause all between 100 and 102"])
        _ = driver.press("vj j")
        #expect(driver.text.contains("4 selected"))
        #expect(driver.press("U") == ["steer promote [100, 101, 102, 103]"])
        #expect(driver.press(keys: [.escape]) == [])
        #expect(!driver.text.contains("selected"))
    }

    @Test func everyRowOfALongQueueIsSelectedByItsFilter() {
        var scene = Scene.full
        scene.fillQueue(100_000)
        var driver = Driver(scene, 80, 24)
        _ = driver.press("2")
        #expect(driver.press(keys: [.control("a")]) == [])
        #expect(driver.text.contains("100,000 selected"))
        #expect(driver.press("xy") == ["steer abort all"], "so many are asked about")
    }

    @Test func theEndOfTheLevelIsReachedFromAnywhere() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("2B") == ["steer toEnd [100]"])
    }
}

struct FilterTests {
    @Test func typingNarrowsAtOnceAndEscapeShowsAllAgain() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("/iss")
        #expect(driver.text.contains("filter › iss") && driver.text.contains("1 row matches"))
        #expect(!driver.text.contains("dunes-4096.jpg") && driver.text.contains("iss069e0031.png"))
        _ = driver.press(keys: [.enter])
        #expect(driver.press("x") == ["abort 2"])
        #expect(driver.press(keys: [.escape]) == [])
        #expect(driver.text.contains("dunes-4096.jpg"))
        _ = driver.press("/!iss")
        #expect(driver.text.contains("4 rows match"))
    }

    @Test func theQueueIsFilteredByThePipeline() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("2/ti").last == "watch 1+65 /ti")
        var snapshot = Scene.full.snapshot
        snapshot.queued = Array(snapshot.queued[2...3])
        snapshot.queuedMatches = 2
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains("2 rows match") && driver.text.contains("3  tile_0_1_7.png"))
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.press("jx") == ["abort 103"])
        #expect(driver.press("n") == [], "all rows match: the next one is the first")
        #expect(driver.dashboard.state.queueCursor.position == 1)
        #expect(driver.press(keys: [.control("a"), .character("p")]) == ["steer pause all /ti"])
        #expect(driver.press(keys: [.escape, .escape]).last == "watch 1+65 ?ti", "all rows, of which n finds some")
    }

    @Test func theNextMatchInTheQueueIsFoundByThePipeline() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("2/map").last == "watch 1+65 /map")
        #expect(driver.press(keys: [.escape]).last == "watch 1+65 ?map")
        #expect(driver.press("n") == ["find 1 from 1"])
        var snapshot = Scene.full.snapshot
        snapshot.found = QueueSearch.Answer(serial: 1, position: 9)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.dashboard.state.queueCursor.position == 9)
        #expect(driver.press("N") == ["find 2 back from 9"])
        snapshot.found = QueueSearch.Answer(serial: 2, position: nil)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.dashboard.state.queueCursor.position == 9)
    }

    @Test func eventsAndFinishedTasksAreFilteredAndFound() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("4/old-map")
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("1 of 1"))
        #expect(driver.press("r") == ["retry 77"])
        _ = driver.press(keys: [.escape])
        _ = driver.press("8/andes")
        _ = driver.press(keys: [.escape])
        #expect(driver.press("n") == [])
        #expect(driver.dashboard.state.selectedEnded?.name == "andes-night.jpg")
    }
}

struct SortTests {
    @Test func aLetterSortsAndSReverses() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("s")
        #expect(driver.text.contains("sort › t time  n name"))
        _ = driver.press("n")
        #expect(driver.dashboard.state.activeRows.map(\.task.rawValue) == [1, 2, 3, 4, 9])
        _ = driver.press("S")
        #expect(driver.dashboard.state.activeRows.map(\.task.rawValue) == [4, 3, 2, 1, 9])
        #expect(driver.text.contains("by name, reversed"))
        _ = driver.press("sr")
        #expect(driver.dashboard.state.activeRows.map(\.task.rawValue) == [4, 3, 2, 1, 9], "the slowest first")
        #expect(driver.press("2s") == [])
        #expect(driver.text.contains("the queue stands in the order in which it starts"))
    }

    @Test func finishedTasksAreSortedOnceSomethingChanges() {
        var state = AppState(Scene.configuration())
        for (index, name) in ["b", "c", "a"].enumerated() {
            let end = TaskEnd(task: TaskID(index + 1), url: "http://x.example/\(name)", outcome: .success, receipts: 1)
            _ = state.news.ended.append(end, t: .zero)
        }
        state.refreshLists()
        #expect((0..<3).compactMap { state.endedRow(at: $0)?.seq } == [3, 2, 1])
        state[list: .finished].sort = .name
        state.refreshLists()
        #expect((0..<3).compactMap { state.endedRow(at: $0)?.end.url.last } == ["a", "b", "c"])
        state[list: .finished].isReversed = true
        state.refreshLists()
        #expect((0..<3).compactMap { state.endedRow(at: $0)?.end.url.last } == ["c", "b", "a"])
    }

    @Test(arguments: [(false, "bac"), (true, "abc")]) func whatShowsNoSizeStandsLast(isReversed: Bool, names: String) {
        var state = AppState(Scene.configuration())
        (state[list: .finished].sort, state[list: .finished].isReversed) = (.size, isReversed)
        let ends: [(String, Outcome, Int)] = [("a", .success, 5), ("b", .success, 7), ("c", .failed, 6)]
        for (index, (name, outcome, bytes)) in ends.enumerated() {
            var end = TaskEnd(task: TaskID(index + 1), url: "http://x.example/\(name)", outcome: outcome, receipts: 1)
            end.bytes = bytes
            _ = state.news.ended.append(end, t: .zero)
            state.refreshLists()
        }
        #expect(String((0..<3).compactMap { state.endedRow(at: $0)?.end.url.last }) == names)
    }
}

struct FileKeyTests {
    @Test func whoseURLsAreNotKnownHereIsSaid() {
        var scene = Scene.full
        scene.snapshot.queued = []
        scene.fillQueue(1_000)
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("2Y").last?.hasSuffix("/orion-nebula-hubble.tif") == true)
        _ = driver.press("v")
        _ = driver.press("j")
        let two = driver.press("Y").last ?? ""
        #expect(two.split(separator: "https://").count == 3, "the verb, and two: \(two)")
        _ = driver.press(keys: [.escape, .control("a")])
        let all = driver.press("Y").last ?? ""
        #expect(all.split(separator: "https://").count == 81)
        #expect(driver.text.contains("copied 80 of 1000 URLs"), "\(driver.text)")
    }

    private func finished() -> Driver {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("8")
        return driver
    }

    @Test func aSavedFileIsOpenedAndItsPathCopied() {
        var driver = finished()
        #expect(driver.press("o") == ["open /home/u/Pictures/andes-night.jpg"])
        #expect(driver.press("y") == ["copy /home/u/Pictures/andes-night.jpg"])
        #expect(driver.press("Y") == ["copy https://img.example/andes-night.jpg"])
        #expect(driver.press("jo") == ["dropPicture 1"], "a failed task has no file")
        #expect(driver.text.contains("no saved file here to open"))
        #expect(driver.press("1Y") == ["copy https://img.nasa.example/hi/dunes-4096.jpg"])
    }

    @Test func rowsAreTakenAwayAndFilesStay() {
        var driver = finished()
        #expect(driver.press("d") == ["dropPicture 1"])
        #expect(driver.dashboard.state.message?.text == "1 row removed, its file stays")
        #expect(driver.dashboard.state.shownEndedCount == 1)
        #expect(driver.dashboard.state.selectedEnded?.end.outcome == .failed)
        #expect(driver.press("1d") == [])
        #expect(driver.text.contains("x aborts a task"))
    }

    @Test func deletingAFileNamesItAndAsks() {
        var driver = finished()
        #expect(driver.press("D") == [])
        #expect(driver.text.contains("delete 1 file") && driver.text.contains("/home/u/Pictures/andes-night.jpg"))
        #expect(driver.press("n") == [])
        #expect(!driver.text.contains("delete 1 file"))
        #expect(driver.press("D") == [])
        #expect(driver.press(keys: [.enter]) == [] && driver.text.contains("delete 1 file"), "only y is yes")
        #expect(driver.press("y") == ["delete /home/u/Pictures/andes-night.jpg"])
        _ = driver.send(
            .events(
                [
                    PipelineEvent(
                        seq: 1_000,
                        t: .seconds(60),
                        kind: .warning(code: .fileDeleted, message: "/home/u/Pictures/andes-night.jpg", task: nil)
                    )
                ],
                lost: 0
            )
        )
        #expect(driver.dashboard.state.shownEndedCount == 1, "its row is gone with it")
        #expect(driver.dashboard.state.message?.text == "deleted andes-night.jpg")
    }

    @Test func filesThatAreDeletedTogetherAreCountedWheneverTheirEventsCome() {
        var driver = withFiles()
        func delete(_ numbers: [Int]) -> String? {
            var scene = Scene()
            for number in numbers { scene.add(60, .warning(code: .fileDeleted, message: "/d/\(number)", task: nil)) }
            _ = driver.send(.events(scene.events, lost: 0))
            return driver.dashboard.state.message?.text
        }
        _ = driver.press("vjjDy")
        #expect(driver.dashboard.state.message == nil, "nothing is deleted yet")
        #expect(delete([5]) == "deleted 5")
        #expect(delete([4, 3]) == "deleted 3 files")
        _ = driver.press("Dy")
        #expect(delete([2]) == "deleted 2")
    }

    @Test(arguments: [
        ("8vj", "2 rows removed, files stay"), ("8Gk ", "1 row removed, its file stays"),
        ("4 ", "1 row removed, its file stays"), ("4G", "1 row removed"),
        ("4jjjjjvj", "2 rows removed, 1 file stays"),
    ]) func rowsThatAreTakenAwaySayThatFilesStay(keys: String, words: String) {
        var driver = withFiles()
        _ = driver.press(keys + "d")
        #expect(driver.dashboard.state.message?.text == words)
    }

    /// Rows 905 to 901 with files `/d/5` to `/d/1`, above those of the full scene.
    private func withFiles() -> Driver {
        var scene = Scene.full
        for number in 1...5 { scene.add(54 + Double(number), .taskFinished(saved(number))) }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8")
        return driver
    }

    private func saved(_ number: Int) -> TaskEnd {
        let url = "https://a.example/\(number)"
        var end = TaskEnd(task: TaskID(900 + number), url: url, outcome: .success, receipts: 1)
        end.file = "/d/\(number)"
        return end
    }

    private func deletes(_ keys: String, _ driver: inout Driver) -> [String] {
        driver.press(keys).filter { $0.hasPrefix("delete") }
    }

    /// The next file that is deleted is the one that is seen under the cursor, wherever the focus was meanwhile.
    @Test(arguments: ["", "1"]) func afterAFileIsDeletedTheNextRowHasTheCursor(elsewhere: String) {
        var driver = withFiles()
        #expect(deletes("jjDy", &driver) == ["delete /d/3"])

        _ = driver.press(elsewhere)
        var more = Scene()
        more.add(60, .taskFinished(saved(6)))
        more.add(60, .warning(code: .fileDeleted, message: "/d/3", task: nil))
        _ = driver.send(.events(more.events, lost: 0))

        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(902))
        #expect(deletes("8Dy", &driver) == ["delete /d/2"])
    }

    @Test func afterSeveralFilesAreDeletedTheRowBelowThemHasTheCursor() {
        var driver = withFiles()
        #expect(deletes("jvjDy", &driver) == ["delete /d/4", "delete /d/3"])

        var more = Scene()
        for number in [4, 3] { more.add(60, .warning(code: .fileDeleted, message: "/d/\(number)", task: nil)) }
        _ = driver.send(.events(more.events, lost: 0))

        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(902))
    }

    @Test func theLimitOfAllIsTypedAsACommand() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("t")
        #expect(driver.text.contains("run › :limitRate"))
        _ = driver.press("1M")
        #expect(driver.press(keys: [.enter]).last == "set limitRate 1,048,576")
    }
}
