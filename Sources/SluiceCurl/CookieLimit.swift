/// How many cookies of servers are kept.
///
/// curl keeps all, and compares each new one with those of its domain: a server that sets others with each answer would
/// make every answer slower than the one before. Pure.
///
/// - SeeAlso: RFC 6265 §6.1, which wants at least 50 of a domain, and 3,000 in all
enum CookieLimit {
    static let ofDomain = 180
    static let ofAll = 3_000
    /// Answers that may set cookies, of which curl takes 50 each, before they are counted.
    static let patience = 10

    /// - Parameter jar: Cookies, each a line of a Netscape cookie file, those of a domain from the oldest on.
    /// - Returns: The lines to keep, in their order; `nil` if there are not too many.
    static func kept(of jar: [String]) -> [String]? {
        var counts: [Substring: Int] = [:]
        var kept: [String] = []
        for line in jar.reversed() where kept.count < ofAll {
            let place = line.hasPrefix("#HttpOnly_") ? line.dropFirst(10) : line[...]
            let domain = place.drop { $0 == "." }.prefix { $0 != "\t" }
            counts[domain, default: 0] += 1
            if counts[domain, default: 0] <= ofDomain { kept.append(line) }
        }
        return kept.count == jar.count ? nil : kept.reversed()
    }
}
