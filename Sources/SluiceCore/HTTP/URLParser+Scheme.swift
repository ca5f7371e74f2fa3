extension URLParser {
    /// Judges what stands before the host.
    ///
    /// - Returns: Whether the scheme is https, and where the host begins.
    /// - Throws: `badURL` with the URL that was probably meant, without credentials.
    static func scheme(of bytes: [UInt8], text: String) throws(DownloadError) -> (isSecure: Bool, start: Int) {
        guard !bytes.isEmpty else { throw bad("the URL is empty") }
        let colon = bytes.firstIndex { !isSchemeCharacter($0) } ?? bytes.endIndex
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard colon > 0, colon < bytes.endIndex, bytes[colon] == UInt8(ascii: ":") else {
            throw withoutScheme(text, head: scheme, rest: bytes[colon...])
        }
        let slashes = bytes[(colon + 1)...].prefix { $0 == UInt8(ascii: "/") }.count
        let rest = String(decoding: bytes[(colon + 1 + slashes)...], as: UTF8.self)
        switch (scheme, slashes) {
        case ("http", 2), ("https", 2):
            return (scheme == "https", colon + 3)
        case ("http", _), ("https", _):
            throw bad("\(scheme): is followed by // and a host" + cure(scheme, rest))
        case (_, 2...) where nearestScheme(to: scheme) != nil:
            throw bad("there is no scheme \(scheme)" + cure(nearestScheme(to: scheme) ?? "https", rest))
        case (_, 0) where bytes[(colon + 1)...].first.map(isDigit) ?? false:
            throw bad("the URL lacks its scheme" + cure("https", text))
        default:
            throw bad("only http, https, file and data are downloaded, not \(scheme)")
        }
    }

    private static func withoutScheme(_ text: String, head: String, rest: ArraySlice<UInt8>) -> DownloadError {
        if text.utf8.starts(with: "//".utf8) {
            return bad("the URL lacks its scheme" + cure("https", String(text.dropFirst(2))))
        }
        // What a slip of the finger makes of `https://`.
        if rest.starts(with: "//".utf8), let scheme = nearestScheme(to: head) {
            return bad(
                "the scheme of the URL lacks its colon"
                    + cure(scheme, String(decoding: rest.dropFirst(2), as: UTF8.self))
            )
        }
        let authority = RequestURL.withoutCredentials(text).utf8.prefix { !endsAuthority($0) }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        let looksLikeHost =
            host.dropFirst().dropLast().contains(UInt8(ascii: "."))
            || String(decoding: host, as: UTF8.self).lowercased() == "localhost"
        if looksLikeHost, !authority.contains(UInt8(ascii: " ")), !authority.starts(with: ".".utf8) {
            return bad("the URL lacks its scheme" + cure("https", text))
        }
        return bad("this is no URL; an absolute one begins with https:// or http://")
    }

    private static func cure(_ scheme: String, _ rest: String) -> String {
        guard !rest.isEmpty else { return "; a whole URL is https://example.com/cat.png" }
        let url = RequestURL.withoutCredentials("\(scheme)://\(rest)")
        return "; did you mean \(url.count > 200 ? url.prefix(199) + "…" : url)?"
    }

    /// The scheme that was probably meant: at most one slip away.
    private static func nearestScheme(to word: String) -> String? {
        let near = ["https", "http"].map { (scheme: $0, distance: EditDistance.between(word, $0)) }
        return near.filter { $0.distance <= 1 }.min { $0.distance < $1.distance }?.scheme
    }

    private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") }
}
