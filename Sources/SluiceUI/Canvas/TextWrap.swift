/// Breaks text into lines between words; a word that is wider than a line is cut, beside its escapes and not within.
///
/// Nothing is left out without a sign, whatever a server sends.
enum TextWrap {
    /// Blanks between words stay as they are, but for those at a break.
    ///
    /// - Parameters:
    ///   - text: Safe to draw.
    ///   - columns: Of a line. `1...`
    ///   - limit: Lines at most; the last ends in an ellipsis if something is left.
    /// - Returns: None for text without words.
    /// - Complexity: O(length of `text`): what a server sends may be one word of many thousand signs.
    static func lines(_ text: String, columns: Int, limit: Int = .max) -> [String] {
        guard columns > 0, limit > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        var width = 0
        var rest = text[...]
        while true {
            let gap = rest.prefix { $0 == " " }
            rest = rest[gap.endIndex...]
            guard !rest.isEmpty else { break }
            let end = rest.firstIndex(of: " ") ?? rest.endIndex
            let word = rest[..<end]
            rest = rest[end...]
            let cells = TextWidth.columns(of: word)
            if !line.isEmpty, width + gap.utf8.count + cells <= columns {
                line.append(contentsOf: gap)
                line.append(contentsOf: word)
                width += gap.utf8.count + cells
                continue
            }
            if !line.isEmpty { lines.append(line) }
            guard cells > columns else {
                (line, width) = (String(word), cells)
                continue
            }
            (line, width) = ("", 0)
            for piece in pieces(of: word, columns: columns) {
                let more = TextWidth.columns(of: piece)
                if width + more > columns {
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                line += piece
                width += more
            }
        }
        if !line.isEmpty { lines.append(line) }
        guard lines.count > limit else { return lines }
        return lines.prefix(limit - 1) + [Elision.end(lines[limit - 1] + " …", columns)]
    }

    /// What a word is cut between, none of it wider than a line.
    ///
    /// A cluster has no greatest width, as initial jamo in a row show; it and an escape are broken where nothing else
    /// helps. An ellipsis stands for a scalar that is wider than the line itself.
    private static func pieces(of word: Substring, columns: Int) -> [String] {
        Elision.pieces(of: word).flatMap { piece -> [String] in
            guard TextWidth.columns(of: piece) > columns else { return [piece] }
            return piece.unicodeScalars.map { scalar in
                TextWidth.columns(of: scalar) > columns ? "…" : String(Character(scalar))
            }
        }
    }
}
