import SluiceCore
import SluiceCurl
import SluiceTestTLS

/// An authority with what it vouches for, and everything that one can do wrong about it.
struct TrustWorld {
    struct Shown {
        var sent: [TestCertificate]
        /// None, leaf, intermediate, root, all three, a foreign one.
        var pins: [[TrustPin]]
        var host: String
    }

    /// validatesDomain; neither; both; allowInvalid.
    static let flags = [(false, true), (false, false), (true, true), (true, false)]

    static var configuration: CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.ipVersion = .v4
        return configuration
    }

    let root = TestCertificate(TestCertificate.Wishes("Root") { $0.isAuthority = true })
    let intermediate: TestCertificate
    let foreign = TestCertificate(TestCertificate.Wishes("Foreign"))

    init() {
        intermediate = TestCertificate(TestCertificate.Wishes("Intermediate") { $0.isAuthority = true }, by: root)
    }

    var authorities: CertificateFile {
        CertificateFile(path: "root.pem", certificates: [EncodedCertificate(bytes: root.der, place: "root.pem:1")])
    }

    /// A leaf of the intermediate.
    func leaf(_ names: [String], _ change: (inout TestCertificate.Wishes) -> Void = { _ in }) -> TestCertificate {
        .leaf(names, by: intermediate, change)
    }

    func chain(_ kind: String) -> Shown {
        let host = "good.localhost"
        switch kind {
        case "self-signed": return shown([TestCertificate(TestCertificate.Wishes("Self") { $0.names = [host] })], host)
        case "expired": return whole(leaf([host]) { ($0.begins, $0.ends) = (-7_200, -3_600) }, host)
        case "not yet valid": return whole(leaf([host]) { ($0.begins, $0.ends) = (3_600, 7_200) }, host)
        case "wrong name": return whole(leaf(["other.localhost"]), host)
        case "name in CN only": return whole(leaf([]) { $0.subject = host }, host)
        case "missing intermediate": return shown([leaf([host])], host)
        case "untrusted root":
            let root = TestCertificate(TestCertificate.Wishes("Another Root") { $0.isAuthority = true })
            let middle = TestCertificate(TestCertificate.Wishes("Another") { $0.isAuthority = true }, by: root)
            let leaf = TestCertificate.leaf([host], by: middle)
            return Shown(sent: [leaf, middle, root], pins: pins(leaf, middle, root), host: host)
        case "IP address": return whole(leaf(["127.0.0.1"]), "127.0.0.1")
        case "wildcard": return whole(leaf(["*.wild.localhost"]), "a.wild.localhost")
        case "many names": return whole(leaf(["a.localhost", "b.localhost", host]), host)
        case "root not sent": return shown([leaf([host]), intermediate], host)
        case "pinned certificates appended":
            let leaf = leaf([host])
            let attacker = TestCertificate.leaf([host], by: nil)
            return Shown(sent: [attacker, leaf, intermediate, root], pins: pins(leaf, intermediate, root), host: host)
        case "signed by a leaf":
            let other = leaf(["evil.localhost"]) { $0.subject = "Evil" }
            let attacker = TestCertificate.leaf([host], by: other)
            return shown([attacker, other, intermediate, root], host)
        case "issuer claimed, not signed":
            let attacker = TestCertificate(TestCertificate.Wishes("Leaf") { $0.names = [host] }, claiming: intermediate)
            return Shown(
                sent: [attacker, intermediate, root],
                pins: pins(leaf([host]), intermediate, root),
                host: host
            )
        default: return whole(leaf([host]), host)
        }
    }

    private func whole(_ leaf: TestCertificate, _ host: String) -> Shown { shown([leaf, intermediate, root], host) }

    private func shown(_ sent: [TestCertificate], _ host: String) -> Shown {
        Shown(sent: sent, pins: pins(sent[0], intermediate, root), host: host)
    }

    private func pins(_ leaf: TestCertificate, _ middle: TestCertificate, _ root: TestCertificate) -> [[TrustPin]] {
        let all = [leaf, middle, root].map(Self.pin)
        return [[], [all[0]], [all[1]], [all[2]], all, [Self.pin(foreign)]]
    }

    static func pin(_ certificate: TestCertificate) -> TrustPin {
        .certificate(EncodedCertificate(bytes: certificate.der, place: "pin"))
    }
}
