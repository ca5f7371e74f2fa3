internal import SluiceUI

/// The text of one canvas cell as ncurses may see it.
///
/// The one place that makes sure that no control character reaches the terminal, and
/// that ncurses counts as many columns as the canvas does: where it would not, the
/// cell shows a substitute.
struct CellText {
    /// A base and what joins it, and zeros behind them; ncurses takes five at most.
    private(set) var scalars: InlineArray<6, UInt32>
    /// Whether a blank must follow to fill the second column.
    let needsBlank: Bool

    /// An empty cell.
    static let blank = CellText(base: UInt32(UInt8(ascii: " ")), needsBlank: false)

    private init(base: UInt32, needsBlank: Bool) {
        scalars = [base, 0, 0, 0, 0, 0]
        self.needsBlank = needsBlank
    }

    /// Makes the text of a cell that is 1 or 2 `columns` wide on the canvas; `width` is `wcwidth` of the locale.
    init(_ character: CellCharacter, columns: Int, width: (UInt32) -> Int) {
        let base = character[0] ?? UInt32(UInt8(ascii: " "))
        let isControl = base < 0x20 || (0x7F...0x9F).contains(base)
        let own = isControl ? -1 : base < 0x80 ? 1 : width(base)
        guard own == columns || (own == 1 && columns == 2) else {
            self.init(base: UInt32(UInt8(ascii: "?")), needsBlank: columns == 2)
            return
        }
        self.init(base: base, needsBlank: own < columns)
        var (index, count) = (1, 1)
        while let joined = character[index] {
            if joined != 0x200D, width(joined) == 0 {
                scalars[count] = joined
                count += 1
            }
            index += 1
        }
    }
}
