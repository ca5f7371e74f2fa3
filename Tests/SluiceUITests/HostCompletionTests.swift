import Testing

@testable import SluiceUI

/// Hosts that Tab completes.
struct HostCompletionTests {
    @Test func aHostHasTheSchemeThatItWasLastUsedWith() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        for line in ["https://old.example/1", "http://old.example/2", "https://olive.example/3"] {
            _ = driver.enter(line)
        }
        _ = driver.press("old")
        _ = driver.press(keys: [.tab])
        #expect(driver.dashboard.state.prompt.editor.text == "http://old.example/")
        _ = driver.press(keys: [.control("u")])
        _ = driver.press("ol")
        _ = driver.press(keys: [.tab])
        #expect(driver.dashboard.state.prompt.editor.text == "ol", "of both the schemes differ")
        _ = driver.press(keys: [.tab])
        #expect(driver.dashboard.state.prompt.editor.text == "https://olive.example/")
        _ = driver.press(keys: [.tab])
        #expect(driver.dashboard.state.prompt.editor.text == "http://old.example/")
    }

    @Test("what hosts of different schemes have in common is not a part of theirs", arguments: ["p", "h", "t", "P"])
    func aLetterOfASchemeStaysAsItIs(typed: String) {
        var driver = Driver(.empty, 80, 24, prompt: true)
        for host in ["p", "h", "t"] {
            _ = driver.enter("http://\(host)a.example/1")
            _ = driver.enter("https://\(host)b.example/2")
        }
        _ = driver.press(typed)
        _ = driver.press(keys: [.tab])
        #expect(driver.dashboard.state.prompt.editor.text == typed)
    }
}
