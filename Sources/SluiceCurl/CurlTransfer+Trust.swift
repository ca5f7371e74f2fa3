internal import CCurl
import SluiceCore

/// Whom a transfer trusts: the judge of its handshakes, and what is told of those that were judged before.
extension CurlTransfer {
    /// Puts a judge into a connection that is about to be made for this transfer.
    func prepareHandshake(_ connection: OpaquePointer) -> CURLcode {
        guard let transfer, let origin = state.origin(of: run.redirection.url) else { return CURLE_SSL_CONNECT_ERROR }
        let isProxy = unsafe CurlTrust.isProxy(connection)
        let server = isProxy ? proxy(for: run.redirection.url) : nil
        if isProxy, server == nil { return CURLE_SSL_CONNECT_ERROR }
        let host = server?.bareHost ?? origin.bareHost
        let port = server.map { String($0.port) } ?? origin.port
        let trust = CurlTrust(host: host, isProxy: isProxy, material: pool.material) {
            [weak self, state] decision, chain in
            state.post(.trust(transfer, decision, chain))
            // A later handshake on this connection may be in the time of another transfer.
            guard let self, self.transfer == transfer else { return }
            run.exchange.isJudged = true
            // A proxy that asked before has let the connection through.
            run.exchange.clientWish = nil
            if !decision.verdict.isAccepted {
                fail(TrustRefusal.error(decision, port: port, isProxy: isProxy, chain))
            }
        } clientWanted: { [weak self] in
            guard let self, self.transfer == transfer else { return }
            run.exchange.clientWish =
                isProxy ? .proxy : pool.material.policy.client.map { .shown($0.chain.path) } ?? .ignored
        }
        return unsafe trust.prepare(connection)
    }

    /// Tells that an answer came over a connection that was judged before, and takes what it says of later ones.
    func noteSecurity() {
        guard CurlURL.isSecure(run.redirection.url), let transfer else { return }
        let policy = pool.material.policy
        if run.exchange.isJudged, run.fields.strictTransport == nil || policy.isLenient { return }
        guard let origin = state.origin(of: run.redirection.url) else { return }
        if !run.exchange.isJudged {
            run.exchange.isJudged = true
            let verdict = TrustVerdict(rule: pool.material.table.acceptingRule, isAccepted: true)
            let decision = TrustDecision(host: HostName.plain(origin.bareHost), verdict: verdict, isReused: true)
            state.post(.trust(transfer, decision, nil))
        }
        if let wish = run.fields.strictTransport, !policy.isLenient {
            state.secureHosts.heard(wish, from: origin.host, now: state.now)
        }
    }
}
