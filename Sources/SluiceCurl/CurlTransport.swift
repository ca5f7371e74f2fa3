internal import CCurl
internal import CLinux
public import SluiceCore

/// Transfers over libcurl's multi interface, driven by socket events.
///
/// Owned by a pipeline and confined to its loop. No callback of curl leaves this
/// file and ``CurlTransfer``; what happened is asked for, after curl returned,
/// because inside a callback curl allows next to nothing. It follows redirects
/// itself, so that no credentials go where they don't belong.
@safe
public final class CurlTransport: HTTPTransport {
    /// What holds for the whole life of a transport.
    public struct Configuration: Sendable {
        /// Which addresses of a host are used.
        public enum IPVersion: Sendable {
            case any
            case v4
            case v6
        }
        /// The certificate authorities, as a PEM file; `nil` means the system's.
        public var caFile: String?
        /// Whether cookies are taken and sent, in memory only.
        public var cookies = true
        public var ipVersion = IPVersion.any
        /// Connections kept open for reuse.
        public var maxConnections = 64
        public init() {}
    }

    public var limits: TransportLimits {
        get { state.limits }
        set { change(to: newValue) }
    }

    private let multi: UnsafeMutableRawPointer
    private let sockets: CurlSockets
    private let configuration: Configuration
    private let share: CurlShare?
    private let state = TransportState()
    private var active: [TransferID: CurlTransfer] = [:]
    private var idle: [CurlTransfer] = []
    /// When curl wants to be called.
    private var timer: Timestamp?
    /// When a transfer may have been silent for too long, at the earliest.
    private var silenceCheck: Timestamp?

    /// - Parameters:
    ///   - poller: Of the loop whose client owns this transport.
    ///   - configuration: What holds for all transfers.
    public init(poller: Poller, configuration: Configuration = Configuration()) {
        precondition(CurlLibrary.isReady, "libcurl can't be set up")
        guard let multi = unsafe curl_multi_init() else { preconditionFailure("out of memory at start-up") }
        unsafe self.multi = multi
        (sockets, self.configuration) = (CurlSockets(poller), configuration)
        share = configuration.cookies ? CurlShare() : nil
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
        for transfer in active.values { unsafe curl_multi_remove_handle(multi, transfer.handle) }
        // Easy handles first: each takes its leave from the connections that the multi handle owns.
        active.removeAll()
        idle.removeAll()
        unsafe curl_multi_cleanup(multi)
    }

    public var deadline: Timestamp? {
        if state.hasNews { return state.now }
        var earliest = timer
        if let silenceCheck { earliest = min(earliest ?? silenceCheck, silenceCheck) }
        if state.limiter.rate > 0, let deal = state.limiter.deadline { earliest = min(earliest ?? deal, deal) }
        return earliest
    }

    public func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp) {
        state.now = now
        let handle = idle.popLast() ?? CurlTransfer(configuration, sharing: share, sockets, state)
        handle.begin(transfer, request, into: sink)
        active[transfer] = handle
        state.limiter.add(transfer)
        watchSilence(from: now)
        if let error = Self.refusal(request) {
            handle.fail(error)
            retire(handle, CURLE_OK)
        } else {
            unsafe curl_multi_add_handle(multi, handle.handle)
        }
    }

    public func abort(_ transfer: TransferID) {
        guard let handle = active[transfer] else { return }
        handle.fail(.cancelled)
        retire(handle, CURLE_ABORTED_BY_CALLBACK)
    }

    public func resumeReading(_ transfer: TransferID) { resume(transfer, .sink) }

    public func progress(of transfer: TransferID) -> (received: Int, expected: Int?) {
        active[transfer]?.progress ?? (0, nil)
    }

    public func socketsReady(_ ready: [SocketEvent], now: Timestamp) {
        state.now = now
        for event in ready {
            var bits: UInt32 = 0
            if event.bits & EPOLLIN.rawValue != 0 { bits |= UInt32(CURL_CSELECT_IN) }
            if event.bits & EPOLLOUT.rawValue != 0 { bits |= UInt32(CURL_CSELECT_OUT) }
            if event.bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { bits |= UInt32(CURL_CSELECT_ERR) }
            act(on: event.descriptor, bits: Int32(bits))
        }
    }

    public func nextNews(now: Timestamp) -> TransportNews? {
        state.now = now
        if let news = state.takeNews() { return news }
        if state.limiter.rate > 0 { for transfer in state.limiter.deal(now: now) { resume(transfer, .rate) } }
        endSilentTransfers()
        repeat {
            collectEnded()
            if let news = state.takeNews() { return news }
        } while runTimer()
        sockets.flush()
        return nil
    }

    // MARK: Ends

    private static func refusal(_ request: TransferRequest) -> DownloadError? {
        if request.method == "GET" || request.method == "HEAD" { return nil }
        return DownloadError(.unsupported, "the method \(request.method) can't be sent: use GET")
    }

    private func collectEnded() {
        var remaining: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &remaining) {
            guard let handle = unsafe message.pointee.easy_handle else { continue }
            // Read before the handle is removed: that frees the message.
            let code = unsafe sluice_message_result(message)
            let transfer = unsafe CurlTransfer.of(handle)
            unsafe curl_multi_remove_handle(multi, handle)
            if transfer.continueElsewhere() {
                unsafe curl_multi_add_handle(multi, handle)
            } else {
                retire(transfer, code)
            }
        }
    }

    /// Takes a transfer from curl, closing its connection if it was under way, and keeps the handle for the next one.
    private func retire(_ handle: CurlTransfer, _ code: CURLcode) {
        let ended = handle.end(code)
        unsafe curl_multi_remove_handle(multi, handle.handle)
        guard let ended else { return }
        active[ended.transfer] = nil
        state.limiter.remove(ended.transfer)
        idle.append(handle)
        state.post(.ended(ended))
    }

    // MARK: Stops and limits

    private func resume(_ transfer: TransferID, _ reason: CurlTransfer.StopReasons) {
        guard let handle = active[transfer] else { return }
        let code = handle.resume(reason)
        if code != CURLE_OK { retire(handle, code) }
        watchSilence(from: state.now)
    }

    private func change(to limits: TransportLimits) {
        let old = state.limits
        state.limits = limits
        for transfer in state.limiter.setRate(limits.rate, now: state.now) { resume(transfer, .rate) }
        if limits.timeout != old.timeout { silenceCheck = active.isEmpty ? nil : state.now }
    }

    /// Sees to it that a silence that begins now is noticed; an earlier check stays.
    private func watchSilence(from time: Timestamp) {
        guard silenceCheck == nil, limits.timeout > .zero else { return }
        silenceCheck = time + limits.timeout
    }

    private func endSilentTransfers() {
        guard let due = silenceCheck, due <= state.now else { return }
        silenceCheck = nil
        guard limits.timeout > .zero else { return }
        for handle in active.values where !handle.isStopped {
            let end = handle.lastActivity + limits.timeout
            if end <= state.now {
                let seconds = limits.timeout.seconds
                handle.fail(DownloadError(.timedOut, "\(handle.host) sent no byte for \(seconds) s: try later"))
                retire(handle, CURLE_OPERATION_TIMEDOUT)
            } else {
                silenceCheck = min(silenceCheck ?? end, end)
            }
        }
    }

    // MARK: curl's timer and sockets

    /// Runs curl's timer if it is due; a started transfer makes it due at once.
    private func runTimer() -> Bool {
        guard let timer, timer <= state.now else { return false }
        self.timer = nil
        act(on: CURL_SOCKET_TIMEOUT, bits: 0)
        if self.timer == nil { askForTimer() }
        return true
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

    private func act(on socket: Int32, bits: Int32) {
        var running: Int32 = 0
        unsafe curl_multi_socket_action(multi, socket, bits, &running)
    }

    fileprivate func setTimer(milliseconds: Int) {
        timer = milliseconds < 0 ? nil : state.now + .milliseconds(milliseconds)
    }
}

extension CurlTransport.Configuration.IPVersion {
    /// The value that curl knows it by.
    var option: Int {
        switch self {
        case .any: Int(CURL_IPRESOLVE_WHATEVER)
        case .v4: Int(CURL_IPRESOLVE_V4)
        case .v6: Int(CURL_IPRESOLVE_V6)
        }
    }
}

private func timerChanged(
    _ multi: UnsafeMutableRawPointer?,
    _ milliseconds: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<CurlTransport>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
}
