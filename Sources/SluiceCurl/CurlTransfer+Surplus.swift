internal import CCurl
internal import COpenSSL
import Glibc
import SluiceCore

/// What comes over HTTP/1 behind an answer, and belongs to none.
///
/// There an answer belongs to a request by its place alone. What a server sends while nothing is asked would become the
/// answer to the next request over the connection, and be cached as that. So such a connection is not used again: what
/// is said on an idle one is heard by the poller, and what is there as an answer ends is looked for.
///
/// - SeeAlso: RFC 9112 §6.3, §9.2
extension CurlTransfer {
    /// Whether curl may send the request over the connection that it chose, known by the port of this end.
    ///
    /// Else the transfer begins anew with one of its own; nothing was sent, so it is no retry. curl closes the unfit one if
    /// it is of HTTP/1; see ``CurlTransport/closeShunned(by:)`` for the others.
    func maySend(fromPort port: Int) -> Bool {
        if run.exchange.isSent {
            // Sent again by curl itself, it need not go where it went before, as from a challenge.
            isWorn = true
            (run.exchange.socket, run.exchange.isSpoiled, run.exchange.isSurplusKnown) = (-1, false, false)
        }
        run.exchange.isSent = true
        // One made for the request has nothing to say yet, and may have the port of another.
        guard run.connection == .any, sockets.isUnfit(atPort: port) else { return true }
        run.connection = .unfit
        return false
    }

    /// Makes curl say when it drops bytes behind an answer, which it tells in no other way.
    ///
    /// Over HTTP/1 only, and not where the answer ends with its connection.
    func listenForExtraBytes() {
        run.exchange.isHeard = true
        unsafe sluice_set_long(handle, CURLOPT_VERBOSE, 1)
    }

    /// Makes curl silent again, if it was not: it formats each of its sentences, and has some for every end.
    func stopListening() {
        if !run.exchange.isHeard { return }
        run.exchange.isHeard = false
        unsafe sluice_set_long(handle, CURLOPT_VERBOSE, 0)
    }

    /// Takes a sentence of curl's.
    ///
    /// Where bytes came behind no body, or behind the last chunk, curl itself would use the connection again.
    func hear(_ text: UnsafeRawBufferPointer) {
        guard unsafe text.starts(with: "Excess found".utf8) || text.starts(with: "Leftovers after".utf8) else { return }
        // Behind an answer that leads elsewhere they are nothing that anybody wanted to see.
        if run.answer.hasBegun { run.body.hasExtraBytes = true }
        // Noted at the end once more: what curl goes on to do with the socket, as after a pause, takes a note away.
        run.exchange.isSpoiled = true
        findSocket()
        sockets.noteSpeech(of: run.exchange.socket)
    }

    /// Looks for bytes behind a body, while curl still has its connection.
    ///
    /// Behind the head curl reads no more than was announced, also where one call of it reads head and body: what came
    /// last need not have been all that there was. What TLS sends there by itself means nothing; but what it has
    /// decrypted of a record that went on behind the body does.
    func lookBehindBody() {
        findSocket()
        guard run.exchange.socket >= 0 else { return }
        if CurlURL.isSecure(run.redirection.url) {
            run.body.hasExtraBytes = run.body.hasExtraBytes || hasDecrypted
            // Whatever else is there says nothing of the body, but the connection is looked at again.
        } else {
            run.exchange.isSurplusKnown = true
            run.body.hasExtraBytes = run.body.hasExtraBytes || hasUnread
        }
        if run.body.hasExtraBytes { sockets.noteSpeech(of: run.exchange.socket) }
    }

    /// Has a request sent once more, over a new connection, where the one it went over brought no head.
    ///
    /// The bytes were left of the answer before, behind which none had come yet as it ended: servers that send a body where
    /// none belongs, as to HEAD, would else spoil every other request. Nobody has heard of an answer then.
    ///
    /// - Parameter code: What the request came to.
    func askAgainPastLeftovers(_ code: CURLcode) {
        guard code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY, run.error == nil,
            case .nothing = run.answer, run.connection == .any, request.body == nil,
            ["GET", "HEAD"].contains(run.redirection.method), unsafe CurlInfo.long(CURLINFO_NUM_CONNECTS, handle) == 0
        else { return }
        run.connection = .unfit
    }

    /// Looks once more when the answer has ended, for the next request may come before the poller hears of anything.
    ///
    /// What TLS sends by itself comes before an answer; should it come behind one, a handshake more is all it costs.
    func lookForSurplus() {
        if run.exchange.isSpoiled {
            findSocket()
            if sockets.isIdle(run.exchange.socket) { sockets.noteSpeech(of: run.exchange.socket) }
        }
        if run.exchange.isSurplusKnown { return }
        findSocket()
        if sockets.isIdle(run.exchange.socket), hasUnread { sockets.noteSpeech(of: run.exchange.socket) }
    }

    /// Over HTTP/2 its peer may say what it wants, since that is never taken for an answer.
    func allowSurplus() {
        findSocket()
        sockets.allowSpeech(of: run.exchange.socket)
        run.exchange.isSurplusKnown = true
    }

    /// Makes known which socket the answer comes from, also where curl had not to wait for it.
    func findSocket() {
        if run.exchange.socket >= 0 { return }
        run.exchange.socket = sockets.connection(fromPort: unsafe CurlInfo.long(CURLINFO_LOCAL_PORT, handle))
    }

    private var hasUnread: Bool {
        var byte: UInt8 = 0
        return unsafe recv(run.exchange.socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    private var hasDecrypted: Bool {
        guard let connection = unsafe secureConnection else { return false }
        return unsafe SSL_pending(connection) > 0
    }

    /// OpenSSL's connection, while curl still has it.
    var secureConnection: OpaquePointer? {
        var session: UnsafeMutablePointer<curl_tlssessioninfo>?
        guard unsafe sluice_get_tls(handle, &session) == CURLE_OK, let session = unsafe session,
            unsafe session.pointee.backend == CURLSSLBACKEND_OPENSSL, let connection = unsafe session.pointee.internals
        else { return nil }
        return OpaquePointer(connection)
    }

    /// Remembers who hears how TLS ends, for a body that nothing else tells the end of.
    func awaitFarewell() {
        guard CurlURL.isSecure(run.redirection.url), let connection = unsafe secureConnection else { return }
        run.exchange.farewell = unsafe CurlTrust.judge(of: connection)
    }

    /// Whether a body that ends with its connection came to that end by the network, or by anybody on the way.
    var isBrokenOff: Bool {
        run.exchange.farewell?.isClosed == false && run.body.decoder?.isComplete != true && !isWholeRange
    }

    /// Whether all bytes came of a part that says which they are, and not how many.
    ///
    /// - SeeAlso: RFC 9110 §14.4
    var isWholeRange: Bool { run.body.rangeCount == run.body.received }
}
