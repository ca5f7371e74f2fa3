/// The six rules by which a host is trusted or refused, in their order; messages name them by their raw value.
public enum TrustRule: Int, CaseIterable, Sendable {
    /// A domain can't be validated on a chain that nothing anchors.
    case unanchoredDomain = 1
    /// The chain is checked against the domain, if the policy validates domains.
    case domain = 2
    /// Without pinning the chain decides.
    case noPinning = 3
    /// Pins don't excuse an invalid chain.
    case invalidChain = 4
    /// A pinned certificate anchors the chain.
    case certificate = 5
    /// A key of the chain is pinned.
    case publicKey = 6

    /// What the rule asks, as a short phrase.
    public var phrase: String {
        switch self {
        case .unanchoredDomain: "a domain can't be validated where any chain is accepted and nothing is pinned"
        case .domain: "the certificate must name the host"
        case .noPinning: "the chain must be valid"
        case .invalidChain: "pins don't excuse an invalid chain"
        case .certificate: "a pinned certificate must anchor the chain"
        case .publicKey: "a key of the chain must be pinned"
        }
    }
}
