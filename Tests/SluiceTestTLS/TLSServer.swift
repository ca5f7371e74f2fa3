internal import CLinux
internal import COpenSSL
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// An HTTPS server on loopback that shows any chain, and remembers every byte that a client said to it.
///
/// A thread accepts, one more serves each connection; ``stop()`` ends them all. Speaks
/// HTTP/1.1, and as much HTTP/2 as a GET needs.
@safe
public final class TLSServer: Sendable {
    /// How a server behaves for its whole life.
    public struct Behaviour: Sendable {
        /// Whether it offers HTTP/2.
        public var offersHTTP2 = false
        /// Requests after which it closes a connection; 0 means never.
        public var requestsPerConnection = 0
        /// The newest version it speaks is TLS 1.2, where sessions are resumed another way.
        public var isTLS12 = false
        /// The newest version it speaks is TLS 1.1.
        public var isTLS11 = false
        /// Asks clients for a certificate.
        public var asksForClient = false
        /// Ends handshakes of clients that show none.
        public var requiresClient = false
        /// Ends handshakes of clients that show one.
        public var refusesClients = false
        /// Called with the number of a connection, from 0, before its handshake.
        public var beforeHandshake: @Sendable (Int) -> Void = { _ in }
        /// Listens on 127.0.0.2.
        public var isElsewhere = false
        /// Fields of every answer, each with its line break.
        public var fields = ""
        /// What paths answer instead: the head without its blank line.
        public var heads: [String: String] = [:]
        /// What paths answer instead: all of it, each text in a record of its own.
        public var records: [String: [String]] = [:]
        /// Paths of ``records`` after which a connection ends without closing TLS, or, if `true`, closes it.
        public var closes: [String: Bool] = [:]
        /// Connections that end within their handshakes, from the first on.
        public var brokenHandshakes = 0
        /// What paths of HTTP/2 answer instead: so many times this byte.
        ///
        /// They go out frame by frame, in turns with others of the connection. Behind such a path stands many a `~`.
        public var bodies: [String: (byte: UInt8, count: Int)] = [:]
        /// After how many bytes the stream of such a body is reset.
        public var resets: [String: Int] = [:]
        /// The code of such a reset; 2 is INTERNAL_ERROR.
        public var resetCode: UInt8 = 2
        /// Paths of HTTP/2 after which a connection says nothing any more, as if the network had changed.
        public var deaf: Set<String> = []
        /// Paths of HTTP/2 that are never answered, while all others are.
        public var mute: Set<String> = []
        /// A second length of every answer of HTTP/2.
        public var secondLength: String?
        public init() {}
    }

    /// What a server saw of one connection.
    public struct Connection: Sendable {
        /// Whether the handshake came to its end.
        public var isShaken = false
        public var isResumed = false
        /// Bytes that came after the handshake, decrypted.
        public var byteCount = 0
        /// The first lines of the requests; for HTTP/2 their streams.
        public var requests: [String] = []
        /// The heads of the requests of HTTP/1.1, whole.
        public var heads: [String] = []
        /// Whether the client showed a certificate.
        public var hasClient = false
        public var isHTTP2 = false
        public var isEnded = false
    }

    private struct State {
        var connections: [Connection] = []
        var sockets: [Int32] = []
        var threads: [WorkerThread] = []
        var isStopped = false
    }

    public let port: UInt16
    private let listener: Int32
    private let behaviour: Behaviour
    private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    // Sound: OpenSSL locks what connections share of it, and nothing changes it after `init`.
    nonisolated(unsafe) private let context: OpaquePointer
    private let state = Locked(State())

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - chain: What it shows, the leaf with its key first.
    ///   - behaviour: How it answers.
    public init(_ chain: [TestCertificate], _ behaviour: Behaviour = Behaviour()) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()), let leaf = chain.first else {
            preconditionFailure("a server needs a certificate, and memory")
        }
        unsafe SSL_CTX_use_certificate(context, leaf.certificate)
        unsafe SSL_CTX_use_PrivateKey(context, leaf.key)
        for certificate in chain.dropFirst() { unsafe sluice_add_chain_certificate(context, certificate.certificate) }
        if behaviour.offersHTTP2 { unsafe SSL_CTX_set_alpn_select_cb(context, chooseHTTP2, nil) }
        if behaviour.isTLS12 { unsafe sluice_set_last_version(context, sluice_tls_1_2()) }
        if behaviour.isTLS11 {
            unsafe SSL_CTX_set_security_level(context, 0)
            unsafe sluice_set_last_version(context, sluice_tls_1_1())
        }
        if behaviour.asksForClient || behaviour.requiresClient || behaviour.refusesClients {
            unsafe sluice_ask_for_client(context, behaviour.requiresClient ? 1 : 0)
            let accepts: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { _, _ in 1 }
            let refuses: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { _, _ in 0 }
            unsafe SSL_CTX_set_cert_verify_callback(context, behaviour.refusesClients ? refuses : accepts, nil)
        }
        // As the servers of the web do: else OpenSSL forgets, before TLS 1.3, the session of a client that leaves
        // without close_notify, which curl does with HTTP/2.
        unsafe SSL_CTX_set_options(context, sluice_forgive_leaving())
        unsafe SSL_CTX_set_session_id_context(context, [1], 1)
        unsafe self.context = context
        self.behaviour = behaviour
        (listener, port) = Self.listen(behaviour.isElsewhere ? 0x7F00_0002 : 0x7F00_0001)
        spawn { $0.acceptAll() }
    }

    deinit {
        unsafe SSL_CTX_free(context)
        close(bell)
    }

    /// The URL of a path at a name that means loopback.
    public func url(_ path: String = "/", host: String = "localhost") -> String { "https://\(host):\(port)\(path)" }

    /// What it saw so far, in the order of the connections.
    public var connections: [Connection] { state.withLock { $0.connections } }

    /// Blocks until a condition holds for the connections.
    ///
    /// - Returns: Whether it did within a minute.
    public func wait(until condition: ([Connection]) -> Bool) -> Bool {
        let deadline = MonotonicClock.now() + .seconds(60)
        while true {
            var rings: eventfd_t = 0
            _ = unsafe eventfd_read(bell, &rings)
            if condition(connections) { return true }
            let left = deadline - MonotonicClock.now()
            if left <= .zero { return false }
            var entry = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&entry, 1, Int32(left.nanoseconds / 1_000_000 + 1))
        }
    }

    /// Ends all connections and threads; to be called once.
    public func stop() {
        let threads = state.withLock { state in
            state.isStopped = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            return state.threads
        }
        shutdown(listener, Int32(SHUT_RDWR))
        // The acceptor first: it may add one more.
        threads.first?.join()
        for thread in state.withLock({ $0.threads }).dropFirst() { thread.join() }
        close(listener)
    }

    // MARK: Threads

    private func acceptAll() {
        while case let socket = accept(listener, nil, nil), socket >= 0 {
            let (number, isStopped) = state.withLock { state in
                state.connections.append(Connection())
                state.sockets.append(socket)
                return (state.connections.count - 1, state.isStopped)
            }
            if isStopped { shutdown(socket, Int32(SHUT_RDWR)) }
            spawn { $0.serve(socket, number) }
        }
    }

    private func serve(_ socket: Int32, _ number: Int) {
        var yes: Int32 = 1
        _ = unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        behaviour.beforeHandshake(number)
        if number < behaviour.brokenHandshakes {
            awaitHello(socket)
        } else if let connection = unsafe SSL_new(context) {
            unsafe SSL_set_fd(connection, socket)
            if unsafe SSL_accept(connection) == 1 {
                let session = unsafe TLSConversation(connection, behaviour) { change in self.note(number, change) }
                session.run()
            }
            unsafe SSL_free(connection)
        }
        state.withLock { state in
            state.sockets.removeAll { $0 == socket }
            state.connections[number].isEnded = true
        }
        close(socket)
        eventfd_write(bell, 1)
    }

    /// Reads a little, so that closing the socket takes the handshake back with what is left.
    private func awaitHello(_ socket: Int32) {
        var byte: UInt8 = 0
        _ = unsafe recv(socket, &byte, 1, 0)
    }

    private func note(_ number: Int, _ change: (inout Connection) -> Void) {
        state.withLock { change(&$0.connections[number]) }
        eventfd_write(bell, 1)
    }

    private func spawn(_ body: @escaping @Sendable (TLSServer) -> Void) {
        let thread = WorkerThread { body(self) }
        state.withLock { $0.threads.append(thread) }
    }

    private static func listen(_ place: UInt32) -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = place.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let isBound = unsafe bind(listener, address, size) == 0 && Glibc.listen(listener, 256) == 0
                precondition(unsafe isBound && getsockname(listener, address, &size) == 0, "no socket on loopback")
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}

/// Prefers HTTP/2 where the client offers it.
private func chooseHTTP2(
    _ connection: OpaquePointer?,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredLength: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    var place = 0
    while let offered = unsafe offered, place < Int(offeredLength) {
        let count = Int(unsafe offered[place])
        if count == 2, unsafe offered[place + 1] == UInt8(ascii: "h"), unsafe offered[place + 2] == UInt8(ascii: "2") {
            unsafe chosen?.pointee = offered + place + 1
            unsafe length?.pointee = 2
            return sluice_name_taken()
        }
        place += count + 1
    }
    return sluice_name_ignored()
}
