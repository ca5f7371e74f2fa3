public import SluiceCore

/// The results of every method of the control socket, by the specification; an unknown field is an error.
public enum ControlSchema {
    /// What an answer breaks.
    public struct Violation: Error, CustomStringConvertible {
        public let description: String
    }

    /// Checks one line that a client got.
    ///
    /// - Parameters:
    ///   - line: Without its line break.
    ///   - method: What was called; for a list of submissions, with `[]` behind it.
    /// - Returns: The result.
    /// - Throws: ``Violation``, or what is wrong with the JSON.
    @discardableResult
    public static func check(result line: String, of method: String) throws -> JSONValue {
        let answer = try JSONValue(parsing: line)
        guard answer["jsonrpc"] == .string("2.0"), answer["id"] != nil, answer.object?.count == 3 else {
            throw Violation(description: "no answer: \(line)")
        }
        guard let result = answer["result"] else { throw Violation(description: "no result: \(line)") }
        guard let type = results[method] else { throw Violation(description: "no method \(method)") }
        if let problem = type.problem(with: result, at: method) {
            throw Violation(description: "\(problem) in \(line)")
        }
        return result
    }

    /// Checks that a line refuses a call.
    ///
    /// - Returns: The error's code and message.
    public static func check(error line: String) throws -> (code: Int, message: String) {
        let answer = try JSONValue(parsing: line)
        let isWhole = answer["jsonrpc"] == .string("2.0") && answer["id"] != nil && answer.object?.count == 3
        guard isWhole, let code = answer["error"]?["code"]?.int, let message = answer["error"]?["message"]?.string,
            [-32700, -32600, -32601, -32602, 1, 2].contains(code), !message.isEmpty
        else { throw Violation(description: "no error: \(line)") }
        return (code, message)
    }

    /// The names of all methods; some have two kinds of results.
    public static var methods: Set<String> {
        Set(results.keys.map { String($0.prefix { $0 != "[" && $0 != "{" }) })
    }

    private static let task = Field("task", .integer(1...))
    private static let url = Field("url", .text)
    private static let receipts = Field("receipts", .integer(0...))
    private static let file = Field("file", .text, isOptional: true)
    private static let resting = FieldType.array(.object([task, url, receipts]))
    private static let queued = FieldType.array(
        .object([
            task, url, Field("position", .integer(1...)), Field("priority", .word(["low", "normal", "high"])), receipts,
        ])
    )
    private static let submission = FieldType.object([
        Field("outcome", .word(["cached", "joined", "started", "queued", "rejected"])),
        Field("source", .word(["memory", "disk"]), isOptional: true),
        Field("receipt", .integer(1...), isOptional: true), Field("task", .integer(1...), isOptional: true),
        Field("position", .integer(1...), isOptional: true), EventSchema.error, Field("why", .text),
    ])
    private static let changed = FieldType.object([Field("changed", .flag)])
    private static let purged = FieldType.object([Field("removed", .integer(0...)), Field("freed", .integer(0...))])
    private static let policy = [
        Field("pinning", .word(["none", "publicKey", "certificate"])), Field("pins", .array(.text)),
        Field("allowInvalid", .flag), Field("validatesDomain", .flag), Field("cacert", .text, isOptional: true),
        Field("cert", .text, isOptional: true),
    ]
    private static let states = FieldType.word(ActivityState.allCases.map(\.rawValue))

    private static func counts(_ names: [String]) -> [Field] { names.map { Field($0, .integer(0...)) } }

    private static let state = FieldType.object([
        Field(
            "active",
            .array(
                .object([
                    task, url, Field("received", .integer(0...)), Field("expected", .nullable(.integer(0...))),
                    receipts,
                ])
            )
        ),
        Field("queued", queued), Field("queuedCount", .integer(0...)), Field("paused", resting),
        Field("waiting", .array(.object([task, url, Field("until", .time), receipts]))),
        Field("answering", resting),
        Field("memory", .object(counts(["usage", "capacity", "preferred", "count", "hits", "misses"]))),
        Field("http", .object(counts(["usage", "capacity", "count"]))),
        Field("indicator", .object([Field("state", states), Field("visible", .flag)] + counts(["tasks"]))),
        Field("settings", .object(Settings.names.map { Field($0, .settingValue) })),
        Field(
            "counts",
            .object(
                counts([
                    "requests", "tasks", "succeeded", "failed", "cancelled", "cached", "rejected", "joined", "bytes",
                    "left",
                ])
            )
        ),
    ])

    private static let report = FieldType.object(
        [
            task, url, Field("state", .word(TaskReport.State.allCases.map(\.rawValue))),
            Field("key", .text, isOptional: true),
            Field("priority", .word(["low", "normal", "high"]), isOptional: true),
            Field("position", .integer(1...), isOptional: true), Field("until", .time, isOptional: true),
            Field("attempt", .integer(1...), isOptional: true),
            Field("received", .integer(0...), isOptional: true),
            Field("expected", .nullable(.integer(0...)), isOptional: true),
            Field("reason", .text, isOptional: true),
            Field(
                "receipts",
                .array(
                    .object([
                        Field("receipt", .integer(1...)), Field("tag", .text, isOptional: true),
                        Field("outcome", .nullable(.word(["success", "failed", "cancelled"]))), file, EventSchema.error,
                    ])
                )
            ),
            Field(
                "history",
                .array(
                    .object([
                        Field("t", .seconds), Field("time", .time), Field("event", .text),
                        Field("attempt", .integer(1...), isOptional: true),
                        Field("status", .integer(100...), isOptional: true), Field("reason", .text, isOptional: true),
                    ])
                )
            ),
        ] + EventSchema.outcome.map { $0.optional }
    )

    private static let results: [String: FieldType] = [
        "submit": submission, "submit[]": .array(submission), "cancel": .object([Field("cancelled", .flag)]),
        "abort": changed, "promote": changed, "retry": changed, "priority": changed, "move": changed,
        "pause": changed, "resume": changed, "prefetch.cancel": changed,
        "pause{}": .object([Field("tasks", .integer(0...))]), "resume{}": .object([Field("tasks", .integer(0...))]),
        "set": .object([
            Field("name", .word(Settings.names)), Field("from", .settingValue), Field("to", .settingValue),
        ]),
        "trust.list": .array(.object([Field("host", .text)] + policy)),
        "trust.set": .object([
            Field("from", .nullable(.object(policy))), Field("to", .nullable(.object(policy))),
        ]),
        "trust.remove": .object([Field("removed", .flag)]),
        "state": state, "queue": queued, "task": report,
        "cache.list": .array(
            .object(EventSchema.cacheKey + [Field("cost", .integer(0...)), Field("idle", .seconds)])
        ),
        "cache.remove": .object([Field("removed", .flag)]), "cache.clear": purged, "pressure": purged,
        "prefetch": .object([Field("batch", .integer(1...))]),
        "subscribe": .object([Field("seq", .integer(0...))]), "wait": .object([]), "quit": .object([]),
    ]
}

extension Field {
    /// The same, but it may be absent.
    fileprivate var optional: Field { Field(name, type, isOptional: true) }
}
