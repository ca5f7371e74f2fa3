import SluiceTestSupport
import Testing

@testable import SluiceUI

struct LineEditorTests {
    /// `|` marks the cursor.
    @Test(arguments: [
        ("abc|", ["d"], "abcd|"), ("a|bc", ["right", "backspace"], "a|c"), ("ab|c", ["del"], "ab|"),
        ("one two|", ["^W"], "one |"), ("one two|", ["alt+b", "alt+b"], "|one two"),
        ("|one two", ["alt+f"], "one| two"), ("|one two", ["alt+d"], "| two"), ("one| two", ["^K"], "one|"),
        ("one |two", ["^U"], "|two"), ("one |two", ["^U", "end", "^Y"], "twoone |"),
        ("ab|", ["home", "x"], "x|ab"), ("|ab", ["left", "backspace"], "|ab"), ("ab|", ["right", "del"], "ab|"),
        ("a|b", ["^E", "^B", "^B", "^F"], "a|b"), ("a.b/c|", ["ctrl+left"], "a.b/|c"),
        ("猫|犬", ["backspace", "鳥"], "鳥|犬"), ("e|x", ["\u{301}"], "e\u{301}|x"),
        ("e\u{301}|x", ["backspace"], "|x"), ("👩‍👧|", ["left", "del"], "|"), ("a|b", ["^D"], "a|"),
        ("abc|", ["^T"], "acb|"), ("a|bc", ["^T"], "ba|c"), ("|abc", ["^T"], "|abc"), ("a|", ["^T"], "a|"),
        ("one two|", ["alt+t"], "two one|"), ("one| two, three", ["alt+t"], "two one|, three"),
        ("one|", ["alt+t"], "one|"), ("|one two", ["alt+u"], "ONE| two"), ("ONE| Two", ["alt+l"], "ONE two|"),
        ("|über alles", ["alt+c", "alt+c"], "Über Alles|"),
    ])
    func keysEdit(before: String, keys: [String], after: String) {
        var editor = editor(before)
        press(keys, &editor)
        #expect(picture(editor) == after)
    }

    @Test func piecesCutOneAfterAnotherBecomeOne() {
        var editor = editor("one two three|")
        press(["^W", "^W"], &editor)
        #expect(editor.ring == ["two three"])
        press(["left", "^K", "^Y"], &editor)
        #expect(picture(editor) == "one |")
        #expect(editor.ring == ["two three", " "])
        press(["^Y"], &editor)
        press(["alt+y"], &editor)
        #expect(picture(editor) == "one two three|", "the older piece takes the place of the newer one")
        press(["alt+y"], &editor)
        #expect(picture(editor) == "one  |", "and round it goes")
        press(["left", "alt+y"], &editor)
        #expect(picture(editor) == "one | ", "only behind an insertion")
    }

    @Test func undoGoesBackStepByStep() {
        var editor = editor("|")
        press(["o", "n", "e", "space", "t", "w", "o", "^A", "alt+u", "^E", "^W", "^U"], &editor)
        #expect(picture(editor) == "|")
        var pictures: [String] = []
        for _ in 0..<7 {
            press(["^_"], &editor)
            pictures.append(picture(editor))
        }
        #expect(
            pictures == ["ONE |", "ONE two|", "|one two", "one |", "|", "|", "|"],
            "a word typed is one step, with its blank"
        )
    }

    @Test func theLineIsBounded() {
        var editor = LineEditor()
        editor.apply(.insert(String(repeating: "x", count: 50_000)))
        #expect(editor.characters.count == LineEditor.limit)
        editor.apply(.insert("y"))
        #expect(editor.characters.count == LineEditor.limit)
        for _ in 0..<1_000 { editor.apply(.left) }
        for _ in 0..<200 {
            for edit in [LineEditor.Edit.insert("é"), .deleteForward, .cutWordForward] { editor.apply(edit) }
        }
        #expect(editor.characters.count <= LineEditor.limit && editor.ring.count <= LineEditor.ringLimit)
    }

    @Test(arguments: 1...12)
    func theCursorStaysInSight(columns: Int) {
        var editor = editor("https://例え.example/a\u{301}b\u{1B}c.jpg|")
        for _ in 0...editor.characters.count {
            let line = VisibleLine(editor, columns: columns)
            #expect(TextWidth.columns(of: line.text) <= line.columns && line.columns <= columns)
            #expect((0..<max(columns, 2)).contains(line.cursor))
            editor.apply(.left)
        }
    }

    @Test(arguments: [
        ("0123456789abcdef|", "…89abcdef", 9), ("|0123456789abcdef", "012345678…", 0),
        ("01234567|89abcdef", "012345678…", 8), ("0123456789|abcdef", "…3456789a…", 8),
        ("0123456789abcde|f", "…789abcdef", 9), ("012345678|", "012345678", 9), ("|0123456789", "0123456789", 0),
    ])
    func whatIsHiddenIsMarked(picture: String, text: String, cursor: Int) {
        let line = VisibleLine(editor(picture), columns: 10)
        #expect(line.styled.spans.map(\.text).joined() == text)
        #expect(line.columns == TextWidth.columns(of: text) && line.cursor == cursor)
        let place = picture.split(separator: "|", omittingEmptySubsequences: false)[0].count
        #expect(line.column(of: place) == cursor, "where the cursor is, its cluster is")
    }

    @Test func aPlaceThatIsHiddenIsTheNearestThatIsSeen() {
        let line = VisibleLine(editor("0123456789|abcdef"), columns: 10)
        #expect(line.column(of: 0) == 1 && line.column(of: 4) == 2 && line.column(of: 16) == 9)
    }

    @Test func everySequenceOfFourEditsKeepsTheCursorBetweenCharactersAndCanBeUndone() throws {
        let start = [World("ab e\u{301}"), World("")]
        for world in start {
            let visited = try exploreAll(from: world, depth: 4, steps: \.successors, problem: \.problem)
            #expect(visited == 22_621, "the exploration must not shrink")
        }
    }

    private func press(_ keys: [String], _ editor: inout LineEditor) {
        for name in keys {
            guard let key = Key(name: name) ?? name.first.map(Key.character),
                case .edit(let edit) = KeyMap.standard.action(for: key, in: .prompt, focus: .active)
            else {
                Issue.record("\(name) edits nothing")
                continue
            }
            editor.apply(edit)
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

/// A line, and the texts that it must come back to.
private struct World {
    private var editor: LineEditor
    private var texts: [String]
    private(set) var problem: String?

    init(_ text: String) {
        editor = LineEditor(text)
        texts = [text]
    }

    private static let edits: [(String, LineEditor.Edit)] = [
        ("é", .insert("\u{301}")), ("x", .insert("x")), ("blank", .insert(" y")), ("←", .left),
        ("^W", .cutWordBackward),
        ("^K", .cutToEnd), ("^Y", .yank), ("Alt-y", .yankOlder), ("⌫", .deleteBackward), ("^T", .swapCharacters),
        ("Alt-t", .swapWords), ("^_", .undo),
    ]

    var successors: [(name: String, next: World)] {
        Self.edits.map { name, edit in
            var next = self
            next.apply(edit)
            return (name, next)
        }
    }

    private mutating func apply(_ edit: LineEditor.Edit) {
        let before = editor
        editor.apply(edit)
        if editor.text != String(editor.text) || Array(editor.text) != editor.characters {
            problem = "the clusters are not those of the text"
        }
        if !(0...editor.characters.count).contains(editor.cursor) { problem = "the cursor is outside" }
        if edit == .undo {
            if !texts.contains(editor.text) { problem = "undo made a text that never was" }
        } else if editor.text != before.text {
            texts.append(editor.text)
            var undone = editor
            undone.apply(.undo)
            if !texts.contains(undone.text) { problem = "undo leads to a text that never was" }
            for _ in 0..<texts.count { undone.apply(.undo) }
            if undone.text != texts[0] { problem = "undo does not lead back to the start" }
        }
    }
}
