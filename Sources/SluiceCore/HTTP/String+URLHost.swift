extension String {
    /// The name or address of a host as URLs and messages write it: one of IPv6 in brackets (RFC 3986 §3.2.2).
    package var asURLHost: String { utf8.contains(UInt8(ascii: ":")) && !hasPrefix("[") ? "[\(self)]" : self }
}
