import Testing

@testable import SluiceUI

/// Files that are dragged in or named without `@`.
struct PathTextTests {
    @Test(
        arguments: [
            ("/home/u/urls.txt", "/home/u/urls.txt"), ("'/home/u/my urls.txt' ", "/home/u/my urls.txt"),
            ("\"~/a b\"", "~/a b"), ("/home/u/my\\ urls.txt", "/home/u/my urls.txt"), ("./a", "./a"),
            ("../a.lst", "../a.lst"),
            ("file:///home/u/my%20urls.txt\n", "/home/u/my urls.txt"), ("FILE://localhost/a", "/a"), ("file:/a", "/a"),
            ("urls.txt", "urls.txt"), ("dir/URLS.TXT", "dir/URLS.TXT"), ("'my urls.txt'", "my urls.txt"),
            ("hello", nil), ("//a.example/x", nil), ("/", nil), ("see urls.txt", nil), ("a.example/urls.txt", nil),
            ("@urls.txt", nil), (":import urls.txt", nil), ("file://host/a", nil), ("file:///a%00b", nil),
            ("/a.txt /b.txt", nil), ("/x https://a.example/1", nil), ("/my urls.txt", "/my urls.txt"),
            ("'/a' '/b'", nil), ("/a\n/b", nil), ("https://a.example/urls.txt", nil), ("a.zip", nil),
        ] as [(String, String?)]
    )
    func aPathIsFoundHoweverItIsHandedOver(text: String, path: String?) {
        #expect(PathText.path(in: text) == path)
    }

    @Test(arguments: ["'/tmp/my urls.txt'", "file:///tmp/my%20urls.txt", "/tmp/my\\ urls.txt\n"], [false, true])
    func pastedItIsNamedAsAList(text: String, isPrompt: Bool) {
        var driver = Driver(.full, 120, 36)
        if isPrompt { _ = driver.press("a") }
        #expect(driver.send(.paste(text)) == [], "nothing is read before Enter")
        #expect(driver.dashboard.state.mode == .prompt)
        #expect(driver.dashboard.state.prompt.editor.text == "@/tmp/my urls.txt")
        #expect(driver.dashboard.state.message?.text == "Enter reads this file as a list of URLs")
        #expect(driver.looks == ["look @/tmp/my urls.txt"], "what is in it is told")
        #expect(driver.press(keys: [.enter]) == ["readList /tmp/my urls.txt", "saveHistory 1"])
    }

    @Test func behindWhatNamesAFileThePathIsBare() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("A")
        _ = driver.send(.paste("'/tmp/my urls.txt'"))
        #expect(driver.dashboard.state.prompt.editor.text == "@/tmp/my urls.txt")
        _ = driver.press(keys: [.control("u")])
        _ = driver.press(":import ")
        _ = driver.send(.paste("'/tmp/a'"))
        #expect(driver.dashboard.state.prompt.editor.text == ":import /tmp/a")
    }

    /// Typed it is copied, as it always was, and so it is where it is pasted to be typed.
    @Test func aPictureOfThisMachineStaysAURLAtThePrompt() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("a")
        _ = driver.send(.paste("file:///tmp/a.png"))
        #expect(driver.dashboard.state.prompt.editor.text == "file:///tmp/a.png")
    }

    @Test(arguments: [
        ("/tmp/urls.txt", "@/tmp/urls.txt"), ("'/tmp/my urls.txt'", "@/tmp/my urls.txt"), ("urls.txt", "@urls.txt"),
    ])
    func typedItIsToldHowAListIsRead(line: String, path: String) {
        var driver = Driver(.empty, 120, 36, prompt: true)
        #expect(driver.enter(line) == [])
        #expect(driver.text.contains("\(path) reads that file as a list of URLs"), "\(driver.text)")
        #expect(driver.dashboard.state.prompt.editor.text == line, "it is kept for fixing")
    }

    @Test(arguments: ["a@/tmp/urls.txt", "a@urls.txt"]) func noPathIsMadeOfWhatHasAnAt(line: String) {
        var driver = Driver(.empty, 120, 36, prompt: true)
        #expect(driver.enter(line) == [])
        #expect(driver.text.contains("no URL: ") && !driver.text.contains("@a@"), "\(driver.text)")
    }

    @Test(arguments: [
        "u:secret@h:z", "http://u:secret@h:z/", "https://a.example/b u:secret@h:z", ":add http://u:secret@h:z/",
    ]) func aRefusedLineIsAnsweredWithoutItsPassword(line: String) {
        var driver = Driver(.empty, 120, 36, prompt: true)
        #expect(driver.enter(line) == [])
        let problem = driver.dashboard.state.prompt.problem?.message ?? ""
        #expect(problem.contains("h:z") && !problem.contains("secret"), "\(problem)")
    }

    @Test func aCommandWithASlashIsStillACommand() {
        var driver = Driver(.empty, 120, 36, prompt: true)
        _ = driver.enter("/abort")
        #expect(driver.text.contains("commands begin with : as in :abort"), "\(driver.text)")
    }
}

/// The end of the input, which shells end by.
struct EndOfInputTests {
    @Test func itIsSaidOnceHowToQuit() {
        var driver = Driver(.empty, 120, 36, prompt: true)
        #expect(driver.press(keys: [.control("d")]) == [])
        #expect(driver.text.contains("Esc leaves the prompt, then q quits"), "\(driver.text)")
        _ = driver.press(keys: [.control("d")])
        #expect(driver.dashboard.state.prompt.problem == nil)
    }

    @Test func aLineIsOnlyEdited() {
        var driver = Driver(.empty, 120, 36, prompt: true)
        _ = driver.press("ab")
        _ = driver.press(keys: [.home, .control("d")])
        #expect(driver.dashboard.state.prompt.editor.text == "b" && driver.dashboard.state.prompt.problem == nil)
    }

    /// A mark that follows a `/` is one character with it, and no reason to show the folder.
    @Test(arguments: ["\u{301}acute.txt", "\u{FE0F}heart.txt", "\u{200D}x", "plain"])
    func aNameIsWhatStandsBehindTheLastSeparator(name: String) {
        let found = PathText.name(of: "/home/ann/dl/" + name)
        #expect(Array(found.utf8) == Array(name.utf8))
        #expect(PathText.parts(of: "a/" + name + "/b").count == 3)
        #expect(Array(URLText.name(of: "http://h/dl/" + name).utf8) == Array(name.utf8))
    }
}
