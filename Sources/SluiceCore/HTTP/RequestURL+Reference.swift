extension RequestURL {
    /// What a reference in an answer of this URL names.
    ///
    /// Redirects go by libcurl's reading, which this module can't ask: the rules of the cache are pure.
    ///
    /// - Parameter reference: As a server sent it: a URL, or one relative to this.
    /// - Returns: Normalised, as if it had stood there whole.
    /// - Throws: `badURL` if it is neither.
    /// - SeeAlso: RFC 3986 §5.2
    public func resolving(_ reference: String) throws(DownloadError) -> RequestURL {
        let text = String(reference[...].trimmingBlanks)
        if Self.hasScheme(text) { return try RequestURL(text) }
        if text.hasPrefix("//") { return try RequestURL(url.prefix { $0 != ":" } + ":" + text) }
        if text.hasPrefix("/") { return try RequestURL(origin + Self.withoutDots(text)) }
        let base = url.utf8.prefix { $0 != UInt8(ascii: "?") }
        if text.isEmpty || text.hasPrefix("#") { return self }
        if text.hasPrefix("?") { return try RequestURL(String(decoding: base, as: UTF8.self) + text) }
        let directory = String(decoding: base.dropFirst(pathStart), as: UTF8.self)
        let parent = directory.lastIndex(of: "/").map { directory[...$0] } ?? "/"
        return try RequestURL(origin + Self.withoutDots(parent + text))
    }

    /// Whether a colon stands before all that begins a path or a query.
    private static func hasScheme(_ text: String) -> Bool {
        guard let end = text.firstIndex(where: { ":/?#".contains($0) }), text[end] == ":" else { return false }
        let scheme = text[..<end]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// An absolute path without its `.` and `..`, before what may follow it.
    ///
    /// - SeeAlso: RFC 3986 §5.2.4
    private static func withoutDots(_ text: String) -> String {
        let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
        var kept: [Substring] = []
        let parts = text[..<end].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return "/" + kept.joined(separator: "/") + text[end...]
    }
}
