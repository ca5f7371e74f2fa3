/// Decides whether a host is trusted: the six rules, as a table and nothing else.
///
/// Looks at facts only, and never at a certificate or a clock. The facts are about the
/// chain that links by signature from the leaf upwards; what a server merely sends
/// beside it must not be in them.
public struct TrustTable: Sendable {
    /// What is known of a chain.
    public struct Facts: Equatable, Sendable {
        /// Whether there is a domain to ask for.
        public var hasDomain = true
        /// Whether the leaf names the domain.
        public var matchesDomain = true
        /// What is wrong with the chain, the domain aside; `nil` if it is valid.
        public var problem: String?
        /// What is wrong with the chain when the pins are its only anchors, the domain aside; `nil` if it is valid.
        public var problemUnderPins: String?
        /// Whether the chain that the pins anchor has a pinned certificate.
        public var hasPinnedCertificate = false
        /// Whether a key of the chain is pinned.
        public var hasPinnedKey = false
        /// A valid chain that names the host, and no pin found in it.
        public init() {}
    }

    private let policy: TrustPolicy

    /// Decides for one policy; the same facts always have the same verdict.
    public init(_ policy: TrustPolicy) { self.policy = policy }

    /// The rule that accepts under this policy, if any chain may be accepted at all.
    ///
    /// A connection that is used again was accepted by it.
    public var acceptingRule: TrustRule {
        switch policy.pinning {
        case .none: .noPinning
        case .publicKey: .publicKey
        case .certificate: .certificate
        }
    }

    /// Goes through the rules in order.
    public func verdict(_ facts: Facts) -> TrustVerdict {
        if facts.hasDomain, policy.allowInvalid, policy.validatesDomain, isUnpinned {
            return refusal(.unanchoredDomain, "allowInvalid needs pins, or validatesDomain = false")
        }
        // Rule 2 is a condition of the others and refuses under its own name, since its cure is another.
        let isOtherName = policy.validatesDomain && facts.hasDomain && !facts.matchesDomain
        let name = "the certificate is for other names"
        switch policy.pinning {
        case .none:
            if policy.allowInvalid { return TrustVerdict(rule: .noPinning, isAccepted: true) }
            if let problem = facts.problem { return refusal(.noPinning, problem) }
            return isOtherName ? refusal(.domain, name) : TrustVerdict(rule: .noPinning, isAccepted: true)
        case .certificate:
            if let problem = facts.problem, !policy.allowInvalid { return refusal(.invalidChain, problem) }
            if isOtherName { return refusal(.domain, name) }
            if let problem = facts.problemUnderPins { return refusal(.certificate, problem) }
            return facts.hasPinnedCertificate
                ? TrustVerdict(rule: .certificate, isAccepted: true)
                : refusal(.certificate, "no certificate of the chain is pinned")
        case .publicKey:
            if let problem = facts.problem, !policy.allowInvalid { return refusal(.invalidChain, problem) }
            if isOtherName { return refusal(.domain, name) }
            return facts.hasPinnedKey
                ? TrustVerdict(rule: .publicKey, isAccepted: true)
                : refusal(.publicKey, "no key of the chain is pinned")
        }
    }

    private var isUnpinned: Bool { policy.pinning == .none || policy.pins.isEmpty }

    private func refusal(_ rule: TrustRule, _ reason: String) -> TrustVerdict {
        TrustVerdict(rule: rule, isAccepted: false, reason: reason)
    }
}
