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
        guard let (task, receipt) = inScheduler({ $0.taskAndFirstReceipt(start.task) }) else {
            preconditionFailure("a task that starts has a receipt")
        }
        let receipts = task.receiptCount == 1 ? [receipt] : scheduler.receipts(of: start.task)
        var wishes = wishes(task, receipts)
        var request = transferRequest(task, receipt, saves: wishes.saves)
        wishes.cacheRequest = cacheRequest(task, receipt, request)
        let resumption = resumption(of: task, wishes)
        let question = resumption == nil ? question(task, receipt, wishes.cacheRequest) : Question()
        wishes.isConditional = question.validating != nil
        let body = TransferBody(wishes, files: files, resuming: resumption)
        let active = ActiveTransfer(task: start.task, key: task.key, body: body, started: now)
        (active.cacheRequest, active.validating) = (wishes.cacheRequest, question.validating)
        (active.fallback, active.requestTime) = (question.fallback, configuration.wallClock())
        if resumption != nil { active.continued = parts[task.key.text]?.location }
        transfers[start.transfer] = active
        request.headers += resumption?.plan.headers ?? question.conditions
        transport.start(start.transfer, request, into: body, now: now)
        if let rate = rates[start.task] { transport.setRate(rate, of: start.transfer) }
        let why = reasons.removeValue(forKey: start.task)
        changed(start.task, start.isResumption ? .resumed : .started, reason: why)
        // Where it starts is known only when the server has said whether it continues.
        if resumption == nil { reportProgress(start.transfer, received: 0, expected: nil) }
        // What is on this machine is no activity of the network.
        if RequestURL.isNetwork(task.key.url) { report(indicator.started(start.transfer, now: now)) }
    }

    func wishes(_ task: DownloadTask, _ receipts: [Receipt]) -> TransferBody.Wishes {
        let saver = files == nil ? nil : receipts.first { $0.options.saves }
        let isDecoded: Bool =
            switch settings.decode {
            case .always: true
            case .never: false
            case .auto: configuration.isDashboard || saver == nil || settings.acceptOnly == .image
            }
        let decodes = isDecoded || receipts.contains { $0.options.thumbnail != nil }
        return TransferBody.Wishes(
            url: task.key.url,
            saves: saver != nil,
            name: saver?.options.destination,
            onExists: settings.onExists,
            replaces: knownFile(for: task.key),
            decodes: decodes,
            acceptsOnlyImages: settings.acceptOnly == .image,
            allowsPartial: receipts[0].options.asksForPart,
            isHead: receipts[0].options.method == "HEAD",
            sha256: receipts[0].options.sha256,
            mayCache: receipts[0].options.method == "GET" && receipts[0].options.body == nil,
            mayRepeat: receipts[0].options.method == "GET" || receipts[0].options.method == "HEAD",
            maxFileSize: settings.maxFileSize,
            maxPixels: settings.maxPixels,
            memoryLimit: configuration.memoryBodyLimit,
            storeLimit: configuration.storeBodyLimit,
            keepsFiles: files?.canReadBack ?? true
        )
    }

    private func transferRequest(_ task: DownloadTask, _ receipt: Receipt, saves: Bool) -> TransferRequest {
        var request = transferRequest(task.key, credentials[task.id], receipt.options, saves: saves)
        if let url = fetchURLs[task.id] { request.url = url }
        request.trust = trust.book(of: task.id)
        return request
    }

    func transferRequest(
        _ key: MergeKey,
        _ user: Credentials?,
        _ options: RequestOptions,
        saves: Bool
    ) -> TransferRequest {
        var request = TransferRequest(url: key.url)
        (request.method, request.body) = (options.method, options.body)
        request.headers = options.headers
        // A key's URL is normal, so it is one.
        if !configuration.hostRules.isEmpty, let url = try? RequestURL(key.url) {
            let fields = fields(of: options, url)
            (request.headers, request.removedHeaders) = (fields.headers, fields.removed)
        }
        let own = ownFields(options.policy ?? settings.policy)
        if request.headers.isEmpty, request.removedHeaders.isEmpty {
            request.headers = own
        } else {
            // What the user sets or removes is left alone.
            let given = Set(request.headers.map { $0.name.lowercased() } + request.removedHeaders)
            request.headers += own.filter { !given.contains($0.name.lowercased()) }
        }
        request.originOnlyHeaders = Self.originOnlyFields
        request.credentials = user
        request.offersEncodings = !saves
        request.allowsDowngrade = configuration.allowsDowngrade
        request.wantsFields = wants(.tasks) || responses != nil
        request.trust = trust.book
        return request
    }

    /// Lower-cased.
    private static let originOnlyFields = ["authorization", "cookie", "host", "proxy-authorization"]

    /// What is said of every request, if the user says nothing else.
    private func ownFields(_ policy: CachePolicy) -> [HeaderField] {
        let types = settings.acceptOnly == .image ? "image/avif,image/webp,image/*;q=0.8" : "*/*"
        let usual = [HeaderField("User-Agent", userAgent), HeaderField("Accept", types)]
        switch policy {
        case .reload: return usual + [HeaderField("Cache-Control", "no-cache")]
        case .revalidate: return usual + [HeaderField("Cache-Control", "max-age=0")]
        default: return usual
        }
    }

    // MARK: News

    func responded(_ transfer: TransferID, _ head: ResponseHead) {
        guard let active = transfers[transfer] else { return }
        if let total = active.body.resumedTotal, head.expected != total {
            var whole = head
            whole.expected = total
            responded(transfer, whole)
            return
        }
        active.head = head
        guard active.step == .receiving else { return }
        snapshots.isDirty = true
        if active.body.hasDroppedPart { forgetPart(active) }
        if head.setsCookie { hasTakenCookies = true }
        active.responseTime = configuration.wallClock()
        if active.validating != nil, head.status == 304 {
            validated(active, head)
        } else {
            emit(.tasks) { .taskResponse(active.task, head, source: .network) }
        }
        if active.reported == nil {
            reportProgress(transfer, received: active.position(received: 0), expected: head.expected)
        }
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
        if ended.hadExtraBytes {
            warn("extraBytes", "the server sent more than it announced, which was dropped", task: active.task)
        }
        let expected = transfers[ended.transfer]?.head?.expected
        reportProgress(ended.transfer, received: active.position(received: ended.received), expected: expected)
        do throws(DownloadError) {
            try ended.result.get()
            if active.validating != nil, active.head?.status == 304 {
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
        pool.add(.normal) { [self] in
            let isTemporary = mayResolveLater(host)
            let error = isTemporary ? DownloadError(error.code, error.message, isTemporary: true) : error
            post { $0.lookedUp.append((transfer, error)) }
        }
    }

    func lookedUp(_ transfer: TransferID, _ error: DownloadError) {
        guard let active = transfers[transfer], active.step == .lookingUp else { return }
        fail(transfer, error)
    }

    func fileNews(_ news: FileNews) {
        switch news {
        case .drained(let file):
            guard let (transfer, active) = transfers.first(where: { $0.value.body.file == file }) else {
                answerCanGoOn(file)
                return
            }
            if active.end == nil {
                transport.resumeReading(transfer)
            } else if active.step == .receiving || active.step == .writing {
                attempt(transfer) { () throws(DownloadError) in try finishBody(transfer) }
            }
        case .written(let file):
            guard let (transfer, active) = transfers.first(where: { $0.value.body.file == file }) else {
                answerCanGoOn(file)
                return
            }
            guard active.step == .writing else { return }
            attempt(transfer) { () throws(DownloadError) in try checkSum(transfer) }
        case .saved(let file, let saved):
            guard let (transfer, active) = transfers.first(where: { $0.value.body.file == file }) else { return }
            self.saved(transfer, active, saved)
        case .failed(let file, let error):
            guard let (transfer, active) = transfers.first(where: { $0.value.body.file == file }) else {
                answerFailed(file, error)
                return
            }
            guard active.step != .abandoned else { return }
            fail(transfer, error)
            if active.end == nil { transport.abort(transfer) }
        }
    }

    /// Runs a step of a finished transfer; what it throws is the transfer's failure.
    func attempt(_ transfer: TransferID, _ step: () throws(DownloadError) -> Void) {
        do throws(DownloadError) { try step() } catch { fail(transfer, error) }
    }

    // MARK: Success

    private func finishBody(_ transfer: TransferID) throws(DownloadError) {
        dropSketch(of: transfer)
        guard let active = transfers[transfer] else { return }
        guard try active.body.complete() else {
            transfers[transfer]?.step = .writing
            return
        }
        try checkSum(transfer)
    }

    /// Compares the body with the sum that the user expects, off the loop where it is a file.
    private func checkSum(_ transfer: TransferID) throws(DownloadError) {
        guard let active = transfers[transfer], let wanted = active.body.wishes.sha256 else {
            try decodeOrSucceed(transfer)
            return
        }
        if let sum = active.body.sha256 {
            try judge(sum, wanted)
            try decodeOrSucceed(transfer)
            return
        }
        guard let file = active.body.file, let files, let task = scheduler.task(active.task) else { return }
        let job = ChecksumJob(descriptor: try files.descriptor(of: file))
        active.step = .decoding
        pool.add(task.priority) { [self] in
            let result = job.run()
            post { $0.summed.append((transfer, result)) }
        }
    }

    private func judge(_ sum: String, _ wanted: String) throws(DownloadError) {
        guard sum != wanted else { return }
        throw DownloadError(
            .badChecksum,
            "the body has the SHA-256 \(sum), not \(wanted) as asked; ask whoever published the sum"
        )
    }

    func summed(_ transfer: TransferID, _ result: Result<String, DownloadError>) {
        guard let active = transfers[transfer], active.step == .decoding, let wanted = active.body.wishes.sha256 else {
            return
        }
        attempt(transfer) { () throws(DownloadError) in
            try judge(try result.get(), wanted)
            try decodeOrSucceed(transfer)
        }
    }

    private func decodeOrSucceed(_ transfer: TransferID) throws(DownloadError) {
        guard let active = transfers[transfer] else { return }
        let body = active.body
        guard body.wishes.decodes, body.format?.isDecodable == true, let task = scheduler.task(active.task) else {
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
            case .success(let image): try scaleOrSucceed(transfer, image)
            case .failure(let error) where error.code == .unsupported: try succeed(transfer, image: nil)
            case .failure(let error): throw error
            }
        }
    }

    func succeed(_ transfer: TransferID, image: DecodedImage?) throws(DownloadError) {
        guard let active = transfers[transfer], let task = inScheduler({ $0.task(active.task) }) else { return }
        if fetchesAgain(transfer, active, task) || announcesWhole(transfer, active, task, image) { return }
        guard let part = active.body.file, let files else {
            conclude(transfer, active, task, .bytes(active.body.bytes), image)
            return
        }
        if task.isDetached {
            let stored = storableBody(of: part, active)
            files.discard(part)
            conclude(transfer, active, task, stored, image)
        } else if image == nil, files.save(part, lastModified: active.head?.lastModified) {
            active.step = .saving
        } else {
            let published = try files.publish(part, as: .final, lastModified: active.head?.lastModified)
            conclude(transfer, active, task, .file(published), image)
        }
    }

    /// Takes what the writer thread made of a small body.
    private func saved(_ transfer: TransferID, _ active: ActiveTransfer, _ file: SavedFile) {
        guard active.step == .saving, let task = inScheduler({ $0.task(active.task) }) else { return }
        if active.mustFetchAgain { know(file, for: task.key) }
        if fetchesAgain(transfer, active, task) { return }
        conclude(transfer, active, task, .file(file), nil)
    }

    /// Runs a task once more, for a request that joined too late to get what it wants.
    private func fetchesAgain(_ transfer: TransferID, _ active: ActiveTransfer, _ task: DownloadTask) -> Bool {
        guard active.mustFetchAgain,
            scheduler.receipts(of: task.id).contains(where: { $0.options.saves || $0.options.thumbnail != nil })
        else { return false }
        let why = Why.note("a request that wants the bytes joined a transfer that kept none")
        reasons[task.id] = why
        scheduler.wait(task.id, until: now, delay: .zero, counts: false)
        changed(task.id, .waiting, reason: why, until: now, delay: .zero)
        retire(transfer)
        return true
    }

    /// Ends a task whose body is where it belongs.
    private func conclude(
        _ transfer: TransferID,
        _ active: ActiveTransfer,
        _ task: DownloadTask,
        _ body: ResponseBody,
        _ image: DecodedImage?
    ) {
        var file: SavedFile?
        if case .file(let published) = body {
            forgetPart(active)
            know(published, for: task.key)
            copy(published, named: active.body.wishes.name, for: task.id)
            file = published
            counts.saved += 1
            counts.savedBytes += active.body.count
        }
        if let warning = active.body.warning { warn("name", warning, task: task.id) }
        if let format = active.body.format, !format.isDecodable, active.body.wishes.decodes {
            warn("notDecoded", "\(format.rawValue) is kept as data, since it is not decoded", task: task.id)
        }
        if let image, active.body.wishes.mayCache { store(image, active.thumbnails, of: task) }
        keepResponse(active, task, body: body)
        counts.succeeded += 1
        var end = TaskEnd(task: task.id, url: task.key.url, outcome: .success, receipts: Int(task.receiptCount))
        (end.status, end.bytes, end.file) = (active.head?.status, active.body.count, file?.path)
        end.image = image?.info ?? active.body.info
        ownImages = active.thumbnails
        finish(transfer, of: task, end, image: image)
        ownImages = [:]
    }

    // MARK: Failure

    private func fail(_ transfer: TransferID, _ error: DownloadError) {
        guard let active = transfers[transfer], let task = scheduler.task(active.task) else { return }
        if let reason = active.body.mustAskAgain, !task.isDetached {
            askAgain(task, active, reason)
            retire(transfer)
            return
        }
        if answersDespite(error, transfer, active) { return }
        if error.code == .badStatus, case .skip(let why)? = active.body.storing { skipped(active, why) }
        let isBad = error.code == .badImage || error.code == .badChecksum
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
                keepPart(active)
            }
        }
        if error.code == .diskFull, configuration.isDashboard, !task.isDetached {
            // The rest would fail the same way; somebody is there who can make room.
            waitForRoom(task, active, error)
            retire(transfer)
            return
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
            remember(failure: error, of: task.key)
        }
        let receipts = scheduler.receipts(of: task.id)
        let isBehindAnswer = !receipts.isEmpty && receipts.allSatisfy { $0.source == .revalidation }
        if let receipt = receipts.first, !isBehindAnswer {
            let request = DownloadRequest(
                fetchURLs[task.id] ?? task.key.url,
                options: receipt.options,
                source: receipt.source,
                tag: receipt.tag
            )
            failedRequests.add(request, credentials[task.id], task: task.id)
        }
        if isBehindAnswer {
            warn("refresh", "the answer stands, but the origin could not be asked: \(error.message)", task: task.id)
        } else {
            counts.failed += 1
        }
        var end = TaskEnd(task: task.id, url: task.key.url, outcome: .failed, receipts: Int(task.receiptCount))
        (end.status, end.bytes, end.error) = (error.status ?? active.head?.status, active.body.count, error)
        end.isBehindAnswer = isBehindAnswer
        finish(transfer, of: task, end, image: nil)
        if active.end == nil { transport.abort(transfer) }
    }

    /// Makes the task wait for another attempt, if one may help.
    ///
    /// - Returns: The final failure, or `nil` if it waits.
    private func retry(_ task: DownloadTask, _ active: ActiveTransfer, _ error: DownloadError) -> DownloadError? {
        // What was asked to be done must not be done twice.
        guard settings.retries > 0, active.body.wishes.mayRepeat else { return error }
        // What an earlier attempt had already is no progress, nor is the body of a refusal.
        let received = active.body.isRefused ? 0 : active.position(received: active.end?.received ?? 0)
        let known = max(bestReceived[task.id, default: 0], active.body.offset)
        let news = received - known
        bestReceived[task.id] = max(received, known)
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
    func finish(_ transfer: TransferID, of task: DownloadTask, _ end: TaskEnd, image: DecodedImage?) {
        guard let active = transfers[transfer] else { return }
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
        keepEnd(of: end.task)
        emit(end.outcome == .failed ? [.outcomes, .failures] : .outcomes) { .taskFinished(end) }
        forget(end.task)
        guard let (_, receipts) = scheduler.end(end.task) else { return }
        for receipt in receipts { deliver(receipt, end, image: image) }
    }

    func deliver(_ receipt: Receipt, _ end: TaskEnd, image: DecodedImage?) {
        keepEnd(of: receipt.id, end.task)
        let file = receipt.options.saves ? ownFiles.removeValue(forKey: receipt.id) ?? end.file : nil
        emit(.outcomes) {
            var news = ReceiptEnd(receipt: receipt.id, task: end.task, url: end.url, outcome: end.outcome)
            (news.tag, news.error, news.file) = (receipt.tag, end.error, file)
            (news.origin, news.submitted) = (receipt.source, receipt.submitted)
            return .receiptFinished(news)
        }
        let completion = completions.removeValue(forKey: receipt.id)
        let image = receipt.options.thumbnail.flatMap { ownImages[$0] } ?? image
        completion?(RequestOutcome(outcome: end.outcome, image: image, file: file, error: end.error))
        let wasCached = end.source == .disk && end.outcome == .success
        prefetched(receipt.source, receipt: receipt.id, wasCached: wasCached)
    }

    /// Frees the slot of a transfer that the transport has let go, and its place in the indicator.
    func retire(_ transfer: TransferID) {
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
        dropAnswer(active.task)
        transfers[transfer]?.step = .abandoned
        keepPart(active)
        report(indicator.finished(transfer, now: now))
        if active.end == nil {
            transport.abort(transfer)
        } else {
            retire(transfer)
        }
    }

    /// Aborts the detached transfers whose body no cache will keep.
    func dropUselessTransfers() {
        guard mayHaveDetached else { return }
        let detached = scheduler.active.filter(\.isDetached)
        mayHaveDetached = !detached.isEmpty
        for task in detached {
            guard case .active(let transfer) = task.phase, let active = transfers[transfer] else { continue }
            if active.step == .receiving, !active.body.mayFillCache { drop(task) }
        }
    }

    /// Files larger than this are not decoded, in bytes.
    static let decodeLimit = 268_435_456
}
