/// Which answers are kept, for how long they are fresh, and what of them is kept.
extension HTTPCacheRules {
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
        if control.forbidsStoring { return .skip(why: .noStore) }
        if isAnonymous(head, to: request) { return .skip(why: .otherUser) }
        let vary = varyNames(head.fields)
        // A cookie that was set on the way was sent along to where the answer came from.
        let hasNewCookie = head.setsCookie && head.redirects > 0 && vary.contains("cookie")
        guard !hasNewCookie, let selector = request.selector(vary) else {
            return .skip(why: vary.contains("*") ? .varyAll : .varyCookie)
        }
        // The address that answered: what a redirect leads to is no answer of where it came from.
        let url = head.redirects > 0 ? head.finalURL : request.url
        var stored = StoredResponse.Content(url: url, status: head.status, fields: storable(head.fields))
        (stored.vary, stored.selector, stored.owner) = (vary, selector, request.owner)
        (stored.httpVersion, stored.remoteAddress) = (head.httpVersion, head.remoteAddress)
        return .store(StoredResponse(stored, requestTime: requestTime, responseTime: responseTime))
    }

    /// Whether an answer is not for who asked: what says who that is stays with the origin that it is for.
    public static func isAnonymous(_ head: ResponseHead, to request: CacheRequest) -> Bool {
        head.redirects > 0 && request.saysWhoAsks && !staysAtOrigin(head, of: request.url)
    }

    /// Whether no redirect led elsewhere: behind one that did, the origin itself is not told any more who asks.
    private static func staysAtOrigin(_ head: ResponseHead, of url: String) -> Bool {
        // With one redirect there is nothing in between; beyond the hops that are recorded it is not known.
        guard head.redirects == 1 || head.hops.count == head.redirects else { return false }
        return isSameOrigin(head.finalURL, url) && head.hops.allSatisfy { isSameOrigin($0.url, url) }
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
        // Looked at in place: a field that is taken out counts two references.
        let all = fields.span
        for index in all.indices {
            if !isOfConnection(all[index]) {
                kept.append(all[index])
            } else if all[index].isNamed("connection") {
                let value = all[index].value
                // Nearly always it names nothing but what is dropped anyway.
                if value == "keep-alive" || value == "close" { continue }
                named.formUnion(value.split(separator: ",").map { $0.trimmingBlanks.lowercased() })
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
}
