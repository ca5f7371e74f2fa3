/// A grid of terminal cells, and the only thing a view may draw on.
///
/// A cell is one column. A wide character fills its cell and a `nil`
/// continuation cell to the right. No write can leave half of one behind.
public struct Canvas: Equatable, Sendable {
    /// One column of one row.
    public struct Cell: Equatable, Sendable {
        /// What stands in it.
        public internal(set) var text: CellCharacter
        /// Of a wide character the same in both cells.
        public internal(set) var style: Style

        /// One grapheme cluster; `nil` right of a wide one, which fills this cell too.
        public var character: Character? { text.character }
    }

    /// Cells of one row that differ from what they were.
    public struct Change: Equatable, Sendable {
        /// The row, from 0.
        public let y: Int
        /// Columns; never half of a wide character, as it is now.
        public let columns: Range<Int>
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
        cells = Array(repeating: Cell(text: .blank, style: .plain), count: self.width * self.height)
    }

    /// - Precondition: `y` is in `0..<height`.
    public func cells(inRow y: Int) -> ArraySlice<Cell> { cells[y * width..<(y + 1) * width] }

    /// The text of a row, for tests.
    public func row(_ y: Int) -> String { String(cells(inRow: y).compactMap(\.character)) }

    /// What has to be drawn where `last` is seen, or nothing is, in the order of rows: from the first changed cell to the
    /// last, one piece a row.
    public func changes(since last: Canvas?) -> [Change] {
        guard let last, last.width == width, last.height == height else {
            return (0..<height).map { Change(y: $0, columns: 0..<width) }
        }
        return (0..<height).compactMap { y in changedColumns(of: y, since: last).map { Change(y: y, columns: $0) } }
    }

    private func changedColumns(of y: Int, since last: Canvas) -> Range<Int>? {
        let row = y * width..<(y + 1) * width
        guard var start = row.first(where: { cells[$0] != last.cells[$0] }),
            var end = row.last(where: { cells[$0] != last.cells[$0] })
        else { return nil }
        if cells[start].text.isContinuation, start > row.lowerBound { start -= 1 }
        if end + 1 < row.upperBound, cells[end + 1].text.isContinuation { end += 1 }
        return start - row.lowerBound..<end + 1 - row.lowerBound
    }

    /// Puts one character of `columns` columns (1 or 2); outside the canvas, or where half of it would be, nothing.
    mutating func put(_ text: CellCharacter, columns: Int, style: Style, x: Int, y: Int) {
        guard (0..<height).contains(y), x >= 0, x + columns <= width else { return }
        let index = y * width + x
        release(x, y)
        if columns == 2 {
            release(x + 1, y)
            cells[index + 1] = Cell(text: .continuation, style: style)
        }
        cells[index] = Cell(text: text, style: style)
    }

    /// Makes cells of a row blank and plain, as far as they are on the canvas.
    mutating func clear(_ columns: Range<Int>, y: Int) {
        let columns = columns.clamped(to: 0..<width)
        guard (0..<height).contains(y), !columns.isEmpty else { return }
        release(columns.lowerBound, y)
        release(columns.upperBound - 1, y)
        for x in columns { cells[y * width + x] = Cell(text: .blank, style: .plain) }
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
                    CellCharacter(scalar: isControl ? "\u{FFFD}" : scalar),
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
        guard (0..<height).contains(y), (0..<width).contains(x), !cells[y * width + x].text.isContinuation
        else { return }
        cells[y * width + x].text = CellCharacter(character)
    }

    /// Changes every cell that holds a character, keeping wide ones whole.
    mutating func mapCharacters(_ change: (Character) -> Character) {
        for index in cells.indices {
            guard let character = cells[index].character else { continue }
            let isWide = index + 1 < cells.count && (index + 1) % width != 0 && cells[index + 1].text.isContinuation
            let changed = change(character)
            guard changed != character else { continue }
            cells[index].text = CellCharacter(changed)
            if isWide { cells[index + 1].text = CellCharacter(changed) }
        }
    }

    private mutating func join(_ scalar: Unicode.Scalar, x: Int, y: Int) {
        guard (0..<height).contains(y), x >= 0, let character = cells[y * width + x].character else { return }
        var text = String(character)
        text.unicodeScalars.append(scalar)
        guard text.count == 1, text.unicodeScalars.count <= 4 else { return }
        cells[y * width + x].text = CellCharacter(Character(text))
    }

    /// Blanks the other half of a wide character before one half is overwritten.
    private mutating func release(_ x: Int, _ y: Int) {
        let index = y * width + x
        if cells[index].text.isContinuation, x > 0 {
            cells[index - 1].text = .blank
            cells[index].text = .blank
        } else if x + 1 < width, cells[index + 1].text.isContinuation {
            cells[index + 1].text = .blank
        }
    }
}
