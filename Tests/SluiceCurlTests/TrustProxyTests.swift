import Glibc
import SluiceCore
import SluiceCurl
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// A proxy that is reached over TLS is judged by itself, and strictly.
@Suite(.timeLimit(.minutes(5)))
struct TrustProxyTests {
    private let world = TrustWorld()

    /// By address no name is sent in the handshake, by name one is.
    @Test(arguments: ["127.0.0.1", "localhost"], ["http", "https"])
    func anUntrustedProxyHearsNothingHoweverLenientThePolicyOfTheHost(name: String, scheme: String) async throws {
        let proxy = TLSServer([
            TestCertificate(TestCertificate.Wishes("Proxy") { $0.names = ["127.0.0.1", "localhost"] })
        ])
        defer { proxy.stop() }

        await withClient(try configuration(name, proxy)) { client in
            for lenient in [false, true] {
                let before = proxy.connections.count
                let fetched = await client.fetch(request("\(scheme)://other.localhost:1/", lenient: lenient))

                #expect(fetched.code == .tlsUntrusted, "\(fetched.error?.message ?? fetched.text)")
                #expect(fetched.error?.message.contains("the proxy \(name) is not trusted, by rule 3") == true)
                #expect(fetched.news == ["trust", "ended"])
                #expect(proxy.wait { $0.count == before + 1 && $0[before].isEnded })
                #expect(proxy.connections[before].byteCount == 0 && !proxy.connections[before].isShaken)
            }
        }
    }

    @Test func authoritiesOfAHostVouchForNoProxy() async throws {
        let proxy = TLSServer([world.leaf(["127.0.0.1"]), world.intermediate])
        defer { proxy.stop() }

        await withClient(try configuration("127.0.0.1", proxy)) { client in
            let fetched = await client.fetch(request("https://localhost:1/", lenient: false))
            #expect(fetched.code == .tlsUntrusted)
            #expect(proxy.wait { $0.allSatisfy { $0.isEnded && $0.byteCount == 0 } })
        }
    }

    /// The way in which proxies are told from hosts must not refuse good ones.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func aTrustedProxyIsAskedForATunnel(name: String) async throws {
        let proxy = TLSServer([world.leaf(["127.0.0.1", "localhost"]), world.intermediate])
        defer { proxy.stop() }
        let folder = try TemporaryDirectory()
        var configuration = try configuration(name, proxy)
        configuration.authorities = write(world.root.pem, to: folder.path + "/system.pem")

        await withClient(configuration) { client in
            let fetched = await client.fetch(request("https://other.localhost:1/", lenient: true))
            #expect(fetched.decisions.isEmpty, "the host behind it was not reached")
            #expect(proxy.wait { $0.contains { $0.requests == ["CONNECT other.localhost:1 HTTP/1.1"] } })
        }
    }

    @Test func authoritiesOfProxiesVouchForThemAndForNoHost() async throws {
        let proxy = TLSServer([world.leaf(["127.0.0.1"]), world.intermediate])
        defer { proxy.stop() }
        let host = TLSServer([world.leaf(["localhost"]), world.intermediate])
        defer { host.stop() }
        var configuration = try configuration("127.0.0.1", proxy)
        configuration.proxyAuthorities = world.authorities

        await withClient(configuration) { client in
            let fetched = await client.fetch(TransferRequest(url: "http://other.localhost:1/"))
            #expect(fetched.text == "hello", "\(fetched.error?.message ?? "")")
            #expect(proxy.connections.map(\.requests) == [["GET http://other.localhost:1/ HTTP/1.1"]])
        }
        configuration.proxies = ProxyRules()
        await withClient(configuration) { client in
            let fetched = await client.fetch(TransferRequest(url: host.url()))
            #expect(fetched.code == .tlsUntrusted)
            #expect(host.wait { $0.count == 1 && $0[0].isEnded } && host.connections[0].byteCount == 0)
        }
    }

    /// libcurl keeps the authorities of the first handshake for all that follow, unless it is kept from that.
    @Test(arguments: [true, false]) func nobodysAuthoritiesOutliveTheirHandshake(isProxyFirst: Bool) async throws {
        let proxy = TLSServer([world.leaf(["127.0.0.1"]), world.intermediate])
        defer { proxy.stop() }
        let host = TLSServer([world.leaf(["localhost"]), world.intermediate])
        defer { host.stop() }
        var configuration = try configuration("127.0.0.1", proxy, direct: "localhost")
        if isProxyFirst { configuration.proxyAuthorities = world.authorities }
        let urls = ["http://other.test:1/", host.url()]

        await withClient(configuration) { client in
            for url in isProxyFirst ? urls : urls.reversed() {
                // Where the proxy comes first, the system's vouch for hosts; else the world's do, and not for proxies.
                let request = isProxyFirst ? TransferRequest(url: url) : request(url, lenient: false)
                let fetched = await client.fetch(request)
                let isVouchedFor = (url == urls[0]) == isProxyFirst
                #expect(fetched.code == (isVouchedFor ? nil : .tlsUntrusted), "\(url): \(fetched.text)")
            }
        }
    }

    /// With authorities of its own nobody else vouches for a proxy; curl's own check sees the same ones.
    @Test(arguments: ["http", "https"])
    func whoIsNoAuthorityOfProxiesVouchesForNone(scheme: String) async throws {
        let proxy = TLSServer([world.leaf(["127.0.0.1"]), world.intermediate])
        defer { proxy.stop() }
        let folder = try TemporaryDirectory()
        var configuration = try configuration("127.0.0.1", proxy)
        configuration.authorities = write(world.root.pem, to: folder.path + "/system.pem")
        let foreign = EncodedCertificate(bytes: world.foreign.der, place: "foreign.pem:1")
        let damaged = EncodedCertificate(bytes: [1, 2, 3], place: "damaged.pem:1")

        for certificate in [foreign, damaged] {
            configuration.proxyAuthorities = CertificateFile(path: "proxies.pem", certificates: [certificate])
            await withClient(configuration) { client in
                let before = proxy.connections.count
                let fetched = await client.fetch(request("\(scheme)://other.localhost:1/", lenient: true))
                #expect(fetched.code == .tlsUntrusted)
                #expect(fetched.error?.message.contains("--proxy-cacert FILE") == true)
                #expect(proxy.wait { $0.count == before + 1 && $0[before].isEnded })
                #expect(proxy.connections[before].byteCount == 0 && !proxy.connections[before].isShaken)
            }
        }
    }

    @Test func withoutAuthoritiesNoProxyIsTrusted() async throws {
        let proxy = TLSServer([world.leaf(["127.0.0.1"]), world.intermediate])
        defer { proxy.stop() }
        var configuration = try configuration("127.0.0.1", proxy)
        configuration.authorities = "/nowhere/ca.pem"

        await withClient(configuration) { client in
            let fetched = await client.fetch(request("https://other.localhost:1/", lenient: true))
            #expect(fetched.code == .tlsFailed, "\(fetched.error?.message ?? fetched.text)")
        }
        #expect(proxy.connections.allSatisfy { $0.byteCount == 0 && !$0.isShaken })
    }

    @Test func aProxyIsShownNoClientCertificate() async throws {
        var asking = TLSServer.Behaviour()
        asking.asksForClient = true
        let proxy = TLSServer([world.leaf(["127.0.0.1"]), world.intermediate], asking)
        defer { proxy.stop() }
        let folder = try TemporaryDirectory()
        var configuration = try configuration("127.0.0.1", proxy)
        configuration.authorities = write(world.root.pem, to: folder.path + "/system.pem")
        let client = TestCertificate(TestCertificate.Wishes("Client"))
        let file = try PEMFile.certificates(Array(client.pem.utf8), path: "client.pem")
        let key = try PEMFile.privateKey(Array(client.keyPEM.utf8), path: "client.key")
        var policy = TrustPolicy()
        policy.client = ClientIdentity(chain: file, key: key.key, keyPlace: key.place, isForNamedHosts: false)
        var asked = TransferRequest(url: "https://other.localhost:1/")
        asked.trust = TrustBook(entries: [], fallback: policy)

        await withClient(configuration) { [asked] client in
            _ = await client.fetch(asked)
            #expect(proxy.wait { $0.first?.isShaken == true })
            #expect(proxy.connections.allSatisfy { !$0.hasClient })
        }
    }

    // MARK: Looking through a proxy

    @Test(arguments: ["127.0.0.1", "localhost"])
    func aLookStopsAtAnUntrustedProxyAndDoesNotTakeItForTheHost(name: String) throws {
        let proxy = TLSServer([
            TestCertificate(TestCertificate.Wishes("Proxy") { $0.names = ["127.0.0.1", "localhost"] })
        ])
        defer { proxy.stop() }
        let server = try ProxyServer("https://\(name):\(proxy.port)")
        var lenient = TrustPolicy()
        (lenient.allowInvalid, lenient.validatesDomain) = (true, false)

        let way = TrustProbe.Way(proxy: server, timeout: .seconds(20))
        #expect(throws: DownloadError.self) {
            _ = try TrustProbe.look(at: "other.localhost", port: 1, way: way, inForce: lenient) { _, _ in [] }
        }

        #expect(proxy.wait { $0.count == 1 && $0[0].isEnded && $0[0].byteCount == 0 && !$0[0].isShaken })
    }

    @Test func aLookPassesAProxyThatItsOwnAuthorityVouchesFor() throws {
        let proxy = TLSServer([world.leaf(["127.0.0.1"]), world.intermediate])
        defer { proxy.stop() }
        var way = TrustProbe.Way(proxy: try ProxyServer("https://127.0.0.1:\(proxy.port)"), timeout: .seconds(20))
        way.proxyAuthorities = world.authorities

        // It makes no tunnel, so the look ends there.
        #expect(throws: DownloadError.self) {
            _ = try TrustProbe.look(at: "other.localhost", port: 1, way: way, inForce: TrustPolicy()) { _, _ in [] }
        }

        #expect(proxy.wait { $0.contains { $0.requests == ["CONNECT other.localhost:1 HTTP/1.1"] } })
    }

    @Test(arguments: [("407 No", DownloadError.Code.badStatus), ("502 No", .badStatus), ("", .badResponse)])
    func aLookSaysWhatAProxyDidAsTransfersDo(status: String, code: DownloadError.Code) async throws {
        let answer = status.isEmpty ? Answers.raw("SSH-2.0-OpenSSH\r\n") : Answers.status(status)
        let proxy = ScriptedServer(["other.localhost:1": answer])
        defer { proxy.stop() }
        let named = "http://127.0.0.1:\(proxy.port)"
        var way = TrustProbe.Way(proxy: try ProxyServer(named), timeout: .seconds(20))
        way.userAgent = "Me/1"
        var configuration = CurlTransport.Configuration()
        configuration.proxies = try ProxyRules(named: named, environment: { _ in nil })

        let error = #expect(throws: DownloadError.self) {
            _ = try TrustProbe.look(at: "other.localhost", port: 1, way: way, inForce: TrustPolicy()) { _, _ in [] }
        }

        #expect(error?.code == code)
        #expect(proxy.requests.last?.contains("User-Agent: Me/1\r\n") == true)
        await withClient(configuration) { client in
            #expect(await client.fetch("https://other.localhost:1/").error?.message == error?.message)
        }
    }

    private func write(_ text: String, to path: String) -> String {
        if let file = unsafe fopen(path, "w") {
            unsafe fputs(text, file)
            unsafe fclose(file)
        }
        return path
    }

    private func configuration(
        _ name: String,
        _ proxy: TLSServer,
        direct: String? = nil
    ) throws -> CurlTransport.Configuration {
        var configuration = TrustWorld.configuration
        let named = "https://\(name):\(proxy.port)"
        configuration.proxies = try ProxyRules(named: named, environment: { $0 == "no_proxy" ? direct : nil })
        return configuration
    }

    private func request(_ url: String, lenient: Bool) -> TransferRequest {
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        (policy.allowInvalid, policy.validatesDomain) = (lenient, !lenient)
        var request = TransferRequest(url: url)
        request.trust = TrustBook(entries: [], fallback: policy)
        return request
    }
}
