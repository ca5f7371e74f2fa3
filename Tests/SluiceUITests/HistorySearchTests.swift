import SluiceCore
import Testing

@testable import SluiceUI

/// Looking for a line of the prompt's history: what is said of it, and that Enter adds only what was found.
struct HistorySearchTests {
    private static let draft = "https://b.example/x https://c.example/y"

    /// With three lines in the history, and a half-typed one.
    private func searching() -> Driver {
        var driver = Driver(.full, 120, 36, prompt: true)
        for line in ["http://a.example/1", "http://b.example/2", "http://a.example/3"] { _ = driver.enter(line) }
        _ = driver.press(Self.draft)
        _ = driver.press(keys: [.control("r")])
        return driver
    }

    @Test func theHintsAreThoseOfTheSearch() {
        var driver = searching()
        #expect(driver.hints.hasPrefix(" ⏎ add  ^R older  Esc leave search  "), "\(driver.hints)")
        #expect(!driver.hints.contains("^C"), "which leaves it too, and clears nothing")
        _ = driver.press("a.ex")
        #expect(driver.hints.contains("^R older"))
        _ = driver.press(keys: [.control("r")])
        #expect(!driver.hints.contains("older"), "there is none: \(driver.hints)")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.prompt.editor.text == Self.draft)
        #expect(driver.hints.contains("^C clear"))
    }

    @Test func aCommandThatWasFoundIsRun() {
        var driver = Driver(.full, 120, 36, prompt: true)
        _ = driver.enter(":order lifo")
        _ = driver.press("a")
        _ = driver.press(keys: [.control("r"), .character("l")])
        #expect(driver.hints.contains("⏎ run"), "\(driver.text)")
    }

    @Test func whatNoLineHasIsSaidAndTheDraftIsNotAdded() {
        var driver = searching()
        _ = driver.press("zzz")
        #expect(driver.text.contains("no such line so far") && !driver.text.contains("2 URLs"), "\(driver.text)")
        #expect(driver.hints.hasPrefix(" ⏎ edit line  Esc leave search  "), "\(driver.hints)")

        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.dashboard.state.prompt.editor.text == Self.draft)
        #expect(driver.text.contains("2 URLs") && driver.hints.contains("^C clear"), "\(driver.text)")
        #expect(driver.press(keys: [.enter]).contains("submit 2 prompt"))
    }

    @Test func aLineThatWasFoundByLessIsNotAddedForMore() {
        var driver = searching()
        _ = driver.press("b.ex")
        #expect(driver.dashboard.state.prompt.editor.text == "http://b.example/2")
        _ = driver.press("zzz")
        #expect(driver.text.contains("no such line so far"), "\(driver.text)")
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.dashboard.state.prompt.editor.text == "http://b.example/2", "to be edited")
    }
}
