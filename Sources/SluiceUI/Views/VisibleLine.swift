internal import SluiceCore

/// The part of the edited line that fits, with the cursor in it.
struct VisibleLine: Equatable {
    /// Sanitised, without the marks of what is hidden.
    private(set) var text = ""
    /// Column of the cursor within ``styled``; the terminal's own stands there, on a cell that looks like the others.
    private(set) var cursor = 0
    /// Whether clusters are hidden at either end; a mark stands for them.
    private(set) var isCutAtStart = false
    private(set) var isCutAtEnd = false
    /// Index of the first cluster that is shown.
    private var first = 0
    /// Columns of the clusters that are shown.
    private var widths: [Int] = []

    /// Below this, marks would leave no room for the text.
    private static let leastWithMarks = 8

    /// Fits into `columns`, the cursor behind the text and the marks included.
    init(_ editor: LineEditor, columns: Int) {
        let pieces = editor.characters.map { VisibleText.visible(String($0)) }
        let all = pieces.map { TextWidth.columns(of: $0) }
        let cursorWidth = editor.cursor < all.count ? max(1, all[editor.cursor]) : 1
        let end = all.reduce(0, +) + (editor.cursor < all.count ? 0 : 1)
        let mark = columns >= Self.leastWithMarks && end > columns ? 1 : 0
        // The mark at the right is for what is hidden behind the cursor.
        let isBeforeMore = editor.cursor + 1 < all.count
        var room = columns - (isBeforeMore ? mark : 0)
        if all[..<editor.cursor].reduce(cursorWidth, +) > room {
            (room, isCutAtStart) = (room - mark, mark > 0)
            first = editor.cursor
            var used = cursorWidth
            while first > 0, used + all[first - 1] <= room {
                first -= 1
                used += all[first]
            }
        }
        // Where the rest fits there is nothing to mark.
        let whole = columns - (isCutAtStart ? 1 : 0)
        if all[first...].reduce(0, +) <= whole { room = whole }
        cursor = all[first..<editor.cursor].reduce(isCutAtStart ? 1 : 0, +)
        var column = 0
        for index in first..<pieces.count {
            guard column + all[index] <= room else { break }
            text += pieces[index]
            widths.append(all[index])
            column += all[index]
        }
        isCutAtEnd = mark > 0 && first + widths.count < pieces.count
    }

    /// The text, with a mark at each end where some is hidden.
    var styled: StyledText {
        let (start, end) = (isCutAtStart ? StyledText.dim("…") : StyledText(), isCutAtEnd ? "…" : "")
        return start + .plain(text) + .dim(end)
    }

    /// Columns of ``styled``.
    var columns: Int { widths.reduce((isCutAtStart ? 1 : 0) + (isCutAtEnd ? 1 : 0), +) }

    /// Where a cluster of the line begins within ``styled``; for one that is hidden, the nearest that is seen.
    func column(of place: Int) -> Int {
        let shown = min(max(0, place - first), widths.count)
        return widths[..<shown].reduce(isCutAtStart ? 1 : 0, +)
    }
}
