import SluiceCore

/// Finds the pool of each policy, and makes it when the first transfer needs it.
///
/// Cookies are kept apart too: what a host that may be anybody sets is never sent to one
/// that was judged, nor the other way round. Confined to the loop's thread. What every transfer touches is checked for
/// exclusive access in debug builds only.
final class CurlPools {
    private static let mostIdle = 16

    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private(set) var all: [CurlPool] = []
    /// Of the standard policy; nearly every transfer uses it.
    private let standard: CurlPool
    private let system: SystemAnchors
    private let poller: Poller
    private let configuration: CurlTransport.Configuration
    private let state: TransportState
    private let strictJars: CookieJars?
    private let lenientJars: CookieJars?
    private var byPolicy: [TrustPolicy: CurlPool] = [:]
    /// What was asked for last, which the next transfer often wants too: looking up a policy by its certificates takes long.
    private var last: (trust: TrustBook, origin: SiteOrigin, hasLeftOrigin: Bool, pool: CurlPool)?

    init(_ poller: Poller, _ configuration: CurlTransport.Configuration, _ state: TransportState) {
        (self.poller, self.configuration, self.state) = (poller, configuration, state)
        system = SystemAnchors(path: configuration.authorities, forProxies: configuration.proxyAuthorities)
        strictJars = configuration.cookies ? CookieJars() : nil
        lenientJars = configuration.cookies ? CookieJars() : nil
        guard let material = try? TrustMaterial(.standard, system: system) else {
            preconditionFailure("the standard policy has no files that could be damaged")
        }
        standard = CurlPool(material, poller, configuration, strictJars, state)
        all = [standard]
        byPolicy[.standard] = standard
    }

    /// The pool for a URL.
    ///
    /// - Parameters:
    ///   - url: Where the transfer goes next.
    ///   - trust: The policies of its request.
    ///   - hasLeftOrigin: Whether a redirect led away from whom the user named.
    /// - Returns: That of the policy for its host.
    /// - Throws: `tlsFailed` if a certificate of the policy can't be used.
    func pool(for url: String, _ trust: TrustBook, hasLeftOrigin: Bool) throws(DownloadError) -> CurlPool {
        if trust.isStandard { return standard }
        guard let origin = state.origin(of: url) else { return standard }
        if let last, last.trust === trust, last.origin == origin, last.hasLeftOrigin == hasLeftOrigin {
            return last.pool
        }
        let pool = try pool(for: origin, trust, hasLeftOrigin: hasLeftOrigin)
        last = (trust, origin, hasLeftOrigin, pool)
        return pool
    }

    private func pool(
        for origin: SiteOrigin,
        _ trust: TrustBook,
        hasLeftOrigin: Bool
    ) throws(DownloadError) -> CurlPool {
        var policy = trust.policy(host: HostName.plain(origin.bareHost), port: Int(origin.port) ?? 443)
        // Who the user is was meant for the host that was asked, unless a pattern names this one.
        if hasLeftOrigin, policy.client?.isForNamedHosts == false { policy.client = nil }
        if let known = byPolicy[policy] { return known }
        return try make(policy, for: origin)
    }

    private func make(_ policy: TrustPolicy, for origin: SiteOrigin) throws(DownloadError) -> CurlPool {
        dropUnused()
        let material: TrustMaterial
        do throws(TrustError) {
            material = try TrustMaterial(policy, system: system)
        } catch {
            throw DownloadError(.tlsFailed, "the trust policy of \(origin.bareHost) can't be used: \(error.message)")
        }
        let jars = policy.isLenient ? lenientJars : strictJars
        let pool = CurlPool(material, poller, configuration, jars, state)
        all.append(pool)
        byPolicy[policy] = pool
        return pool
    }

    /// Policies that changed leave connections behind.
    private func dropUnused() {
        guard all.count > Self.mostIdle else { return }
        last = nil
        for pool in all where pool.activeCount == 0 && pool !== standard {
            byPolicy[pool.material.policy] = nil
        }
        all.removeAll { byPolicy[$0.material.policy] !== $0 }
    }
}
