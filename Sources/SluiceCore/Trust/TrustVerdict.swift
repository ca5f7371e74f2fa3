/// What a policy says of one chain.
public struct TrustVerdict: Hashable, Sendable {
    /// The rule that decided.
    public let rule: TrustRule
    /// Whether the chain may be used.
    public let isAccepted: Bool
    /// What was wrong, for a refusal; empty else.
    public let reason: String

    /// What a rule decided; a refusal says what was wrong.
    public init(rule: TrustRule, isAccepted: Bool, reason: String = "") {
        (self.rule, self.isAccepted, self.reason) = (rule, isAccepted, reason)
    }

    /// What the rule asked, as a short phrase.
    ///
    /// - Parameter acceptsAny: Whether the policy lets the chain be invalid: then its rule asked nothing of it.
    /// - Returns: Words that read behind the number of the rule.
    public func phrase(acceptsAny: Bool) -> String {
        acceptsAny && isAccepted && rule == .noPinning ? "any chain is accepted" : rule.phrase
    }
}
