internal import CCurl
import SluiceCore

/// Turns curl's codes into causes that one can act on; the only place that knows both.
enum CurlError {
    /// How far a transfer came, where that changes what its failure means.
    struct Progress {
        /// The final head arrived.
        var hasHead: Bool
        /// The request went out, or some of it.
        var isAsked = false
        /// What a proxy answered to the wish for a tunnel; 0 if it was not asked, or that was no HTTP.
        var tunnelStatus = 0
        /// Bytes of heads that arrived, redirects included.
        var headBytes = 0
        /// Bytes of the body as sent.
        var received: Int
        var expected: Int?
        /// Of the handshake before a request that nothing answered.
        var clientWish: ClientWish?
        /// Who stands between, if anybody does.
        var proxy: ProxyServer?
        /// Whether no descriptor was left for a connection.
        var lacksDescriptors = false
    }

    /// Who asked for a client certificate, and what it was given.
    enum ClientWish {
        /// The host, and there is none for it.
        case ignored
        /// The host, and it was shown that of a file.
        case shown(String)
        /// A proxy on the way.
        case proxy
    }

    /// Names the cause of a failed transfer.
    ///
    /// - Parameters:
    ///   - code: What curl says; not `CURLE_OK`.
    ///   - detail: curl's own sentence, possibly empty.
    ///   - host: Whom the transfer talked to.
    ///   - progress: How far it came.
    /// - Returns: The cause, with a sentence.
    static func error(_ code: CURLcode, _ detail: String, host: String, at progress: Progress) -> DownloadError {
        let reason = detail.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : detail
        let failure = Failure(code: code, detail: detail, reason: reason, host: host, progress: progress)
        return refusal(ofClient: failure) ?? refusal(ofProxy: failure) ?? unreached(failure) ?? unsecured(failure)
            ?? unreadable(failure) ?? brokenOff(failure)
            ?? DownloadError(.ioError, "the transfer from \(host) failed: \(reason)")
    }

    /// What curl says of a transfer that failed, and how far that came.
    struct Failure {
        let code: CURLcode
        /// curl's own sentence, possibly empty.
        let detail: String
        /// That, or what the code stands for.
        let reason: String
        let host: String
        let progress: Progress

        /// Whether a name has no address here that a proxy of SOCKS was to be told.
        var isUnresolved: Bool {
            ["Could not resolve host", "Failed to resolve"].contains { reason.hasPrefix($0) }
        }

        /// Whom curl talked to: the host, or the proxy to it.
        var way: String { CurlError.way(to: host, by: progress.proxy) }
    }

    /// Before there was a connection.
    private static func unreached(_ failure: Failure) -> DownloadError? {
        let (host, progress) = (failure.host, failure.progress)
        switch failure.code {
        case CURLE_URL_MALFORMAT:
            return DownloadError(.badURL, "the URL can't be used: \(failure.reason); check its host and port")
        case CURLE_COULDNT_RESOLVE_HOST where progress.proxy == nil:
            return DownloadError(.hostNotFound, "no address for \(host): check the name and the network")
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            let name = progress.proxy.map { " \($0.host)" } ?? ""
            return DownloadError(
                .hostNotFound,
                "no address for the proxy\(name): check --proxy, http_proxy and https_proxy"
            )
        case CURLE_PROXY where failure.isUnresolved:
            return DownloadError(
                .hostNotFound,
                "no address for \(host), which is looked up here: check the name, or let the proxy do it, as by socks5h://"
            )
        case CURLE_PROXY:
            return DownloadError(.cannotConnect, "the proxy did not connect to \(host): \(failure.reason)")
        case CURLE_COULDNT_CONNECT where progress.lacksDescriptors:
            return DownloadError(
                .cannotConnect,
                "no connection to \(host): this process has as many files open as it may; raise ulimit -n, or lower maxActive"
            )
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
            return DownloadError(.cannotConnect, unreached(host, failure.reason, hasProxy: progress.proxy != nil))
        case CURLE_OPERATION_TIMEDOUT:
            return DownloadError(
                .timedOut,
                "\(failure.way) did not take the connection in time: try later, or raise connectTimeout"
            )
        default: return nil
        }
    }

    /// While TLS was set up.
    private static func unsecured(_ failure: Failure) -> DownloadError? {
        let (host, reason) = (failure.host, failure.reason)
        switch failure.code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS:
            return DownloadError(.tlsUntrusted, "the certificate of \(host) is not trusted: \(reason)")
        case CURLE_SSL_CACERT_BADFILE:
            return DownloadError(.tlsFailed, "the certificate authorities can't be read: \(reason)")
        case CURLE_SSL_CONNECT_ERROR where isBrokenOff(failure.detail):
            return DownloadError(
                .connectionLost,
                "the connection to \(failure.way) was lost while it was being secured"
            )
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            let isPlain = failure.detail.contains("wrong version number")
            let cause = isPlain ? "\(DownloadError.noTLS); did you mean http://?" : reason
            return DownloadError(.tlsFailed, "no secure connection to \(host): \(cause)")
        default: return nil
        }
    }

    /// An answer that is none by the rules of HTTP, or is more than is read.
    private static func unreadable(_ failure: Failure) -> DownloadError? {
        let (detail, host, way) = (failure.detail, failure.host, failure.way)
        let hasHead = failure.progress.hasHead
        func bad(_ message: String) -> DownloadError { DownloadError(.badResponse, message) }
        switch failure.code {
        case CURLE_RECV_ERROR where detail.contains("chunked-encoding"),
            // A line behind the last chunk that is no field, as behind a size that curl reads as 0.
            CURLE_BAD_FUNCTION_ARGUMENT where detail.contains("chunked-encoded"):
            return bad("\(host) sent a body whose chunks make no sense: tell whoever runs it")
        case CURLE_RECV_ERROR where detail.contains("Too large response headers"):
            return bad("\(way) sent a head of more than 300 KiB, which no HTTP client takes: tell whoever runs it")
        case CURLE_RECV_ERROR where detail.contains("nghttp2_session_mem_recv() returned"):
            return bad("\(host) broke the rules of HTTP/2, or sent a head of more than 64 KiB: tell whoever runs it")
        case CURLE_HTTP2_STREAM where !hasHead && detail.contains("PROTOCOL_ERROR"):
            return bad("\(host) did not answer by the rules of HTTP/2: \(failure.reason)")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            return bad("\(way) did not answer by the rules of HTTP: \(failure.reason)")
        case CURLE_BAD_FUNCTION_ARGUMENT where failure.progress.headBytes > 0 && !hasHead:
            // curl's way to say that a line is no field, as one that goes on with none before it.
            return bad("\(host) sent a head with a line that is no field: tell whoever runs it")
        case CURLE_OUT_OF_MEMORY where failure.progress.isAsked && !hasHead:
            // curl's way to say that a line is longer than it takes.
            return bad(
                "\(way) sent a header line of more than 100 KiB, which no HTTP client takes: tell whoever runs it"
            )
        default: return nil
        }
    }

    /// A connection that ended, or can't go on; asked behind ``unreadable(_:)``, which knows some of these better.
    private static func brokenOff(_ failure: Failure) -> DownloadError? {
        let (detail, host, way, progress) = (failure.detail, failure.host, failure.way, failure.progress)
        func lost(_ message: String) -> DownloadError { DownloadError(.connectionLost, message) }
        switch failure.code {
        case CURLE_SEND_ERROR where detail.hasPrefix("Connection died"):
            // Each time over another connection that was kept.
            return lost("\(way) closed every connection that was open without an answer: try again, for a new one")
        case CURLE_GOT_NOTHING:
            return lost("\(way) closed the connection without an answer")
        case CURLE_PARTIAL_FILE:
            return progress.hasHead ? truncated(host, progress) : endedWithinHead(host)
        case CURLE_RECV_ERROR where detail.contains("unexpected eof") && !progress.hasHead:
            return lost("\(way) closed the connection without an answer")
        case CURLE_RECV_ERROR where detail.contains("unexpected eof") && progress.expected == nil:
            return brokenOff(host, received: progress.received, expected: nil)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR:
            return progress.hasHead
                ? truncated(host, progress) : lost("the connection to \(way) was lost: \(failure.reason)")
        case CURLE_OUT_OF_MEMORY where progress.hasHead:
            // It kept what came for a stream that stood still, whose connection others read on, and that is too much now.
            return lost(
                "\(host) sent more over a shared connection than is kept while a transfer waits: it needs one of its own"
            )
        case CURLE_OUT_OF_MEMORY:
            return DownloadError(.ioError, "out of memory for the transfer: lower maxActive")
        default: return nil
        }
    }

    /// A connection that ended because of the client certificate, or for want of one.
    ///
    /// A server says so after the handshake, by an alert that is often lost with the connection that it
    /// ends at once. So a connection that was lost before any answer, though not by time, counts too where a
    /// certificate was asked for: to ask again the same way would not help.
    private static func refusal(ofClient failure: Failure) -> DownloadError? {
        let host = failure.host
        switch failure.code {
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_SSL_CONNECT_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            break
        default: return nil
        }
        switch failure.progress.clientWish {
        case .ignored:
            return DownloadError(.tlsFailed, "\(host) wants a client certificate: give --cert FILE and --key FILE")
        case .shown(let path):
            return DownloadError(
                .tlsFailed,
                "\(host) did not accept the client certificate of \(path): give another by --cert FILE and --key FILE"
            )
        case .proxy:
            return DownloadError(
                .tlsFailed,
                "the proxy to \(host) wants a client certificate, which proxies are never shown: name another proxy"
            )
        case nil:
            // Another transfer shook hands for this one.
            guard !failure.progress.hasHead, failure.detail.contains("alert certificate required") else { return nil }
            return DownloadError(.tlsFailed, "\(host) wants a client certificate: give --cert FILE and --key FILE")
        }
    }

    /// What a proxy answered to the wish for a tunnel; `nil` if it opened one, or was not asked.
    static func refusal(byProxy status: Int) -> DownloadError? {
        guard status >= 300 else { return nil }
        let cure = status == 407 ? ": it wants a user name and password; put them into the proxy's URL" : ""
        let message = "the proxy answered \(status) instead of a tunnel\(cure)"
        // Of what stands at the origin it says nothing, and another time it may make one.
        return DownloadError(.badStatus, message, status: status, isTemporary: true)
    }

    /// A head that takes too long to read.
    static func tooManyLines(_ host: String) -> DownloadError {
        DownloadError(
            .badResponse,
            "\(host) sent a head of more than \(CurlHead.mostLines) lines, which is not read: tell whoever runs it"
        )
    }

    /// Challenges of which each has curl ask once more.
    static func tooManyChallenges(_ host: String) -> DownloadError {
        DownloadError(
            .badResponse,
            "\(host) was asked \(CurlHead.mostChallenges + 1) times, and answered each time with another digest challenge: "
                + "tell whoever runs it"
        )
    }

    /// An answer after which another protocol than HTTP is spoken.
    static func switchedProtocols(_ host: String) -> DownloadError {
        DownloadError(.badResponse, "\(host) switches protocols, which nobody asked for: tell whoever runs it")
    }

    /// A status line of HTTP/2 over a connection of HTTP/1, where answers can't be told apart.
    static func otherVersion(_ host: String) -> DownloadError {
        DownloadError(.badResponse, "\(host) answers as HTTP/2, which was not agreed on: tell whoever runs it")
    }

    /// A connection that ended before the blank line behind the fields.
    static func endedWithinHead(_ host: String) -> DownloadError {
        DownloadError(.connectionLost, "\(host) ended the connection within the head of its answer")
    }

    /// A body that stopped before its length, as where a second answer begins within it.
    static func endedEarly(_ host: String, received: Int, expected: Int?) -> DownloadError {
        truncated(host, Progress(hasHead: true, received: received, expected: expected))
    }

    /// A body whose connection did not come to its end, which nothing else tells unless a range did.
    static func brokenOff(_ host: String, received: Int, expected: Int?) -> DownloadError {
        if let expected { return endedEarly(host, received: received, expected: expected) }
        return DownloadError(
            .truncated,
            "\(host) broke the secure connection off after \(received) \(received == 1 ? "byte" : "bytes") instead of closing "
                + "it, so that nobody knows whether that is all: try again, or tell whoever runs it"
        )
    }

    /// A body whose codings did not come to their end.
    static func cut(_ host: String, _ codings: String, received: Int) -> DownloadError {
        DownloadError(
            .truncated,
            received == 0
                ? "\(host) sent an empty body, where \(codings) data was announced; try again"
                : "\(host) ended the body after \(received) bytes, within its \(codings) data; try again"
        )
    }

    /// Says in short what curl says as `Failed to connect to HOST port N after 3 ms: CAUSE`, and who HOST is.
    private static func unreached(_ host: String, _ reason: String, hasProxy: Bool) -> String {
        let start = "Failed to connect to "
        guard reason.hasPrefix(start), let end = reason.firstRange(of: " after "),
            let cause = reason.firstRange(of: ": ")
        else {
            // curl says no more of an address that is not of the kind that it is to use.
            let isIPv6 = host.hasPrefix("[")
            let isAddress = isIPv6 || host.allSatisfy { $0.isNumber || $0 == "." }
            guard isAddress, !hasProxy, reason == "Couldn't connect to server" else {
                return "can't connect to \(host): \(reason)"
            }
            return "can't connect to \(host), an IPv\(isIPv6 ? "6" : "4") address, by IPv\(isIPv6 ? "4" : "6") only: "
                + "leave out -\(isIPv6 ? "4" : "6")"
        }
        let place = reason[..<end.lowerBound].dropFirst(start.count)
        // Curl writes an address of IPv6 without its brackets, and its zone in its own way, if at all.
        let isAddress = host.hasPrefix("[")
        let name = isAddress ? String(host.dropFirst().prefix { $0 != "]" && $0 != "%" }) : host
        let isHost = place.hasPrefix("\(name) port ") || (isAddress && place.hasPrefix("\(name)%"))
        let text = reason[cause.upperBound...]
        let said = text == "Couldn't connect to server" ? "nobody answers there" : String(text)
        return "can't connect to \(isHost ? "" : "the proxy ")\(place): \(said); check host and port, or try later"
    }

    /// Whether a handshake ended because the connection did, and not since anybody refused it.
    private static func isBrokenOff(_ detail: String) -> Bool {
        ["SSL_ERROR_SYSCALL", "unexpected eof", "Connection reset", "Recv failure", "Send failure", "Broken pipe"]
            .contains { detail.contains($0) }
    }

    private static func truncated(_ host: String, _ progress: Progress) -> DownloadError {
        let share = progress.expected.map { "after \(progress.received) of \($0) bytes" }
        return DownloadError(.truncated, "\(host) ended the body \(share ?? "before its end")")
    }
}
