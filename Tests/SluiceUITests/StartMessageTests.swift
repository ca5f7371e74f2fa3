import SluiceCore
import Testing

@testable import SluiceUI

/// What is said before anybody pressed a key.
struct StartMessageTests {
    private func configuration(restored: Int) -> DashboardConfiguration {
        var configuration = Scene.configuration()
        configuration.restoredCount = restored
        return configuration
    }

    private func driver(_ configuration: DashboardConfiguration) -> Driver {
        var dashboard = Dashboard(configuration)
        _ = dashboard.handle(.resized(width: 120, height: 36), now: Scene.start)
        return Driver(dashboard, 120, 36)
    }

    @Test func aRestoredQueueIsAnnounced() {
        var driver = driver(configuration(restored: 30_003))
        #expect(driver.text.contains("restored 30,003 requests · a adds URLs · --fresh starts empty"))
        _ = driver.press("j")
        #expect(!driver.text.contains("restored"), "as every sentence, it goes with a key")
    }

    @Test func oneRequestIsOne() {
        var driver = driver(configuration(restored: 1))
        #expect(driver.text.contains("restored 1 request · a adds URLs"))
    }

    @Test func itGoesByItself() {
        var driver = driver(configuration(restored: 2))
        driver.pass(.seconds(10))
        #expect(!driver.text.contains("restored"))
    }

    @Test func anEmptyStartSaysNothing() {
        #expect(driver(configuration(restored: 0)).dashboard.state.message == nil)
    }

    @Test func thePromptNeedsNoKeyToBeOpened() {
        var prompt = configuration(restored: 2)
        prompt.startsInPrompt = true
        #expect(driver(prompt).dashboard.state.message?.text.contains("a adds URLs") == false)
    }

    @Test(arguments: [(60, 16), (80, 24), (120, 36)]) func whatIsForAShellStandsApart(width: Int, height: Int) {
        var driver = Driver(.empty, width, height)
        #expect(driver.text.contains("in a shell: sluice demo  "), "\(driver.text)")
    }

    @Test func plainLinesSayItToo() {
        let lines = PlainDashboard(configuration(restored: 30_003)).greeting
        #expect(lines.last == "restored 30,003 requests of the last session · --fresh starts empty.")
    }

    @Test func whatIsWrongWithTheCommandLineGoesFirst() {
        var note = configuration(restored: 2)
        note.startNote = "[1-9] is asked for as it stands\u{1B}"
        var driver = driver(note)
        #expect(driver.text.contains("[1-9] is asked for as it stands^[ · restored 2 requests"))
    }
}
