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
    }

    /// Everything that starts anew with a transfer.
    private struct Run {
        var redirection = Redirection(url: "")
        var isDigest = false
        /// curl answers one digest challenge by itself; that answer is not for the sink.
        var hasSkippedChallenge = false
        /// The answer at hand is not for the sink: there is another place or way to ask.
        var mustAskAgain = false
        var fields = HeadFields()
        var hasBegun = false
        /// Undoes the codings of the body; `nil` where there are none.
        var decoder: ContentDecoder?
        /// Bytes of a chunk that the decoder took, though curl keeps the chunk.
        var takenOfRefused = 0
        var received = 0
        var expected: Int?
        /// More came than was announced.
        var hasExtraBytes = false
        /// Whether curl tells what it does, which costs; only while an announced body is read.
        var isVerbose = false
        /// In which call of curl the body began, by ``TransportState/calls``.
        var bodyCall = 0
        /// The socket that the answer comes from; −1 until curl waits for it.
        var socket: Int32 = -1
        /// Bytes of bodies that nobody wants to see.
        var dropped = 0
        var error: DownloadError?
        var stops: StopReasons = []
        /// Whether a handshake of the request at hand was judged.
        var isJudged = false
        /// Who asked for a client certificate in a handshake of the request at hand.
        var clientWish: CurlError.ClientWish?
        /// Whether anything of the answer to the request at hand came.
        var isAnswered = false
        /// Of the requests before the one at hand.
        var timings = TransferTimings(total: .zero)
    }

    /// Bytes of a redirect's body that are read to keep the connection; more are not worth it.
    private static let droppedLimit = 65_536

    let handle: UnsafeMutableRawPointer
    /// Whose connections it uses; a handle never changes its pool.
    unowned let pool: CurlPool
    private(set) var transfer: TransferID?
    /// When the last byte came, or the transfer began or went on.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private(set) var lastActivity = Timestamp(nanoseconds: 0)

    private let state: TransportState
    private let options: CurlOptions
    private let proxies: ProxyRules
    private let hasProxies: Bool
    private var request = TransferRequest(url: "")
    private var sink: (any BodySink)?
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var run = Run()
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var recentFields = RecentFields()
    private var recentAddress = RecentAddress()
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
        (self.pool, self.state) = (pool, state)
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
            unsafe Unmanaged<CurlTransfer>.fromOpaque(me).takeUnretainedValue().run.socket = socket
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
        (self.transfer, self.request, self.sink) = (transfer, request, sink)
        run = Run()
        run.redirection = Redirection(url: state.secured(request.url), method: request.method)
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
        (run.mustAskAgain, run.dropped) = (false, 0)
        prepare()
    }

    /// Goes on with the transfer of a handle of another pool, which is idle afterwards.
    func takeOver(_ other: CurlTransfer) {
        other.run.timings = other.timings
        (transfer, request, sink, run) = (other.transfer, other.request, other.sink, other.run)
        (other.transfer, other.sink, other.run.decoder) = (nil, nil, nil)
        (run.mustAskAgain, run.dropped) = (false, 0)
        other.pool.idle.append(other)
        prepare()
    }

    /// Hands the handle to curl.
    func enter() {
        pool.activeCount += 1
        isEntered = true
        unsafe curl_multi_add_handle(pool.multi, handle)
    }

    /// Takes the handle from curl, wherever it is.
    func leave() {
        if isEntered { pool.activeCount -= 1 }
        isEntered = false
        unsafe curl_multi_remove_handle(pool.multi, handle)
    }

    /// Makes the handle idle; `nil` if it was.
    func end(_ code: CURLcode) -> EndedTransfer? {
        guard let transfer else { return nil }
        // curl asked once and had no answer to the challenge: then it is the final one.
        if code == CURLE_OK, run.hasSkippedChallenge, !run.hasBegun { _ = beginBody() }
        // An idle handle would keep the decoder's memory.
        defer { (self.transfer, sink, run.decoder) = (nil, nil, nil) }
        var ended = EndedTransfer(
            transfer: transfer,
            result: result(code),
            received: run.received,
            timings: timings
        )
        (ended.hadExtraBytes, ended.hops) = (run.hasExtraBytes, run.redirection.hops)
        if run.isVerbose { unsafe sluice_set_long(handle, CURLOPT_VERBOSE, 0) }
        if code == CURLE_COULDNT_RESOLVE_HOST, run.error == nil { ended.unresolvedHost = host }
        return ended
    }

    /// Makes `error` the outcome, whatever curl says.
    func fail(_ error: DownloadError) { run.error = run.error ?? error }

    /// Drops one reason to stop, and reads on if there is no other.
    ///
    /// - Returns: An error if what curl had kept could not be delivered; curl itself then forgets to end the transfer.
    func resume(_ reason: StopReasons) -> CURLcode {
        guard run.stops.contains(reason) else { return CURLE_OK }
        run.stops.remove(reason)
        if isStopped { return CURLE_OK }
        lastActivity = state.now
        return unsafe curl_easy_pause(handle, sluice_pause_nothing())
    }

    /// How far it has come, the requests before the one at hand included.
    private var timings: TransferTimings {
        unsafe CurlTimings.read(handle, after: run.timings, isRedirected: run.redirection.count > 0)
    }

    private func prepare() {
        (lastActivity, run.isJudged, run.clientWish, run.isAnswered) = (state.now, false, nil, false)
        let hasLeft = run.redirection.hasLeftOrigin
        let keepsBody = run.redirection.keepsBody
        var dropped = hasLeft ? request.originOnlyHeaders : []
        if !keepsBody { dropped += Redirection.bodyFields }
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
                bufferSize: state.bufferSize(decoding: request.offersEncodings),
                connectTimeout: state.connectTimeout,
                isSecure: CurlURL.isSecure(url)
            )
        )
    }

    private func proxy(for url: String) -> ProxyServer? {
        guard hasProxies, let origin = state.origin(of: url) else { return nil }
        return proxies.proxy(forHost: origin.host, isSecure: origin.scheme == "https")
    }

    private func result(_ code: CURLcode) -> Result<Void, DownloadError> {
        if let error = run.error { return .failure(error) }
        if code == CURLE_OK {
            if let decoder = run.decoder, mustBeComplete, !decoder.isComplete {
                return .failure(CurlError.cut(host, decoder.name, received: run.received))
            }
            if run.hasBegun { return .success(()) }
            return .failure(
                DownloadError(.connectionLost, "\(host) ended the connection within the head of its answer")
            )
        }
        if let refusal = CurlError.refusal(byProxy: unsafe CurlInfo.long(CURLINFO_HTTP_CONNECTCODE, handle)) {
            return .failure(refusal)
        }
        let progress = CurlError.Progress(
            hasHead: run.hasBegun,
            received: run.received,
            expected: run.expected,
            clientWish: run.isAnswered ? nil : run.clientWish
        )
        return .failure(CurlError.error(code, options.failure, host: host, at: progress))
    }

    // MARK: Trust

    /// Puts a judge into a connection that is about to be made for this transfer.
    fileprivate func prepareHandshake(_ connection: OpaquePointer) -> CURLcode {
        guard let transfer, let origin = state.origin(of: run.redirection.url) else { return CURLE_SSL_CONNECT_ERROR }
        let isProxy = unsafe CurlTrust.isProxy(connection)
        let server = isProxy ? proxy(for: run.redirection.url) : nil
        if isProxy, server == nil { return CURLE_SSL_CONNECT_ERROR }
        let host = server?.bareHost ?? origin.bareHost
        let port = server.map { String($0.port) } ?? origin.port
        let trust = CurlTrust(host: host, isProxy: isProxy, material: pool.material) {
            [weak self, state] decision, chain in
            state.post(.trust(transfer, decision, chain))
            // A later handshake on this connection may be in the time of another transfer.
            guard let self, self.transfer == transfer else { return }
            run.isJudged = true
            // A proxy that asked before has let the connection through.
            run.clientWish = nil
            if !decision.verdict.isAccepted {
                fail(TrustRefusal.error(decision, port: port, isProxy: isProxy, chain))
            }
        } clientWanted: { [weak self] in
            guard let self, self.transfer == transfer else { return }
            run.clientWish = isProxy ? .proxy : pool.material.policy.client.map { .shown($0.chain.path) } ?? .ignored
        }
        return unsafe trust.prepare(connection)
    }

    /// Tells that an answer came over a connection that was judged before, and takes what it says of later ones.
    private func noteSecurity() {
        guard CurlURL.isSecure(run.redirection.url), let transfer else { return }
        let policy = pool.material.policy
        if run.isJudged, run.fields.strictTransport == nil || policy.isLenient { return }
        guard let origin = state.origin(of: run.redirection.url) else { return }
        if !run.isJudged {
            run.isJudged = true
            let verdict = TrustVerdict(rule: pool.material.table.acceptingRule, isAccepted: true)
            let decision = TrustDecision(host: HostName.plain(origin.bareHost), verdict: verdict, isReused: true)
            state.post(.trust(transfer, decision, nil))
        }
        if let wish = run.fields.strictTransport, !policy.isLenient {
            state.secureHosts.heard(wish, from: origin.host, now: state.now)
        }
    }

    // MARK: What curl's callbacks do

    /// - Returns: Whether to go on.
    fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = state.now
        // What follows the head are trailers.
        if run.hasBegun { return true }
        if !run.isAnswered {
            run.isAnswered = true
            // The request is out: cookies that the answer sets are for all.
            options.attachCookies()
        }
        let line = unsafe Span<UInt8>(_unsafeBytes: line)
        if line.count <= 2, line.trimmed.isEmpty { return endHead() }
        run.fields.add(line, wantsAll: request.wantsFields, recent: &recentFields)
        return true
    }

    private func endHead() -> Bool {
        let status = unsafe CurlHead.status(handle)
        if (100...199).contains(status) { return true }
        noteSecurity()
        if Redirection.isRedirect(status), let location = run.fields.location {
            return follow(location, status: status)
        }
        if status == 401, mayAnswerChallenge() { return true }
        return beginBody()
    }

    private func follow(_ location: String, status: Int) -> Bool {
        do throws(DownloadError) {
            let limit = state.limits.maxRedirects
            let allows = request.allowsDowngrade
            try run.redirection.follow(location, status: status, limit: limit, allowsDowngrade: allows) {
                state.secured($0)
            }
            run.mustAskAgain = true
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// Basic credentials go with the first request; digest ones answer a challenge, which takes another.
    private func mayAnswerChallenge() -> Bool {
        guard request.credentials != nil, !run.redirection.hasLeftOrigin,
            let challenge = run.fields.challenge?.lowercased(),
            challenge.hasPrefix("digest")
        else { return false }
        if !run.isDigest {
            (run.isDigest, run.mustAskAgain) = (true, true)
            return true
        }
        if run.hasSkippedChallenge { return false }
        run.hasSkippedChallenge = true
        return true
    }

    private func beginBody() -> Bool {
        do throws(DownloadError) {
            let (address, redirection) = unsafe (recentAddress.read(handle), run.redirection)
            var head = try unsafe CurlHead.read(handle, &run.fields, redirection, from: address)
            head.timings = timings
            if mayHaveBody(head.status) { run.decoder = ContentDecoder(try ContentCoding.read(run.fields.codings)) }
            (run.hasBegun, run.expected) = (true, head.expected)
            guard let sink, let transfer else { return false }
            if head.expected != nil, head.httpVersion.utf8.first == UInt8(ascii: "1") { listenForExtraBytes() }
            try sink.begin(head)
            state.post(.response(transfer))
            return true
        } catch {
            fail(error)
            return false
        }
    }

    private func mayHaveBody(_ status: Int) -> Bool {
        run.redirection.method != "HEAD" && status != 204 && status != 304
    }

    /// Whether the end of the codings must have come with the end of the body.
    ///
    /// A part of an encoded file has no end of its own, and pages that come with an error are no
    /// downloads. Answers without a body often say that it is encoded; only to GET that is a lie.
    private var mustBeComplete: Bool {
        let status = unsafe CurlHead.status(handle)
        guard (200...299).contains(status), status != 206 else { return false }
        return run.received > 0 || run.redirection.method == "GET" && status == 200
    }

    /// Makes curl say when it drops bytes behind the announced ones, which it tells in no other way.
    private func listenForExtraBytes() {
        (run.isVerbose, run.bodyCall) = (true, state.calls)
        unsafe sluice_set_long(handle, CURLOPT_VERBOSE, 1)
    }

    /// Looks for bytes behind an answer that curl leaves unread; what TLS sends there means nothing.
    ///
    /// Behind the head curl reads no more than was announced. What came together with it, in a read that had room for
    /// more, was all that there was.
    ///
    /// - Parameter last: Bytes of the last piece of the body.
    private func lookForExtraBytes(last: Int) {
        let hadRoom = last < state.bufferSize(decoding: request.offersEncodings) / 2
        if run.bodyCall == state.calls, last == run.received, hadRoom { return }
        guard run.socket >= 0, !CurlURL.isSecure(run.redirection.url) else { return }
        var byte: UInt8 = 0
        if unsafe recv(run.socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0 {
            run.hasExtraBytes = true
        }
    }

    /// Takes a sentence of curl's.
    fileprivate func hear(_ text: UnsafeRawBufferPointer) {
        if unsafe text.starts(with: "Excess found".utf8) { run.hasExtraBytes = true }
    }

    /// - Returns: What curl wants to hear: the number of bytes taken, or that it shall pause.
    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = state.now
        guard let transfer, let sink else { return 0 }
        guard run.hasBegun else { return drop(bytes.count) }
        if unsafe bytes.isEmpty { return 0 }
        do throws(DownloadError) {
            let chunk = unsafe Span<UInt8>(_unsafeBytes: bytes)
            let flow =
                if let decoder = run.decoder { try decode(chunk, with: decoder, into: sink) } else {
                    try sink.write(chunk, received: run.received + chunk.count)
                }
            if case .pause = flow {
                run.stops.insert(.sink)
                return sluice_write_pause()
            }
        } catch {
            // What it was refused for was read of it, if only to be unpacked.
            if run.decoder != nil { run.received += bytes.count }
            fail(error)
            return 0
        }
        run.received += bytes.count
        if run.isVerbose, run.received == run.expected { lookForExtraBytes(last: bytes.count) }
        if state.limiter.isActive, state.limiter.mustStop(transfer, afterTaking: bytes.count) {
            run.stops.insert(.rate)
            unsafe curl_easy_pause(handle, sluice_pause_reading())
        }
        return bytes.count
    }

    /// Delivers what a chunk unpacks to, piece by piece.
    ///
    /// Where the sink stops, curl keeps the whole chunk and brings it again; what the decoder has
    /// read of it is then passed over, and the piece that was not taken goes first.
    private func decode(
        _ chunk: Span<UInt8>,
        with decoder: ContentDecoder,
        into sink: any BodySink
    ) throws(DownloadError) -> BodyFlow {
        var taken = min(run.takenOfRefused, chunk.count)
        while true {
            if case .pause = try deliverPiece(of: decoder, to: sink, received: run.received + taken) {
                run.takenOfRefused = max(run.takenOfRefused, taken)
                return .pause
            }
            taken += try decoder.makePiece(from: chunk.extracting(taken..<chunk.count))
            if decoder.piece.isEmpty { break }
        }
        run.takenOfRefused = max(0, run.takenOfRefused - chunk.count)
        return .taken
    }

    private func deliverPiece(
        of decoder: ContentDecoder,
        to sink: any BodySink,
        received: Int
    ) throws(DownloadError) -> BodyFlow {
        let piece = decoder.piece
        if piece.isEmpty { return .taken }
        let flow = try sink.write(piece.span, received: received)
        if case .taken = flow { decoder.dropPiece() }
        return flow
    }

    /// Reads past the body of an answer that leads elsewhere, to keep its connection; not forever.
    private func drop(_ byteCount: Int) -> Int {
        run.dropped += byteCount
        return run.dropped <= Self.droppedLimit ? byteCount : 0
    }
}

/// Called by curl before each handshake.
private func connectionPrepared(
    _ handle: UnsafeMutableRawPointer?,
    _ connection: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let connection = unsafe connection, let context = unsafe context else { return CURLE_SSL_CONNECT_ERROR }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.prepareHandshake(OpaquePointer(connection))
}

private func bodyArrived(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private func headerArrived(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe transfer.receiveHeader(line) ? line.count : 0
}

private func curlTold(
    _ handle: UnsafeMutableRawPointer?,
    _ kind: curl_infotype,
    _ text: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard kind == CURLINFO_TEXT, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    unsafe transfer.hear(UnsafeRawBufferPointer(start: text, count: count))
    return 0
}
