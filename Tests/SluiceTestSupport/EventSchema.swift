import SluiceCore

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

    private static func contradiction(inCache event: JSONValue) -> String? {
        let (usage, capacity) = (event["usage"]?.int ?? 0, event["capacity"]?.int ?? 0)
        if capacity > 0, usage > capacity { return "usage above the capacity" }
        let isRefused = event["event"]?.string == "cache.refused"
        return isRefused && (event["cost"]?.int ?? 0) <= capacity ? "refused what fits" : nil
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

    // MARK: - The table

    private static let common: [Field] = [
        Field("seq", .integer(1...)), Field("t", .seconds), Field("time", .time), Field("event", .text),
    ]
    private static let task = Field("task", .integer(1...))
    private static let receipt = Field("receipt", .integer(1...))
    private static let url = Field("url", .text)
    private static let file = Field("file", .text, isOptional: true)
    private static let tag = Field("tag", .text, isOptional: true)
    private static let outcome = Field("outcome", .word(["success", "failed", "cancelled"]))
    private static let error = Field(
        "error",
        .object([
            Field("code", .word(DownloadError.Code.allCases.map(\.rawValue))), Field("message", .text),
            Field("status", .integer(100...), isOptional: true), Field("body", .text, isOptional: true),
        ]),
        isOptional: true
    )
    private static let taskChange: [Field] = [
        task, url, Field("attempt", .integer(1...)), Field("active", .integer(0...)), Field("queued", .integer(0...)),
        Field("position", .integer(1...), isOptional: true), Field("until", .time, isOptional: true),
        Field("delay", .seconds, isOptional: true), Field("reason", .text, isOptional: true),
    ]
    private static let cacheKey: [Field] = [Field("key", .text), Field("id", .text, isOptional: true)]
    private static let cacheChange: [Field] =
        cacheKey + counts(["cost", "usage", "capacity", "count"]) + [Field("why", .text)]
    private static let prefetch: [Field] = [Field("batch", .integer(1...))] + counts(["finished", "skipped", "total"])
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
        ],
        "task.queued": taskChange, "task.started": taskChange, "task.resumed": taskChange,
        "task.suspended": taskChange, "task.waiting": taskChange, "task.detached": taskChange, "task.moved": taskChange,
        "task.response": [
            task, Field("status", .integer(100...)), Field("mime", .nullable(.text)),
            Field("expected", .nullable(.integer(0...))), Field("headers", .array(.pair)),
            Field("remoteAddress", .text),
            Field("httpVersion", .word(["1.0", "1.1", "2", "3"])), Field("reused", .flag),
            Field("redirects", .integer(0...)),
            Field("finalURL", .text), Field("source", .word(["network", "memory", "disk", "revalidated"])),
        ],
        "task.progress": [task, Field("received", .integer(0...)), Field("expected", .nullable(.integer(0...)))],
        "task.finished": [
            task, url, outcome, Field("status", .nullable(.integer(100...))), Field("bytes", .integer(0...)),
            Field("source", .word(["network", "revalidated", "disk"])), Field("receipts", .integer(0...)), file,
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
                    )
                )
            ),
        ],
        "receipt.finished": [receipt, task, url, outcome, tag, file, error],
        "cache.added": cacheChange, "cache.replaced": cacheChange, "cache.removed": cacheChange,
        "cache.refused": cacheChange,
        "cache.purged": [Field("trigger", .word(["capacity", "resized", "pressure", "cleared"]))]
            + counts(["before", "needed", "freed", "after", "preferred"])
            + [Field("victims", .array(.object(cacheKey + [Field("cost", .integer(0...)), Field("idle", .seconds)])))],
        "indicator.changed": [Field("from", states), Field("to", states), Field("visible", .flag)] + counts(["tasks"]),
        "settings.changed": [
            Field("name", .word(Settings.names)), Field("from", .settingValue), Field("to", .settingValue),
        ],
        "prefetch.progress": prefetch, "prefetch.finished": prefetch,
        "warning": [Field("code", .text), Field("message", .text), Field("task", .integer(1...), isOptional: true)],
        "session.ended": counts([
            "requests", "tasks", "succeeded", "failed", "cancelled", "cached", "rejected", "joined", "bytes", "left",
        ]),
    ]
}

private struct Field: Sendable {
    let name: String
    let type: FieldType
    let isOptional: Bool

    init(_ name: String, _ type: FieldType, isOptional: Bool = false) {
        (self.name, self.type, self.isOptional) = (name, type, isOptional)
    }
}

private indirect enum FieldType: Sendable {
    case integer(PartialRangeFrom<Int>)
    /// Not negative.
    case seconds
    case flag
    case text
    case word([String])
    /// By RFC 3339 in UTC.
    case time
    case settingValue
    /// Name and value of a header field.
    case pair
    case nullable(FieldType)
    case array(FieldType)
    case object([Field])

    /// - Returns: `nil` if the value is as it should be.
    func problem(with value: JSONValue, at path: String) -> String? {
        let isFine: Bool
        switch self {
        case .integer(let range): isFine = value.int.map(range.contains) ?? false
        case .seconds: isFine = value.double.map { $0 >= 0 } ?? false
        case .flag: isFine = value.bool != nil
        case .text: isFine = value.string != nil
        case .word(let words): isFine = value.string.map(words.contains) ?? false
        case .time:
            let form = /[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z/
            isFine = value.string?.wholeMatch(of: form) != nil
        case .settingValue: isFine = value.double != nil || value.bool != nil || value.string != nil
        case .pair: isFine = value.array.map { $0.count == 2 && $0.allSatisfy { $0.string != nil } } ?? false
        case .nullable(let type): return value == .null ? nil : type.problem(with: value, at: path)
        case .array(let type):
            guard let values = value.array else { return "\(path) is no array" }
            return values.lazy.compactMap { type.problem(with: $0, at: path + "[]") }.first
        case .object(let fields): return Self.problem(with: value, fields: fields, at: path)
        }
        return isFine ? nil : "\(path) is \(value)"
    }

    private static func problem(with value: JSONValue, fields: [Field], at path: String) -> String? {
        guard case .object(let values) = value else { return "\(path) is no object" }
        for field in fields {
            guard let value = values[field.name] else {
                if field.isOptional { continue }
                return "\(path) lacks \(field.name)"
            }
            if let problem = field.type.problem(with: value, at: "\(path).\(field.name)") { return problem }
        }
        let unknown = Set(values.keys).subtracting(fields.map(\.name))
        return unknown.isEmpty ? nil : "\(path) has an unknown \(unknown.sorted().joined(separator: ", "))"
    }
}
