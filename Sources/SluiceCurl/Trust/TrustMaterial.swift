internal import COpenSSL
public import SluiceCore

/// Certificates that need no other to be trusted.
@safe
final class TrustAnchors {
    let store: OpaquePointer

    /// - Parameter certificates: Of whatever kind; a leaf may be an anchor too.
    init(_ certificates: [Certificate]) {
        unsafe store = Self.emptyStore()
        for certificate in certificates { unsafe X509_STORE_add_cert(store, certificate.pointer) }
    }

    /// - Parameter path: A PEM file with all of them; without any there is no store.
    init?(path: String) {
        unsafe store = Self.emptyStore()
        guard unsafe X509_STORE_load_file(store, path) == 1 else {
            ERR_clear_error()
            return nil
        }
    }

    deinit { unsafe X509_STORE_free(store) }

    private static func emptyStore() -> OpaquePointer {
        guard let store = unsafe X509_STORE_new() else { preconditionFailure("out of memory for certificates") }
        unsafe X509_STORE_set_flags(store, sluice_partial_chain())
        return unsafe store
    }
}

/// A trust policy made ready for handshakes: its certificates and keys as OpenSSL wants them.
///
/// Reads no file except the system's authorities. Confined to one thread.
@safe
final class TrustMaterial {
    let policy: TrustPolicy
    let table: TrustTable
    let pinnedCertificates: [Certificate]
    /// For certificate pinning, where nothing else may be an anchor.
    let pinnedAnchors: TrustAnchors?
    let pinnedKeys: Set<[UInt8]>
    let clientChain: [Certificate]
    let clientKey: PrivateKey?
    private let ownAnchors: TrustAnchors?
    /// Also knows whose word counts for proxies, whatever the policy says of its own hosts.
    let system: SystemAnchors

    /// - Throws: If a certificate or key is none; the message names its place.
    init(_ policy: TrustPolicy, system: SystemAnchors) throws(TrustError) {
        (self.policy, self.system) = (policy, system)
        table = TrustTable(policy)
        ownAnchors = try policy.authorities.map { file throws(TrustError) in
            TrustAnchors(try Self.certificates(file.certificates))
        }
        var keys: Set<[UInt8]> = []
        var certificates: [Certificate] = []
        for pin in policy.pins {
            switch pin {
            case .key(let hash): keys.insert(hash)
            case .certificate(let encoded):
                let certificate = try Self.certificate(encoded)
                certificates.append(certificate)
                keys.insert(certificate.keyHash)
            }
        }
        (pinnedKeys, pinnedCertificates) = (keys, certificates)
        pinnedAnchors = policy.pinning == .certificate ? TrustAnchors(certificates) : nil
        clientChain =
            try policy.client.map { client throws(TrustError) in
                try Self.certificates(client.chain.certificates)
            } ?? []
        clientKey = try policy.client.map { client throws(TrustError) in try PrivateKey(client) }
        if let clientKey, let leaf = clientChain.first, let client = policy.client, !clientKey.fits(leaf) {
            throw TrustError("\(client.keyPlace): the key is not that of the certificate in \(client.chain.path)")
        }
    }

    /// `nil` if the system has none that can be read.
    var anchors: TrustAnchors? { policy.authorities == nil ? system.anchors : ownAnchors }

    fileprivate static func certificates(_ encoded: [EncodedCertificate]) throws(TrustError) -> [Certificate] {
        var certificates: [Certificate] = []
        for each in encoded { certificates.append(try certificate(each)) }
        return certificates
    }

    private static func certificate(_ encoded: EncodedCertificate) throws(TrustError) -> Certificate {
        if let certificate = Certificate(der: encoded.bytes) { return certificate }
        throw TrustError("\(encoded.place): the certificate is damaged: what the Base64 holds is no X.509")
    }
}

/// The system's authorities, read when the first connection needs them, and once.
final class SystemAnchors {
    private let path: String?
    private let ownOfProxies: CertificateFile?
    private(set) lazy var anchors: TrustAnchors? = (path ?? CurlLibrary.caFile).flatMap { TrustAnchors(path: $0) }
    /// Of proxies: the user's own for them, and then nobody else, or the system's.
    private(set) lazy var proxyAnchors: TrustAnchors? =
        ownOfProxies.map { file in
            // Checked before anything began; what can't be read vouches for nobody.
            TrustAnchors((try? TrustMaterial.certificates(file.certificates)) ?? [])
        } ?? anchors

    /// - Parameters:
    ///   - path: A PEM file that takes their place.
    ///   - proxies: What takes their place for proxies.
    init(path: String? = nil, forProxies proxies: CertificateFile? = nil) {
        (self.path, ownOfProxies) = (path, proxies)
    }
}

/// A private key as OpenSSL holds it.
@safe
final class PrivateKey {
    let pointer: OpaquePointer

    init(_ client: ClientIdentity) throws(TrustError) {
        let parsed = unsafe client.key.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let parsed = unsafe parsed else {
            ERR_clear_error()
            throw TrustError("\(client.keyPlace): the key is damaged: what the Base64 holds is no private key")
        }
        unsafe pointer = parsed
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    func fits(_ certificate: Certificate) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(certificate.pointer, pointer) == 1
    }
}

extension TrustBook {
    /// Checks that every certificate and key can be used, before anything is downloaded.
    ///
    /// - Throws: The first that can't, by file and line.
    public func check() throws(TrustError) {
        let system = SystemAnchors()
        for policy in entries.map(\.policy) + [fallback] { _ = try TrustMaterial(policy, system: system) }
    }
}
