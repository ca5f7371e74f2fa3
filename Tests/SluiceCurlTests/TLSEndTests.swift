import SluiceCore
import SluiceCurl
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// Secure connections that end before their time: anybody on the way can cut one.
@Suite(.timeLimit(.minutes(5)))
struct TLSEndTests {
    private let world = TrustWorld()

    private func server(_ records: [String], closes: Bool) -> TLSServer {
        var behaviour = TLSServer.Behaviour()
        behaviour.records["/a"] = records
        behaviour.closes["/a"] = closes
        return TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
    }

    private func fetch(_ server: TLSServer) async throws -> Fetched {
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        var request = TransferRequest(url: server.url("/a"))
        request.trust = TrustBook(entries: [], fallback: policy)
        var fetched: Fetched?
        await withClient(TrustWorld.configuration) { client in fetched = await client.fetch(request) }
        return try #require(fetched)
    }

    @Test("a body of unknown length is whole where TLS was closed behind it", arguments: [true, false])
    func aBodyOfUnknownLengthEndsWithAFarewell(closes: Bool) async throws {
        let server = server(["HTTP/1.1 200 OK\r\n\r\n", "hello"], closes: closes)
        defer { server.stop() }
        let fetched = try await fetch(server)
        #expect(fetched.text == "hello")
        #expect(fetched.code == (closes ? nil : .truncated), "\(fetched.error?.message ?? "")")
        if !closes { #expect(fetched.error?.message.contains("broke the secure connection off after 5 bytes") == true) }
    }

    @Test(
        "where a length or a last chunk tells the end, nobody needs a farewell",
        arguments: [
            "Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        ]
    )
    func whatTellsItsEndIsWhole(rest: String) async throws {
        let server = server(["HTTP/1.1 200 OK\r\n" + rest], closes: false)
        defer { server.stop() }
        let fetched = try await fetch(server)
        #expect(fetched.text == "hello" && fetched.error == nil)
    }

    @Test("a range tells the end too", arguments: [("5-9/10", true), ("5-10/20", false), ("5-9/*", true)])
    func aRangeThatIsWholeNeedsNoFarewell(range: String, isWhole: Bool) async throws {
        let server = server(
            ["HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(range)\r\n\r\nhello"],
            closes: false
        )
        defer { server.stop() }
        let fetched = try await fetch(server)
        #expect(fetched.text == "hello" && fetched.code == (isWhole ? nil : .truncated))
        if !isWhole { #expect(fetched.error?.message.hasSuffix("ended the body after 5 of 6 bytes") == true) }
    }

    @Test(arguments: [true, false]) func noAnswerIsALostConnection(closes: Bool) async throws {
        let server = server([], closes: closes)
        defer { server.stop() }
        let fetched = try await fetch(server)
        #expect(fetched.code == .connectionLost)
        #expect(fetched.error?.message.contains("closed the connection without an answer") == true)
    }

    @Test("a handshake that the network ends is no refusal, and worth another try")
    func aHandshakeThatBreaksOffIsALostConnection() async throws {
        var behaviour = TLSServer.Behaviour()
        behaviour.brokenHandshakes = 1
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }
        let first = try await fetch(server)
        #expect(first.code == .connectionLost)
        #expect(first.error?.message.hasSuffix("was lost while it was being secured") == true)
        #expect(try await fetch(server).text == "hello")
    }
}
