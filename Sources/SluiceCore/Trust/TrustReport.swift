/// What one sees of a host's trust: its chain, and what each policy would say; as lines of text.
///
/// Pure, and the same for the shell and for the screen. Texts of the server are made
/// visible, so that every line is safe to show.
public struct TrustReport: Sendable {
    /// A policy that is asked, and in words.
    public struct Question: Equatable, Sendable {
        /// The policy in words, as the head of its line.
        public let name: String
        /// What is asked.
        public let policy: TrustPolicy

        /// A policy, and what a line calls it.
        public init(name: String, policy: TrustPolicy) { (self.name, self.policy) = (name, policy) }
    }

    /// As it was named; without the port.
    public let host: String
    /// Of the connection that was looked at.
    public let port: Int
    /// What it showed in the handshake.
    public let chain: TrustChain
    /// The policy in force first.
    public let answers: [(question: Question, verdict: TrustVerdict)]
    /// What every policy that could be tried would say; empty where none was asked.
    public let trials: [TrustTrial: TrustVerdict]
    /// Of the look, in seconds since 1970.
    public let time: Int

    /// - Parameters:
    ///   - host: That was looked at.
    ///   - port: Of it.
    ///   - chain: What it showed.
    ///   - answers: What the policies of ``questions(_:_:_:)`` said.
    ///   - trials: What the policies of ``TrustTrial/all(certificates:)`` said.
    ///   - time: Of the look, in seconds since 1970.
    public init(
        host: String,
        port: Int,
        chain: TrustChain,
        answers: [(question: Question, verdict: TrustVerdict)],
        trials: [TrustTrial: TrustVerdict] = [:],
        time: Int
    ) {
        (self.host, self.port, self.chain, self.answers) = (host, port, chain, answers)
        (self.trials, self.time) = (trials, time)
    }

    /// What there is to ask about a chain.
    ///
    /// - Parameters:
    ///   - inForce: The policy that requests to the host have.
    ///   - chain: What the host showed.
    ///   - certificates: The same as they came, leaf first; of none, none can be pinned.
    /// - Returns: The policy in force first.
    public static func questions(
        _ inForce: TrustPolicy,
        _ chain: TrustChain,
        _ certificates: [EncodedCertificate]
    ) -> [Question] {
        var questions = [Question(name: "the policy in force", policy: inForce)]
        var base = TrustPolicy.standard
        base.authorities = inForce.authorities
        func add(_ name: String, _ change: (inout TrustPolicy) -> Void) {
            var policy = base
            change(&policy)
            questions.append(Question(name: name, policy: policy))
        }
        if inForce != base { add("no pinning") { _ in } }
        add("allowInvalid alone") { $0.allowInvalid = true }
        add("--insecure") { ($0.allowInvalid, $0.validatesDomain) = (true, false) }
        for (place, certificate) in chain.certificates.enumerated() {
            guard let pin = try? TrustPin.hash(certificate.pin) else { continue }
            let name =
                place == 0 ? "its own key pinned" : "the key of \(certificate.subject.withVisibleControls) pinned"
            add(name) { ($0.pinning, $0.pins) = (.publicKey, [pin]) }
            if place == 0 {
                add(name + ", with allowInvalid") {
                    ($0.pinning, $0.pins, $0.allowInvalid) = (.publicKey, [pin], true)
                }
            }
            add(name + ", with --insecure") { policy in
                (policy.pinning, policy.pins) = (.publicKey, [pin])
                (policy.allowInvalid, policy.validatesDomain) = (true, false)
            }
            if place == 0, let leaf = certificates.first {
                add("its own certificate pinned") { ($0.pinning, $0.pins) = (.certificate, [.certificate(leaf)]) }
            }
            // The next ones up serve as backups; a chain can be long.
            if place == 2 { break }
        }
        return questions
    }

    /// `host`, or `host:port` where the port is not that of https.
    public var place: String {
        port == 443 ? host : "\(host.asURLHost):\(port)"
    }

    /// The policy in force, and what it says.
    public var inForce: (policy: TrustPolicy, verdict: TrustVerdict)? {
        answers.first.map { ($0.question.policy, $0.verdict) }
    }

    /// Whether the policy in force accepts it.
    public var isAccepted: Bool { answers.first?.verdict.isAccepted ?? false }

    /// The certificates, each with its names, times and key.
    public var chainLines: [String] {
        var lines: [String] = []
        for (place, certificate) in chain.certificates.enumerated() {
            lines.append("\(place + 1)  \(visible(certificate.subject))")
            if !certificate.names.isEmpty {
                let more = certificate.names.count > 8 ? " and \(certificate.names.count - 8) more" : ""
                lines.append("   names   \(visible(certificate.names.prefix(8).joined(separator: ", ")))\(more)")
            }
            let isSelfSigned = certificate.issuer == certificate.subject
            lines.append("   signed  by \(isSelfSigned ? "itself" : visible(certificate.issuer))")
            lines.append(
                "   valid   \(Self.day(certificate.notBefore)) to \(Self.day(certificate.notAfter))\(remark(certificate))"
            )
            lines.append("   key     \(visible(certificate.key))  \(certificate.pin)")
        }
        if let problem = chain.problem { lines.append("!  \(problem)") }
        return lines
    }

    /// What each policy says, a line each.
    public var policyLines: [String] {
        let width = answers.map(\.question.name.count).max() ?? 0
        return answers.map { question, verdict in
            let name = question.name + String(repeating: " ", count: width - question.name.count)
            let word = verdict.isAccepted ? "✓ accepts" : "✗ refuses"
            let phrase = verdict.phrase(acceptsAny: question.policy.allowInvalid)
            return "\(word)  \(name)  \(verdict.rule.rawValue) \(verdict.reason.isEmpty ? phrase : verdict.reason)"
        }
    }

    /// How to trust the host by its key; `nil` if it showed none.
    public var advice: TrustAdvice? { TrustAdvice(self) }

    private func remark(_ certificate: TrustChain.Certificate) -> String {
        certificate.warning(at: time).map { "  ! \($0)" } ?? ""
    }

    private func visible(_ text: String) -> String { VisibleText.visible(text, limit: 300) }

    /// A day as `2026-11-21`, in UTC.
    public static func day(_ seconds: Int) -> String {
        let time = CivilTime(secondsSince1970: seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(time.year)-\(two(time.month))-\(two(time.day))"
    }
}
