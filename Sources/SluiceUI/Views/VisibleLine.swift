internal import SluiceCore

/// The part of the edited line that fits, with the cursor in it.
struct VisibleLine: Equatable {
    /// Sanitised.
    private(set) var text = ""
    /// Column of the cursor within ``text``.
    private(set) var cursor = 0
    private(set) var underCursor = " "

    /// Fits into `columns`, the cursor behind the text included.
    init(_ editor: LineEditor, columns: Int) {
        let pieces = editor.characters.map { VisibleText.visible(String($0)) }
        let widths = pieces.map { TextWidth.columns(of: $0) }
        var first = editor.cursor
        let cursorWidth = editor.cursor < widths.count ? max(1, widths[editor.cursor]) : 1
        var used = cursorWidth
        while first > 0, used + widths[first - 1] <= columns {
            first -= 1
            used += widths[first]
        }
        cursor = widths[first..<editor.cursor].reduce(0, +)
        var column = 0
        for index in first..<pieces.count {
            guard column + widths[index] <= columns else { break }
            text += pieces[index]
            column += widths[index]
        }
        if editor.cursor < pieces.count, widths[editor.cursor] > 0 { underCursor = pieces[editor.cursor] }
    }
}
