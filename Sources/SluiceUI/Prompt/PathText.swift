internal import SluiceCore

/// Looks at text as file managers and terminals hand over a file: a path in quotes, with escapes, or as `file://`.
///
/// Never asks the disk: whether there is such a file, a look at the list tells once `@` stands before the path.
enum PathText {
    /// What names of lists end with, and no domain does.
    private static let listEndings: Set<String> = ["csv", "list", "lst", "txt", "urls"]

    /// No system has longer ones.
    private static let longest = 8_192

    /// Its parts, split by bytes: a `/` and a mark that follows are one character, which would be no separator.
    static func parts(of path: some StringProtocol) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What stands behind the last `/`.
    static func name(of path: String) -> String { parts(of: path).last ?? path }

    static func hasListEnding(_ text: some StringProtocol) -> Bool {
        guard let dot = text.lastIndex(of: ".") else { return false }
        return listEndings.contains(text[text.index(after: dot)...].lowercased())
    }

    /// The path that all of `text` names; `nil` if it names none.
    ///
    /// A path begins with `/`, `~/`, `./` or `../`, or is one word that ends as lists do.
    static func path(in text: String) -> String? {
        let text = text.trimmed
        guard text.utf8.count <= longest, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }
        if text.prefix(5).lowercased() == "file:" { return path(ofURL: text.dropFirst(5)) }
        if let quote = text.first, quote == "'" || quote == "\"" {
            let inner = text.dropFirst().dropLast()
            guard text.count > 2, text.last == quote, !inner.contains(quote) else { return nil }
            return isPath(inner, isQuoted: true) ? String(inner) : nil
        }
        let isEscaped = text.contains("\\")
        let word = isEscaped ? unescaped(text) : text
        return isPath(word[...], isQuoted: isEscaped) ? word : nil
    }

    private static func isPath(_ text: Substring, isQuoted: Bool) -> Bool {
        // Several things in a row are no path with blanks.
        let others = isQuoted ? [] : text.split(whereSeparator: \.isWhitespace).dropFirst()
        guard !others.contains(where: { ["/", "~/", "./", "../"].contains(where: $0.hasPrefix) || $0.contains("://") })
        else { return false }
        // Two slashes begin a URL without its scheme.
        if text.hasPrefix("/") { return text.count > 1 && !text.hasPrefix("//") }
        if ["~/", "./", "../"].contains(where: { text.hasPrefix($0) && text.count > $0.count }) { return true }
        guard hasListEnding(text), isQuoted || !text.contains(where: \.isWhitespace) else { return false }
        // Behind an @ is a user's host, or a list that something was typed before.
        guard !text.contains(where: { $0 == ":" || $0 == "@" }) else { return false }
        return text.first.map { !"#-".contains($0) } == true && URLText.offer(text) == nil
    }

    private static func path(ofURL rest: Substring) -> String? {
        var place = rest.prefix { $0 != "?" && $0 != "#" }
        if place.hasPrefix("//") {
            place = place.dropFirst(2)
            if place.lowercased().hasPrefix("localhost/") { place = place.dropFirst("localhost".count) }
        }
        guard place.hasPrefix("/"), !place.hasPrefix("//"), place.count > 1 else { return nil }
        let bytes = PercentEncoding.decode(place.utf8)
        return bytes.contains { $0 < 0x20 || $0 == 0x7F } ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func unescaped(_ text: String) -> String {
        var path = ""
        var isEscaped = false
        for character in text {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else {
                path.append(character)
                isEscaped = false
            }
        }
        return path
    }
}
