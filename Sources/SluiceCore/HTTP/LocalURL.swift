/// What a normalised `file:` or `data:` URL stands for.
///
/// - SeeAlso: RFC 8089, RFC 2397.
public enum LocalURL: Equatable, Sendable {
    /// The bytes of an absolute path, without a zero.
    case file([UInt8])
    /// The bytes themselves, decoded, and what they are said to be.
    case data([UInt8], mediaType: String)

    /// - Throws: `badURL` if it stands for nothing; `unsupported` for a scheme of the network.
    public init(_ url: String) throws(DownloadError) {
        if url.utf8.starts(with: "file://".utf8) {
            let path = PercentEncoding.decode(url.utf8.dropFirst(7))
            guard !path.contains(0) else { throw DownloadError(.badURL, "the path of a file has no zero byte") }
            self = .file(path)
        } else if url.utf8.starts(with: "data:".utf8) {
            self = try Self.data(url.utf8.dropFirst(5))
        } else {
            throw DownloadError(.unsupported, "only file: and data: are read here")
        }
    }

    private static func data(_ rest: Substring.UTF8View) throws(DownloadError) -> LocalURL {
        let head = rest.prefix { $0 != UInt8(ascii: ",") }
        let content = PercentEncoding.decode(rest[head.endIndex...].dropFirst())
        var parts = String(decoding: PercentEncoding.decode(head), as: UTF8.self).split(
            separator: ";",
            omittingEmptySubsequences: false
        )
        let isBase64 = parts.count > 1 && parts.last?.lowercased() == "base64"
        if isBase64 { parts.removeLast() }
        let type = parts.joined(separator: ";")
        let mediaType = type.isEmpty || type.hasPrefix(";") ? "text/plain\(type)" : type
        guard isBase64 else { return .data(content, mediaType: mediaType) }
        guard let bytes = base64(content) else {
            throw DownloadError(.badURL, "the content of the data: URL is not the base64 that it claims to be")
        }
        return .data(bytes, mediaType: mediaType)
    }

    /// Blanks are skipped, padding may be missing.
    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        var digits = text.filter { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 }[...]
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
