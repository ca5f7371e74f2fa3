import SluiceCore
import Testing

@testable import SluiceCurl

/// What is said of a host that is not trusted.
struct TrustRefusalTests {
    /// As `sluice trust` reads them.
    @Test(arguments: [
        ("::1", "8443", "'sluice trust [::1]:8443' "), ("::1", "443", "'sluice trust [::1]' "),
        ("a.example", "8443", "'sluice trust a.example:8443' "), ("a.example", "443", "'sluice trust a.example' "),
        ("10.0.0.1", "8443", "'sluice trust 10.0.0.1:8443' "),
    ])
    func theAdviceNamesTheHostAsItIsWritten(host: String, port: String, advice: String) {
        let verdict = TrustVerdict(rule: .noPinning, isAccepted: false, reason: "self-signed")
        let decision = TrustDecision(host: host, verdict: verdict, isReused: false)
        let error = TrustRefusal.error(decision, port: port, isProxy: false, TrustChain(certificates: [], problem: nil))
        #expect(error.message.contains(advice) && error.message.hasPrefix("\(host) is not trusted"))
    }
}
