import Testing

@testable import SluiceUI

struct LineEditorTests {
    /// `|` marks the cursor.
    @Test(arguments: [
        ("abc|", [Key.character("d")], "abcd|"), ("a|bc", [.right, .backspace], "a|c"), ("ab|c", [.delete], "ab|"),
        ("one two|", [.control("w")], "one |"), ("one two|", [.alt("b"), .alt("b")], "|one two"),
        ("|one two", [.alt("f")], "one| two"), ("|one two", [.alt("d")], "| two"),
        ("one| two", [.control("k")], "one|"),
        ("one |two", [.control("u")], "|two"), ("one |two", [.control("u"), .end, .control("y")], "twoone |"),
        ("ab|", [.home, .character("x")], "x|ab"), ("|ab", [.left, .control("h")], "|ab"),
        ("ab|", [.right, .delete], "ab|"),
        ("a|b", [.control("e"), .control("b"), .control("b"), .control("f")], "a|b"),
        ("a.b/c|", [.controlLeft], "a.b/|c"),
        ("猫|犬", [.backspace, .character("鳥")], "鳥|犬"), ("e|x", [.character("\u{301}")], "e\u{301}|x"),
        ("e\u{301}|x", [.backspace], "|x"), ("👩‍👧|", [.left, .delete], "|"), ("a|b", [.control("d")], "a|"),
    ])
    func keysEdit(before: String, keys: [Key], after: String) {
        var editor = editor(before)
        for key in keys {
            guard let edit = LineEditor.edit(for: key) else {
                Issue.record("\(key) edits nothing")
                continue
            }
            editor.apply(edit)
        }
        #expect(picture(editor) == after)
    }

    @Test func theLineIsBounded() {
        var editor = LineEditor()
        editor.apply(.insert(String(repeating: "x", count: 50_000)))
        #expect(editor.characters.count == LineEditor.limit)
        editor.apply(.insert("y"))
        #expect(editor.characters.count == LineEditor.limit)
    }

    @Test(arguments: 1...12)
    func theCursorStaysInSight(columns: Int) {
        var editor = editor("https://例え.example/a\u{301}b\u{1B}c.jpg|")
        for _ in 0...editor.characters.count {
            let line = VisibleLine(editor, columns: columns)
            #expect(TextWidth.columns(of: line.text) <= columns)
            #expect((0..<max(columns, 2)).contains(line.cursor))
            editor.apply(.left)
        }
    }

    private func editor(_ picture: String) -> LineEditor {
        let parts = picture.split(separator: "|", omittingEmptySubsequences: false)
        var editor = LineEditor(String(parts[0]) + String(parts[1]))
        while editor.cursor > parts[0].count { editor.apply(.left) }
        return editor
    }

    private func picture(_ editor: LineEditor) -> String {
        String(editor.characters[..<editor.cursor]) + "|" + String(editor.characters[editor.cursor...])
    }
}

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
        ("http://a b", false), ("", false),
    ])
    func urlsHaveASchemeAndAHost(text: String, isURL: Bool) {
        #expect(URLText.isURL(text) == isURL)
    }

    @Test(arguments: [
        ("a.example/x.jpg", "https://a.example/x.jpg"), ("localhost:8080/a", "https://localhost:8080/a"),
        ("127.0.0.1/x", "https://127.0.0.1/x"), ("hello", nil), ("3.14", nil), ("a..b", nil), ("-a.example", nil),
        ("a.example:x", nil), ("ftp://a.example", nil), ("bücher.example", "https://bücher.example"),
    ])
    func hostsAreOfferedWithAScheme(text: String, offer: String?) {
        #expect(URLText.offer(text) == offer)
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
    ])
    func namesAreTheLastPartOfThePath(url: String, name: String) {
        #expect(URLText.name(of: url) == name)
    }
}

struct PromptLineTests {
    @Test func aLineMayHoldSeveralThings() {
        let line = PromptLine("  https://a.example/1 b.example/2 what @list.txt ")
        #expect(line.urls == ["https://a.example/1", "https://b.example/2"])
        #expect(line.offers == ["https://b.example/2"])
        #expect(line.invalid == ["what"])
        #expect(line.lists == ["list.txt"])
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
        ("https://a.example/[x-3]{y}[3-1", ["https://a.example/[x-3]{y}[3-1"]),
    ])
    func seriesAreSpelledOut(text: String, urls: [String]) {
        #expect(PromptLine(text).urls == urls)
    }

    @Test func aSeriesIsBounded() {
        #expect(PromptLine("https://a.example/[1-10000]").urls.count == 10_000)
        #expect(PromptLine("https://a.example/[1-10001]").tooLong != nil)
        #expect(PromptLine("https://a.example/[1-200]/[1-200]").tooLong != nil)
        #expect(PromptLine("https://a.example/[0-9223372036854775807]").tooLong != nil)
    }
}
