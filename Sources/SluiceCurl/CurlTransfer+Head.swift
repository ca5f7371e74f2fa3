internal import CCurl
import SluiceCore

/// The head of an answer, line by line, and what follows from it: another place to ask, or a body.
extension CurlTransfer {
    /// - Returns: Whether to go on.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        run.exchange.headLines += 1
        if run.exchange.headLines > CurlHead.mostLines {
            fail(CurlError.tooManyLines(host))
            return false
        }
        if run.answer.hasBegun {
            // What follows the head are trailers, which are nothing that somebody waits for.
            guard unsafe Span<UInt8>(_unsafeBytes: line).isStatusLine else { return true }
            // curl asked once more by itself, as a server of HTTP/2 may want it to over HTTP/1.1: what comes is no rest.
            fail(CurlError.endedEarly(host, received: run.body.received, expected: run.body.expected))
            return false
        }
        lastActivity = state.now
        unshunConnection()
        if case .nothing = run.answer {
            run.beginAnswer()
            // The request is out: cookies that the answer sets are for all.
            options.attachCookies()
        }
        let line = unsafe Span<UInt8>(_unsafeBytes: line)
        // Until the head ends, and that of an interim answer too, curl would send other requests behind it.
        if line.isStatusLine, claimsOtherVersion {
            fail(CurlError.otherVersion(host))
            return false
        }
        if line.count <= 2, line.trimmed.isEmpty { return endHead() }
        run.fields.add(line, wantsAll: request.wantsFields, recent: &recentFields)
        return true
    }

    private func endHead() -> Bool {
        let status = unsafe CurlHead.status(handle)
        // curl takes all that follows this one for its body.
        if status == 101 {
            fail(CurlError.switchedProtocols(host))
            return false
        }
        if (100...199).contains(status) { return true }
        // A proxy of HTTP may fold them, as RFC 9112 §5.2 has it; curl puts them together.
        if run.fields.isFolded { run.fields.readAgain(unsafe CurlHead.lines(handle), wantsAll: request.wantsFields) }
        noteSecurity()
        // What is behind it would be taken for the answer to the next request.
        if isHTTP1, !(mayHaveBody(status) && run.fields.endsWithConnection) {
            listenForExtraBytes()
        }
        if run.fields.setsCookie { options.noteCookies() }
        // One that leads nowhere is an answer like any other.
        if Redirection.isRedirect(status), let location = run.fields.location, !location.isEmpty {
            return follow(location, status: status)
        }
        if status == 401, mayAnswerChallenge() { return !isChallengedForEver }
        return beginBody()
    }

    private func follow(_ location: String, status: Int) -> Bool {
        // A body that ends with its connection keeps nothing that could be used again, and may never end.
        let isEndless = mayHaveBody(status) && run.fields.endsWithConnection && isHTTP1
        do throws(DownloadError) {
            let limit = state.limits.maxRedirects
            let allows = request.allowsDowngrade
            try run.redirection.follow(location, status: status, limit: limit, allowsDowngrade: allows) {
                state.secured($0)
            }
            (run.answer, run.challenges) = (.leadsOn(since: state.now), 0)
            if !isEndless, mayHaveBody(status) { state.watchUnwanted(since: state.now) }
            return !isEndless
        } catch {
            fail(error)
            return false
        }
    }

    /// Basic credentials go with the first request; digest ones answer a challenge, which takes another.
    private func mayAnswerChallenge() -> Bool {
        guard request.credentials != nil, !run.redirection.hasLeftOrigin, run.fields.offersDigest else { return false }
        // Once asked by digest, curl itself answers each challenge that says that only its nonce was too old.
        run.answer = run.isDigest ? .challenge : .leadsOn(since: state.now)
        run.isDigest = true
        if case .leadsOn = run.answer { state.watchUnwanted(since: state.now) }
        return true
    }

    /// curl itself answers each challenge that calls its nonce too old, as long as they come.
    private var isChallengedForEver: Bool {
        run.challenges += 1
        if run.challenges <= CurlHead.mostChallenges { return false }
        fail(CurlError.tooManyChallenges(host))
        return true
    }

    func beginBody() -> Bool {
        do throws(DownloadError) {
            let (address, redirection) = unsafe (recentAddress.read(handle), run.redirection)
            let (passesOverLength, endsWithConnection) = (run.fields.passesOverLength, run.fields.endsWithConnection)
            var head = try unsafe CurlHead.read(
                handle,
                &run.fields,
                redirection,
                from: address,
                isHTTP1: isHTTP1,
                takesCookies: options.takesCookies
            )
            head.timings = timings
            if mayHaveBody(head.status) {
                run.body.decoder = ContentDecoder(try ContentCoding.read(run.fields.codings))
            } else if run.redirection.method != "HEAD" {
                // A length that is told all the same is of no body that comes, by RFC 9110 §8.6.
                head.expected = nil
            }
            head.isUnpacked = run.body.decoder != nil
            let isAlone = head.httpVersion.utf8.first == UInt8(ascii: "1")
            (run.answer, run.body.expected) = (.begun(isAlone ? .own : .shared), head.expected)
            guard let sink, let transfer else { return false }
            if !isAlone { allowSurplus() }
            run.body.isCounted = passesOverLength && isAlone && mayHaveBody(head.status)
            if endsWithConnection, isAlone, mayHaveBody(head.status) {
                awaitFarewell()
                if head.status == 206 {
                    run.body.rangeCount = head.contentRange.flatMap(ContentRange.init)?.range?.count
                }
            }
            try sink.begin(ResponseHead(consume head))
            state.post(.response(transfer))
            if endsEarly { return false }
            return try !endsByCount()
        } catch {
            fail(error)
            return false
        }
    }

    func mayHaveBody(_ status: Int) -> Bool {
        run.redirection.method != "HEAD" && status != 204 && status != 304
    }
}
