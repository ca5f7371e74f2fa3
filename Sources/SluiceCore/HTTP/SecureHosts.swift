/// Hosts that said to be reached over TLS only, for as long as they said; kept for the session.
///
/// Decides only. Whoever uses it must have heard the wish over a trusted connection.
///
/// - SeeAlso: RFC 6797
public struct SecureHosts: Sendable {
    private struct Wish {
        var until: Timestamp
        var isForAllBelow: Bool
    }

    /// More are no browsing but an attack on memory.
    private static let limit = 10_000
    private static let longest = 10 * 366 * 86_400

    private var wishes: [String: Wish] = [:]

    /// No host has asked for anything yet.
    public init() {}

    /// Whether no host asked for `https`; then no URL need be taken apart.
    public var isEmpty: Bool { wishes.isEmpty }

    /// Takes the value of a `Strict-Transport-Security` field; what makes no sense is ignored.
    ///
    /// - Parameters:
    ///   - value: Of the first such field of an answer.
    ///   - host: Who said it, lower-cased; addresses have no such wishes.
    ///   - now: When.
    public mutating func heard(_ value: String, from host: String, now: Timestamp) {
        let host = Self.plain(host)
        guard !HostPattern.isAddress(host), let wish = Self.read(value) else { return }
        if wish.seconds == 0 {
            wishes[host] = nil
            return
        }
        if wishes.count >= Self.limit { wishes = wishes.filter { $0.value.until > now } }
        guard wishes.count < Self.limit else { return }
        wishes[host] = Wish(until: now + .seconds(wish.seconds), isForAllBelow: wish.isForAllBelow)
    }

    /// Whether a host is reached over TLS only.
    public func contains(_ host: String, now: Timestamp) -> Bool {
        if wishes.isEmpty { return false }
        var name = Self.plain(host)
        if HostPattern.isAddress(name) { return false }
        var isBelow = false
        while true {
            if let wish = wishes[name], wish.until > now, !isBelow || wish.isForAllBelow { return true }
            guard let dot = name.firstIndex(of: ".") else { return false }
            name = String(name[name.index(after: dot)...])
            isBelow = true
        }
    }

    private static func read(_ value: String) -> (seconds: Int, isForAllBelow: Bool)? {
        var seconds: Int?
        var isForAllBelow = false
        for part in value.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch trimmed(pair[0]).lowercased() {
            case "max-age":
                guard seconds == nil, pair.count == 2 else { return nil }
                let text = trimmed(pair[1])
                let digits =
                    text.hasPrefix("\"") && text.hasSuffix("\"") && text.count > 1
                    ? text.dropFirst().dropLast() : text[...]
                guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
                seconds = min(Int(digits) ?? longest, longest)
            case "includesubdomains": isForAllBelow = true
            default: break
            }
        }
        return seconds.map { ($0, isForAllBelow) }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    private static func plain(_ host: String) -> String { host.hasSuffix(".") ? String(host.dropLast()) : host }
}
