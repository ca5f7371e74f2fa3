/// Names hosts: one (`site.example`), all below one (`*.site.example`), or all (`*`); of one port or of all.
///
/// A star stands for one or more labels and matches no address. Compares text only and
/// never resolves a name.
public struct HostPattern: Hashable, Sendable {
    /// How much a pattern says, so that the one that says most wins.
    private enum Precision: Int, Comparable {
        case all
        case below
        case one

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// Lower-cased, without brackets, star and the final dot.
    private let name: String
    private let port: Int?
    private let precision: Precision

    /// Every host.
    public static let all = HostPattern(name: "", port: nil, precision: .all)

    /// Reads what a user wrote.
    ///
    /// - Parameter text: `host`, `*.host` or `*`, each also with `:port`; IPv6 addresses with a port take brackets.
    ///   `nil` comes of anything else.
    public init?(_ text: String) {
        guard let (host, port) = Self.split(text), let name = Self.normal(host) else { return nil }
        self.port = port
        if name == "*" {
            (self.name, precision) = ("", .all)
        } else if name.hasPrefix("*.") {
            (self.name, precision) = (String(name.dropFirst(2)), .below)
        } else {
            (self.name, precision) = (name, .one)
        }
        guard !self.name.utf8.contains(UInt8(ascii: "*")), precision == .all || !self.name.isEmpty else { return nil }
    }

    private init(name: String, port: Int?, precision: Precision) {
        (self.name, self.port, self.precision) = (name, port, precision)
    }

    /// The pattern as one writes it.
    public var text: String {
        let host =
            switch precision {
            case .all: "*"
            case .below: "*." + name
            case .one: port == nil ? name : name.asURLHost
            }
        return port.map { "\(host):\($0)" } ?? host
    }

    /// Whether it says which port.
    public var isOfOnePort: Bool { port != nil }

    /// Whether it names more than one host.
    public var isWide: Bool { precision != .one }

    /// - Parameters:
    ///   - host: Lower-cased and in punycode, an IPv6 address without brackets.
    ///   - port: Of the connection.
    /// - Returns: Whether it names this host.
    public func matches(host: String, port: Int) -> Bool {
        if let wanted = self.port, wanted != port { return false }
        switch precision {
        case .all: return true
        case .one: return Self.withoutFinalDot(host) == name
        case .below: return Self.withoutFinalDot(host).hasSuffix("." + name) && !Self.isAddress(host)
        }
    }

    /// Whether every host of `other` is one of this.
    func covers(_ other: HostPattern) -> Bool {
        if let port, port != other.port { return false }
        switch precision {
        case .all: return true
        case .one: return other.precision == .one && other.name == name
        case .below:
            if other.precision == .below, other.name == name { return true }
            return other.precision != .all && other.name.hasSuffix("." + name) && !Self.isAddress(other.name)
        }
    }

    /// What it says of one port, where it names one: as of a pattern of the same hosts at that port alone.
    func narrowed(to other: HostPattern) -> HostPattern? {
        guard port == nil, precision != .all, let port = other.port else { return nil }
        let narrow = HostPattern(name: name, port: port, precision: precision)
        return other.covers(narrow) ? narrow : nil
    }

    /// Whether it says more than another one of the same host: of the name, or else of the port.
    ///
    /// Of two that match all below a name the longer name is the narrower one, since the host ends with both.
    func isMorePrecise(than other: HostPattern) -> Bool {
        if precision != other.precision { return precision > other.precision }
        if name.utf8.count != other.name.utf8.count { return name.utf8.count > other.name.utf8.count }
        return port != nil && other.port == nil
    }

    /// Host and port, as far as there is one; `nil` if it is nonsense.
    static func split(_ text: String) -> (host: String, port: Int?)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let host = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            if rest.isEmpty { return (host, nil) }
            guard rest.hasPrefix(":"), let port = port(rest.dropFirst()) else { return nil }
            return (host, port)
        }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        // Two and more are an IPv6 address.
        guard colons == 1, let colon = text.firstIndex(of: ":") else { return (text, nil) }
        guard let port = port(text[text.index(after: colon)...]) else { return nil }
        return (String(text[..<colon]), port)
    }

    private static func port(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(text) else { return nil }
        return (1...65_535).contains(port) ? port : nil
    }

    /// As URLs are normalised, so that a pattern in any writing matches.
    private static func normal(_ host: String) -> String? {
        if host == "*" { return host }
        // A fragment, which URLs leave out when they are normalised.
        guard !host.utf8.contains(UInt8(ascii: "#")) else { return nil }
        let isBelow = host.hasPrefix("*.")
        let bare = isBelow ? String(host.dropFirst(2)) : host
        do throws(DownloadError) {
            let url = try RequestURL("https://\(bare.asURLHost)/")
            guard url.credentials == nil, url.url.hasSuffix("/"), url.origin + "/" == url.url else { return nil }
            return (isBelow ? "*." : "") + withoutFinalDot(url.host)
        } catch {
            return nil
        }
    }

    private static func withoutFinalDot(_ host: String) -> String {
        host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    static func isAddress(_ host: String) -> Bool {
        host.utf8.contains(UInt8(ascii: ":"))
            || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
    }
}
