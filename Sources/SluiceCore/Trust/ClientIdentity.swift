/// A client certificate with its key.
public struct ClientIdentity: Hashable, Sendable {
    /// The leaf first, then what leads to an authority.
    public let chain: CertificateFile
    /// The private key in DER.
    public let key: [UInt8]
    /// File and line of the key, for errors: `client.pem:3`.
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
