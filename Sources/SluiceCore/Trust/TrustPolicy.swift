/// Whom one host pattern trusts; a value, so that equal policies are one and the same.
///
/// Says what is wanted and never looks at a certificate: ``TrustTable`` decides with
/// it, and the transport collects the facts. Its files are read before it is made, so
/// that a policy means the same for its whole life.
///
/// - SeeAlso: AFNetworking's `AFSecurityPolicy`, whose semantics it has.
public struct TrustPolicy: Hashable, Sendable {
    /// What of a chain is compared with the pins.
    public enum Pinning: String, CaseIterable, Sendable {
        case none
        /// The keys: a renewed certificate with the same key still fits.
        case publicKey
        /// Whole certificates, which then are the only anchors.
        case certificate
    }

    public var pinning = Pinning.none
    public var pins: [TrustPin] = []
    /// Whether a chain may be untrusted, out of date or incomplete.
    public var allowInvalid = false
    /// Whether the leaf must name the host.
    public var validatesDomain = true
    /// The anchors, instead of the system's.
    public var authorities: CertificateFile?
    /// What is shown to servers that ask who is there.
    public var client: ClientIdentity?

    public init() {}

    /// The system's authorities, and the name of the host.
    public static let standard = TrustPolicy()

    /// Whether it accepts what the standard policy would refuse.
    public var isLenient: Bool { allowInvalid || !validatesDomain }

    /// What it does not check, in words around the names of hosts; `nil` if it checks all, or accepts nobody.
    var leniency: (start: String, end: String)? {
        switch (pinning, allowInvalid, validatesDomain) {
        case (_, false, true): return nil
        case (.publicKey, _, _) where pins.isEmpty, (.certificate, _, _) where pins.isEmpty: return nil
        // Rule ① refuses every host.
        case (.none, true, true): return nil
        case (.none, true, false): return ("certificates are not checked for", ": whoever answers there is believed")
        case (.none, false, false):
            let authority = authorities.map { "one of \(VisibleText.visible($0.path, limit: 200))" } ?? "the system's"
            return (
                "names in certificates are not checked for",
                ": whoever has a certificate of an authority that counts (\(authority)) is believed"
            )
        case (.publicKey, true, true):
            return ("only keys and names are checked for", ": the keys are pinned, and nobody need have signed them")
        case (.publicKey, true, false):
            return ("only keys are checked for", ": they are pinned, for any name, and nobody need have signed them")
        case (.certificate, true, true):
            return ("authorities are not asked about", ": the pinned certificates and names are what is checked")
        case (.certificate, true, false):
            return ("only pinned certificates are checked for", ": for any name, and no authority is asked")
        case (.publicKey, false, false), (.certificate, false, false):
            return ("names in certificates are not checked for", ": pins and authorities are")
        }
    }
}

/// One certificate or key that a host may have.
public enum TrustPin: Hashable, Sendable {
    /// The SHA-256 of a key with its algorithm (`SubjectPublicKeyInfo`), 32 bytes.
    case key(sha256: [UInt8])
    /// A certificate in DER.
    case certificate(EncodedCertificate)
}

/// A certificate in DER, and where it was read.
public struct EncodedCertificate: Hashable, Sendable {
    public let bytes: [UInt8]
    /// File and line, for errors: `pins.pem:12`.
    public let place: String

    public init(bytes: [UInt8], place: String) { (self.bytes, self.place) = (bytes, place) }

    public static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// Certificates of one file.
public struct CertificateFile: Hashable, Sendable {
    public let path: String
    /// At least one.
    public let certificates: [EncodedCertificate]

    public init(path: String, certificates: [EncodedCertificate]) {
        (self.path, self.certificates) = (path, certificates)
    }
}

/// A client certificate with its key.
public struct ClientIdentity: Hashable, Sendable {
    /// The leaf first, then what leads to an authority.
    public let chain: CertificateFile
    /// The private key in DER.
    public let key: [UInt8]
    public let keyPlace: String
    /// Whether it is for one host pattern; else it stays behind when a redirect leaves the origin.
    public var isForNamedHosts: Bool

    /// - Parameters:
    ///   - chain: Of the client.
    ///   - key: The private key in DER, not encrypted.
    ///   - keyPlace: File and line of the key, for errors.
    ///   - isForNamedHosts: Whether the user named the hosts that it is for.
    public init(chain: CertificateFile, key: [UInt8], keyPlace: String, isForNamedHosts: Bool) {
        (self.chain, self.key, self.keyPlace) = (chain, key, keyPlace)
        self.isForNamedHosts = isForNamedHosts
    }
}
