/// A verdict on a host, as events and screen tell it.
public struct TrustDecision: Hashable, Sendable {
    /// Without port; an IPv6 address without brackets.
    public var host: String
    /// What its policy said.
    public var verdict: TrustVerdict
    /// Whether an earlier handshake was judged, of the connection or of the TLS session that goes on.
    public var isReused: Bool

    /// A verdict, and on whom.
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
