internal import SluiceCore

/// One event in words: a glyph, a verb, what it is about, and the facts.
///
/// Pure, and complete for every event. Everything in it is safe to draw.
struct EventSentence: Equatable {
    var glyph: String
    var role: Role
    var verb: String
    var subject: String
    var detail: String

    /// - Parameters:
    ///   - kind: What happened.
    ///   - count: How many equal events in a row this stands for, or how many victims a purge had. `1...`
    ///   - time: When it happened, for times that lay ahead.
    ///   - hasOthers: For a receipt that ended, whether its task is known to go on for others.
    ///   - retry: What tries a failure again, as ``AppState/retryWords``; `nil` says nothing of it.
    ///   - isWhole: Whether reasons are told in full, and not as a row has room for them.
    init(
        _ kind: PipelineEvent.Kind,
        count: Int = 1,
        at time: Timestamp,
        hasOthers: Bool = false,
        retry: String? = nil,
        isWhole: Bool = false
    ) {
        switch kind {
        case .sessionStarted(_, _, let settings): self = Self.started(settings)
        case .requestSubmitted(let submission): self = Self.submitted(submission, count, time, isWhole)
        case .taskChanged(let change): self = Self.changed(change, time, isWhole)
        case .taskResponse(_, let head, let source):
            self.init(
                "◆",
                .accent,
                "answered",
                Self.name(head.finalURL),
                "\(head.status) · \(head.contentType ?? "no type") · from \(source.rawValue)"
            )
        case .taskProgress(let task, let received, let expected):
            self.init("·", .dim, "progress", "task \(task.rawValue)", Format.progress(received, of: expected).text)
        case .taskFinished(let end): self.init(end, retry: retry)
        case .receiptFinished(let end):
            let (glyph, role) = Self.mark(end.outcome)
            let isAlone = end.outcome == .cancelled && hasOthers
            let receipt = "receipt \(end.receipt.rawValue)" + (isAlone ? " only" : "")
            self.init(
                glyph,
                role,
                end.outcome == .success ? "served" : end.outcome.rawValue,
                Self.name(end.url),
                end.error.map { $0.code == .cancelled ? receipt : Self.brief($0) } ?? receipt
            )
        case .cacheChanged(let change): self = Self.cached(change, time, isWhole)
        case .cachePurged(let purge): self = Self.purged(purge, count)
        case .httpCacheChanged(let change):
            let glyph = change.verb == .evicted || change.verb == .skipped ? "·" : "◆"
            // Only what went has a row.
            let isRow = !isWhole && change.verb == .evicted
            let why = isRow ? EventReason.text(change.why.sentence, after: "evicted") : change.why.sentence
            self.init(glyph, .dim, "disk", "\(change.verb.rawValue) \(Self.name(change.key))", why)
        case .indicatorChanged(let from, let to, let tasks):
            self.init("○", .dim, "network", to.rawValue, "after \(from.rawValue) · \(Format.plural(tasks, "task"))")
        case .settingChanged(let name, let from, let to):
            var (old, new) = (SettingText.text(name, from), SettingText.text(name, to))
            // Rounded they may read the same, though only changes are told.
            if old == new { (old, new) = (Self.text(from), Self.text(to)) }
            self.init("◆", .accent, "set", name, "\(old) → \(new)")
        case .prefetchProgress(let batch, let finished, let skipped, let total, let isEnd):
            self.init(
                "◆",
                .accent,
                // Whether they succeeded is told of each: a batch counts what has an outcome.
                isEnd ? "ended" : "prefetch",
                isEnd ? "prefetch batch \(batch.rawValue)" : "batch \(batch.rawValue)",
                "\(finished) of \(total) · \(skipped) skipped"
            )
        case .trustDecided(let decision):
            let verdict = decision.verdict
            self.init(
                verdict.isAccepted ? "✓" : "✗",
                verdict.isAccepted ? .ok : .bad,
                verdict.isAccepted ? "trusted" : "refused",
                decision.host,
                "rule \(verdict.rule.rawValue): \(verdict.reason.isEmpty ? verdict.rule.phrase : verdict.reason)"
            )
        case .warning(.fileDeleted, let path, _):
            self.init("⊘", .dim, "deleted", PathText.name(of: path), "as you asked · \(path)")
        case .warning(.fileKept, let message, _):
            self.init("!", .wait, "kept", "file", message)
        case .warning(let code, let message, let task):
            let subject = task.map { "task \($0.rawValue)" } ?? Self.words(of: code.rawValue)
            self.init("!", .wait, "warned", subject, message)
        case .sessionEnded(let counts): self = Self.ended(counts)
        }
    }

    private init(_ glyph: String, _ role: Role, _ verb: String, _ subject: String, _ detail: String) {
        (self.glyph, self.role, self.verb) = (glyph, role, verb)
        self.subject = VisibleText.visible(subject, limit: 200)
        self.detail = VisibleText.visible(detail, limit: 400)
    }

    private static func started(_ settings: Settings) -> Self {
        let (preferred, capacity) = (settings.cachePreferred, settings.cacheCapacity)
        let cache =
            capacity > 0
            ? "cache \(Format.limit(capacity).text), purges to \(Format.number(preferred, likeLimit: capacity))"
            : "cache without limit"
        return Self(
            "✓",
            .ok,
            "started",
            "session",
            "\(Format.plural(settings.maxActive, "slot")) · \(cache)"
                + (settings.indicatorEnabled ? "" : " · indicator off")
        )
    }

    /// The event counts all tasks, the header those that somebody asked for.
    private static func ended(_ counts: SessionCounts) -> Self {
        let done = Format.plural(counts.succeeded, "task") + " done"
        return Self("✓", .ok, "ended", "session", "\(done) · \(counts.failed) failed · \(counts.left) left")
    }

    private static func submitted(
        _ submission: Submission,
        _ count: Int,
        _ time: Timestamp,
        _ isWhole: Bool
    ) -> Self {
        let name = name(submission.url)
        let why = submission.why.sentence(now: time)
        switch submission.outcome {
        case .cached:
            let source = submission.source?.rawValue ?? "memory"
            return Self("◆", .accent, "hit", name, "\(source) · no request made")
        case .joined:
            let task = submission.task.map { "task \($0.rawValue)" }
            let share = "now ×\(max(1, submission.receipts))"
            guard isWhole else {
                return Self("⊕", .merge, "merged", name, "\(share) · \(EventReason.joined(why, task ?? "it"))")
            }
            let rest = why.without(prefix: "joined a download that ").map { "it \($0)" } ?? why
            let joined = task.map { "joined \($0)" } ?? "joined"
            return Self("⊕", .merge, "merged", name, "\(joined), \(share) · \(rest)")
        case .started:
            return Self("▸", .run, "started", name, isWhole ? why : EventReason.text(why, after: "started"))
        case .queued:
            func reason(_ why: String) -> String {
                isWhole ? why.without(prefix: "queued ") ?? why : EventReason.text(why, after: "queued")
            }
            guard count > 1 else { return Self("▸", .bright, "queued", name, reason(why)) }
            let last = reason(submission.why.slotsTakenCause ?? why)
            // The place is that of one of them.
            let cause = isWhole ? last : EventReason.cause(of: last)
            return Self("▸", .bright, "queued", Format.plural(count, "request"), "\(cause) · the last is \(name)")
        case .rejected:
            return Self("✗", .bad, "rejected", name, submission.error?.message ?? why)
        }
    }

    private static func changed(_ change: TaskChange, _ time: Timestamp, _ isWhole: Bool) -> Self {
        let name = name(change.url)
        func why(_ verb: String) -> String? {
            let sentence = change.reason?.sentence(now: time)
            return isWhole ? sentence : sentence.map { EventReason.text($0, after: verb) }
        }
        switch change.phase {
        case .queued:
            let detail = why("queued") ?? change.position.map { "at position \($0)" } ?? ""
            return Self("▸", .bright, "queued", name, detail)
        case .started: return Self("▸", .run, "started", name, why("started") ?? "attempt \(change.attempt)")
        case .resumed: return Self("▸", .run, "resumed", name, why("resumed") ?? "attempt \(change.attempt)")
        case .suspended: return Self("‖", .wait, "paused", name, why("paused") ?? "")
        case .waiting:
            let delay = change.delay.map { " in \(Format.seconds($0))" } ?? ""
            guard case .retryAfter(let error, let next, let of, let asked) = change.reason else {
                return Self("↻", .wait, "waiting", name, "attempt \(change.attempt)\(delay)")
            }
            let asks = asked ? " · the server asked for it" : ""
            let cause = error.status.map(String.init) ?? error.code.rawValue
            let detail = "\(cause) · attempt \(next) of \(of)\(delay)\(asks) · \(brief(error))"
            return Self("↻", .wait, "waiting", name, detail)
        case .detached: return Self("⇢", .dim, "detached", name, why("detached") ?? "runs on for the caches")
        case .moved:
            let detail = change.position.map { "to position \($0)" } ?? why("moved") ?? ""
            return Self("▸", .bright, "moved", name, detail)
        }
    }

    /// Of a task that ended; `retry` as for events.
    init(_ end: TaskEnd, retry: String? = nil) {
        let subject = end.file.map { PathText.name(of: $0) } ?? Self.name(end.url)
        let (glyph, role) = Self.mark(end.outcome)
        switch end.outcome {
        case .success:
            var facts = [Format.bytes(end.bytes).text]
            if end.source != .disk { facts[0] += end.pace }
            if end.source == .disk { facts.append("from disk") }
            if end.source == .revalidated { facts.append("not modified") }
            if let image = end.image { facts.append("\(image.format.rawValue) \(image.width)×\(image.height)") }
            if end.receipts > 1 { facts.append("served \(end.receipts) requests") }
            self.init(glyph, role, end.successWord, subject, facts.joined(separator: " · "))
        case .failed:
            let error = end.error ?? DownloadError(.connectionLost, "")
            let rest = (error.isPermanent ? "not retried" : retry).map { " · \($0)" } ?? ""
            self.init(glyph, role, "failed", subject, Self.brief(error) + rest)
        case .cancelled:
            self.init(glyph, role, "cancelled", subject, end.bytes > 0 ? "after \(Format.bytes(end.bytes).text)" : "")
        }
    }

    private static func cached(_ change: CacheChange, _ time: Timestamp, _ isWhole: Bool) -> Self {
        let name = name(change.key.key) + (change.key.id.isEmpty ? "" : " \(change.key.id)")
        let cost = Format.bytes(change.cost).text
        let limit = change.capacity > 0 ? " of \(Format.limit(change.capacity).text)" : " · no limit"
        let usage = "now \(Format.bytes(change.usage).text)\(limit)"
        func why(_ verb: String) -> String {
            let sentence = change.why.sentence(now: time)
            return isWhole ? sentence : EventReason.text(sentence, after: verb)
        }
        switch change.verb {
        case .added: return Self("◆", .accent, "cached", name, "\(cost) · \(usage)")
        case .replaced: return Self("◆", .accent, "replaced", name, "\(cost) · \(usage)")
        case .removed: return Self("♺", .purge, "removed", name, "\(cost) · \(why("removed"))")
        case .refused: return Self("!", .wait, "refused", name, why("refused"))
        }
    }

    private static func purged(_ purge: CachePurge, _ count: Int) -> Self {
        let victims = max(count, purge.victims.count)
        let (before, after) = (Format.level(purge.before), Format.level(purge.after))
        let levels = "\(before.unit == after.unit ? before.number : before.text) → \(after.text)"
        let cause =
            switch purge.trigger {
            case .capacity: ""
            case .resized: " · the capacity shrank"
            case .pressure: " · memory pressure"
            case .cleared: " · cleared by the user"
            }
        return Self(
            "♺",
            .purge,
            "purged",
            Format.bytes(purge.freed).text,
            "\(Format.plural(victims, "image")) · \(levels)\(cause)"
        )
    }

    private static func mark(_ outcome: Outcome) -> (String, Role) {
        switch outcome {
        case .success: ("✓", .ok)
        case .failed: ("✗", .bad)
        case .cancelled: ("⊘", .dim)
        }
    }

    /// An error as a fact in a row, which begins with what tells it from others; its status or code without a message.
    static func brief(_ error: DownloadError) -> String {
        guard !error.message.isEmpty else { return error.status.map { "status \($0)" } ?? error.code.rawValue }
        return error.message.without(prefix: "the server answered ") ?? error.message
    }

    static func name(_ url: String) -> String { URLText.name(of: url) }

    /// A name as programs write it, in words: `otherDirectory` as `other directory`.
    static func words(of code: String) -> String {
        code.reduce(into: "") { words, letter in
            words += letter.isUppercase && words.last?.isLowercase == true ? " \(letter.lowercased())" : String(letter)
        }
    }

    static func text(_ value: SettingValue) -> String {
        switch value {
        case .integer(let number): Format.count(number)
        case .seconds(let seconds): "\(seconds) s"
        case .flag(let flag): flag ? "on" : "off"
        case .word(let word): word
        case .list(let names): names.isEmpty ? "none" : names.joined(separator: ", ")
        }
    }
}

extension String {
    /// What follows `prefix`, or `nil` if it does not start so.
    func without(prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
