import SluiceCore
import Testing

@testable import SluiceUI

/// Changing what a task asks for: its URL, its rate, its priority.
struct RequestKeyTests {
    @Test func theURLOfATaskIsEditedInThePrompt() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("e") == [])
        #expect(driver.dashboard.state.prompt.editor.text == ":url https://img.nasa.example/hi/dunes-4096.jpg")
        #expect(driver.text.contains("run › :url https://img.nasa.example/hi/dunes-4096.jpg"))
        _ = driver.press("?token=2")
        #expect(
            driver.press(keys: [.enter]) == [
                "saveHistory 1", "replaceURL 1 https://img.nasa.example/hi/dunes-4096.jpg?token=2",
            ]
        )
        #expect(driver.dashboard.state.mode == .lists)
    }

    @Test func whatRunsForNobodyHasNoOtherURL() {
        var scene = Scene.full
        scene.snapshot.active[0].receipts = 0
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("e") == [])
        #expect(driver.text.contains("nobody is left for dunes-4096.jpg: add the other URL with a"), "\(driver.text)")
        #expect(driver.dashboard.state.mode == .lists)
    }

    @Test func theTaskStaysTheOneThatTheLineBeganWith() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("je")
        var snapshot = Scene.full.snapshot
        snapshot.active.swapAt(0, 1)
        snapshot.active.removeLast()
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press(keys: [.control("u")])
        #expect(driver.dashboard.state.prompt.editor.text == ":url ", "it is that command still")
        #expect(driver.text.contains("⏎ run") && !driver.text.contains("⏎ add"))
        _ = driver.press("b.example/new.png")
        #expect(driver.press(keys: [.enter]).last == "replaceURL 2 https://b.example/new.png")
        #expect(driver.run("url b.example/x") == ["replaceURL 2 https://b.example/x"], "now the selected one's")
        _ = driver.press("e")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.prompt.subject == nil)
    }

    @Test func aURLInThePlaceOfTheOneThatWasCutIsForTheTask() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("je")
        _ = driver.press(keys: [.control("u")])
        _ = driver.press("https://b.example/new.png")
        #expect(driver.press(keys: [.enter]).last == "replaceURL 2 https://b.example/new.png")
        #expect(driver.dashboard.state.prompt.history.lines.last == ":url https://b.example/new.png")

        _ = driver.press("e")
        _ = driver.press(keys: [.control("u")])
        _ = driver.press("https://b.example/[1-4].png")
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.text.contains("one URL can follow"), "\(driver.text)")
    }

    @Test func ofTheLineOnlyTheURLIsCut() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("je")
        _ = driver.press(keys: [.control("u")])
        #expect(driver.text.contains("run › :url ") && driver.text.contains("go on with another URL"), "\(driver.text)")
        _ = driver.press("nonsense")
        #expect(driver.press(keys: [.enter]) == [])
        _ = driver.press(keys: [.control("u")])
        #expect(driver.dashboard.state.prompt.editor.text == ":url ", "as it was before it was refused")

        _ = driver.press(keys: [.control("u")])
        #expect(driver.dashboard.state.prompt.editor.isEmpty && driver.dashboard.state.prompt.subject == nil)
        #expect(driver.enter("https://b.example/new.png") == ["submit 1 prompt"], "no task's any more")
    }

    @Test func aURLBehindTheColonAloneIsSaidAsItIsTaken() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("je")
        _ = driver.press(keys: [.control("u")])
        _ = driver.press(":https://b.example/new.png")
        #expect(driver.dashboard.state.prompt.editor.text == ":https://b.example/new.png", "a colon begins anew")
        #expect(driver.text.contains("⏎ goes on with new.png"), "\(driver.text)")
        #expect(!driver.text.contains("no such command"))
        #expect(driver.press(keys: [.enter]).last == "replaceURL 2 https://b.example/new.png")
    }

    @Test func withoutATaskAURLBehindAColonIsAdded() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(":https://b.example/new.png")
        #expect(driver.text.contains(" 1 URL") && !driver.text.contains("goes on with"), "\(driver.text)")
        #expect(!driver.text.contains("no such command"))
        #expect(driver.press(keys: [.enter]) == ["saveHistory 1", "submit 1 prompt"])
        #expect(driver.dashboard.state.mode == .lists)
    }

    @Test func whatIsWrongWithAURLBehindAColonIsSaid() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.enter(":https://b.example/[1-") == [])
        let problem = driver.dashboard.state.prompt.problem
        #expect(problem?.message == "[1- lacks its ]; a [ that is meant itself is %5B")
        #expect(driver.dashboard.state.prompt.editor.text == ":add https://b.example/[1-")
        #expect(problem?.place == 5, "under the URL")
    }

    @Test func aFailedTaskGoesOnUnderAnotherURL() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("8j")
        #expect(driver.text.contains("e edit URL"))
        _ = driver.press("e")
        #expect(driver.dashboard.state.prompt.editor.text == ":url https://maps.example/old-map.png")
        _ = driver.press(keys: [.backspace])
        #expect(driver.press(keys: [.enter]).last == "replaceURL 77 https://maps.example/old-map.pn")
        #expect(!driver.dashboard.state.news.failed.contains(TaskID(77)), "it is tried again, so it is no failure now")
        #expect(driver.press("e") == [])
        #expect(driver.text.contains("only what runs, waits or failed"))
    }

    @Test func whatIsNoURLOrHasNoTaskIsRefusedWithTheTextKept() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.run("url nonsense") == [])
        #expect(driver.text.contains("one URL can follow: https://site.example/a.jpg"))
        _ = driver.press(keys: [.control("u")])
        _ = driver.press(":url https://a.example/[1-4].jpg")
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.text.contains("one URL can follow"))
        var empty = Driver(.empty, 80, 24)
        #expect(empty.run("url https://a.example/x") == [])
        #expect(empty.text.contains("no task is selected that could go on"))
        _ = empty.press(keys: [.control("u"), .escape])
        #expect(empty.run("limit 1M") == [])
        #expect(empty.text.contains("no task is selected that runs or waits"))
    }

    @Test(arguments: [(0, "now none of its own"), (204_800, "now 200 KiB/s")])
    func thePromptTellsTheLimitThatIsThere(rate: Int, words: String) {
        var scene = Scene.full
        scene.snapshot.active[0].rateLimit = rate
        var driver = Driver(scene, 120, 36)
        _ = driver.press("L")
        #expect(driver.text.contains(words), "\(driver.text)")
        _ = driver.press(keys: [.escape, .escape])
        _ = driver.press("  L")
        #expect(!driver.text.contains(words), "of several there is no one limit: \(driver.text)")
    }

    @Test func oneTaskOrASelectionIsLimited() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.run("limit 200K") == ["steer setRate(204800) [1]"])
        #expect(driver.text.contains("dunes-4096.jpg limited to 200 KiB/s"))
        #expect(driver.run("limit 0") == ["steer setRate(0) [1]"])
        #expect(driver.text.contains("dunes-4096.jpg has no limit of its own"))
        _ = driver.press("  L")
        #expect(driver.dashboard.state.prompt.editor.text == ":limit ")
        _ = driver.press("1M")
        #expect(driver.press(keys: [.enter]).last == "steer setRate(1048576) [1, 2]")
        #expect(driver.run("limit fast") == [])
        #expect(driver.text.contains("a size a second can follow"))
    }

    /// The full scene without the tasks that ended.
    private func snapshot(without tasks: Set<Int>) -> PipelineSnapshot {
        var snapshot = Scene.full.snapshot
        snapshot.active.removeAll { tasks.contains($0.task.rawValue) }
        return snapshot
    }

    @Test func aLimitIsForTheTaskThatItsKeyWasPressedOn() {
        var scene = Scene.full
        scene.snapshot.active[1].rateLimit = 102_400
        var driver = Driver(scene, 120, 36)
        _ = driver.press("jL")
        var moved = scene.snapshot
        var row = moved.active.remove(at: 1)
        row.state = .queued(position: 1)
        moved.queued.insert(row, at: 0)
        moved.queuedCount += 1
        _ = driver.send(.snapshot(moved))
        #expect(driver.text.contains("iss069e0031.png now 100 KiB/s"), "\(driver.text)")
        _ = driver.press("20")
        _ = driver.send(.paste("K"))
        #expect(driver.press(keys: [.enter]).last == "steer setRate(20480) [2]")
        #expect(driver.dashboard.state.message?.text == "iss069e0031.png limited to 20 KiB/s")
    }

    @Test func aTaskThatEndedWhileItsLimitWasTypedHandsItToNoOther() {
        var driver = Driver(.full, 120, 36)
        _ = driver.run("slots 4")
        _ = driver.press("jL20K")
        // A look at older lines brings it back as it was.
        _ = driver.press(keys: [.up, .down])
        _ = driver.send(.snapshot(snapshot(without: [2])))
        #expect(driver.press(keys: [.enter]).filter { $0.hasPrefix("steer") } == [])
        #expect(driver.dashboard.state.message?.text == "iss069e0031.png ended meanwhile")
        #expect(driver.dashboard.state.prompt.editor.isEmpty && driver.dashboard.state.mode == .lists)
        #expect(driver.run("limit 20K").last == "steer setRate(20480) [3]", "typed, it is for the row that is seen")
        #expect(driver.dashboard.state.message?.text == "kraków-rynek.webp limited to 20 KiB/s")
    }

    @Test func whatWasSelectedForALimitHandsItToNoOther() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("  L20K")
        _ = driver.send(.snapshot(snapshot(without: [1, 2])))
        #expect(driver.press(keys: [.enter]).filter { $0.hasPrefix("steer") } == [])
        #expect(driver.dashboard.state.message?.text == "what was selected ended meanwhile")
    }

    /// Of a long queue only some rows are known: the pipeline is asked for the one that the limit is for.
    @Test(arguments: [false, true]) func inALongQueueALimitIsForALivingTaskOnly(lives: Bool) {
        var scene = Scene.full
        scene.fillQueue(100_000)
        var driver = Driver(scene, 80, 24)
        _ = driver.press("jL20K")
        #expect(driver.inspected == "inspect 2+0")
        var moved = scene.snapshot
        let row = moved.active.remove(at: 1)
        if lives { moved.inspected = TaskFacts(row, key: row.url, claims: [], policy: .protocol) }
        _ = driver.send(.snapshot(moved))
        let steered = driver.press(keys: [.enter]).filter { $0.hasPrefix("steer") }
        #expect(steered == (lives ? ["steer setRate(20480) [2]"] : []))
        let words = lives ? "limited to 20 KiB/s" : "ended meanwhile"
        #expect(driver.dashboard.state.message?.text == "iss069e0031.png \(words)")
        #expect(driver.inspected == "inspect -+0", "it is looked at no longer")
    }

    @Test(arguments: [[Key.escape], [.control("u")]]) func aLineThatWasLeftIsForNoTaskAnyMore(keys: [Key]) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("L")
        _ = driver.press(keys: keys)
        #expect(driver.dashboard.state.prompt.limited == nil)
    }

    @Test func aPriorityIsToldWithTheNameOfItsTask() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.run("priority high") == ["steer setPriority(SluiceCore.Priority.high) [1]"])
        #expect(driver.dashboard.state.message?.text == "priority of dunes-4096.jpg is high")
        // One that is selected has the command, wherever the cursor is.
        _ = driver.press("2 j")
        _ = driver.run("priority low")
        #expect(driver.dashboard.state.message?.text == "priority of orion-nebula-hubble.tif is low")
    }

    @Test func whatACommandSaidIsNoAnswerToTheNext() {
        var driver = Driver(.full, 120, 36, prompt: true)
        _ = driver.run("slots 6")
        #expect(driver.text.contains("maxActive is 6"))
        _ = driver.run("focus queued")
        #expect(!driver.text.contains("maxActive is 6"), "\(driver.text)")
    }

    @Test func theQueueIsLimitedAndRaisedInOneStep() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2")
        _ = driver.press(keys: [.control("a")])
        #expect(driver.run("limit 1M") == ["steer setRate(1048576) all"])
        #expect(driver.run("priority high") == ["steer setPriority(SluiceCore.Priority.high) all"])
        #expect(driver.text.contains("priority is high"))
        #expect(driver.run("priority urgent") == [])
        #expect(driver.text.contains("high, low or normal can follow"))
    }

    @Test func theLimitOfATaskStandsInItsDetail() {
        var scene = TaskDetailTests.inspected
        scene.snapshot.inspected?.row.rateLimit = 204_800
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("200 KiB/s of its own · L changes it"))
    }
}

/// Themes that change while the dashboard runs.
struct ThemeCommandTests {
    private func dashboard(_ theme: ThemeChoice = .dark) -> Dashboard {
        var configuration = Scene.configuration()
        configuration.theme = theme
        configuration.ownThemes = [.own(Palette.dark.changed(name: "sea", roles: [.focus: 201], gradients: [:]))]
        var dashboard = Dashboard(configuration)
        _ = dashboard.handle(.resized(width: 80, height: 24), now: Scene.now)
        _ = dashboard.handle(.snapshot(Scene.full.snapshot), now: Scene.now)
        _ = dashboard.handle(.key(.escape), now: Scene.now)
        return dashboard
    }

    private func run(_ command: String, _ dashboard: inout Dashboard) -> [String] {
        let keys = (":" + command).map { Key.character($0) } + [.enter]
        return keys.flatMap { dashboard.handle(.key($0), now: Scene.now) }.map(Driver.name)
            .filter { !$0.hasPrefix("saveHistory") && $0 != "probe" }
    }

    private func focusColor(_ dashboard: inout Dashboard) -> Int32? {
        let frame = dashboard.frame(width: 80, height: 24, now: Scene.now)
        return frame.canvas.cells.first { $0.character == "╭" }?.style.foreground
    }

    private func text(_ dashboard: inout Dashboard) -> String {
        dashboard.frame(width: 80, height: 24, now: Scene.now).canvas.text
    }

    @Test func aThemeIsPutOnAtOnce() {
        var dashboard = dashboard()
        #expect(focusColor(&dashboard) == 114)
        #expect(run("theme light", &dashboard) == [])
        #expect(dashboard.frameDue(now: Scene.now).map { $0 <= Scene.now } == true)
        #expect(focusColor(&dashboard) == 22)
        #expect(text(&dashboard).contains("theme is light"))
        #expect(run("theme sea", &dashboard) == [])
        #expect(focusColor(&dashboard) == 201, "one of the user's own")
        #expect(run("theme mono", &dashboard) == [])
        #expect(focusColor(&dashboard) == -1)
        #expect(run("theme dark", &dashboard) == [])
        #expect(focusColor(&dashboard) == 114)
    }

    @Test func theGroundIsAskedForOnceItMatters() {
        var dashboard = dashboard()
        #expect(run("theme auto", &dashboard) == ["askForGround"])
        _ = dashboard.handle(.ground(isLight: true), now: Scene.now)
        #expect(focusColor(&dashboard) == 22)
        #expect(run("theme dark", &dashboard) == [])
        #expect(run("theme auto", &dashboard) == [], "what it said once holds")
        #expect(focusColor(&dashboard) == 22)
        var started = self.dashboard(.auto)
        #expect(run("theme contrast", &started) == [], "it was asked at the start")
    }

    @Test func aThemeForAnotherGroundSaysHowToFollowIt() {
        var dashboard = dashboard(.auto)
        for (isLight, name, other) in [(false, "light", "dark"), (true, "sea", "light")] {
            _ = dashboard.handle(.ground(isLight: isLight), now: Scene.now)
            #expect(run("theme \(name)", &dashboard) == [])
            let sentence = "theme is \(name), and the ground is \(other); :theme auto follows it"
            #expect(text(&dashboard).contains(sentence))
            for fitting in [other, "contrast", "mono", "auto"] {
                #expect(run("theme \(fitting)", &dashboard) == [])
                #expect(text(&dashboard).contains("theme is \(fitting)"))
                #expect(!text(&dashboard).contains("the ground is"), "\(fitting)")
            }
        }
        var silent = self.dashboard()
        #expect(run("theme light", &silent) == [])
        #expect(text(&silent).contains("theme is light, made for a light ground; :theme auto asks for it"))
    }

    @Test func anUnknownThemeNamesThemAll() {
        var dashboard = dashboard()
        #expect(run("theme sae", &dashboard) == [])
        #expect(text(&dashboard).contains("there is no theme sae, but auto dark light contrast mono sea"))
        #expect(focusColor(&dashboard) != 201)
        for _ in 0..<3 { _ = dashboard.handle(.key(.backspace), now: Scene.now) }
        #expect(dashboard.handle(.key(.enter), now: Scene.now).count == 1)
        #expect(text(&dashboard).contains("theme is dark; there are also auto light contrast mono sea"))
    }

    @Test func tabCompletesTheName() {
        var dashboard = dashboard()
        for key in ":theme se".map({ Key.character($0) }) + [.tab] { _ = dashboard.handle(.key(key), now: Scene.now) }
        #expect(dashboard.state.prompt.editor.text == ":theme sea")
    }
}
