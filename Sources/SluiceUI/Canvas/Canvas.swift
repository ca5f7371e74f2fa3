/// A grid of terminal cells, and the only thing a view may draw on.
///
/// A cell is one column. A wide character fills its cell and a `nil`
/// continuation cell to the right. No write can leave half of one behind.
public struct Canvas: Equatable, Sendable {
    /// One column of one row.
    public struct Cell: Equatable, Sendable {
        /// One grapheme cluster; `nil` right of a wide one, which fills this cell too.
        public var character: Character?
        /// Of a wide character the same in both cells.
        public var style: Style
        /// A cell as it is; ``Canvas`` keeps wide ones whole.
        public init(character: Character?, style: Style) { (self.character, self.style) = (character, style) }
    }

    /// In cells.
    public let width: Int
    /// In cells.
    public let height: Int
    /// Row by row, `width × height`.
    public private(set) var cells: [Cell]

    /// A canvas of blanks; negative sizes count as 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: Cell(character: " ", style: .plain), count: self.width * self.height)
    }

    /// - Precondition: `y` is in `0..<height`.
    public func cells(inRow y: Int) -> ArraySlice<Cell> { cells[y * width..<(y + 1) * width] }

    /// The text of a row, for tests.
    public func row(_ y: Int) -> String { String(cells(inRow: y).compactMap(\.character)) }

    /// Puts one character of `columns` columns (1 or 2); outside the canvas, or where half of it would be, nothing.
    mutating func put(_ character: Character, columns: Int, style: Style, x: Int, y: Int) {
        guard (0..<height).contains(y), x >= 0, x + columns <= width else { return }
        let index = y * width + x
        release(x, y)
        if columns == 2 {
            release(x + 1, y)
            cells[index + 1] = Cell(character: nil, style: style)
        }
        cells[index] = Cell(character: character, style: style)
    }

    /// Writes `text` from cell `x` of row `y`, clipped to `limit` columns and to the canvas.
    ///
    /// Scalars that fill no column join the cell before them; control characters
    /// become U+FFFD, since nothing on a canvas may move the cursor.
    ///
    /// - Returns: The column after the last one written.
    @discardableResult
    public mutating func write(
        _ text: some StringProtocol,
        x: Int,
        y: Int,
        limit: Int = .max,
        style: Style = .plain
    ) -> Int {
        let end = limit < width - x ? x + limit : width
        var column = x
        var last = -1
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            let columns = isControl ? 1 : TextWidth.columns(of: scalar)
            if columns == 0 {
                join(scalar, x: last, y: y)
                continue
            }
            guard column + columns <= end else { break }
            if column >= 0 {
                put(
                    Character(isControl ? "\u{FFFD}" : scalar),
                    columns: columns,
                    style: style,
                    x: column,
                    y: y
                )
                last = column
            }
            column += columns
        }
        return column
    }

    /// Changes the style of a cell, and of nothing else.
    mutating func restyle(x: Int, y: Int, _ change: (Style) -> Style) {
        guard (0..<height).contains(y), (0..<width).contains(x) else { return }
        cells[y * width + x].style = change(cells[y * width + x].style)
    }

    /// Changes a narrow character, and keeps its style.
    mutating func replace(with character: Character, x: Int, y: Int) {
        guard (0..<height).contains(y), (0..<width).contains(x), cells[y * width + x].character != nil else { return }
        cells[y * width + x].character = character
    }

    /// Changes every cell that holds a character, keeping wide ones whole.
    mutating func mapCharacters(_ change: (Character) -> Character) {
        for index in cells.indices {
            guard let character = cells[index].character else { continue }
            let isWide = index + 1 < cells.count && (index + 1) % width != 0 && cells[index + 1].character == nil
            let changed = change(character)
            guard changed != character else { continue }
            cells[index].character = changed
            if isWide { cells[index + 1].character = changed }
        }
    }

    private mutating func join(_ scalar: Unicode.Scalar, x: Int, y: Int) {
        guard (0..<height).contains(y), x >= 0, let character = cells[y * width + x].character else { return }
        var text = String(character)
        text.unicodeScalars.append(scalar)
        guard text.count == 1, text.unicodeScalars.count <= 4 else { return }
        cells[y * width + x].character = Character(text)
    }

    /// Blanks the other half of a wide character before one half is overwritten.
    private mutating func release(_ x: Int, _ y: Int) {
        let index = y * width + x
        if cells[index].character == nil, x > 0 {
            cells[index - 1].character = " "
            cells[index].character = " "
        } else if x + 1 < width, cells[index + 1].character == nil {
            cells[index + 1].character = " "
        }
    }
}
