import SluiceCore
import Testing

@testable import SluiceUI

struct PainterTests {
    /// What a row shows of a text for which there is so much room, and the column behind it.
    private func put(_ text: StyledText, limit: Int) -> (row: String, end: Int) {
        let glyphs = Glyphs(isASCII: false, depth: .palette256)
        var painter = Painter(width: 24, height: 1, theme: Theme(depth: .palette256), glyphs: glyphs)
        let end = painter.put(fitting: text, x: 0, y: 0, limit: limit)
        return (painter.finished().row(0).trimmed, end)
    }

    @Test(arguments: [
        ("abc\u{1B}[2J", 5, "abc…"), ("abc\u{1B}[2J", 6, "abc^[…"), ("abc\u{1B}[2J", 8, "abc^[[2J"),
        ("a\u{202E}b", 9, "a…"), ("a\u{202E}b", 10, #"a\u{202e}b"#), ("猫猫猫", 4, "猫…"), ("abc", 1, "…"), ("abc", 0, ""),
    ])
    func whatDoesNotFitIsCutBesideAnEscape(text: String, limit: Int, row: String) {
        let shown = put(.plain(VisibleText.visible(text)), limit: limit)
        #expect(shown.row == row)
        #expect(shown.end == TextWidth.columns(of: row))
    }

    @Test func theSpanThatDoesNotFitIsCut() {
        let text = StyledText.plain("ab") + .dim("c^[d") + .plain("e")
        #expect(put(text, limit: 5).row == "abc…")
        #expect(put(text, limit: 6).row == "abc^[…")
        #expect(put(text, limit: 7).row == "abc^[de")
    }
}
