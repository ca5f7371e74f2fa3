import SluiceCore
import SluiceCurl
import SluiceTestTLS
import Testing

/// What a server says over HTTP/1 behind an answer is never taken for the next one.
@Suite(.timeLimit(.minutes(5)))
struct SurplusTests {
    private static let stray = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"

    @Test(arguments: [Answers.ok("hello"), [.text(chunked)], Answers.status("204 No Content")], [stray, "x"])
    func whatComesOnAnIdleConnectionIsNoAnswer(first: [ScriptedServer.Step], surplus: String) async {
        let server = ScriptedServer(["/1": first + [.awaitGate, .text(surplus), .mark], "/2": Answers.ok("good")])
        await withClient { client in
            #expect(await client.fetch(server.url("/1")).error == nil)
            server.open()
            #expect(server.waitForMark())

            let fetched = await client.fetch(server.url("/2"))

            #expect(fetched.text == "good")
            #expect(fetched.error == nil)
            #expect(fetched.heads.first?.reused == false)
            #expect(fetched.news == ["response", "ended"])
            #expect(await client.fetch(server.url("/2")).heads.first?.reused == true, "the new one is kept")
        }
        #expect(server.accepted == 2)
        #expect(server.requests.count == 3, "nothing was asked over the connection that had spoken")
        server.stop()
    }

    /// Read together with an answer that has no bytes of its own, or brings its own end, it is dropped by curl, which would
    /// go on with the connection.
    @Test(arguments: [
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), ("GET", chunked),
        ("GET", "HTTP/1.1 204 No Content\r\n\r\n"), ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        ("GET", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
    ])
    func whatIsReadWithAnAnswerSpoilsItsConnection(method: String, answer: String) async {
        let server = ScriptedServer(["/1": [.text(answer + "part1")], "/2": Answers.ok("good")])
        await withClient { client in
            var first = TransferRequest(url: server.url("/1"))
            first.method = method
            #expect(await client.fetch(first).error == nil)

            let fetched = await client.fetch(server.url("/2"))

            #expect(fetched.text == "good")
            #expect(fetched.heads.first?.reused == false)
        }
        #expect(server.accepted == 2)
        server.stop()
    }

    /// It goes on with the connection then, which takes a note of it away.
    @Test(arguments: [false, true]) func norIsItForgottenWhereTheBodyStoodStill(isPaced: Bool) async {
        let server = ScriptedServer(["/1": [.text(Self.chunked + "part1")], "/2": Answers.ok("good")])
        await withClient { client in
            if isPaced { await client.change { $0.rate = 1_000_000 } }
            let first = await client.fetch(server.url("/1"), isPaced ? .collect : .pauseEveryChunk)
            #expect(first.text == "hello")

            #expect(await client.fetch(server.url("/2")).heads.first?.reused == false)
        }
        #expect(server.accepted == 2)
        server.stop()
    }

    @Test func whatIsReadWithARedirectIsNotTheAnswerOfItsTarget() async {
        let redirect = "HTTP/1.1 302 Found\r\nLocation: /2\r\nContent-Length: 0\r\n\r\n"
        let server = ScriptedServer(["/1": [.text(redirect + Self.stray)], "/2": Answers.ok("good")])
        await withClient { client in
            let fetched = await client.fetch(server.url("/1"))
            #expect(fetched.text == "good")
            #expect(fetched.heads.first?.reused == false)
        }
        #expect(server.accepted == 2)
        server.stop()
    }

    /// It comes too late to be seen as the answer ends, and too early to be heard on an idle connection.
    @Test func whatIsLeftOfAnAnswerCostsARequestOverANewConnectionAndNotItsOutcome() async {
        let left = [ScriptedServer.Step.text("left of a page\n")]
        let server = ScriptedServer(["/1": [Answers.ok("one")], "/2": [left, Answers.ok("good")]])
        await withClient { client in
            #expect(await client.fetch(server.url("/1")).text == "one")

            let fetched = await client.fetch(server.url("/2"))

            #expect(fetched.error == nil)
            #expect(fetched.text == "good")
            #expect(fetched.heads.first?.reused == false)
            #expect(fetched.news == ["response", "ended"])
        }
        #expect(server.requests.count == 3)
        server.stop()
    }

    @Test func aRequestThatDoesSomethingIsNotSentTwiceForIt() async {
        let left = [ScriptedServer.Step.text("left of a page\n")]
        let server = ScriptedServer(["/1": [Answers.ok("one")], "/2": [left]])
        await withClient { client in
            #expect(await client.fetch(server.url("/1")).text == "one")
            var second = TransferRequest(url: server.url("/2"))
            (second.method, second.body) = ("POST", Array("a=1".utf8))
            #expect(await client.fetch(second).error?.code == .badResponse)
        }
        #expect(server.requests.count == 2)
        server.stop()
    }

    @Test func whatComesWithABodyBehindItsHeadIsNoAnswer() async {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        let answer: [ScriptedServer.Step] = [.text(head), .awaitGate, .text("hello" + Self.stray)]
        let server = ScriptedServer(["/1": answer, "/2": Answers.ok("good")])
        await withClient { client in
            async let first = client.fetch(server.url("/1"))
            await client.until { !$0.heads.isEmpty }
            server.open()
            #expect(await first.text == "hello")

            #expect(await client.fetch(server.url("/2")).text == "good")
        }
        server.stop()
    }

    @Test(arguments: ["http/1.0", "http/1.1"])
    func whatTLSHasDecryptedBehindABodyIsNoAnswer(version: String) async {
        let world = TrustWorld()
        var behaviour = TLSServer.Behaviour()
        let head = "\(version.uppercased()) 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\n"
        behaviour.records["/1"] = [head, "hello" + Self.stray]
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }
        await withClient(TrustWorld.configuration) { client in
            #expect(await client.fetch(request(server, "/1", world)).text == "hello")

            let fetched = await client.fetch(request(server, "/2", world))

            #expect(fetched.text == "hello")
            #expect(fetched.heads.first?.contentType == "text/plain", "the answer is that of /2")
            #expect(fetched.heads.first?.reused == false)
        }
        #expect(server.connections.map(\.requests) == [["GET /1 HTTP/1.1"], ["GET /2 HTTP/1.1"]])
    }

    @Test(arguments: [false, true]) func whatIsSaidWhileABodyPausesIsItsOwn(isPaced: Bool) async {
        let body = String(repeating: "a", count: 3_000_000)
        let server = ScriptedServer(["/1": Answers.ok(body), "/2": Answers.ok("good")])
        await withClient { client in
            if isPaced { await client.change { $0.rate = 10_000_000 } }
            #expect(await client.fetch(server.url("/1"), .pauseEveryChunk).text == body)

            #expect(await client.fetch(server.url("/2")).heads.first?.reused == true)
        }
        #expect(server.accepted == 1)
        server.stop()
    }

    private func request(_ server: TLSServer, _ path: String, _ world: TrustWorld) -> TransferRequest {
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        var request = TransferRequest(url: server.url(path))
        request.trust = TrustBook(entries: [], fallback: policy)
        return request
    }
}
