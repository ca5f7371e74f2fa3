import SluiceTestSupport
import Testing

struct ScreenEmulatorTests {
    private func screen(_ text: String, width: Int = 10, height: Int = 4) -> ScreenEmulator {
        var screen = ScreenEmulator(width: width, height: height)
        screen.feed(text.utf8)
        return screen
    }

    @Test(arguments: [
        ("ab\r\ncd", ["ab", "cd", "", ""]),
        ("0123456789ab", ["0123456789", "ab", "", ""]),
        ("\u{1B}[?7l0123456789ab", ["012345678b", "", "", ""]),
        ("\u{1B}[2;3Hx\u{1B}[Hy", ["y", "  x", "", ""]),
        ("abcdef\u{1B}[1;3H\u{1B}[K", ["ab", "", "", ""]),
        ("abcdef\u{1B}[1;3H\u{1B}[1K", ["   def", "", "", ""]),
        ("a\r\nb\r\nc\u{1B}[2;1H\u{1B}[J", ["a", "", "", ""]),
        ("abcdef\u{1B}[1;3H\u{1B}[2X", ["ab  ef", "", "", ""]),
        ("abcdef\u{1B}[1;3H\u{1B}[2P", ["abef", "", "", ""]),
        ("abcdef\u{1B}[1;3H\u{1B}[2@", ["ab  cdef", "", "", ""]),
        ("a\u{1B}[4b", ["aaaaa", "", "", ""]),
        ("a\r\nb\r\nc\r\nd\r\ne", ["b", "c", "d", "e"]),
        ("a\r\nb\r\nc\r\nd\u{1B}[2;3r\u{1B}[2;1H\u{1B}[M", ["a", "c", "", "d"]),
        ("a\r\nb\r\nc\r\nd\u{1B}[2;3r\u{1B}[2;1H\u{1B}[L", ["a", "", "b", "d"]),
        ("猫b\u{1B}[1;1Hx", ["x b", "", "", ""]),
        ("e\u{301}x", ["e\u{301}x", "", "", ""]),
        ("\u{1B}(0qqx\u{1B}(B", ["──│", "", "", ""]),
        ("\tx", ["        x", "", "", ""]),
        ("main\u{1B}[?1049halt\u{1B}[?1049l", ["main", "", "", ""]),
    ]) func bytesShow(bytes: String, rows: [String]) {
        #expect(screen(bytes).rows == rows)
        #expect(screen(bytes).unknown == [])
    }

    @Test func attributesBelongToCells() {
        let screen = screen("\u{1B}[1;38;5;208;44mx\u{1B}[my")
        #expect(screen.cell(x: 0, y: 0).look.foreground == 208)
        #expect(screen.cell(x: 0, y: 0).look.background == 4)
        #expect(screen.cell(x: 0, y: 0).look.isBold)
        #expect(screen.cell(x: 1, y: 0).look == ScreenEmulator.Look())
    }

    @Test func whatIsLeftOnIsNamed() {
        #expect(screen("").remains == [])
        #expect(screen("\u{1B}[?2004h\u{1B}[?25l").remains == ["mode 2004 is on", "mode 25 is off"])
        #expect(screen("\u{1B}[?1049h").remains == ["the alternate screen is shown"])
    }

    @Test func unknownSequencesAreKept() {
        #expect(screen("\u{1B}[5n\u{1B}]52;c;?\u{7}").unknown == ["CSI 5n", "OSC 52;c;?"])
    }

    @Test func whatIsCopiedIsKept() {
        let screen = screen("a\u{1B}]52;c;eA==\u{7}b")
        #expect(screen.copied == ["eA=="] && screen.unknown == [] && screen.row(0) == "ab")
    }
}
