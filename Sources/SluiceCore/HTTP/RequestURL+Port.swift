extension RequestURL {
    /// The port that the URL names, else that of its scheme.
    public var port: Int {
        let origin = origin
        let isSecure = origin.utf8.starts(with: "https:".utf8)
        // Behind the host, which in brackets may hold colons of its own.
        let authority = origin.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        let end = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        guard let colon = authority[end...].lastIndex(of: UInt8(ascii: ":")) else { return isSecure ? 443 : 80 }
        return Int(String(decoding: authority[authority.index(after: colon)...], as: UTF8.self)) ?? 0
    }

    /// The host of a text that was normalised before, brackets of an IPv6 address included; empty where there is none.
    static func host(ofNormal url: String) -> String {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return "" }
        let rest = bytes[bytes.index(after: colon)...]
        guard rest.starts(with: "//".utf8) else { return "" }
        let authority = rest.dropFirst(2).prefix { !URLParser.endsAuthority($0) }
        let end = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let port = authority[end...].firstIndex(of: UInt8(ascii: ":"))
        return String(decoding: port.map { authority[..<$0] } ?? authority, as: UTF8.self)
    }
}
