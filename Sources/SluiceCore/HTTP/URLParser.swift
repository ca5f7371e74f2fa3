/// Takes a URL apart and writes it in normal form; only ``RequestURL`` uses it.
enum URLParser {
    struct Parsed {
        var bytes: [UInt8] = []
        var credentials: Credentials?
        var hostBounds = 0..<0
        var pathStart = 0
    }

    /// Whether a byte may stand in a path or query as it is.
    ///
    /// `%` may, since escapes are left alone.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x20, 0x7F...0xFF: false
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"): false
        case UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"): false
        default: true
        }
    }

    /// Whether a byte ends host and port.
    static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Bytes of a URL that is sent; no server takes as many, and curl no more.
    static let mostBytes = 1_000_000

    /// What more of them are told.
    static var tooLong: DownloadError {
        bad("a URL of more than 1,000,000 bytes, which no server takes; is a line break missing?")
    }

    static func parse(_ text: String) throws(DownloadError) -> Parsed {
        let bytes = trimmed(text)
        if bytes.count > mostBytes, !isLocal(bytes) { throw tooLong }
        if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw bad("a URL has no control characters or line breaks; give one URL a line")
        }
        if let parsed = try local(bytes) { return parsed }
        if hasSecondURL(bytes) { throw bad("these are two URLs with a blank between them; give one URL a line") }
        let (isSecure, start) = try scheme(of: bytes, text: String(decoding: bytes, as: UTF8.self))
        let rest = bytes[start...]
        let authority = rest.prefix { !endsAuthority($0) }
        let tail = rest[authority.endIndex...].prefix { $0 != UInt8(ascii: "#") }

        var parsed = Parsed()
        parsed.bytes.reserveCapacity(bytes.count + 16)
        parsed.bytes += isSecure ? "https://".utf8 : "http://".utf8
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        if let at { parsed.credentials = try credentials(from: authority[..<at]) }
        let place = authority[(at.map { $0 + 1 } ?? authority.startIndex)...]
        try appendHostAndPort(place, isSecure: isSecure, to: &parsed)

        parsed.pathStart = parsed.bytes.count
        if tail.first != UInt8(ascii: "/") { parsed.bytes.append(UInt8(ascii: "/")) }
        for byte in tail {
            if isPlain(byte) { parsed.bytes.append(byte) } else { PercentEncoding.append(byte, to: &parsed.bytes) }
        }
        return parsed
    }

    /// Whether another URL of a server follows behind a blank, which in one URL is hardly ever meant.
    private static func hasSecondURL(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { index in
            guard bytes[index] == UInt8(ascii: " ") else { return false }
            let rest = bytes[(index + 1)...].prefix(8)
            return ["http://", "https://"].contains { rest.starts(with: $0.utf8) }
        }
    }

    static func bad(_ message: String) -> DownloadError { DownloadError(.badURL, message) }

    private static func trimmed(_ text: String) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let bytes = text.utf8.drop(while: isBlank)
        guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return [] }
        return Array(bytes[...last])
    }

    private static func credentials(from bytes: ArraySlice<UInt8>) throws(DownloadError) -> Credentials? {
        guard !bytes.isEmpty else { return nil }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        let decoded = [bytes[..<colon], bytes[colon...].dropFirst()].map { PercentEncoding.decode($0) }
        if decoded.contains(where: { $0.contains { $0 < 0x20 || $0 == 0x7F } }) {
            throw bad("user name and password of a URL have no control characters")
        }
        let words = decoded.map { String(decoding: $0, as: UTF8.self) }
        return Credentials(user: words[0], password: words[1])
    }

    private static func appendHostAndPort(
        _ bytes: ArraySlice<UInt8>,
        isSecure: Bool,
        to parsed: inout Parsed
    ) throws(DownloadError) {
        let isAddress = bytes.first == UInt8(ascii: "[")
        let hostEnd: Int
        if isAddress {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else {
                throw bad("the IPv6 address in the URL lacks its ]")
            }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        }
        let host = bytes[..<hostEnd]
        let start = parsed.bytes.count
        if isAddress {
            parsed.bytes += try address(host.dropFirst().dropLast())
        } else {
            parsed.bytes += try name(host)
        }
        parsed.hostBounds = start..<parsed.bytes.count
        let rest = bytes[hostEnd...]
        guard let colon = rest.first else { return }
        guard colon == UInt8(ascii: ":") else { throw bad("a port after the IPv6 address begins with a colon") }
        guard let port = try port(rest.dropFirst()), port != (isSecure ? 443 : 80) else { return }
        parsed.bytes.append(UInt8(ascii: ":"))
        parsed.bytes += "\(port)".utf8
    }

    private static func port(_ digits: ArraySlice<UInt8>) throws(DownloadError) -> Int? {
        guard !digits.isEmpty else { return nil }
        let isNumber = digits.allSatisfy { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
        guard isNumber, let port = Int(String(decoding: digits, as: UTF8.self)), 1...65_535 ~= port else {
            // Not repeated: where a password has a /, what seems to be a port is its beginning.
            throw bad("a port is a number from 1 to 65535; a / in a password is written %2F")
        }
        return port
    }

    private static func name(_ bytes: ArraySlice<UInt8>) throws(DownloadError) -> [UInt8] {
        guard !bytes.isEmpty else { throw bad("the URL names no host; a whole one is https://example.com/cat.png") }
        var name = bytes.contains(UInt8(ascii: "%")) ? PercentEncoding.decode(bytes) : Array(bytes)
        if name.contains(where: { $0 >= 0x80 }) {
            guard let host = String(validating: name, as: UTF8.self), let encoded = Punycode.encode(host: host) else {
                throw bad("the host name has characters that no host name has")
            }
            name = Array(encoded.utf8)
        }
        for index in name.indices {
            switch name[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): break
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): name[index] += 0x20
            case 0x21...0x7E:
                let character = Character(Unicode.Scalar(name[index]))
                throw bad("the host name has a \(character), which no host name has")
            default: throw bad("the host name has a character that no host name has")
            }
        }
        // One writing for one address, as curl does it: what is said of a host must hold for it however it is written.
        if let last = name.last, isAlphanumeric(last), let address = IPv4Address.canonical(name) {
            return Array(address.utf8)
        }
        // A dot at the end is the root of all names, and no label.
        let labels = (name.last == UInt8(ascii: ".") ? name.dropLast() : name[...])
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard name.count <= 254, labels.allSatisfy({ 1...63 ~= $0.count }) else {
            throw bad("the host name has an empty part, or is too long: 63 characters between dots, 253 in all")
        }
        return name
    }

    private static func address(_ bytes: ArraySlice<UInt8>) throws(DownloadError) -> [UInt8] {
        let zone = bytes.firstIndex(of: UInt8(ascii: "%")) ?? bytes.endIndex
        let isZoneFine = bytes[zone...].allSatisfy { byte in
            byte == UInt8(ascii: "%") || isAlphanumeric(byte) || "-._~".utf8.contains(byte)
        }
        guard IPv6Address.isValid(bytes[..<zone]), isZoneFine else {
            throw bad("what stands in [ ] is no IPv6 address; one is [2001:db8::1]")
        }
        let lowered = bytes[zone...].map { UInt8(ascii: "A") <= $0 && $0 <= UInt8(ascii: "Z") ? $0 + 0x20 : $0 }
        return [UInt8(ascii: "[")] + IPv6Address.canonical(bytes[..<zone]).utf8 + lowered + [UInt8(ascii: "]")]
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
