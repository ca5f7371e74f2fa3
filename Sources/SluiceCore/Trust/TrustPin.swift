/// One certificate or key that a host may have.
public enum TrustPin: Hashable, Sendable {
    /// The SHA-256 of a key with its algorithm (`SubjectPublicKeyInfo`), 32 bytes.
    case key(sha256: [UInt8])
    /// A certificate in DER.
    case certificate(EncodedCertificate)
}
