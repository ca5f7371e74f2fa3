internal import CCurl
internal import COpenSSL
import SluiceCore

/// Judges the certificates of one connection, inside its handshake.
///
/// Made when curl prepares the connection, and alive as long as it: a server that wants
/// to shake hands again meets the same judge. What it refuses gets no byte of a request,
/// since the handshake ends there. Confined to the loop's thread.
@safe
final class CurlTrust {
    /// Whom the request is for, lower-cased, an address without brackets.
    let host: String
    let port: Int
    private let material: TrustMaterial
    /// Hears the verdict, once a handshake.
    private let report: (TrustDecision, TrustChain) -> Void

    /// - Parameters:
    ///   - host: Whom the request is for.
    ///   - port: Of the connection.
    ///   - material: By what it is judged.
    ///   - report: Hears the verdict; called within the handshake.
    init(
        host: String,
        port: Int,
        material: TrustMaterial,
        report: @escaping (TrustDecision, TrustChain) -> Void
    ) {
        (self.host, self.port, self.material, self.report) = (HostName.plain(host), port, material, report)
    }

    /// Makes this the judge of a connection that is about to be made.
    ///
    /// - Parameter context: curl's `SSL_CTX`, which keeps this alive.
    /// - Returns: What curl's callback answers.
    func prepare(_ context: OpaquePointer) -> CURLcode {
        guard let anchors = material.anchors else { return CURLE_SSL_CACERT_BADFILE }
        unsafe SSL_CTX_set1_cert_store(context, anchors.store)
        unsafe SSL_CTX_set_options(context, sluice_no_renegotiation())
        if let key = material.clientKey, let leaf = material.clientChain.first {
            guard unsafe present(leaf, key, context) else { return CURLE_SSL_CERTPROBLEM }
        }
        let me = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe SSL_CTX_set_ex_data(context, Self.index, me) == 1 else {
            unsafe Unmanaged<CurlTrust>.fromOpaque(me).release()
            return CURLE_OUT_OF_MEMORY
        }
        unsafe SSL_CTX_set_cert_verify_callback(context, judgeHandshake, me)
        return CURLE_OK
    }

    /// Where an `SSL_CTX` keeps its judge.
    private static let index = unsafe sluice_new_context_index { _, judge, _, _, _, _ in
        guard let judge = unsafe judge else { return }
        unsafe Unmanaged<CurlTrust>.fromOpaque(judge).release()
    }

    private func present(_ leaf: Certificate, _ key: PrivateKey, _ context: OpaquePointer) -> Bool {
        let rest = unsafe sluice_stack_new()
        defer { unsafe sluice_stack_free(rest) }
        for certificate in material.clientChain.dropFirst() { unsafe sluice_stack_push(rest, certificate.pointer) }
        return unsafe sluice_use_client(context, leaf.pointer, key.pointer, rest) == 1
    }

    // MARK: In the handshake

    /// - Returns: Whether the handshake may go on.
    fileprivate func judge(_ verification: OpaquePointer) -> Bool {
        let examination = unsafe TrustExamination(verification, material)
        let asked = unsafe askedHost(verification)
        let isProxy = asked != host
        // A proxy that is reached over TLS is no host of the user's policies.
        let table = isProxy ? TrustTable(.standard) : material.table
        let verdict = table.verdict(examination.facts(for: asked))
        unsafe examination.settle(verification, isAccepted: verdict.isAccepted)
        if !isProxy || !verdict.isAccepted {
            let decision = TrustDecision(host: asked, verdict: verdict, isReused: false)
            report(decision, TrustChain(certificates: examination.chain.map(\.facts), problem: examination.problem))
        }
        return verdict.isAccepted
    }

    /// The name that this side asked for in the handshake; only curl's handshakes with a proxy ask for another.
    private func askedHost(_ verification: OpaquePointer) -> String {
        guard let connection = unsafe sluice_verified_connection(verification),
            let name = unsafe sluice_server_name(connection)
        else { return host }
        return HostName.plain(unsafe String(cString: name))
    }
}

/// The callback of OpenSSL; curl's own check comes later and may only refuse more.
private func judgeHandshake(_ verification: OpaquePointer?, _ judge: UnsafeMutableRawPointer?) -> Int32 {
    guard let verification = unsafe verification, let judge = unsafe judge else { return 0 }
    let trust = unsafe Unmanaged<CurlTrust>.fromOpaque(judge).takeUnretainedValue()
    return unsafe trust.judge(verification) ? 1 : 0
}
