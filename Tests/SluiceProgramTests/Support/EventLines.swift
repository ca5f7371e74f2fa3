import SluiceCore
import SluiceTestSupport

/// The event stream of a running program, every line checked as it is read.
struct EventLines {
    private var checker = EventStreamChecker()
    private var rest: [UInt8] = []

    var events: [JSONValue] { checker.events }

    /// Takes what came next of the stream, in pieces of any size.
    mutating func add(_ bytes: some Collection<UInt8>) throws {
        rest += bytes
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let unfinished = lines.popLast() ?? []
        for line in lines { try checker.read(String(decoding: line, as: UTF8.self)) }
        rest = Array(unfinished)
    }

    /// Says that the stream is over.
    func end() throws {
        guard rest.isEmpty else {
            throw EventSchema.Violation("no line break at the end", in: String(decoding: rest, as: UTF8.self))
        }
        try checker.finish()
    }
}

extension [JSONValue] {
    /// The events of one name.
    func named(_ name: String) -> [JSONValue] { filter { $0["event"]?.string == name } }

    /// How each request was answered, in order.
    var submissions: [String] { named("request.submitted").compactMap { $0["outcome"]?.string } }

    /// How each task ended, in order.
    var taskOutcomes: [String] { named("task.finished").compactMap { $0["outcome"]?.string } }

    /// The code of each task's error, in order.
    var errorCodes: [String] { named("task.finished").compactMap { $0["error"]?["code"]?.string } }

    /// Names of the states that the indicator took.
    var indicatorStates: [String] { named("indicator.changed").compactMap { $0["to"]?.string } }
}

extension JSONValue {
    /// Seconds since the start of the session.
    var t: Double { self["t"]?.double ?? .nan }
}
