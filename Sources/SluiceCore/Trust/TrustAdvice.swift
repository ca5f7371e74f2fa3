/// What to do so that a host is trusted by its key: a policy that accepts it, or why there is none.
///
/// Advises only what the rules were asked about and accept, so that nobody follows it in vain.
public struct TrustAdvice: Equatable, Sendable {
    /// What to do, or why nothing helps; the last ends in a colon where ``lines`` follow.
    public let sentences: [String]
    /// What accepts the host; `nil` if no pin helps.
    public let policy: TrustPolicy?
    /// The policy as a section of the configuration; empty if no pin helps.
    public let lines: [String]

    init?(_ report: TrustReport) {
        guard let (inForce, _) = report.inForce, let leaf = report.chain.certificates.first else { return nil }
        func isAccepted(_ policy: TrustPolicy) -> Bool {
            report.answers.contains { $0.question.policy == policy && $0.verdict.isAccepted }
        }
        let candidates = Self.policies(pinning: leaf, authorities: inForce.authorities)
        guard let found = candidates.first(where: isAccepted) else {
            let names = leaf.names.prefix(3).map { VisibleText.visible($0, limit: 100) }.joined(separator: ", ")
            sentences =
                ["No pin makes it trusted: its certificate does not name \(report.host)."]
                + (names.isEmpty ? [] : ["Ask for it by a name that it has (\(names))."])
            (policy, lines) = (nil, [])
            return
        }
        let keys = report.chain.certificates.prefix(2).map(\.pin)
        let pinned = keys.count > 1 ? "its key and a backup" : "its key"
        sentences =
            found.allowInvalid
            ? [
                "A pin alone does not make it trusted: \(report.chain.problem ?? "its chain is not valid").",
                "If you know by another way that the key is its own, this in config.toml trusts it by \(pinned),"
                    + " whoever signed it:",
            ] : ["To trust it by \(pinned), put this into config.toml:"]
        var advised = found
        advised.pins = keys.compactMap { try? TrustPin.hash($0) }
        policy = advised
        lines = TrustSectionText(host: report.place, pins: keys, over: advised).lines
    }

    /// What may be advised, the strictest first.
    ///
    /// - Parameters:
    ///   - leaf: Whose key is pinned.
    ///   - authorities: Of the policy in force.
    /// - Returns: To be asked about; none if the key can't be pinned.
    static func policies(pinning leaf: TrustChain.Certificate, authorities: CertificateFile?) -> [TrustPolicy] {
        guard let pin = try? TrustPin.hash(leaf.pin) else { return [] }
        var strict = TrustPolicy.standard
        (strict.pinning, strict.pins, strict.authorities) = (.publicKey, [pin], authorities)
        var invalid = strict
        invalid.allowInvalid = true
        return [strict, invalid]
    }
}
