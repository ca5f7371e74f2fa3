internal import SluiceCore

extension ImagePipeline {
    /// Takes a command that was sent: steering at once, the rest in order.
    func accept(_ command: PipelineCommand) {
        guard isOpen else { return }
        // The requests of a list keep their order by themselves.
        let isList = if case .submit = command { true } else { false }
        if isList || isServed || command.overtakes {
            apply(command)
        } else {
            backlog.append(.command(command))
        }
    }

    /// Whether all is submitted that was asked for, in this session or an earlier one.
    var isServed: Bool { backlog.isEmpty && restoring.isEmpty && !journal.isLoading }

    /// Requests and commands of one turn: enough that a list of thousands is soon in, few enough for a frame.
    private static let slice = 128

    /// Serves what is in order, as many as a turn takes: transfers and keys get their turns in between.
    func serveBacklog() {
        guard phase != .ending, phase != .ended, !journal.isLoading, !journal.isBehind else { return }
        var remaining = Self.slice
        while isOpen, remaining > 0, let restored = restoring.begin() {
            remaining -= 1
            restore(restored)
        }
        while remaining > 0, let step = backlog.next() {
            remaining -= 1
            serve(step)
        }
    }

    private func serve(_ step: CommandBacklog.Step) {
        switch step {
        case .command(let command): apply(command)
        case .submit(let request, let handle): if handle?.isOver != true { submit(request, handle: handle) }
        case .query(let query, let reply): serve(query, reply)
        case .answered(let request): backlog.collect(submitTracked(request))
        case .answer(let answer, let reply): self.answer(answer, reply)
        }
    }

    /// Answers one request, in the steps of the rules for submitting (docs, Rules).
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - keptCredentials: What stood in its URL when it was asked for first.
    ///   - standing: How the task stood whose place the one takes that is made for it.
    ///   - handle: Of who waits for the outcome.
    /// - Returns: The task that was made for it; `nil` where it joined one, was answered, or refused.
    @discardableResult
    func submit(
        _ request: DownloadRequest,
        keptCredentials: Credentials? = nil,
        standing: TaskStanding? = nil,
        handle: RequestHandle? = nil
    ) -> TaskID? {
        counts.requests += 1
        snapshots.isDirty = true
        let url: RequestURL
        do throws(DownloadError) {
            url = try RequestURL(request.url)
        } catch {
            reject(request, url: RequestURL.shown(refused: request.url), error, .rejected(error), handle)
            return nil
        }
        if let error = whyNotAhead(request) {
            reject(request, url: url.url, error, .rejected(error), handle)
            return nil
        }
        let options = request.options
        let policy = options.policy ?? settings.policy
        let user = credentials(for: url, kept: keptCredentials)
        let key = mergeKey(url, options, user, distinct: options.isUnmergeable ? counts.requests : nil)
        let demand = Demand(
            request: request,
            url: url,
            key: key,
            user: user,
            handle: handle,
            standing: standing
        )
        if let live = inScheduler({ $0.liveTask(for: key) }) {
            join(live, demand)
            return nil
        }
        if restoring.hasOtherTrust {
            // What came under the rules that hold now answers it no more than their failures refuse it.
            forgive(key)
            return create(demand)
        }
        if restoring.current?.hasSavedBody == true, copySavedBody(demand) { return nil }
        if policy.usesMemory, answerFromMemory(demand) { return nil }
        if answerFromDisk(demand, policy) { return nil }
        if policy == .cacheOnly || isOnlyIfCached(options, url) {
            let error = DownloadError.notCached(options, policy)
            reject(request, url: url.url, error, .rejected(error), handle)
            return nil
        }
        if !options.retryFailed, let entry = failed.entry(for: key, now: now), !request.source.isNamed {
            let remaining = entry.until - now
            let error = DownloadError.previouslyFailed(entry, remaining: remaining, request.source)
            reject(request, url: url.url, error, .previouslyFailed(entry.error, remaining: remaining), handle)
            return nil
        }
        forgive(key)
        return create(demand)
    }

    /// - Parameters:
    ///   - url: What is asked for.
    ///   - kept: What stood in the URL when it was asked for first.
    /// - Returns: Who the user is to its origin.
    func credentials(for url: RequestURL, kept: Credentials? = nil) -> Credentials? {
        url.credentials ?? kept ?? (url.isNetwork ? configuration.hostRules.credentials(for: url) : nil)
    }

    /// - Parameters:
    ///   - url: What is asked for.
    ///   - options: How.
    ///   - user: As ``credentials(for:kept:)`` says.
    ///   - distinct: A number of its own for a request that must not merge with any other.
    /// - Returns: What such a request is merged by, under the settings that hold now.
    func mergeKey(
        _ url: RequestURL,
        _ options: RequestOptions,
        _ user: Credentials?,
        distinct: Int? = nil
    ) -> MergeKey {
        let text = keyFilter.key(for: url.url)
        return MergeKey(
            url: text,
            headers: fields(of: options, url).headers,
            credentials: user,
            trust: trust.book.mark(of: url) + redirected.mark(of: text, trust.book),
            sha256: options.sha256,
            distinct: distinct
        )
    }

    /// What a request sends of the user's own fields.
    func fields(of options: RequestOptions, _ url: RequestURL) -> HostRules.Fields {
        configuration.hostRules.isEmpty || !url.isNetwork
            ? HostRules.Fields(headers: options.headers) : configuration.hostRules.fields(options.headers, url: url)
    }

    private func create(_ demand: Demand) -> TaskID {
        let (url, source, tag) = (demand.url.url, demand.request.source, demand.request.tag)
        // What may start since a setting changed starts first, so that the stream counts it before it places this one.
        if inScheduler({ $0.canStart }) { _ = startTransfers() }
        let (receipt, task, _) = claim(demand)
        notebook.add(demand.target, of: task)
        // Before it starts, so that not even its first bytes come faster, and before anybody is told where it stands.
        if let standing = demand.standing { take(standing, task) }
        let heldBack = demand.standing?.whyHeldBack
        // Once the end was asked for, nothing is begun that would only be stopped again.
        let start = isOpen && heldBack == nil ? scheduler.startNext() : nil
        let isStarted = start?.task == task
        emit(.requests) {
            let why: Why =
                isStarted
                ? .slotFree(active: scheduler.activeCount, limit: scheduler.limit)
                : heldBack ?? whyQueued(task)
            var news = Submission(
                url: url,
                outcome: isStarted ? .started : .queued,
                why: why,
                origin: source
            )
            (news.receipt, news.task, news.tag, news.receipts) = (receipt, task, tag, 1)
            if !isStarted { news.position = scheduler.position(of: task) }
            return .requestSubmitted(news)
        }
        if !isStarted { changed(task, .queued) }
        if let start { begin(start) }
        return task
    }

    /// Why a task that could not start waits in the queue.
    private func whyQueued(_ task: TaskID) -> Why {
        if scheduler.isSuspended { return restoring.whyPaused ?? (settings.suspended ? .queueSuspended : .diskFull) }
        if scheduler.isHostFull(task) { return .hostFull(limit: scheduler.maxPerHost) }
        if scheduler.isPrefetchShareTaken { return .prefetchShare(limit: DownloadScheduler.prefetchShare) }
        let ahead = (scheduler.position(of: task) ?? 1) - 1
        return .slotsTaken(active: scheduler.activeCount, limit: scheduler.limit, ahead: ahead)
    }

    private func join(_ live: DownloadTask, _ demand: Demand) {
        let request = demand.request
        let (receipt, task, placement) = claim(demand)
        counts.joined += 1
        if case .active(let transfer) = live.phase {
            transfers[transfer]?.joined(request.options, saves: request.options.saves && files != nil)
        }
        emit(.requests) {
            let receipts = Int(live.receiptCount) + 1
            let why: Why =
                switch live.phase {
                case .active where live.isDetached: .joinedDetached
                case .active: .joinedActive(receipts: receipts)
                case .queued:
                    .joinedQueued(
                        receipts: receipts,
                        position: scheduler.position(of: task) ?? 1,
                        isMoved: placement == .raised
                    )
                case .paused: .joinedPaused(receipts: receipts)
                case .waiting(let until, _): .joinedWaiting(receipts: receipts, until: until)
                case .answering: .joinedAnswering(receipts: receipts)
                }
            var news = Submission(url: demand.url.url, outcome: .joined, why: why, origin: request.source)
            (news.receipt, news.task, news.tag, news.receipts) = (receipt, task, request.tag, receipts)
            return .requestSubmitted(news)
        }
        if placement == .raised { changed(task, .moved, reason: .claimsStrengthened) }
    }

    /// - Returns: Whether the memory cache answered, with a file where one is wanted.
    private func answerFromMemory(_ demand: Demand) -> Bool {
        let (request, key) = (demand.request, demand.key)
        let cacheKey = CacheKey(key: key.text, id: request.options.thumbnail?.id ?? "")
        if settings.memoryFreshOnly, !isFreshInMemory(key) {
            if !request.source.isView { cache.countMiss() }
            return false
        }
        let found = image(at: cacheKey, of: key)
        if found == nil, inCache({ $0.peek(cacheKey) }) != nil { return false }
        var file: SavedFile?
        if request.options.saves, let files, found != nil {
            // Without the bytes it is no hit: the image in memory is no file.
            let intact = knownFiles.equals(key).filter { files.isIntact($0) }
            file = intact.first { isWanted($0, key, request.options) }
            if file == nil {
                let known = intact.first
                // However stale: the image in memory is no fresher, or that is known. And what is stored knows what the
                // server calls the file, which the URL does not.
                let mayKnowBetter =
                    (known == nil || request.options.destination == nil) && !freshness.isNewerThanStored(key)
                let policy = request.options.policy ?? settings.policy
                let asked = policy == .refresh ? policy : .cacheElseLoad
                let isAnswered = mayKnowBetter && answerFromDisk(demand, asked, isInMemory: policy == .protocol)
                guard isAnswered || known != nil else {
                    cache.countMiss()
                    return false
                }
                if !isAnswered, let known { copy(known, demand) }
                // The image was used, though the bytes came from elsewhere.
                _ = cache.hit(cacheKey, now: now)
                return true
            }
        }
        func answered(_ why: Why) -> PipelineEvent.Kind {
            var news = Submission(url: demand.url.url, outcome: .cached, why: why, origin: request.source)
            (news.source, news.tag) = (.memory, request.tag)
            return .requestSubmitted(news)
        }
        if request.source.isView {
            // Drawing is no use of an entry, and nobody's request: it refreshes nothing, and only who submits it is told.
            guard let image = found else { return false }
            counts.requests -= 1
            track(answered(.forALook))
            tell(demand.handle, image, file: nil)
            return true
        }
        guard let hit = cache.hit(cacheKey, now: now) else { return false }
        let policy = request.options.policy ?? settings.policy
        let asksBehind = policy == .refresh && !isOnlyIfCached(request.options, demand.url)
        counts.cached += 1
        emit(.requests) { answered(.inMemory(idle: hit.idle, cost: hit.cost, asksBehind: asksBehind)) }
        prefetched(request.source, receipt: nil, wasCached: true)
        tell(demand.handle, hit.value.image, file: file?.path)
        if asksBehind { askBehind(request.url, demand.user, request.options) }
        return true
    }

    /// Joins the task of the key, or makes one, and remembers who wants to hear of the outcome.
    func claim(
        _ demand: Demand,
        answersFromDisk: Bool = false
    ) -> (receipt: ReceiptID, task: TaskID, placement: DownloadScheduler.Placement) {
        let request = demand.request
        let (receipt, task, placement) = scheduler.submit(
            demand.key,
            options: request.options,
            source: request.source,
            tag: request.tag,
            forbidsNetwork: (request.options.policy ?? settings.policy) == .cacheOnly,
            answersFromDisk: answersFromDisk,
            now: now
        )
        if let handle = demand.handle {
            handle.claim(receipt)
            callers.handles[receipt] = handle
        }
        // Before anybody is told where it stands.
        if let restored = restoring.current, request.source.isKept {
            if let priority = restored.priority { scheduler.restorePriority(task, priority, atFront: false) }
            // What ran stands first also where it can't start at once.
            if restored.band <= TaskQueue.Band.promoted.rawValue { scheduler.restorePromotion(task) }
        }
        keepRequest(demand, receipt, task)
        if case .prefetch(let batch) = request.source { batches.add(receipt, to: batch) }
        return (receipt, task, placement)
    }

    func reject(
        _ request: DownloadRequest,
        url: String,
        _ error: DownloadError,
        _ why: Why,
        _ handle: RequestHandle?
    ) {
        defer { handle?.finish(RequestOutcome(outcome: .failed, image: nil, file: nil, error: error)) }
        func refused() -> PipelineEvent.Kind {
            var news = Submission(url: url, outcome: .rejected, why: why, origin: request.source)
            (news.error, news.tag) = (error, request.tag)
            return .requestSubmitted(news)
        }
        if request.source.isView {
            counts.requests -= 1
            track(refused())
            return
        }
        counts.rejected += 1
        if request.source == .revalidation { counts.rejectedBehind += 1 }
        emit([.requests, .failures]) { refused() }
        prefetched(request.source, receipt: nil, wasCached: false)
    }
}
