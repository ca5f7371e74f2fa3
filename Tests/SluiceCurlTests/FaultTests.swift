import SluiceCore
import SluiceCurl
import SluiceTestTLS
import Testing

/// Answers as they should not be, and what becomes of them.
@Suite(.timeLimit(.minutes(5)))
struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: [ScriptedServer.Step]
        let code: DownloadError.Code

        init(_ name: String, _ answer: String, _ code: DownloadError.Code) {
            (testDescription, self.answer, self.code) = (name, Answers.raw(answer), code)
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    static let faults = [
        Fault("two lengths", ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", .badResponse),
        Fault("a list of two lengths", ok + "Content-Length: 5, 6\r\n\r\nhello", .badResponse),
        Fault("a negative length", ok + "Content-Length: -5\r\n\r\nhello", .badResponse),
        Fault("a length in words", ok + "Content-Length: five\r\n\r\nhello", .badResponse),
        Fault("a length with a tail", ok + "Content-Length: 5x\r\n\r\nhello", .badResponse),
        Fault("an absurd length", ok + "Content-Length: 9000000000000000000\r\n\r\nhello", .badResponse),
        Fault("an overflowing length", ok + "Content-Length: 99999999999999999999\r\n\r\nhello", .badResponse),
        Fault("no HTTP", "SSH-2.0-OpenSSH\r\n", .badResponse),
        Fault("a status line without an end", "HTTP/1.1 200 " + String(repeating: "a", count: 150_000), .badResponse),
        Fault("a line without an end", ok + "X: " + String(repeating: "a", count: 150_000) + "\r\n\r\n", .badResponse),
        Fault(
            "a head without an end",
            ok + String(repeating: "X: " + String(repeating: "a", count: 50_000) + "\r\n", count: 8),
            .badResponse
        ),
        Fault("a head of too many lines", ok + String(repeating: "a: b\r\n", count: 6_000) + "\r\n", .badResponse),
        Fault(
            "a head of too many lines, one of which is folded",
            ok + String(repeating: "a: b\r\n", count: 6_000) + " c\r\n\r\n",
            .badResponse
        ),
        Fault(
            "too many lines in interim answers",
            String(repeating: "HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n", count: 2_000) + ok + "\r\n",
            .badResponse
        ),
        Fault(
            "another protocol",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\nhello",
            .badResponse
        ),
        Fault("no answer", "", .connectionLost),
        Fault("half a head", ok + "Content-Le", .connectionLost),
        Fault("a head that ends behind its length", ok + "Content-Length: 5\r\n", .connectionLost),
        Fault(
            "a coding in a line of its own",
            ok + "Transfer-Encoding:\r\n chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .badResponse
        ),
        Fault("a length with a blank before its colon", ok + "Content-Length : 50\r\n\r\nhello", .badResponse),
        Fault(
            "chunks with a blank before their colon",
            ok + "Transfer-Encoding : chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .badResponse
        ),
        Fault("only an interim answer", "HTTP/1.1 103 Early Hints\r\n\r\n", .connectionLost),
        Fault("a body that is too short", ok + "Content-Length: 50\r\n\r\nhello", .truncated),
        Fault("no last chunk", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", .truncated),
        Fault("half a chunk", ok + "Transfer-Encoding: chunked\r\n\r\n50\r\nhello", .truncated),
        Fault(
            "a length of a chunk in words",
            ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
            .badResponse
        ),
        Fault(
            "a chunk longer than it says",
            ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n",
            .badResponse
        ),
        Fault(
            "a length of a chunk with a prefix",
            ok + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
            .badResponse
        ),
        Fault("a head that begins folded", ok + " X: a\r\nContent-Length: 5\r\n\r\nhello", .badResponse),
        Fault("a bad encoding", ok + "Content-Encoding: gzip\r\n\r\nhello hello hello", .badResponse),
    ]

    @Test(arguments: [
        ("http://127.0.0.1:9/a", CurlTransport.Configuration.IPVersion.v6, "-6"), ("http://[::1]:9/a", .v4, "-4"),
    ])
    func anAddressOfTheOtherKindSaysWhichOptionToLeaveOut(
        url: String,
        version: CurlTransport.Configuration.IPVersion,
        option: String
    ) async {
        var configuration = CurlTransport.Configuration()
        configuration.ipVersion = version
        await withClient(configuration) { client in
            let message = await client.fetch(url).error?.message ?? "no error"
            #expect(message.hasSuffix("only: leave out \(option)"), "\(message)")
        }
    }

    @Test(arguments: faults) func faultsAreNamed(fault: Fault) async {
        let server = ScriptedServer(["/a": fault.answer])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.code == fault.code, "\(fetched.error?.message ?? "success")")
            #expect(fetched.error?.message.isEmpty == false)
            #expect(fetched.news.count == fetched.heads.count + 1)
            #expect(await client.fetch(server.url("/a")).code == fault.code, "and again")
        }
        server.stop()
    }

    @Test func aLongHeadIsReadAndOneThatIsTooLongSaysSo() async {
        let fields = { (count: Int) in String(repeating: "a: b\r\n", count: count) }
        let server = ScriptedServer([
            "/long": Answers.ok("hello", fields(4_000)), "/folded": Answers.ok("hello", fields(2_000) + " c\r\n"),
            "/longer": Answers.ok("hello", fields(5_000)),
        ])
        await withClient { client in
            #expect(await client.fetch(server.url("/long")).text == "hello")
            #expect(await client.fetch(server.url("/folded")).text == "hello")
            let longer = await client.fetch(server.url("/longer"))
            #expect(longer.error?.message.contains("more than 5000 lines") == true)
        }
        server.stop()
    }

    @Test func oneLengthSaidTwiceIsFine() async {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5 , 5\r\n\r\n"
        let server = ScriptedServer(["/a": [.text(head + "hello")]])
        await withClient { client in #expect(await client.fetch(server.url("/a")).text == "hello") }
        server.stop()
    }

    @Test(arguments: ["6", "-5"]) func lengthsThatDisagreeAreBadOverHTTP2Too(second: String) async {
        let world = TrustWorld()
        var behaviour = TLSServer.Behaviour()
        (behaviour.offersHTTP2, behaviour.secondLength) = (true, second)
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        var request = TransferRequest(url: server.url("/"))
        request.trust = TrustBook(entries: [], fallback: policy)
        let checked = request
        await withClient(TrustWorld.configuration) { client in
            let fetched = await client.fetch(checked)
            #expect(fetched.code == .badResponse, "\(fetched.error?.message ?? "success")")
        }
        #expect(server.connections.allSatisfy { $0.isHTTP2 })
    }

    @Test func aShortBodySaysHowMuchCame() async {
        let server = ScriptedServer(["/a": Answers.raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.error?.message.contains("5 of 50 bytes") == true)
            #expect(fetched.text == "hello")
            #expect(fetched.sent == 5)
        }
        server.stop()
    }

    /// Though the answer has the rest alone.
    @Test(arguments: [("206 Partial", "45 of 90 bytes"), ("200 OK", "5 of 50 bytes")])
    func aShortRestSaysHowMuchOfTheWholeCame(status: String, share: String) async {
        let server = ScriptedServer(["/a": Answers.raw("HTTP/1.1 \(status)\r\nContent-Length: 50\r\n\r\nhello")])
        var request = TransferRequest(url: server.url("/a"))
        request.resumesAt = 40
        let resuming = request
        await withClient { client in
            let fetched = await client.fetch(resuming)
            #expect(fetched.code == .truncated && fetched.error?.message.hasSuffix("after \(share)") == true)
            #expect(fetched.sent == 5)
        }
        server.stop()
    }

    @Test func nobodyListeningIsCannotConnect() async {
        let server = ScriptedServer(["/a": Answers.ok("")])
        let url = server.url("/a")
        server.stop()
        await withClient { client in
            let fetched = await client.fetch(url)
            #expect(fetched.code == .cannotConnect)
            #expect(fetched.heads.isEmpty)
            #expect(fetched.news == ["ended"])
        }
    }

    /// What a proxy answers for itself says nothing of what stands at the origin.
    @Test(arguments: ["404 Not Found", "410 Gone"])
    func aProxyThatMakesNoTunnelIsNoFailureForGood(line: String) async throws {
        let proxy = ScriptedServer(["other.localhost:1": Answers.status(line)])
        var configuration = CurlTransport.Configuration()
        let named = "http://127.0.0.1:\(proxy.port)"
        configuration.proxies = try ProxyRules(named: named, environment: { _ in nil })
        await withClient(configuration) { client in
            let error = await client.fetch("https://other.localhost:1/").error
            #expect(error?.code == .badStatus && error?.status == Int(line.prefix(3)))
            #expect(error?.isPermanent == false)
        }
        proxy.stop()
    }

    @Test func aProxyWithoutAnAddressIsTheHostThatHasNone() async throws {
        // Longer than any name of DNS, so that no resolver is asked.
        let name = [63, 63, 63, 62].map { String(repeating: "a", count: $0) }.joined(separator: ".")
        var configuration = CurlTransport.Configuration()
        configuration.proxies = try ProxyRules(named: "http://\(name):3128", environment: { _ in nil })
        await withClient(configuration) { client in
            let fetched = await client.fetch("http://other.localhost:1/")
            #expect(fetched.code == .hostNotFound && fetched.unresolvedHost == name)
        }
    }

    /// Which of the two it was nobody can say.
    @Test func aProxyThatHangsUpIsNamedBesideTheHost() async throws {
        let proxy = ScriptedServer(["other.localhost:1": Answers.raw(""), "http://other.localhost:1/": Answers.raw("")])
        defer { proxy.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxies = try ProxyRules(named: "http://127.0.0.1:\(proxy.port)", environment: { _ in nil })
        await withClient(configuration) { client in
            for scheme in ["http", "https"] {
                let error = await client.fetch("\(scheme)://other.localhost:1/").error
                let names = "other.localhost, by way of the proxy 127.0.0.1:\(proxy.port),"
                #expect(error?.code == .connectionLost && error?.message.contains(names) == true, "\(error as Any)")
            }
        }
    }

    /// That it is the proxy is only known where a tunnel was asked for.
    @Test func whatIsNoHTTPFromAProxyNamesIt() async throws {
        let garbage = Answers.raw("SSH-2.0-OpenSSH\r\n")
        let proxy = ScriptedServer(["other.localhost:1": garbage, "http://other.localhost:1/": garbage])
        defer { proxy.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxies = try ProxyRules(named: "http://127.0.0.1:\(proxy.port)", environment: { _ in nil })
        await withClient(configuration) { client in
            for scheme in ["http", "https"] {
                let error = await client.fetch("\(scheme)://other.localhost:1/").error
                #expect(error?.code == .badResponse, "\(error as Any)")
                #expect(error?.message.contains("the proxy 127.0.0.1:\(proxy.port)") == true, "\(error as Any)")
            }
        }
    }

    @Test func aSilentProxyIsNamedBesideTheHost() async throws {
        let proxy = ScriptedServer(["http://other.localhost:1/": [.awaitClose]])
        defer { proxy.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxies = try ProxyRules(named: "http://127.0.0.1:\(proxy.port)", environment: { _ in nil })
        await withClient(configuration) { client in
            await client.change { $0.timeout = .milliseconds(100) }
            let error = await client.fetch("http://other.localhost:1/").error
            let names = "other.localhost, by way of the proxy 127.0.0.1:\(proxy.port), sent no byte"
            #expect(error?.code == .timedOut && error?.message.hasPrefix(names) == true, "\(error as Any)")
        }
    }

    @Test(arguments: ["http://", "nonsense", "http://127.0.0.1:99999999/", "ftp://127.0.0.1/"])
    func badURLsEndToo(url: String) async {
        await withClient { client in
            let fetched = await client.fetch(url)
            #expect(fetched.error != nil)
            #expect(fetched.news == ["ended"])
        }
    }

    @Test func anAnswerThatNeverComesTimesOut() async {
        let server = ScriptedServer(["/a": [.awaitClose]])
        await withClient { client in
            await client.change { $0.timeout = .milliseconds(100) }
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.code == .timedOut)
            #expect(fetched.timings.total >= .milliseconds(100), "the silence is part of it")
        }
        #expect(server.waitForClose())
        server.stop()
    }

    /// The limit on silence is much longer, and has a sentence of its own.
    @Test func aHandshakeThatIsNotAnsweredTimesOutAsTheConnectionDoes() async {
        let world = TrustWorld()
        let server = ScriptedServer([String: [ScriptedServer.Step]]())
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        var request = TransferRequest(url: "https://127.0.0.1:\(server.port)/")
        request.trust = TrustBook(entries: [], fallback: policy)
        let checked = request
        await withClient { client in
            await client.change { $0.connectTimeout = .milliseconds(300) }
            let fetched = await client.fetch(checked)
            #expect(fetched.code == .timedOut && fetched.error?.message.contains("raise connectTimeout") == true)
            #expect(fetched.timings.total < TransportLimits().timeout)
        }
        server.stop()
    }

    @Test func aBodyThatStopsTimesOut() async {
        let server = ScriptedServer(["/a": [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .awaitClose]])
        await withClient { client in
            await client.change { $0.timeout = .milliseconds(100) }
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.code == .timedOut && fetched.timings.total >= .milliseconds(100))
        }
        #expect(server.waitForClose())
        server.stop()
    }

    /// curl keeps each of them, and none is of the body.
    @Test func trailersWithoutAnEndAreGivenUp() async {
        let body = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
        let lines = String(repeating: "X-1: a\r\n", count: 6_000)
        let server = ScriptedServer(["/a": [.text(body), .text(lines), .awaitClose]])
        await withClient { client in
            #expect(await client.fetch(server.url("/a")).code == .badResponse)
        }
        #expect(server.waitForClose())
        server.stop()
    }

    @Test func whoIsPausedIsNotSilent() async {
        let server = ScriptedServer([
            "/paused": [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .awaitClose],
            "/silent": [.awaitClose],
        ])
        await withClient { client in
            async let paused = client.fetch(server.url("/paused"), .pauseForever)
            await client.until { $0.pauses > 0 }
            await client.change { $0.timeout = .milliseconds(50) }
            for _ in 0..<3 { #expect(await client.fetch(server.url("/silent")).code == .timedOut) }
            await client.abortAll()
            #expect(await paused.code == .cancelled)
            #expect(await paused.pauses == 1)
        }
        server.stop()
    }

    @Test func theSinksErrorIsTheOutcome() async {
        let server = ScriptedServer(["/a": Answers.ok("hello")])
        let refusal = DownloadError(.tooLarge, "too large")
        await withClient { client in
            let head = await client.fetch(server.url("/a"), .refuseHead(refusal))
            #expect(head.error == refusal)
            #expect(head.news == ["ended"], "a head that was refused is no news")
            let body = await client.fetch(server.url("/a"), .refuseBody(refusal))
            #expect(body.error == refusal)
            #expect(body.news == ["response", "ended"])
            #expect(await client.fetch(server.url("/a")).text == "hello")
        }
        server.stop()
    }

    @Test(arguments: [true, false]) func anAbortClosesTheConnectionAtOnce(isAtHead: Bool) async {
        let server = ScriptedServer(["/a": [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .awaitClose]])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"), isAtHead ? .abortAtHead : .abortAtBody)
            #expect(fetched.error == .cancelled)
            #expect(fetched.news.last == "ended")
        }
        #expect(server.waitForClose())
        server.stop()
    }
}
