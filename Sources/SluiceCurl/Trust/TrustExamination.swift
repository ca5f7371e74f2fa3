internal import COpenSSL
import SluiceCore

/// Collects what is to know of the chain that a server sent: the facts for the six rules.
@safe
struct TrustExamination {
    /// What links by signature from the leaf upwards; empty if nothing was sent.
    let chain: [Certificate]
    /// What is wrong with it, the domain aside; `nil` if it is valid.
    let problem: String?
    private let problemUnderPins: String?
    private let hasPinnedCertificate: Bool
    private let material: TrustMaterial
    private let error: Int32

    /// Verifies, with the anchors of the handshake and, where certificates are pinned, with them alone.
    ///
    /// - Parameters:
    ///   - verification: Of the handshake.
    ///   - material: Of the policy.
    init(_ verification: OpaquePointer, _ material: TrustMaterial) {
        unsafe self.init(verification, Self.verify(verification), material)
    }

    /// Verifies apart from the handshake, with the anchors of a policy that is not its own.
    ///
    /// - Parameters:
    ///   - verification: Of the handshake, which stays as it is.
    ///   - material: Of the policy.
    init(_ verification: OpaquePointer, again material: TrustMaterial) {
        let anchors = material.anchors ?? TrustAnchors([])
        unsafe self.init(verification, Self.verify(verification, again: anchors), material)
    }

    private init(_ verification: OpaquePointer, _ result: Result, _ material: TrustMaterial) {
        self.material = material
        (chain, problem, error) = (result.chain, result.problem, result.error)
        guard let pinned = material.pinnedAnchors else {
            (problemUnderPins, hasPinnedCertificate) = (nil, false)
            return
        }
        let second = unsafe Self.verify(verification, again: pinned)
        problemUnderPins = second.problem
        hasPinnedCertificate = second.chain.contains { certificate in
            material.pinnedCertificates.contains { $0.isSame(as: certificate) }
        }
    }

    /// What is shown of it.
    var shown: TrustChain {
        TrustChain(
            certificates: chain.map(\.facts),
            problem: problem,
            lacksAuthority: problem != nil && Self.withoutAuthority.contains(error)
        )
    }

    /// - Parameter host: The domain asked for.
    /// - Returns: What the rules want to know.
    func facts(for host: String) -> TrustTable.Facts {
        var facts = TrustTable.Facts()
        facts.matchesDomain = chain.first?.names(host) ?? false
        (facts.problem, facts.problemUnderPins) = (problem, problemUnderPins)
        facts.hasPinnedCertificate = hasPinnedCertificate
        facts.hasPinnedKey = !material.pinnedKeys.isEmpty && chain.contains { material.pinnedKeys.contains($0.keyHash) }
        return facts
    }

    /// Tells OpenSSL and curl, which ask for the result once more.
    func settle(_ verification: OpaquePointer, isAccepted: Bool) {
        let refusal = error == X509_V_OK ? sluice_refused() : error
        unsafe X509_STORE_CTX_set_error(verification, isAccepted ? X509_V_OK : refusal)
    }

    private typealias Result = (chain: [Certificate], problem: String?, error: Int32)

    private static func verify(_ verification: OpaquePointer) -> Result {
        defer { ERR_clear_error() }
        let isValid = unsafe X509_verify_cert(verification) == 1
        let error = unsafe X509_STORE_CTX_get_error(verification)
        let chain = unsafe linked(verification, isValid: isValid)
        if isValid { return (chain, nil, X509_V_OK) }
        return (chain, sentence(error), error == X509_V_OK ? sluice_refused() : error)
    }

    /// Verifies what was sent once more, with other anchors.
    private static func verify(_ verification: OpaquePointer, again anchors: TrustAnchors) -> Result {
        let failure: Result = ([], "out of memory", sluice_refused())
        guard let leaf = unsafe X509_STORE_CTX_get0_cert(verification), let other = unsafe X509_STORE_CTX_new() else {
            return failure
        }
        defer { unsafe X509_STORE_CTX_free(other) }
        // Links to choose from, and no more: pins are compared with the chain that is verified of them.
        let sent = unsafe sluice_sent_certificates(verification)
        guard unsafe sluice_store_ctx_init(other, anchors.store, leaf, sent) == 1,
            unsafe X509_STORE_CTX_set_default(other, "ssl_server") == 1
        else { return failure }
        if let connection = unsafe sluice_verified_connection(verification),
            let parameters = unsafe X509_STORE_CTX_get0_param(other)
        {
            unsafe X509_VERIFY_PARAM_set_auth_level(parameters, SSL_get_security_level(connection))
        }
        return unsafe verify(other)
    }

    /// The chain that was built; where verification failed, only as far as each is signed by the next and may sign.
    ///
    /// OpenSSL links by names before it looks at a signature, so a failed chain proves nothing by itself.
    private static func linked(_ verification: OpaquePointer, isValid: Bool) -> [Certificate] {
        guard let built = unsafe sluice_verified_chain(verification) else {
            guard let leaf = unsafe X509_STORE_CTX_get0_cert(verification) else { return [] }
            return unsafe [Certificate(retaining: leaf)]
        }
        defer { unsafe sluice_certificates_free(built) }
        var chain: [Certificate] = []
        for place in 0..<max(0, unsafe sluice_stack_count(built)) {
            guard let pointer = unsafe sluice_stack_certificate(built, place) else { break }
            let next = unsafe Certificate(retaining: pointer)
            if !isValid, let last = chain.last {
                guard last.isSigned(by: next) else { break }
                // Whoever has a certificate of an authority could sign as it: above the first, only authorities vouch.
                guard chain.count == 1 || last.isAuthority else { break }
            }
            chain.append(next)
        }
        return chain
    }

    /// Of OpenSSL: no authority vouches for it, and nothing else was found amiss first.
    private static let withoutAuthority = [
        X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
        X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
        X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
    ]

    private static func sentence(_ error: Int32) -> String {
        switch error {
        case X509_V_ERR_CERT_HAS_EXPIRED: "a certificate has expired"
        case X509_V_ERR_CERT_NOT_YET_VALID: "a certificate is not valid yet"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is signed by itself and by no authority"
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: "its authority is not one that is trusted"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            "nothing trusted signed it, or a certificate between is missing"
        case X509_V_ERR_CERT_SIGNATURE_FAILURE: "a signature in the chain is wrong"
        default: unsafe String(cString: X509_verify_cert_error_string(Int(error)))
        }
    }
}
