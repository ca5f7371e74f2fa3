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
    /// Why a transfer reads no further at the moment.
    struct StopReasons: OptionSet {
        let rawValue: UInt8
        /// The sink did not take a chunk, which curl keeps.
        static let sink = StopReasons(rawValue: 1)
        /// The share of the rate is used up.
        static let rate = StopReasons(rawValue: 2)
        /// It had its part of a turn; it goes on in a later one.
        static let turn = StopReasons(rawValue: 4)
    }

    /// Everything that starts anew with a transfer.
    struct Run {
        var redirection: Redirection
        var isDigest = false
        /// curl answers one digest challenge by itself; that answer is not for the sink.
        var hasSkippedChallenge = false
        /// The answer at hand is not for the sink: there is another place or way to ask.
        var mustAskAgain = false
        var fields = HeadFields()
        /// Of the answers to the request at hand, those before the final one included.
        var headLines = 0
        var hasBegun = false
        /// Undoes the codings of the body; `nil` where there are none.
        var decoder: ContentDecoder?
        /// Bytes of a chunk that the decoder took, though curl keeps the chunk.
        var takenOfRefused = 0
        /// Whether curl keeps bytes that came behind its part of the turn.
        var isHeldByTurn = false
        /// Whether the connection is its own, so that stopping it stops nobody else.
        var isAlone = false
        var received = 0
        var expected: Int?
        /// More came than was announced.
        var hasExtraBytes = false
        /// Whether curl tells what it does, which costs; only while an announced body is read.
        var isVerbose = false
        /// The socket that the answer comes from; −1 until curl waits for it, or it is looked for.
        var socket: Int32 = -1
        /// Whether it is known if there is more to read than the answer.
        var isSurplusKnown = false
        /// Whether no connection that is there will do for the request at hand.
        var needsNewConnection = false
        /// Bytes of bodies that nobody wants to see.
        var dropped = 0
        /// When the answer came that leads elsewhere.
        var redirected = Timestamp(nanoseconds: 0)
        var error: DownloadError?
        var stops: StopReasons = []
        /// Whether a handshake of the request at hand was judged.
        var isJudged = false
        /// Who asked for a client certificate in a handshake of the request at hand.
        var clientWish: CurlError.ClientWish?
        /// Whether anything of the answer to the request at hand came.
        var isAnswered = false
        /// Whether no descriptor was left for a connection of the request at hand.
        var lacksDescriptors = false
        /// Bytes of the request's body that had gone out when that was looked at last.
        var uploaded = 0
        /// When the request at hand was made ready.
        var asked = Timestamp(nanoseconds: 0)
        /// Of the requests before the one at hand.
        var timings = TransferTimings(total: .zero)
    }

    /// Bytes of a redirect's body that are read to keep the connection; more are not worth it.
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
    /// Whether curl has the handle.
    private var isEntered = false

    init(
        _ pool: CurlPool,
        _ configuration: CurlTransport.Configuration,
        sharing share: CurlShare?,
        _ sockets: CurlSockets,
        _ state: TransportState
    ) {
        guard let handle = unsafe curl_easy_init() else { preconditionFailure("out of memory for a transfer") }
        unsafe self.handle = handle
        (self.pool, self.sockets, self.state) = (pool, sockets, state)
        unsafe multi = pool.multi
        options = unsafe CurlOptions(handle, configuration, share, pool.material.policy)
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
                if transfer.sockets.isConnection(socket) { transfer.run.socket = socket }
            }
        }
    }

    /// Whether the sink or the rate keeps it from reading, so that silence is no fault.
    var isStopped: Bool { !run.stops.isEmpty }

    /// Bytes of the body as sent, and its announced length.
    var progress: (received: Int, expected: Int?) { (run.received, run.expected) }

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
        run.timings = timings
        askAgain()
    }

    /// Goes on with the transfer of a handle of another pool, which is idle afterwards.
    func takeOver(_ other: CurlTransfer) {
        other.run.timings = other.timings
        (transfer, request, sink, run) = (other.transfer, other.request, other.sink, other.run)
        (other.transfer, other.sink, other.run.decoder) = (nil, nil, nil)
        other.pool.putBack(other)
        askAgain()
    }

    private func askAgain() {
        (run.mustAskAgain, run.dropped) = (false, 0)
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
    /// stream of HTTP/2 that the server ended while it stood still, it keeps what it had read, as in ``breakOff()``.
    var isReusable: Bool { !run.isDigest && (!isStopped || run.stops == .turn && !run.isHeldByTurn) }

    /// Makes the handle idle; `nil` if it was.
    func end(_ code: CURLcode) -> EndedTransfer? {
        guard let transfer else { return nil }
        // curl asked once and had no answer to the challenge: then it is the final one.
        if code == CURLE_OK, run.hasSkippedChallenge, !run.hasBegun { _ = beginBody() }
        // An idle handle would keep the decoder's memory.
        defer { (self.transfer, sink, run.decoder) = (nil, nil, nil) }
        if run.isVerbose { stopListening() }
        return EndedTransfer(
            transfer: transfer,
            result: result(code),
            received: run.received,
            timings: finalTimings(code),
            hadExtraBytes: run.hasExtraBytes,
            unresolvedHost: run.error == nil ? unresolvedHost(code) : nil,
            hops: run.redirection.hops
        )
    }

    /// Whether more of the request's body is to go out.
    var isUploading: Bool {
        guard run.redirection.keepsBody, let body = request.body else { return false }
        return run.uploaded < body.count
    }

    /// Counts it as activity if more of the request's body went out since the last call; curl says nothing of that.
    func noteUpload() {
        guard isUploading else { return }
        let uploaded = unsafe CurlInfo.offset(CURLINFO_SIZE_UPLOAD_T, handle)
        if uploaded == run.uploaded { return }
        (run.uploaded, lastActivity) = (uploaded, state.now)
    }

    /// Makes `error` the outcome, whatever curl says.
    func fail(_ error: DownloadError) { run.error = run.error ?? error }

    /// Drops one reason to stop, and reads on if there is no other.
    ///
    /// - Returns: An error if what curl had kept could not be delivered; curl itself then forgets to end the transfer.
    func resume(_ reason: StopReasons) -> CURLcode {
        guard run.stops.contains(reason) else { return CURLE_OK }
        run.stops.remove(reason)
        if reason == .turn { run.isHeldByTurn = false }
        if isStopped { return CURLE_OK }
        lastActivity = state.now
        // What came meanwhile is of the body, and curl may read the rest of it without a word about its socket.
        sockets.forgetSpeech(of: run.socket)
        return unsafe curl_easy_pause(handle, sluice_pause_nothing())
    }

    private func prepare() {
        (lastActivity, run.isJudged, run.clientWish, run.isAnswered) = (state.now, false, nil, false)
        run.asked = state.now
        (run.socket, run.isSurplusKnown) = (-1, false)
        (run.headLines, run.uploaded, run.hasSkippedChallenge, run.lacksDescriptors) = (0, 0, false, false)
        let hasLeft = run.redirection.hasLeftOrigin
        let keepsBody = run.redirection.keepsBody
        var dropped = hasLeft ? request.originOnlyHeaders : []
        if run.redirection.hasLeftHost { dropped += request.hostOnlyHeaders }
        if !keepsBody { dropped += Redirection.bodyFields }
        if run.redirection.count > 0 { dropped += request.conditionNames }
        let fields =
            dropped.isEmpty ? request.headers : request.headers.filter { !dropped.contains($0.name.lowercased()) }
        let url = run.redirection.url
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
                needsNewConnection: run.needsNewConnection,
                bufferSize: state.bufferSize(decoding: request.offersEncodings, ownRate: request.rate),
                connectTimeout: state.connectTimeout,
                isSecure: CurlURL.isSecure(url)
            )
        )
    }

    func proxy(for url: String) -> ProxyServer? {
        guard hasProxies, let origin = state.origin(of: url) else { return nil }
        return proxies.proxy(forHost: origin.host, isSecure: origin.scheme == "https")
    }
}
