/// Writes what goes to a client of the control socket: results, errors and notifications, one a line.
///
/// A value without state: one may serve several streams and threads.
public struct ControlEncoder: Sendable {
    let events: EventEncoder

    /// - Parameter events: Writes events in the form of the event stream.
    public init(events: EventEncoder) { self.events = events }

    /// Appends the answer to one call, without a line break.
    public func append(_ reply: PipelineReply, to call: ControlCall, to bytes: inout [UInt8]) {
        if let error = Self.error(reply.answer) { return append(error, id: call.id, to: &bytes) }
        guard let id = call.id else { return }
        var json = JSONWriter(appendingTo: &bytes)
        Self.begin(id, &json)
        json.key("result")
        appendResult(reply, call, to: &json)
        json.endObject()
        json.finish(into: &bytes)
    }

    /// Appends the refusal of one call, without a line break; nothing for a notification.
    public func append(_ error: ControlError, id: ControlCall.ID?, to bytes: inout [UInt8]) {
        guard let id else { return }
        var json = JSONWriter(appendingTo: &bytes)
        Self.begin(id, &json)
        json.key("error")
        json.beginObject()
        json.field("code", error.code)
        json.field("message", error.message)
        json.endObject()
        json.endObject()
        json.finish(into: &bytes)
    }

    /// Appends an empty result, without a line break.
    public func appendEmpty(to call: ControlCall, to bytes: inout [UInt8]) {
        append(PipelineReply(.done, seq: 0, time: events.start.time), to: call, to: &bytes)
    }

    private static func begin(_ id: ControlCall.ID, _ json: inout JSONWriter) {
        json.beginObject()
        json.field("jsonrpc", word: "2.0")
        json.key("id")
        switch id {
        case .null: json.null()
        case .integer(let number): json.integer(number)
        case .number(let text): json.number(text)
        case .string(let text): json.string(text)
        }
    }

    private static func error(_ answer: PipelineAnswer) -> ControlError? {
        switch answer {
        case .unknownTask(let task):
            .unknown("task \(task.rawValue) is unknown: it never was, or ended too long ago")
        case .unknownReceipt(let receipt): .unknown("receipt \(receipt.rawValue) is unknown: it never was")
        case .refused(let error): .field("value", error.message)
        case .trustRefused(let error): .field("pins", error.message)
        case .shuttingDown: .shuttingDown
        case .submissions, .changed, .tasks, .setting, .trust, .trustChanged, .state, .queue, .task, .cachedImages,
            .purged, .batch, .done:
            nil
        }
    }

    /// Appends one event as a notification, its line break included.
    public func append(_ event: PipelineEvent, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"jsonrpc":"2.0","method":"event","params":"#.utf8)
        events.append(event, to: &bytes)
        bytes.removeLast()
        bytes.append(contentsOf: "}\n".utf8)
    }

    /// Appends the news that events before `seq` are lost to a client, its line break included.
    public func appendLost(seq: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"jsonrpc":"2.0","method":"lost","params":{"seq":\#(seq)}}"#.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension ControlMethod {
    /// Writes a call as a client sends it, its line break included.
    ///
    /// - Parameters:
    ///   - id: Comes back with the answer.
    ///   - method: Its name, known or not.
    ///   - parameters: A JSON text that was read before.
    /// - Returns: One line.
    public static func line(id: Int, method: String, parameters: String?) -> [UInt8] {
        var bytes: [UInt8] = []
        var json = JSONWriter(appendingTo: &bytes)
        json.beginObject()
        json.field("jsonrpc", word: "2.0")
        json.field("id", id)
        json.field("method", method)
        if let parameters {
            json.key("params")
            // Only between tokens: in a text both are escaped.
            let bytes = parameters.utf8.map { $0 == 10 || $0 == 13 ? UInt8(ascii: " ") : $0 }
            json.number(String(decoding: bytes, as: UTF8.self))
        }
        json.endObject()
        json.endLine()
        json.finish(into: &bytes)
        return bytes
    }
}

extension ControlMethod {
    /// The parameters of a `submit` of URLs that a user names: what failed before is tried again.
    public static func submitParameters(urls: [String]) -> String {
        var bytes: [UInt8] = []
        var json = JSONWriter(appendingTo: &bytes)
        json.beginObject()
        json.key("urls")
        json.beginArray()
        for url in urls { json.string(url) }
        json.endArray()
        json.field("retryFailed", true)
        json.endObject()
        json.finish(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
