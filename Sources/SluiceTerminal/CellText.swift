internal import SluiceUI

/// The text of one canvas cell as ncurses may see it.
///
/// The one place that makes sure that no control character reaches the terminal, and
/// that ncurses counts as many columns as the canvas does: where it would not, the
/// cell shows a substitute.
struct CellText: Equatable {
    /// A base and what joins it; ncurses takes five at most.
    var scalars: [UInt32]
    /// Whether a blank must follow to fill the second column.
    var needsBlank: Bool

    /// Makes the text of a cell that is 1 or 2 `columns` wide on the canvas; `width` is `wcwidth` of the locale.
    init(_ character: Character?, columns: Int, width: (UInt32) -> Int) {
        let all = (character ?? " ").unicodeScalars
        let base = all[all.startIndex].value
        let isControl = base < 0x20 || (0x7F...0x9F).contains(base)
        let own = isControl ? -1 : base < 0x80 ? 1 : width(base)
        guard own == columns || (own == 1 && columns == 2) else {
            scalars = [UInt32(UInt8(ascii: "?"))]
            needsBlank = columns == 2
            return
        }
        scalars = [base]
        needsBlank = own < columns
        for scalar in all.dropFirst().prefix(4) where width(scalar.value) == 0 && scalar != "\u{200D}" {
            scalars.append(scalar.value)
        }
    }
}
