internal import Glibc
internal import SluiceCore
internal import SluiceCurl

/// One look at the certificates of a host, for the shell and for the screen.
struct TrustLook: Sendable {
    /// Read as every other URL, so that names and addresses are what they are elsewhere.
    let url: RequestURL
    /// The policy that requests to the host have.
    var inForce: TrustPolicy
    let way: TrustProbe.Way
    /// Whether every policy that could be tried is asked too.
    var tries = false

    /// Looks; blocks until the host showed its certificates, or failed to.
    func report() throws(DownloadError) -> TrustReport {
        let asked = { (chain: TrustChain) in tries ? TrustTrial.all(certificates: chain.certificates.count) : [] }
        var shown: [EncodedCertificate] = []
        let finding = try TrustProbe.look(at: url.host, port: url.port, way: way, inForce: inForce) {
            chain,
            certificates in
            shown = certificates
            return TrustReport.questions(inForce, chain, certificates).map(\.policy)
                + asked(chain).map { $0.policy(certificates, authorities: inForce.authorities) }
        }
        let questions = TrustReport.questions(inForce, finding.chain, shown)
        let trials = zip(asked(finding.chain), finding.verdicts.dropFirst(questions.count))
        return TrustReport(
            host: url.host,
            port: url.port,
            chain: finding.chain,
            answers: Array(zip(questions, finding.verdicts)),
            trials: Dictionary(trials.map { ($0, $1) }) { first, _ in first },
            time: Glibc.time(nil)
        )
    }
}
