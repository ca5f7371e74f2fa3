/// Writes events as JSON, one object a line, under the field names that programs rely on.
///
/// Fields are added over time, never changed. A value without state: one may serve
/// several streams and threads.
public struct EventEncoder: Sendable {
    let start: SessionStart
    let sentence: @Sendable (Why, Timestamp) -> String

    /// - Parameters:
    ///   - start: What events count from.
    ///   - sentence: Puts a reason into words, as seen at a time.
    public init(
        start: SessionStart,
        sentence: @escaping @Sendable (Why, Timestamp) -> String = { $0.sentence(now: $1) }
    ) {
        (self.start, self.sentence) = (start, sentence)
    }

    /// Appends one line, its line break included.
    public func append(_ event: PipelineEvent, to bytes: inout [UInt8]) {
        var json = JSONWriter(appendingTo: &bytes)
        json.beginObject()
        json.field("seq", event.seq)
        json.field("t", event.t)
        json.key("time")
        json.time(start.nanosecondsSince1970(after: event.t))
        json.field("event", word: event.kind.name)
        appendFields(of: event.kind, now: start.time + event.t, to: &json)
        json.endObject()
        json.endLine()
        json.finish(into: &bytes)
    }

    private func appendFields(of kind: PipelineEvent.Kind, now: Timestamp, to json: inout JSONWriter) {
        switch kind {
        case .sessionStarted(let version, let pid, let settings):
            json.field("version", version)
            json.field("pid", pid)
            append(settings, to: &json)
        case .requestSubmitted(let submission): append(submission, now: now, to: &json)
        case .taskChanged(let change): append(change, now: now, to: &json)
        case .taskResponse(let task, let head, let source): append(task, head, source, to: &json)
        case .taskProgress(let task, let received, let expected):
            json.field("task", task.rawValue)
            json.field("received", received)
            json.fieldOrNull("expected", expected)
        case .taskFinished(let end): append(end, to: &json)
        case .receiptFinished(let end): append(end, to: &json)
        case .cacheChanged(let change): append(change, now: now, to: &json)
        case .cachePurged(let purge): append(purge, to: &json)
        case .httpCacheChanged(let change): append(change, to: &json)
        case .indicatorChanged(let from, let to, let tasks):
            json.field("from", word: from.rawValue)
            json.field("to", word: to.rawValue)
            json.field("visible", to.isVisible)
            json.field("tasks", tasks)
        case .settingChanged(let name, let from, let to):
            json.field("name", name)
            append("from", from, to: &json)
            append("to", to, to: &json)
        case .prefetchProgress(let batch, let finished, let skipped, let total, _):
            json.field("batch", batch.rawValue)
            json.field("finished", finished)
            json.field("skipped", skipped)
            json.field("total", total)
        case .trustDecided(let decision):
            json.field("host", decision.host)
            json.field("rule", decision.verdict.rule.rawValue)
            json.key("accepted")
            json.flag(decision.verdict.isAccepted)
            json.key("reused")
            json.flag(decision.isReused)
            if !decision.verdict.reason.isEmpty { json.field("reason", decision.verdict.reason) }
        case .warning(let code, let message, let task):
            json.field("code", word: code.rawValue)
            json.field("message", message)
            if let task { json.field("task", task.rawValue) }
        case .sessionEnded(let counts): append(counts, to: &json)
        }
    }

    // MARK: - Session

    func append(_ settings: Settings, to json: inout JSONWriter) {
        json.key("settings")
        json.beginObject()
        for (name, value) in settings.all { append(name, value, to: &json) }
        json.endObject()
    }

    func append(_ name: String, _ value: SettingValue, to json: inout JSONWriter) {
        json.key(name)
        switch value {
        case .integer(let number): json.integer(number)
        case .seconds: json.number(value.text)
        case .flag(let flag): json.flag(flag)
        case .word(let word): json.string(word)
        case .list(["*"]): json.string("*")
        case .list(let names):
            json.beginArray()
            for name in names { json.string(name) }
            json.endArray()
        }
    }

    func append(_ counts: SessionCounts, to json: inout JSONWriter) {
        json.field("requests", counts.requests)
        json.field("tasks", counts.tasks)
        json.field("succeeded", counts.succeeded)
        json.field("failed", counts.failed)
        json.field("cancelled", counts.cancelled)
        json.field("cached", counts.cached)
        json.field("rejected", counts.rejected)
        json.field("joined", counts.joined)
        json.field("bytes", counts.bytes)
        json.field("left", counts.left)
    }

    // MARK: - Requests and tasks

    private func append(_ submission: Submission, now: Timestamp, to json: inout JSONWriter) {
        json.field("url", submission.url)
        appendAnswer(submission, now: now, to: &json)
        if let origin = submission.origin.recorded { json.field("origin", origin) }
    }

    /// What became of a request, without what it was.
    func appendAnswer(_ submission: Submission, now: Timestamp, isResult: Bool = false, to json: inout JSONWriter) {
        json.field("outcome", word: submission.outcome.rawValue)
        if let source = submission.source { json.field("source", word: source.rawValue) }
        if let receipt = submission.receipt { json.field("receipt", receipt.rawValue) }
        if let task = submission.task { json.field("task", task.rawValue) }
        if let position = submission.position { json.field("position", position) }
        if let tag = submission.tag, !isResult { json.field("tag", tag) }
        append(submission.error, to: &json)
        json.field("why", sentence(submission.why, now))
    }

    private func append(_ change: TaskChange, now: Timestamp, to json: inout JSONWriter) {
        json.field("task", change.task.rawValue)
        json.field("url", change.url)
        json.field("attempt", change.attempt)
        json.field("active", change.active)
        json.field("queued", change.queued)
        if let position = change.position { json.field("position", position) }
        if let until = change.until {
            json.key("until")
            json.time(start.nanosecondsSince1970(at: until))
        }
        if let delay = change.delay { json.field("delay", delay) }
        if let reason = change.reason { json.field("reason", sentence(reason, now)) }
        if case .retryAfter(let error, _, _, _)? = change.reason { append(error, to: &json) }
    }

    private func append(_ task: TaskID, _ head: ResponseHead, _ source: AnswerSource, to json: inout JSONWriter) {
        json.field("task", task.rawValue)
        json.field("status", head.status)
        json.key("mime")
        if let type = head.mediaType { json.string(type) } else { json.null() }
        json.fieldOrNull("expected", head.expected)
        json.key("headers")
        json.beginArray()
        for field in head.fields {
            json.beginArray()
            json.string(field.name)
            json.string(field.shownValue)
            json.endArray()
        }
        json.endArray()
        json.field("remoteAddress", head.remoteAddress)
        json.field("httpVersion", head.httpVersion)
        json.field("reused", head.reused)
        json.field("redirects", head.redirects)
        json.field("finalURL", head.finalURL)
        append(head.hops, to: &json)
        json.field("source", word: source.rawValue)
    }

    private func append(_ end: TaskEnd, to json: inout JSONWriter) {
        json.field("task", end.task.rawValue)
        json.field("url", end.url)
        appendOutcome(end, to: &json)
    }

    func appendOutcome(_ end: TaskEnd, receipts: String = "receipts", to json: inout JSONWriter) {
        json.field("outcome", word: end.outcome.rawValue)
        json.fieldOrNull("status", end.status)
        json.field("bytes", end.bytes)
        json.field("source", word: end.source.rawValue)
        json.field(receipts, end.receipts)
        if let file = end.file { json.field("file", file) }
        if end.isFileUnchanged { json.field("unchanged", true) }
        if let image = end.image {
            json.key("image")
            json.beginObject()
            json.field("format", word: image.format.rawValue)
            json.field("width", image.width)
            json.field("height", image.height)
            json.field("frames", image.frames)
            json.endObject()
        }
        append(end.error, to: &json)
        append(end.timings, to: &json)
        append(end.hops, to: &json)
    }

    /// Redirects, where there were any.
    private func append(_ hops: [RedirectHop], to json: inout JSONWriter) {
        guard !hops.isEmpty else { return }
        json.key("hops")
        json.beginArray()
        for hop in hops {
            json.beginObject()
            json.field("status", hop.status)
            json.field("url", hop.url)
            json.endObject()
        }
        json.endArray()
    }

    private func append(_ timings: TaskEnd.Timings?, to json: inout JSONWriter) {
        json.key("timings")
        guard let timings else {
            json.null()
            return
        }
        json.beginObject()
        json.field("queued", timings.queued)
        json.fieldOrNull("dns", timings.transfer.dns)
        json.fieldOrNull("connect", timings.transfer.connect)
        json.fieldOrNull("tls", timings.transfer.tls)
        json.fieldOrNull("firstByte", timings.transfer.firstByte)
        json.fieldOrNull("total", timings.transfer.total)
        if let redirects = timings.transfer.redirects { json.field("redirects", redirects) }
        if let decode = timings.decode { json.field("decode", decode) }
        if let save = timings.save { json.field("save", save) }
        json.endObject()
    }

    private func append(_ end: ReceiptEnd, to json: inout JSONWriter) {
        json.field("receipt", end.receipt.rawValue)
        json.field("task", end.task.rawValue)
        json.field("url", end.url)
        json.field("outcome", word: end.outcome.rawValue)
        if let tag = end.tag { json.field("tag", tag) }
        if let file = end.file { json.field("file", file) }
        append(end.error, to: &json)
    }

    func append(_ error: DownloadError?, to json: inout JSONWriter) {
        guard let error else { return }
        json.key("error")
        json.beginObject()
        json.field("code", word: error.code.rawValue)
        json.field("message", error.message)
        if let status = error.status { json.field("status", status) }
        if let body = error.body { json.field("body", body) }
        append(error.limit, to: &json)
        json.endObject()
    }

    private func append(_ limit: DownloadError.Limit?, to json: inout JSONWriter) {
        guard let limit else { return }
        json.key("limit")
        json.beginObject()
        json.field("setting", word: limit.setting.rawValue)
        if let needed = limit.needed { json.field("needed", needed) }
        json.endObject()
    }

    // MARK: - Memory cache

    func append(_ key: CacheKey, to json: inout JSONWriter) {
        json.field("key", key.key)
        if !key.id.isEmpty { json.field("id", key.id) }
    }

    private func append(_ change: CacheChange, now: Timestamp, to json: inout JSONWriter) {
        append(change.key, to: &json)
        json.field("cost", change.cost)
        json.field("usage", change.usage)
        json.field("capacity", change.capacity)
        json.field("count", change.count)
        json.field("why", sentence(change.why, now))
    }

    private func append(_ purge: CachePurge, to json: inout JSONWriter) {
        json.field("trigger", word: purge.trigger.rawValue)
        json.field("before", purge.before)
        json.field("needed", purge.needed)
        json.field("freed", purge.freed)
        json.field("after", purge.after)
        json.field("preferred", purge.preferred)
        json.key("victims")
        json.beginArray()
        for victim in purge.victims {
            json.beginObject()
            append(victim.key, to: &json)
            json.field("cost", victim.cost)
            json.field("idle", victim.idle)
            json.endObject()
        }
        json.endArray()
    }

    // MARK: - HTTP cache

    private func append(_ change: HTTPCacheChange, to json: inout JSONWriter) {
        json.field("key", change.key)
        json.field("bytes", change.bytes)
        json.field("usage", change.usage)
        json.key("freshUntil")
        if let time = change.freshUntil {
            // Later than any clock of today can count in nanoseconds is all the same.
            json.time(min(time, 9_000_000_000_000) * 1_000_000)
        } else {
            json.null()
        }
        json.field("why", change.why.sentence)
    }
}
