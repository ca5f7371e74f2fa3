import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport

/// Answers on 127.0.0.1 with raw bytes from a script, so that it can also answer what is no HTTP.
///
/// One thread accepts, one more serves each connection; ``stop()`` ends them all.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        case send([UInt8])
        /// Reads so many bytes of the body of the request.
        case read(Int)
        /// Reads until the client closes the connection.
        case awaitClose
        /// Waits until ``ScriptedServer/open()``.
        case awaitGate
        /// Lets one ``ScriptedServer/waitForMark()`` return: what was sent before is with the client.
        case mark
        case close

        static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    private struct State {
        var answers: [String: [[Step]]]
        var requests: [String] = []
        var connections: [Int32] = []
        var threads: [WorkerThread] = []
        var accepted = 0
        var received = 0
        var sent = 0
        var isStopped = false
    }

    let port: UInt16
    private let listener: Int32
    private let gate = eventfd(0, Int32(EFD_SEMAPHORE))
    /// Rung whenever the client closes a connection that waits for it.
    private let closes = eventfd(0, Int32(EFD_SEMAPHORE))
    private let marks = eventfd(0, Int32(EFD_SEMAPHORE))
    private let state: Locked<State>

    /// Starts to serve.
    ///
    /// - Parameter answers: By path, the answers to one request after the other; the last one repeats.
    init(_ answers: [String: [[Step]]]) {
        state = Locked(State(answers: answers))
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        // Or the kernel would take much of a body that the script leaves where it is.
        var room: Int32 = 65_536
        _ = unsafe setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let isBound = unsafe bind(listener, address, size) == 0 && listen(listener, 64) == 0
                precondition(unsafe isBound && getsockname(listener, address, &size) == 0, "no socket on loopback")
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        spawn { $0.acceptAll() }
    }

    /// One answer that repeats.
    convenience init(_ answers: [String: [Step]]) { self.init(answers.mapValues { [$0] }) }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The heads of all requests so far, in order.
    var requests: [String] { state.withLock { $0.requests } }
    var accepted: Int { state.withLock { $0.accepted } }
    /// Bytes of bodies that scripts read so far.
    var received: Int { state.withLock { $0.received } }
    /// Bytes that went out so far, those that the kernel holds included.
    var sent: Int { state.withLock { $0.sent } }

    /// Blocks until the client closed one more connection that waits for it.
    ///
    /// - Returns: Whether it did, before one loses patience.
    func waitForClose() -> Bool { Self.take(closes) }

    /// Blocks until a script came to one more mark.
    ///
    /// - Returns: Whether one did, before one loses patience.
    func waitForMark() -> Bool { Self.take(marks) }

    private static func take(_ counter: Int32) -> Bool {
        var watched = pollfd(fd: counter, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&watched, 1, Int32(Duration.patience.seconds * 1_000)) == 1 else { return false }
        var value: eventfd_t = 0
        return unsafe eventfd_read(counter, &value) == 0
    }

    /// Lets one connection past its gate.
    func open() { eventfd_write(gate, 1) }

    func add(_ path: String, _ steps: [Step]) { state.withLock { $0.answers[path] = [steps] } }

    /// Ends all connections and threads; to be called once.
    func stop() {
        let threads = state.withLock { state in
            state.isStopped = true
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
            return state.threads
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for _ in threads { open() }
        // The acceptor first: it may add one more.
        threads.first?.join()
        for thread in state.withLock({ $0.threads }).dropFirst() { thread.join() }
        close(listener)
        close(gate)
        close(closes)
        close(marks)
    }

    private func spawn(_ body: @escaping @Sendable (ScriptedServer) -> Void) {
        let thread = WorkerThread { body(self) }
        state.withLock { $0.threads.append(thread) }
    }

    private func acceptAll() {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
            let isStopped = state.withLock { state in
                state.accepted += 1
                state.connections.append(connection)
                return state.isStopped
            }
            if isStopped { shutdown(connection, Int32(SHUT_RDWR)) }
            spawn { $0.serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        var isOpen = true
        while isOpen, let request = readHead(connection) {
            let path = String(request.split(separator: " ").dropFirst().first ?? "")
            let steps = state.withLock { state in
                state.requests.append(request)
                guard var answers = state.answers[path] else { return [Step.close] }
                let steps = answers.count > 1 ? answers.removeFirst() : answers[0]
                state.answers[path] = answers
                return steps
            }
            for step in steps where isOpen { isOpen = perform(step, connection) }
        }
        state.withLock { $0.connections.removeAll { $0 == connection } }
        close(connection)
    }

    /// - Returns: Whether the connection is still of use.
    private func perform(_ step: Step, _ connection: Int32) -> Bool {
        switch step {
        case .send(let bytes):
            return send(bytes, connection)
        case .read(let count):
            var missing = count
            while missing > 0 {
                let count = readSome(connection, limit: min(missing, 65_536))?.count ?? 0
                guard count > 0 else { return false }
                missing -= count
                state.withLock { $0.received += count }
            }
            return true
        case .awaitClose:
            while readSome(connection).map({ !$0.isEmpty }) ?? false {}
            eventfd_write(closes, 1)
            return false
        case .awaitGate:
            var value: eventfd_t = 0
            _ = unsafe eventfd_read(gate, &value)
            return true
        case .mark:
            eventfd_write(marks, 1)
            return true
        case .close:
            return false
        }
    }

    private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { bytes in
                unsafe Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
            state.withLock { $0.sent += count }
        }
        return true
    }

    private func readHead(_ connection: Int32) -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let bytes = readSome(connection, limit: 1), !bytes.isEmpty else { return nil }
            head += bytes
        }
        return String(decoding: head, as: UTF8.self)
    }

    private func readSome(_ connection: Int32, limit: Int = 4096) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = unsafe read(connection, &buffer, limit)
        return count < 0 ? nil : Array(buffer.prefix(count))
    }
}
