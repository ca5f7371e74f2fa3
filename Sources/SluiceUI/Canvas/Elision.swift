/// Shortens names to a column count.
///
/// Measures in columns, cuts between grapheme clusters, and never splits a wide character, nor an escape that
/// `VisibleText` wrote for a character: half of one tells of a character that was never there.
enum Elision {
    /// Takes from the middle and keeps the extension: `a-very…ame.jpg`.
    static func middle(_ text: String, _ columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard TextWidth.columns(of: text) > columns else { return text }
        let tail = fileExtension(of: text)
        let kept = columns - 1 - TextWidth.columns(of: tail)
        guard kept > 3 else { return end(text, columns) }
        let head = prefix(of: text, columns: (kept + 1) / 2)
        let stem = text.dropLast(tail.count)
        let back = suffix(of: stem, columns: kept - TextWidth.columns(of: head))
        return head + "…" + back + tail
    }

    /// Takes from the end.
    static func end(_ text: String, _ columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard TextWidth.columns(of: text) > columns else { return text }
        return prefix(of: text, columns: columns - 1) + "…"
    }

    /// Takes whole words from the end, with what only led over to them.
    ///
    /// A word that would take half of the room with it is cut all the same, as a long path.
    static func words(_ text: String, _ columns: Int) -> String {
        guard columns > 0, TextWidth.columns(of: text) > columns else { return end(text, columns) }
        // What stands before a blank that fits leaves room for the sign.
        let whole = prefix(of: text, columns: columns)
        guard let blank = whole.lastIndex(of: " ") else { return end(text, columns) }
        var head = whole[..<blank]
        while let last = head.last, " ·,:;".contains(last) { head.removeLast() }
        return TextWidth.columns(of: head) * 2 >= columns ? String(head) + "…" : end(text, columns)
    }

    /// The longest start that fits, without a sign that more follows.
    static func prefix(of text: some StringProtocol, columns limit: Int) -> String {
        mayHoldEscapes(text)
            ? fitting(pieces(of: text), columns: limit).joined() : TextWidth.prefix(of: text, columns: limit)
    }

    /// What is never cut: escapes, and the grapheme clusters between them.
    static func pieces(of text: some StringProtocol) -> [String] {
        var pieces: [String] = []
        var rest = Array(text)[...]
        while !rest.isEmpty {
            let length = escapeLength(rest)
            pieces.append(String(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    private static func suffix(of text: Substring, columns limit: Int) -> String {
        mayHoldEscapes(text)
            ? fitting(pieces(of: text).reversed(), columns: limit).reversed().joined()
            : TextWidth.suffix(of: text, columns: limit)
    }

    private static func mayHoldEscapes(_ text: some StringProtocol) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "^") || $0 == UInt8(ascii: "\\") }
    }

    /// As many of the first pieces as fit.
    private static func fitting(_ pieces: [String], columns limit: Int) -> [String] {
        var used = 0
        let end = pieces.firstIndex { piece in
            used += TextWidth.columns(of: piece)
            return used > limit
        }
        return Array(pieces[..<(end ?? pieces.endIndex)])
    }

    /// Characters of the escape that `text` begins with, as `^[` and `\u{202e}`; 1 if it begins with none.
    private static func escapeLength(_ text: ArraySlice<Character>) -> Int {
        switch text.first {
        case "^":
            let sign = text.dropFirst().first?.unicodeScalars.first
            return sign.map { $0 == "?" || (0x40...0x5F).contains($0.value) } == true ? 2 : 1
        case "\\":
            // No scalar has more than six, and whoever writes more of them means no escape.
            let digits = text.dropFirst(3).prefix(7).prefix(while: \.isHexDigit).count
            guard text.dropFirst().starts(with: "u{"), (1...6).contains(digits),
                text.dropFirst(3 + digits).first?.unicodeScalars.first == "}"
            else { return 1 }
            return 4 + digits
        default: return 1
        }
    }

    private static func fileExtension(of text: String) -> String {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return "" }
        let tail = text[dot...]
        return tail.count <= 6 ? String(tail) : ""
    }
}
