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
    /// Else curl closes that one, and the transfer begins anew with one of its own; nothing was sent, so it is no retry.
    func maySend(fromPort port: Int) -> Bool {
        // One made for the request has nothing to say yet, and may have the port of another.
        guard !run.needsNewConnection, sockets.hasSpeech(atPort: port) else { return true }
        (run.needsNewConnection, run.mustAskAgain) = (true, true)
        return false
    }

    /// Looks for bytes behind a body, while curl still has its connection.
    ///
    /// Behind the head curl reads no more than was announced, also where one call of it reads head and body: what came
    /// last need not have been all that there was. What TLS sends there by itself means nothing; but what it has
    /// decrypted of a record that went on behind the body does.
    func lookBehindBody() {
        findSocket()
        guard run.socket >= 0 else { return }
        if CurlURL.isSecure(run.redirection.url) {
            run.hasExtraBytes = run.hasExtraBytes || hasDecrypted
            // Whatever else is there says nothing of the body, but the connection is looked at again.
        } else {
            run.isSurplusKnown = true
            run.hasExtraBytes = run.hasExtraBytes || hasUnread
        }
        if run.hasExtraBytes { sockets.noteSpeech(of: run.socket) }
    }

    /// Looks once more when the answer has ended, for the next request may come before the poller hears of anything.
    ///
    /// What TLS sends by itself comes before an answer; should it come behind one, a handshake more is all it costs.
    func lookForSurplus() {
        if run.isSurplusKnown { return }
        findSocket()
        if sockets.isIdle(run.socket), hasUnread { sockets.noteSpeech(of: run.socket) }
    }

    /// Over HTTP/2 its peer may say what it wants, since that is never taken for an answer.
    func allowSurplus() {
        findSocket()
        sockets.allowSpeech(of: run.socket)
        run.isSurplusKnown = true
    }

    /// Makes known which socket the answer comes from, also where curl had not to wait for it.
    private func findSocket() {
        if run.socket >= 0 { return }
        run.socket = sockets.connection(fromPort: unsafe CurlInfo.long(CURLINFO_LOCAL_PORT, handle))
    }

    private var hasUnread: Bool {
        var byte: UInt8 = 0
        return unsafe recv(run.socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    private var hasDecrypted: Bool {
        var session: UnsafeMutablePointer<curl_tlssessioninfo>?
        guard unsafe sluice_get_tls(handle, &session) == CURLE_OK, let session = unsafe session,
            unsafe session.pointee.backend == CURLSSLBACKEND_OPENSSL, let connection = unsafe session.pointee.internals
        else { return false }
        return unsafe SSL_pending(OpaquePointer(connection)) > 0
    }
}
