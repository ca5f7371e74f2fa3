import SluiceCore
import Testing

@testable import SluiceUI

/// Which host is looked at, and what is said of a chain that was accepted.
struct TrustWordTests {
    /// It is the one that showed the certificate that was refused.
    @Test func theHostBehindARedirectIsLookedAt() {
        var scene = Scene.empty
        var end = TaskEnd(task: TaskID(1), url: "http://a.example/x", outcome: .failed, receipts: 1)
        end.error = DownloadError(.tlsUntrusted, "b.example is not trusted")
        end.hops = [RedirectHop(status: 302, url: "https://b.example/y")]
        scene.add(50, .taskFinished(end))
        for keys in ["8", "9", "9\r"] {
            var driver = Driver(scene, 120, 36)
            for key in keys { _ = driver.press(keys: [key == "\r" ? .enter : .character(key)]) }
            #expect(driver.press("T") == ["look 1 https://b.example/y"], "\(keys)")
        }
    }

    @Test func whatAnyChainPassesIsNotSaidToBeValid() {
        let verdict = TrustVerdict(rule: .noPinning, isAccepted: true)
        #expect(verdict.phrase(acceptsAny: true) == "any chain is accepted")
        #expect(verdict.phrase(acceptsAny: false) == "the chain must be valid")
        let refused = TrustVerdict(rule: .noPinning, isAccepted: false, reason: "expired")
        #expect(refused.phrase(acceptsAny: true) == "the chain must be valid")
    }
}
