internal import CCurl
import SluiceCore

/// One reusable easy handle, and the transfer that it serves at the moment.
///
/// Owns the handle: created with it, cleaned up with it. A class because curl
/// keeps its address. Confined to the loop's thread by its owner, the transport.
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
        var isEncoded = false
        var received = 0
        var expected: Int?
        /// Bytes of bodies that nobody wants to see.
        var dropped = 0
        var error: DownloadError?
        var stops: StopReasons = []
        /// Of the requests before the one at hand.
        var timings = TransferTimings(total: .zero)
    }

    /// Bytes of a redirect's body that are read to keep the connection; more are not worth it.
    private static let droppedLimit = 65_536

    let handle: UnsafeMutableRawPointer
    private(set) var transfer: TransferID?
    /// When the last byte came, or the transfer began or went on.
    private(set) var lastActivity = Timestamp(nanoseconds: 0)

    private let state: TransportState
    private let options: CurlOptions
    private var request = TransferRequest(url: "")
    private var sink: (any BodySink)?
    private var run = Run()

    init(
        _ configuration: CurlTransport.Configuration,
        sharing share: CurlShare?,
        _ sockets: CurlSockets,
        _ state: TransportState
    ) {
        guard let handle = unsafe curl_easy_init() else { preconditionFailure("out of memory for a transfer") }
        unsafe self.handle = handle
        self.state = state
        options = unsafe CurlOptions(handle, configuration, share)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sockets.attach(toHandle: handle)
        // Sound: the handle, and with it every use of `me`, ends in `deinit`.
        unsafe sluice_set_pointer(handle, CURLOPT_PRIVATE, me)
        unsafe sluice_set_pointer(handle, CURLOPT_WRITEDATA, me)
        unsafe sluice_set_pointer(handle, CURLOPT_HEADERDATA, me)
        unsafe sluice_set_write(handle, CURLOPT_WRITEFUNCTION, bodyArrived)
        unsafe sluice_set_write(handle, CURLOPT_HEADERFUNCTION, headerArrived)
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    static func of(_ handle: UnsafeMutableRawPointer) -> CurlTransfer {
        var me: UnsafeMutableRawPointer?
        unsafe sluice_get_private(handle, &me)
        guard let me = unsafe me else { preconditionFailure("every handle was made here") }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(me).takeUnretainedValue()
    }

    /// Whether the sink or the rate keeps it from reading, so that silence is no fault.
    var isStopped: Bool { !run.stops.isEmpty }

    /// Bytes of the body as sent, and its announced length.
    var progress: (received: Int, expected: Int?) { (run.received, run.expected) }

    /// For sentences.
    var host: String { CurlURL.origin(of: run.redirection.url)?.host ?? run.redirection.url }

    // MARK: The life of a transfer, for the transport

    func begin(_ transfer: TransferID, _ request: TransferRequest, into sink: any BodySink) {
        (self.transfer, self.request, self.sink) = (transfer, request, sink)
        run = Run()
        run.redirection = Redirection(url: request.url)
        prepare()
    }

    /// Makes the handle ready to ask again, if the answer just ended said so.
    ///
    /// To be called when curl has let go of the handle.
    ///
    /// - Returns: Whether the handle belongs back into the multi handle.
    func continueElsewhere() -> Bool {
        guard run.mustAskAgain, run.error == nil else { return false }
        run.timings = unsafe CurlTimings.read(handle, after: run.timings)
        (run.mustAskAgain, run.dropped) = (false, 0)
        prepare()
        return true
    }

    /// Makes the handle idle; `nil` if it was.
    func end(_ code: CURLcode) -> EndedTransfer? {
        guard let transfer else { return nil }
        // curl asked once and had no answer to the challenge: then it is the final one.
        if code == CURLE_OK, run.hasSkippedChallenge, !run.hasBegun { _ = beginBody() }
        if run.isEncoded { run.received = max(run.received, downloaded) }
        defer { (self.transfer, sink) = (nil, nil) }
        return unsafe EndedTransfer(
            transfer: transfer,
            result: result(code),
            received: run.received,
            timings: CurlTimings.read(handle, after: run.timings)
        )
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

    private func prepare() {
        lastActivity = state.now
        let hasLeft = run.redirection.hasLeftOrigin
        let dropped = hasLeft ? request.originOnlyHeaders : []
        let fields =
            dropped.isEmpty ? request.headers : request.headers.filter { !dropped.contains($0.name.lowercased()) }
        let url = run.redirection.url
        options.set(
            url: url,
            CurlOptions.Changing(
                fields: fields,
                offersEncodings: request.offersEncodings,
                isHead: request.method == "HEAD",
                credentials: hasLeft ? nil : request.credentials,
                isDigest: run.isDigest,
                bufferSize: state.bufferSize(decoding: request.offersEncodings),
                connectTimeout: state.connectTimeout,
                isSecure: url.utf8.starts(with: "https:".utf8)
            )
        )
    }

    private var downloaded: Int { unsafe CurlInfo.offset(CURLINFO_SIZE_DOWNLOAD_T, handle) }

    private func result(_ code: CURLcode) -> Result<Void, DownloadError> {
        if let error = run.error { return .failure(error) }
        if code == CURLE_OK {
            if run.hasBegun { return .success(()) }
            return .failure(
                DownloadError(.connectionLost, "\(host) ended the connection within the head of its answer")
            )
        }
        let progress = CurlError.Progress(
            hasHead: run.hasBegun,
            received: run.received,
            expected: run.expected
        )
        return .failure(CurlError.error(code, options.failure, host: host, at: progress))
    }

    // MARK: What curl's callbacks do

    /// - Returns: Whether to go on.
    fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = state.now
        // What follows the head are trailers.
        if run.hasBegun { return true }
        let line = unsafe Span<UInt8>(_unsafeBytes: line)
        if line.count <= 2, line.trimmed.isEmpty { return endHead() }
        run.fields.add(line, wantsAll: request.wantsFields)
        return true
    }

    private func endHead() -> Bool {
        let status = unsafe CurlHead.status(handle)
        if (100...199).contains(status) { return true }
        if Redirection.isRedirect(status), let location = run.fields.location {
            return follow(location)
        }
        if status == 401, mayAnswerChallenge() { return true }
        return beginBody()
    }

    private func follow(_ location: String) -> Bool {
        do throws(DownloadError) {
            let limit = state.limits.maxRedirects
            try run.redirection.follow(location, limit: limit, allowsDowngrade: request.allowsDowngrade)
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
            let head = try unsafe CurlHead.read(handle, run.fields, run.redirection)
            (run.hasBegun, run.isEncoded, run.expected) = (true, head.isEncoded, head.expected)
            guard let sink, let transfer else { return false }
            try sink.begin(head)
            state.post(.response(transfer, head))
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// - Returns: What curl wants to hear: the number of bytes taken, or that it shall pause.
    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = state.now
        guard let transfer, let sink else { return 0 }
        guard run.hasBegun else { return drop(bytes.count) }
        if unsafe bytes.isEmpty { return 0 }
        let received = run.isEncoded ? downloaded : run.received + bytes.count
        do throws(DownloadError) {
            let chunk = unsafe Span<UInt8>(_unsafeBytes: bytes)
            if case .pause = try sink.write(chunk, received: received) {
                run.stops.insert(.sink)
                return sluice_write_pause()
            }
        } catch {
            fail(error)
            return 0
        }
        let arrived = received - run.received
        run.received = received
        if state.limiter.rate > 0, state.limiter.mustStop(transfer, afterTaking: arrived) {
            run.stops.insert(.rate)
            unsafe curl_easy_pause(handle, sluice_pause_reading())
        }
        return bytes.count
    }

    /// Reads past the body of an answer that leads elsewhere, to keep its connection; not forever.
    private func drop(_ byteCount: Int) -> Int {
        run.dropped += byteCount
        return run.dropped <= Self.droppedLimit ? byteCount : 0
    }
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
