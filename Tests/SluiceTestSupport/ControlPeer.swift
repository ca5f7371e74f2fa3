import CLinux
import Glibc
public import SluiceCore

/// A program at the other end of a control socket; every wait is bounded.
public final class ControlPeer {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var searched = 0
    private var lastID = 0
    /// Whether the other side closed the connection.
    public private(set) var hasEnded = false

    /// Connects, as soon as somebody listens there.
    public init(_ path: String, within limit: Duration = .patience) throws {
        let end = ContinuousClock.now + limit
        while true {
            let descriptor = unsafe sluice_unix_connect(path)
            if descriptor >= 0 {
                self.descriptor = descriptor
                return
            }
            guard ContinuousClock.now < end else { throw Failure(description: "nobody listens on \(path)") }
            poll(nil, 0, 5)
        }
    }

    deinit { close(descriptor) }

    /// Lets the test have more connections than processes usually may.
    public static func allowManyConnections() { _ = sluice_raise_descriptor_limit(4_096) }

    /// Sends what fits; the rest of it too, as long as the other side reads.
    ///
    /// - Returns: Whether all went.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&entry, 1, 20_000) == 1 else { return false }
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[sent...])
                return unsafe Glibc.send(
                    descriptor,
                    rest.baseAddress,
                    rest.count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                )
            }
            if count < 0, errno == EAGAIN { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    public func send(line: String) { send(Array((line + "\n").utf8)) }

    /// What came behind the last whole line.
    public var rest: String { String(decoding: received, as: UTF8.self) }

    /// Says that nothing more will be sent.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line, without its line break; `nil` at the end, or if none comes.
    public func receive(within limit: Duration = .patience) -> String? {
        let end = ContinuousClock.now + limit
        while true {
            if let place = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer {
                    received.removeFirst(place + 1)
                    searched = 0
                }
                return String(decoding: received[..<place], as: UTF8.self)
            }
            searched = received.count
            let rest = end - ContinuousClock.now
            guard rest > .zero, !hasEnded else { return nil }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, Int32(rest.components.seconds * 1_000 + 1)) == 1 else { return nil }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if count <= 0 { hasEnded = true } else { received += chunk[..<count] }
        }
    }

    /// Calls, and waits for the answer; events that come before it are put into `events`.
    ///
    /// - Returns: The answer's line.
    public func answer(_ method: String, _ parameters: String? = nil) throws -> String {
        lastID += 1
        let params = parameters.map { #","params":\#($0)"# } ?? ""
        send(line: #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)"\#(params)}"#)
        while let line = receive() {
            let value = try JSONValue(parsing: line)
            if value["id"] == .integer(lastID) { return line }
            guard value["method"]?.string == "event", let event = value["params"] else {
                throw Failure(description: "neither answer nor event: \(line)")
            }
            events.append(event)
        }
        throw Failure(description: "\(method) has no answer")
    }

    /// Events that came while an answer was waited for.
    public private(set) var events: [JSONValue] = []

    /// Calls, and checks the result against the schema.
    @discardableResult
    public func call(_ method: String, _ parameters: String? = nil, as schema: String? = nil) throws -> JSONValue {
        try ControlSchema.check(result: try answer(method, parameters), of: schema ?? method)
    }

    /// Calls, and expects to be refused.
    public func refusal(_ method: String, _ parameters: String? = nil) throws -> (code: Int, message: String) {
        try ControlSchema.check(error: try answer(method, parameters))
    }

    /// The next event of a subscription.
    public func nextEvent() throws -> JSONValue {
        if !events.isEmpty { return events.removeFirst() }
        guard let line = receive() else { throw Failure(description: "no event came") }
        let value = try JSONValue(parsing: line)
        guard value["jsonrpc"] == .string("2.0"), value["method"] == .string("event"), value.object?.count == 3,
            let event = value["params"]
        else { throw Failure(description: "no event: \(line)") }
        return event
    }

    /// Reads events up to the first of a name.
    public func events(until name: String) throws -> [JSONValue] {
        var read: [JSONValue] = []
        while read.last?["event"]?.string != name { read.append(try nextEvent()) }
        return read
    }
}
