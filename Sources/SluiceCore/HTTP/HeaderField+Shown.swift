/// What may be shown of a field of an answer: what is shown and logged has no credentials.
extension HeaderField {
    /// The value; where it carries URLs, without user names and passwords in them.
    ///
    /// For events and screens alone: what is stored, or followed, is the value itself.
    public var shownValue: String {
        guard value.utf8.contains(UInt8(ascii: "@")), let ends = Self.ends[name.lowercased()] else { return value }
        let bytes = Array(value.utf8)
        var shown: [UInt8] = []
        var rest = bytes[...]
        while let start = Self.authority(in: rest) {
            shown += rest[..<start]
            rest = rest[start...]
            let authority = rest.prefix { !ends.contains($0) }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { rest = rest[(at + 1)...] }
        }
        return String(decoding: shown + rest, as: UTF8.self)
    }

    /// The fields that carry URLs, and what ends the authority of one there.
    ///
    /// A blank or a quote may be part of a password where the URL is all of the value, and is followed as such.
    private static let ends: [String: [UInt8]] = {
        let alone = Array("/?#\\".utf8)
        let amongText = alone + Array("<>\" \t".utf8)
        return ["location": alone, "content-location": alone, "link": amongText, "refresh": amongText]
    }()
    /// What stands before the slashes of an authority, beside the start of all: a scheme's colon, or what begins a URL.
    private static let starts = Array(":<=,;'\" \t".utf8)

    /// Where an authority begins, behind its slashes; browsers take as many of them as there are, of both kinds.
    ///
    /// One is enough behind the colon of `http:` and `https:`, as it is for those who follow it.
    private static func authority(in text: ArraySlice<UInt8>) -> Int? {
        var slashes = 0
        for index in text.indices {
            if text[index] == UInt8(ascii: "/") || text[index] == UInt8(ascii: "\\") {
                slashes += 1
                continue
            }
            let before = index - slashes
            let isStart = before == 0 || before > text.startIndex && starts.contains(text[before - 1])
            if slashes >= 2 && isStart || slashes == 1 && isHTTP(text[..<before]) { return index }
            slashes = 0
        }
        return nil
    }

    /// Whether a text ends with `http:` or `https:`.
    private static func isHTTP(_ text: ArraySlice<UInt8>) -> Bool {
        let end = String(decoding: text.suffix(6), as: UTF8.self).lowercased()
        return end.hasSuffix("http:") || end == "https:"
    }
}
