import SluiceCore
import Testing

@testable import SluiceUI

/// What people type who look for the way out, or for help.
struct WayOutTests {
    @Test(arguments: ["q", "wq", "exit", "quit"]) func habitsQuitAndAskFirst(name: String) {
        var driver = Driver(.full, 80, 24)
        #expect(driver.run(name) == [], "tasks are under way")
        #expect(driver.dashboard.state.quitArmedUntil != nil)
        #expect(driver.run(name) == [], "what was typed in between disarms")
        var idle = Driver(.empty, 80, 24)
        #expect(idle.run(name) == ["quit"])
    }

    @Test func withAnExclamationMarkNothingIsAsked() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.enter(":q!") == ["quit"])
    }

    @Test func theFirstLetterOfHelpHelps() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.enter(":h") == [])
        #expect(driver.dashboard.state.mode == .help(over: .lists))
    }

    @Test func habitsAreNoCommandsOfTheirOwn() {
        #expect(!CommandTable.all.contains { $0.name == "q" })
        #expect(CommandTable.definition(of: "q")?.name == "q")
        var driver = Driver(.full, 80, 24)
        _ = driver.press(":q!")
        #expect(driver.text.contains("quit without asking") && !driver.text.contains("no such command"))
    }

    @Test(arguments: ["q", "quit", "exit", "?", "help", ":", "Quit"])
    func thePromptSaysHowToLeaveIt(line: String) {
        var driver = Driver(.empty, 80, 24, prompt: true)
        #expect(driver.enter(line) == [])
        #expect(driver.text.contains("Esc leaves the prompt, then q quits and ? helps"), "\(driver.text)")
        #expect(driver.dashboard.state.mode == .prompt)
    }

    @Test func aColonFromTheListsGoesBackToThem() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.enter(":") == [])
        #expect(driver.dashboard.state.mode == .lists)
        #expect(!driver.text.contains("leaves the prompt"))
    }

    @Test func everySchemeThatIsNotSpokenIsNamed() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        #expect(driver.enter("magnet:?xt=urn:btih:abc") == [])
        #expect(driver.text.contains("only http, https, file and data are downloaded, not magnet:"))
    }

    @Test(arguments: [
        ("magnet:?xt", true), ("a:80", false), ("me:pw@h.example", false), ("c:", false), ("what", false),
    ])
    func aSchemeIsToldFromAHost(word: String, isScheme: Bool) {
        #expect(URLText.namesScheme(word) == isScheme)
    }

    @Test(arguments: [("sloots 4", "slots"), ("slots", "slots"), ("Oder lifo", "order")])
    func aCommandWithoutItsColonIsTold(line: String, command: String) {
        var driver = Driver(.empty, 80, 24, prompt: true)
        #expect(driver.enter(line) == [])
        let word = line.split(separator: " ")[0]
        let message = "no URL: \(word); commands begin with : as in :\(command)"
        #expect(driver.dashboard.state.prompt.problem?.message == message)
    }

    @Test(arguments: ["nonsense", "https://a.example slots", ":add slots"])
    func whereNoCommandCanStandNoneIsMeant(line: String) {
        var driver = Driver(.empty, 80, 24, prompt: true)
        #expect(driver.enter(line) == [])
        #expect(driver.dashboard.state.prompt.problem?.message.hasSuffix("; one begins with https://") == true)
    }

    @Test func clearingALineWithOnlyItsColonLeavesCommands() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(":order lifo")
        _ = driver.press(keys: [.control("u")])
        #expect(driver.dashboard.state.prompt.editor.text == ":", "the command is cut, and another may follow")
        _ = driver.press(keys: [.control("u")])
        #expect(driver.dashboard.state.prompt.editor.isEmpty)
        #expect(driver.enter("http://h.example/a.png") == ["submit 1 prompt"])
        #expect(driver.dashboard.state.mode == .prompt, "as with every URL")
    }
}
