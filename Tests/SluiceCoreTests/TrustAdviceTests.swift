import SluiceCore
import Testing

/// Advice, judged by the rules that it shall satisfy.
struct TrustAdviceTests {
    @Test(arguments: [nil, "a certificate has expired"], [true, false])
    func theAdvisedPolicyIsAcceptedOrThereIsNone(problem: String?, isNamed: Bool) throws {
        for authorities in [nil, CertificateFile(path: "/ca.pem", certificates: [])] {
            var inForce = TrustPolicy()
            inForce.authorities = authorities
            let report = report(inForce, problem: problem, isNamed: isNamed)

            let advice = try #require(report.advice)
            let text = advice.sentences.joined(separator: " ")

            guard isNamed else {
                #expect(advice.policy == nil && advice.lines.isEmpty)
                #expect(text.contains("does not name a.example") && text.contains("(b.example)"))
                continue
            }
            let policy = try #require(advice.policy)
            #expect(TrustTable(policy).verdict(facts(policy, problem: problem, isNamed: isNamed)).isAccepted)
            #expect(policy.authorities == authorities && policy.pins.count == 2)
            #expect(text.hasSuffix(":"))
            #expect(advice.lines.contains("cacert = \"/ca.pem\"") == (authorities != nil))
            #expect(advice.lines.contains("allowInvalid = true") == (problem != nil))
            #expect(problem.map { text.contains($0) } ?? text.hasPrefix("To trust it"))
        }
    }

    @Test func whoShowsNothingIsNotAdvised() {
        let report = TrustReport(
            host: "a.example",
            port: 443,
            chain: TrustChain(certificates: [], problem: nil),
            answers: [],
            time: 0
        )
        #expect(report.advice == nil)
    }

    private func report(_ inForce: TrustPolicy, problem: String?, isNamed: Bool) -> TrustReport {
        let pins = [UInt8(1), 2].map { TrustPin.text(sha256: Array(repeating: $0, count: 32)) }
        let certificates = pins.map { pin in
            TrustChain.Certificate(
                subject: "Leaf",
                issuer: "Authority",
                names: [isNamed ? "a.example" : "b.example"],
                notBefore: 0,
                notAfter: 1,
                key: "EC P-256",
                pin: pin
            )
        }
        let chain = TrustChain(certificates: certificates, problem: problem)
        let answers = TrustReport.questions(inForce, chain, []).map { question in
            (question, TrustTable(question.policy).verdict(facts(question.policy, problem: problem, isNamed: isNamed)))
        }
        return TrustReport(host: "a.example", port: 443, chain: chain, answers: answers, time: 0)
    }

    private func facts(_ policy: TrustPolicy, problem: String?, isNamed: Bool) -> TrustTable.Facts {
        var facts = TrustTable.Facts()
        (facts.problem, facts.matchesDomain, facts.hasPinnedKey) = (problem, isNamed, !policy.pins.isEmpty)
        return facts
    }
}
