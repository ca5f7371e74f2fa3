import SluiceCore

/// Follows the redirects of one transfer, and decides what may go along.
///
/// Decides only; it sends nothing. Credentials and fields of the user's that are meant
/// for one origin stay behind when a redirect leads to another, and don't come back
/// if a later one returns: who sent them away has seen nothing, and shall not.
struct Redirection {
    /// Where the transfer is now.
    private(set) var url: String
    /// Redirects that were followed.
    private(set) var count = 0
    /// The first of them; a circle needs no more to be seen.
    private(set) var hops: [RedirectHop] = []
    /// Whether a redirect led to another origin.
    private(set) var hasLeftOrigin = false
    /// Whether a redirect led to another host, or away from TLS.
    private(set) var hasLeftHost = false
    /// What to ask with now.
    private(set) var method: String
    /// Whether the body, and the fields about it, still go along.
    private(set) var keepsBody = true

    /// Fields about a body, lower-cased; they go with it.
    static let bodyFields = ["content-type", "content-length", "content-encoding", "content-language"]

    init(url: String, method: String = "GET") { (self.url, self.method) = (url, method) }

    /// Whether an answer with this status and a `Location` sends elsewhere.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Follows one redirect.
    ///
    /// - Parameters:
    ///   - location: The value of `Location`.
    ///   - status: Of the answer that has it; says whether the same is done there, or its outcome is looked at.
    ///   - limit: Redirects that are followed at most.
    ///   - allowsDowngrade: Whether https may lead to http.
    ///   - secured: Makes a URL https where its host asked for that.
    /// - Throws: `tooManyRedirects`, or `badResponse` for a place that Sluice doesn't go to.
    mutating func follow(
        _ location: String,
        status: Int = 302,
        limit: Int,
        allowsDowngrade: Bool,
        secured: (String) -> String = { $0 }
    ) throws(DownloadError) {
        guard count < limit else {
            // Of a relative one, the place that it means.
            let last = CurlURL.resolve(location, against: url)?.url ?? location
            throw DownloadError(.tooManyRedirects, "more than \(limit) redirects, the last to \(Self.shown(last))")
        }
        if let scheme = Self.scheme(of: location), scheme != "http", scheme != "https" {
            let shown = VisibleText.visible(scheme, limit: 100)
            throw DownloadError(
                .badResponse,
                "the server redirects to a \(shown): URL, which is refused: a redirect may lead to http and https "
                    + "only, not to \(Self.shown(location))"
            )
        }
        guard let origin = CurlURL.origin(of: url), let named = CurlURL.resolve(location, against: url),
            let target = CurlURL.resolve(secured(named.url), against: named.url)
        else {
            throw DownloadError(
                .badResponse,
                "the server redirects to what is no URL: \(Self.shown(location))"
            )
        }
        // What curl reads counts, should it ever read another scheme than the one above.
        guard target.origin.isHTTP else {
            throw DownloadError(
                .badResponse,
                "the server redirects to \(Self.shown(target.url)), which is neither http nor https"
            )
        }
        if origin.scheme == "https", target.origin.scheme == "http", !allowsDowngrade {
            throw DownloadError(
                .badResponse,
                "the server redirects from https to \(Self.shown(target.url)), which is not encrypted; "
                    + "--allow-downgrade follows it all the same"
            )
        }
        hasLeftOrigin = hasLeftOrigin || target.origin != origin
        let isDowngraded = origin.scheme == "https" && target.origin.scheme != "https"
        hasLeftHost = hasLeftHost || isDowngraded || target.origin.host != origin.host
        url = target.url
        count += 1
        if hops.count < RedirectHop.limit { hops.append(RedirectHop(status: status, url: url)) }
        let isLookedAt = status == 303 ? method != "GET" && method != "HEAD" : status < 303 && method == "POST"
        if isLookedAt { (method, keepsBody) = ("GET", false) }
    }

    /// Without a password; an address of mail is none.
    ///
    /// Cut off, since many may keep it.
    private static func shown(_ location: String) -> String {
        let isHierarchical = location.utf8.contains(UInt8(ascii: "/")) || scheme(of: location) != "mailto"
        let text = isHierarchical ? RequestURL.withoutCredentials(location) : location
        return text.utf8.count <= 2_000 ? text : text.prefix(1_000) + "…"
    }

    /// The scheme that a place begins with, lower-cased; `nil` for a relative one, and for a host with its port.
    ///
    /// - SeeAlso: RFC 3986 §3.1, §4.2
    private static func scheme(of location: String) -> String? {
        let text = location.drop { $0 == " " || $0 == "\t" }
        let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        let rest = text[scheme.endIndex...]
        guard scheme.first?.isLetter == true, rest.first == ":", rest.dropFirst().first?.isNumber != true else {
            return nil
        }
        return scheme.lowercased()
    }
}
