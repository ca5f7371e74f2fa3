import SluiceCore
import Testing

@testable import SluiceUI

/// Events that say more than their rows have room for, and have no detail.
struct EventTextTests {
    private static let message =
        "2 requests begun for /home/u/other go on here without their partial files: quit and use --dir /home/u/other"
        + " to go on with them"

    private static let warning = PipelineEvent.Kind.warning(code: .otherDirectory, message: message, task: nil)

    /// With the newest event under the cursor.
    private func driver(_ width: Int, _ height: Int, _ kind: PipelineEvent.Kind = Self.warning) -> Driver {
        var scene = Scene.full
        scene.add(61, kind)
        var driver = Driver(scene, width, height)
        _ = driver.press("4")
        return driver
    }

    private func isOpen(_ driver: Driver) -> Bool {
        if case .event = driver.dashboard.state.mode { true } else { false }
    }

    @Test(arguments: [(40, 8), (60, 16), (80, 24), (120, 36), (200, 50)])
    func aWarningIsReadToItsEnd(width: Int, height: Int) {
        var driver = driver(width, height)
        #expect(driver.press(keys: [.enter]) == [])
        var text = driver.text
        #expect(text.contains("warned other directory") && text.contains("Esc closes"), "\(text)")
        _ = driver.press("G")
        text += driver.text
        for word in Self.message.split(separator: " ") { #expect(text.contains(word), "\(word): \(text)") }
    }

    @Test(arguments: [Key.escape, .enter, .character("q"), .control("c")]) func anyKeyForThatClosesIt(key: Key) {
        var driver = driver(80, 24)
        _ = driver.press(keys: [.enter])
        #expect(isOpen(driver))
        #expect(driver.press("xd") == [] && isOpen(driver), "other keys are for nothing that is in sight")
        #expect(driver.press(keys: [key]) == [])
        #expect(driver.dashboard.state.mode == .lists && driver.dashboard.state.focus == .events)
        #expect(driver.dashboard.state.quitArmedUntil == nil && !driver.dashboard.state.hasQuit)
        #expect(!driver.text.contains("Esc closes"))
    }

    @Test func theKeyIsNamed() {
        var driver = driver(80, 24)
        #expect(driver.hints.contains("⏎ whole text"), "\(driver.hints)")
        _ = driver.press(keys: [.enter])
        #expect(driver.hints.contains("Esc close") && !driver.hints.contains("scroll"), "\(driver.hints)")
    }

    @Test func whatIsLongerThanTheBoxScrolls() {
        let long = (1...90).map { "word\($0)" }.joined(separator: " ")
        var driver = driver(40, 8, .warning(code: .state, message: long, task: nil))
        _ = driver.press("m")
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("word1 ") && !driver.text.contains("word90"), "\(driver.text)")
        _ = driver.press("j")
        #expect(!driver.text.contains("word1 ") && driver.text.contains("2–"), "\(driver.text)")
        _ = driver.send(.mouse(Mouse(.wheelUp, x: 5, y: 3)))
        #expect(driver.text.contains("word1 "))
        _ = driver.press(keys: [.pageDown, .end])
        #expect(driver.text.contains("word90"), "\(driver.text)")
        _ = driver.press("jg")
        #expect(driver.text.contains("word1 ") && driver.text.contains("1–"))
    }

    @Test func whyARequestWasRefusedIsReadToo() {
        let rest = String(repeating: "x", count: 90)
        let error = DownloadError(.badURL, "no \u{1B}[2J port has that number, \(rest)")
        let url = "https://a.example:99999/" + String(repeating: "y", count: 90) + "/end.png"
        var submission = Submission(url: url, outcome: .rejected, why: .rejected(error), origin: .prompt)
        submission.error = error
        var driver = driver(80, 24, .requestSubmitted(submission))
        #expect(driver.hints.contains("⏎ whole text"))
        _ = driver.press(keys: [.enter])
        let text = driver.text
        for part in ["rejected end.png", "https://a.example:99999/", "/end.png", "no ^[[2J port has that number,"] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test(arguments: [(39, 8), (40, 7)]) func whereThereIsNoRoomTheRowOfThePromptSaysIt(width: Int, height: Int) {
        var driver = driver(width, height)
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.mode == .lists)
        #expect(driver.text.contains("2 requests begun for"), "\(driver.text)")
    }

    @Test(arguments: [(30, 5), (40, 4), (20, 1)]) func aWindowThatShrinksKeepsItsKeys(width: Int, height: Int) {
        var wide = driver(80, 24)
        _ = wide.press(keys: [.enter])
        var driver = Driver(wide.dashboard, width, height)
        #expect(driver.text.contains("2 requests begun"), "\(driver.text)")
        _ = driver.press("jG")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.mode == .lists)
    }

    @Test func aPasteIsTakenAllTheSame() {
        var driver = driver(80, 24)
        _ = driver.press(keys: [.enter])
        _ = driver.send(.paste("https://a.example/x.png"))
        #expect(driver.dashboard.state.mode == .prompt)
        #expect(driver.dashboard.state.prompt.editor.text == "https://a.example/x.png")
    }

    @Test func whereLinesAreTypedNoBoxIsOpened() {
        var dashboard = PlainDashboard(Scene.configuration())
        var scene = Scene.empty
        scene.add(61, Self.warning)
        let told = dashboard.handle(.events(scene.events, lost: 0), now: Scene.now).lines
        #expect(told.contains { $0.contains("warned other directory: 2 requests begun") }, "\(told)")
        _ = dashboard.typed(":focus events", now: Scene.now)
        let lines = dashboard.typed(":detail", now: Scene.now).lines
        #expect(lines.first?.hasPrefix("2 requests begun") == true, "\(lines)")
        #expect(dashboard.typed("status", now: Scene.now).lines.count > 1, "words are heard still")
    }

    @Test(arguments: [
        ("otherDirectory", "other directory"), ("diskFull", "disk full"), ("state", "state"), ("", ""), ("TLS", "TLS"),
    ])
    func aCodeIsShownInWords(code: String, words: String) {
        #expect(EventSentence.words(of: code) == words)
    }

    @Test func itIsFoundByWhatTheRowSays() {
        var driver = driver(80, 24)
        _ = driver.press("/other dir")
        #expect(driver.text.contains("1 row matches"), "\(driver.text)")
    }
}
