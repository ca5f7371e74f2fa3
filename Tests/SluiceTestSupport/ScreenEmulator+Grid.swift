extension ScreenEmulator {
    mutating func put(_ text: String) {
        guard let scalar = text.unicodeScalars.first else { return }
        let columns = Self.columns(of: scalar)
        guard columns > 0 else { return join(text) }
        if modes.contains(7), isWrapPending || cursor.x + columns > width {
            moveCursor(x: 0)
            lineFeed()
        }
        let shown = usesLineDrawing ? Self.lineDrawing[text] ?? text : text
        if isInserting { insertCells(columns) }
        write(Cell(text: shown, look: look), x: cursor.x)
        if columns == 2, cursor.x + 1 < width { write(Cell(text: "", look: look), x: cursor.x + 1, keepsLeft: true) }
        lastText = text
        let next = cursor.x + columns
        moveCursor(x: next)
        isWrapPending = next >= width
    }

    /// Half a wide character cannot stay behind.
    private mutating func write(_ cell: Cell, x: Int, keepsLeft: Bool = false) {
        if grid[cursor.y][x].text.isEmpty, x > 0, !keepsLeft { grid[cursor.y][x - 1].text = " " }
        if x + 1 < width, grid[cursor.y][x + 1].text.isEmpty { grid[cursor.y][x + 1].text = " " }
        grid[cursor.y][x] = cell
    }

    private mutating func join(_ text: String) {
        var x = isWrapPending ? cursor.x : cursor.x - 1
        if x > 0, grid[cursor.y][x].text.isEmpty { x -= 1 }
        if x >= 0 { grid[cursor.y][x].text += text }
    }

    mutating func moveCursor(x: Int? = nil, y: Int? = nil) {
        cursor = (min(max(0, x ?? cursor.x), width - 1), min(max(0, y ?? cursor.y), height - 1))
        isWrapPending = false
    }

    mutating func lineFeed() {
        if cursor.y == region.upperBound { scroll(by: 1) } else { moveCursor(y: cursor.y + 1) }
    }

    /// Moves rows up, or down for negative counts, inside the scroll region and not above `top`.
    mutating func scroll(by count: Int, from top: Int? = nil) {
        let top = max(top ?? region.lowerBound, region.lowerBound)
        guard top <= region.upperBound else { return }
        let rows = Array(grid[top...region.upperBound])
        let shift = min(abs(count), rows.count)
        let blanks = Self.blank(width, shift)
        let moved = count > 0 ? Array(rows[shift...]) + blanks : blanks + Array(rows.dropLast(shift))
        grid.replaceSubrange(top...region.upperBound, with: moved)
    }

    mutating func erase(_ columns: Range<Int>, y: Int) {
        for x in columns { grid[y][x] = Cell(text: " ", look: erased) }
    }

    mutating func eraseLine(_ kind: Int) {
        switch kind {
        case 0: erase(cursor.x..<width, y: cursor.y)
        case 1: erase(0..<min(width, cursor.x + 1), y: cursor.y)
        default: erase(0..<width, y: cursor.y)
        }
    }

    mutating func eraseScreen(_ kind: Int) {
        if kind < 2 { eraseLine(kind) }
        let rows = kind == 0 ? (cursor.y + 1)..<height : kind == 1 ? 0..<cursor.y : 0..<height
        for y in rows { erase(0..<width, y: y) }
    }

    mutating func insertCells(_ count: Int) {
        let kept = grid[cursor.y][cursor.x...].dropLast(min(count, width - cursor.x))
        let blanks = Array(repeating: Cell(text: " ", look: erased), count: min(count, width - cursor.x))
        grid[cursor.y][cursor.x...] = ArraySlice(blanks + kept)
    }

    mutating func deleteCells(_ count: Int) {
        let kept = grid[cursor.y][cursor.x...].dropFirst(min(count, width - cursor.x))
        let blanks = Array(repeating: Cell(text: " ", look: erased), count: min(count, width - cursor.x))
        grid[cursor.y][cursor.x...] = ArraySlice(kept + blanks)
    }

    /// Erasing keeps the background.
    private var erased: Look {
        var erased = Look()
        erased.background = look.background
        return erased
    }

    static func columns(of scalar: UnicodeScalar) -> Int {
        switch scalar.value {
        case 0..<0x300: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FC, 0x1F900...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }

    private static let lineDrawing = [
        "j": "┘", "k": "┐", "l": "┌", "m": "└", "n": "┼", "q": "─", "t": "├", "u": "┤", "v": "┴", "w": "┬", "x": "│",
    ]
}
