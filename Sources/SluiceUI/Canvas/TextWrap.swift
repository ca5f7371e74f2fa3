/// Breaks text into lines between words; a word that is wider than a line is cut.
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
            var word = rest[..<end]
            rest = rest[end...]
            var cells = TextWidth.columns(of: word)
            if !line.isEmpty, width + gap.utf8.count + cells <= columns {
                line.append(contentsOf: gap)
                line.append(contentsOf: word)
                width += gap.utf8.count + cells
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while cells > columns {
                let head = TextWidth.prefix(of: word, columns: columns)
                guard !head.isEmpty else { return lines }
                lines.append(head)
                word = word.dropFirst(head.count)
                cells -= TextWidth.columns(of: head)
            }
            (line, width) = (String(word), cells)
        }
        if !line.isEmpty { lines.append(line) }
        guard lines.count > limit else { return lines }
        return lines.prefix(limit - 1) + [Elision.end(lines[limit - 1] + " …", columns)]
    }
}
