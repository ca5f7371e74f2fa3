/// An absolute `http`, `https`, `file` or `data` URL, normalised, so that equal requests have equal text.
///
/// Scheme and host are lower-cased, the host is in punycode, the default port and the
/// fragment are dropped, an empty path is `/`, and what may not stand in a URL is
/// percent-encoded. Escapes that are there stay as they are. Credentials are split off:
/// ``url`` can be shown and logged.
///
/// The text of a URL that is normal already is shared, not copied; a plain one is only scanned.
public struct RequestURL: Hashable, Sendable {
    /// Normalised, without credentials and fragment.
    public let url: String
    /// From the text before `@`, percent-decoded.
    public let credentials: Credentials?
    /// Where the host stands in the bytes of ``url``, brackets of an IPv6 address included.
    let hostBounds: Range<Int>
    /// Where path and query begin in the bytes of ``url``.
    let pathStart: Int

    /// Parses what a user, a list or a program gave; spaces and tabs around it are ignored.
    ///
    /// - Throws: `badURL`, whose message says what is wrong and offers the likely cure.
    public init(_ text: String) throws(DownloadError) {
        if let plain = Self.bounds(ofPlain: text.utf8.span) {
            (url, credentials, hostBounds, pathStart) = (text, nil, plain.host, plain.pathStart)
        } else {
            let parsed = try URLParser.parse(text)
            let isNormal = parsed.bytes.elementsEqual(text.utf8)
            url = isNormal ? text : String(decoding: parsed.bytes, as: UTF8.self)
            (credentials, hostBounds, pathStart) = (parsed.credentials, parsed.hostBounds, parsed.pathStart)
        }
        // As it is sent: escapes make three bytes of one.
        guard url.utf8.count <= URLParser.mostBytes || !isNetwork else { throw URLParser.tooLong }
    }

    /// Lower-cased; an IPv6 address without its brackets.
    public var host: String {
        let bytes = url.utf8.dropFirst(hostBounds.lowerBound).prefix(hostBounds.count)
        let isAddress = bytes.first == UInt8(ascii: "[")
        return String(decoding: isAddress ? bytes.dropFirst().dropLast() : bytes, as: UTF8.self)
    }

    /// Scheme, host and port: what credentials and cookies belong to.
    public var origin: String { String(decoding: url.utf8.prefix(pathStart), as: UTF8.self) }

    /// Whether a server is asked, and not this machine.
    public var isNetwork: Bool { Self.isNetwork(url) }

    /// The same for the text of a URL that was normalised before, which begins with one of four schemes.
    public static func isNetwork(_ url: String) -> Bool { url.utf8.first == UInt8(ascii: "h") }

    /// What stands behind the last `/` of the path of a URL that was normalised before, without the query.
    ///
    /// - Returns: Still percent-encoded; may be empty.
    public static func lastPathPart(of url: String) -> String {
        // Its slashes are content.
        if url.utf8.starts(with: "data:".utf8) { return "" }
        let authority = url.utf8RangeOfSlashes?.upperBound ?? url.startIndex
        let bytes = url.utf8.span
        var end = url.utf8.distance(from: url.startIndex, to: authority)
        while end < bytes.count, !URLParser.endsAuthority(bytes[end]) { end += 1 }
        var start = end
        while end < bytes.count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
            end += 1
            if bytes[end - 1] == UInt8(ascii: "/") { start = end }
        }
        let first = url.utf8.index(url.startIndex, offsetBy: start)
        return String(url[first..<url.utf8.index(first, offsetBy: end - start)])
    }

    /// Where host and path stand in a text that is in normal form already, and is all common characters.
    private static func bounds(ofPlain bytes: Span<UInt8>) -> (host: Range<Int>, pathStart: Int)? {
        guard let start = schemeEnd(of: bytes) else { return nil }
        var index = start
        var labelStart = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: ":") {
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                break
            case UInt8(ascii: ".") where index > labelStart && index - labelStart <= 63:
                labelStart = index + 1
            default:
                return nil
            }
            index += 1
        }
        let end = index
        guard end > labelStart, end - labelStart <= 63, end - start <= 253, end < bytes.count else { return nil }
        // What ends in a number may be an address in another writing.
        if isDigit(bytes[labelStart]), !isDottedQuad(bytes, start..<end) { return nil }
        guard let pathStart = pathStart(ofPlain: bytes, portAt: end, isSecure: start == 8) else { return nil }
        index = pathStart
        while index < bytes.count {
            guard URLParser.isPlain(bytes[index]) else { return nil }
            index += 1
        }
        return (start..<end, pathStart)
    }

    /// Whether a host is an IPv4 address as one writes it: four numbers to 255 without a zero in front.
    private static func isDottedQuad(_ bytes: Span<UInt8>, _ host: Range<Int>) -> Bool {
        var (dots, number, digits) = (0, 0, 0)
        for index in host {
            if bytes[index] == UInt8(ascii: ".") {
                (dots, number, digits) = (dots + 1, 0, 0)
            } else {
                guard isDigit(bytes[index]), digits == 0 || number > 0 else { return false }
                (number, digits) = (number * 10 + Int(bytes[index] - UInt8(ascii: "0")), digits + 1)
                if number > 255 { return false }
            }
        }
        return dots == 3
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Where the path begins behind a port, if there is one, in normal form: no zero in front, and not the default.
    private static func pathStart(ofPlain bytes: Span<UInt8>, portAt start: Int, isSecure: Bool) -> Int? {
        guard bytes[start] == UInt8(ascii: ":") else { return start }
        var (index, port) = (start + 1, 0)
        while index < bytes.count, bytes[index] != UInt8(ascii: "/") {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]), index <= start + 5 else { return nil }
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            if port == 0 { return nil }
            index += 1
        }
        guard index < bytes.count, (1...65_535).contains(port), port != (isSecure ? 443 : 80) else { return nil }
        return index
    }

    private static func schemeEnd(of bytes: Span<UInt8>) -> Int? {
        // The shortest plain URL is longer than this.
        guard bytes.count > 9, bytes[0] == UInt8(ascii: "h"), bytes[1] == UInt8(ascii: "t"),
            bytes[2] == UInt8(ascii: "t"), bytes[3] == UInt8(ascii: "p")
        else { return nil }
        let colon = bytes[4] == UInt8(ascii: "s") ? 5 : 4
        guard bytes[colon] == UInt8(ascii: ":"), bytes[colon + 1] == UInt8(ascii: "/"),
            bytes[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        return colon + 3
    }
}

extension String {
    /// Where the `//` before the authority of a URL stands: at the start, or behind a colon.
    fileprivate var utf8RangeOfSlashes: Range<String.Index>? {
        let slash = UInt8(ascii: "/")
        guard let first = utf8.firstIndex(of: slash) else { return nil }
        let second = utf8.index(after: first)
        guard second < utf8.endIndex, utf8[second] == slash else { return nil }
        let isAtStart = first == utf8.startIndex
        guard isAtStart || utf8[utf8.index(before: first)] == UInt8(ascii: ":") else { return nil }
        return first..<utf8.index(after: second)
    }
}
