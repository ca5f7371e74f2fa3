import SluiceCore
import SluiceCurl
import SluiceTestTLS
import Testing

/// The whole table of SPEC §8 against real servers, with the expected columns written by hand.
@Suite(.timeLimit(.minutes(2)))
struct TrustMatrixTests {
    /// What a server shows, and what each policy must say of it.
    ///
    /// Each column is one of: validatesDomain; neither; allowInvalid and validatesDomain;
    /// allowInvalid. A sign is `+` for accepted, or the rule that refuses. Signs within a
    /// column are for the pins: none, leaf, intermediate, root, all three, a foreign one.
    struct Row: Sendable, CustomTestStringConvertible {
        let chain: String
        let none: String
        let publicKey: [String]
        let certificate: [String]
        init(_ chain: String, _ none: String, _ publicKey: String, _ certificate: String) {
            (self.chain, self.none) = (chain, none)
            self.publicKey = publicKey.split(separator: " ").map(String.init)
            self.certificate = certificate.split(separator: " ").map(String.init)
        }
        var testDescription: String { chain }
    }

    @Test(arguments: [
        //                          none   publicKey                     certificate
        Row("valid", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        Row("self-signed", "331+", "444444 444444 1+66+6 6+66+6", "444444 444444 1+55+5 5+55+5"),
        Row("expired", "331+", "444444 444444 1++++6 6++++6", "444444 444444 155555 555555"),
        Row("not yet valid", "331+", "444444 444444 1++++6 6++++6", "444444 444444 155555 555555"),
        Row("wrong name", "2+1+", "222222 6++++6 122222 6++++6", "222222 5++++5 122222 5++++5"),
        Row("name in CN only", "2+1+", "222222 6++++6 122222 6++++6", "222222 5++++5 122222 5++++5"),
        Row("missing intermediate", "331+", "444444 444444 1+66+6 6+66+6", "444444 444444 1++5+5 5++5+5"),
        Row("untrusted root", "331+", "444444 444444 1++++6 6++++6", "444444 444444 1++++5 5++++5"),
        Row("IP address", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        Row("wildcard", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        Row("many names", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        Row("root not sent", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        // The two ways to show a pinned certificate that vouches for nothing.
        Row("pinned certificates appended", "331+", "444444 444444 166666 666666", "444444 444444 155555 555555"),
        Row("issuer claimed, not signed", "331+", "444444 444444 166666 666666", "444444 444444 155555 555555"),
    ])
    func everyPolicySaysWhatTheSpecificationSays(_ row: Row) async throws {
        let world = TrustWorld()
        let shown = world.chain(row.chain)
        let server = TLSServer(shown.sent)
        defer { server.stop() }
        var count = 0
        await withClient(TrustWorld.configuration) { client in
            for pinning in TrustPolicy.Pinning.allCases {
                for (column, flags) in TrustWorld.flags.enumerated() {
                    for (place, pins) in shown.pins.enumerated() {
                        var policy = TrustPolicy()
                        (policy.pinning, policy.pins) = (pinning, pins)
                        (policy.allowInvalid, policy.validatesDomain) = flags
                        policy.authorities = world.authorities
                        let expected: Character =
                            switch pinning {
                            case .none: Array(row.none)[column]
                            case .publicKey: Array(row.publicKey[column])[place]
                            case .certificate: Array(row.certificate[column])[place]
                            }
                        await check(policy, expected, server, shown.host, client)
                        count += 1
                    }
                }
            }
        }
        #expect(count == 3 * 4 * 6, "the table must not shrink")
    }

    private func check(
        _ policy: TrustPolicy,
        _ expected: Character,
        _ server: TLSServer,
        _ host: String,
        _ client: TestClient
    ) async {
        let before = server.connections.count
        var request = TransferRequest(url: server.url(host: host))
        request.trust = TrustBook(entries: [], fallback: policy)

        let fetched = await client.fetch(request)

        let name = "\(policy.pinning) \(policy.allowInvalid) \(policy.validatesDomain) \(policy.pins.count)"
        if expected == "+" {
            #expect(fetched.text == "hello", "\(name): \(fetched.error?.message ?? "")")
            #expect(fetched.decisions.map(\.verdict.isAccepted) == [true], "\(name)")
            return
        }
        #expect(fetched.decisions.map { "\($0.verdict.rule.rawValue)" } == [String(expected)], "\(name)")
        #expect(fetched.code == .tlsUntrusted, "\(name): \(fetched.text)")
        #expect(fetched.error?.message.contains(host) == true && fetched.news == ["trust", "ended"], "\(name)")
        // A refusal is the end of a handshake of its own.
        #expect(server.wait { $0.count == before + 1 && $0[before].isEnded }, "\(name)")
        #expect(server.connections.last?.byteCount == 0 && server.connections.last?.isShaken == false, "\(name)")
    }
}

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

    let root = TestCertificate(Self.wishes("Root") { $0.isAuthority = true })
    let intermediate: TestCertificate
    let foreign = TestCertificate(Self.wishes("Foreign"))

    init() { intermediate = TestCertificate(Self.wishes("Intermediate") { $0.isAuthority = true }, by: root) }

    var authorities: CertificateFile {
        CertificateFile(path: "root.pem", certificates: [EncodedCertificate(bytes: root.der, place: "root.pem:1")])
    }

    /// A leaf of the intermediate.
    func leaf(_ names: [String], _ change: (inout TestCertificate.Wishes) -> Void = { _ in }) -> TestCertificate {
        TestCertificate(
            Self.wishes("Leaf") {
                $0.names = names
                change(&$0)
            },
            by: intermediate
        )
    }

    func chain(_ kind: String) -> Shown {
        let host = "good.localhost"
        switch kind {
        case "self-signed": return shown([TestCertificate(Self.wishes("Self") { $0.names = [host] })], host)
        case "expired": return whole(leaf([host]) { ($0.begins, $0.ends) = (-7_200, -3_600) }, host)
        case "not yet valid": return whole(leaf([host]) { ($0.begins, $0.ends) = (3_600, 7_200) }, host)
        case "wrong name": return whole(leaf(["other.localhost"]), host)
        case "name in CN only": return whole(leaf([]) { $0.subject = host }, host)
        case "missing intermediate": return shown([leaf([host])], host)
        case "untrusted root":
            let root = TestCertificate(Self.wishes("Another Root") { $0.isAuthority = true })
            let middle = TestCertificate(Self.wishes("Another") { $0.isAuthority = true }, by: root)
            let leaf = TestCertificate(Self.wishes("Leaf") { $0.names = [host] }, by: middle)
            return Shown(sent: [leaf, middle, root], pins: pins(leaf, middle, root), host: host)
        case "IP address": return whole(leaf(["127.0.0.1"]), "127.0.0.1")
        case "wildcard": return whole(leaf(["*.wild.localhost"]), "a.wild.localhost")
        case "many names": return whole(leaf(["a.localhost", "b.localhost", host]), host)
        case "root not sent": return shown([leaf([host]), intermediate], host)
        case "pinned certificates appended":
            let leaf = leaf([host])
            let attacker = TestCertificate(Self.wishes("Leaf") { $0.names = [host] })
            return Shown(sent: [attacker, leaf, intermediate, root], pins: pins(leaf, intermediate, root), host: host)
        case "issuer claimed, not signed":
            let attacker = TestCertificate(Self.wishes("Leaf") { $0.names = [host] }, claiming: intermediate)
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

    static func wishes(
        _ subject: String,
        _ change: (inout TestCertificate.Wishes) -> Void = { _ in }
    ) -> TestCertificate.Wishes {
        var wishes = TestCertificate.Wishes(subject)
        change(&wishes)
        return wishes
    }
}
