import SluiceCore
import Testing

@testable import SluiceUI

struct MouseTests {
    private func driver(_ width: Int = 120, _ height: Int = 36) -> Driver {
        var driver = Driver(.full, width, height)
        #expect(driver.press("m") == ["mouse on"])
        _ = driver.text
        return driver
    }

    /// Clicks on the first cell of `text`.
    private func click(_ text: String, _ driver: inout Driver, _ kind: Mouse.Kind = .press) -> [String] {
        let rows = driver.text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let y = rows.firstIndex(where: { $0.contains(text) }), let range = rows[y].firstRange(of: text) else {
            Issue.record("\(text) is not on the screen")
            return []
        }
        let x = TextWidth.columns(of: rows[y][..<range.lowerBound])
        return driver.send(.mouse(Mouse(kind, x: x, y: y)))
    }

    @Test func itIsOffUntilItIsSwitchedOn() {
        var driver = Driver(.full, 120, 36)
        _ = driver.text
        _ = click("2 queued", &driver)
        #expect(driver.dashboard.state.focus == .active)
        #expect(driver.press("mm") == ["mouse on", "mouse off"])
    }

    @Test(arguments: [(120, 36), (60, 10)])
    func aClickSelectsAnImageOfTheGalleryAndAnotherOpensIt(width: Int, height: Int) {
        var driver = driver(width, height)
        _ = driver.press("I")
        #expect(driver.text.contains("1 of 6"))
        _ = click("iss069e0031.png", &driver)
        #expect(driver.text.contains("2 of 6") && driver.dashboard.state.pictures.gallery != nil)
        _ = click("iss069e0031.png", &driver)
        #expect(driver.dashboard.state.focus == .detail && driver.dashboard.state.detail.task == TaskID(2))
    }

    @Test func aClickSelectsAndAnotherOpens() {
        var driver = driver()
        _ = click("iss069e0031.png", &driver)
        #expect(driver.press("x") == ["abort 2"])
        _ = click("iss069e0031.png", &driver)
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.dashboard.state.inspectedTask == TaskID(2))
    }

    /// A list may put the row that was clicked elsewhere: the second click of two is for it all the same.
    @Test func aDoubleClickOpensTheRowThatItsFirstOneSelected() throws {
        var scene = Scene.full
        for number in 1...60 {
            let url = "https://img.example/photo-\(number).jpg"
            scene.add(55, .taskFinished(TaskEnd(task: TaskID(900 + number), url: url, outcome: .success, receipts: 1)))
        }
        var driver = Driver(scene, 80, 24)
        _ = driver.press("m88G")
        let names = driver.text.split(separator: "\n").compactMap {
            $0.firstMatch(of: /photo-\d+\.jpg/).map { String($0.0) }
        }
        let name = names[1]
        let rows = driver.text.split(separator: "\n", omittingEmptySubsequences: false)
        let y = try #require(rows.firstIndex { $0.contains(name) })
        _ = driver.send(.mouse(Mouse(.press, x: 6, y: y)))
        #expect(driver.text.split(separator: "\n", omittingEmptySubsequences: false)[y].contains(name) == false)
        _ = driver.send(.mouse(Mouse(.press, x: 6, y: y)))
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.dashboard.state.inspectedURL == "https://img.example/\(name)")
    }

    @Test func rowsOfEveryListCanBeClicked() {
        var driver = driver()
        _ = click("tile_0_1_7.png", &driver)
        #expect(driver.dashboard.state.queueCursor.position == 3)
        _ = click("old-map.png", &driver)
        #expect(driver.dashboard.state.focus == .events)
        #expect(driver.press("r") == ["retry 77"])
        _ = driver.press("8")
        _ = click("old-map.png", &driver)
        #expect(driver.dashboard.state.focus == .finished)
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(77))
        _ = click("3 cache", &driver)
        #expect(driver.dashboard.state.focus == .cache)
    }

    @Test(arguments: [(120, 36), (80, 24)]) func aClickOnTheNameOfAListShowsIt(width: Int, height: Int) {
        var driver = driver(width, height)
        _ = driver.press("2")
        _ = click(width < 100 ? "8 ended" : "8 finished", &driver)
        #expect(driver.dashboard.state.focus == .finished)
        _ = click("9 failed", &driver)
        #expect(driver.dashboard.state.focus == .failed)
        _ = driver.press("a")
        _ = click("2 queued", &driver)
        #expect(driver.dashboard.state.focus == .queued && driver.dashboard.state.mode == .lists)
    }

    @Test func theWheelScrollsWhereItPoints() {
        var driver = driver()
        _ = click("2 queued", &driver, .wheelDown)
        #expect(driver.dashboard.state.queueCursor.position == 4)
        _ = click("2 queued", &driver, .wheelUp)
        #expect(driver.dashboard.state.queueCursor.position == 1)
    }

    @Test func hintsAndThePromptCanBeClicked() {
        var driver = driver()
        _ = click("mouse on:", &driver)
        #expect(driver.dashboard.state.mode == .prompt)
        _ = click("1 active", &driver)
        #expect(driver.dashboard.state.mode == .lists)
        #expect(click("P pause all", &driver) == ["pauseAll"])
    }

    @Test func theHintsOfThePromptDoThereWhatTheirKeysDo() {
        var driver = driver()
        _ = driver.press("ahttps://a.example/1.jpg")
        #expect(click("⏎ add", &driver).contains("submit 1 prompt"))
        #expect(driver.dashboard.state.prompt.editor.isEmpty)
        _ = click("↑ history", &driver)
        #expect(driver.dashboard.state.prompt.editor.text == "https://a.example/1.jpg")
        _ = click("^U clear", &driver)
        #expect(driver.dashboard.state.prompt.editor.isEmpty)
        _ = driver.press(":ord")
        _ = click("Tab complete", &driver)
        #expect(driver.dashboard.state.prompt.editor.text.hasPrefix(":order"))
        _ = driver.press(keys: [.control("r")])
        _ = click("Esc leave search", &driver)
        #expect(driver.dashboard.state.mode == .prompt && driver.dashboard.state.prompt.search == nil)
        _ = click("Esc keys", &driver)
        #expect(driver.dashboard.state.mode == .lists)
    }

    @Test func aSearchEndsWithThePromptThatItWasIn() {
        var driver = driver()
        _ = driver.press("a")
        _ = driver.press(keys: [.control("r")])
        _ = click("1 active", &driver)
        _ = driver.press(":order")
        #expect(driver.dashboard.state.prompt.editor.text == ":order")
    }

    @Test func anotherClickOnAnEventOpensItsTask() {
        var driver = driver()
        _ = click("failed     old-map.png", &driver)
        #expect(driver.dashboard.state.focus == .events)
        _ = click("failed     old-map.png", &driver)
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.dashboard.state.inspectedTask == TaskID(77))
    }
}
