/// Makes strings from servers, URLs, files and users safe to lay out: what is invisible or moves the cursor shows.
///
/// Everything that Sluice did not write itself passes here before it is measured,
/// elided or drawn. Never interprets; the result is for eyes only.
public enum VisibleText {
    /// - Parameters:
    ///   - text: As received.
    ///   - limit: Characters of the result at most, the ellipsis included. `1...`
    /// - Returns: `text` with control characters as `^[`, other dangerous scalars as `\u{202e}`, and without
    ///   variation selectors, whose width terminals disagree about.
    public static func visible(_ text: some StringProtocol, limit: Int = 1_000) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(text) }
        var result = String.UnicodeScalarView()
        var count = 0
        var marks = 0
        for scalar in text.unicodeScalars {
            guard count < limit - 1 else {
                result.append("…")
                break
            }
            if let escaped = escaped(scalar) {
                result.append(contentsOf: escaped.unicodeScalars)
                count += escaped.unicodeScalars.count
                marks = 0
            } else if TextWidth.columns(of: scalar) == 0 {
                marks += 1
                if marks <= 3, !(0xFE00...0xFE0F).contains(scalar.value) { result.append(scalar) }
                count += 1
            } else {
                result.append(scalar)
                count += 1
                marks = 0
            }
        }
        return String(result)
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x00..<0x20: "^" + String(Character(Unicode.Scalar(UInt8(scalar.value) + 0x40)))
        case 0x7F: "^?"
        case 0x80...0x9F, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
            0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            "\\u{" + String(scalar.value, radix: 16) + "}"
        default: nil
        }
    }
}
