internal import CCurl
import SluiceCore

/// The connections of one trust policy, and the handles whose TLS sessions belong to it.
///
/// curl uses a connection again whatever its handshake was judged by, and a handle keeps
/// its TLS sessions, whose resumption is not judged at all. So both exist once a policy:
/// what one policy accepted never serves another. Confined to the loop's thread; its
/// transfers may not outlive it. What every transfer touches is checked for exclusive access in debug builds
/// only: nothing of it is read or written while it is being changed.
@safe
final class CurlPool {
    let material: TrustMaterial
    let multi: UnsafeMutableRawPointer
    /// Handles without a transfer.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var idle: [CurlTransfer] = []
    /// Transfers under way.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var activeCount = 0
    /// Whether transfers that begin may share a connection of HTTP/2 with others.
    var sharesConnections = true {
        didSet {
            guard sharesConnections != oldValue else { return }
            unsafe sluice_multi_set_long(
                multi,
                CURLMOPT_PIPELINING,
                sharesConnections ? Int(CURLPIPE_MULTIPLEX) : Int(CURLPIPE_NOTHING)
            )
        }
    }
    /// When curl wants to be called.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private(set) var timer: Timestamp?
    let sockets: CurlSockets
    private let configuration: CurlTransport.Configuration
    private let jars: CookieJars?
    private let state: TransportState

    init(
        _ material: TrustMaterial,
        _ poller: Poller,
        _ configuration: CurlTransport.Configuration,
        _ jars: CookieJars?,
        _ state: TransportState
    ) {
        guard let multi = unsafe curl_multi_init() else { preconditionFailure("out of memory for connections") }
        unsafe self.multi = multi
        (self.material, self.configuration, self.jars, self.state) = (material, configuration, jars, state)
        sockets = CurlSockets(poller)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        // Sound: the multi handle, and with it every use of `me`, ends in `deinit`.
        unsafe sockets.attach(to: multi)
        unsafe sluice_multi_set_pointer(multi, CURLMOPT_TIMERDATA, me)
        unsafe sluice_multi_set_timer(multi, timerChanged)
        unsafe sluice_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maxConnections)
    }

    deinit {
        // Closing connections must not touch the loop, which may be gone already.
        unsafe sluice_multi_set_socket(multi, nil)
        unsafe sluice_multi_set_timer(multi, nil)
        // Easy handles first: each takes its leave from the connections that the multi handle owns.
        idle.removeAll()
        unsafe curl_multi_cleanup(multi)
    }

    /// A handle of this pool, to be given back through ``putBack(_:)``.
    func takeHandle() -> CurlTransfer {
        idle.popLast() ?? CurlTransfer(self, configuration, sharing: jars, sockets, state)
    }

    /// Keeps a handle that curl has let go of for the next transfer, if it may serve one.
    func putBack(_ handle: CurlTransfer) { if handle.isReusable { idle.append(handle) } }

    func owns(_ socket: Int32) -> Bool { sockets.isWatching(socket) }

    func isWanted(_ socket: Int32, bits: UInt32) -> Bool { sockets.isWanted(socket, bits: bits) }

    /// Tells the poller what changed; to be called before the loop sleeps.
    func flush() { sockets.flush() }

    /// Takes the next transfer that curl is done with.
    func takeEnded() -> (transfer: CurlTransfer, code: CURLcode)? {
        var remaining: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &remaining) {
            guard let handle = unsafe message.pointee.easy_handle else { continue }
            // Read before the handle is removed: that frees the message.
            let code = unsafe sluice_message_result(message)
            let transfer = unsafe CurlTransfer.of(handle)
            transfer.leave()
            transfer.lookForSurplus()
            return (transfer, code)
        }
        return nil
    }

    /// Runs curl's timer if it is due; a started transfer makes it due at once.
    func runTimer() -> Bool {
        guard let timer, timer <= state.now else { return false }
        self.timer = nil
        act(on: CURL_SOCKET_TIMEOUT, bits: 0)
        if self.timer == nil { askForTimer() }
        return true
    }

    func act(on socket: Int32, bits: Int32) {
        var running: Int32 = 0
        unsafe curl_multi_socket_action(multi, socket, bits, &running)
    }

    /// Asks curl for its next timer, since it reports one only when it changes.
    ///
    /// A timer counts from this turn's time and may so be early by the length of a turn; curl then
    /// does nothing, and would say nothing either.
    private func askForTimer() {
        var milliseconds = -1
        unsafe curl_multi_timeout(multi, &milliseconds)
        // Early, so not now: the clock of this turn stands still.
        if milliseconds >= 0 { setTimer(milliseconds: max(1, milliseconds)) }
    }

    fileprivate func setTimer(milliseconds: Int) {
        // Counted here, since a duration takes long to be made and read, and curl sets its timer for every transfer.
        let nanoseconds = Int64(clamping: min(milliseconds, 1 << 40)) * 1_000_000
        timer = milliseconds < 0 ? nil : Timestamp(nanoseconds: state.now.nanoseconds + nanoseconds)
    }
}

private func timerChanged(
    _ multi: UnsafeMutableRawPointer?,
    _ milliseconds: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<CurlPool>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.setTimer(milliseconds: milliseconds) }
    return 0
}
