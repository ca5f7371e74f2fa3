public import SluiceCore

/// The fields of every event, by the specification; an unknown field is an error.
public enum EventSchema {
    /// What a line breaks.
    public struct Violation: Error, CustomStringConvertible {
        public let description: String
        public init(_ problem: String, in line: String) { description = "\(problem) in \(line)" }
    }

    /// Checks one line of the stream alone.
    ///
    /// - Parameter line: Without its line break.
    /// - Returns: The event as a tree.
    /// - Throws: ``Violation``, or what is wrong with the JSON.
    @discardableResult
    public static func check(line: String) throws -> JSONValue {
        let event = try JSONValue(parsing: line)
        if let hazard = line.unicodeScalars.first(where: \.isHazardous) {
            throw Violation("raw U+\(String(hazard.value, radix: 16))", in: line)
        }
        guard let name = event["event"]?.string else { throw Violation("no event name", in: line) }
        guard let fields = events[name] else { throw Violation("unknown event \(name)", in: line) }
        if let problem = FieldType.object(common + fields).problem(with: event, at: name) {
            throw Violation(problem, in: line)
        }
        if let problem = contradiction(in: event, name: name) { throw Violation("\(name): \(problem)", in: line) }
        return event
    }

    /// What the fields of one event say against each other.
    private static func contradiction(in event: JSONValue, name: String) -> String? {
        switch name {
        case "request.submitted": contradiction(inSubmission: event)
        case "task.queued", "task.moved": event["position"] == nil ? "no position" : nil
        case "task.waiting": event["until"] == nil || event["delay"] == nil ? "no until or delay" : nil
        case "task.finished", "receipt.finished":
            (event["outcome"]?.string == "failed")
                != (event["error"] != nil && event["error"]?["code"]?.string != "cancelled")
                ? "error and outcome disagree" : nil
        case "indicator.changed":
            ["active", "delayingEnd"].contains(event["to"]?.string) != event["visible"]?.bool ? "visible is wrong" : nil
        case "cache.added", "cache.replaced", "cache.removed", "cache.refused": contradiction(inCache: event)
        case "cache.purged": contradiction(inPurge: event)
        case "prefetch.progress", "prefetch.finished":
            (event["finished"]?.int ?? 0) + (event["skipped"]?.int ?? 0) > (event["total"]?.int ?? 0)
                ? "more than total" : nil
        case "task.response": contradiction(inHops: event["hops"], of: event["redirects"]?.int)
        case "settings.changed": event["from"] == event["to"] ? "nothing changed" : nil
        default: nil
        }
    }

    private static func contradiction(inSubmission event: JSONValue) -> String? {
        let has = { (name: String) in event[name] != nil }
        switch event["outcome"]?.string {
        case "cached":
            if !has("source") { return "cached without source" }
            if has("error") { return "cached with an error" }
            return event["source"]?.string == "disk" && !has("receipt") ? "an answer from disk without receipt" : nil
        case "rejected":
            return has("receipt") || has("task") || !has("error") ? "rejected with receipt or without error" : nil
        default:
            if !has("receipt") || !has("task") || has("error") || has("source") {
                return "receipt, task, error or source"
            }
            return (event["outcome"]?.string == "queued") != has("position") ? "position" : nil
        }
    }

    private static func contradiction(inHops hops: JSONValue?, of redirects: Int?) -> String? {
        guard let count = hops?.array?.count, let redirects else { return nil }
        return count == 0 || count > redirects ? "\(count) hops of \(redirects) redirects" : nil
    }

    private static func contradiction(inCache event: JSONValue) -> String? {
        let (usage, capacity) = (event["usage"]?.int ?? 0, event["capacity"]?.int ?? 0)
        if capacity > 0, usage > capacity { return "usage above the capacity" }
        let isRefused = event["event"]?.string == "cache.refused"
        let hasHook = event["why"]?.string?.contains("admission hook") == true
        return isRefused && !hasHook && (event["cost"]?.int ?? 0) <= capacity ? "refused what fits" : nil
    }

    private static func contradiction(inPurge event: JSONValue) -> String? {
        let number = { (name: String) in event[name]?.int ?? 0 }
        let victims = event["victims"]?.array ?? []
        if victims.isEmpty { return "no victims" }
        if victims.reduce(0, { $0 + ($1["cost"]?.int ?? 0) }) != number("freed") {
            return "freed is not the victims' cost"
        }
        if number("before") - number("freed") != number("after") { return "before − freed is not after" }
        if number("freed") < number("needed") { return "less freed than needed" }
        return number("after") > number("preferred") ? "more than preferred left" : nil
    }

    /// The names of the fields that each event has beside those of all, with `?` where one may be absent.
    public static var fields: [String: Set<String>] {
        events.mapValues { fields in Set(fields.map { $0.isOptional ? $0.name + "?" : $0.name }) }
    }

    // MARK: - The table

    private static let common: [Field] = [
        Field("seq", .integer(1...)), Field("t", .seconds), Field("time", .time), Field("event", .text),
    ]
    private static let task = Field("task", .integer(1...))
    private static let receipt = Field("receipt", .integer(1...))
    private static let url = Field("url", .text)
    private static let file = Field("file", .text, isOptional: true)
    private static let tag = Field("tag", .text, isOptional: true)
    private static let result = Field("outcome", .word(["success", "failed", "cancelled"]))
    static let error = Field(
        "error",
        .object([
            Field("code", .word(DownloadError.Code.allCases.map(\.rawValue))), Field("message", .text),
            Field("status", .integer(100...), isOptional: true), Field("body", .text, isOptional: true), limit,
        ]),
        isOptional: true
    )
    private static let limit = Field(
        "limit",
        .object([
            Field("setting", .word(DownloadError.Limit.Setting.allCases.map(\.rawValue))),
            Field("needed", .integer(1...), isOptional: true),
        ]),
        isOptional: true
    )
    private static let hops = Field(
        "hops",
        .array(.object([Field("status", .integer(300...)), url])),
        isOptional: true
    )
    /// What is said of a task that ended, its receipts not counted.
    private static let taskEnd: [Field] = [
        result, Field("status", .nullable(.integer(100...))), Field("bytes", .integer(0...)),
        Field("source", .word(["network", "revalidated", "disk"])), file, Field("unchanged", .flag, isOptional: true),
        Field(
            "image",
            .object([
                Field("format", .word(ImageFormat.allCases.map(\.rawValue))), Field("width", .integer(1...)),
                Field("height", .integer(1...)), Field("frames", .integer(1...)),
            ]),
            isOptional: true
        ),
        error,
        Field(
            "timings",
            .nullable(
                .object(
                    [Field("queued", .seconds)]
                        + ["dns", "connect", "tls", "firstByte", "total"].map { Field($0, .nullable(.seconds)) }
                        + ["redirects", "decode", "save"].map { Field($0, .seconds, isOptional: true) }
                )
            )
        ),
        hops,
    ]
    /// The same where the number of its receipts has a name of its own.
    static var outcome: [Field] { taskEnd + [Field("served", .integer(0...))] }
    private static let taskChange: [Field] = [
        task, url, Field("attempt", .integer(1...)), Field("active", .integer(0...)), Field("queued", .integer(0...)),
        Field("position", .integer(1...), isOptional: true), Field("until", .time, isOptional: true),
        Field("delay", .seconds, isOptional: true), Field("reason", .text, isOptional: true),
    ]
    static let cacheKey: [Field] = [Field("key", .text), Field("id", .text, isOptional: true)]
    private static let cacheChange: [Field] =
        cacheKey + counts(["cost", "usage", "capacity", "count"]) + [Field("why", .text)]
    private static let httpCache: [Field] = [
        Field("key", .text), Field("bytes", .integer(0...)), Field("usage", .integer(0...)),
        Field("freshUntil", .nullable(.time)), Field("why", .text),
    ]
    private static let prefetch: [Field] = [Field("batch", .integer(1...))] + counts(["finished", "skipped", "total"])
    private static let warningCodes = FieldType.word(WarningCode.allCases.filter { $0 != .other }.map(\.rawValue))
    private static let states = FieldType.word(ActivityState.allCases.map(\.rawValue))

    private static func counts(_ names: [String]) -> [Field] { names.map { Field($0, .integer(0...)) } }

    private static let events: [String: [Field]] = [
        "session.started": [
            Field("version", .text), Field("pid", .integer(1...)),
            Field("settings", .object(Settings.names.map { Field($0, .settingValue) })),
        ],
        "request.submitted": [
            url, Field("outcome", .word(["cached", "joined", "started", "queued", "rejected"])),
            Field("source", .word(["memory", "disk"]), isOptional: true),
            Field("receipt", .integer(1...), isOptional: true), Field("task", .integer(1...), isOptional: true),
            Field("position", .integer(1...), isOptional: true), tag, error, Field("why", .text),
            Field("origin", .text, isOptional: true),
        ],
        "task.queued": taskChange, "task.started": taskChange, "task.resumed": taskChange,
        "task.suspended": taskChange, "task.waiting": taskChange + [error], "task.detached": taskChange,
        "task.moved": taskChange,
        "task.response": [
            task, Field("status", .integer(100...)), Field("mime", .nullable(.text)),
            Field("expected", .nullable(.integer(0...))), Field("headers", .array(.pair)),
            Field("remoteAddress", .text),
            Field("httpVersion", .word(["1.0", "1.1", "2", "3"])), Field("reused", .flag),
            Field("redirects", .integer(0...)),
            Field("finalURL", .text), Field("source", .word(["network", "memory", "disk", "revalidated"])), hops,
        ],
        "task.progress": [task, Field("received", .integer(0...)), Field("expected", .nullable(.integer(0...)))],
        "task.finished": [task, url, Field("receipts", .integer(0...))] + taskEnd,
        "receipt.finished": [receipt, task, url, result, tag, file, error],
        "cache.added": cacheChange, "cache.replaced": cacheChange, "cache.removed": cacheChange,
        "cache.refused": cacheChange,
        "cache.purged": [Field("trigger", .word(["capacity", "resized", "pressure", "cleared"]))]
            + counts(["before", "needed", "freed", "after", "preferred"])
            + [Field("victims", .array(.object(cacheKey + [Field("cost", .integer(0...)), Field("idle", .seconds)])))],
        "httpcache.stored": httpCache, "httpcache.hit": httpCache, "httpcache.revalidated": httpCache,
        "httpcache.evicted": httpCache, "httpcache.skipped": httpCache,
        "indicator.changed": [Field("from", states), Field("to", states), Field("visible", .flag)] + counts(["tasks"]),
        "settings.changed": [
            Field("name", .word(Settings.names)), Field("from", .settingValue), Field("to", .settingValue),
        ],
        "prefetch.progress": prefetch, "prefetch.finished": prefetch,
        "trust.decided": [
            Field("host", .text), Field("rule", .integer(1...)), Field("accepted", .flag), Field("reused", .flag),
            Field("reason", .text, isOptional: true),
        ],
        "warning": [
            Field("code", warningCodes), Field("message", .text), Field("task", .integer(1...), isOptional: true),
        ],
        "session.ended": counts([
            "requests", "tasks", "succeeded", "failed", "cancelled", "cached", "rejected", "joined", "bytes", "left",
        ]),
    ]
}
