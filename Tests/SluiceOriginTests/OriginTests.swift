import SluiceCore
import SluiceOrigin
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OriginTests {
    @Test func oneConnectionServesManyRequests() throws {
        let origin = try Origin()
        origin.route("/a", .text("first"))
        origin.route("/b") { request, nth in .text("\(request.method) \(request.target) \(nth)") }
        let client = try RawClient(origin)

        #expect(try client.get("/a").body == Array("first".utf8))
        #expect(try client.get("/b?x=1").body == Array("GET /b?x=1 1".utf8))
        #expect(try client.get("/b").body == Array("GET /b 2".utf8))
        #expect(try client.get("/none").status == 404)

        #expect(origin.log.paths == ["/a", "/b", "/b", "/none"])
        #expect(origin.log.hits("/b") == 2)
        #expect(origin.log.connections == 1)
    }

    @Test func requestsSentTogetherAreAnsweredInOrder() throws {
        let origin = try Origin()
        origin.setFallback { request, _ in .text(request.path) }
        let client = try RawClient(origin)

        client.send(
            "GET /1 HTTP/1.1\r\nHost: t\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /3 HTTP/1.1\r\n\r\n"
        )

        #expect(
            try ["/1", "/2", "/3"]
                == (0..<3).map { _ in String(decoding: try #require(client.receive()).body, as: UTF8.self) }
        )
    }

    @Test func requestBodiesAndFieldsReachTheScript() throws {
        let origin = try Origin()
        origin.route("/echo") { request, _ in
            .text("\(request.header("X-NAME") ?? "") \(String(decoding: request.body, as: UTF8.self))")
        }
        let client = try RawClient(origin)

        client.send("POST /echo HTTP/1.1\r\nx-name:  value \r\nContent-Length: 4\r\n\r\nbody")

        #expect(try #require(client.receive()).body == Array("value body".utf8))
    }

    @Test func headRequestsGetTheHeadOnly() throws {
        let origin = try Origin()
        origin.route("/a", .text("hello"))
        let client = try RawClient(origin)

        client.send("HEAD", "/a")
        let head = try #require(client.receive(hasBody: false))

        #expect(head.field("content-length") == "5")
        #expect(try client.get("/a").body == Array("hello".utf8), "nothing of a body came in between")
    }

    @Test func interimHeadsComeFirst() throws {
        let origin = try Origin()
        var response = OriginResponse.text("done")
        response.interim = [OriginResponse.Interim(status: 103, headers: [HeaderField("Link", "</x>")])]
        origin.route("/a", response)
        let client = try RawClient(origin)

        let early = try client.get("/a")

        #expect(early.status == 103)
        #expect(early.field("link") == "</x>")
        #expect(try #require(client.receive()).body == Array("done".utf8))
    }

    @Test func heldRequestsAnswerWhenReleased() throws {
        let origin = try Origin()
        origin.setFallback { request, _ in .text(request.path) }
        origin.hold()
        let clients = try (0..<3).map { _ in try RawClient(origin) }

        for (index, client) in clients.enumerated() { client.send("GET", "/\(index)") }
        #expect(origin.waitUntil { $0.held == 3 })
        #expect(origin.log.active == 3)
        #expect(origin.log.answered == 0)
        origin.release()

        for client in clients { #expect(try #require(client.receive()).status == 200) }
        #expect(origin.waitUntil { $0.answered == 3 && $0.held == 0 })
        #expect(origin.log.active == 0)
        #expect(origin.log.peakActive == 3)
    }

    @Test func oneHeldPathDoesNotHoldOthers() throws {
        let origin = try Origin()
        origin.setFallback { request, _ in .text(request.path) }
        origin.hold("/slow")
        let (slow, quick) = (try RawClient(origin), try RawClient(origin))

        slow.send("GET", "/slow")
        #expect(origin.waitUntil { $0.held == 1 })
        #expect(try quick.get("/quick").status == 200)
        origin.release("/slow")

        #expect(try #require(slow.receive()).body == Array("/slow".utf8))
    }

    @Test func aRequestIsNoLongerActiveWhenItsAnswerIsComplete() throws {
        let origin = try Origin()
        origin.setFallback { _, _ in OriginResponse(body: .pattern(count: 5000)) }
        let clients = try (0..<2).map { _ in try RawClient(origin) }

        for round in 0..<200 { _ = try clients[round % 2].get("/") }

        #expect(origin.log.peakActive == 1)
    }

    @Test func waitingForWhatNeverHappensEnds() throws {
        let origin = try Origin()
        #expect(!origin.waitUntil({ $0.connections == 1 }, atMost: .milliseconds(5)))
    }

    @Test func closingEndsEveryConnectionWhateverItWaitsFor() throws {
        let origin = try Origin()
        var delayed = OriginResponse.text("never")
        delayed.delay = .seconds(3600)
        var slow = OriginResponse(body: .pattern(count: 1000))
        slow.bytesPerSecond = 1
        var silent = OriginResponse()
        silent.fault = .silence
        for (path, response) in [("/delayed", delayed), ("/slow", slow), ("/silent", silent)] {
            origin.route(path, response)
        }
        origin.route("/unread", OriginResponse(body: .pattern(count: 1 << 30)))
        origin.hold("/held")
        let paths = ["/delayed", "/slow", "/silent", "/unread", "/held"]
        let clients = try paths.map { path in
            let client = try RawClient(origin)
            client.send("GET", path)
            return client
        }
        #expect(origin.waitUntil { $0.active == paths.count })

        origin.close()

        #expect(origin.log.openConnections == 0)
        #expect(origin.log.active == 0)
        #expect(origin.log.closes.isEmpty, "the origin closed, not the clients")
        withExtendedLifetime(clients) {}
    }

    @Test func twoOriginsCannotShareAPort() throws {
        let origin = try Origin()
        #expect(throws: OriginError.self) { try Origin(port: origin.port) }
    }
}
