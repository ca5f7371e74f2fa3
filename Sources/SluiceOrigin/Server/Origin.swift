internal import CLinux
internal import SluiceCore
internal import SluiceSystem

/// An HTTP/1.1 server on 127.0.0.1 that answers exactly what a script says, mistakes included.
///
/// The demo downloads from it, and tests use it to show every fault a network can have.
/// It never listens on another interface, never touches files, and is no server for
/// production: a thread serves each connection, at most 256 at once; more have to wait.
///
/// While an answer is delayed, held or slow, it notices that the client closed; a client
/// that only ends its own direction counts as closed too.
public final class Origin: Sendable {
    /// Answers a request; the number counts the requests for its path from 1.
    ///
    /// Runs on the connection's thread, several at once.
    public typealias Script = @Sendable (OriginRequest, Int) -> OriginResponse

    /// Of the listening socket.
    public let port: UInt16
    /// Without a slash at the end.
    public var baseURL: String { "http://127.0.0.1:\(port)" }

    private let state = OriginState()
    private let listener: OriginListener

    /// Listens and serves until ``close()``.
    ///
    /// - Parameter port: 0 takes any free one.
    /// - Throws: ``OriginError`` if the port is taken, or the process out of descriptors or threads.
    public init(port: UInt16 = 0) throws(OriginError) {
        listener = try OriginListener(port: port, state: state)
        self.port = listener.port
    }

    deinit { listener.close() }

    /// The absolute URL of a path.
    public func url(_ path: String) -> String { baseURL + path }

    /// Sets what a path answers from now on, whatever the query.
    public func route(_ path: String, _ script: @escaping Script) { state.route(path, script) }

    /// Sets the one answer of a path from now on.
    public func route(_ path: String, _ response: OriginResponse) { state.route(path) { _, _ in response } }

    /// Sets what paths without a route answer; 404 at first.
    public func setFallback(_ script: @escaping Script) { state.route(nil, script) }

    /// What happened so far.
    public var log: OriginLog { state.log }

    /// Blocks until the log meets a condition.
    ///
    /// - Parameters:
    ///   - condition: Asked at once and again after every change.
    ///   - limit: The longest wait.
    /// - Returns: Whether it was met in time.
    /// - Precondition: The process has a file descriptor left.
    public func waitUntil(
        _ condition: (OriginLog) -> Bool,
        atMost limit: Duration = .seconds(60)
    ) -> Bool {
        let bell = Doorbell()
        let key = state.addWatcher(bell)
        defer { state.removeWatcher(key) }
        let deadline = MonotonicClock.now() + limit
        while true {
            bell.answer()
            if condition(log) { return true }
            let now = MonotonicClock.now()
            if now >= deadline { return false }
            var entry = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&entry, 1, MonotonicClock.milliseconds(from: now, to: deadline))
        }
    }

    /// Keeps answers back, from before their first byte, until ``release(_:)``.
    ///
    /// - Parameter path: Of that path only, or at the gate of that name; `nil` means of all.
    public func hold(_ path: String? = nil) { state.hold(path) }

    /// Lets held requests go on, and later ones pass.
    ///
    /// - Parameter path: Ends the hold of that path or gate only; `nil` ends every hold.
    public func release(_ path: String? = nil) { state.release(path) }

    /// Closes the listening socket and every connection, and ends every thread; once is enough.
    public func close() { listener.close() }
}
