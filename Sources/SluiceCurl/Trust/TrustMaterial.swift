internal import COpenSSL
public import SluiceCore

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

    /// For a system without authorities; `nil` if the policy needs somebody to vouch for a chain.
    var noAnchors: TrustAnchors? { policy.allowInvalid ? TrustAnchors([]) : nil }

    static func certificates(_ encoded: [EncodedCertificate]) throws(TrustError) -> [Certificate] {
        var certificates: [Certificate] = []
        for each in encoded { certificates.append(try certificate(each)) }
        return certificates
    }

    private static func certificate(_ encoded: EncodedCertificate) throws(TrustError) -> Certificate {
        if let certificate = Certificate(der: encoded.bytes) { return certificate }
        throw TrustError("\(encoded.place): the certificate is damaged: what the Base64 holds is no X.509")
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
