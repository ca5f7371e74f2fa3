import SluiceCore

/// Says why a host was refused, by which rule, and what one can do.
enum TrustRefusal {
    /// - Parameters:
    ///   - decision: The refusal.
    ///   - port: Of the connection.
    ///   - isProxy: Whether it is a proxy on the way.
    ///   - chain: What the host showed.
    /// - Returns: With a sentence that says what to do.
    static func error(_ decision: TrustDecision, port: String, isProxy: Bool, _ chain: TrustChain) -> DownloadError {
        let verdict = decision.verdict
        let host = decision.host.asURLHost
        let place = port == "443" ? host : "\(host):\(port)"
        return DownloadError(
            .tlsUntrusted,
            "\(isProxy ? "the proxy " : "")\(decision.host) is not trusted, by rule \(verdict.rule.rawValue) (\(verdict.rule.phrase)): \(verdict.reason)"
                + detail(verdict.rule, chain) + "; " + (isProxy ? proxyCure : cure(verdict.rule, place))
        )
    }

    private static func detail(_ rule: TrustRule, _ chain: TrustChain) -> String {
        guard let leaf = chain.certificates.first else { return ", it showed none" }
        switch rule {
        case .domain:
            return leaf.names.isEmpty ? ", it names none" : " (\(leaf.names.prefix(3).joined(separator: ", ")))"
        case .publicKey, .certificate: return ", it has \(leaf.pin)"
        case .unanchoredDomain, .noPinning, .invalidChain: return ""
        }
    }

    private static let proxyCure =
        "a proxy is judged strictly, whatever is said of hosts: --proxy-cacert FILE names its authority, or name another proxy"

    private static func cure(_ rule: TrustRule, _ place: String) -> String {
        switch rule {
        case .unanchoredDomain: "pin its key, or let its name be anything too"
        case .domain: "check the name; 'sluice trust \(place)' shows those that it has"
        case .noPinning, .invalidChain:
            "'sluice trust \(place)' shows its chain; --cacert FILE names an authority of your own"
        case .certificate, .publicKey:
            "if it changed with good reason, 'sluice trust \(place)' shows what to pin now"
        }
    }
}
