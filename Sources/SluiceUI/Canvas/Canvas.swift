/// A grid of terminal cells, and the only thing a view may draw on.
///
/// A cell is one column. A wide character fills its cell and a `nil`
/// continuation cell to the right.
public struct Canvas: Equatable, Sendable {
    public struct Cell: Equatable, Sendable {
        public var character: Character?
        public var style: Style
        public init(character: Character?, style: Style) { (self.character, self.style) = (character, style) }
    }

    /// In cells.
    public let width: Int
    /// In cells.
    public let height: Int
    /// Row by row, `width × height`.
    public private(set) var cells: [Cell]

    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: Cell(character: " ", style: .plain), count: self.width * self.height)
    }

    /// - Precondition: `y` is in `0..<height`.
    public func cells(inRow y: Int) -> ArraySlice<Cell> { cells[y * width..<(y + 1) * width] }

    /// The text of a row, for tests.
    public func row(_ y: Int) -> String { String(cells(inRow: y).compactMap(\.character)) }

    /// Writes one character a cell, clipped to the canvas.
    public mutating func write(_ text: some StringProtocol, x: Int, y: Int, style: Style = .plain) {
        guard (0..<height).contains(y), x >= 0 else { return }
        for (column, character) in zip(x..<max(x, width), text) {
            cells[y * width + column] = Cell(character: character, style: style)
        }
    }
}
