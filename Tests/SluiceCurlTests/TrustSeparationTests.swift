import SluiceCore
import SluiceCurl
import SluiceTestTLS
import Testing

/// What one policy accepted never serves another.
@Suite(.timeLimit(.minutes(5)))
struct TrustSeparationTests {
    private let world = TrustWorld()

    /// HTTP/1.1 and HTTP/2, TLS 1.3 and 1.2: sessions are resumed in two ways.
    private static let behaviours: [(http2: Bool, tls12: Bool)] = [
        (false, false), (false, true), (true, false), (true, true),
    ]

    @Test(arguments: behaviours)
    func aStrictRequestUsesNoLenientConnectionOrSession(http2: Bool, tls12: Bool) async throws {
        var behaviour = TLSServer.Behaviour()
        (behaviour.offersHTTP2, behaviour.isTLS12, behaviour.requestsPerConnection) = (http2, tls12, 2)
        let server = TLSServer(
            [TestCertificate(TestCertificate.Wishes("Self") { $0.names = ["localhost"] })],
            behaviour
        )
        defer { server.stop() }

        await withClient(TrustWorld.configuration) { client in
            for round in 0..<3 {
                // Two on one connection, which then ends; the next ones resume its session.
                for _ in 0..<2 {
                    let lenient = await client.fetch(request(server, lenient: true))
                    #expect(lenient.text == "hello", "\(lenient.error?.message ?? "")")
                    #expect(lenient.heads.first?.httpVersion == (http2 ? "2" : "1.1"))
                    #expect(lenient.decisions.map(\.verdict.isAccepted) == [true])
                }
                let before = server.connections.count
                let strict = await client.fetch(request(server, lenient: false))
                #expect(strict.code == .tlsUntrusted && strict.news == ["trust", "ended"], "round \(round)")
                #expect(strict.decisions.map(\.isReused) == [false])
                #expect(server.wait { $0.count == before + 1 && $0[before].isEnded })
                #expect(server.connections[before].byteCount == 0 && !server.connections[before].isShaken)
            }
        }
        #expect(server.connections.contains { $0.isShaken && $0.requests.count == 2 }, "some connection was used again")
        #expect(server.connections.contains { $0.isResumed }, "some session was resumed")
    }

    @Test func aVerdictOnAReusedOrResumedConnectionIsTold() async throws {
        var behaviour = TLSServer.Behaviour()
        behaviour.requestsPerConnection = 2
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }
        var fetched: [Fetched] = []

        await withClient(TrustWorld.configuration) { client in
            for _ in 0..<4 { fetched.append(await client.fetch(request(server, lenient: false))) }
        }

        #expect(fetched.map { $0.decisions.map(\.isReused) } == [[false], [true], [true], [true]])
        #expect(fetched.map { $0.heads.first?.reused } == [false, true, false, true])
        #expect(fetched.allSatisfy { $0.news == ["trust", "response", "ended"] })
        #expect(server.connections.map(\.isResumed) == [false, true])
        #expect(fetched[0].chains.first?.certificates.map(\.subject) == ["Leaf", "Intermediate", "Root"])
    }

    @Test func aRedirectIsJudgedByTheNewHostsPolicy() async throws {
        let target = TLSServer([TestCertificate(TestCertificate.Wishes("Self") { $0.names = ["other.localhost"] })])
        defer { target.stop() }
        var behaviour = TLSServer.Behaviour()
        let place = target.url("/there", host: "other.localhost")
        behaviour.heads["/go"] = "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n"
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }

        await withClient(TrustWorld.configuration) { client in
            let refused = await client.fetch(request(server, "/go", lenient: false))
            #expect(refused.code == .tlsUntrusted)
            #expect(refused.decisions.map(\.host) == ["localhost", "other.localhost"])
            #expect(target.wait { $0.count == 1 && $0[0].isEnded } && target.connections[0].byteCount == 0)

            var trusting = request(server, "/go", lenient: false)
            var lenient = TrustPolicy()
            (lenient.allowInvalid, lenient.validatesDomain) = (true, false)
            guard let pattern = HostPattern("other.localhost") else { return }
            let entries = [TrustBook.Entry(pattern, lenient)]
            trusting.trust = TrustBook(entries: entries, fallback: trusting.trust.fallback)
            let followed = await client.fetch(trusting)
            #expect(followed.text == "hello" && followed.heads.first?.finalURL == place)
            #expect(followed.decisions.map(\.verdict.isAccepted) == [true, true])
        }
    }

    @Test func aClientCertificateIsShownAndStaysBehindOnARedirect() async throws {
        var asking = TLSServer.Behaviour()
        asking.asksForClient = true
        let target = TLSServer([world.leaf(["other.localhost"]), world.intermediate], asking)
        defer { target.stop() }
        let place = target.url("/there", host: "other.localhost")
        asking.heads["/go"] = "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n"
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], asking)
        defer { server.stop() }
        let me = TestCertificate(TestCertificate.Wishes("Me"))
        let key = try PEMFile.privateKey(Array(me.keyPEM.utf8), path: "me.key")
        let file = try PEMFile.certificates(Array(me.pem.utf8), path: "me.pem")
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        policy.client = ClientIdentity(chain: file, key: key.key, keyPlace: key.place, isForNamedHosts: false)
        var request = TransferRequest(url: server.url("/go"))
        request.trust = TrustBook(entries: [], fallback: policy)

        await withClient(TrustWorld.configuration) { [request] client in
            let fetched = await client.fetch(request)
            #expect(fetched.text == "hello", "\(fetched.error?.message ?? "")")
        }

        #expect(server.connections.map(\.hasClient) == [true])
        #expect(target.connections.map(\.hasClient) == [false])
    }

    /// What a server that wants a client certificate says of none, or of one that it does not like.
    @Test(arguments: [true, false], [true, false])
    func aClientCertificateThatIsMissingOrRefusedIsNamed(isTLS12: Bool, hasClient: Bool) async throws {
        var behaviour = TLSServer.Behaviour()
        behaviour.isTLS12 = isTLS12
        (behaviour.requiresClient, behaviour.refusesClients) = (true, hasClient)
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }
        var request = request(server, lenient: false)
        if hasClient {
            let me = TestCertificate(TestCertificate.Wishes("Me"))
            let key = try PEMFile.privateKey(Array(me.keyPEM.utf8), path: "me.key")
            let file = try PEMFile.certificates(Array(me.pem.utf8), path: "me.pem")
            var policy = request.trust.fallback
            policy.client = ClientIdentity(chain: file, key: key.key, keyPlace: key.place, isForNamedHosts: false)
            request.trust = TrustBook(entries: [], fallback: policy)
        }

        await withClient(TrustWorld.configuration) { [request] client in
            // What is seen of the end of the connection differs from time to time.
            for _ in 0..<5 {
                let fetched = await client.fetch(request)
                let message = fetched.error?.message ?? ""
                #expect(fetched.code == .tlsFailed, "\(message)")
                #expect(message.contains("--cert FILE and --key FILE") && message.contains("localhost"), "\(message)")
                #expect(message.contains("me.pem") == hasClient, "\(message)")
                #expect(fetched.decisions.map(\.verdict.isAccepted) == [true])
            }
        }
    }

    @Test(arguments: [true, false]) func whoOnlyAsksForAClientCertificateIsDownloadedFrom(isHTTP2: Bool) async throws {
        var behaviour = TLSServer.Behaviour()
        (behaviour.asksForClient, behaviour.offersHTTP2) = (true, isHTTP2)
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }

        await withClient(TrustWorld.configuration) { client in
            for _ in 0..<3 { #expect(await client.fetch(request(server, lenient: false)).text == "hello") }
        }

        #expect(server.connections.allSatisfy { !$0.hasClient })
    }

    @Test func oldVersionsOfTLSAreRefused() async throws {
        var behaviour = TLSServer.Behaviour()
        behaviour.isTLS11 = true
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }

        await withClient(TrustWorld.configuration) { client in
            let fetched = await client.fetch(request(server, lenient: true))
            #expect(fetched.code == .tlsFailed && fetched.decisions.isEmpty)
        }
    }

    @Test func aHostThatAskedForTLSIsNeverAskedWithout() async throws {
        var behaviour = TLSServer.Behaviour()
        behaviour.fields = "Strict-Transport-Security: max-age=60\r\n"
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }

        await withClient(TrustWorld.configuration) { client in
            var plain = request(server, lenient: false)
            plain.url = "http://localhost:\(server.port)/"
            let before = await client.fetch(plain)
            #expect(before.error != nil, "what speaks TLS only has no answer to HTTP")
            _ = await client.fetch(request(server, lenient: true))
            let lenient = await client.fetch(plain)
            #expect(lenient.error != nil, "the wish of a host that may be anybody counts for nothing")

            _ = await client.fetch(request(server, lenient: false))
            let after = await client.fetch(plain)
            #expect(after.text == "hello" && after.heads.first?.finalURL == server.url())
        }
    }

    private func request(_ server: TLSServer, _ path: String = "/", lenient: Bool) -> TransferRequest {
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        (policy.allowInvalid, policy.validatesDomain) = (lenient, !lenient)
        var request = TransferRequest(url: server.url(path))
        request.trust = TrustBook(entries: [], fallback: policy)
        return request
    }
}
