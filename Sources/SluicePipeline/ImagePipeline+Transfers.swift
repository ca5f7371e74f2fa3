internal import SluiceCore

extension ImagePipeline {
    /// Gives every free slot to the task that is next.
    ///
    /// - Returns: Whether any started.
    func startTransfers() -> Bool {
        guard phase != .ending, phase != .ended else { return false }
        var didStart = false
        while let start = scheduler.startNext() {
            begin(start)
            didStart = true
        }
        return didStart
    }

    func begin(_ start: DownloadScheduler.Start) {
        guard let task = scheduler.task(start.task), let receipt = scheduler.firstReceipt(of: start.task) else {
            preconditionFailure("a task that starts has a receipt")
        }
        let receipts = task.receiptCount == 1 ? [receipt] : scheduler.receipts(of: start.task)
        let body = TransferBody(wishes(task, receipts), files: files)
        transfers[start.transfer] = ActiveTransfer(task: start.task, body: body, started: now)
        transport.start(start.transfer, transferRequest(task, receipt, saves: body.wishes.saves), into: body, now: now)
        let why = reasons.removeValue(forKey: start.task)
        changed(start.task, start.isResumption ? .resumed : .started, reason: why)
        reportProgress(start.transfer, received: 0, expected: nil)
        report(indicator.started(start.transfer, now: now))
    }

    private func wishes(_ task: DownloadTask, _ receipts: [Receipt]) -> TransferBody.Wishes {
        let saver = files == nil ? nil : receipts.first { $0.options.saves }
        let decodes: Bool =
            switch settings.decode {
            case .always: true
            case .never: false
            case .auto: configuration.isDashboard || saver == nil || settings.acceptOnly == .image
            }
        return TransferBody.Wishes(
            url: task.key.url,
            saves: saver != nil,
            name: saver?.options.destination,
            onExists: settings.onExists,
            replaces: saved[task.key],
            decodes: decodes,
            acceptsOnlyImages: settings.acceptOnly == .image,
            allowsPartial: receipts[0].options.isUnmergeable,
            maxFileSize: settings.maxFileSize,
            maxPixels: settings.maxPixels,
            memoryLimit: configuration.memoryBodyLimit
        )
    }

    private func transferRequest(_ task: DownloadTask, _ receipt: Receipt, saves: Bool) -> TransferRequest {
        var request = TransferRequest(url: task.key.url)
        let options = receipt.options
        request.headers = options.headers
        func add(_ name: String, _ value: String) {
            guard !options.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return }
            request.headers.append(HeaderField(name, value))
        }
        add("User-Agent", configuration.userAgent ?? "Sluice/\(configuration.version)")
        add("Accept", settings.acceptOnly == .image ? "image/avif,image/webp,image/*;q=0.8" : "*/*")
        let policy = options.policy ?? settings.policy
        if policy == .reload { add("Cache-Control", "no-cache") }
        if policy == .revalidate { add("Cache-Control", "max-age=0") }
        request.originOnlyHeaders = ["authorization", "cookie", "host"]
        request.credentials = credentials[task.id]
        request.offersEncodings = !saves
        request.allowsDowngrade = configuration.allowsDowngrade
        request.wantsFields = wants(.tasks)
        return request
    }

    // MARK: News

    func responded(_ transfer: TransferID, _ head: ResponseHead) {
        transfers[transfer]?.head = head
        guard let active = transfers[transfer], active.step == .receiving else { return }
        snapshots.isDirty = true
        emit(.tasks) { .taskResponse(active.task, head, source: .network) }
    }

    func ended(_ ended: EndedTransfer) {
        counts.bytes += ended.received
        guard let active = transfers[ended.transfer] else { return }
        transfers[ended.transfer]?.end = ended
        if active.step == .abandoned {
            retire(ended.transfer)
            return
        }
        // An answer that was refused by its head alone is an answer all the same.
        if active.head == nil, let head = active.body.head { responded(ended.transfer, head) }
        let expected = transfers[ended.transfer]?.head?.expected
        reportProgress(ended.transfer, received: ended.received, expected: expected)
        do throws(DownloadError) {
            try ended.result.get()
            try finishBody(ended.transfer)
        } catch {
            fail(ended.transfer, error)
        }
    }

    func fileNews(_ news: FileNews) {
        switch news {
        case .drained(let file):
            guard let (transfer, active) = transfers.first(where: { $0.value.body.file == file }) else { return }
            if active.end == nil {
                transport.resumeReading(transfer)
            } else if active.step == .receiving || active.step == .writing {
                attempt(transfer) { () throws(DownloadError) in try finishBody(transfer) }
            }
        case .written(let file):
            guard let (transfer, active) = transfers.first(where: { $0.value.body.file == file }) else { return }
            guard active.step == .writing else { return }
            attempt(transfer) { () throws(DownloadError) in try decodeOrSucceed(transfer) }
        case .failed(let file, let error):
            guard let (transfer, active) = transfers.first(where: { $0.value.body.file == file }) else { return }
            guard active.step != .abandoned else { return }
            fail(transfer, error)
            if active.end == nil { transport.abort(transfer) }
        }
    }

    /// Runs a step of a finished transfer; what it throws is the transfer's failure.
    private func attempt(_ transfer: TransferID, _ step: () throws(DownloadError) -> Void) {
        do throws(DownloadError) { try step() } catch { fail(transfer, error) }
    }

    // MARK: Success

    private func finishBody(_ transfer: TransferID) throws(DownloadError) {
        guard let active = transfers[transfer] else { return }
        guard try active.body.complete() else {
            transfers[transfer]?.step = .writing
            return
        }
        try decodeOrSucceed(transfer)
    }

    private func decodeOrSucceed(_ transfer: TransferID) throws(DownloadError) {
        guard let active = transfers[transfer], let task = scheduler.task(active.task) else { return }
        let body = active.body
        guard body.wishes.decodes, body.format?.isDecodable == true else {
            try succeed(transfer, image: nil)
            return
        }
        guard body.count <= Self.decodeLimit else {
            warn(
                "notDecoded",
                "an image file of \(body.count) bytes is too large to decode and stays a file",
                task: task.id
            )
            try succeed(transfer, image: nil)
            return
        }
        var descriptor: Int32 = -1
        if let file = body.file, let files { descriptor = try files.descriptor(of: file) }
        transfers[transfer]?.step = .decoding
        let job = DecodeJob(
            descriptor: descriptor,
            bytes: body.bytes,
            count: body.count,
            decoder: decoder,
            maxPixels: settings.maxPixels
        )
        pool.add(task.priority) { [self] in
            let result = job.run()
            post { $0.decoded.append((transfer, result)) }
        }
    }

    func decoded(_ transfer: TransferID, _ result: Result<DecodedImage, DownloadError>) {
        guard let active = transfers[transfer], active.step == .decoding else { return }
        attempt(transfer) { () throws(DownloadError) in
            switch result {
            case .success(let image): try succeed(transfer, image: image)
            case .failure(let error) where error.code == .unsupported: try succeed(transfer, image: nil)
            case .failure(let error): throw error
            }
        }
    }

    private func succeed(_ transfer: TransferID, image: DecodedImage?) throws(DownloadError) {
        guard let active = transfers[transfer], let task = scheduler.task(active.task) else { return }
        if active.mustFetchAgain, scheduler.receipts(of: task.id).contains(where: { $0.options.saves }) {
            let why = Why.note("a request that wants a file joined a transfer that kept none")
            reasons[task.id] = why
            scheduler.wait(task.id, until: now, delay: .zero, counts: false)
            changed(task.id, .waiting, reason: why, until: now, delay: .zero)
            retire(transfer)
            return
        }
        var file: SavedFile?
        if let part = active.body.file, let files {
            if task.isDetached {
                files.discard(part)
            } else {
                let published = try files.publish(part, as: .final, lastModified: active.head?.lastModified)
                saved[task.key] = published
                file = published
                counts.saved += 1
                counts.savedBytes += active.body.count
            }
        }
        if let warning = active.body.warning { warn("name", warning, task: task.id) }
        if let format = active.body.format, !format.isDecodable, active.body.wishes.decodes {
            warn("notDecoded", "\(format.rawValue) is kept as data, since it is not decoded", task: task.id)
        }
        if let image { store(image, key: task.key) }
        counts.succeeded += 1
        var end = TaskEnd(task: task.id, url: task.key.url, outcome: .success, receipts: Int(task.receiptCount))
        (end.status, end.bytes, end.file) = (active.head?.status, active.body.count, file?.path)
        end.image = image?.info ?? active.body.info
        finish(transfer, end, image: image)
    }

    private func store(_ image: DecodedImage, key: MergeKey) {
        let cacheKey = CacheKey(key: key.text)
        let addition = cache.add(image, for: cacheKey, cost: image.cost, now: now)
        report(addition.change)
        report(addition.purge)
    }

    // MARK: Failure

    private func fail(_ transfer: TransferID, _ error: DownloadError) {
        guard let active = transfers[transfer], let task = scheduler.task(active.task) else { return }
        let isBad = error.code == .badImage
        if let part = active.body.file, let files {
            if isBad, !task.isDetached {
                do throws(DownloadError) {
                    let kept = try files.publish(part, as: .bad, lastModified: nil)
                    warn("kept", "what arrived is kept as \(kept.path)", task: task.id)
                } catch {
                    warn("notKept", error.message, task: task.id)
                }
            } else if task.isDetached {
                files.discard(part)
            } else {
                files.keepPart(part)
            }
        }
        var error = error
        if !task.isDetached {
            switch retry(task, active, error) {
            case nil:
                retire(transfer)
                return
            case let final?:
                error = final
            }
        }
        if error.isPermanent, settings.failedFor > .zero {
            failed.insert(task.key, error, until: now + settings.failedFor)
        }
        if let receipt = scheduler.firstReceipt(of: task.id) {
            let request = DownloadRequest(
                task.key.url,
                options: receipt.options,
                source: receipt.source,
                tag: receipt.tag
            )
            failedRequests.add(request, credentials[task.id], task: task.id)
        }
        if error.code == .diskFull, configuration.isDashboard, !settings.suspended {
            // The rest would fail the same way; somebody is there who can make room.
            warn("diskFull", "the disk is full: the queue is suspended; make room, then go on with Z", task: task.id)
            change(SettingChange(name: "suspended", value: .flag(true)))
        }
        counts.failed += 1
        var end = TaskEnd(task: task.id, url: task.key.url, outcome: .failed, receipts: Int(task.receiptCount))
        (end.status, end.bytes, end.error) = (error.status ?? active.head?.status, active.body.count, error)
        finish(transfer, end, image: nil)
        if active.end == nil { transport.abort(transfer) }
    }

    /// Makes the task wait for another attempt, if one may help.
    ///
    /// - Returns: The final failure, or `nil` if it waits.
    private func retry(_ task: DownloadTask, _ active: ActiveTransfer, _ error: DownloadError) -> DownloadError? {
        guard settings.retries > 0 else { return error }
        // What an earlier attempt had already is no progress, nor is the body of a refusal.
        let received = active.body.isRefused ? 0 : active.end?.received ?? 0
        let news = received - bestReceived[task.id, default: 0]
        bestReceived[task.id] = max(received, bestReceived[task.id, default: 0])
        let policy = RetryPolicy(retries: settings.retries, maxRetryAfter: settings.maxRetryAfter)
        let decision = policy.decide(
            error,
            failedAttempts: Int(task.failedAttempts),
            received: max(0, news),
            expected: active.head?.expected,
            random: configuration.random()
        )
        let (delay, serverAsked, counts): (Duration, Bool, Bool)
        switch decision {
        case .giveUp(let final): return final
        case .wait(let time, let isServers, let isCounted): (delay, serverAsked, counts) = (time, isServers, isCounted)
        }
        let until = now + delay
        scheduler.wait(task.id, until: until, delay: delay, counts: counts)
        let next = Int(task.failedAttempts) + (counts ? 2 : 1)
        let why = Why.retryAfter(error, next: next, of: settings.retries + 1, serverAsked: serverAsked)
        reasons[task.id] = why
        changed(task.id, .waiting, reason: why, until: until, delay: delay)
        return nil
    }

    // MARK: The end

    /// Ends a task for all its receipts, in the order that events promise.
    private func finish(_ transfer: TransferID, _ end: TaskEnd, image: DecodedImage?) {
        guard let active = transfers[transfer], let task = scheduler.task(active.task) else { return }
        var end = end
        if let timings = active.end?.timings {
            end.timings = TaskEnd.Timings(queued: active.started - task.submitted, transfer: timings)
        }
        deliver(end, image: image)
        retire(transfer)
    }

    /// Reports a task's end, and each receipt's; the task is gone afterwards.
    func deliver(_ end: TaskEnd, image: DecodedImage?) {
        snapshots.isDirty = true
        emit(end.outcome == .failed ? [.outcomes, .failures] : .outcomes) { .taskFinished(end) }
        forget(end.task)
        guard let (_, receipts) = scheduler.end(end.task) else { return }
        for receipt in receipts { deliver(receipt, end, image: image) }
    }

    func deliver(_ receipt: Receipt, _ end: TaskEnd, image: DecodedImage?) {
        emit(.outcomes) {
            var news = ReceiptEnd(receipt: receipt.id, task: end.task, url: end.url, outcome: end.outcome)
            (news.tag, news.error) = (receipt.tag, end.error)
            if receipt.options.saves { news.file = end.file }
            return .receiptFinished(news)
        }
        let completion = completions.removeValue(forKey: receipt.id)
        let file = receipt.options.saves ? end.file : nil
        completion?(RequestOutcome(outcome: end.outcome, image: image, file: file, error: end.error))
        prefetched(receipt.source, receipt: receipt.id, wasCached: false)
    }

    /// Frees the slot of a transfer that the transport has let go, and its place in the indicator.
    private func retire(_ transfer: TransferID) {
        report(indicator.finished(transfer, now: now))
        guard transfers[transfer]?.end != nil else {
            transfers[transfer]?.step = .abandoned
            return
        }
        transfers[transfer] = nil
        scheduler.transferEnded(transfer)
        snapshots.isDirty = true
    }

    /// Drops a transfer whose task left it: aborted, or paused.
    func abandon(_ transfer: TransferID) {
        guard let active = transfers[transfer] else { return }
        transfers[transfer]?.step = .abandoned
        if let part = active.body.file { files?.keepPart(part) }
        report(indicator.finished(transfer, now: now))
        if active.end == nil {
            transport.abort(transfer)
        } else {
            retire(transfer)
        }
    }

    /// Aborts the detached transfers whose body no cache will keep.
    func dropUselessTransfers() {
        for task in scheduler.active where task.isDetached {
            guard case .active(let transfer) = task.phase, let active = transfers[transfer] else { continue }
            if active.step == .receiving, !active.body.mayFillCache { drop(task) }
        }
    }

    /// Files larger than this are not decoded, in bytes.
    static let decodeLimit = 268_435_456
}
