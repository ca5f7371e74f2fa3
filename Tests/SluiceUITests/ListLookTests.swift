import Testing

@testable import SluiceUI

/// What the prompt says of a list while its name is typed.
struct ListLookTests {
    private func driver(typing text: String, _ width: Int = 120, _ height: Int = 36) -> Driver {
        var driver = Driver(.empty, width, height, prompt: true)
        _ = driver.press(text)
        return driver
    }

    @Test(arguments: [
        (ListLook.lines(urls: 3, others: 0, isWhole: true), "1 list, 3 URLs in it"),
        (.lines(urls: 1, others: 0, isWhole: true), "1 list, 1 URL in it"),
        (.lines(urls: 20, others: 2, isWhole: true), "1 list, 20 URLs in it, 2 no URL"),
        (.lines(urls: 19_000, others: 0, isWhole: false), "1 list, at least 19,000 URLs in it"),
        (.lines(urls: 0, others: 3_645, isWhole: false), "1 list, no URL in it: is it a list?"),
        (.lines(urls: 0, others: 0, isWhole: true), "1 list, 0 URLs in it"),
        (.trouble("no such file"), "1 list, no such file"), (.trouble("a folder"), "1 list, a folder"),
        (.trouble("e\u{1B}[2J"), "1 list, e^[[2J"), (.unknown, "1 list"),
    ]) func itSaysWhatIsInIt(look: ListLook, words: String) {
        var driver = driver(typing: "@l")
        #expect(driver.looks == ["look @l"])
        #expect(driver.text.contains("1 list") && !driver.text.contains("1 list,"))
        #expect(driver.send(.listLook(path: "l", look)) == [])
        #expect(driver.text.contains(words), "\(driver.text)")
        #expect(driver.press(keys: [.enter]).first == "readList l", "what Enter does is as ever")
    }

    @Test func oneLookIsUnderWayAtATime() {
        var driver = driver(typing: "@list")
        #expect(driver.looks == ["look @l"], "with each key a slow disk would have one more to answer")
        _ = driver.send(.listLook(path: "l", .trouble("no such file")))
        #expect(driver.looks == ["look @l", "look @list"])
        #expect(!driver.text.contains("no such file"), "that was of another name")
        _ = driver.send(.listLook(path: "list", .lines(urls: 7, others: 0, isWhole: true)))
        #expect(driver.text.contains("7 URLs in it"))
        _ = driver.press(keys: [.backspace])
        _ = driver.press("t")
        #expect(driver.looks.suffix(2) == ["look @list", "look @lis"], "and anew for who comes back")
        _ = driver.send(.listLook(path: "nothing", .trouble("no such file")))
        #expect(!driver.text.contains("no such file"))
    }

    @Test func aNameThatTabCompletedIsLookedUpAtOnce() {
        var driver = driver(typing: "@lis")
        _ = driver.send(.listLook(path: "l", .unknown))
        _ = driver.send(.listLook(path: "lis", .trouble("no such file")))
        #expect(driver.press(keys: [.tab]) == ["readFolder "])
        _ = driver.send(.folder(path: "", names: ["list.txt", "other.txt"]))
        #expect(driver.dashboard.state.prompt.editor.text == "@list.txt")
        #expect(driver.looks.last == "look @list.txt")
        #expect(!driver.text.contains("no such file"), "that was of another name")
        _ = driver.send(.listLook(path: "list.txt", .lines(urls: 1, others: 0, isWhole: true)))
        #expect(driver.text.contains("1 list, 1 URL in it"), "\(driver.text)")
    }

    @Test func severalListsAreCountedTogether() {
        var driver = driver(typing: "https://a.example/x @a @b")
        _ = driver.send(.listLook(path: "a", .lines(urls: 2, others: 0, isWhole: true)))
        _ = driver.send(.listLook(path: "b", .lines(urls: 3, others: 1, isWhole: true)))
        #expect(driver.text.contains("1 URL, 2 lists, 5 URLs in it, 1 no URL"), "\(driver.text)")
    }

    @Test func oneOfSeveralThatIsNoListIsNamed() {
        var driver = driver(typing: "https://a.example/x @a @pic.png", 200, 50)
        _ = driver.send(.listLook(path: "a", .lines(urls: 2, others: 1, isWhole: true)))
        _ = driver.send(.listLook(path: "pic.png", .lines(urls: 0, others: 3_645, isWhole: false)))
        let words = "1 URL, 2 lists, 2 URLs in it, 1 no URL, no URL in pic.png: is it a list?"
        #expect(driver.text.contains(words), "\(driver.text)")
    }

    @Test(arguments: [(40, 8), (60, 16), (80, 24)]) func smallScreensSayItInFewSigns(width: Int, height: Int) {
        var driver = driver(typing: "@l", width, height)
        _ = driver.send(.listLook(path: "l", .lines(urls: 43_210, others: 0, isWhole: true)))
        #expect(driver.text.contains("43,210"), "\(driver.text)")
    }
}
