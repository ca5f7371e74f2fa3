/// Certificates of one file.
public struct CertificateFile: Hashable, Sendable {
    public let path: String
    /// At least one.
    public let certificates: [EncodedCertificate]

    public init(path: String, certificates: [EncodedCertificate]) {
        (self.path, self.certificates) = (path, certificates)
    }
}
