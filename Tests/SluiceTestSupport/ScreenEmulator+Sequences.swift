extension ScreenEmulator {
    mutating func control(_ code: UInt8) {
        switch code {
        case 0x07: bells += 1
        case 0x08: moveCursor(x: cursor.x - 1)
        case 0x09: moveCursor(x: (cursor.x / 8 + 1) * 8)
        case 0x0A, 0x0B, 0x0C: lineFeed()
        case 0x0D: moveCursor(x: 0)
        case 0x0E: usesLineDrawing = true
        case 0x0F: usesLineDrawing = false
        case 0x00: break
        default: unknown.append("control \(code)")
        }
    }

    mutating func escape(_ bytes: [UInt8]) {
        switch String(decoding: bytes, as: UTF8.self) {
        case "=": hasApplicationKeypad = true
        case ">": hasApplicationKeypad = false
        case "7": savedCursor = cursor
        case "8": moveCursor(x: savedCursor.x, y: savedCursor.y)
        case "D": lineFeed()
        case "E":
            moveCursor(x: 0)
            lineFeed()
        case "M": if cursor.y == region.lowerBound { scroll(by: -1) } else { moveCursor(y: cursor.y - 1) }
        case "(0": usesLineDrawing = true
        case "(B", "(A": usesLineDrawing = false
        case ")0", ")B", "\\": break
        case "c": self = ScreenEmulator(width: width, height: height)
        case let other: unknown.append("ESC \(other)")
        }
    }

    mutating func controlSequence(_ bytes: [UInt8]) {
        guard let final = bytes.last else { return }
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        if text == ">", final == UInt8(ascii: "q") {
            questions += 1
            return
        }
        let isPrivate = text.first == "?"
        let numbers = text.drop { $0 == "?" }.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.allSatisfy({ $0 != nil }) || numbers.count == 1 && numbers[0] == nil && text.count <= 1 else {
            return unknown.append("CSI \(String(decoding: bytes, as: UTF8.self))")
        }
        let first = numbers.first.flatMap(\.self)
        let count = max(1, first ?? 1)
        switch (isPrivate, UnicodeScalar(final)) {
        case (false, "A"): moveCursor(y: max(cursor.y - count, 0))
        case (false, "B"): moveCursor(y: cursor.y + count)
        case (false, "C"): moveCursor(x: cursor.x + count)
        case (false, "D"): moveCursor(x: cursor.x - count)
        case (false, "G"), (false, "`"): moveCursor(x: count - 1)
        case (false, "d"): moveCursor(y: count - 1)
        case (false, "H"), (false, "f"):
            moveCursor(x: max(1, numbers.dropFirst().first.flatMap(\.self) ?? 1) - 1, y: count - 1)
        case (false, "I"): moveCursor(x: (cursor.x / 8 + count) * 8)
        case (false, "Z"): moveCursor(x: (max(0, cursor.x - 1) / 8 - count + 1) * 8)
        case (false, "J"):
            if first == 2 || ((first ?? 0) == 0 && cursor == (0, 0)) { clearings += 1 }
            eraseScreen(first ?? 0)
        case (false, "K"): eraseLine(first ?? 0)
        case (false, "X"): erase(cursor.x..<min(width, cursor.x + count), y: cursor.y)
        case (false, "@"): insertCells(count)
        case (false, "P"): deleteCells(count)
        case (false, "L"): scroll(by: -count, from: cursor.y)
        case (false, "M"): scroll(by: count, from: cursor.y)
        case (false, "S"): scroll(by: count)
        case (false, "T"): scroll(by: -count)
        case (false, "b"): for _ in 0..<count { put(lastText) }
        case (false, "r"): setRegion(top: first, bottom: numbers.dropFirst().first.flatMap(\.self))
        case (false, "m"): setLook(numbers.map { $0 ?? 0 })
        case (false, "t") where first == 22: keptTitles += 1
        case (false, "t") where first == 23: keptTitles -= 1
        case (false, "h") where first == 4: isInserting = true
        case (false, "l") where first == 4: isInserting = false
        case (true, "h"): for mode in numbers { setMode(mode ?? 0, true) }
        case (true, "l"): for mode in numbers { setMode(mode ?? 0, false) }
        // Questions, which a test answers if it wants to.
        case (false, "c"),
            (false, "t") where first == 16:
            questions += 1
        default: unknown.append("CSI \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    mutating func command(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.last ?? "") {
        case ("0", let title), ("2", let title): self.title = title
        case ("9", let value) where value.hasPrefix("4;"): progress = String(value.dropFirst(2))
        case ("52", let value) where value.hasPrefix("c;") && value != "c;?": copied.append(String(value.dropFirst(2)))
        case ("104", _): break
        // A question, which a test answers if it wants to.
        case ("11", "?"): groundQuestions += 1
        default: unknown.append("OSC \(text)")
        }
    }

    private mutating func setMode(_ mode: Int, _ isOn: Bool) {
        switch mode {
        case 1: hasApplicationKeypad = isOn
        case 47, 1047, 1049: setAlternate(isOn)
        case _ where isOn: modes.insert(mode)
        default: modes.remove(mode)
        }
    }

    private mutating func setAlternate(_ isOn: Bool) {
        if isOn, hidden == nil {
            hidden = (grid, cursor)
            grid = Self.blank(width, height)
        } else if !isOn, let other = hidden {
            grid = other.grid
            moveCursor(x: other.cursor.x, y: other.cursor.y)
            hidden = nil
        }
    }

    private mutating func setRegion(top: Int?, bottom: Int?) {
        let lower = max(1, top ?? 1) - 1
        let upper = min(height, bottom ?? height) - 1
        region = lower < upper ? lower...upper : 0...(height - 1)
        moveCursor(x: 0, y: 0)
    }

    private mutating func setLook(_ numbers: [Int]) {
        var rest = numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: look = Look()
            case 1: look.isBold = true
            case 2: look.isDim = true
            case 4: look.isUnderlined = true
            case 7: look.isReverse = true
            case 22: (look.isBold, look.isDim) = (false, false)
            case 24: look.isUnderlined = false
            case 27: look.isReverse = false
            case 30...37: look.foreground = number - 30
            case 38: look.foreground = color(&rest)
            case 39: look.foreground = nil
            case 40...47: look.background = number - 40
            case 48: look.background = color(&rest)
            case 49: look.background = nil
            case 90...97: look.foreground = number - 82
            case 100...107: look.background = number - 92
            default: unknown.append("SGR \(number)")
            }
        }
    }

    private func color(_ rest: inout ArraySlice<Int>) -> Int? {
        switch rest.popFirst() {
        case 5: return rest.popFirst()
        case 2:
            let parts = rest.prefix(3)
            rest = rest.dropFirst(3)
            return parts.reduce(1) { $0 << 8 | $1 }
        default: return nil
        }
    }
}
