/// One policy that is tried against a chain, without a download: what is compared, and what is excused.
public struct TrustTrial: Hashable, Sendable {
    /// What is compared with the pins.
    public let pinning: TrustPolicy.Pinning
    /// Whether the chain may be invalid.
    public let allowInvalid: Bool
    /// Whether the leaf must name the host.
    public let validatesDomain: Bool
    /// Which certificate of the chain is pinned, from 0 for the leaf; always 0 where nothing is pinned.
    public let place: Int

    /// Certificates of one chain that are tried, from the leaf upwards; longer chains hardly exist.
    public static let placeLimit = 6

    /// - Parameters:
    ///   - pinning: What is compared.
    ///   - allowInvalid: Whether the chain may be invalid.
    ///   - validatesDomain: Whether the leaf must name the host.
    ///   - place: Of the certificate whose key, or which itself, is pinned.
    public init(_ pinning: TrustPolicy.Pinning, allowInvalid: Bool, validatesDomain: Bool, place: Int) {
        (self.pinning, self.allowInvalid, self.validatesDomain) = (pinning, allowInvalid, validatesDomain)
        self.place = pinning == .none ? 0 : place
    }

    /// Everything that can be tried against a chain.
    ///
    /// - Parameter certificates: How many the chain has.
    /// - Returns: Each policy once.
    public static func all(certificates: Int) -> [TrustTrial] {
        var trials: [TrustTrial] = []
        for pinning in TrustPolicy.Pinning.allCases {
            for place in 0..<(pinning == .none ? 1 : min(certificates, placeLimit)) {
                for (allowInvalid, validatesDomain) in flags {
                    trials.append(
                        TrustTrial(
                            pinning,
                            allowInvalid: allowInvalid,
                            validatesDomain: validatesDomain,
                            place: place
                        )
                    )
                }
            }
        }
        return trials
    }

    /// The four ways to excuse, in the order of tables: nothing, the name, both, the chain with the name still checked.
    public static let flags: [(allowInvalid: Bool, validatesDomain: Bool)] = [
        (false, true), (false, false), (true, false), (true, true),
    ]

    /// The policy to ask.
    ///
    /// - Parameters:
    ///   - certificates: Of the chain, leaf first.
    ///   - authorities: Of the policy in force.
    /// - Returns: It, pinned to the one certificate.
    public func policy(_ certificates: [EncodedCertificate], authorities: CertificateFile?) -> TrustPolicy {
        var policy = TrustPolicy.standard
        (policy.pinning, policy.authorities) = (pinning, authorities)
        (policy.allowInvalid, policy.validatesDomain) = (allowInvalid, validatesDomain)
        if pinning != .none, certificates.indices.contains(place) { policy.pins = [.certificate(certificates[place])] }
        return policy
    }
}
