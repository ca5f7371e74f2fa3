/// A terminal without a window: what a user would see after a program wrote these bytes.
///
/// Understands what xterm understands, as far as programs that use `xterm-256color` or
/// `vt100` send it. Every sequence that it does not know is kept in ``unknown``, so that
/// a test can insist that there is none. Never answers a question.
public struct ScreenEmulator: Sendable {
    /// How a cell is drawn.
    public struct Look: Hashable, Sendable {
        /// `nil` is the terminal's own; above 255 are 24-bit colours.
        public var foreground: Int?
        public var background: Int?
        public var isBold = false
        public var isDim = false
        public var isReverse = false
        public var isUnderlined = false
        public init() {}
    }

    public struct Cell: Equatable, Sendable {
        /// Empty for the right half of a wide character.
        public var text = " "
        public var look = Look()
    }

    /// The private modes that are on in a terminal nobody has changed: wrapping, and a visible cursor.
    public static let initialModes: Set<Int> = [7, 25]

    public internal(set) var width: Int
    public internal(set) var height: Int
    public internal(set) var cursor = (x: 0, y: 0)
    /// DEC private modes that are on.
    public internal(set) var modes = initialModes
    /// How often the whole screen was erased, as programs do before they paint it anew.
    public internal(set) var clearings = 0
    /// Whether cursor keys and number pad send what applications want.
    public internal(set) var hasApplicationKeypad = false
    public internal(set) var title = ""
    /// How many questions about version, attributes and cells came.
    public internal(set) var questions = 0
    /// What followed `ESC _`, which is where pictures are sent.
    public internal(set) var applicationCommands: [String] = []
    /// Titles that were put aside and not taken back.
    public internal(set) var keptTitles = 0
    /// How often the colour of the ground was asked for.
    public internal(set) var groundQuestions = 0
    /// The value of the last OSC 9;4, such as `3`; `nil` or `0` is off.
    public internal(set) var progress: String?
    /// What was given to the clipboard, in the letters that came.
    public internal(set) var copied: [String] = []
    public internal(set) var look = Look()
    public internal(set) var bells = 0
    /// Sequences that it does not understand, readable.
    public internal(set) var unknown: [String] = []

    var grid: [[Cell]]
    var hidden: (grid: [[Cell]], cursor: (x: Int, y: Int))?
    var savedCursor = (x: 0, y: 0)
    var region: ClosedRange<Int>
    var isWrapPending = false
    var isInserting = false
    var usesLineDrawing = false
    var lastText = " "
    var parser = SequenceParser()

    public init(width: Int = 80, height: Int = 24) {
        (self.width, self.height) = (width, height)
        grid = Self.blank(width, height)
        region = 0...(height - 1)
    }

    /// The text of every row, without blanks at the end.
    public var rows: [String] { grid.indices.map { row($0) } }

    /// The text of one row, without blanks at the end; of large screens, all rows take long.
    public func row(_ y: Int) -> String {
        let end = grid[y].lastIndex { $0.text != " " }.map { $0 + 1 } ?? 0
        return grid[y][..<end].map(\.text).joined()
    }

    public var text: String { rows.joined(separator: "\n") }

    public var isAlternate: Bool { hidden != nil }

    public func cell(x: Int, y: Int) -> Cell { grid[y][x] }

    /// What a program left behind that it should have put back, in words; empty after a clean exit.
    public var remains: [String] {
        var remains = modes.subtracting(Self.initialModes).sorted().map { "mode \($0) is on" }
        remains += Self.initialModes.subtracting(modes).sorted().map { "mode \($0) is off" }
        if isAlternate { remains.append("the alternate screen is shown") }
        if hasApplicationKeypad { remains.append("the keypad is the application's") }
        if keptTitles != 0 { remains.append("\(keptTitles) titles are put aside") }
        if progress ?? "0" != "0" { remains.append("progress is \(progress ?? "")") }
        if look != Look() { remains.append("attributes are on") }
        if usesLineDrawing { remains.append("the line-drawing set is on") }
        if isInserting { remains.append("insert mode is on") }
        if region != 0...(height - 1) { remains.append("the scroll region is \(region)") }
        return remains
    }

    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            guard let item = parser.take(byte) else { continue }
            switch item {
            case .text(let character): put(character)
            case .control(let code): control(code)
            case .escape(let bytes): escape(bytes)
            case .controlSequence(let bytes): controlSequence(bytes)
            case .command(let text): command(text)
            case .applicationCommand(let text): applicationCommands.append(text)
            }
        }
    }

    /// Takes another size, and keeps what fits; the program repaints.
    public mutating func resize(width: Int, height: Int) {
        grid = Self.fitted(grid, width, height)
        if let other = hidden { hidden = (Self.fitted(other.grid, width, height), other.cursor) }
        (self.width, self.height) = (width, height)
        region = 0...(height - 1)
        cursor = (min(cursor.x, width - 1), min(cursor.y, height - 1))
        isWrapPending = false
    }

    static func blank(_ width: Int, _ height: Int) -> [[Cell]] {
        Array(repeating: Array(repeating: Cell(), count: width), count: height)
    }

    private static func fitted(_ grid: [[Cell]], _ width: Int, _ height: Int) -> [[Cell]] {
        var result = blank(width, height)
        for (y, row) in grid.prefix(height).enumerated() {
            for (x, cell) in row.prefix(width).enumerated() { result[y][x] = cell }
        }
        return result
    }
}
