import SluiceCore
import Testing

@testable import SluiceUI

/// What is said of trying again: only what can be done where it is said.
struct RetryWordTests {
    private static let failed: Scene = {
        var scene = Scene.full
        let lost = DownloadError(.connectionLost, "the server hung up")
        scene.failed(55, "https://tiles.example/tile_9.png", lost, task: 78)
        return scene
    }()

    /// As a recording shows it.
    private static func recorded(_ scene: Scene) -> Driver {
        var dashboard = scene.dashboard(120, 36)
        dashboard.update { state in
            let time = Scene.now - Scene.start
            state.replay = ReplayFacts(name: "events.jsonl", position: time, length: time, speed: 1, count: 9)
        }
        return Driver(dashboard, 120, 36)
    }

    @Test(arguments: [("f8", "the server hung up · F8 retries"), ("", "the server hung up  ")])
    func aFailureNamesTheKeyThatItIs(key: String, words: String) throws {
        var configuration = Scene.configuration()
        configuration.keys = try KeyMap([KeyChange(action: "retry", keys: key.isEmpty ? [] : [key], line: 1)])
        var driver = Driver(Dashboard(configuration), 120, 36)
        _ = driver.send(.resized(width: 120, height: 36))
        _ = driver.send(.events(Self.failed.events, lost: 0))
        _ = driver.send(.snapshot(Self.failed.snapshot))
        #expect(driver.text.contains(words), "\(driver.text)")
        #expect(!driver.text.contains("r retries"))
    }

    @Test func whereLinesAreTypedTheWordIsNamed() {
        var dashboard = PlainDashboard(Scene.configuration())
        let lines = dashboard.handle(.events(Self.failed.events, lost: 0), now: Scene.now).lines
        let words = "failed tile_9.png: the server hung up · retry tries again."
        #expect(lines.contains { $0.hasSuffix(words) }, "\(lines)")
        #expect(dashboard.typed(":zoom", now: Scene.now).lines == ["this is for the preview only."])
    }

    @Test func whereNobodyTypesNoWordIsNamed() {
        var dashboard = PlainDashboard(Scene.configuration(), takesLines: false)
        let lines = dashboard.handle(.events(Self.failed.events, lost: 0), now: Scene.now).lines
        #expect(lines.contains { $0.hasSuffix("failed tile_9.png: the server hung up.") }, "\(lines)")
    }

    @Test func aRecordingOffersNothingForWhatFailed() {
        var driver = Self.recorded(Self.failed)
        #expect(driver.text.contains("the server hung up") && !driver.text.contains("retries"), "\(driver.text)")
        _ = driver.press("9")
        #expect(driver.text.contains(" 1 of 2 ─"), "\(driver.text)")
        for words in ["r retry", "R all", "d forget", "e edit URL"] {
            #expect(!driver.text.contains(words), "\(driver.text)")
        }
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("✗ failed") && driver.text.contains("The server hung up."), "\(driver.text)")
        #expect(!driver.text.contains("tries again"), "\(driver.text)")
    }

    @Test func whatFailedIsNotSaidToBeSaved() {
        for isRecorded in [false, true] {
            var driver = isRecorded ? Self.recorded(Self.failed) : Driver(Self.failed, 120, 36)
            _ = driver.press(keys: [.character("8"), .enter])
            #expect(driver.text.contains("✗ failed"), "\(driver.text)")
            #expect(!driver.text.contains("saves to") && !driver.text.contains("memory cache only"), "\(driver.text)")
        }
    }
}
