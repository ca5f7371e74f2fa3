internal import CCurl
import SluiceCore

/// What a transfer came to.
extension CurlTransfer {
    /// How far it has come, the requests before the one at hand included.
    var timings: TransferTimings {
        unsafe CurlTimings.read(handle, after: run.timings, isRedirected: run.redirection.count > 0)
    }

    /// The same at the end: curl's clock stands still where it only waited, until we break off.
    func finalTimings(_ code: CURLcode) -> TransferTimings {
        var timings = timings
        if code == CURLE_OK, run.error == nil { return timings }
        timings.total = max(timings.total, run.timings.total + (state.now - run.exchange.asked))
        return timings
    }

    /// Whom curl found no address for; where there is a proxy, it is about that, also if curl calls it a host.
    func unresolvedHost(_ code: CURLcode) -> String? {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            proxy(for: run.redirection.url)?.bareHost ?? host
        default: nil
        }
    }

    /// Whom it talks to, by whom, for sentences.
    var way: String { CurlError.way(to: host, by: proxy(for: run.redirection.url)) }

    func result(_ code: CURLcode) -> Result<Void, DownloadError> {
        if let error = run.error { return .failure(error) }
        if run.body.isWholeEarly || run.body.sufficesSince != nil { return .success(()) }
        // A sentence is about the file, of which a part may be there from before.
        let start = unsafe CurlHead.status(handle) == 206 ? request.resumesAt : 0
        let (received, expected) = (start + run.body.received, run.body.expected.map { start + $0 })
        // What a range told of its length is known where the connection says nothing of the end.
        let told = expected ?? run.body.rangeCount.map { start + $0 }
        if code == CURLE_OK {
            if let decoder = run.body.decoder, mustBeComplete, !decoder.isComplete {
                return .failure(CurlError.cut(host, decoder.name, received: run.body.received))
            }
            if run.answer.hasBegun {
                if isBrokenOff { return .failure(CurlError.brokenOff(host, received: received, expected: told)) }
                guard let expected, received > expected || run.body.isCounted else { return .success(()) }
                if run.body.isCounted {
                    return .failure(CurlError.endedEarly(host, received: received, expected: expected))
                }
                let words = "announced \(expected) bytes and sent \(received): try later"
                return .failure(DownloadError(.badResponse, "\(host) \(words)"))
            }
            return .failure(CurlError.endedWithinHead(host))
        }
        // Who answers before all of the request's body was read may close the connection on the rest of it.
        if code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR, request.body != nil, isWhole { return .success(()) }
        if code == CURLE_RECV_ERROR, isWholeRange { return .success(()) }
        let tunnelStatus = unsafe CurlInfo.long(CURLINFO_HTTP_CONNECTCODE, handle)
        if let refusal = CurlError.refusal(byProxy: tunnelStatus) { return .failure(refusal) }
        let isAnswered = if case .nothing = run.answer { false } else { true }
        let progress = CurlError.Progress(
            hasHead: run.answer.hasBegun,
            isAsked: unsafe CurlInfo.long(CURLINFO_REQUEST_SIZE, handle) > 0,
            tunnelStatus: tunnelStatus,
            headBytes: unsafe CurlInfo.long(CURLINFO_HEADER_SIZE, handle),
            received: received,
            expected: told,
            clientWish: isAnswered ? nil : run.exchange.clientWish,
            proxy: proxy(for: run.redirection.url),
            lacksDescriptors: run.exchange.lacksDescriptors
        )
        return .failure(CurlError.error(code, options.failure, host: host, at: progress))
    }

    /// Whether all of the answer came, as far as its head tells.
    var isWhole: Bool {
        guard run.answer.hasBegun, run.body.decoder?.isComplete ?? true else { return false }
        return run.body.expected == run.body.received || !mayHaveBody(unsafe CurlHead.status(handle))
    }

    /// Whether the end of the codings must have come with the end of the body.
    ///
    /// A part of an encoded file has no end of its own, and pages that come with an error are no
    /// downloads. Answers without a body often say that it is encoded; only to GET that is a lie.
    var mustBeComplete: Bool {
        let status = unsafe CurlHead.status(handle)
        guard (200...299).contains(status), status != 206 else { return false }
        return run.body.received > 0 || run.redirection.method == "GET" && status == 200
    }
}
