/// Breaks text into lines between words; a word that is wider than a line is cut.
enum TextWrap {
    /// - Parameters:
    ///   - text: Safe to draw.
    ///   - columns: Of a line. `1...`
    ///   - limit: Lines at most; the last ends in an ellipsis if something is left.
    /// - Returns: None for text without words.
    static func lines(_ text: String, columns: Int, limit: Int = .max) -> [String] {
        guard columns > 0, limit > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for var word in text.split(separator: " ").map(String.init) {
            if !line.isEmpty, TextWidth.columns(of: line) + 1 + TextWidth.columns(of: word) <= columns {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while TextWidth.columns(of: word) > columns {
                let head = TextWidth.prefix(of: word, columns: columns)
                guard !head.isEmpty else { return lines }
                lines.append(head)
                word = String(word.dropFirst(head.count))
            }
            line = word
        }
        if !line.isEmpty { lines.append(line) }
        guard lines.count > limit else { return lines }
        return lines.prefix(limit - 1) + [Elision.end(lines[limit - 1] + " …", columns)]
    }
}
