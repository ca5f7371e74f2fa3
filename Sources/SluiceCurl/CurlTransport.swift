internal import CCurl
internal import CLinux
public import SluiceCore

/// Transfers over libcurl's multi interface, driven by socket events.
///
/// Owned by a pipeline and confined to its loop. What curl's callbacks say is only
/// noted; what happened is asked for, after curl returned,
/// because inside a callback curl allows next to nothing. It follows redirects
/// itself, so that no credentials go where they don't belong. What every transfer touches is checked for exclusive
/// access in debug builds only.
@safe
public final class CurlTransport: HTTPTransport {
    /// What holds for the whole life of a transport.
    public struct Configuration: Sendable {
        /// Which addresses of a host are used.
        public enum IPVersion: Sendable {
            /// Both kinds; whichever connects first.
            case any
            /// IPv4 addresses only.
            case v4
            /// IPv6 addresses only.
            case v6
        }
        /// Whether cookies are taken and sent, in memory only.
        public var cookies = true
        /// By default whatever the system finds first.
        public var ipVersion = IPVersion.any
        /// Which URLs go through a proxy; the environment is not read here.
        public var proxies = ProxyRules()
        /// A PEM file of authorities that takes the place of the system's, for hosts and proxies; `nil` means the system's.
        public var authorities: String?
        /// Whose word counts for proxies instead; it never counts for hosts.
        public var proxyAuthorities: CertificateFile?
        /// Connections kept open for reuse.
        public var maxConnections = 64
        /// No proxy, cookies in memory, and the system's authorities.
        public init() {}
    }

    /// A lower rate holds from the next bytes on, and a shorter silence is noticed at once.
    public var limits: TransportLimits {
        get { state.limits }
        set { change(to: newValue) }
    }

    private let pools: CurlPools
    private let state = TransportState()
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var active = TransferMap<CurlTransfer>()
    /// When a transfer may have been silent for too long, at the earliest.
    private var silenceCheck: Timestamp?

    /// - Parameters:
    ///   - poller: Of the loop whose client owns this transport.
    ///   - configuration: What holds for all transfers.
    public init(poller: Poller, configuration: Configuration = Configuration()) {
        precondition(CurlLibrary.isReady, "libcurl can't be set up")
        pools = CurlPools(poller, configuration, state)
    }

    deinit {
        for transfer in active.values {
            _ = transfer.end(CURLE_ABORTED_BY_CALLBACK)
            transfer.breakOff()
        }
        active.removeAll()
    }

    /// The soonest of curl's timers, of silences, of unwanted bodies and of the limiter's; now, if there are news.
    public var deadline: Timestamp? {
        if state.hasNews || !state.yielded.isEmpty { return state.now }
        var earliest: Timestamp?
        for pool in pools.all {
            if let timer = pool.timer { earliest = min(earliest ?? timer, timer) }
        }
        if let silenceCheck { earliest = min(earliest ?? silenceCheck, silenceCheck) }
        if let check = state.unwantedCheck { earliest = min(earliest ?? check, check) }
        if state.limiter.isActive, let deal = state.limiter.deadline { earliest = min(earliest ?? deal, deal) }
        return earliest
    }

    /// Hands it to curl at once; where the URL or the policy can't be used, its end is the next news.
    public func start(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink, now: Timestamp) {
        state.now = now
        let pool: CurlPool
        var refusal: DownloadError?
        do throws(DownloadError) {
            pool = try pools.pool(for: state.secured(request.url), request.trust, hasLeftOrigin: false)
        } catch {
            refusal = error
            pool = pools.all[0]
        }
        let handle = pool.takeHandle()
        handle.begin(transfer, request, into: sink)
        active[transfer] = handle
        state.limiter.add(transfer)
        if request.rate > 0 { _ = state.limiter.setRate(request.rate, of: transfer, now: now) }
        watchSilence(of: handle, from: now)
        if let refusal {
            handle.fail(refusal)
            retire(handle, CURLE_OK)
        } else {
            handle.enter()
        }
    }

    /// Takes it from curl at once; the news of its end follows.
    public func abort(_ transfer: TransferID) {
        guard let handle = active[transfer] else { return }
        handle.fail(.cancelled)
        retire(handle, CURLE_ABORTED_BY_CALLBACK)
    }

    /// Lets go on who waits for its share, if that grew.
    public func setRate(_ rate: Int, of transfer: TransferID) {
        guard active[transfer] != nil else { return }
        for resumed in state.limiter.setRate(rate, of: transfer, now: state.now) { resume(resumed, .rate) }
    }

    /// Goes on where the sink said `pause`; it lets go of nothing that stands still for another reason.
    public func resumeReading(_ transfer: TransferID) { resume(transfer, .sink) }

    /// Nothing received and nothing announced, for a transfer that is over.
    public func progress(of transfer: TransferID) -> (received: Int, expected: Int?) {
        active[transfer]?.progress ?? (0, nil)
    }

    /// Lets curl read and write; sockets that it closed meanwhile are passed over.
    public func socketsReady(_ ready: [SocketEvent], now: Timestamp) {
        state.now = now
        state.unpacked = 0
        if !state.yielded.isEmpty { resumeYielded() }
        for event in ready {
            // Unknown ones were closed by what an event before them led to.
            guard let pool = pools.all.first(where: { $0.owns(event.descriptor) }),
                pool.isWanted(event.descriptor, bits: event.bits)
            else { continue }
            var bits: UInt32 = 0
            if event.bits & EPOLLIN.rawValue != 0 { bits |= UInt32(CURL_CSELECT_IN) }
            if event.bits & EPOLLOUT.rawValue != 0 { bits |= UInt32(CURL_CSELECT_OUT) }
            if event.bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { bits |= UInt32(CURL_CSELECT_ERR) }
            pool.act(on: event.descriptor, bits: Int32(bits))
        }
    }

    /// How often curl's timers run in a row, though nothing comes of it.
    ///
    /// A timer that is due at once again says that more can be read. A server whose bytes are never a body, such as a
    /// chunk's extension without end, would else keep the loop for as long as it sends.
    private static let mostTimerRuns = 2

    /// Runs what is due until something happened: curl's timers, shares of the rate, silences.
    public func nextNews(now: Timestamp) -> TransportNews? {
        state.now = now
        if let news = state.takeNews() { return news }
        if state.limiter.isActive { for transfer in state.limiter.deal(now: now) { resume(transfer, .rate) } }
        endSilentTransfers()
        endUnwantedBodies()
        var runs = 0
        repeat {
            collectEnded()
            if let news = state.takeNews() { return news }
            runs += 1
        } while runs <= Self.mostTimerRuns && runTimers()
        for pool in pools.all { pool.flush() }
        return nil
    }

    // MARK: Ends

    private func collectEnded() {
        for pool in pools.all {
            while let (handle, code) = pool.takeEnded() {
                handle.askAgainPastLeftovers(code)
                if handle.mustContinue { goOn(handle) } else { retire(handle, code) }
            }
        }
    }

    /// Asks again, where and as the answer just ended said; with a handle of the pool of that place.
    private func goOn(_ handle: CurlTransfer) {
        if handle.run.connection == .unfit { closeShunned(by: handle) }
        do throws(DownloadError) {
            let place = handle.place
            let pool = try pools.pool(for: place.url, place.trust, hasLeftOrigin: place.hasLeftOrigin)
            if pool === handle.pool {
                handle.continueElsewhere()
                handle.enter()
                return
            }
            let next = pool.takeHandle()
            next.takeOver(handle)
            if let transfer = next.transfer { active[transfer] = next }
            next.enter()
        } catch {
            handle.fail(error)
            retire(handle, CURLE_OK)
        }
    }

    /// Ends the connections that are believed to be dead, once they have no transfer any more.
    ///
    /// curl keeps a connection of HTTP/2 that a request did not want, and would offer it to each one that follows.
    private func closeShunned(by handle: CurlTransfer) {
        let sockets = handle.sockets
        for socket in sockets.shunned {
            let isUsed = active.values.contains { $0 !== handle && $0.sockets === sockets && $0.uses(socket) }
            if !isUsed { sockets.hangUp(socket) }
        }
    }

    /// Takes a transfer from curl, closing its connection if it was under way, and keeps the handle for the next one.
    private func retire(_ handle: CurlTransfer, _ code: CURLcode) {
        let ended = handle.end(code)
        handle.breakOff()
        guard let ended else { return }
        active[ended.transfer] = nil
        state.limiter.remove(ended.transfer)
        handle.pool.putBack(handle)
        state.post(.ended(ended))
    }

    // MARK: Stops and limits

    /// Lets those unpack that wait longest for that, until the turn is used up.
    private func resumeYielded() {
        var waiting = state.yielded[...]
        state.yielded = []
        while state.unpacked < TransportState.mostUnpacked, let transfer = waiting.popFirst() {
            resume(transfer, .turn)
        }
        state.yielded = Array(waiting) + state.yielded
    }

    private func resume(_ transfer: TransferID, _ reason: CurlTransfer.StopReason) {
        guard let handle = active[transfer] else { return }
        let code = handle.resume(reason)
        if code != CURLE_OK { retire(handle, code) }
        watchSilence(of: handle, from: state.now)
    }

    private func change(to limits: TransportLimits) {
        let old = state.limits
        state.limits = limits
        for transfer in state.limiter.setRate(limits.rate, now: state.now) { resume(transfer, .rate) }
        if limits.timeout != old.timeout { silenceCheck = active.isEmpty ? nil : state.now }
    }

    /// Sees to it that a silence that begins now is noticed; an earlier check stays.
    private func watchSilence(of handle: CurlTransfer, from time: Timestamp) {
        guard silenceCheck == nil || handle.isUploading, limits.timeout > .zero else { return }
        let check = time + (handle.isUploading ? lookAfter : limits.timeout)
        silenceCheck = min(silenceCheck ?? check, check)
    }

    /// How soon to look again how much of a request's body went out: a silence is noticed that much too late at most.
    private var lookAfter: Duration { limits.timeout / 8 }

    /// Lets the silences of all servers begin later by as much.
    public func wasHeldUp(for time: Duration) {
        for handle in active.values { handle.lastActivity = handle.lastActivity + time }
    }

    /// A turn that comes so late was kept from coming.
    private static let lateness = Duration.seconds(5)

    private func endSilentTransfers() {
        guard let due = silenceCheck, due <= state.now else { return }
        silenceCheck = nil
        guard limits.timeout > .zero else { return }
        // The computer slept, or the process was stopped, and no server was silent in that time for us.
        let hasSlept = state.now - due > Self.lateness
        for handle in active.values where !handle.isStopped {
            if hasSlept { handle.lastActivity = state.now }
            handle.noteUpload()
            if handle.lastActivity + limits.timeout <= state.now { handle.notePartialLine() }
            let end = handle.lastActivity + limits.timeout
            if end <= state.now {
                // Half of it, since what a new one says first comes while the request waits already.
                handle.shunConnection(silentFor: limits.timeout / 2)
                handle.fail(handle.silenceError(limits.timeout))
                retire(handle, CURLE_OPERATION_TIMEDOUT)
            } else {
                let check = handle.isUploading ? min(end, state.now + lookAfter) : end
                silenceCheck = min(silenceCheck ?? check, check)
            }
        }
    }

    /// Takes leave of bodies that nobody wants, where their end does not come soon: none of them may hold a slot.
    ///
    /// That of a redirect may never come at all, though it was announced.
    private func endUnwantedBodies() {
        guard let due = state.unwantedCheck, due <= state.now else { return }
        state.unwantedCheck = nil
        for handle in active.values {
            guard let since = handle.run.unwantedSince else { continue }
            if since + CurlTransfer.droppedTime > state.now {
                state.watchUnwanted(since: since)
            } else if handle.mustContinue {
                handle.breakOff()
                goOn(handle)
            } else {
                retire(handle, CURLE_WRITE_ERROR)
            }
        }
    }

    // MARK: curl's timers

    private func runTimers() -> Bool {
        var didRun = false
        for pool in pools.all where pool.runTimer() { didRun = true }
        return didRun
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
