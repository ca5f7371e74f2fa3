/// The certificates of a host as people look at them, leaf first.
///
/// Only what links by signature from the leaf upwards. All texts are from the server
/// and not escaped.
public struct TrustChain: Hashable, Sendable {
    /// One certificate, as much of it as people look at.
    public struct Certificate: Hashable, Sendable {
        /// The common name, else the whole subject.
        public var subject: String
        /// As ``subject``, of who signed it.
        public var issuer: String
        /// DNS names and addresses that it is for.
        public var names: [String]
        /// Seconds since 1970.
        public var notBefore: Int
        /// Seconds since 1970.
        public var notAfter: Int
        /// Such as `RSA 2048` or `EC P-256`.
        public var key: String
        /// The hash of the key as one pins it: `sha256/…`.
        public var pin: String

        /// What was read of a certificate; see the properties.
        public init(
            subject: String,
            issuer: String,
            names: [String],
            notBefore: Int,
            notAfter: Int,
            key: String,
            pin: String
        ) {
            (self.subject, self.issuer, self.names) = (subject, issuer, names)
            (self.notBefore, self.notAfter, self.key, self.pin) = (notBefore, notAfter, key, pin)
        }
    }

    /// Leaf first, each signed by the next.
    public var certificates: [Certificate]
    /// What is wrong with it for the system's or the policy's own authorities, the domain aside; `nil` if it is valid.
    public var problem: String?
    /// Whether the problem is that nothing trusted signed it, which naming its authority may mend.
    public var lacksAuthority: Bool

    /// What a host showed, and what is wrong with it.
    public init(certificates: [Certificate], problem: String?, lacksAuthority: Bool = false) {
        (self.certificates, self.problem, self.lacksAuthority) = (certificates, problem, lacksAuthority)
    }

    /// A certificate that ends within this many seconds ends soon: two weeks.
    public static let soon = 14 * 86_400

    /// The certificate that ends first, if it ends soon.
    ///
    /// - Parameter time: Seconds since 1970.
    /// - Returns: `nil` if all last for longer.
    public func endingSoon(at time: Int) -> Certificate? {
        guard let first = certificates.min(by: { $0.notAfter < $1.notAfter }) else { return nil }
        return first.notAfter - time < Self.soon ? first : nil
    }
}

extension TrustChain.Certificate {
    /// What is wrong with its time, or soon will be.
    ///
    /// - Parameter time: Seconds since 1970.
    /// - Returns: `nil` if it lasts for longer.
    public func warning(at time: Int) -> String? {
        if notBefore > time { return "not valid yet" }
        let left = notAfter - time
        if left < 0 { return "it has ended" }
        guard left < TrustChain.soon else { return nil }
        let days = left / 86_400
        return days == 0 ? "ends within a day" : "ends in \(days) \(days == 1 ? "day" : "days")"
    }
}
