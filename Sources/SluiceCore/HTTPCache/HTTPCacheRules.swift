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
        guard let response = selected(stored, for: request) else {
            let isOwned = stored.contains { $0.owner == request.owner }
            let why: HTTPCacheWhy = stored.isEmpty ? .nothingStored : isOwned ? .otherVariant : .otherOwner
            return request.policy == .cacheOnly || request.control.onlyIfCached
                ? .impossible(why: why) : .fetch(why: why)
        }
        let freshness = Freshness(response, now: now)
        return judge(response, freshness, for: request)
    }

    /// All that could answer a request, whatever its age.
    ///
    /// - SeeAlso: RFC 9111 §4.1
    public static func fitting(_ stored: [StoredResponse], _ request: CacheRequest) -> [StoredResponse] {
        stored.filter {
            $0.owner == request.owner && ($0.vary.isEmpty || request.selector($0.vary) == $0.selector)
        }
    }

    /// The newest of those that fit, whatever its age; one that does not vary fits everybody, and so only where none was
    /// made for such a request.
    ///
    /// - SeeAlso: RFC 9111 §4.1
    public static func selected(_ stored: [StoredResponse], for request: CacheRequest) -> StoredResponse? {
        let fitting = fitting(stored, request)
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
        case .refresh where !request.control.onlyIfCached:
            return answer(.refreshed(freshness.staleness), revalidates: true)
        case .cacheElseLoad, .cacheOnly, .refresh:
            if freshness.isFresh, CacheControl(response.fields).noCache { return answer(.unasked) }
            return answer(
                freshness.isFresh
                    ? .fresh(freshness.basis, remaining: freshness.remaining) : .anyAge(freshness.staleness)
            )
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
        // Who says how old it may be, or how fresh it must stay, has been told no by now.
        let isOpen = asked.maxAge == nil && asked.minFresh == nil && asked.maxStale == nil
        if isOpen, let window = said.staleWhileRevalidate, freshness.staleness <= window.seconds(or: 0) {
            // What keeps nothing would be asked for as a whole, for nobody.
            let isAsked = !asked.onlyIfCached && request.stores
            return answer(.staleWhileRevalidate(freshness.staleness, isAsked: isAsked), revalidates: isAsked)
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
        case .timedOut, .hostNotFound, .cannotConnect, .connectionLost, .truncated, .badResponse: break
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
}
