import Testing

@testable import SluiceUI

struct PromptHistoryTests {
    @Test func leafingKeepsTheDraft() {
        var history = PromptHistory(["one", "two"])
        #expect(history.older(than: "dra") == "two")
        #expect(history.older(than: "two") == "one")
        #expect(history.older(than: "one") == nil)
        #expect(history.newer() == "two")
        #expect(history.newer() == "dra")
        #expect(history.newer() == nil)
    }

    @Test func noLineStandsTwice() {
        var history = PromptHistory(["one", "two", "one"])
        #expect(history.lines == ["two", "one"])
        history.add("two")
        #expect(history.lines == ["one", "two"])
    }

    @Test func credentialsAreNotKept() {
        var history = PromptHistory()
        history.add("https://user:pass@host.example/a  http://me@other.example/b@c")
        #expect(history.lines == ["https://host.example/a http://other.example/b@c"])
    }

    @Test(arguments: [
        (
            "https://a.example/1.jpg,https://anna:secret@b.example/2.jpg",
            "https://a.example/1.jpg,https://b.example/2.jpg"
        ),
        ("https://a.example/1;HTTP://anna:se,c@ret@b.example", "https://a.example/1;HTTP://b.example"),
        ("https://a.example\thttps://anna:secret@b.example", "https://a.example\thttps://b.example"),
        ("https://a.example\u{3000}https://anna:secret@b.example", "https://a.example\u{3000}https://b.example"),
        ("https://a.example/?next=https://anna:secret@b.example/", "https://a.example/?next=https://b.example/"),
        ("https://\u{301}anna:secret@b.example/", "https://b.example/"),
        (":add https://anna:secret@b.example @me@list", ":add https://b.example @me@list"),
        ("anna:secret@b.example/x", "b.example/x"), (":add anna:secret@b.example x", ":add b.example x"),
        (
            "anna:secret@b.example,https://c.example\tanna@[::1]:80/a@b",
            "b.example,https://c.example\t[::1]:80/a@b"
        ),
        ("@my a@2x.txt", "@my a@2x.txt"), (":import a@2x.txt", ":import a@2x.txt"), ("mail a@b c", "mail a@b c"),
        ("https://a.example\u{3000}@me@list", "https://a.example\u{3000}@me@list"),
    ])
    func credentialsAreKeptOfNoURLOfALine(line: String, kept: String) {
        #expect(PromptHistory([line]).lines == [kept])
    }

    @Test func oldLinesAreForgotten() {
        let history = PromptHistory((0..<700).map(String.init))
        #expect(history.lines.count == 500)
        #expect(history.lines.first == "200")
    }
}

struct URLTextTests {
    @Test(arguments: [
        ("https://a.example/x", true), ("HTTP://A", true), ("ftp://a", false), ("https://", false),
        ("https:///x", false),
        ("http://:80/", false), ("http://u:p@/", false), ("http://[::1]:8080/", true), ("a.example", false),
        ("http://a b", false), ("", false), ("http://[::1", false), ("http://a:99999/", false),
        ("http://a^b/", false),
        ("file:///etc/hostname", true), ("FILE:/etc/hostname", true), ("file://other/x", false), ("file:x", false),
        ("data:,hello", true), ("data:hello", false),
    ])
    func urlsAreWhatThePipelineTakes(text: String, isURL: Bool) {
        #expect(URLText.isURL(text) == isURL)
    }

    @Test(arguments: [
        ("a.example/x.jpg", "https://a.example/x.jpg"), ("localhost:8080/a", "https://localhost:8080/a"),
        ("127.0.0.1/x", "https://127.0.0.1/x"), ("hello", nil), ("3.14", nil), ("a..b", nil), ("-a.example", nil),
        ("a.example:x", nil), ("a.example:99999", nil), ("ftp://a.example", nil),
        ("bücher.example", "https://bücher.example"),
    ])
    func hostsAreOfferedWithAScheme(text: String, offer: String?) {
        #expect(URLText.offer(text) == offer)
    }

    @Test(arguments: [
        "LOCALHOST:8973/f/a", "[::1]:8973/f/a", "[::1]", "user:pw@site.example/a", "anna@localhost/x",
        "anna@[::1]:80/x", "user:p@w@site.example",
    ])
    func aHostIsKnownInCapitalsInBracketsAndBehindAUser(text: String) {
        #expect(URLText.offer(text) == "https://" + text)
    }

    @Test(arguments: [
        "[::1]x", "[::1]:", "[::1", "[1-3]/x", "anna@hello", "@a.example", "@me@list.txt", "foo:bar",
        "anna@a.example:x", "mailto:a@b.example", "MAILTO:a@b.example/x", "http:a@b.example",
    ])
    func whatHasNoHostOrNamesASchemeIsNotOffered(text: String) {
        #expect(URLText.offer(text) == nil)
    }

    @Test func urlsAreFoundInAnyText() {
        let text = """
            See <a href="https://a.example/x.jpg">this</a>, (http://b.example/y_(1).png) and
            HTTPS://C.example/z?q=1. Not: http:// nor ftp://d.example; but http://e.example!
            """
        #expect(
            URLText.urls(in: text) == [
                "https://a.example/x.jpg", "http://b.example/y_(1).png", "HTTPS://C.example/z?q=1", "http://e.example",
            ]
        )
        #expect(URLText.urls(in: "hhttp://a.example http").count == 1)
    }

    @Test(arguments: [
        ("https://a.example/hi/saturn%20rings.jpg?x=1", "saturn rings.jpg"), ("https://a.example/", "a.example"),
        ("https://a.example", "a.example"), ("https://a.example/%FF%00", "%FF%00"), ("data", "data"),
        ("file:///home/u/my%20cat.png", "my cat.png"),
        ("data:image/png;base64,iVBORw0KGgo/x", "data:image/png;base64"),
    ])
    func namesAreTheLastPartOfThePath(url: String, name: String) {
        #expect(URLText.name(of: url) == name)
    }
}

struct PromptLineTests {
    @Test func aLineMayHoldSeveralThings() {
        let line = PromptLine("  https://a.example/1 b.example/2 what @list.txt ")
        #expect(line.urls == ["https://a.example/1", "https://b.example/2"])
        #expect(line.words.map(\.isOffer) == [false, true, false, false])
        #expect(line.firstInvalid?.text == "what" && line.firstInvalid?.start == 34)
        #expect(line.lists == ["list.txt"])
        #expect(line.urlCount == 2 && line.invalidCount == 1 && line.offer == nil)
    }

    /// A blank in a URL makes two words of it, and the second may look like a host.
    @Test(arguments: [
        ("http://h/my file.zip", "file.zip lacks https://"), ("http://h/my file", "no URL: file"),
        ("h.example/my file.zip", "file.zip lacks https://"), ("http://h/?q=my cats/x", "no URL: cats/x"),
        ("http://h/my big file.zip http://h/2", "no URL: big"), ("file:///tmp/my file.zip", "file.zip lacks https://"),
        ("http://h/1 http://h/my file.zip", "file.zip lacks https://"), ("data:,hello world", "no URL: world"),
        ("https://a.example/x slots", "no URL: slots"),
    ])
    func whatMayBeTheRestOfAURLIsNoOtherOne(text: String, fault: String) {
        let line = PromptLine(text)
        #expect(line.firstInvalid?.fault?.hasPrefix(fault) == true, "\(line.firstInvalid?.fault ?? "")")
        #expect(line.firstInvalid?.fault?.hasSuffix("; a blank in a URL is %20") == true)
        #expect(line.words.allSatisfy { !$0.isOffer || $0.start == 0 }, "nothing behind it is read as a host")
    }

    @Test(arguments: [
        ("http://h/1 https://h/2  http://h/3 file:///tmp/4 data:,5", 5), ("a.example/1 b.example/2 c.example/3", 3),
        ("http://a.example b.example c.example", 3), ("http://h/1,http://h/2 http://h/3", 3),
        ("see http://h/1 notes.txt http://h/2", 2), ("https://a.example/1 b.example/2", 2),
        ("https://a.example/1 localhost/2 localhost:80/3", 3), ("https://a.example/1 LOCALHOST/2 a@localhost/3", 3),
    ])
    func severalURLsInALineAreTaken(text: String, count: Int) {
        let line = PromptLine(text)
        #expect(line.urls.count == count && line.invalidCount == 0)
    }

    /// As it would be found if it was pasted; what was meant as a URL and is none is still said.
    @Test(arguments: [
        ("see http://a.example/1 please", ["http://a.example/1"]),
        (
            "here (http://a.example/1), and <https://b.example/x.png>.",
            ["http://a.example/1", "https://b.example/x.png"]
        ),
        ("file notes.txt is at http://a.example/1", ["http://a.example/1"]),
        ("\"http://a.example/1\"", ["http://a.example/1"]), ("<http://a.example/1> please", ["http://a.example/1"]),
        ("[x](http://a.example/1)", ["http://a.example/1"]), ("(http://a.example/(1))", ["http://a.example/(1)"]),
        ("http://a.example/1, http://a.example/2.", ["http://a.example/1", "http://a.example/2"]),
    ])
    func aTextMayHoldURLs(text: String, urls: [String]) {
        let line = PromptLine(text)
        #expect(line.urls == urls && line.invalidCount == 0 && line.offer == nil)
    }

    @Test(arguments: [
        "see ftp://a.example/1 or http://a.example/1", "see htp//a.example and http://a.example/1",
        "see a.example please",
        "http://a.example/[1-3].png oops", "see @list.txt http://a.example/1", "just words",
        "see a.example/x.jpg https://b.example/y.jpg",
        "logo data:image/png;base64,AAAA https://b.example/y.jpg", "# https://a.example/1",
        "see http://a.example:99999/ x", "a.example/1, what", "(http://a.example:99999/)", "<a.example/1>",
        "https://h/Smith, John.pdf", "https://a.example/x, oops", "\"https://h/my file.pdf\"", "(http://h/my file)",
    ])
    func aTextWithWhatWasMeantAsAURLIsNotTaken(text: String) {
        #expect(PromptLine(text).firstInvalid != nil)
    }

    @Test func filesAndContentAreURLsToo() {
        let line = PromptLine("file:///tmp/[1-2].png data:,{a,b} http://[::1")
        #expect(line.urls == ["file:///tmp/1.png", "file:///tmp/2.png", "data:,{a,b}"])
        #expect(line.invalidCount == 1 && line.firstInvalid?.text == "http://[::1")
    }

    @Test func aLineWithAColonIsACommand() {
        #expect(PromptLine(" :set  x ").command == "set  x ")
        #expect(PromptLine("a:80").command == nil)
        #expect(PromptLine("a.example/x").offer == "https://a.example/x")
    }

    @Test func aListMayHaveBlanksInItsName() {
        #expect(PromptLine("@my list.txt ").lists == ["my list.txt"])
        #expect(PromptLine("@").isEmpty)
    }

    @Test(arguments: [
        ("https://a.example/[001-003].jpg", ["001", "002", "003"].map { "https://a.example/\($0).jpg" }),
        (
            "https://a.example/{b,c}/[8-10]",
            ["b/8", "b/9", "b/10", "c/8", "c/9", "c/10"].map { "https://a.example/\($0)" }
        ),
        ("http://[::1]/x", ["http://[::1]/x"]), ("https://a.example/x?[1-3]", ["https://a.example/x?[1-3]"]),
        ("https://a.example/[x-3]{y}[1].jpg", ["https://a.example/[x-3]{y}[1].jpg"]),
        ("https://a.example/[2024-11-02]-[-]-[a-cat", ["https://a.example/[2024-11-02]-[-]-[a-cat"]),
        ("https://a.example/{a", ["https://a.example/{a"]),
        ("http://[::1]:80/[1-2]?[9-3]", ["http://[::1]:80/1?[9-3]", "http://[::1]:80/2?[9-3]"]),
        (
            "https://a.example/[0-30:15]/[a-c]",
            ["0/a", "0/b", "0/c", "15/a", "15/b", "15/c", "30/a", "30/b", "30/c"].map { "https://a.example/\($0)" }
        ),
    ])
    func seriesAreSpelledOut(text: String, urls: [String]) {
        #expect(PromptLine(text).urls == urls)
    }

    @Test(arguments: [
        ("[9-3].jpg", "[9-3]: a series counts up: [3-9]"), ("[c-a]", "[c-a]: a series counts up: [a-c]"),
        ("[1-", "[1- lacks its ]"), ("[a-/x", "[a- lacks its ]"),
        ("[1-3.jpg", "[1-3.jpg lacks its ]"), ("[1-3", "[1-3 lacks its ]"), ("[a-c/[1-2]", "[a-c lacks its ]"),
        ("[1-2:0]", "[1-2:0]: a step is a number from 1, as [0-90:15]"),
        ("[a-c:2]", "[a-c:2]: letters have no step: [a-c]"),
        ("[a-C]", "[a-C]: letters are all small or all capital, as [a-f]"),
        ("[1-]", "[1-]: a series has a first and a last, as [1-40]"),
        ("[0-99999999999999999999]", "[0-99999999999999999999]: the number is too large"),
        ("[1-2]/[9-3]/[8-2]", "[9-3]: a series counts up: [3-9]"),
        ("{a,b.jpg", "{a,b.jpg lacks its }"), ("{a,{b,c}}", "{a,{…: no list stands within another"),
    ])
    func aSeriesThatIsNoneIsAFault(path: String, fault: String) {
        for url in ["https://a.example/" + path, "a.example/" + path, "http://[::1]/" + path] {
            let line = PromptLine(url)
            #expect(line.urls == [] && line.invalidCount == 1)
            #expect(line.firstInvalid?.fault?.hasPrefix(fault + "; a ") == true, "\(line.firstInvalid?.fault ?? "")")
        }
    }

    /// A search to the end for each bracket would take hours.
    @Test(.timeLimit(.minutes(1)), arguments: ["[", "{", "[a-b-", "{a"], ["", "]", "}"])
    func manyBracketsAreNoSeries(text: String, end: String) {
        let url = "https://a.example/" + String(repeating: text, count: 100_000) + end
        #expect(URLSeries(url).members == [url])
    }

    @Test(
        arguments: [
            ("?page=[1-40]", "[1-40]"), ("?f={a,b}#x", "{a,b}"), ("?a[]=1&b[0]=2&c={id}", nil), ("/[1-2]?x", nil),
            ("#[1-3]", nil), ("?q={\"a\":1,\"b\":2}", nil),
        ] as [(String, String?)]
    )
    func aSeriesInAQueryIsNoneAndSaidToBe(end: String, group: String?) {
        let url = "https://a.example/x" + end
        #expect(URLSeries.groupInQuery(of: url) == group)
        let note = group == nil ? nil : "a series counts in the path only"
        #expect(PromptLine(url).seriesNote == note)
    }

    @Test func thePromptSaysThatAQueryHoldsNoSeries() {
        var driver = Driver(.empty, 120, 36, prompt: true)
        _ = driver.press("https://a.example/x?page=[1-40]")
        #expect(driver.text.contains("1 URL, a series counts in the path only"), "\(driver.text)")
        _ = driver.press(keys: [.control("u")])
        _ = driver.press("a.example/x?page=[1-40]")
        #expect(driver.text.contains("a series counts in the path only"), "\(driver.text)")
    }

    @Test func withLittleRoomItSaysSoTooWithoutAScheme() {
        var driver = Driver(.empty, 60, 12, prompt: true)
        _ = driver.press("a.example/x?page=[1-40]")
        #expect(driver.text.contains("https:// path only"), "\(driver.text)")
    }

    @Test(arguments: ["%5B9-3%5D", "photo[1].jpg", "[cover]-{id}.png"])
    func otherBracketsAreNoFault(path: String) {
        #expect(PromptLine("https://a.example/" + path).urls == ["https://a.example/" + path])
    }

    @Test(arguments: ["", ":"]) func moreThanALineMayHoldIsSaidWhileItIsTyped(colon: String) {
        var driver = Driver(.empty, 120, 36, prompt: true)
        _ = driver.press(colon + "http://x.example/[1-5000000].jpg")
        #expect(driver.text.contains("more than 10,000 URLs"), "\(driver.text)")
    }

    @Test(arguments: [
        ("https://a.example/[1-10000]", 10_000), ("https://a.example/[1-10001]", nil),
        ("https://a.example/[1-200]/[1-200]", nil), ("https://a.example/[0-9223372036854775807]", nil),
        ("https://a.example/[1-6000] https://b.example/[1-6000]", nil),
    ])
    func aLineIsBounded(text: String, count: Int?) {
        let line = PromptLine(text)
        #expect(line.urls.count == count ?? 0)
        #expect((line.tooMany == nil) == (count != nil))
        if let count { #expect(line.urlCount == count) }
    }
}

struct PromptCursorTests {
    /// The terminal's own cursor stands there: where it changes what is filled already, nothing can be read.
    @Test(arguments: ["ahttp://a.example/dunes", "/dunes", "?/dunes"], [ColorDepth.palette256, .ansi8, .mono])
    func theCellUnderTheCursorLooksLikeItsNeighbours(keys: String, depth: ColorDepth) throws {
        var driver = Driver(Scene.full.dashboard(80, 24, depth: depth), 80, 24)
        _ = driver.press(keys)
        _ = driver.press(keys: [.left, .left])
        let frame = driver.frame
        let cursor = try #require(frame.cursor)
        let row = Array(frame.canvas.cells(inRow: cursor.y))
        #expect(row[cursor.x].character == "e")
        #expect(row[cursor.x].style == row[cursor.x - 1].style)
        #expect(row[cursor.x].style.background == -1 && !row[cursor.x].style.attributes.contains(.reverse))
    }
}
