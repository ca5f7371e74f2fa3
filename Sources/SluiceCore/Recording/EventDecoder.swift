/// Reads events back from the JSON that ``EventEncoder`` writes.
///
/// What the log says as a sentence stays one. Kinds and fields that it does not know are
/// left out, since a later Sluice may have added them; what it knows must be as it should be.
public struct EventDecoder: Sendable {
    let start: SessionStart

    /// - Parameter start: What events count from.
    public init(start: SessionStart) { self.start = start }

    /// - Returns: `nil` for a kind of event that is not known.
    /// - Throws: If it is no event, or one with a field that can't be.
    public func decode(_ value: JSONValue) throws(EventDecodingError) -> PipelineEvent? {
        let fields = try EventFields(value)
        let (seq, t) = (try fields.int("seq", from: 1), try fields.seconds("t"))
        return try kind(named: fields.text("event"), fields).map { PipelineEvent(seq: seq, t: t, kind: $0) }
    }

    /// When the session of an event began.
    static func start(of value: JSONValue) throws(EventDecodingError) -> SessionStart {
        let fields = try EventFields(value)
        let wallClock = try fields.time("time") - fields.seconds("t").nanoseconds
        return SessionStart(time: Recording.startTime, nanosecondsSince1970: wallClock)
    }

    private func kind(
        named name: String,
        _ fields: EventFields
    ) throws(EventDecodingError) -> PipelineEvent.Kind? {
        if let phase = TaskChange.Phase(rawValue: Self.word(name, after: "task.")) {
            return .taskChanged(try change(phase, fields))
        }
        if let verb = CacheChange.Verb(rawValue: Self.word(name, after: "cache.")) {
            return .cacheChanged(try cacheChange(verb, fields))
        }
        if let verb = HTTPCacheChange.Verb(rawValue: Self.word(name, after: "httpcache.")) {
            return .httpCacheChanged(try httpCacheChange(verb, fields))
        }
        switch name {
        case "session.started":
            return .sessionStarted(
                version: try fields.text("version"),
                pid: try fields.int("pid"),
                settings: try settings(fields)
            )
        case "request.submitted": return .requestSubmitted(try submission(fields))
        case "task.response": return try response(fields)
        case "task.progress":
            return .taskProgress(
                try fields.task(),
                received: try fields.int("received"),
                expected: try fields.optionalInt("expected")
            )
        case "task.finished": return .taskFinished(try taskEnd(fields))
        case "receipt.finished": return .receiptFinished(try receiptEnd(fields))
        case "cache.purged": return .cachePurged(try purge(fields))
        case "indicator.changed":
            return .indicatorChanged(
                from: try fields.word("from"),
                to: try fields.word("to"),
                tasks: try fields.int("tasks")
            )
        case "settings.changed": return try settingChange(fields)
        case "prefetch.progress", "prefetch.finished":
            return .prefetchProgress(
                BatchID(try fields.int("batch", from: 1)),
                finished: try fields.int("finished"),
                skipped: try fields.int("skipped"),
                total: try fields.int("total"),
                isEnd: name == "prefetch.finished"
            )
        case "trust.decided": return try trust(fields)
        case "warning":
            let task = try fields.isPresent("task") ? fields.task() : nil
            // A sentence for people is worth telling whatever it is about.
            let code = WarningCode(rawValue: try fields.text("code")) ?? .other
            return .warning(code: code, message: try fields.text("message"), task: task)
        case "session.ended": return .sessionEnded(try counts(fields))
        default: return nil
        }
    }

    private static func word(_ name: String, after prefix: String) -> String {
        name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : ""
    }

    private func settings(_ fields: EventFields) throws(EventDecodingError) -> Settings {
        var changes: [SettingChange] = []
        for (name, value) in try fields.object("settings")?.all ?? [:] {
            if let value = try Self.setting(name, value) { changes.append(SettingChange(name: name, value: value)) }
        }
        var settings = Settings()
        do throws(SettingError) {
            try settings.apply(changes)
        } catch {
            throw EventDecodingError("of its settings \(error.message)")
        }
        return settings
    }

    private func settingChange(_ fields: EventFields) throws(EventDecodingError) -> PipelineEvent.Kind? {
        let name = try fields.text("name")
        guard let from = fields.all["from"], let to = fields.all["to"] else {
            throw EventDecodingError("it does not say from what to what")
        }
        guard let from = try Self.setting(name, from), let to = try Self.setting(name, to) else { return nil }
        return .settingChanged(name: name, from: from, to: to)
    }

    /// - Returns: `nil` for a setting that is not known.
    private static func setting(_ name: String, _ value: JSONValue) throws(EventDecodingError) -> SettingValue? {
        let definition: SettingDefinition
        do throws(SettingError) {
            definition = try Settings.definition(of: name)
        } catch {
            return nil
        }
        let given: SettingValue? =
            switch definition.domain {
            case .integer, .size, .rate: value.int.map { .integer(min($0, EventFields.largest)) }
            case .seconds: value.double.map { .seconds($0) }
            case .flag: value.bool.map { .flag($0) }
            case .word: value.string.map { .word($0) }
            case .names: value == .string("*") ? .list(["*"]) : value.array.map { .list($0.compactMap(\.string)) }
            }
        guard let given, definition.allows(given) else {
            throw EventDecodingError("the setting \(name) can be \(definition.wanted), and is \(value.kind)")
        }
        return given
    }

    private func counts(_ fields: EventFields) throws(EventDecodingError) -> SessionCounts {
        var counts = SessionCounts()
        counts.requests = try fields.int("requests")
        counts.tasks = try fields.int("tasks")
        counts.succeeded = try fields.int("succeeded")
        counts.failed = try fields.int("failed")
        counts.cancelled = try fields.int("cancelled")
        counts.cached = try fields.int("cached")
        counts.rejected = try fields.int("rejected")
        counts.joined = try fields.int("joined")
        counts.bytes = try fields.int("bytes")
        counts.left = try fields.int("left")
        return counts
    }

    private func trust(_ fields: EventFields) throws(EventDecodingError) -> PipelineEvent.Kind? {
        guard let rule = TrustRule(rawValue: try fields.int("rule")) else { return nil }
        let verdict = TrustVerdict(
            rule: rule,
            isAccepted: try fields.flag("accepted"),
            reason: try fields.optionalText("reason") ?? ""
        )
        return .trustDecided(
            TrustDecision(host: try fields.text("host"), verdict: verdict, isReused: try fields.flag("reused"))
        )
    }
}
