internal import CCurl
import SluiceCore

/// URLs as curl itself reads them, so that what is judged is what is fetched.
enum CurlURL {
    /// Whether a URL of either HTTP scheme, in lower case as normalising leaves it, asks for TLS.
    static func isSecure(_ url: String) -> Bool {
        let bytes = url.utf8.span
        return bytes.count > 4 && bytes[4] == UInt8(ascii: "s")
    }

    /// Where scheme, host and port end: nothing behind it has a say in whom a URL asks.
    ///
    /// - Returns: `nil` where there is no host, or more slashes stand before it.
    /// - SeeAlso: RFC 3986 §3.2
    static func endOfAuthority(_ url: Span<UInt8>) -> Int? {
        var index = 0
        while index < url.count, url[index] != UInt8(ascii: ":") { index += 1 }
        let start = index + 3
        index = start
        while index < url.count {
            switch url[index] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return index > start ? index : nil
            default: index += 1
            }
        }
        return index > start ? index : nil
    }

    /// - Returns: `nil` if curl can't read it.
    static func origin(of url: String) -> SiteOrigin? {
        unsafe withParsed(url) { unsafe origin($0) } ?? nil
    }

    /// - Returns: Whom a URL asks, and the path; `nil` if curl can't read it.
    static func parts(of url: String) -> (origin: SiteOrigin, path: String)? {
        let parts = unsafe withParsed(url) { url -> (SiteOrigin, String)? in
            guard let origin = unsafe origin(url), let path = unsafe part(CURLUPART_PATH, of: url) else { return nil }
            return (origin, path)
        }
        return parts ?? nil
    }

    /// Where a redirect leads.
    ///
    /// - Parameters:
    ///   - location: The value of `Location`: absolute or relative, in whatever bytes.
    ///   - base: The URL that answered with it.
    /// - Returns: The URL without fragment and without a user of its own, percent-encoded and its host in punycode; `nil`
    ///   if there is no sense in it.
    static func resolve(_ location: String, against base: String) -> (url: String, origin: SiteOrigin)? {
        let resolved = unsafe withParsed(base) { url -> (url: String, origin: SiteOrigin)? in
            // RFC 3986 §5.2.2: nothing but a fragment leads to where one is; curl drops path and query.
            let location = location.isEmpty || location.utf8.first == UInt8(ascii: "#") ? base : location
            // As in URLs of the user's: of blanks in a query curl would make plus signs.
            let target = location.replacing(" ", with: "%20")
            let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_NON_SUPPORT_SCHEME)
            guard unsafe curl_url_set(url, CURLUPART_URL, target, flags) == CURLUE_OK else { return nil }
            for part in [CURLUPART_FRAGMENT, CURLUPART_USER, CURLUPART_PASSWORD] {
                unsafe curl_url_set(url, part, nil, 0)
            }
            guard unsafe encodeHost(of: url) else { return nil }
            guard let text = unsafe part(CURLUPART_URL, of: url), let origin = unsafe origin(url) else { return nil }
            return (text, origin)
        }
        return resolved ?? nil
    }

    /// The same place over TLS; port 80 becomes 443, another port stays.
    ///
    /// - SeeAlso: RFC 6797 §8.3
    static func secured(_ url: String) -> String? {
        let secured = unsafe withParsed(url) { url -> String? in
            if unsafe part(CURLUPART_PORT, of: url) == "80" { unsafe curl_url_set(url, CURLUPART_PORT, nil, 0) }
            guard unsafe curl_url_set(url, CURLUPART_SCHEME, "https", 0) == CURLUE_OK else { return nil }
            return unsafe part(CURLUPART_URL, of: url)
        }
        return secured ?? nil
    }

    private static func withParsed<Result>(_ text: String, _ body: (OpaquePointer) -> Result) -> Result? {
        guard let url = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(url) }
        guard unsafe curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else {
            return nil
        }
        return unsafe body(url)
    }

    /// Brings a host to the form that hosts of requests have; curl would ask the locale what its bytes mean.
    ///
    /// - Returns: Whether it is a host.
    private static func encodeHost(of url: OpaquePointer) -> Bool {
        guard let host = unsafe part(CURLUPART_HOST, of: url) else { return false }
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return true }
        // Bytes that are no UTF-8 name nobody; the sign that stands for them here would be somebody else's.
        guard !host.unicodeScalars.contains("\u{FFFD}"), let encoded = try? RequestURL("http://\(host)/").host else {
            return false
        }
        return unsafe curl_url_set(url, CURLUPART_HOST, encoded, 0) == CURLUE_OK
    }

    private static func origin(_ url: OpaquePointer) -> SiteOrigin? {
        guard let scheme = unsafe part(CURLUPART_SCHEME, of: url), let host = unsafe part(CURLUPART_HOST, of: url)
        else { return nil }
        let port = unsafe part(CURLUPART_PORT, of: url, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
        return SiteOrigin(scheme: scheme.lowercased(), host: host.lowercased(), port: port)
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url, part, &text, flags) == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
