internal import SluiceCore

/// Keeping what the network brought in the HTTP cache, and letting go of what it made worthless.
extension ImagePipeline {
    /// The body of a finished part that gets no name, open for the cache to copy.
    func storableBody(of part: FileID, _ active: ActiveTransfer) -> ResponseBody {
        guard active.body.storing?.isStored == true, let files else { return .bytes([]) }
        do throws(DownloadError) {
            return .descriptor(try files.descriptor(of: part), count: active.body.count)
        } catch {
            return .bytes([])
        }
    }

    /// Reserves a place for a body whose file gets its names on another thread.
    func reserve(_ active: ActiveTransfer) -> ReservedBody? {
        guard active.body.storing?.isStored == true else { return nil }
        active.reserved = responses?.reserve(active.body.count)
        return active.reserved
    }

    /// Stores what a transfer brought, or says why not.
    ///
    /// - Returns: What was stored.
    func keepResponse(_ active: ActiveTransfer, _ task: DownloadTask, body: ResponseBody) -> ResponseID? {
        if mayNoteFreshness(active), let head = active.head { noteFreshness(head, active, task.key) }
        guard let responses else { return nil }
        guard let storing = active.body.storing else {
            if let why = active.body.wishes.whyNotStored { skipped(active, why) }
            noteOlder(active, task.key)
            return nil
        }
        judgeStored(byHeadOf: active)
        switch storing {
        case .skip(let why):
            skipped(active, why)
            if why.supersedesStored { dropSuperseded(active) } else { noteOlder(active, task.key) }
            return nil
        case .store where isTrustedOtherwise(active, task):
            skipped(active, .otherTrust)
            return nil
        case .store(let response) where variesByNewCookies(response, active):
            skipped(active, .varyCookie)
            dropSuperseded(active)
            return nil
        case .store(var response):
            (response.requestTime, response.responseTime) = (active.requestTime, active.responseTime)
            if active.head?.redirects != 0 { response.url = keyFilter.key(for: response.url) }
            var source = body
            // What went where it can't be read again was kept in memory too.
            if case .file = body, !active.body.wishes.keepsFiles { source = .bytes(active.body.bytes) }
            guard source.count == active.body.count else {
                skipped(active, .notHeld)
                dropSuperseded(active)
                return nil
            }
            dropVariants(supersededBy: response, active)
            let reserved = active.isPublished(source) ? active.reserved : nil
            let added: (response: StoredResponse, evicted: [EvictedResponse])
            do throws(StoringRefusal) {
                added = try responses.add(response, source, reserved: reserved, now: now)
            } catch {
                skipped(active, error.why)
                if error.why != .newerStored { dropSuperseded(active) }
                return nil
            }
            let stored = added.response
            for eviction in added.evicted { evicted(eviction) }
            noteStored(task.key, isNewer: false)
            let time = active.responseTime
            report(
                .stored,
                stored,
                HTTPCacheRules.storedWhy(stored),
                freshUntil: HTTPCacheRules.freshUntil(stored, now: time)
            )
            return stored.id
        }
    }

    /// Whether a redirect led to a host that is trusted, or shown a certificate, in another way than the one asked.
    ///
    /// What it answered would be stored for users whom the other host was never asked about.
    private func isTrustedOtherwise(_ active: ActiveTransfer, _ task: DownloadTask) -> Bool {
        guard let head = active.head, head.redirects > 0 else { return false }
        let book = trust.book(of: task.id)
        return book.mark(of: head.finalURL) != book.mark(of: task.key.url)
    }

    /// Whether an answer varies by cookies of which some were set after it was asked for.
    ///
    /// They went along all the same, if the request waited for a connection or was redirected.
    private func variesByNewCookies(_ response: StoredResponse, _ active: ActiveTransfer) -> Bool {
        hasTakenCookies && !active.setsFirstCookie && response.vary.contains("cookie")
    }

    /// Removes what was stored for such a request where the origin now says that its answer fits all.
    private func dropVariants(supersededBy response: StoredResponse, _ active: ActiveTransfer) {
        // Nothing was stored for nearly all requests, which are not to pay for another look; some were not looked for there.
        guard response.vary.isEmpty, let responses, let request = active.body.wishes.cacheRequest,
            active.question != nil || request.policy == .reload || active.body.wishes.sha256 != nil
                || active.head?.redirects != 0
        else { return }
        let stored = responses.responses(for: response.url, now: now)
        for old in HTTPCacheRules.variants(stored, supersededBy: response, to: request)
        where !old.isLater(than: response) { evict(old, .outdated) }
    }

    /// Notes that an answer is only in memory, where an older one is stored and stays.
    private func noteOlder(_ active: ActiveTransfer, _ key: MergeKey) {
        guard active.body.wishes.decodes, let responses, let request = active.body.wishes.cacheRequest,
            HTTPCacheRules.selected(responses.responses(for: request.url, now: now), for: request) != nil
        else { return }
        noteStored(key, isNewer: true)
    }

    private func noteStored(_ key: MergeKey, isNewer: Bool) {
        freshness.note(key, isNewer: isNewer, imageCount: cache.count) { cache.hasVariant(of: $0) }
    }

    /// Under which URL the answer of a transfer is stored.
    private func storingURL(_ head: ResponseHead, _ request: CacheRequest) -> String {
        head.redirects > 0 ? keyFilter.key(for: head.finalURL) : request.url
    }

    /// Removes what was stored of older versions, where a whole newer one came that can't be stored.
    private func dropSuperseded(_ active: ActiveTransfer) {
        guard let responses, let request = active.body.wishes.cacheRequest, let head = active.head else { return }
        let old = HTTPCacheRules.superseded(
            responses.responses(for: storingURL(head, request), now: now),
            by: head,
            to: request,
            isContinued: active.body.resumedTotal != nil,
            responseTime: active.responseTime
        )
        for response in old { evict(response, .outdated) }
    }

    /// Removes what else is stored of older versions, where the newest goes.
    func dropOlder(than response: StoredResponse, for request: CacheRequest) {
        guard let responses else { return }
        for old in HTTPCacheRules.fitting(responses.responses(for: response.url, now: now), request)
        where old.id != response.id && !old.isLater(than: response) { evict(old, .outdated) }
    }

    /// Removes what is stored, and tells it; nothing where another task that it answered did so before.
    func evict(_ response: StoredResponse, _ why: HTTPCacheWhy) {
        guard let responses, responses.responses(for: response.url, now: now).contains(where: { $0.id == response.id })
        else { return }
        responses.remove(response)
        evicted(EvictedResponse(url: response.url, bytes: response.size, why: why, usage: responses.figures.usage))
    }

    /// Says why an answer is not stored.
    func skipped(_ active: ActiveTransfer, _ why: HTTPCacheWhy) {
        guard let responses, wants(.cache) else { return }
        tell(.skipped, active.key.url, bytes: active.body.count, usage: responses.figures.usage, why)
    }

    func evicted(_ eviction: EvictedResponse) {
        tell(.evicted, eviction.url, bytes: eviction.bytes, usage: eviction.usage, eviction.why)
    }

    func report(
        _ verb: HTTPCacheChange.Verb,
        _ response: StoredResponse,
        _ why: @autoclosure () -> HTTPCacheWhy,
        freshUntil: @autoclosure () -> Int64?
    ) {
        // Nobody works out reasons that nobody hears.
        guard let responses, wants(.cache) else { return }
        let usage = responses.figures.usage
        tell(verb, response.url, bytes: response.size, usage: usage, why(), freshUntil: freshUntil())
    }

    private func tell(
        _ verb: HTTPCacheChange.Verb,
        _ url: String,
        bytes: Int,
        usage: Int,
        _ why: HTTPCacheWhy,
        freshUntil: Int64? = nil
    ) {
        emit(.cache) {
            .httpCacheChanged(
                HTTPCacheChange(verb: verb, key: url, bytes: bytes, usage: usage, freshUntil: freshUntil, why: why)
            )
        }
    }

    func resizeResponses() {
        guard let responses else { return }
        let evicted = responses.resize(capacity: settings.httpCapacity, memory: settings.httpMemory, now: now)
        for eviction in evicted { self.evicted(eviction) }
    }

    private func mayNoteFreshness(_ active: ActiveTransfer) -> Bool {
        settings.memoryFreshOnly || !freshness.isEmpty || active.body.wishes.decodes
    }

    /// Remembers for how long an image in memory is fresh.
    private func noteFreshness(_ head: ResponseHead, _ active: ActiveTransfer, _ key: MergeKey) {
        let response = StoredResponse(
            url: key.url,
            status: head.status,
            fields: head.fields,
            requestTime: active.requestTime,
            responseTime: active.responseTime
        )
        noteFreshness(response, key)
    }

    func noteFreshness(_ response: StoredResponse, _ key: MergeKey) {
        guard cache.hasVariant(of: key.text) else { return }
        let end = HTTPCacheRules.freshUntil(response, now: configuration.wallClock())
        freshness.note(key, until: end, imageCount: cache.count) { cache.hasVariant(of: $0) }
    }

    /// Drops what an unsafe request may have changed.
    ///
    /// Its first answer says whether anything was done. What it redirects to may fail, and a body may be cut off or too
    /// large: that undoes nothing.
    ///
    /// - Parameters:
    ///   - active: Whose head arrived just now, or which ended without one.
    ///   - hops: The redirects that were followed where none arrived.
    func invalidate(_ active: ActiveTransfer, after hops: [RedirectHop] = []) {
        // Nearly none does, so head and request are not copied for it.
        guard !active.body.wishes.mayCache, let head = active.head ?? Self.head(after: hops) else { return }
        let method = active.body.wishes.method
        let status = head.hops.first?.status ?? head.status
        guard HTTPCacheRules.invalidates(method: method, status: status) else { return }
        let urls = HTTPCacheRules.invalidated(by: head, of: active.key.url).map(keyFilter.key)
        for other in transfers.values where other !== active {
            // What was asked for before may be answered as it was before.
            let isConcerned =
                urls.contains(other.key.url)
                || other.head.map { $0.redirects > 0 && urls.contains(keyFilter.key(for: $0.finalURL)) } == true
            if isConcerned { other.body.forbidStoring(.overtaken(method)) }
        }
        for answer in answers.all where urls.contains(answer.response.url) {
            answer.body.forbidStoring(.overtaken(method))
        }
        for url in urls {
            for response in responses?.responses(for: url, now: now) ?? [] { evict(response, .invalidated(method)) }
        }
        // Whatever headers they were asked for with.
        if cache.count == 0 { return }
        let changes = cache.removeAll(ofURLs: Set(urls), why: .changedByRequest(method: method))
        for change in changes { report(change) }
    }

    /// What the last of some redirects said, where what it led to said nothing; `nil` without any.
    private static func head(after hops: [RedirectHop]) -> ResponseHead? {
        guard let last = hops.last else { return nil }
        var head = ResponseHead(status: last.status, finalURL: last.url)
        (head.redirects, head.hops) = (hops.count, hops)
        return head
    }

    /// Drops what the answer to a HEAD says is there no more, and keeps for longer what it says still holds.
    ///
    /// - SeeAlso: RFC 9111 §4.3.5
    private func judgeStored(byHeadOf active: ActiveTransfer) {
        guard active.body.wishes.isHead, active.head?.status == 200, let responses, let head = active.head,
            let request = active.body.wishes.cacheRequest, !HTTPCacheRules.isAnonymous(head, to: request)
        else { return }
        let stored = responses.responses(for: storingURL(head, request), now: now)
        for response in HTTPCacheRules.fitting(stored, request) where response.responseTime <= active.responseTime {
            let verdict = HTTPCacheRules.verdict(
                on: response,
                by: head,
                for: request,
                requestTime: active.requestTime,
                responseTime: active.responseTime
            )
            switch verdict {
            case .outdated: evict(response, .outdated)
            case .last: evict(response, .noStoreNow)
            // Of a revalidation is told where it answers a task, which this does not.
            case .holds(let updated): if !request.control.noStore { responses.update(updated) }
            case .nothing: break
            }
        }
    }
}
