/// The six rules by which a host is trusted or refused, in their order.
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

    /// The number as SPEC writes it.
    public var symbol: String { ["①", "②", "③", "④", "⑤", "⑥"][rawValue - 1] }

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

/// What a policy says of one chain.
public struct TrustVerdict: Hashable, Sendable {
    /// The rule that decided.
    public let rule: TrustRule
    public let isAccepted: Bool
    /// What was wrong, for a refusal; empty else.
    public let reason: String

    public init(rule: TrustRule, isAccepted: Bool, reason: String = "") {
        (self.rule, self.isAccepted, self.reason) = (rule, isAccepted, reason)
    }
}

/// A verdict on a host, as events and screen tell it.
public struct TrustDecision: Hashable, Sendable {
    /// Without port; an IPv6 address without brackets.
    public var host: String
    public var verdict: TrustVerdict
    /// Whether an earlier handshake was judged, of the connection or of the TLS session that goes on.
    public var isReused: Bool

    public init(host: String, verdict: TrustVerdict, isReused: Bool) {
        (self.host, self.verdict, self.isReused) = (host, verdict, isReused)
    }

    /// For logs.
    public var sentence: String {
        let again = isReused ? ", as before" : ""
        let reason = verdict.reason.isEmpty ? verdict.rule.phrase : verdict.reason
        return
            "\(verdict.isAccepted ? "trusted" : "refused") \(host) by rule \(verdict.rule.rawValue)\(again): \(reason)"
    }
}
