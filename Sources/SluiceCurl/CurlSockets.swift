internal import CCurl
internal import CLinux
internal import Glibc
internal import SluiceCore

/// What curl wants to know of its sockets, told to the poller once a round.
///
/// Between two requests on one connection, curl lets go of a socket and takes it back
/// soon; told each time, that would be two or three system calls a request. So a
/// connection stays in the poller until it has something to say while nobody listens.
/// That is only safe where it is known when a descriptor's number changes hands, so it
/// holds for connections, whose opening and closing curl announces, and not for the
/// sockets that curl's resolver uses. What is said while nobody listens is noted too: over
/// HTTP/1 it would be taken for the answer to the next request. Confined to the loop's thread. Must outlive the
/// handles. What every transfer touches is checked for exclusive access in debug builds only.
@safe
final class CurlSockets {
    private struct Watch {
        /// What the poller knows.
        var known: UInt32 = 0
        var wanted: UInt32 = 0
        var isListed = false
        /// Whether curl announced its opening, and so will announce its closing.
        var isConnection = false
        /// Whether its peer may say things that answer no request, as HTTP/2 does.
        var isMultiplexed = false
        /// The port of this end, once it was asked for; 0 before.
        var port = 0
        /// Whether the peer spoke while nobody listened.
        var hasSpoken = false
    }

    private let poller: Poller
    /// By descriptor.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var watches: [Watch] = []
    /// Descriptors that may have changed since the poller was told.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var changed: [Int32] = []
    /// Connections whose peer spoke while nobody listened, or is gone; few, and none for long.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var spoken: [Int32] = []
    /// Connections that brought nothing for as long as somebody waits; until they do, or are closed.
    private(set) var shunned: [Int32] = []

    init(_ poller: Poller) { self.poller = poller }

    /// Wires a multi handle.
    func attach(to multi: UnsafeMutableRawPointer) {
        unsafe sluice_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, me)
        unsafe sluice_multi_set_socket(multi, socketChanged)
    }

    /// Wires an easy handle, to hear of its connections.
    func attach(toHandle handle: UnsafeMutableRawPointer) {
        unsafe sluice_set_pointer(handle, CURLOPT_CLOSESOCKETDATA, me)
        unsafe sluice_set_close(handle, socketEnded)
        unsafe sluice_set_pointer(handle, CURLOPT_SOCKOPTDATA, me)
        unsafe sluice_set_opened(handle, socketOpened)
    }

    /// Whether events of a socket are meant for this.
    func isWatching(_ socket: Int32) -> Bool {
        watches.indices.contains(Int(socket)) && watches[Int(socket)].known != 0
    }

    /// Tells the poller what changed; to be called before the loop sleeps.
    func flush() {
        if changed.isEmpty { return }
        for socket in changed {
            watches[Int(socket)].isListed = false
            let watch = watches[Int(socket)]
            if watch.wanted != 0 {
                tell(socket)
            } else if watch.isConnection, !watch.hasSpoken, !Self.hears(watch.known) {
                // Else nobody would hear what an idle one says.
                poller.watch(socket, for: EPOLLIN.rawValue, isNew: watch.known == 0)
                watches[Int(socket)].known = EPOLLIN.rawValue
            }
        }
        changed.removeAll(keepingCapacity: true)
    }

    /// Says whether curl is to be told of a socket that is ready; the poller forgets one that it has no use for.
    ///
    /// - Parameters:
    ///   - socket: Any that this watches.
    ///   - bits: What it is ready for; room to send says nothing of the peer.
    /// - Returns: Whether curl wants to hear of it.
    func isWanted(_ socket: Int32, bits: UInt32) -> Bool {
        guard socket < watches.count, watches[Int(socket)].isConnection, watches[Int(socket)].wanted == 0 else {
            return true
        }
        tell(socket)
        if bits & ~EPOLLOUT.rawValue != 0 {
            noteSpeech(of: socket)
        } else if !watches[Int(socket)].isListed {
            watches[Int(socket)].isListed = true
            changed.append(socket)
        }
        return false
    }

    // MARK: Speech that nobody asked for

    /// Whether curl announced the opening of a socket, as it does of connections.
    func isConnection(_ socket: Int32) -> Bool {
        watches.indices.contains(Int(socket)) && watches[Int(socket)].isConnection
    }

    /// Whether the connection is one of HTTP/1 on which curl waits for nothing.
    func isIdle(_ socket: Int32) -> Bool {
        guard watches.indices.contains(Int(socket)) else { return false }
        let watch = watches[Int(socket)]
        return watch.isConnection && watch.wanted == 0 && !watch.isMultiplexed
    }

    /// Lets the peer speak whenever it wants, since what it says is never taken for an answer.
    func allowSpeech(of socket: Int32) {
        guard watches.indices.contains(Int(socket)) else { return }
        watches[Int(socket)].isMultiplexed = true
    }

    /// The connection from a port of this end; −1 if there is none, or several to different hosts.
    func connection(fromPort port: Int) -> Int32 {
        var found: Int32 = -1
        if port <= 0 { return found }
        for socket in watches.indices where watches[socket].isConnection && self.port(of: socket) == port {
            if found >= 0 { return -1 }
            found = Int32(socket)
        }
        return found
    }

    /// Notes that there is something to read that belongs to no request.
    func noteSpeech(of socket: Int32) {
        guard watches.indices.contains(Int(socket)) else { return }
        let watch = watches[Int(socket)]
        guard watch.isConnection, !watch.isMultiplexed, !watch.hasSpoken else { return }
        watches[Int(socket)].hasSpoken = true
        spoken.append(socket)
    }

    /// Whether a peer spoke on a connection from this port while nobody listened, or is believed to be gone.
    ///
    /// The port is all by which curl tells which connection it is about to use; connections to several hosts may have
    /// the same. So what spoke stays noted until it is closed.
    func isUnfit(atPort port: Int) -> Bool {
        if spoken.isEmpty && shunned.isEmpty { return false }
        return port > 0 && (spoken + shunned).contains { self.port(of: Int($0)) == port }
    }

    /// What was said is read now, or its connection is no more.
    func forgetSpeech(of socket: Int32) {
        guard watches.indices.contains(Int(socket)), watches[Int(socket)].hasSpoken else { return }
        watches[Int(socket)].hasSpoken = false
        spoken.removeAll { $0 == socket }
        // The poller let go of it, and curl may not ask for it again before it is idle.
        if watches[Int(socket)].wanted == 0, !watches[Int(socket)].isListed {
            watches[Int(socket)].isListed = true
            changed.append(socket)
        }
    }

    // MARK: Connections that are believed to be dead

    /// Notes that no request is to go over a connection any more, if nothing came over it for so long.
    ///
    /// To whomever it was: one stream of HTTP/2 may stand still while others go on.
    func shun(_ socket: Int32, silentFor silence: Duration) {
        guard isConnection(socket), !shunned.contains(socket),
            sluice_silence(socket) >= silence.nanoseconds / 1_000_000
        else { return }
        shunned.append(socket)
    }

    /// Whether there is a connection that is believed to be dead.
    var hasShunned: Bool { !shunned.isEmpty }

    /// Takes a connection for a live one again if something came over it just now, and was not only kept by curl.
    func unshun(_ socket: Int32) {
        guard shunned.contains(socket), 0..<Self.justNow ~= sluice_silence(socket) else { return }
        shunned.removeAll { $0 == socket }
    }

    /// For how long nothing more came of what answers the last request over a connection of HTTP/1.
    ///
    /// - Returns: `nil` where nothing of it came, or nobody knows, since it may be of other requests.
    func silence(ofAnswerOn socket: Int32) -> Duration? {
        guard isConnection(socket), !watches[Int(socket)].isMultiplexed else { return nil }
        let silence = sluice_answer_silence(socket)
        return silence < 0 ? nil : .milliseconds(silence)
    }

    /// In milliseconds.
    private static let justNow: Int64 = 1_000

    /// Ends a connection that nobody uses, so that curl finds it closed, and closes it too.
    func hangUp(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

    // MARK: What curl wants

    /// Asks once a connection; 0 as long as it has none.
    private func port(of socket: Int) -> Int {
        if watches[socket].port != 0 { return watches[socket].port }
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(Int32(socket), $0, &size)
            }
        }
        // The port has the same place in the addresses of both kinds.
        if status == 0 { watches[socket].port = Int(UInt16(bigEndian: address.sin6_port)) }
        return watches[socket].port
    }

    private static func hears(_ bits: UInt32) -> Bool { bits & EPOLLIN.rawValue != 0 }

    private func tell(_ socket: Int32) {
        let watch = watches[Int(socket)]
        if watch.known == watch.wanted { return }
        watches[Int(socket)].known = watch.wanted
        if watch.wanted == 0 {
            poller.forget(socket)
        } else {
            poller.watch(socket, for: watch.wanted, isNew: watch.known == 0)
        }
    }

    // Sound: the handles that call back with this are gone before the transport lets go of this.
    private var me: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    fileprivate func want(_ bits: UInt32, of socket: Int32) {
        makeRoom(for: socket)
        watches[Int(socket)].wanted = bits
        if !watches[Int(socket)].isConnection { return tell(socket) }
        let known = watches[Int(socket)].known
        if bits != 0 { forgetSpeech(of: socket) }
        if watches[Int(socket)].isListed || (bits == 0 ? Self.hears(known) : known == bits) { return }
        watches[Int(socket)].isListed = true
        changed.append(socket)
    }

    fileprivate func open(_ socket: Int32) {
        makeRoom(for: socket)
        watches[Int(socket)] = Watch(isListed: watches[Int(socket)].isListed, isConnection: true)
    }

    /// Closes a socket; the poller forgets it by itself.
    fileprivate func end(_ socket: Int32) {
        makeRoom(for: socket)
        if watches[Int(socket)].hasSpoken { spoken.removeAll { $0 == socket } }
        if !shunned.isEmpty { shunned.removeAll { $0 == socket } }
        watches[Int(socket)] = Watch(isListed: watches[Int(socket)].isListed)
        close(socket)
    }

    private func makeRoom(for socket: Int32) {
        while watches.count <= Int(socket) { watches.append(Watch()) }
    }
}

private func socketChanged(
    _ handle: UnsafeMutableRawPointer?,
    _ socket: curl_socket_t,
    _ what: Int32,
    _ context: UnsafeMutableRawPointer?,
    _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    let bits =
        switch what {
        case CURL_POLL_IN: EPOLLIN.rawValue
        case CURL_POLL_OUT: EPOLLOUT.rawValue
        case CURL_POLL_INOUT: EPOLLIN.rawValue | EPOLLOUT.rawValue
        default: UInt32(0)
        }
    if let handle = unsafe handle, bits & EPOLLIN.rawValue != 0 { unsafe CurlTransfer.note(socket, of: handle) }
    unsafe Unmanaged<CurlSockets>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.want(bits, of: socket) }
    return 0
}

private func socketOpened(
    _ context: UnsafeMutableRawPointer?,
    _ socket: curl_socket_t,
    _ purpose: curlsocktype
) -> Int32 {
    guard let context = unsafe context else { return Int32(CURL_SOCKOPT_ERROR) }
    unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().open(socket)
    return Int32(CURL_SOCKOPT_OK)
}

private func socketEnded(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().end(socket)
    return 0
}
