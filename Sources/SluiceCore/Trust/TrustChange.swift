/// A change of whom to trust, made while requests run; it holds for requests to come.
public enum TrustChange: Equatable, Sendable {
    /// The whole policy of a pattern. Authorities and the client's certificate, where it names none, are those
    /// that hold for every host, as they are for a section of the configuration.
    case set(HostPattern, TrustPolicy)
    /// More pins for a pattern, beside what holds for it.
    case pin(HostPattern, [TrustPin])
    /// The policy of a pattern goes; its hosts are judged by the next that matches. For `*`, the standard one comes back.
    case remove(HostPattern)

    /// The pattern that it is about.
    public var pattern: HostPattern {
        switch self {
        case .set(let pattern, _), .pin(let pattern, _), .remove(let pattern): pattern
        }
    }
}

extension TrustBook {
    /// What holds for exactly this pattern; `nil` if nothing was said of it, which for `*` never is so.
    public func policy(of pattern: HostPattern) -> TrustPolicy? {
        pattern == .all ? fallback : entries.last { $0.pattern == pattern }?.policy
    }

    /// The book after a change.
    ///
    /// - Throws: If the policy is invalid: pinning without pins, or hashes where certificates are compared.
    public func changed(by change: TrustChange) throws(TrustError) -> TrustBook {
        var builder = TrustBookBuilder(self)
        switch change {
        case .set(let pattern, var policy):
            try TrustBookBuilder.check(policy)
            if pattern != .all {
                policy.authorities = policy.authorities ?? fallback.authorities
                policy.client = policy.client ?? fallback.client
            }
            builder.set(pattern, policy)
        case .pin(let pattern, let pins): try builder.pin(pattern, pins)
        case .remove(let pattern): builder.remove(pattern)
        }
        return builder.book
    }
}
