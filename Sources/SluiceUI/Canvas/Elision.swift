/// Shortens names to a column count.
///
/// Measures in columns, cuts between grapheme clusters, and never splits a wide character.
enum Elision {
    /// Takes from the middle and keeps the extension: `a-very…ame.jpg`.
    static func middle(_ text: String, _ columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard TextWidth.columns(of: text) > columns else { return text }
        let tail = fileExtension(of: text)
        let kept = columns - 1 - TextWidth.columns(of: tail)
        guard kept > 3 else { return end(text, columns) }
        let head = TextWidth.prefix(of: text, columns: (kept + 1) / 2)
        let stem = text.dropLast(tail.count)
        let back = TextWidth.suffix(of: stem, columns: kept - TextWidth.columns(of: head))
        return head + "…" + back + tail
    }

    /// Takes from the end.
    static func end(_ text: String, _ columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard TextWidth.columns(of: text) > columns else { return text }
        return TextWidth.prefix(of: text, columns: columns - 1) + "…"
    }

    private static func fileExtension(of text: String) -> String {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return "" }
        let tail = text[dot...]
        return tail.count <= 6 ? String(tail) : ""
    }
}
