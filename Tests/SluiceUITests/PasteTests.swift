import SluiceCore
import Testing

@testable import SluiceUI

struct PasteTests {
    @Test func oneURLOpensThePrompt() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.send(.paste("see https://a.example/x.jpg.\n")) == [])
        #expect(driver.dashboard.state.mode == .prompt)
        #expect(driver.text.contains("add › https://a.example/x.jpg"))
        #expect(driver.press(keys: [.enter]) == ["submit 1 prompt", "saveHistory 1"])
    }

    @Test(arguments: [
        ("http://a/1", [DownloadRequest.Source.prompt]), ("http://a/1 http://a/2", [.promptLine, .promptLine]),
        ("http://a/[1-2]", [.promptLine, .promptLine]), ("http://a/1 @list.txt", [.promptLine]),
    ])
    func onlyAURLThatIsTypedAloneIsAWishToTryAgain(line: String, sources: [DownloadRequest.Source]) {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("a" + line)
        let effects = driver.dashboard.handle(.key(.enter), now: Scene.now)
        let submitted = effects.compactMap { effect -> [DownloadRequest]? in
            if case .pipeline(.submit(let requests)) = effect { requests } else { nil }
        }
        #expect(submitted.map { $0.map(\.source) } == [sources])
    }

    @Test func aPasteGoesWhereATextIsTyped() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("2/")
        #expect(driver.send(.paste("tile\n")).allSatisfy { !$0.hasPrefix("submit") })
        #expect(driver.dashboard.state.mode == .filter)
        #expect(driver.dashboard.state.filterEditor.text == "tile")
        #expect(driver.dashboard.state[list: .queued].filter.text == "tile")
        _ = driver.press(keys: [.escape])
        _ = driver.press("?/")
        #expect(driver.send(.paste("limit http://a.example/x")).isEmpty)
        #expect(driver.dashboard.state.help.editor.text == "limit http://a.example/x")
        #expect(driver.dashboard.state.help.isTyping && driver.dashboard.state.message == nil)
    }

    /// Nobody looks for several URLs at once.
    @Test(arguments: ["2/", "2/zzz", "?/", "a"]) func severalURLsAreQueuedWhereverATextIsTyped(keys: String) {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(keys)
        if keys == "a" { _ = driver.press(keys: [.control("r")]) }
        #expect(driver.send(.paste("http://a.example/1\nhttp://a.example/2\n")) == ["submit 2 paste"])
        #expect(driver.dashboard.state[list: .queued].filter.text == (keys == "2/zzz" ? "zzz" : ""))
        #expect(driver.text.contains("adding 2 URLs of the paste"), "\(driver.text)")
        #expect(driver.dashboard.state.mode == (keys == "a" ? .prompt : .lists))
    }

    @Test func aPasteIsLookedForInTheHistory() {
        var driver = Driver(.full, 80, 24, prompt: true)
        for line in ["http://a.example/1", "http://b.example/2"] { _ = driver.enter(line) }
        _ = driver.press(keys: [.control("r")])
        #expect(driver.send(.paste("http://a.")).isEmpty)
        #expect(driver.dashboard.state.prompt.search?.query == "http://a.")
        #expect(driver.dashboard.state.prompt.editor.text == "http://a.example/1")
    }

    @Test func oneURLIsInsertedIntoALine() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("a")
        _ = driver.press("http://b.example/1 ")
        #expect(driver.send(.paste("http://a.example/2\n")) == [])
        #expect(driver.press(keys: [.enter]) == ["submit 2 prompt", "saveHistory 1"])
    }

    @Test func urlsThatArePastedOneAfterTheOtherStayApart() {
        var driver = Driver(.full, 80, 24)
        _ = driver.send(.paste("http://h/one.png"))
        _ = driver.send(.paste("https://h/two.png\n"))
        #expect(driver.dashboard.state.prompt.editor.text == "http://h/one.png https://h/two.png")
        let done = driver.press(keys: [.enter])
        #expect(done == ["submit 2 prompt", "saveHistory 1"])
    }

    @Test(arguments: [
        ("http://h/a", true, "http://h/b http://h/a"), ("http://h/a", false, "http://h/a http://h/b"),
        ("http://h/a,", false, "http://h/a,http://h/b"), ("<>", true, "http://h/b <>"), ("<", false, "<http://h/b"),
        (":add ", false, ":add http://h/b"), (":x", false, ":xhttp://h/b"), ("@a", false, "@ahttp://h/b"),
        (":add http://h/a", false, ":add http://h/a http://h/b"), ("http://h/?u=", false, "http://h/?u=http://h/b"),
        ("http://h/?s=a==", false, "http://h/?s=a== http://h/b"),
        ("http://h/?s=a=", false, "http://h/?s=a= http://h/b"),
    ])
    func aPastedURLIsAWordOfItsOwn(line: String, isAtStart: Bool, whole: String) {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("a" + line)
        if isAtStart { _ = driver.press(keys: [.home]) }
        _ = driver.send(.paste("http://h/b"))
        #expect(driver.dashboard.state.prompt.editor.text == whole)
    }

    @Test func aURLAmongWordsIsPastedApartToo() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("ahttp://h/a")
        _ = driver.send(.paste("see http://h/b"))
        #expect(driver.dashboard.state.prompt.editor.text == "http://h/a see http://h/b")
    }

    @Test(arguments: [",", ";"]) func aCommaBeforeAURLEndsTheOneBefore(mark: String) {
        var driver = Driver(.full, 80, 24)
        let text = ["http://h/a1", "HTTPS://h/a2", "http://h/a,b;3"].joined(separator: mark)
        #expect(URLText.urls(in: text) == ["http://h/a1", "HTTPS://h/a2", "http://h/a,b;3"])
        #expect(driver.send(.paste(text)) == ["submit 3 paste"])
    }

    @Test func typedURLsNeedNoBlankBetweenThem() {
        let line = PromptLine("http://h/a1,http://h/a2;https://h/a3 http://h/b,c h.example/d,http://h/e")
        #expect(
            line.urls == [
                "http://h/a1", "http://h/a2", "https://h/a3", "http://h/b,c", "https://h.example/d", "http://h/e",
            ]
        )
        #expect(line.words.map(\.start) == [0, 12, 24, 37, 50, 62])
    }

    @Test(arguments: ["data:,http://h/a", "http://h/a?b,c", "http://h/{a,b}", "http://h/a,httpd"])
    func aCommaElsewhereStays(word: String) {
        #expect(PromptLine(word).words.map(\.text) == [word])
    }

    @Test func someURLsAreTakenAtOnce() {
        var driver = Driver(.full, 80, 24)
        let text = (1...20).map { "http://a.example/\($0)" }.joined(separator: "\n")
        #expect(driver.send(.paste(text)) == ["submit 20 paste"])
        #expect(driver.text.contains("adding 20 URLs of the paste"))
    }

    @Test func manyURLsAreTakenAfterEnter() {
        let text = (1...10_000).map { "<img src=\"https://a.example/\($0).jpg\">" }.joined(separator: "\n")
        var driver = Driver(.full, 80, 24)
        #expect(driver.send(.paste(text)) == [])
        #expect(driver.text.contains("10,000 URLs: add them?") && driver.text.contains("⏎ add them  Esc drop them"))
        #expect(!driver.text.contains("Enter adds"), "the keys stand below")
        #expect(driver.press("xj") == [])
        #expect(driver.press(keys: [.enter]) == ["submit 10000 paste"])
        _ = driver.send(.paste(text))
        #expect(driver.press(keys: [.escape, .enter]) == [])
        #expect(driver.dashboard.state.mode == .lists)
    }

    @Test func howManyOfADroppedPasteMergeIsNotToldOfTheLine() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("ahttp://b.example/1 ")
        _ = driver.send(.paste((1...30).map { "http://a.example/\($0)" }.joined(separator: "\n")))
        var snapshot = Scene.full.snapshot
        snapshot.probe = URLProbe.Answer(serial: driver.lastProbe?.serial ?? 0)
        snapshot.probe?.merging = 7
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.dashboard.state.merging == 7)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.mode == .prompt)
        #expect(driver.dashboard.state.merging == nil)
        #expect(driver.lastProbe?.requests.count == 1, "the line is asked about again")
        #expect(!driver.text.contains("merges"), "\(driver.text)")
    }

    @Test func textWithoutURLsSaysSo() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.send(.paste("hello")) == [])
        #expect(driver.text.contains("no http or https URL in what was pasted"))
        _ = driver.press("a")
        _ = driver.send(.paste("a.exa\u{1B}[2Jmple\nb"))
        #expect(driver.dashboard.state.prompt.editor.text == "a.exa [2Jmple b")
    }
}

/// What a paste holds besides URLs that are taken.
struct PastedURLsTests {
    @Test(arguments: [
        ("http://h/a\nftp://h/b", 1, 1), ("# ftp://h/b\n\n  # see ftp://h/c", 0, 0), ("hello: a, b:/c", 0, 0),
        ("ftp:// and http:// are schemes, \"://\" is none", 0, 0), ("SFTP://h/a\rmagnet://b", 0, 2),
        ("ftp://x/http://h/a", 1, 1), ("http://h/?u=ftp://h/b", 1, 0), ("git+https://h/a", 1, 0),
        ("<a href=\"ftp://h/b\">http://h/a</a>", 1, 1), ("http://[::1", 0, 1), ("ftp://a", 0, 1),
        ("http://", 0, 1), ("  https:// \nftp://\r\nhttp://h/a", 1, 2), ("# http://\nsee http://\nhttp:// it is", 0, 0),
        ("<http://>\n\"ftp://\"", 0, 0),
    ]) func whatNamesASchemeWasMeant(text: String, urls: Int, refused: Int) {
        let found = URLText.pasted(in: text)
        #expect(found.urls.count == urls && found.refused == refused, "\(found)")
    }

    /// A count for each bracket would take hours.
    @Test(.timeLimit(.minutes(1))) func bracketsBehindAURLAreCountedOnce() {
        for (brackets, url) in [(")", "http://a/(b)"), (")]}", "http://a/(b)"), ("]", "http://a/[b]")] {
            let text = String(url.dropLast()) + String(repeating: brackets, count: 900_000 / brackets.count)
            #expect(URLText.urls(in: text) == [url])
        }
        let urls = URLText.urls(in: "http://a/(b(c))), http://a/[(b)]]). http://a/{b}!}")
        #expect(urls == ["http://a/(b(c))", "http://a/[(b)]", "http://a/{b}"])
    }

    @Test func eachReasonIsToldOnce() {
        let found = URLText.pasted(in: "ftp://h/1 FTP://h/2 file:///etc/hostname")
        #expect(found.refusal == "3 refused: ftp:// is not supported or file:// is typed, not pasted")
    }

    @Test func theCureIsLeftOutOfAReason() {
        let found = URLText.pasted(in: "http://h:99999/a")
        #expect(found.refusal == "1 refused: a port is a number from 1 to 65535")
    }

    @Test func aPasteOfOneURLSaysWhatIsNotInTheLine() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.send(.paste("http://a.example/1\nftp://nothere.invalid/x")) == [])
        #expect(driver.dashboard.state.prompt.editor.text == "http://a.example/1")
        #expect(driver.dashboard.state.message?.text == "1 refused: ftp:// is not supported")
    }

    @Test func aPasteWithoutURLsSaysWhy() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.send(.paste("ftp://nothere.invalid/x")) == [])
        let text = "no http or https URL in what was pasted, 1 refused: ftp:// is not supported"
        #expect(driver.dashboard.state.message?.text == text)
    }
}

struct PromptKeyTests {
    @Test func theStartIsInThePrompt() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        #expect(driver.text.contains("nothing to add yet"))
        #expect(driver.press("q") == [])
        #expect(driver.dashboard.state.prompt.editor.text == "q")
    }

    @Test func aLineIsAddedAndThePromptStays() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press("https://u:secret@a.example/[1-3].jpg")
        #expect(driver.text.contains("3 URLs"))
        #expect(driver.press(keys: [.enter]) == ["submit 3 prompt", "saveHistory 1"])
        #expect(driver.dashboard.state.mode == .prompt)
        #expect(driver.dashboard.state.prompt.history.lines == ["https://a.example/[1-3].jpg"])
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.mode == .lists, "Enter on an empty line leaves")
    }

    @Test func aHostIsOfferedWithItsScheme() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press("a.example/x.jpg")
        #expect(driver.text.contains("takes it as https://a.example/x.jpg"))
        #expect(driver.press(keys: [.enter]) == ["submit 1 prompt", "saveHistory 1"])
    }

    @Test(arguments: [
        ("a.example/[1-3].jpg", "3 URLs, as https://"), ("a.example/1 b.example/2", "2 URLs, as https://"),
        ("http://a.example/1 b.example/[1-2]", "3 URLs, 2 as https://"),
    ]) func severalHostsAreOfferedWithTheirScheme(line: String, text: String) {
        var driver = Driver(.empty, 120, 36, prompt: true)
        _ = driver.press(line)
        #expect(driver.text.contains(text), "\(driver.text)")
    }

    @Test func aWrongLineIsKeptForFixing() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press("https://a.example/x what")
        #expect(driver.text.contains("1 URL, 1 invalid"))
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.text.contains("no URL: what; a blank in a URL is %20"))
        #expect(driver.dashboard.state.prompt.editor.text == "https://a.example/x what")
    }

    @Test(arguments: ["", ":add ", ":url "]) func aURLWithABlankIsKeptForFixing(command: String) {
        var driver = Driver(.full, 120, 36, prompt: true)
        let line = command + "http://h/my file.zip"
        #expect(driver.enter(line) == [])
        #expect(driver.text.contains("file.zip lacks https://; a blank in a URL is %20"), "\(driver.text)")
        #expect(driver.dashboard.state.prompt.editor.text == line)
    }

    @Test func whereALineIsHiddenIsMarked() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        let letters = String(repeating: "abcdefghi-", count: 12)
        _ = driver.press("https://a.example/" + letters)
        #expect(driver.text.contains("add › …") && driver.text.contains("abcdefghi-  "), "\(driver.text)")
        _ = driver.press(keys: [.home])
        #expect(driver.text.contains("add › https://a.example/abcdefghi-"))
        #expect(driver.text.contains("… \n"), "\(driver.text)")
        _ = driver.press(keys: Array(repeating: .right, count: 100))
        #expect(driver.text.contains("add › …") && driver.text.contains("… \n"), "\(driver.text)")
    }

    @Test(arguments: ["https://a.example/x what ", ":nonsense with words"])
    func aRefusedLineIsClearedWhole(line: String) {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press(line)
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.dashboard.state.prompt.problem != nil)
        _ = driver.press(keys: [.control("u")])
        #expect(driver.dashboard.state.prompt.editor.isEmpty, "also what stands behind the cursor, and the colon")
        _ = driver.press(keys: [.control("y")])
        #expect(driver.dashboard.state.prompt.editor.text == line)
    }

    @Test func aSchemeThatSluiceDoesNotSpeakIsNamed() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press("ftp://a.example/x")
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.text.contains("only http, https, file and data are downloaded, not ftp: ftp:"))
    }

    @Test func aMalformedURLIsRefusedWhereItStands() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press("http://h/a.png http://[::1 @x.txt")
        #expect(driver.text.contains("1 URL, 1 list, 1 invalid"))
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.text.contains("the IPv6 address in the URL lacks its ]: http://[::1"))
        #expect(driver.dashboard.state.prompt.editor.text == "http://h/a.png http://[::1 @x.txt")
        #expect(driver.dashboard.state.prompt.editor.cursor == 26, "behind the URL to blame")
    }

    @Test func filesAndContentAreTaken() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press("file:///etc/hostname data:,hello")
        #expect(driver.text.contains("2 URLs") && !driver.text.contains("invalid"))
        #expect(driver.press(keys: [.enter]) == ["submit 2 prompt", "saveHistory 1"])
    }

    @Test func controlCClearsFirst() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press("abc")
        #expect(driver.press(keys: [.control("c")]) == [])
        #expect(driver.dashboard.state.prompt.editor.isEmpty)
        #expect(driver.press(keys: [.control("c")]) == ["quit"])
    }

    @Test func escapeLeavesAndKeepsTheLine() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("ahttp")
        _ = driver.press(keys: [.escape])
        #expect(driver.press("x") == ["abort 1"])
        _ = driver.press("a")
        #expect(driver.dashboard.state.prompt.editor.text == "http")
    }

    @Test func historyIsLeafed() {
        var driver = Driver(.empty, 80, 24, prompt: true)
        _ = driver.press("http://a.example/1")
        _ = driver.press(keys: [.enter])
        _ = driver.press("dra")
        _ = driver.press(keys: [.up])
        #expect(driver.dashboard.state.prompt.editor.text == "http://a.example/1")
        _ = driver.press(keys: [.control("n")])
        #expect(driver.dashboard.state.prompt.editor.text == "dra")
    }

    @Test func listsAreReadAndSubmittedWithTheirLines() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.press("Aurls.txt") == [])
        #expect(driver.press(keys: [.enter]) == ["readList urls.txt", "saveHistory 1"])
        let lines = ["# head", "", " http://a.example/1 ", "oops", "http://a.example/2\r", "http://a.example/3"]
        let effects = driver.send(.list(path: "dir/urls.txt", .success(lines)))
        #expect(effects == ["submit 4 list urls.txt:3"])
        #expect(driver.text.contains("adding 4 lines of dir/urls.txt"))
        _ = driver.press(keys: [.escape])
        _ = driver.send(.list(path: "gone", .failure(ListError(message: "no file gone"))))
        #expect(driver.text.contains("no file gone"))
        #expect(driver.dashboard.state.prompt.editor.text == "@gone")
    }

    /// One URL goes to the prompt, and beside it stands what became of the rest of the paste.
    @Test func whatIsRefusedBesideOneURLIsTold() {
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.paste("http://ok.example/p.png\nftp://x/y\n"))
        #expect(driver.text.contains("add › http://ok.example/p.png"))
        #expect(driver.text.contains("1 URL, 1 refused: ftp:// is not supported"), "\(driver.text)")
        _ = driver.press("x")
        #expect(!driver.text.contains("refused"), "it is of the paste alone")
    }

    /// Cut to what the line takes it would be another URL, and a success for what nobody asked for.
    @Test(arguments: ["", "ahttp://a.example/1 "]) func aURLThatNoLineTakesIsAskedAboutWhole(typed: String) {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(typed)
        let url = "http://a.example/" + String(repeating: "x", count: LineEditor.limit) + "END"
        #expect(driver.send(.paste(url)).allSatisfy { !$0.hasPrefix("submit") })
        #expect(driver.text.contains("1 URL"), "\(driver.text)")
        #expect(driver.text.contains("add it?") || driver.text.contains("adds it"), "\(driver.text)")
        let submitted = driver.dashboard.handle(.key(.enter), now: Scene.now).compactMap { effect -> [String]? in
            if case .pipeline(.submit(let requests)) = effect { requests.map(\.url) } else { nil }
        }
        #expect(submitted == [[url]])
        #expect(driver.dashboard.state.prompt.editor.text == typed.dropFirst())
    }

    @Test func aURLThatALineTakesGoesThere() {
        var driver = Driver(.full, 80, 24)
        let head = "http://a.example/"
        let url = head + String(repeating: "x", count: LineEditor.limit - head.count)
        _ = driver.send(.paste(url))
        #expect(driver.dashboard.state.prompt.editor.text == url && driver.dashboard.state.mode == .prompt)
        _ = driver.send(.paste("http://a.example/2"))
        #expect(driver.dashboard.state.mode != .prompt, "there is no room for another one")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.prompt.editor.text == url)
    }

    @Test func textThatNoLineTakesIsCutAndThatIsSaid() {
        var driver = Driver(.full, 120, 36, prompt: true)
        _ = driver.send(.paste(String(repeating: "word ", count: LineEditor.limit)))
        #expect(driver.dashboard.state.prompt.editor.characters.count == LineEditor.limit)
        #expect(driver.dashboard.state.message?.text.contains("the end of what was pasted is left out") == true)
        driver = Driver(.full, 120, 36, prompt: true)
        _ = driver.send(.paste("some words"))
        #expect(driver.dashboard.state.message?.text.contains("left out") != true)
    }

    /// A terminal hands over 16 MiB at most.
    @Test(arguments: [1, 3, 30]) func thatAPasteWasTooLongIsSaid(count: Int) {
        var driver = Driver(.full, 120, 36)
        let urls = (1...count).map { "http://a.example/\($0)" }
        _ = driver.send(.paste(urls.joined(separator: "\n")))
        _ = driver.send(.cutPaste)
        let message = driver.dashboard.state.message?.text
        #expect(message?.contains("16 MiB") == true && message?.contains("@FILE") == true)
        let answer = driver.press(keys: [.enter])
        #expect(count == 3 || answer.first == "submit \(count) \(count == 1 ? "prompt" : "paste")", "\(answer)")
    }
}
