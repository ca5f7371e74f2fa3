/// Certificates of one file.
public struct CertificateFile: Hashable, Sendable {
    /// As the user named it, for errors and warnings.
    public let path: String
    /// At least one.
    public let certificates: [EncodedCertificate]

    /// What was read of a file.
    ///
    /// - Precondition: There is at least one certificate; ``PEMFile`` refuses a file without.
    public init(path: String, certificates: [EncodedCertificate]) {
        (self.path, self.certificates) = (path, certificates)
    }
}
