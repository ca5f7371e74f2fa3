/// Makes strings from servers, URLs, files and users safe to lay out: what is invisible or moves the cursor shows.
///
/// Everything that Sluice did not write itself passes here before it is measured,
/// elided, drawn or printed. Never interprets; the result is for eyes only.
public enum VisibleText {
    /// - Parameters:
    ///   - text: As received.
    ///   - limit: Characters of the result at most, the ellipsis included. `1...`
    /// - Returns: `text` with control characters as `^[`, other dangerous scalars as `\u{202e}`, and without
    ///   variation selectors, whose width terminals disagree about.
    public static func visible(_ text: some StringProtocol, limit: Int = 1_000) -> String {
        // Nearly every text of a frame is as it should be, and only its dots and arrows are not ASCII.
        if text.utf8.count <= limit, text.unicodeScalars.allSatisfy({ !$0.isHazardous && !hasNoWidth($0) }) {
            return String(text)
        }
        var result = String.UnicodeScalarView()
        var count = 0
        var marks = 0
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let escaped = scalar.isHazardous ? escaped(scalar).unicodeScalars : nil
            count += escaped?.count ?? 1
            guard count <= (rest.isEmpty ? limit : limit - 1) else {
                result.append("…")
                break
            }
            if let escaped {
                result.append(contentsOf: escaped)
                marks = 0
            } else if hasNoWidth(scalar) {
                marks += 1
                if marks <= 3, !isVariationSelector(scalar.value) { result.append(scalar) }
            } else {
                result.append(scalar)
                marks = 0
            }
        }
        return String(result)
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x00..<0x20: "^" + String(Character(Unicode.Scalar(UInt8(scalar.value) + 0x40)))
        case 0x7F: "^?"
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }

    private static func hasNoWidth(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x300 { return false }
        if (0x1160...0x11FF).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return true
        default: return false
        }
    }

    private static func isVariationSelector(_ value: UInt32) -> Bool {
        (0xFE00...0xFE0F).contains(value) || (0xE0100...0xE01EF).contains(value)
    }
}

extension String {
    /// The whole text on one line, with everything written out that could move a cursor or fool a reader.
    public var withVisibleControls: String { VisibleText.visible(self, limit: .max) }
}
