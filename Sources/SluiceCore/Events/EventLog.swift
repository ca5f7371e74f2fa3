/// Writes events as sentences, one a line: `12:41:06.123 notice finished task 3 …`.
///
/// For people who read a log afterwards; programs read what ``EventEncoder`` writes. Times are UTC, as there. Text
/// from servers is made visible, so the log can be shown in a terminal. Levels: `error` where
/// Sluice failed its user, `notice` for what a report of a problem needs, `debug` for each
/// step of a task, `trace` for progress.
public struct EventLog: Sendable {
    private enum Level: String {
        case error
        case notice
        case debug
        case trace
    }

    private let start: SessionStart
    private let sentence: @Sendable (Why, Timestamp) -> String

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
        RFC3339.appendTimeOfDay(nanosecondsSince1970: start.nanosecondsSince1970(after: event.t), to: &bytes)
        let (level, text) = describe(event.kind, now: start.time + event.t)
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: level.rawValue.utf8)
        for _ in level.rawValue.utf8.count..<7 { bytes.append(UInt8(ascii: " ")) }
        bytes.append(contentsOf: text.withVisibleControls.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    private func describe(_ kind: PipelineEvent.Kind, now: Timestamp) -> (Level, String) {
        switch kind {
        case .sessionStarted(let version, let pid, _):
            return (.notice, "started Sluice \(version) as process \(pid)")
        case .requestSubmitted(let submission): return describe(submission, now: now)
        case .taskChanged(let change): return (.debug, describe(change, now: now))
        case .taskResponse(let task, let head, let source):
            let size = head.expected.map(ByteCount.text) ?? "unknown size"
            let type = head.mediaType ?? "unknown type"
            let address = head.remoteAddress.isEmpty ? "" : " at \(head.remoteAddress)"
            return (
                .debug,
                "answered task \(task.rawValue): \(head.status), \(type), \(size), from \(source.rawValue)\(address)"
            )
        case .taskProgress(let task, let received, let expected):
            let whole = expected.map { " of \($0)" } ?? ""
            return (.trace, "received task \(task.rawValue): \(received)\(whole) bytes")
        case .taskFinished(let end): return describe(end)
        case .receiptFinished(let end):
            return (
                .debug,
                "delivered receipt \(end.receipt.rawValue) of task \(end.task.rawValue): \(end.outcome.rawValue)"
            )
        case .cacheChanged(let change):
            let usage = "usage \(ByteCount.text(change.usage)) in \(change.count)"
            let cost = ByteCount.text(change.cost)
            return (
                .debug,
                "cache \(change.verb.rawValue) \(change.key.text), \(cost), \(usage): \(sentence(change.why, now))"
            )
        case .cachePurged(let purge):
            let freed = "\(ByteCount.text(purge.freed)) in \(purge.victims.count)"
            return (
                .notice,
                "cache purged \(freed), \(ByteCount.text(purge.after)) stay, because: \(purge.trigger.rawValue)"
            )
        case .httpCacheChanged(let change):
            let sizes = "\(ByteCount.text(change.bytes)), usage \(ByteCount.text(change.usage))"
            return (.debug, "httpcache \(change.verb.rawValue) \(change.key), \(sizes): \(change.why.sentence)")
        case .indicatorChanged(let from, let to, let tasks):
            return (.debug, "indicator \(from.rawValue) → \(to.rawValue), tasks \(tasks)")
        case .settingChanged(let name, let from, let to):
            return (.notice, "set \(name) from \(from.text) to \(to.text)")
        case .prefetchProgress(let batch, let finished, let skipped, let total, let isEnd):
            let verb = isEnd ? "prefetched" : "prefetching"
            return (
                .debug, "\(verb) batch \(batch.rawValue): \(finished) finished, \(skipped) skipped, \(total) in all"
            )
        case .trustDecided(let decision):
            return (decision.verdict.isAccepted ? .debug : .error, decision.sentence)
        case .warning(let code, let message, let task):
            return (.notice, "warning \(code.rawValue)\(task.map { " of task \($0.rawValue)" } ?? ""): \(message)")
        case .sessionEnded(let counts): return (.notice, describe(counts))
        }
    }

    private func describe(_ submission: Submission, now: Timestamp) -> (Level, String) {
        var text = "\(submission.outcome.rawValue) \(submission.url)"
        if let receipt = submission.receipt { text += " as receipt \(receipt.rawValue)" }
        if let task = submission.task { text += " of task \(task.rawValue)" }
        if let position = submission.position { text += " at position \(position)" }
        return (submission.outcome == .rejected ? .notice : .debug, "\(text): \(sentence(submission.why, now))")
    }

    private func describe(_ change: TaskChange, now: Timestamp) -> String {
        var text = "\(change.phase.rawValue) task \(change.task.rawValue), attempt \(change.attempt), \(change.url)"
        if let position = change.position { text += " at position \(position)" }
        text += " (\(change.active) active, \(change.queued) queued)"
        return text + (change.reason.map { ": \(sentence($0, now))" } ?? "")
    }

    private func describe(_ end: TaskEnd) -> (Level, String) {
        let name = "task \(end.task.rawValue), \(end.url)"
        switch end.outcome {
        case .success:
            let file = end.file.map { ", saved as \($0)" } ?? ""
            return (.notice, "finished \(name): \(ByteCount.text(end.bytes)) from \(end.source.rawValue)\(file)")
        case .failed:
            let error = end.error.map { "\($0.code.rawValue), \($0.message)" } ?? "no reason known"
            return (.error, "failed \(name): \(error)")
        case .cancelled:
            return (.notice, "cancelled \(name)")
        }
    }

    private func describe(_ counts: SessionCounts) -> String {
        "ended: \(counts.requests) requests, \(counts.tasks) tasks, \(counts.succeeded) succeeded, \(counts.failed) failed,"
            + " \(counts.cancelled) cancelled, \(counts.cached) cached, \(counts.rejected) rejected,"
            + " \(counts.joined) joined, \(ByteCount.text(counts.bytes)), \(counts.left) left"
    }
}

extension CacheKey {
    /// For people: the key, and the identifier where there is one.
    fileprivate var text: String { id.isEmpty ? key : "\(key) (\(id))" }
}
