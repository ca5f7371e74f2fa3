internal import COpenSSL
import SluiceCore

/// Which HTTP a connection speaks, whatever the status line of an answer claims.
///
/// HTTP/2 is agreed on within the handshake, and over plain HTTP nobody asks for it. curl goes by the status line: one that
/// claims HTTP/2 on a connection of HTTP/1 lets it send many requests over that at once, whose answers then go to whoever
/// reads first.
///
/// - SeeAlso: RFC 9113 §3.2
extension CurlTransfer {
    /// Whether it is of HTTP/1.1 or older, where one connection has one answer at a time.
    var isHTTP1: Bool { unsafe CurlHead.isHTTP1(handle) || !CurlURL.isSecure(run.redirection.url) }

    /// Whether an answer claims a version that the handshake did not agree on; of plain HTTP the claim does not matter.
    var claimsOtherVersion: Bool {
        guard !isHTTP1, let connection = unsafe secureConnection else { return false }
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(connection, &name, &count)
        let agreed = unsafe Array(UnsafeBufferPointer(start: name, count: Int(count)))
        return agreed != Array("h2".utf8)
    }
}
