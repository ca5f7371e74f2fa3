/// A proxy: how to talk to it, where it is, and who the user is there.
public struct ProxyServer: Hashable, Sendable {
    /// How one talks to it; the schemes that curl knows.
    public enum Kind: String, CaseIterable, Sendable {
        /// Asked in plain text; `https` URLs go through a tunnel.
        case http
        /// Asked over TLS.
        case https
        /// Gets addresses: names are resolved here.
        case socks4
        /// Resolves names at the proxy.
        case socks4a
        /// Gets addresses: names are resolved here.
        case socks5
        /// Resolves names at the proxy.
        case socks5h
    }

    /// How one talks to it.
    public let kind: Kind
    /// Lower-cased; an IPv6 address in brackets.
    public let host: String
    /// 1080 unless named, as curl has it; 443 for `https`.
    public let port: Int
    /// Who the user is there; `nil` if it need not know.
    public let credentials: Credentials?

    /// Reads `[kind://][user:password@]host[:port]`; without a kind it is `http`.
    ///
    /// - Throws: `badURL`, with a sentence that does not repeat a password.
    public init(_ text: String) throws(DownloadError) {
        var (kind, rest) = (Kind.http, text)
        if let mark = text.firstRange(of: "://") {
            let scheme = text[..<mark.lowerBound].lowercased()
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            guard let known = Kind(rawValue: scheme) else {
                throw DownloadError(.badURL, "a proxy is \(kinds), not \(scheme.withVisibleControls)")
            }
            (kind, rest) = (known, String(text[mark.upperBound...]))
        }
        while rest.hasSuffix("/") { rest.removeLast() }
        // The rules for hosts, ports and credentials are those of every other URL.
        let url: RequestURL
        do throws(DownloadError) {
            url = try RequestURL("http://" + rest)
        } catch {
            throw DownloadError(.badURL, "a proxy is written as kind://user:password@host:port; this has no such form")
        }
        guard url.url == url.origin + "/" else {
            throw DownloadError(.badURL, "a proxy has no path: write kind://host:port")
        }
        let isNamed = url.origin != "http://" + RequestURL.host(ofNormal: url.url) || rest.hasSuffix(":80")
        self.kind = kind
        host = RequestURL.host(ofNormal: url.url)
        port = isNamed ? url.port : kind == .https ? 443 : 1080
        credentials = url.credentials
    }

    /// The host without the brackets of an IPv6 address.
    public var bareHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

    /// Without credentials, as curl reads it.
    public var url: String { "\(kind.rawValue)://\(host):\(port)" }
}
