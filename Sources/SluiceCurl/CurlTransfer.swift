internal import CCurl
import SluiceCore

/// One reusable easy handle, and the transfer that it serves at the moment.
///
/// Owns the handle: created with it, cleaned up with it. A class because curl
/// keeps its address. Confined to the loop's thread by its owner, the transport.
/// What every line of a head touches is checked for exclusive access in debug builds only.
/// It never adds or removes itself from the multi handle, which curl forbids inside
/// callbacks; the transport does so afterwards.
@safe
final class CurlTransfer {
    /// Bytes of a body that nobody wants that are read to keep the connection; more are not worth it.
    static let droppedLimit = 65_536
    /// And for how long.
    static let droppedTime: Duration = .seconds(1)

    let handle: UnsafeMutableRawPointer
    /// Whose connections it uses; a handle never changes its pool.
    unowned let pool: CurlPool
    /// Those of its pool, which outlive the handles.
    let sockets: CurlSockets
    /// curl's handle of its pool.
    private let multi: UnsafeMutableRawPointer
    private(set) var transfer: TransferID?
    /// When the last byte came, or was seen to have gone out, or the transfer began or went on.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var lastActivity = Timestamp(nanoseconds: 0)

    let state: TransportState
    let options: CurlOptions
    private let proxies: ProxyRules
    private let hasProxies: Bool
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var request = TransferRequest(url: "")
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var sink: (any BodySink)?
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var run = Run(redirection: Redirection(url: ""))
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var recentFields = RecentFields()
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var recentAddress = RecentAddress()
    /// Whether curl sent a request more than once with it.
    var isWorn = false
    /// Whether curl has the handle.
    private var isEntered = false

    init(
        _ pool: CurlPool,
        _ configuration: CurlTransport.Configuration,
        sharing jars: CookieJars?,
        _ sockets: CurlSockets,
        _ state: TransportState
    ) {
        guard let handle = unsafe curl_easy_init() else { preconditionFailure("out of memory for a transfer") }
        unsafe self.handle = handle
        (self.pool, self.sockets, self.state) = (pool, sockets, state)
        unsafe multi = pool.multi
        options = unsafe CurlOptions(handle, configuration, jars, pool.material.policy)
        (proxies, hasProxies) = (configuration.proxies, !configuration.proxies.isEmpty)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sockets.attach(toHandle: handle)
        // Sound: the handle, and with it every use of `me`, ends in `deinit`.
        unsafe sluice_set_pointer(handle, CURLOPT_PRIVATE, me)
        unsafe sluice_set_pointer(handle, CURLOPT_WRITEDATA, me)
        unsafe sluice_set_pointer(handle, CURLOPT_HEADERDATA, me)
        unsafe sluice_set_write(handle, CURLOPT_WRITEFUNCTION, bodyArrived)
        unsafe sluice_set_write(handle, CURLOPT_HEADERFUNCTION, headerArrived)
        unsafe sluice_set_pointer(handle, CURLOPT_SSL_CTX_DATA, me)
        let status = unsafe sluice_set_context(handle, connectionPrepared)
        precondition(status == CURLE_OK, "libcurl must use OpenSSL, or trust can't be judged")
        unsafe sluice_set_pointer(handle, CURLOPT_PREREQDATA, me)
        unsafe sluice_set_before_request(handle, requestPrepared)
        unsafe sluice_set_pointer(handle, CURLOPT_OPENSOCKETDATA, me)
        unsafe sluice_set_open(handle, socketWanted)
        unsafe sluice_set_pointer(handle, CURLOPT_DEBUGDATA, me)
        unsafe sluice_set_debug(handle, curlTold)
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    static func of(_ handle: UnsafeMutableRawPointer) -> CurlTransfer {
        var me: UnsafeMutableRawPointer?
        unsafe sluice_get_private(handle, &me)
        guard let me = unsafe me else { preconditionFailure("every handle was made here") }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(me).takeUnretainedValue()
    }

    /// Notes which socket curl waits at for an answer.
    static func note(_ socket: Int32, of handle: UnsafeMutableRawPointer) {
        var me: UnsafeMutableRawPointer?
        unsafe sluice_get_private(handle, &me)
        // Handles that curl uses inside have no owner here.
        if let me = unsafe me {
            unsafe Unmanaged<CurlTransfer>.fromOpaque(me)._withUnsafeGuaranteedRef { transfer in
                // Its resolver has sockets too.
                if transfer.sockets.isConnection(socket) { transfer.run.exchange.socket = socket }
            }
        }
    }

    /// Whether something on this side keeps it from reading, so that silence is no fault.
    var isStopped: Bool { run.stop != nil }

    /// Bytes of the body as sent, and its announced length.
    var progress: (received: Int, expected: Int?) { (run.body.received, run.body.expected) }

    /// For sentences.
    var host: String { state.origin(of: run.redirection.url)?.host ?? run.redirection.url }

    // MARK: The life of a transfer, for the transport

    func begin(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink) {
        run = Run(redirection: Redirection(url: state.secured(request.url), method: request.method))
        self.transfer = transfer
        self.request = request
        self.sink = sink
        prepare()
    }

    /// Whether the answer just ended said to ask again, elsewhere or otherwise.
    var mustContinue: Bool { run.mustAskAgain && run.error == nil }

    /// Where to ask next, and whom to trust there.
    var place: (url: String, trust: TrustBook, hasLeftOrigin: Bool) {
        (run.redirection.url, request.trust, run.redirection.hasLeftOrigin)
    }

    /// Makes the handle ready to ask again; curl must have let go of it.
    func continueElsewhere() {
        stopListening()
        run.timings = timings
        prepare()
    }

    /// Goes on with the transfer of a handle of another pool, which is idle afterwards.
    func takeOver(_ other: CurlTransfer) {
        other.stopListening()
        other.run.timings = other.timings
        (transfer, request, sink, run) = (other.transfer, other.request, other.sink, other.run)
        (other.transfer, other.sink, other.run.body.decoder) = (nil, nil, nil)
        other.pool.putBack(other)
        prepare()
    }

    /// Hands the handle to curl.
    func enter() {
        // curl goes on to read a connection of which one stream stands still as long as another does not.
        pool.sharesConnections = !state.limiter.isActive
        pool.activeCount += 1
        isEntered = true
        unsafe curl_multi_add_handle(multi, handle)
    }

    /// Takes the handle from curl, wherever it is.
    func leave() {
        if isEntered { pool.activeCount -= 1 }
        isEntered = false
        unsafe curl_multi_remove_handle(multi, handle)
    }

    /// Takes the handle from curl, if it has it still, so that nothing of the answer comes any more.
    ///
    /// curl keeps what it read of a transfer that stands still. Where others share its connection, as with HTTP/2,
    /// it does not drop that when the transfer is taken away, and delivers it as the body of whatever the handle
    /// serves next. So the transfer goes on before, into ``receiveBody(_:)``, which refuses everything once it ended.
    func breakOff() {
        if isEntered, isStopped { _ = unsafe curl_easy_pause(handle, sluice_pause_nothing()) }
        leave()
    }

    /// Whether the next transfer may have the handle.
    ///
    /// curl answers the next challenge of digest authentication, whosever, with what it learnt from the last one. And of a
    /// stream of HTTP/2 that the server ended while it stood still, it keeps what it had read, as in ``breakOff()``. And it
    /// counts over the whole life of a handle how often it had to send again, to end the sixth time with an error.
    var isReusable: Bool {
        if isWorn { return false }
        return switch run.stop {
        case nil, .turn(keepsBytes: false)?: !run.isDigest
        case .sink?, .rate?, .turn(keepsBytes: true)?: false
        }
    }

    /// Makes the handle idle; `nil` if it was.
    func end(_ code: CURLcode) -> EndedTransfer? {
        guard let transfer else { return nil }
        // curl had no answer to the challenge, which has no body: then it is the final one.
        if code == CURLE_OK, case .challenge = run.answer { _ = beginBody() }
        // An idle handle would keep the decoder's memory.
        defer { (self.transfer, sink, run.body.decoder) = (nil, nil, nil) }
        stopListening()
        return EndedTransfer(
            transfer: transfer,
            result: result(code),
            received: run.body.received,
            timings: finalTimings(code),
            hadExtraBytes: run.body.hasExtraBytes,
            unresolvedHost: run.error == nil ? unresolvedHost(code) : nil,
            hops: run.redirection.hops
        )
    }

    /// Whether more of the request's body is to go out.
    var isUploading: Bool {
        guard run.redirection.keepsBody, let body = request.body else { return false }
        return run.exchange.uploaded < body.count
    }

    /// Counts it as activity if more of the request's body went out since the last call; curl says nothing of that.
    func noteUpload() {
        guard isUploading else { return }
        let uploaded = unsafe CurlInfo.offset(CURLINFO_SIZE_UPLOAD_T, handle)
        if uploaded == run.exchange.uploaded { return }
        (run.exchange.uploaded, lastActivity) = (uploaded, state.now)
    }

    /// Makes `error` the outcome, whatever curl says.
    func fail(_ error: DownloadError) { run.error = run.error ?? error }

    /// Reads on if it was this that kept it from reading.
    ///
    /// - Returns: An error if what curl had kept could not be delivered; curl itself then forgets to end the transfer.
    func resume(_ reason: StopReason) -> CURLcode {
        guard run.stop?.reason == reason else { return CURLE_OK }
        (run.stop, lastActivity) = (nil, state.now)
        // What came meanwhile is of the body, and curl may read the rest of it without a word about its socket.
        if !run.exchange.isSpoiled { sockets.forgetSpeech(of: run.exchange.socket) }
        return unsafe curl_easy_pause(handle, sluice_pause_nothing())
    }

    private func prepare() {
        lastActivity = state.now
        run.beginRequest(at: state.now)
        let hasLeft = run.redirection.hasLeftOrigin
        let keepsBody = run.redirection.keepsBody
        var dropped = hasLeft ? request.originOnlyHeaders : []
        if run.redirection.hasLeftHost { dropped += request.hostOnlyHeaders }
        if !keepsBody { dropped += Redirection.bodyFields }
        if run.redirection.count > 0 { dropped += request.conditionNames }
        let fields =
            dropped.isEmpty ? request.headers : request.headers.filter { !dropped.contains($0.name.lowercased()) }
        let url = run.redirection.url
        options.useCookies(of: request)
        options.set(
            url: url,
            CurlOptions.Changing(
                fields: options.withCookies(fields, url: url),
                proxy: proxy(for: url).map { .value($0) },
                offersEncodings: request.offersEncodings,
                method: run.redirection.method,
                body: keepsBody ? request.body : nil,
                removedFields: request.removedHeaders,
                credentials: hasLeft ? nil : request.credentials,
                isDigest: run.isDigest,
                needsNewConnection: run.connection == .new,
                bufferSize: state.bufferSize(decoding: request.offersEncodings, ownRate: request.rate),
                connectTimeout: state.limits.connectTimeout,
                isSecure: CurlURL.isSecure(url)
            )
        )
    }

    func proxy(for url: String) -> ProxyServer? {
        guard hasProxies, let origin = state.origin(of: url) else { return nil }
        return proxies.proxy(forHost: origin.host, isSecure: origin.scheme == "https")
    }
}
