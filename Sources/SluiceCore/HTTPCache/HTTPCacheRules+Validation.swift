/// What the origin is asked about a stored answer, and what its words do to what is stored.
extension HTTPCacheRules {
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
        guard isOf(head, response) else { return nil }
        return refreshed(response, by: head, for: request, requestTime: requestTime, responseTime: responseTime)
    }

    /// With the fields of a head that speaks of it.
    private static func refreshed(
        _ response: StoredResponse,
        by head: ResponseHead,
        for request: CacheRequest,
        requestTime: Int64,
        responseTime: Int64
    ) -> StoredResponse {
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

    /// Whether a 304 speaks of what is stored: by its tag, else by its date; one without either speaks of what was asked
    /// about.
    private static func isOf(_ head: ResponseHead, _ response: StoredResponse) -> Bool {
        let dates = [head.fields, response.fields].map { $0.single("last-modified") }
        let isOfSameDate = dates.contains(nil) ? nil : dates[0] == dates[1]
        guard let tag = head.fields.single("etag") else { return isOfSameDate ?? true }
        // What has no tag may still be what a weak one means, and no more than that.
        guard let stored = response.entityTag else { return tag.hasPrefix("W/") && isOfSameDate == true }
        // A strong tag names bytes; a weak one of either side only the same meaning.
        return tag.hasPrefix("W/") || response.strongTag == nil
            ? weak(tag).hasSameBytes(as: weak(stored)) : tag.hasSameBytes(as: stored)
    }

    /// What the answer to a HEAD says of a stored answer to GET.
    public enum HeadVerdict: Equatable, Sendable {
        /// It is of another version.
        case outdated
        /// It still holds, but its fields may not be kept any more.
        case last
        /// It still holds, with these fields.
        case holds(StoredResponse)
        /// Nothing that tells versions apart.
        case nothing
    }

    /// Compares the answer to a HEAD with what is stored.
    ///
    /// - Parameters:
    ///   - response: As stored; could have answered a GET of the same kind.
    ///   - head: Of the answer, with status 200.
    ///   - request: The HEAD.
    ///   - requestTime: When it was sent, in milliseconds since 1970.
    ///   - responseTime: When the head arrived.
    /// - Returns: What to do. A length alone says no more than that another one is another version.
    /// - SeeAlso: RFC 9111 §4.3.5
    public static func verdict(
        on response: StoredResponse,
        by head: ResponseHead,
        for request: CacheRequest,
        requestTime: Int64,
        responseTime: Int64
    ) -> HeadVerdict {
        let tag = head.fields.single("etag"), date = head.fields.single("last-modified")
        // What the stored one does not say is no match either.
        if let tag, !response.entityTag.map(weak).hasSameBytes(as: weak(tag)) { return .outdated }
        if let date, response.fields.single("last-modified") != date { return .outdated }
        // Another encoding has another length.
        let isPlain = [head.fields, response.fields].allSatisfy { $0.single("content-encoding") == nil }
        if isPlain, let new = head.fields.single("content-length"), let old = response.fields.single("content-length"),
            new != old
        {
            return .outdated
        }
        if tag == nil && date == nil { return .nothing }
        if CacheControl(head.fields).forbidsStoring { return .last }
        return .holds(
            refreshed(response, by: head, for: request, requestTime: requestTime, responseTime: responseTime)
        )
    }

    private static func weak(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }

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
        for name in ["location", "content-location"] as [StaticString] {
            guard let value = head.fields.single(name) else { continue }
            do throws(DownloadError) {
                let base = try RequestURL(head.redirects > 0 ? head.finalURL : url)
                let named = try base.resolving(value)
                if try named.origin == RequestURL(url).origin, !urls.contains(named.url) { urls.append(named.url) }
            } catch {
                // What is no URL names nothing that is stored.
                continue
            }
        }
        return urls
    }
}
