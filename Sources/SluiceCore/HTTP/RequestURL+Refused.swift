/// What may be shown of a text that was refused as a URL: whoever mistyped one may have typed a password, too.
extension RequestURL {
    /// What is shown of a text that was refused as a URL; of a copied command only its URLs, as its headers may be secrets.
    ///
    /// - Complexity: O(length of `text`).
    public static func shown(refused text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, ["curl", "wget"].contains(words[0].lowercased()) else { return withoutCredentials(text) }
        let urls = words.dropFirst().map { $0.drop { $0 == "'" || $0 == "\"" } }
            .filter { word in ["http://", "https://"].contains { word.lowercased().hasPrefix($0) } }
        return ([String(words[0]), "…"] + urls.map { withoutCredentials(String($0)) }).joined(separator: " ")
    }

    /// The text without what may be credentials, for showing a URL that was refused.
    ///
    /// Each URL is looked at for itself, since a line may hold several. Rather too much is left out than too little: what
    /// is shown is not asked for again, and so need not be whole.
    ///
    /// - Complexity: O(length of `text`).
    public static func withoutCredentials(_ text: String) -> String {
        let bytes = Array(text.utf8)
        // An address of mail has no password.
        let isMail = text.lowercased().hasPrefix("mailto:") && authority(of: bytes[...]) == nil
        guard bytes.contains(UInt8(ascii: "@")), !isMail else { return text }
        var shown: [UInt8] = []
        var rest = bytes[...]
        while let start = authority(of: rest) {
            shown += rest[..<start]
            rest = rest[start...]
            // Up to the scheme of the next one.
            let next = authority(of: rest)
            let end = next.flatMap { rest[..<$0].lastIndex { $0 != slash && $0 != colon } } ?? rest.endIndex
            shown += rest[endOfCredentials(in: rest[..<end])..<end]
            rest = rest[end...]
        }
        // Without any slashes in front, it may be all of a URL but its scheme.
        shown += shown.isEmpty ? rest[endOfCredentials(in: rest)...] : rest
        return String(decoding: shown, as: UTF8.self)
    }

    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")

    /// Where an authority begins: behind the `//` at the start, or behind a colon.
    private static func authority(of text: ArraySlice<UInt8>) -> Int? {
        text.indices.dropFirst().first { index in
            guard text[index] == slash, text[index - 1] == slash else { return false }
            return index - 1 == text.startIndex || text[index - 2] == colon
        }.map { $0 + 1 }
    }

    /// Where the host begins, in what stands behind the slashes.
    private static func endOfCredentials(in url: ArraySlice<UInt8>) -> Int {
        let authority = url.prefix { !URLParser.endsAuthority($0) }
        let at = UInt8(ascii: "@")
        if let found = authority.lastIndex(of: at) { return found + 1 }
        // A `#` or `?` of a password ends the authority; what then stands for the port is none.
        let port = authority.firstIndex(of: colon).map { authority[($0 + 1)...] }
        let isPort = port?.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? true
        // Misspelt slashes hide where the authority is; a path may have an `@`, but hardly a colon before it.
        let head = isPort ? url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") } : url
        guard let found = head.lastIndex(of: at), head[..<found].contains(colon) else { return url.startIndex }
        return found + 1
    }
}
