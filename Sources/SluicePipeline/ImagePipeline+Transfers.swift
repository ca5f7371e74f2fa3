internal import SluiceCore

/// Starting transfers, hearing of them, and letting go of them.
extension ImagePipeline {
    /// Gives every free slot to the task that is next.
    ///
    /// - Returns: Whether any started.
    func startTransfers() -> Bool {
        guard isOpen else { return false }
        var didStart = false
        while let start = scheduler.startNext() {
            begin(start)
            didStart = true
        }
        return didStart
    }

    func begin(_ start: DownloadScheduler.Start) {
        let (task, receipt) = inScheduler { $0.taskAndFirstReceipt(start.task) }
        let receipts = task.receiptCount == 1 ? [receipt] : scheduler.receipts(of: start.task)
        let notes = notebook[start.task]
        var wishes = wishes(task, receipts, notes)
        var request = transferRequest(task, receipt, saves: wishes.saves)
        if let rate = notes.rate { request.rate = rate }
        wishes.cacheRequest = cacheRequest(task, receipt, request)
        let resumption = resumption(of: task, &wishes)
        let mayAsk = resumption == nil && !notes.isUnconditional
        let question = question(task, receipt, wishes.cacheRequest, mayAsk: mayAsk)
        wishes.isConditional = question?.validating != nil
        let body = TransferBody(wishes, files: files, resuming: resumption)
        let active = ActiveTransfer(task: start.task, key: task.key, body: body, started: now)
        active.requestTime = configuration.wallClock()
        if let question { active.question = .value(question) }
        if resumption != nil { active.continued = parts[task.key.text] }
        transfers[start.transfer] = active
        if let plan = resumption?.plan {
            request.headers += plan.headers
            request.resumesAt = plan.part.length
        } else if let conditions = question?.conditions, !conditions.isEmpty {
            request.headers += conditions
            request.conditionNames = conditions.map { $0.name.lowercased() }
        }
        transport.start(start.transfer, request, into: body, now: now)
        if notes.reason != nil { notebook[start.task].reason = nil }
        if notes.lastAnswer != nil { notebook[start.task].lastAnswer = nil }
        if notes.pausedAt != nil { notebook[start.task].pausedAt = nil }
        changed(start.task, start.isResumption ? .resumed : .started, reason: notes.reason)
        // Where it starts is known only when the server has said whether it continues.
        if resumption == nil { reportProgress(start.transfer, received: 0, expected: nil) }
        // What is on this machine is no activity of the network.
        if RequestURL.isNetwork(task.key.url) { report(indicator.started(start.transfer, now: now)) }
    }

    func wishes(_ task: DownloadTask, _ receipts: [Receipt], _ notes: TaskNotes) -> TransferBody.Wishes {
        let refused = notes.refusedPlaces
        let saver =
            files == nil
            ? nil
            : receipts.first { $0.options.saves && !refused.contains($0.options.place) }
                ?? receipts.first(where: \.options.saves)
        let decodes = settings.decodes(
            receipts,
            savesFiles: saver != nil,
            isDashboard: configuration.isDashboard
        )
        var wishes = TransferBody.Wishes(
            url: task.key.url,
            saves: saver != nil,
            name: saver?.options.destination,
            onExists: settings.onExists,
            // Two that are not merged are not each other's versions either.
            replaces: receipts[0].options.isUnmergeable ? ReplaceableFiles() : replaceable(task.key),
            otherNames: receipts.count == 1 ? [] : places(receipts, without: refused),
            decodes: decodes,
            acceptsOnlyImages: settings.acceptOnly == .image,
            allowsPartial: receipts[0].options.asksForPart,
            method: receipts[0].options.method,
            sha256: receipts[0].options.sha256,
            mayCache: receipts[0].options.method == "GET" && receipts[0].options.body == nil,
            mayRepeat: receipts[0].options.method == "GET" || receipts[0].options.method == "HEAD",
            maxFileSize: settings.maxFileSize,
            maxPixels: settings.maxPixels,
            memoryLimit: configuration.memoryBodyLimit,
            storeLimit: configuration.storeBodyLimit,
            keepsFiles: files?.canReadBack ?? true
        )
        (wishes.parts, wishes.partKey) = (parts, task.key.text)
        wishes.areAllSaved = receipts.allSatisfy(\.options.saves)
        if !receipts.allSatisfy(\.options.stores) { wishes.whyNotStored = .forbidden }
        return wishes
    }

    /// The files that a body of a key may replace.
    ///
    /// Without those of other keys that another body, which is on its way, may replace: both were asked for.
    private func replaceable(_ key: MergeKey) -> ReplaceableFiles {
        var files = knownFiles.replaceable(key)
        if files.inherited.isEmpty { return files }
        let others = transfers.values.lazy.filter { $0.key != key }
        let claimed = Set(others.flatMap { $0.body.wishes.replaces.all.map { ExactText($0.path) } })
        files.inherited.removeAll { claimed.contains(ExactText($0.path)) }
        return files
    }

    /// Where receipts want their files, but for where none can be made.
    private func places(_ receipts: [Receipt], without refused: Set<ExactText?>) -> [String?] {
        receipts.filter { $0.options.saves && !refused.contains($0.options.place) }.map(\.options.destination)
    }

    func transferRequest(_ task: DownloadTask, _ receipt: Receipt, saves: Bool) -> TransferRequest {
        let target = notebook.target(of: task.id)
        return transferRequest(
            task.key,
            from: target.url,
            target.user,
            receipt.options,
            trust.book(of: task.id),
            saves: saves
        )
    }

    /// - Parameters:
    ///   - key: Of the task.
    ///   - url: What is fetched for it; `nil` for the key's own.
    ///   - user: For the server of the URL.
    ///   - options: Of the receipt that was submitted first.
    ///   - trust: Whom to trust.
    ///   - saves: Whether the body is saved.
    /// - Returns: What the transport is to send.
    func transferRequest(
        _ key: MergeKey,
        from url: String? = nil,
        _ user: Credentials?,
        _ options: RequestOptions,
        _ trust: TrustBook,
        saves: Bool
    ) -> TransferRequest {
        var request = TransferRequest(url: url ?? key.url)
        (request.method, request.body) = (options.method, options.body)
        request.headers = options.headers
        // A key's URL is normal, so it is one.
        if !configuration.hostRules.isEmpty, let url = try? RequestURL(key.url) {
            let fields = fields(of: options, url)
            (request.headers, request.removedHeaders) = (fields.headers, fields.removed)
            request.hostOnlyHeaders = Array(fields.bound)
            request.originOnlyHeaders = Array(fields.boundToPort)
        }
        let own = ownFields.value(options.policy ?? settings.policy, settings.acceptOnly, userAgent)
        if request.headers.isEmpty, request.removedHeaders.isEmpty {
            request.headers = own
        } else {
            // What the user sets or removes is left alone.
            let given = Set(request.headers.map { $0.name.lowercased() } + request.removedHeaders)
            request.headers += own.filter { !given.contains($0.name.lowercased()) }
        }
        request.originOnlyHeaders += Self.originOnlyFields
        request.credentials = user
        request.offersEncodings = !saves
        request.allowsDowngrade = configuration.allowsDowngrade
        request.wantsFields = wants(.tasks) || responses != nil || settings.memoryFreshOnly
        request.trust = trust
        return request
    }

    /// Lower-cased.
    private static let originOnlyFields = ["authorization", "cookie", "host", "proxy-authorization"]

    // MARK: News

    func responded(_ transfer: TransferID) {
        // The news of a head may come when a change of the settings has looked at it already.
        guard let active = transfers[transfer], !active.hasHead, let arrived = active.body.head else { return }
        var head = arrived
        if let total = active.body.resumedTotal { head.expected = total }
        active.head = head
        if head.redirects > 0 { redirected.note(active.key.url, head, trust.book(of: active.task)) }
        if head.setsCookie {
            active.setsFirstCookie = !hasTakenCookies
            hasTakenCookies = true
        }
        invalidate(active)
        guard active.step == .receiving else { return }
        snapshots.isDirty = true
        if active.body.hasDroppedPart { forgetPart(active) }
        active.responseTime = configuration.wallClock()
        if active.isValidating, head.status == 304 {
            validated(active, head)
        } else {
            emit(.tasks) { .taskResponse(active.task, head, source: .network) }
        }
        if active.reported == nil {
            reportProgress(transfer, received: active.position(received: 0), expected: active.expected)
        }
    }

    func ended(_ ended: EndedTransfer) {
        counts.bytes += ended.received
        guard let active = transfers[ended.transfer] else { return }
        (active.end, active.networkEnded) = (ended, now)
        if !active.hasHead {
            // An answer that was refused by its head alone is an answer all the same.
            if active.body.head != nil { responded(ended.transfer) } else { invalidate(active, after: ended.hops) }
        }
        if active.step == .abandoned {
            retire(ended.transfer)
            return
        }
        if ended.hadExtraBytes {
            warn(.extraBytes, "the server sent more than it announced, which was dropped", task: active.task)
        }
        let expected = active.expected
        // What was refused came too, and may have been more than there was to come.
        let received = min(bodyLength(of: active, ended.transfer), expected ?? .max)
        reportProgress(ended.transfer, received: received, expected: expected)
        do throws(DownloadError) {
            if case .failure(let error) = ended.result, active.body.noFile != .left {
                // What the status says counts, however its page ends.
                throw active.body.isRefused && error.code != .cancelled ? active.body.refusal() : error
            }
            if active.isValidating, active.head?.status == 304 {
                revalidated(ended.transfer, active)
            } else {
                try finishBody(ended.transfer)
            }
        } catch {
            if let host = ended.unresolvedHost, settings.retries > 0 {
                lookUp(host, ended.transfer, error)
            } else {
                fail(ended.transfer, error)
            }
        }
    }

    /// Asks whether a host without an address is a passing failure, which libcurl does not tell.
    private func lookUp(_ host: String, _ transfer: TransferID, _ error: DownloadError) {
        transfers[transfer]?.step = .lookingUp
        let mayResolveLater = configuration.mayResolveLater
        lookups.add(transfer, error, for: host) { [self] in
            let isTemporary = mayResolveLater(host)
            post(.lookedUp(host: host, isTemporary: isTemporary))
        }
    }

    func lookedUp(_ host: String, isTemporary: Bool) {
        for (transfer, error) in lookups.take(host) where transfers[transfer]?.step == .lookingUp {
            fail(transfer, isTemporary ? DownloadError(error.code, error.message, isTemporary: true) : error)
        }
    }

    func fileNews(_ news: FileNews) {
        guard let (transfer, active) = transfers.first(where: { $0.value.body.file == news.file }) else {
            switch news {
            case .drained(let file), .written(let file): answerCanGoOn(file)
            case .failed(let file, let error): answerFailed(file, error)
            case .saved: break
            }
            return
        }
        switch news {
        case .drained:
            if active.end == nil {
                transport.resumeReading(transfer)
            } else if active.step == .receiving || active.step == .writing {
                attempt(transfer) { () throws(DownloadError) in try finishBody(transfer) }
            }
        case .written:
            guard active.step == .writing else { return }
            attempt(transfer) { () throws(DownloadError) in try checkSum(transfer) }
        case .saved(_, let saved):
            self.saved(transfer, active, saved)
        case .failed(_, let error):
            if active.step != .abandoned { fail(transfer, error) }
        }
    }

    /// Runs a step of a finished transfer; what it throws is the transfer's failure.
    func attempt(_ transfer: TransferID, _ step: () throws(DownloadError) -> Void) {
        do throws(DownloadError) { try step() } catch { fail(transfer, error) }
    }

    // MARK: The end

    /// Ends a task for all its receipts, in the order that events promise.
    func finish(_ transfer: TransferID, of task: DownloadTask, _ delivery: Delivery) {
        guard let active = transfers[transfer] else { return }
        var delivery = delivery
        let isSaved = delivery.end.outcome == .success && delivery.end.file != nil
        delivery.end.timings = active.timings(submitted: task.submitted, saves: isSaved, now: now)
        if active.head == nil { delivery.end.hops = active.end?.hops ?? [] }
        deliver(delivery)
        retire(transfer)
    }

    /// Reports a task's end, and each receipt's; the task is gone afterwards.
    func deliver(_ delivery: Delivery) {
        snapshots.isDirty = true
        let task = delivery.end.task
        keepEnd(of: task)
        emit(delivery.end.outcome == .failed ? [.outcomes, .failures] : .outcomes) { .taskFinished(delivery.end) }
        forget(task)
        guard let receipts = scheduler.end(task) else { return }
        if delivery.end.outcome == .success, receipts.first?.source.isBehind == true,
            receipts.allSatisfy(\.source.isBehind)
        {
            counts.succeededBehind += 1
        }
        for receipt in receipts { report(receipt, delivery) }
        // The ends of a task's receipts stand together.
        for receipt in receipts { countPrefetched(receipt, delivery) }
    }

    func deliver(_ receipt: Receipt, _ delivery: Delivery) {
        report(receipt, delivery)
        countPrefetched(receipt, delivery)
    }

    private func countPrefetched(_ receipt: Receipt, _ delivery: Delivery) {
        let wasCached = delivery.end.source == .disk && delivery.end.outcome == .success
        prefetched(receipt.source, receipt: receipt.id, wasCached: wasCached)
    }

    private func report(_ receipt: Receipt, _ delivery: Delivery) {
        let outcome = delivery.end.outcome
        keepEnd(of: receipt.id, delivery.end.task)
        if outcome != .success, !receipt.source.isBehind { counts.unmet += 1 }
        let file = delivery.file(for: receipt)
        emit(.outcomes) {
            var news = ReceiptEnd(
                receipt: receipt.id,
                task: delivery.end.task,
                url: delivery.end.url,
                outcome: outcome
            )
            (news.tag, news.error, news.file) = (receipt.tag, delivery.end.error, file)
            (news.origin, news.submitted) = (receipt.source, receipt.submitted)
            return .receiptFinished(news)
        }
        guard let handle = callers.handles.removeValue(forKey: receipt.id) else { return }
        let image = delivery.image(for: receipt)
        var news = RequestOutcome(outcome: outcome, image: image, file: file, error: delivery.end.error)
        news.status = delivery.end.status
        if outcome == .success { news.source = delivery.end.source }
        handle.finish(news)
    }

    /// Frees the place of a transfer in the indicator, and its slot once the transport has let go of it.
    ///
    /// One that still arrives is stopped here, whatever its task ended by; the news of its end lead here again.
    func retire(_ transfer: TransferID) {
        report(indicator.finished(transfer, now: now))
        guard let active = transfers[transfer] else { return }
        if active.end == nil {
            active.step = .abandoned
            stop(transfer, active)
            return
        }
        transfers[transfer] = nil
        scheduler.transferEnded(transfer)
        snapshots.isDirty = true
    }

    /// Ends a transfer before its time; does nothing to one that was stopped.
    ///
    /// The transport forgets it at once and tells of its end later; its bytes count all the while.
    func stop(_ transfer: TransferID, _ active: ActiveTransfer) {
        guard active.stoppedAt == nil else { return }
        active.stoppedAt = transport.progress(of: transfer).received
        transport.abort(transfer)
    }

    /// Drops a transfer whose task left it: aborted, or paused.
    func abandon(_ transfer: TransferID) {
        guard let active = transfers[transfer] else { return }
        dropAnswer(active.task)
        active.step = .abandoned
        keepPart(active)
        takeFromRate(active, transfer)
        retire(transfer)
    }

    /// Aborts the detached transfers whose body no cache will keep.
    func dropUselessTransfers() {
        guard mayHaveDetached else { return }
        let detached = scheduler.active.filter(\.isDetached)
        mayHaveDetached = !detached.isEmpty
        for task in detached {
            guard case .active(let transfer) = task.phase, let active = transfers[transfer] else { continue }
            let mayFill = active.body.mayFillCache(
                imageCapacity: settings.cacheCapacity,
                responseCapacity: settings.httpCapacity
            )
            if active.step == .receiving, !mayFill { drop(task) }
        }
    }
}
