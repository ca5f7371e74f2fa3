import SluiceCore
import SluiceCurl
import SluiceTestTLS
import Testing

/// Redirects between hosts that speak TLS, and to those that don't.
@Suite(.timeLimit(.minutes(5)))
struct SecureRedirectTests {
    private let world = TrustWorld()

    @Test(arguments: [301, 302, 303, 307, 308])
    func fromHTTPSToHTTPNothingIsAskedUnlessAllowed(status: Int) async {
        let plain = ScriptedServer(["/plain": Answers.ok("plain")])
        defer { plain.stop() }
        let server = serve(["/a": plain.url("/plain")], status)
        defer { server.stop() }

        await withClient(TrustWorld.configuration) { client in
            var request = request(server, "/a")
            let refused = await client.fetch(request)
            #expect(refused.code == .badResponse && refused.heads.isEmpty)
            #expect(refused.error?.message.contains("--allow-downgrade") == true)
            #expect(refused.error?.message.contains(plain.url("/plain")) == true)
            #expect(plain.accepted == 0, "not even a connection was made")

            request.allowsDowngrade = true
            let followed = await client.fetch(request)
            #expect(followed.text == "plain" && followed.heads.first?.finalURL == plain.url("/plain"))
        }
        #expect(plain.requests.count == 1)
        #expect(server.heads.map(secrets) == [3, 3])
        #expect(plain.requests.map(secrets) == [0])
    }

    /// The host is the same by its name, and in clear nobody knows who listens.
    @Test func fieldsOfAHostAreNotSentInClear() async {
        let plain = ScriptedServer(["/plain": Answers.ok("plain")])
        defer { plain.stop() }
        let server = serve(["/a": "http://localhost:\(plain.port)/plain"])
        defer { server.stop() }

        await withClient(TrustWorld.configuration) { client in
            var request = request(server, "/a")
            request.headers.append(HeaderField("X-Key", "1"))
            request.hostOnlyHeaders = ["x-key"]
            request.allowsDowngrade = true
            let fetched = await client.fetch(request)
            #expect(fetched.text == "plain")
        }

        #expect(server.heads.map { $0.contains("X-Key: 1") } == [true])
        #expect(plain.requests.map { $0.contains("X-Key: 1") } == [false])
    }

    /// The same host at another port is another origin; so is another name for it.
    @Test(arguments: ["localhost", "other.localhost"])
    func credentialsStayWithTheirOriginOverTLS(name: String) async {
        let other = serve(["/there": "elsewhere"], host: name)
        defer { other.stop() }
        let server = serve(["/a": "b", "/b": other.url("/there", host: name)])
        defer { server.stop() }

        await withClient(TrustWorld.configuration) { client in
            let fetched = await client.fetch(request(server, "/a"))
            #expect(fetched.text == "hello" && fetched.heads.first?.redirects == 3)
            #expect(fetched.heads.first?.finalURL == other.url("/elsewhere", host: name))
        }

        #expect(server.heads.map(secrets) == [3, 3])
        #expect(other.heads.map(secrets) == [0, 0])
    }

    @Test func credentialsThatStayedBehindDoNotComeBack() async {
        let plain = ScriptedServer([String: [ScriptedServer.Step]]())
        defer { plain.stop() }
        let server = serve(["/a": plain.url("/back")])
        defer { server.stop() }
        plain.add("/back", Answers.redirect(to: server.url("/home")))

        await withClient(TrustWorld.configuration) { client in
            var request = request(server, "/a")
            request.allowsDowngrade = true
            let fetched = await client.fetch(request)
            #expect(fetched.text == "hello" && fetched.heads.first?.finalURL == server.url("/home"))
        }

        #expect(plain.requests.map(secrets) == [0])
        #expect(server.heads.map(secrets) == [3, 0])
    }

    /// What was said in clear was meant for who was asked in clear.
    @Test func credentialsDoNotFollowFromHTTPToHTTPS() async {
        let server = serve([:])
        defer { server.stop() }
        let plain = ScriptedServer(["/a": Answers.redirect(to: server.url("/b"))])
        defer { plain.stop() }

        await withClient(TrustWorld.configuration) { client in
            var request = request(server, "/a")
            request.url = plain.url("/a")
            let fetched = await client.fetch(request)
            #expect(fetched.text == "hello" && fetched.heads.first?.finalURL == server.url("/b"))
        }

        #expect(plain.requests.map(secrets) == [3])
        #expect(server.heads.map(secrets) == [0])
    }

    /// A server that nobody need be lenient with.
    ///
    /// - Parameters:
    ///   - redirects: Where paths lead; the others answer `hello`.
    ///   - status: Of the redirects.
    ///   - host: Whose certificate it has.
    /// - Returns: To be stopped.
    private func serve(_ redirects: [String: String], _ status: Int = 302, host: String = "localhost") -> TLSServer {
        var behaviour = TLSServer.Behaviour()
        behaviour.heads = redirects.mapValues {
            "HTTP/1.1 \(status) Elsewhere\r\nLocation: \($0)\r\nContent-Length: 0\r\n"
        }
        return TLSServer([world.leaf([host]), world.intermediate], behaviour)
    }

    /// Says who the user is in three ways, all meant for this origin.
    private func request(_ server: TLSServer, _ path: String) -> TransferRequest {
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        var request = TransferRequest(url: server.url(path))
        request.trust = TrustBook(entries: [], fallback: policy)
        request.credentials = Credentials(user: "me", password: "secret")
        request.headers = [HeaderField("X-Token", "1"), HeaderField("Cookie", "a=secret"), HeaderField("X-Any", "2")]
        request.originOnlyHeaders = ["x-token", "cookie"]
        return request
    }

    /// How many of the three ways are in the head of a request.
    private func secrets(_ head: String) -> Int {
        ["Authorization: Basic bWU6c2VjcmV0", "X-Token: 1", "Cookie: a=secret"].count { head.contains($0) }
    }
}

extension TLSServer {
    /// The heads of all requests, in the order of their connections.
    fileprivate var heads: [String] { connections.flatMap(\.heads) }
}
