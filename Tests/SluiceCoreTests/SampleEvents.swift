import SluiceCore

/// One event of every kind with all that it may hold, and one with as little as it can.
enum SampleEvents {
    static let kinds: [PipelineEvent.Kind] =
        [
            .sessionStarted(version: "0.1", pid: 7, settings: Settings()),
            .taskProgress(TaskID(1), received: 5, expected: nil),
            .taskProgress(TaskID(1), received: 5, expected: 9),
            .indicatorChanged(from: .active, to: .delayingEnd, tasks: 0),
            .settingChanged(name: "timeout", from: .seconds(60), to: .seconds(1.5)),
            .settingChanged(name: "suspended", from: .flag(false), to: .flag(true)),
            .settingChanged(name: "order", from: .word("fifo"), to: .word("lifo")),
            .prefetchProgress(BatchID(1), finished: 1, skipped: 2, total: 3, isEnd: true),
            .prefetchProgress(BatchID(1), finished: 1, skipped: 1, total: 3, isEnd: false),
            .warning(code: .extraBytes, message: "the server sent\u{1B}[2J more", task: TaskID(1)),
            .trustDecided(
                TrustDecision(host: "h", verdict: TrustVerdict(rule: .publicKey, isAccepted: true), isReused: true)
            ),
            .warning(code: .setting, message: "no", task: nil),
            .sessionEnded(SessionCounts()),
        ] + submissions + changes + answers + ends + cache

    static let error = DownloadError(
        .badStatus,
        "404 \u{1B}[31mNot Found",
        status: 404,
        body: "<html>\u{FFFD}\0</html>"
    )

    private static let refusal = DownloadError(
        .tooLarge,
        "too many pixels",
        limit: DownloadError.Limit(.maxPixels, needed: 132_000_000)
    )

    private static let submissions: [PipelineEvent.Kind] = {
        var cached = Submission(url: url, outcome: .cached, why: .inMemory(idle: .seconds(2), cost: 9), origin: .prompt)
        cached.source = .memory
        var queued = Submission(url: url, outcome: .queued, why: .queueSuspended, origin: .program)
        (queued.receipt, queued.task, queued.position, queued.tag) = (ReceiptID(1), TaskID(1), 3, "a\"tag\\")
        var rejected = Submission(url: "x\u{202E}y", outcome: .rejected, why: .rejected(error), origin: .paste)
        rejected.error = error
        return [.requestSubmitted(cached), .requestSubmitted(queued), .requestSubmitted(rejected)]
    }()

    private static let changes: [PipelineEvent.Kind] = {
        let phases: [TaskChange.Phase] = [.queued, .started, .resumed, .suspended, .waiting, .detached, .moved]
        return phases.map { phase in
            var change = TaskChange(phase: phase, task: TaskID(1), url: url, attempt: 1, active: 1, queued: 0)
            if phase == .queued || phase == .moved { change.position = 1 }
            if phase == .waiting {
                (change.until, change.delay) = (Timestamp(nanoseconds: 12_000_000_000), .milliseconds(1500))
                change.reason = .retryAfter(error, next: 2, of: 3, serverAsked: true)
            }
            return .taskChanged(change)
        }
    }()

    private static let answers: [PipelineEvent.Kind] = {
        var full = ResponseHead(status: 200, finalURL: url)
        (full.contentType, full.expected, full.remoteAddress) = ("Image/PNG; charset=x", 9, "127.0.0.1:80")
        full.fields = [HeaderField("Server", "n\u{7}ginx"), HeaderField("X-é", "日本")]
        (full.redirects, full.hops) = (
            12, [RedirectHop(status: 301, url: "http://h/\u{202E}b"), RedirectHop(status: 307, url: url)]
        )
        return [
            .taskResponse(TaskID(1), full, source: .network),
            .taskResponse(TaskID(1), ResponseHead(status: 204, finalURL: url), source: .disk),
        ]
    }()

    private static let ends: [PipelineEvent.Kind] = {
        var success = TaskEnd(task: TaskID(1), url: url, outcome: .success, receipts: 2)
        (success.status, success.bytes, success.file) = (200, 9, "/tmp/été.png")
        success.image = ImageInfo(format: .png, width: 1, height: 2)
        var timings = TransferTimings(total: .milliseconds(250))
        (timings.dns, timings.redirects) = (.microseconds(1), .milliseconds(20))
        var all = TaskEnd.Timings(queued: .seconds(1), transfer: timings)
        (all.decode, all.save) = (.milliseconds(31), .microseconds(800))
        success.timings = all
        var failed = TaskEnd(task: TaskID(1), url: url, outcome: .failed, receipts: 1)
        (failed.error, failed.hops) = (error, [RedirectHop(status: 302, url: url)])
        var receipt = ReceiptEnd(receipt: ReceiptID(1), task: TaskID(1), url: url, outcome: .success)
        (receipt.file, receipt.tag) = ("/tmp/x", "t")
        var lost = ReceiptEnd(receipt: ReceiptID(1), task: TaskID(1), url: url, outcome: .failed)
        lost.error = refusal
        var hit = success
        (hit.source, hit.isFileUnchanged) = (.disk, true)
        let cancelled = TaskEnd(task: TaskID(1), url: url, outcome: .cancelled, receipts: 0)
        return [
            .taskFinished(success), .taskFinished(hit), .taskFinished(failed), .taskFinished(cancelled),
            .receiptFinished(receipt), .receiptFinished(lost),
        ]
    }()

    private static let cache: [PipelineEvent.Kind] = {
        let now = Timestamp(nanoseconds: 0)
        var cache = PurgingCache<Int>(capacity: 10, preferred: 6)
        let (image, thumbnail) = (CacheKey(key: url), CacheKey(key: url, id: "thumb-1x1"))
        let added = cache.add(0, for: image, cost: 6, now: now).change
        let replaced = cache.add(0, for: image, cost: 5, now: now).change
        let refused = cache.add(0, for: thumbnail, cost: 11, now: now).change
        let purge = cache.add(0, for: thumbnail, cost: 6, now: now + .milliseconds(1500)).purge
        let removed = cache.remove(thumbnail)
        return [added, replaced, refused, removed].compactMap(\.self).map { .cacheChanged($0) }
            + [purge].compactMap(\.self).map { .cachePurged($0) }
    }()

    private static let url = "http://h/cat.png"
}
