/// Decides what the HTTP cache stores, and what it may answer with: RFC 9111, as a private cache.
///
/// Pure: stored responses, requests and the time come in, decisions with their reasons come
/// out. It keeps nothing and reads no clock.
///
/// - SeeAlso: RFC 9111, RFC 5861 (stale-while-revalidate, stale-if-error)
public enum HTTPCacheRules {
    /// Whether an answer is kept.
    public enum Storing: Equatable, Sendable {
        /// With its names and selector filled in; times, size and identifier follow.
        case store(StoredResponse)
        /// It is not kept.
        case skip(why: HTTPCacheWhy)

        /// Whether it is kept.
        public var isStored: Bool {
            if case .store = self { true } else { false }
        }
    }

    /// What stored responses can do for a request.
    public enum Reuse: Equatable, Sendable {
        /// Answers without the network.
        case answer(StoredResponse, Freshness, why: HTTPCacheWhy, revalidates: Bool)
        /// The origin must be asked whether it still holds.
        case validate(StoredResponse, why: HTTPCacheWhy)
        /// The origin must be asked, with nothing to compare.
        case fetch(why: HTTPCacheWhy)
        /// Neither stored nor to be fetched.
        case impossible(why: HTTPCacheWhy)
    }

    // MARK: Storing

    /// Judges an answer by its head.
    ///
    /// - Parameters:
    ///   - head: Of the final answer, with all its fields.
    ///   - request: What it answers.
    ///   - requestTime: When it was sent, in milliseconds since 1970.
    ///   - responseTime: When the head arrived.
    /// - Returns: What to keep, or why nothing is kept.
    /// - SeeAlso: RFC 9111 §3
    public static func storing(
        _ head: ResponseHead,
        for request: CacheRequest,
        requestTime: Int64,
        responseTime: Int64
    ) -> Storing {
        if request.method != "GET" { return .skip(why: .method) }
        if request.isPartial { return .skip(why: .ownCondition) }
        if request.control.noStore { return .skip(why: .requestNoStore) }
        let control = CacheControl(head.fields)
        // Only statuses that are understood are kept at all, so `must-understand` outweighs `no-store` as §5.2.2.3 says.
        guard head.status == 200 || head.status == 203 else { return .skip(why: .status(head.status)) }
        if control.noStore, !control.mustUnderstand { return .skip(why: .noStore) }
        // What says who asks stays with the origin that it is for: the answer is an anonymous one.
        if head.redirects > 0, request.owner != .none, !isSameOrigin(head.finalURL, request.url) {
            return .skip(why: .otherUser)
        }
        let vary = varyNames(head.fields)
        guard let selector = request.selector(vary) else {
            return .skip(why: vary.contains("*") ? .varyAll : .varyCookie)
        }
        // The address that answered: what a redirect leads to is no answer of where it came from.
        var stored = StoredResponse(
            url: head.redirects > 0 ? head.finalURL : request.url,
            status: head.status,
            fields: storable(head.fields),
            requestTime: requestTime,
            responseTime: responseTime,
            vary: vary,
            selector: selector,
            owner: request.owner
        )
        (stored.httpVersion, stored.remoteAddress) = (head.httpVersion, head.remoteAddress)
        return .store(stored)
    }

    static func isSameOrigin(_ url: String, _ other: String) -> Bool {
        do throws(DownloadError) {
            return try RequestURL(url).origin == RequestURL(other).origin
        } catch {
            return false
        }
    }

    /// What a response is stored for.
    public static func storedWhy(_ stored: StoredResponse) -> HTTPCacheWhy {
        let control = CacheControl(stored.fields)
        let freshness = Freshness(stored, now: stored.responseTime)
        if control.noCache { return .storedForValidation(.noCache) }
        if freshness.isFresh { return .storedFresh(freshness.basis, remaining: freshness.remaining) }
        return stored.hasValidator ? .storedForValidation(.stale) : .storedStale(freshness.basis)
    }

    /// Until when a response answers without being validated, in milliseconds since 1970; `nil` if it never does.
    public static func freshUntil(_ response: StoredResponse, now: Int64) -> Int64? {
        let freshness = Freshness(response, now: now)
        guard freshness.isFresh, !CacheControl(response.fields).noCache else { return nil }
        return now + Int64(freshness.lifetime) * 1000 - freshness.age
    }

    /// The names in `Vary`, lower-cased, sorted, each once.
    static func varyNames(_ fields: [HeaderField]) -> [String] {
        let lines = fields.values(of: "vary")
        if lines.isEmpty { return [] }
        let names = lines.flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks.lowercased() }
        return Set(names.filter { !$0.isEmpty }).sorted()
    }

    /// Without what concerns the connection only.
    ///
    /// - SeeAlso: RFC 9111 §3.1
    static func storable(_ fields: [HeaderField]) -> [HeaderField] {
        var kept: [HeaderField] = []
        var named: Set<String> = []
        kept.reserveCapacity(fields.count)
        for field in fields {
            if !isOfConnection(field) {
                kept.append(field)
            } else if field.isNamed("connection"), field.value != "keep-alive", field.value != "close" {
                // Nearly always it names nothing but what is dropped anyway.
                named.formUnion(field.value.split(separator: ",").map { $0.trimmingBlanks.lowercased() })
            }
        }
        if !named.isEmpty { kept.removeAll { named.contains($0.name.lowercased()) } }
        return kept
    }

    private static func isOfConnection(_ field: HeaderField) -> Bool {
        switch field.name.utf8.count {
        case 2: field.isNamed("te")
        case 7: field.isNamed("upgrade") || field.isNamed("trailer")
        case 10: field.isNamed("connection") || field.isNamed("keep-alive")
        case 16: field.isNamed("proxy-connection")
        case 17: field.isNamed("transfer-encoding")
        case 18: field.isNamed("proxy-authenticate")
        case 19: field.isNamed("proxy-authorization")
        case 25: field.isNamed("proxy-authentication-info")
        default: false
        }
    }

    // MARK: Answering

    /// Finds what stored responses can do for a request.
    ///
    /// - Parameters:
    ///   - stored: All that are stored for the URL.
    ///   - request: What is asked for.
    ///   - now: In milliseconds since 1970.
    /// - Returns: What to do, and why.
    /// - SeeAlso: RFC 9111 §4
    public static func reuse(_ stored: [StoredResponse], for request: CacheRequest, now: Int64) -> Reuse {
        if request.method != "GET" { return .fetch(why: .method) }
        if request.isPartial { return .fetch(why: .ownCondition) }
        let own = stored.filter { $0.owner == request.owner }
        guard let response = select(own, for: request) else {
            let why: HTTPCacheWhy =
                stored.isEmpty ? .nothingStored : own.isEmpty ? .otherCredentials : .otherVariant
            return request.policy == .cacheOnly || request.control.onlyIfCached
                ? .impossible(why: why) : .fetch(why: why)
        }
        let freshness = Freshness(response, now: now)
        return judge(response, freshness, for: request)
    }

    /// What is stored for a request, whatever its age.
    public static func selected(_ stored: [StoredResponse], for request: CacheRequest) -> StoredResponse? {
        select(stored.filter { $0.owner == request.owner }, for: request)
    }

    /// What was stored for such a request, where its new answer fits all: it must not go before that for ever.
    public static func variants(
        _ stored: [StoredResponse],
        supersededBy response: StoredResponse,
        to request: CacheRequest
    ) -> [StoredResponse] {
        guard response.vary.isEmpty else { return [] }
        return stored.filter {
            !$0.vary.isEmpty && $0.owner == response.owner && request.selector($0.vary) == $0.selector
        }
    }

    /// The newest of those that fit; one that does not vary fits everybody, and so only where none was made for such a
    /// request.
    ///
    /// - SeeAlso: RFC 9111 §4.1
    static func select(_ stored: [StoredResponse], for request: CacheRequest) -> StoredResponse? {
        let fitting = stored.filter { $0.vary.isEmpty || request.selector($0.vary) == $0.selector }
        let made = fitting.filter { !$0.vary.isEmpty }
        return (made.isEmpty ? fitting : made).max {
            ($0.date, $0.responseTime, $0.id) < ($1.date, $1.responseTime, $1.id)
        }
    }

    private static func judge(
        _ response: StoredResponse,
        _ freshness: Freshness,
        for request: CacheRequest
    ) -> Reuse {
        func answer(_ why: HTTPCacheWhy, revalidates: Bool = false) -> Reuse {
            .answer(response, freshness, why: why, revalidates: revalidates)
        }
        func ask(_ why: HTTPCacheWhy) -> Reuse {
            if request.control.onlyIfCached { return .impossible(why: why) }
            return response.hasValidator ? .validate(response, why: why) : .fetch(why: why)
        }
        switch request.policy {
        case .cacheElseLoad, .cacheOnly:
            return answer(
                freshness.isFresh
                    ? .fresh(freshness.basis, remaining: freshness.remaining) : .anyAge(freshness.staleness)
            )
        case .refresh:
            return answer(.refreshed(freshness.staleness), revalidates: true)
        case .reload: return .fetch(why: .reload)
        case .revalidate: return ask(.revalidatePolicy)
        case .protocol: break
        }
        let (asked, said) = (request.control, CacheControl(response.fields))
        if asked.noCache { return ask(.requestNoCache) }
        if said.noCache { return ask(.noCache) }
        if let limit = asked.maxAge, freshness.age > Int64(limit.seconds(or: 0)) * 1000 || limit.seconds(or: 0) == 0 {
            return ask(.requestMaxAge(limit.seconds(or: 0)))
        }
        if let wish = asked.minFresh, freshness.remaining < wish.seconds(or: CacheControl.greatest) {
            return ask(.requestMinFresh(wish.seconds(or: CacheControl.greatest)))
        }
        if freshness.isFresh { return answer(.fresh(freshness.basis, remaining: freshness.remaining)) }
        if said.mustRevalidate { return ask(.mustRevalidate(freshness.staleness)) }
        if let accepted = asked.maxStale, accepted.map({ freshness.staleness <= $0.seconds(or: 0) }) ?? true {
            return answer(.requestMaxStale(freshness.staleness))
        }
        if let window = said.staleWhileRevalidate, freshness.staleness <= window.seconds(or: 0) {
            return answer(.staleWhileRevalidate(freshness.staleness), revalidates: !asked.onlyIfCached)
        }
        return ask(.stale(freshness.basis, freshness.staleness))
    }

    /// Whether a stored response may answer although the origin could not.
    ///
    /// - Parameters:
    ///   - error: Why the origin did not answer.
    ///   - response: What is stored.
    ///   - request: What is asked for.
    ///   - now: In milliseconds since 1970.
    /// - Returns: Why it may; `nil` if it may not.
    /// - SeeAlso: RFC 5861 §4
    public static func answersDespite(
        _ error: DownloadError,
        _ response: StoredResponse,
        for request: CacheRequest,
        now: Int64
    ) -> HTTPCacheWhy? {
        switch error.code {
        case .badStatus: guard [500, 502, 503, 504].contains(error.status) else { return nil }
        case .timedOut, .hostNotFound, .cannotConnect, .connectionLost: break
        default: return nil
        }
        let said = CacheControl(response.fields)
        let freshness = Freshness(response, now: now)
        guard request.policy == .protocol, !said.mustRevalidate, !said.noCache, !request.control.noCache else {
            return nil
        }
        let windows = [said.staleIfError, request.control.staleIfError].compactMap { $0?.seconds(or: 0) }
        guard let window = windows.max(), freshness.staleness <= window else { return nil }
        return .staleIfError(freshness.staleness)
    }

    // MARK: Validation

    /// The fields that make a request conditional.
    ///
    /// - SeeAlso: RFC 9111 §4.3.1
    public static func conditions(_ response: StoredResponse) -> [HeaderField] {
        var fields: [HeaderField] = []
        if let tag = response.entityTag { fields.append(HeaderField("If-None-Match", tag)) }
        if let modified = response.fields.single("last-modified") {
            fields.append(HeaderField("If-Modified-Since", modified))
        }
        return fields
    }

    /// Updates a stored response by a 304.
    ///
    /// - Parameters:
    ///   - response: As stored.
    ///   - head: Of the 304.
    ///   - request: The question, by whose fields a new `Vary` selects.
    ///   - requestTime: When the question was sent, in milliseconds since 1970.
    ///   - responseTime: When the 304 arrived.
    /// - Returns: `nil` if the 304 speaks of another response, so that the whole must be fetched.
    /// - SeeAlso: RFC 9111 §3.2, §4.3.4
    public static func updated(
        _ response: StoredResponse,
        by head: ResponseHead,
        for request: CacheRequest,
        requestTime: Int64,
        responseTime: Int64
    ) -> StoredResponse? {
        if let tag = head.fields.single("etag"), let stored = response.entityTag {
            // A strong tag names bytes; a weak one of either side only the same meaning.
            let isSame = tag.hasPrefix("W/") || response.strongTag == nil ? weak(tag) == weak(stored) : tag == stored
            if !isSame { return nil }
        }
        let news = storable(head.fields).filter { !isKept($0) }
        // What is updated was made when the 304 was, whether that says so or not.
        let names = Set(news.map { $0.name.lowercased() } + ["age", "date"])
        var updated = response
        updated.fields = response.fields.filter { !names.contains($0.name.lowercased()) } + news
        (updated.requestTime, updated.responseTime) = (requestTime, responseTime)
        if head.fields.has("vary") {
            updated.vary = varyNames(head.fields)
            // Where nobody knows what it was made for, it fits nobody: no request selects by such a name.
            updated.selector = request.selector(updated.vary) ?? .none
        }
        return updated
    }

    /// Whether the answer to a HEAD shows that what is stored is of another version.
    ///
    /// - SeeAlso: RFC 9111 §4.3.5
    public static func isOutdated(_ response: StoredResponse, by head: ResponseHead) -> Bool {
        func differ(_ name: StaticString, _ form: (String) -> Substring = { $0[...] }) -> Bool {
            guard let new = head.fields.single(name), let old = response.fields.single(name) else { return false }
            return form(new) != form(old)
        }
        if differ("etag", weak) || differ("last-modified") { return true }
        // Another encoding has another length.
        let isPlain = [head.fields, response.fields].allSatisfy { $0.single("content-encoding") == nil }
        return isPlain && differ("content-length")
    }

    private static func weak(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// Fields that describe the body as it is stored, of which a 304 has none.
    private static func isKept(_ field: HeaderField) -> Bool {
        field.isNamed("content-length") || field.isNamed("content-encoding") || field.isNamed("content-range")
    }

    /// Whether an answer to an unsafe request makes what is stored for its URL worthless.
    ///
    /// - SeeAlso: RFC 9111 §4.4
    public static func invalidates(method: String, status: Int) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE": false
        default: (200...399).contains(status)
        }
    }

    /// The URLs whose answers an unsafe request makes worthless: its own, that which took it in the end, and those that the
    /// answer names on the same origin.
    ///
    /// - SeeAlso: RFC 9111 §4.4
    public static func invalidated(by head: ResponseHead, of url: String) -> [String] {
        var urls = [url]
        // 307 and 308 send the same request elsewhere; the others may, and then the origin must be the same.
        let isSentOn = head.hops.allSatisfy { $0.status == 307 || $0.status == 308 }
        if head.redirects > 0, isSentOn || isSameOrigin(head.finalURL, url) { urls.append(head.finalURL) }
        do throws(DownloadError) {
            let origin = try RequestURL(url).origin
            for name in ["location", "content-location"] as [StaticString] {
                guard let value = head.fields.single(name) else { continue }
                let named = try RequestURL(value.hasPrefix("/") && !value.hasPrefix("//") ? origin + value : value)
                if named.origin == origin, !urls.contains(named.url) { urls.append(named.url) }
            }
        } catch {
            // What is no URL names nothing that is stored.
            return urls
        }
        return urls
    }
}
