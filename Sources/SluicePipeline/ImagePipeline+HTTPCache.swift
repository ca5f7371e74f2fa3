internal import SluiceCore

/// Asking the HTTP cache, and the origin about what is stored.
extension ImagePipeline {
    /// A request as the HTTP cache sees it; `nil` without one, and where it shall not see it.
    ///
    /// It sees what may change what is stored in any case.
    func cacheRequest(_ task: DownloadTask, _ receipt: Receipt, _ request: TransferRequest) -> CacheRequest? {
        let options = receipt.options
        let mayChange = HTTPCacheRules.invalidates(method: options.method, status: 200)
        guard responses != nil, options.stores || mayChange, options.body == nil || options.method != "GET",
            RequestURL.isNetwork(task.key.url)
        else { return nil }
        return cacheRequest(task.key, request.credentials, options, request)
    }

    func cacheRequest(
        _ key: MergeKey,
        _ user: Credentials?,
        _ options: RequestOptions,
        _ request: TransferRequest
    ) -> CacheRequest {
        let trust = request.trust.mark(of: key.url)
        let policy = options.policy ?? settings.policy
        // Most requests say what the one before said, of another URL.
        let isPlain = user == nil && trust.isEmpty
        if isPlain, let last = lastCacheRequest, last.method == request.method, last.policy == policy,
            last.stores == options.stores, last.hasUnknownCookies == hasTakenCookies, last.fields == request.headers
        {
            return last.with(url: key.url)
        }
        let new = CacheRequest(
            url: key.url,
            method: request.method,
            // Without what Sluice offers of encodings by itself: bodies are stored decoded, and fit either way.
            fields: request.headers,
            credentials: user,
            trust: trust,
            policy: policy,
            hasUnknownCookies: hasTakenCookies,
            stores: options.stores
        )
        if isPlain { lastCacheRequest = new }
        return new
    }

    // MARK: Submitting

    /// Answers a request by what is stored, if the policy allows.
    ///
    /// - Parameters:
    ///   - demand: Of a request that joins nothing.
    ///   - policy: What it is judged by.
    ///   - isInMemory: Whether that is more than its own policy, since its image is in memory.
    /// - Returns: Whether it has its answer: from disk, or that there is none.
    func answerFromDisk(_ demand: Demand, _ policy: CachePolicy, isInMemory: Bool = false) -> Bool {
        let (request, key) = (demand.request, demand.key)
        // A wish for certain bytes is checked against what the network brings.
        guard let responses, !request.options.isUnmergeable, request.options.sha256 == nil, policy != .reload,
            policy != .revalidate
        else { return false }
        let stored = responses.responses(for: key.url, now: now)
        // Nearly all requests end here.
        if stored.isEmpty, policy != .cacheOnly, request.options.headers.isEmpty, configuration.hostRules.isEmpty {
            return false
        }
        let sample = transferRequest(
            key,
            demand.user,
            request.options,
            trust.book,
            saves: request.options.saves && files != nil
        )
        var asked = cacheRequest(key, demand.user, request.options, sample)
        if asked.policy != policy { asked = asked.with(policy) }
        switch HTTPCacheRules.reuse(stored, for: asked, now: configuration.wallClock()) {
        case .answer(let response, let freshness, let found, let revalidates):
            let why = isInMemory ? found.besideMemory : found
            let (receipt, task, _) = claim(demand, answersFromDisk: true)
            notebook.add(demand.target, of: task)
            counts.cached += 1
            if request.source.isBehind { counts.cachedBehind += 1 }
            emit(.requests) {
                let url = demand.url.url
                var news = Submission(url: url, outcome: .cached, why: .httpCache(why), origin: request.source)
                (news.source, news.receipt, news.task) = (.disk, receipt, task)
                (news.tag, news.receipts) = (request.tag, 1)
                return .requestSubmitted(news)
            }
            let age = freshness.ageSeconds
            let answer = StoredAnswer(response: response, source: .disk, why: why, age: age, revalidates: revalidates)
            beginAnswer(task, nil, answer)
            return true
        case .impossible(let why):
            let error = DownloadError(.notCached, "\(why.sentence), and the network is not asked")
            reject(request, url: demand.url.url, error, .rejected(error), demand.handle)
            return true
        case .validate, .fetch:
            return false
        }
    }

    /// Whether the answer that an image in memory was made of is fresh.
    func isFreshInMemory(_ key: MergeKey) -> Bool {
        freshness.isFresh(key, at: configuration.wallClock())
    }

    /// Whether the fields of a request, those of its host included, say that only what is stored may answer it.
    ///
    /// - SeeAlso: RFC 9111 §5.2.1.7
    func isOnlyIfCached(_ options: RequestOptions, _ url: RequestURL) -> Bool {
        // Nearly no request has fields of its own, nor has any host.
        guard !options.headers.isEmpty || !configuration.hostRules.isEmpty, url.isNetwork else { return false }
        return CacheControl(fields(of: options, url).headers).onlyIfCached
    }

    /// Asks the origin behind an answer that was given, unless the request forbids that.
    func askBehind(_ url: String, _ user: Credentials?, _ options: RequestOptions) {
        // What was answered is a URL.
        if let asked = try? RequestURL(url), isOnlyIfCached(options, asked) { return }
        let behind = RequestOptions(
            headers: options.headers,
            policy: .revalidate,
            priority: .low,
            saves: false,
            stores: options.stores,
            thumbnail: options.thumbnail
        )
        submit(DownloadRequest(url, options: behind, source: .revalidation), keptCredentials: user)
    }

    // MARK: Asking the origin

    /// What to ask about what is stored, for a request that goes to the network; `nil` where nothing is.
    ///
    /// One that may not be conditional can be answered by what is stored all the same, if the origin can't.
    func question(_ task: DownloadTask, _ receipt: Receipt, _ request: CacheRequest?, mayAsk: Bool) -> OriginQuestion? {
        guard let responses, let request, request.method == "GET", !request.isPartial,
            receipt.options.sha256 == nil
        else { return nil }
        let stored = responses.responses(for: task.key.url, now: now)
        if stored.isEmpty { return nil }
        var question = OriginQuestion()
        let selected = HTTPCacheRules.selected(stored, for: request)
        if !notebook[task.id].hasNoFallback { question.fallback = selected }
        guard mayAsk, request.policy != .reload, let response = selected, response.hasValidator else { return question }
        question.validating = response
        question.conditions = HTTPCacheRules.conditions(response)
        return question
    }

    /// Takes the head of a 304 to a question of the cache's own.
    func validated(_ active: ActiveTransfer, _ head: ResponseHead) {
        // Behind a redirect another resource answered, which nobody asked about.
        guard let asked = active.question?.value.validating, head.redirects == 0,
            let request = active.body.wishes.cacheRequest
        else { return }
        let updated = HTTPCacheRules.updated(
            asked,
            by: head,
            for: request,
            requestTime: active.requestTime,
            responseTime: active.responseTime
        )
        active.validated = updated.map { .value($0) }
        guard let updated else { return }
        let age = Freshness(updated, now: active.responseTime).ageSeconds
        var answer = updated.head(age: age)
        (answer.remoteAddress, answer.httpVersion) = (head.remoteAddress, head.httpVersion)
        (answer.reused, answer.finalURL) = (head.reused, head.finalURL)
        (answer.redirects, answer.hops) = (head.redirects, head.hops)
        emit(.tasks) { .taskResponse(active.task, answer, source: .revalidated) }
    }

    /// Answers a task by what the origin said still holds.
    func revalidated(_ transfer: TransferID, _ active: ActiveTransfer) {
        guard let task = scheduler.task(active.task) else { return }
        guard let updated = active.validated?.value else {
            fetchWhole(task, transfer, .otherVersion)
            return
        }
        // Of an answer that may not be stored its fields may not either; and without them what is stored would go on
        // answering as if it had said nothing.
        let isLast = active.head.map { CacheControl($0.fields).forbidsStoring } == true
        if !isLast {
            responses?.update(updated)
        } else if let request = active.body.wishes.cacheRequest {
            dropOlder(than: updated, for: request)
        }
        let age = Freshness(updated, now: active.responseTime).ageSeconds
        active.step = .decoding
        var answer = StoredAnswer(response: updated, source: .revalidated, why: .validated, age: age)
        answer.isLast = isLast
        beginAnswer(task.id, transfer, answer)
    }

    /// Answers by what is stored although the origin failed, where that is allowed.
    func answerDespite(
        _ error: DownloadError,
        _ transfer: TransferID,
        _ active: ActiveTransfer,
        isPartKept: Bool = false
    ) -> Bool {
        guard let stored = active.question?.value.fallback, let request = active.body.wishes.cacheRequest,
            active.end != nil, !active.body.hasGone
        else { return false }
        let now = configuration.wallClock()
        guard
            let why = HTTPCacheRules.answersDespite(error, stored, for: request, now: now)
                ?? whyJoinedAreAnswered(active.task, error, stored)
        else { return false }
        warnOfRefresh(error, active.task)
        if active.body.file != nil, !isPartKept { keepPart(active) }
        // The record of its part stays, whatever becomes of the answer.
        active.keptPart = nil
        active.step = .decoding
        let age = Freshness(stored, now: now).ageSeconds
        beginAnswer(active.task, transfer, StoredAnswer(response: stored, source: .disk, why: why, age: age))
        return true
    }

    /// Why what is stored answers those who joined a task that asks the origin behind an answer, or for somebody who has left;
    /// `nil` unless it would have answered each of them without that task.
    private func whyJoinedAreAnswered(
        _ task: TaskID,
        _ error: DownloadError,
        _ stored: StoredResponse
    ) -> HTTPCacheWhy? {
        guard error.isOfOrigin, let task = scheduler.task(task) else { return nil }
        let now = configuration.wallClock()
        // An image in memory is used whatever its age, and what is stored is no older.
        let isInMemory = !settings.memoryFreshOnly && image(at: CacheKey(key: task.key.text), of: task.key) != nil
        var first: HTTPCacheWhy?
        for receipt in scheduler.receipts(of: task.id) where receipt.source != .revalidation {
            let sample = transferRequest(task, receipt, saves: receipt.options.saves)
            var asked = cacheRequest(task.key, sample.credentials, receipt.options, sample)
            let isLent = isInMemory && asked.policy == .protocol
            if isLent { asked = asked.with(.cacheElseLoad) }
            guard case .answer(_, _, let why, _) = HTTPCacheRules.reuse([stored], for: asked, now: now) else {
                return nil
            }
            first = first ?? (isLent ? why.besideMemory : why)
        }
        return first
    }

    /// Lets a task ask for all of it, since what is stored is of no use.
    func fetchWhole(_ task: DownloadTask, _ transfer: TransferID, _ why: Why) {
        if task.isDetached {
            drop(task)
            return
        }
        notebook[task.id].isUnconditional = true
        startOver(task.id, why)
        retire(transfer)
    }
}
