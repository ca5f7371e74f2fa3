import SluiceCore
import Testing

struct TrustTableTests {
    /// What a row of the table asks, and what the rules for trust say (docs, Rules); a letter is a yes.
    ///
    /// Policy: `i` allowInvalid, `d` validatesDomain, `p` has pins. Facts: `n` the name
    /// matches, `v` the chain is valid, `u` valid under the pins alone, `c` a certificate
    /// of that chain is pinned, `k` a key of the chain is pinned, `-` no domain is given.
    struct Row: Sendable, CustomTestStringConvertible {
        let pinning: TrustPolicy.Pinning
        let policy: String
        let facts: String
        let rule: TrustRule
        let isAccepted: Bool
        init(
            _ pinning: TrustPolicy.Pinning,
            _ policy: String,
            _ facts: String,
            _ rule: TrustRule,
            _ isAccepted: Bool
        ) {
            (self.pinning, self.policy, self.facts, self.rule, self.isAccepted) =
                (pinning, policy, facts, rule, isAccepted)
        }
        var testDescription: String { "\(pinning) \(policy): \(facts)" }
    }

    @Test(arguments: [
        // ① a domain can't be validated on a chain that nothing anchors.
        Row(.none, "id", "nv", .unanchoredDomain, false),
        Row(.none, "idp", "nv", .unanchoredDomain, false),
        Row(.certificate, "id", "nvuck", .unanchoredDomain, false),
        Row(.publicKey, "id", "nvuck", .unanchoredDomain, false),
        Row(.none, "id", "-v", .noPinning, true),
        // ② the domain, where it is validated.
        Row(.none, "d", "v", .domain, false),
        Row(.certificate, "dp", "vuck", .domain, false),
        Row(.publicKey, "dp", "vuck", .domain, false),
        Row(.certificate, "idp", "vuck", .domain, false),
        Row(.publicKey, "idp", "vuck", .domain, false),
        Row(.publicKey, "dp", "-vuck", .publicKey, true),
        // ③ without pinning: invalid is allowed, or it is valid.
        Row(.none, "d", "nv", .noPinning, true),
        Row(.none, "d", "n", .noPinning, false),
        Row(.none, "", "v", .noPinning, true),
        Row(.none, "", "n", .noPinning, false),
        Row(.none, "i", "", .noPinning, true),
        Row(.none, "ip", "", .noPinning, true),
        // ④ pins don't excuse an invalid chain.
        Row(.certificate, "dp", "nuck", .invalidChain, false),
        Row(.publicKey, "dp", "nuck", .invalidChain, false),
        Row(.publicKey, "p", "nuck", .invalidChain, false),
        // ⑤ the pins become the only anchors.
        Row(.certificate, "dp", "nvuck", .certificate, true),
        Row(.certificate, "dp", "nvck", .certificate, false),
        Row(.certificate, "dp", "nvuk", .certificate, false),
        Row(.certificate, "idp", "nuc", .certificate, true),
        Row(.certificate, "idp", "nck", .certificate, false),
        Row(.certificate, "ip", "uc", .certificate, true),
        Row(.certificate, "d", "nv", .certificate, false),
        // ⑥ at least one key of the chain is pinned.
        Row(.publicKey, "dp", "nvk", .publicKey, true),
        Row(.publicKey, "dp", "nvuc", .publicKey, false),
        Row(.publicKey, "idp", "nk", .publicKey, true),
        Row(.publicKey, "ip", "k", .publicKey, true),
        Row(.publicKey, "ip", "nuc", .publicKey, false),
        Row(.publicKey, "d", "nv", .publicKey, false),
    ])
    func theRulesDecideInTheirOrder(_ row: Row) {
        let verdict = TrustTable(policy(row.pinning, row.policy)).verdict(facts(row.facts))

        #expect(verdict.rule == row.rule)
        #expect(verdict.isAccepted == row.isAccepted)
        #expect(verdict.reason.isEmpty == row.isAccepted)
    }

    @Test func noPolicyOrChainBreaksAnInvariant() {
        var count = 0
        for pinning in TrustPolicy.Pinning.allCases {
            for policyLetters in subsets("idp") {
                let policy = policy(pinning, policyLetters)
                for letters in subsets("-nvuck") {
                    let facts = facts(letters)
                    let verdict = TrustTable(policy).verdict(facts)
                    count += 1
                    if verdict.isAccepted { #expect(problem(of: policy, facts, verdict) == nil) }
                }
            }
        }
        #expect(count == 3 * 8 * 64, "the table must not shrink")
    }

    /// What must never be accepted, each said on its own.
    private func problem(of policy: TrustPolicy, _ facts: TrustTable.Facts, _ verdict: TrustVerdict) -> String? {
        if verdict.rule != TrustTable(policy).acceptingRule { return "accepted by another rule than pinning's" }
        if facts.problem != nil, !policy.allowInvalid { return "an invalid chain that nobody allowed" }
        if facts.hasDomain, policy.validatesDomain, !facts.matchesDomain { return "another name" }
        if policy.pinning == .publicKey, !facts.hasPinnedKey { return "no pinned key" }
        if policy.pinning == .certificate, facts.problemUnderPins != nil || !facts.hasPinnedCertificate {
            return "not anchored by a pin"
        }
        return nil
    }

    private func policy(_ pinning: TrustPolicy.Pinning, _ letters: String) -> TrustPolicy {
        var policy = TrustPolicy()
        policy.pinning = pinning
        policy.pins = letters.contains("p") ? [.key(sha256: Array(repeating: 1, count: 32))] : []
        (policy.allowInvalid, policy.validatesDomain) = (letters.contains("i"), letters.contains("d"))
        return policy
    }

    private func facts(_ letters: String) -> TrustTable.Facts {
        var facts = TrustTable.Facts()
        (facts.hasDomain, facts.matchesDomain) = (!letters.contains("-"), letters.contains("n"))
        facts.problem = letters.contains("v") ? nil : "it is broken"
        facts.problemUnderPins = letters.contains("u") ? nil : "no pin anchors it"
        (facts.hasPinnedCertificate, facts.hasPinnedKey) = (letters.contains("c"), letters.contains("k"))
        return facts
    }

    private func subsets(_ letters: String) -> [String] {
        letters.reduce([""]) { sets, letter in sets + sets.map { $0 + String(letter) } }
    }
}
