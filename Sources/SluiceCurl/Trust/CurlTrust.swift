internal import CCurl
internal import COpenSSL
import SluiceCore

/// Judges the certificates of one connection, inside its handshake.
///
/// Made when curl prepares the connection, and alive as long as it: a server that wants
/// to shake hands again meets the same judge. What it refuses gets no byte of a request,
/// since the handshake ends there. Confined to the loop's thread.
///
/// A proxy that is reached over TLS is no host of the user's policies: it is judged by the
/// standard one, and by the authorities for proxies or else the system's, however lenient the policy of
/// the host behind it, and is never shown the client's certificate.
@safe
final class CurlTrust {
    /// Who must answer, lower-cased, an address without brackets.
    let host: String
    private let isProxy: Bool
    private let material: TrustMaterial
    /// Whether the other side closed TLS, and did not just leave.
    ///
    /// A body of unknown length is whole only then, since anybody on the way can cut a connection.
    ///
    /// - SeeAlso: RFC 9112 §9.8
    fileprivate(set) var isClosed = false
    /// curl's own keeper of TLS sessions.
    fileprivate var takeSession: SessionTaking?
    /// Hears the verdict on a host, and on a proxy that is refused; once a handshake.
    private let report: (TrustDecision, TrustChain) -> Void
    /// Hears that the server wants to know who is there, whether it is told or not.
    fileprivate let clientWanted: () -> Void

    /// - Parameters:
    ///   - host: Who must answer.
    ///   - isProxy: Whether that is a proxy on the way.
    ///   - material: By what a host is judged.
    ///   - report: Hears the verdict; called within the handshake.
    ///   - clientWanted: Hears that a client certificate is asked for; called within the handshake.
    init(
        host: String,
        isProxy: Bool,
        material: TrustMaterial,
        report: @escaping (TrustDecision, TrustChain) -> Void,
        clientWanted: @escaping () -> Void
    ) {
        (self.host, self.isProxy, self.material) = (HostName.plain(host), isProxy, material)
        (self.report, self.clientWanted) = (report, clientWanted)
    }

    /// Whether curl is about to shake hands with a proxy.
    ///
    /// curl tells its callback nothing of that, and of a proxy that is named by its address no name
    /// is sent which would tell. So handles ask for a workaround of old TLS to be left out for
    /// proxies only, which shows in the options of the context. See ``markProxies(of:)``.
    static func isProxy(_ context: OpaquePointer) -> Bool { unsafe sluice_keeps_fragments(context) != 0 }

    /// Sets what ``isProxy(_:)`` reads, and how curl itself checks proxies.
    static func markProxies(of handle: UnsafeMutableRawPointer) {
        unsafe sluice_set_long(handle, CURLOPT_PROXY_SSL_OPTIONS, Int(CURLSSLOPT_ALLOW_BEAST))
        unsafe sluice_set_long(handle, CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        unsafe sluice_set_long(handle, CURLOPT_PROXY_SSL_VERIFYHOST, 2)
        unsafe sluice_set_long(handle, CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    }

    /// The judge of one of OpenSSL's connections; `nil` if it has none.
    static func judge(of connection: OpaquePointer) -> CurlTrust? {
        guard let context = unsafe SSL_get_SSL_CTX(connection),
            let judge = unsafe SSL_CTX_get_ex_data(context, index)
        else { return nil }
        return unsafe Unmanaged<CurlTrust>.fromOpaque(judge).takeUnretainedValue()
    }

    /// Makes this the judge of a connection that is about to be made.
    ///
    /// - Parameter context: curl's `SSL_CTX`, which keeps this alive.
    /// - Returns: What curl's callback answers.
    func prepare(_ context: OpaquePointer) -> CURLcode {
        guard let anchors = isProxy ? material.system.proxyAnchors : material.anchors ?? material.noAnchors else {
            return CURLE_SSL_CACERT_BADFILE
        }
        // Not as the store of the context: libcurl before 8.3 sets that later, to the one that its first connection had.
        guard unsafe sluice_set_anchors(context, anchors.store) == 1 else { return CURLE_OUT_OF_MEMORY }
        unsafe SSL_CTX_set_options(context, sluice_no_renegotiation())
        // Curl forgives whoever leaves without a farewell, and calls what came whole.
        unsafe SSL_CTX_clear_options(context, sluice_forgive_leaving())
        unsafe SSL_CTX_set_info_callback(context, noteFarewell)
        if !isProxy, let key = material.clientKey, let leaf = material.clientChain.first {
            guard unsafe present(leaf, key, context) else { return CURLE_SSL_CERTPROBLEM }
        }
        let me = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe SSL_CTX_set_ex_data(context, Self.index, me) == 1 else {
            unsafe Unmanaged<CurlTrust>.fromOpaque(me).release()
            return CURLE_OUT_OF_MEMORY
        }
        unsafe SSL_CTX_set_cert_verify_callback(context, judgeHandshake, me)
        unsafe SSL_CTX_set_cert_cb(context, noteClientWish, me)
        unsafe takeSession = SSL_CTX_sess_get_new_cb(context)
        if unsafe takeSession != nil { unsafe SSL_CTX_sess_set_new_cb(context, keepSession) }
        return CURLE_OK
    }

    fileprivate typealias SessionTaking = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32

    /// Where an `SSL_CTX` keeps its judge.
    fileprivate static let index = unsafe sluice_new_context_index { _, judge, _, _, _, _ in
        guard let judge = unsafe judge else { return }
        unsafe Unmanaged<CurlTrust>.fromOpaque(judge).release()
    }

    private func present(_ leaf: Certificate, _ key: PrivateKey, _ context: OpaquePointer) -> Bool {
        let rest = unsafe sluice_stack_new()
        defer { unsafe sluice_stack_free(rest) }
        for certificate in material.clientChain.dropFirst() { unsafe sluice_stack_push(rest, certificate.pointer) }
        return unsafe sluice_use_client(context, leaf.pointer, key.pointer, rest) == 1
    }

    /// - Returns: Whether the handshake may go on.
    fileprivate func judge(_ verification: OpaquePointer) -> Bool {
        let examination = unsafe TrustExamination(verification, material)
        let table = isProxy ? TrustTable(.standard) : material.table
        let verdict = table.verdict(examination.facts(for: host))
        unsafe examination.settle(verification, isAccepted: verdict.isAccepted)
        if !isProxy || !verdict.isAccepted {
            let decision = TrustDecision(host: host, verdict: verdict, isReused: false)
            report(decision, examination.shown)
        }
        return verdict.isAccepted
    }
}

/// The callback of OpenSSL; curl's own check comes later and may only refuse more.
private func judgeHandshake(_ verification: OpaquePointer?, _ judge: UnsafeMutableRawPointer?) -> Int32 {
    guard let verification = unsafe verification, let judge = unsafe judge else { return 0 }
    let trust = unsafe Unmanaged<CurlTrust>.fromOpaque(judge).takeUnretainedValue()
    return unsafe trust.judge(verification) ? 1 : 0
}

/// Called by OpenSSL when a server asks for a client certificate; what was set before is what it gets.
private func noteClientWish(_ connection: OpaquePointer?, _ judge: UnsafeMutableRawPointer?) -> Int32 {
    if let judge = unsafe judge { unsafe Unmanaged<CurlTrust>.fromOpaque(judge).takeUnretainedValue().clientWanted() }
    return 1
}

/// Called by OpenSSL at each step of a connection.
private func noteFarewell(_ connection: OpaquePointer?, _ step: Int32, _ value: Int32) {
    guard sluice_is_farewell(step, value) != 0, let connection = unsafe connection else { return }
    unsafe CurlTrust.judge(of: connection)?.isClosed = true
}

/// Gives curl a copy of a TLS session to keep, on its way to curl's own callback.
///
/// curl ends connections of HTTP/2 without a farewell, upon which OpenSSL marks the session of the
/// connection as one that can't be resumed, a rule that TLS 1.1 took back. A copy stays good: HTTP/2
/// resumes sessions as HTTP/1.1 does.
private func keepSession(_ connection: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let connection = unsafe connection, let session = unsafe session,
        let trust = unsafe CurlTrust.judge(of: connection)
    else { return 0 }
    guard let take = unsafe trust.takeSession, let copy = unsafe SSL_SESSION_dup(session) else { return 0 }
    if unsafe take(connection, copy) != 1 { unsafe SSL_SESSION_free(copy) }
    return 0
}
