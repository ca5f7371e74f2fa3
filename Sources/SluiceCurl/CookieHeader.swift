/// Puts together the one `Cookie` field of a request whose user set cookies too.
///
/// A client sends one such field, and one value for a name: what the user set wins over what
/// servers set, and cookies of other names go along. Pure; it reads curl's list of cookies.
///
/// - SeeAlso: RFC 6265 §5.4
enum CookieHeader {
    /// Bytes of the whole line, as curl limits what it sends by itself: of more, servers say that it is too much.
    static let mostBytes = 8_190
    /// Cookies in it.
    static let mostCookies = 150

    /// - Parameters:
    ///   - own: The value of the user's field.
    ///   - jar: Cookies of servers, each a line of a Netscape cookie file.
    ///   - origin: Who is asked.
    ///   - path: Of the URL, without the query.
    ///   - now: Seconds since 1970.
    /// - Returns: The value to send: the user's, whole, and behind it as many of the others as there is room for.
    static func merged(own: String, jar: [String], origin: SiteOrigin, path: String, now: Int) -> String {
        let names = own.split(separator: ";").map { name(of: $0) }
        let taken = Set(names)
        let others = jar.compactMap { line in Cookie(line) }.filter { cookie in
            !taken.contains(cookie.name[...]) && cookie.goes(to: origin, path: path, now: now)
        }
        // Longer paths first, as the standard wants it.
        let pairs = others.sorted { $0.path.utf8.count > $1.path.utf8.count }.map { "\($0.name)=\($0.value)" }
        var value = own
        var room = mostBytes - "Cookie: ".utf8.count - own.utf8.count
        for pair in pairs.prefix(max(0, mostCookies - names.count)) {
            let addition = value.isEmpty ? pair : "; \(pair)"
            room -= addition.utf8.count
            guard room > 0 else { break }
            value += addition
        }
        return value
    }

    private static func name(of pair: Substring) -> Substring {
        pair.prefix { $0 != "=" }.drop { $0 == " " }
    }

    private struct Cookie {
        let domain: Substring
        let includesSubdomains: Bool
        let path: Substring
        let isSecure: Bool
        let expires: Int
        let name: Substring
        let value: Substring

        /// Reads `domain ⇥ subdomains ⇥ path ⇥ secure ⇥ expires ⇥ name ⇥ value`.
        init?(_ line: String) {
            let text = line.hasPrefix("#HttpOnly_") ? line.dropFirst(10) : line[...]
            let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 6, let expires = Int(fields[4]) else { return nil }
            domain = fields[0].hasPrefix(".") ? fields[0].dropFirst() : fields[0]
            includesSubdomains = fields[1] == "TRUE"
            (path, isSecure, self.expires) = (fields[2], fields[3] == "TRUE", expires)
            (name, value) = (fields[5], fields.count > 6 ? fields[6] : "")
        }

        func goes(to origin: SiteOrigin, path asked: String, now: Int) -> Bool {
            let host = origin.host
            guard host == domain || includesSubdomains && host.hasSuffix("." + domain) else { return false }
            guard !isSecure || origin.scheme == "https" || host == "localhost" || host == "127.0.0.1" else {
                return false
            }
            guard expires == 0 || expires > now else { return false }
            guard asked.hasPrefix(path) else { return false }
            return asked.utf8.count == path.utf8.count || path.hasSuffix("/")
                || asked.dropFirst(path.count).hasPrefix("/")
        }
    }
}
