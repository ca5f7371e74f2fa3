import SluiceCore

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
