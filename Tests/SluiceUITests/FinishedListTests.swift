import SluiceCore
import Testing

@testable import SluiceUI

/// The list of what ended, in the place of the queue.
struct FinishedListTests {
    @Test func digitEightShowsWhatEndedInThePlaceOfTheQueue() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("8")
        #expect(driver.text.contains("8 finished"))
        #expect(driver.text.contains("andes-night.jpg"))
        #expect(driver.text.contains("badStatus"))
        _ = driver.press("2")
        #expect(!driver.text.contains("─ 8 finished"))
    }

    @Test func theTitleCountsWhatStandsFailedAsTheHeaderDoes() {
        var scene = Scene.full
        scene.failed(54.5, "http://a/1", DownloadError(.timedOut, "slow"), task: 501)
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8")
        #expect(driver.text.contains("✗ 2 failed") && driver.text.contains("212 done · 2 failed ─╮"), "\(driver.text)")
        _ = driver.run("forget all")
        #expect(!driver.text.contains("✗ 2 failed") && driver.text.contains("212 done ─╮"), "\(driver.text)")
    }

    @Test func theListKeepsItsRowWhenMoreEnd() {
        var scene = Scene.full
        for number in 0..<30 {
            scene.failed(54.5, "http://a/\(number)", DownloadError(.timedOut, "slow"), task: 500 + number)
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8jjj")
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(526))
        var more = Scene()
        more.failed(60, "http://a/x", DownloadError(.timedOut, "slow"), task: 900)
        _ = driver.send(.events(more.events, lost: 0))
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(526))
        #expect(driver.press("r") == ["retry 526"])
    }

    /// The first row is the newest one's until somebody goes to it, in both lists that grow there.
    @Test(arguments: ["8", "4"], ["gg", "home", "j k", "pgup"])
    func theFirstRowIsHeldOnceTheCursorWentThere(list: String, keys: String) {
        var driver = Driver(.full, 120, 36)
        func end(_ task: Int) {
            let end = TaskEnd(task: TaskID(task), url: "http://a/\(task)", outcome: .cancelled, receipts: 1)
            let news = PipelineEvent(seq: 9_000 + task, t: .seconds(61), kind: .taskFinished(end))
            _ = driver.send(.events([news], lost: 0))
        }
        _ = driver.press(list)
        end(901)
        let pressed = keys == "gg" ? [Key.character("g"), .character("g")] : []
        _ = driver.press(keys: pressed + keys.split(separator: " ").compactMap { Key(name: String($0)) })
        end(902)
        #expect(driver.press("r") == ["retry 901"])
        // Back at the top, once more is for the newest, whichever that will be.
        _ = driver.press("gggg")
        end(903)
        #expect(driver.press("r") == ["retry 903"])
    }

    /// The time of its last transfer is not that of all bytes.
    @Test func whatWasContinuedSaysHowMuchItsLastTransferBrought() {
        var scene = Scene.empty
        var head = ResponseHead(status: 206, finalURL: "http://a.example/dune.bin")
        head.fields = [HeaderField("Content-range", "bytes 409600-511999/512000")]
        scene.add(2, .taskChanged(TaskDetailTests.start(of: 5, url: "http://a.example/dune.bin")))
        scene.add(3, .taskResponse(TaskID(5), head, source: .network))
        var end = TaskEnd(task: TaskID(5), url: "http://a.example/dune.bin", outcome: .success, receipts: 1)
        (end.bytes, end.file) = (512_000, "/tmp/dunes-of-the-west.bin")
        end.timings = TaskEnd.Timings(queued: .zero, transfer: TransferTimings(total: .milliseconds(1_900)))
        scene.add(5, .taskFinished(end))
        var wide = Driver(scene, 200, 50)
        #expect(wide.text.contains("500 KiB, the last 100 KiB in 1.9 s"), "\(wide.text)")
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8")
        #expect(driver.text.contains("saved, the rest in 1.9 s"), "\(driver.text)")
    }

    /// Nothing but its name is known: its file is asked for a picture then.
    @Test(arguments: [("a.PNG", true), ("a.iso", false)]) func aPictureOfAnEarlierSessionIsShown(
        name: String,
        has: Bool
    ) {
        var driver = Driver(.empty, 120, 36)
        _ = driver.send(.earlier([known(name, 2_000)]))
        _ = driver.press("8")
        #expect(driver.dashboard.state.previewSubject?.hasPicture == has)
        #expect(driver.dashboard.state.nameWithoutPicture == (has ? nil : name))
        guard has else { return }
        // Alone on the screen, and beside what is known of it.
        _ = driver.press("i")
        #expect(driver.dashboard.state.focus == .preview)
        #expect(driver.dashboard.state.previewSubject?.hasPicture == true)
        _ = driver.press(keys: [.escape, .enter])
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.dashboard.state.previewSubject?.hasPicture == true)
    }

    /// What earlier sessions saved stands behind all that ended in this one, with all keys for files.
    @Test func filesOfEarlierSessionsAreListedToo() {
        var driver = Driver(.empty, 120, 36)
        _ = driver.send(.earlier([known("older.iso", 2_000), known("newer.iso", 4_096)]))
        #expect(driver.text.contains("8 finished 2"), "\(driver.text)")
        _ = driver.press("8")
        let rows = driver.text.split(separator: "\n").filter { $0.contains("✓ ") }
        #expect(rows.prefix(2).allSatisfy { $0.contains("saved in an earlier session") }, "\(driver.text)")
        #expect(rows.count >= 2 && rows[0].contains("newer.iso") && rows[1].contains("older.iso"), "\(driver.text)")
        #expect(driver.press("o") == ["open /home/me/newer.iso"])
        #expect(driver.press("jo") == ["open /home/me/older.iso"])
        // It has nothing of a task: nobody can try it again, nor delete it here.
        #expect(driver.press("r") == [] && driver.text.contains("neither failed nor"))
        #expect(driver.press("D") == [] && driver.text.contains("only files of this session"))
        #expect(!driver.text.contains("D delete"))
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("older.iso") && driver.text.contains("in an earlier session"), "\(driver.text)")
        #expect(driver.text.contains("https://b.example/older.iso") && !driver.text.contains("#1234abcd"))
        _ = driver.press(keys: [.escape])

        var scene = Scene()
        scene.failed(1, "http://a/new", DownloadError(.timedOut, "slow"), task: 1)
        _ = driver.send(.events(scene.events, lost: 0))
        #expect(driver.dashboard.state.selectedEnded?.name == "older.iso", "the cursor stays at its row")
        _ = driver.press(keys: [.home])
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(1), "the newest first")
        _ = driver.press("/earlier")
        #expect(driver.dashboard.state.shownEndedCount == 2)
    }

    @Test func keysThatWouldRefuseTheSelectedRowsAreNotOffered() {
        var driver = Driver(.empty, 200, 50)
        _ = driver.send(.earlier([known("older.iso", 2_000)]))
        var scene = Scene()
        scene.failed(1, "http://a/1", DownloadError(.timedOut, "slow"), task: 1)
        var end = TaskEnd(task: TaskID(2), url: "https://b.example/new.iso", outcome: .success, receipts: 1)
        end.file = "/home/me/new.iso"
        scene.add(2, .taskFinished(end))
        _ = driver.send(.events(scene.events, lost: 0))
        let words = ["o open", "D delete file", "r retry"]
        /// Those that are offered after these keys.
        func hints(_ keys: [Key]) -> [String] {
            _ = driver.press(keys: keys)
            let line = driver.hints
            return words.filter { line.contains($0) }
        }
        #expect(hints([.character("8"), .home, .character("j"), .character(" ")]) == ["r retry"], "what failed")
        #expect(hints([.character(" ")]) == ["o open", "r retry"], "and what another session saved")
        #expect(hints([.home, .character(" ")]) == words, "and what this one saved")
        #expect(hints([.escape, .end, .character("v")]) == ["o open"], "a range of the old one")
        #expect(hints([.home]) == words, "a range of all")
    }

    @Test func rowsThatGoWithAFailureAreNamedToo() {
        let error = DownloadError(.badStatus, "404", status: 404)
        var scene = Scene()
        scene.failed(1, "http://a/1", error, task: 1)
        for task in 2...3 {
            scene.add(1, .taskFinished(TaskEnd(task: TaskID(task), url: "http://a/", outcome: .success, receipts: 1)))
        }
        scene.snapshot.failed = [.init(url: "http://a/1", error: error, until: Scene.now + .seconds(60))]
        scene.snapshot.failedCount = 1
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8   d")
        #expect(driver.text.contains("3 rows taken away, 1 failed URL forgotten"), "\(driver.text)")
        #expect(driver.text.contains("What ended stands here"))
    }

    /// A file stands there once, whoever saved it last, and whether that was before or after the list of old ones came.
    @Test(arguments: [false, true]) func aFileThatIsSavedAgainStandsThereOnce(isLate: Bool) {
        func saved(_ task: Int, _ name: String) -> AppEvent {
            var end = TaskEnd(task: TaskID(task), url: "https://b.example/\(name)", outcome: .success, receipts: 1)
            end.file = "/home/me/\(name)"
            var scene = Scene()
            scene.add(1, .taskFinished(end))
            return .events(scene.events, lost: 0)
        }
        let earlier = AppEvent.earlier(["a.iso", "b.iso", "c.iso"].map { known($0, 2_000) })
        var driver = Driver(.empty, 120, 36)
        _ = driver.press("8")
        for event in isLate ? [saved(1, "b.iso"), earlier] : [earlier, saved(1, "b.iso")] { _ = driver.send(event) }
        func names() -> [String] {
            let state = driver.dashboard.state
            return (0..<state.shownEndedCount).compactMap { state.endedRow(at: $0)?.name }
        }
        #expect(names() == ["b.iso", "c.iso", "a.iso"])
        #expect(driver.dashboard.state.endedRow(at: 0)?.isEarlier == false)

        _ = driver.press("jj")
        #expect(driver.dashboard.state.selectedEnded?.name == "a.iso")
        _ = driver.send(saved(2, "c.iso"))
        #expect(names() == ["c.iso", "b.iso", "a.iso"])
        #expect(driver.dashboard.state.selectedEnded?.name == "a.iso", "the cursor stays at its row")
        _ = driver.press(" ")
        #expect(driver.dashboard.state.selectedCount(in: .finished) == 1)
        _ = driver.send(saved(3, "a.iso"))
        #expect(names() == ["a.iso", "c.iso", "b.iso"])
        #expect(driver.dashboard.state.selectedEnded?.name == "b.iso", "the next that stays, which is the last one")
        #expect(driver.dashboard.state.selectedCount(in: .finished) == 0, "what was selected is no row any more")
        // Two tasks of this session are two rows.
        _ = driver.send(saved(4, "a.iso"))
        #expect(names() == ["a.iso", "a.iso", "c.iso", "b.iso"])
    }

    private func known(_ name: String, _ size: Int) -> KnownFile {
        let file = SavedFile(path: "/home/me/\(name)", size: size, modified: 1)
        return KnownFile(key: "https://b.example/\(name) #1234abcd", directory: "/home/me", file: file)
    }

    @Test(arguments: ["88", "99"]) func aHostIsNamedAsItWasWhileTheTaskRan(keys: String) {
        var scene = Scene.full
        scene.failed(55, "http://127.0.0.1:18733/tile.png", DownloadError(.timedOut, ""), task: 501)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys)
        let row = driver.text.split(separator: "\n").first { $0.contains("tile.png") } ?? ""
        #expect(row.contains(" 127.0.0.1 "), "\(driver.text)")
    }

    @Test(arguments: [
        ("http://127.0.0.1:18733/x", "127.0.0.1"), ("https://[::1]:8443/x", "::1"), ("https://[::1]/x", "::1"),
        ("https://a.example", "a.example"), ("https://a.example:443?x=1:2", "a.example"),
    ])
    func aHostHasNoPortInAList(url: String, host: String) {
        #expect(URLText.hostName(of: url) == host)
    }

    @Test func whatWasAbortedIsTriedAgainOnce() {
        var scene = Scene.full
        for task in [901, 902, 903] {
            let outcome: Outcome = task == 903 ? .success : .cancelled
            scene.add(
                55,
                .taskFinished(TaskEnd(task: TaskID(task), url: "http://h/\(task)", outcome: outcome, receipts: 1))
            )
        }
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("8r").filter { $0.hasPrefix("retry") } == [])
        #expect(driver.text.contains("neither failed nor been cancelled"))
        let rows = driver.text.split(separator: "\n").filter { $0.contains("⊘ 90") }
        #expect(!rows.isEmpty && rows.allSatisfy { $0.contains(" cancelled ") }, "\(driver.text)")
        #expect(driver.press("jr") == ["retry 902"])
        #expect(driver.text.contains("trying 902 again"))
        #expect(driver.press("r") == [] && driver.text.contains("it was tried again already"))
        _ = driver.press("  ")
        #expect(driver.press("r") == ["retry 901"], "what is selected and was not tried again")
        #expect(driver.text.contains("trying 1 cancelled task again"), "\(driver.text)")
    }

    /// A filter looks at the words of the rows, in both lists that tell what ended.
    @Test(arguments: [
        ("saved", 901), ("loaded", 902), ("memory", 902), ("404", 903), ("badstatus", 903), ("failed", 903),
        ("aborted", 904), ("cancelled", 904), ("kept", 905),
    ]) func aFilterLooksAtWhatIsDrawn(text: String, task only: Int) {
        var scene = Scene.full
        for task in 901...905 {
            let outcome: Outcome = task == 903 ? .failed : task == 904 ? .cancelled : .success
            var end = TaskEnd(task: TaskID(task), url: "http://h/\(task)", outcome: outcome, receipts: 1)
            if [901, 905].contains(task) { (end.file, end.isFileUnchanged) = ("/d/1", task == 905) }
            if task == 903 { end.error = DownloadError(.badStatus, "the server answered 404", status: 404) }
            scene.add(55, .taskFinished(end))
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8/" + text)
        _ = driver.press(keys: [.enter])
        let state = driver.dashboard.state
        let shown = (0..<state.shownEndedCount).compactMap { state.endedRow(at: $0)?.end.task.rawValue }
        #expect(shown.filter { $0 > 900 } == [only])
        for age in 0..<state.news.log.count {
            guard case .taskFinished(let end) = state.news.log[age: age].kind, end.task.rawValue > 900 else { continue }
            let isMatch = ListFilter(text).matches(state.news.log[age: age].searchText)
            #expect(isMatch == (end.task.rawValue == only), "task \(end.task.rawValue)")
        }
    }

    /// As in the failed list: what is taken away there is forgotten, also where a filter leaves few rows.
    @Test func aFailureThatIsTakenAwayIsForgotten() {
        var scene = Scene.full
        for number in 1...3 {
            scene.failed(54.5, "http://a/\(number)", DownloadError(.badStatus, "404", status: 404), task: 500 + number)
        }
        scene.snapshot.failed = [
            PipelineSnapshot.Failed(
                url: "http://a/2",
                error: DownloadError(.badStatus, "404", status: 404),
                until: Scene.now + .seconds(60)
            )
        ]
        scene.snapshot.failedCount = 1
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8/http://a/")
        _ = driver.press(keys: [.enter])
        let count = driver.dashboard.state.failedCount
        func takesAway() -> [String] { driver.press("d").filter { $0.hasPrefix("forget") } }
        _ = driver.press("j")
        #expect(takesAway() == ["forget http://a/2"])
        #expect(driver.text.contains("forgotten: lists may ask for it again"), "\(driver.text)")
        #expect(driver.dashboard.state.failedCount == count - 1)
        #expect(driver.dashboard.state.shownEndedCount == 2)
        _ = driver.press(keys: [.control("a")])
        #expect(takesAway() == ["forget http://a/3", "forget http://a/1"])
        #expect(driver.text.contains("2 failed URLs forgotten"))
    }

    /// The row of a failure that was tried again says nothing of the newer one.
    @Test func anOlderRowOfAURLForgetsNothing() {
        var scene = Scene.full
        let error = DownloadError(.badStatus, "404", status: 404)
        scene.failed(54.5, "http://a/1", error, task: 501)
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("8r").last == "retry 501")
        var more = Scene()
        more.failed(60, "http://a/1", error, task: 502)
        _ = driver.send(.events(more.events, lost: 0))
        _ = driver.press("gg")
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(502))
        #expect(!driver.press("jd").contains { $0.hasPrefix("forget") })
        #expect(driver.dashboard.state.news.failed.contains(TaskID(502)))
    }

    /// Filtered, in reverse, and without a row that was taken away.
    @Test func bracketsOfADetailFollowTheListAsItIsShown() {
        var scene = Scene.full
        for task in 501...504 { scene.failed(54.5, "http://a/\(task)", DownloadError(.timedOut, ""), task: task) }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8jd/http://a/")
        _ = driver.press(keys: [.enter])
        _ = driver.press("Sgg")
        _ = driver.press(keys: [.enter])
        func turn(_ keys: String) -> Int? {
            _ = driver.press(keys)
            return driver.dashboard.state.inspectedTask?.rawValue
        }
        #expect(turn("") == 501)
        #expect(turn("]") == 502)
        #expect(turn("]") == 504, "503 was taken away")
        #expect(turn("]") == 504, "what the filter hides does not follow")
        #expect(turn("[") == 502)
    }

    @Test func bracketsOfADetailFollowTheListToItsEnd() {
        var scene = Scene.full
        for task in 1...1_500 {
            scene.failed(54.5, "http://a/\(task)", DownloadError(.timedOut, ""), task: 1_000 + task)
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8G")
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.inspectedTask == TaskID(77))
        _ = driver.press("]")
        #expect(driver.dashboard.state.inspectedTask == TaskID(77))
        _ = driver.press("[")
        #expect(driver.dashboard.state.inspectedTask == TaskID(90))
    }

    @Test func whereTheRowOfADetailIsGoneBracketsGoToThoseAroundIt() {
        var scene = Scene.full
        for number in 1...3 {
            var end = TaskEnd(task: TaskID(900 + number), url: "http://a/", outcome: .success, receipts: 1)
            end.file = "/d/\(number)"
            scene.add(55, .taskFinished(end))
        }
        for (key, task) in [("]", 901), ("[", 903)] {
            var driver = Driver(scene, 120, 36)
            _ = driver.press("8j")
            _ = driver.press(keys: [.enter])
            var more = Scene()
            more.add(60, .warning(code: .fileDeleted, message: "/d/2", task: nil))
            _ = driver.send(.events(more.events, lost: 0))
            _ = driver.press(key)
            #expect(driver.dashboard.state.inspectedTask == TaskID(task))
        }
    }

    @Test func tenThousandAreKept() {
        var ended = EndedTasks()
        for number in 1...25_000 {
            _ = ended.append(TaskEnd(task: TaskID(number), url: "http://a/", outcome: .success, receipts: 1), t: .zero)
        }
        #expect(ended.count == EndedTasks.capacity)
        #expect(ended[age: 0].end.task == TaskID(25_000))
        #expect(ended[age: ended.count - 1].end.task == TaskID(15_001))
        #expect(ended.age(ofSeq: 25_000) == 0)
        #expect(ended.age(ofSeq: 1) == ended.count - 1, "forgotten ones are the oldest that is left")
    }
}
