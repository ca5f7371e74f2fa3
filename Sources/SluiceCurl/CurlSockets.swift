internal import CCurl
internal import CLinux

/// What curl wants to know of its sockets, told to the poller once a round.
///
/// Between two requests on one connection, curl lets go of a socket and takes it back
/// soon; told each time, that would be two or three system calls a request. So a
/// connection stays in the poller until it has something to say while nobody listens.
/// That is only safe where it is known when a descriptor's number changes hands, so it
/// holds for connections, whose opening and closing curl announces, and not for the
/// sockets that curl's resolver uses. Confined to the loop's thread. Must outlive the
/// handles.
@safe
final class CurlSockets {
    private struct Watch {
        /// What the poller knows.
        var known: UInt32 = 0
        var wanted: UInt32 = 0
        var isListed = false
        /// Whether curl announced its opening, and so will announce its closing.
        var isConnection = false
    }

    private let poller: Poller
    /// By descriptor.
    private var watches: [Watch] = []
    /// Descriptors that may have changed since the poller was told.
    private var changed: [Int32] = []

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
            if watches[Int(socket)].wanted != 0 { tell(socket) }
        }
        changed.removeAll(keepingCapacity: true)
    }

    /// Whether curl wants to hear of a socket that is ready; the poller forgets one that it does not.
    func isWanted(_ socket: Int32) -> Bool {
        guard socket < watches.count, watches[Int(socket)].isConnection, watches[Int(socket)].wanted == 0 else {
            return true
        }
        tell(socket)
        return false
    }

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
        if bits == 0 || watches[Int(socket)].isListed || watches[Int(socket)].known == bits { return }
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
    unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().want(bits, of: socket)
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
