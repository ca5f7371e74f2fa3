import SluiceCore
import SluiceCurl
import Testing

/// Answers as they should be, over the real thread, and curl against a socket on loopback.
@Suite(.timeLimit(.minutes(5)))
struct CurlTransportTests {
    /// - SeeAlso: RFC 9112 §5.2
    @Test func aFoldedFieldIsOneField() async {
        let fields = [
            "Cache-Control: max-age=100,", " no-store", "Content-Type: text/plain;", "\t charset=utf-8", "X-One: 1", "",
        ].joined(separator: "\r\n")
        let server = ScriptedServer(["/a": Answers.ok("hello", fields), "/b": Answers.ok("again", "X-One: 1\r\n")])
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.wantsFields = true
            let head = await client.fetch(request).heads.first
            #expect(head?.fields.first { $0.isNamed("cache-control") }?.value == "max-age=100, no-store")
            #expect(head?.contentType == "text/plain; charset=utf-8" && head?.expected == 5)
            #expect(head?.fields.count { $0.isNamed("x-one") } == 1)
            request.url = server.url("/b")
            let next = await client.fetch(request)
            #expect(next.text == "again" && next.heads.first?.contentType == nil)
        }
        server.stop()
    }

    @Test func bodiesArriveAndOneConnectionServesThemAll() async {
        let server = ScriptedServer(["/a": Answers.ok("hello")])
        await withClient { client in
            for round in 0..<20 {
                let fetched = await client.fetch(server.url("/a"))
                #expect(fetched.text == "hello")
                #expect(fetched.error == nil)
                #expect(fetched.heads.map(\.reused) == [round > 0])
                #expect(fetched.news == ["response", "ended"])
                #expect((fetched.timings.connect == nil) == (round > 0))
                #expect(fetched.timings.firstByte != nil)
            }
        }
        #expect(server.accepted == 1)
        server.stop()
    }

    @Test func manyTransfersAtATimeAllArrive() async {
        let paths = (0..<200).map { "/\($0)" }
        let server = ScriptedServer(Dictionary(uniqueKeysWithValues: paths.map { ($0, Answers.ok("body of \($0)")) }))
        await withClient { client in
            await withTaskGroup { group in
                for path in paths { group.addTask { (path, await client.fetch(server.url(path))) } }
                for await (path, fetched) in group { #expect(fetched.text == "body of \(path)") }
            }
        }
        server.stop()
    }

    @Test func theHeadSaysWhatTheSinkNeeds() async throws {
        let fields = """
            Content-Type: image/png; x=y\r
            Content-Disposition: attachment; filename="cat.png"\r
            Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r
            X-Twice: 1\r
            X-Twice: 2\r

            """
        let server = ScriptedServer(["/a": Answers.ok("12345", fields)])
        try await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            let head = try #require(fetched.heads.first)
            #expect(head.status == 200)
            #expect(head.expected == 5)
            #expect(head.contentType == "image/png; x=y")
            #expect(head.contentDisposition == "attachment; filename=\"cat.png\"")
            #expect(head.lastModified == 784_111_777)
            #expect(!head.isEncoded && !head.isUnpacked)
            #expect(head.retryAfter == nil)
            #expect(head.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(head.httpVersion == "1.1")
            #expect(head.finalURL == server.url("/a"))
            #expect(head.redirects == 0)
            #expect(head.fields.filter { $0.name == "X-Twice" }.map(\.value) == ["1", "2"])
            #expect(fetched.received == [5])
            #expect(fetched.sent == 5)

            var request = TransferRequest(url: server.url("/a"))
            request.wantsFields = false
            #expect(await client.fetch(request).heads.first?.fields == [])
        }
        server.stop()
    }

    @Test(arguments: [("304 Not Modified", 304), ("404 Not Found", 404), ("503 Busy", 503), ("204 No Content", 204)])
    func everyStatusIsAnAnswer(line: String, status: Int) async {
        let body = status == 304 || status == 204 ? "" : "sorry"
        // Told of an answer that has no body, it is of one that does not come.
        let text = "HTTP/1.1 \(line)\r\nContent-Length: 5\r\nRetry-After: 7\r\n\r\n\(body)"
        let server = ScriptedServer(["/a": [.text(text)]])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.heads.map(\.status) == [status])
            #expect(fetched.heads.first?.retryAfter == (status >= 300 ? .seconds(7) : nil))
            #expect(fetched.heads.first?.expected == (body.isEmpty ? nil : 5))
            #expect(fetched.text == body)
            #expect(fetched.error == nil)
        }
        server.stop()
    }

    @Test func interimAnswersAreNotForTheSink() async {
        let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Type: a/b\r\n\r\n"
        let server = ScriptedServer(["/a": [.text(interim)] + Answers.ok("hello", "X-Last: 1\r\n")])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.heads.map(\.status) == [200])
            #expect(fetched.heads.first?.contentType == nil)
            #expect(fetched.text == "hello")
        }
        server.stop()
    }

    @Test func chunksArriveAndTrailersAreNoSecondHead() async {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
        let server = ScriptedServer(["/a": [.text(head + "5\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n")]])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.text == "hello!")
            #expect(fetched.heads.count == 1)
            #expect(fetched.heads.first?.expected == nil, "chunks have their own end")
        }
        server.stop()
    }

    /// curl waits for the end of the connection then, and asks nothing of the length.
    @Test("a transfer coding that is none leaves the length as it is", arguments: ["identity", "", ",", "Identity"])
    func aLengthBesideNoTransferCodingCounts(coding: String) async {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: \(coding)\r\n\r\n"
        let packed = Answers.gzip(Array("hello".utf8))
        let isEncoded = "Content-Encoding: gzip\r\nTransfer-Encoding: \(coding)\r\n"
        let server = ScriptedServer([
            "/open": [.text(head + "hello"), .awaitClose],
            "/more": [.text(head + "hel"), .text("lo and more"), .awaitClose],
            "/less": Answers.raw(head + "hell"),
            "/none": [
                .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\nContent-Length: 0\r\n\r\n"), .awaitClose,
            ],
            "/packed": [
                .text("HTTP/1.1 200 OK\r\nContent-Length: \(packed.count)\r\n\(isEncoded)\r\n"), .send(packed),
                .awaitClose,
            ],
            "/cut": [
                .text("HTTP/1.1 200 OK\r\nContent-Length: \(packed.count - 9)\r\n\(isEncoded)\r\n"),
                .send(Array(packed.dropLast(9))), .awaitClose,
            ],
        ])
        await withClient { client in
            for path in ["/open", "/more", "/packed", "/none"] {
                let fetched = await client.fetch(server.url(path))
                #expect(fetched.text == (path == "/none" ? "" : "hello"), "\(path)")
                #expect(fetched.error == nil, "\(path)")
            }
            for path in ["/less", "/cut"] {
                #expect(await client.fetch(server.url(path)).code == .truncated, "\(path)")
            }
        }
        server.stop()
    }

    @Test func aBodyMayEndWithItsConnection() async {
        let server = ScriptedServer(["/a": Answers.raw("HTTP/1.0 200 OK\r\n\r\nhello")])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.text == "hello")
            #expect(fetched.error == nil)
            #expect(fetched.heads.first?.httpVersion == "1.0")
        }
        server.stop()
    }

    @Test func bytesAfterTheLengthAreDropped() async {
        let server = ScriptedServer(["/a": Answers.ok("hello") + [.text("and more"), .awaitClose]])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.text == "hello")
            #expect(fetched.error == nil)
        }
        server.stop()
    }

    @Test(arguments: [false, true]) func whatComesEncodedIsDecoded(offers: Bool) async {
        let packed = Answers.gzip(Array("hello hello".utf8))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
        let server = ScriptedServer(["/a": [.text(head), .send(packed)]])
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.offersEncodings = offers
            let fetched = await client.fetch(request)
            #expect(fetched.text == "hello hello")
            #expect(fetched.heads.first?.isEncoded == true && fetched.heads.first?.isUnpacked == true)
            #expect(fetched.heads.first?.expected == packed.count)
            #expect(fetched.sent == packed.count)
        }
        let offer = server.requests[0].split(separator: "\r\n").filter { $0.lowercased().hasPrefix("accept-encoding") }
        #expect(offer == (offers ? ["Accept-Encoding: gzip, deflate, br, zstd"] : []))
        server.stop()
    }

    @Test(arguments: [nil, "br"]) func aRangeOfTheUsersIsAskedForPlain(own: String?) async {
        let server = ScriptedServer(["/a": Answers.ok("")])
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.offersEncodings = true
            request.headers = [HeaderField("range", "bytes=0-4")]
            if let own { request.headers.append(HeaderField("Accept-Encoding", own)) }
            #expect(await client.fetch(request).error == nil)
        }
        let offer = server.requests[0].split(separator: "\r\n").filter { $0.lowercased().hasPrefix("accept-encoding") }
        #expect(offer == ["Accept-Encoding: \(own ?? "identity")"])
        server.stop()
    }

    @Test func theUsersFieldsGoOutAsTheyAre() async {
        let server = ScriptedServer(["/a": Answers.ok("")])
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.headers = [
                HeaderField("User-Agent", "Sluice/1"), HeaderField("Accept-Encoding", "br"), HeaderField("X-Empty", ""),
                HeaderField("X-Evil", "1\r\nX-More: 2"),
            ]
            #expect(await client.fetch(request).error == nil)
            #expect(await client.fetch(server.url("/a")).error == nil)
        }
        let lines = server.requests[0].split(separator: "\r\n")
        #expect(lines[0] == "GET /a HTTP/1.1")
        for line in ["User-Agent: Sluice/1", "Accept: */*", "Accept-Encoding: br", "X-Empty:", "X-Evil: 1X-More: 2"] {
            #expect(lines.filter { $0.trimmed == line }.count == 1, "\(line)")
        }
        #expect(!server.requests[1].contains("X-E"), "a reused handle forgets the fields of the last one")
        server.stop()
    }

    @Test func cookiesAreKeptInMemoryUnlessNotWanted() async {
        for isOn in [true, false] {
            let server = ScriptedServer(["/a": Answers.ok("", "Set-Cookie: a=b; Path=/\r\n"), "/b": Answers.ok("")])
            var configuration = CurlTransport.Configuration()
            configuration.cookies = isOn
            await withClient(configuration) { client in
                let first = await client.fetch(server.url("/a"))
                #expect(first.heads.last?.setsCookie == isOn, "what is not taken is not set")
                _ = await client.fetch(server.url("/b"))
            }
            #expect(server.requests[1].contains("Cookie: a=b") == isOn)
            server.stop()
        }
    }

    @Test func everyMethodGoesOutWithItsBody() async {
        let server = ScriptedServer(["/a": Answers.ok("")])
        let table: [(method: String, body: String?)] = [
            ("POST", "a=1"), ("POST", nil), ("PUT", "x"), ("DELETE", nil), ("PATCH", "\u{0}b"), ("GET", "q"),
            ("OPTIONS", nil),
            ("POST", ""), ("HEAD", nil), ("GET", nil),
        ]
        await withClient { client in
            for (method, body) in table {
                var request = TransferRequest(url: server.url("/a"))
                (request.method, request.body) = (method, body.map { Array($0.utf8) })
                let answer: [ScriptedServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]
                server.add("/a", answer)
                #expect(await client.fetch(request).error == nil, "\(method)")
            }
        }
        for ((method, body), sent) in zip(table, server.requests) {
            // The script leaves bodies where they are: before the next request.
            #expect(sent.contains("\(method) /a HTTP/1.1\r\n"))
            #expect(!sent.contains("Expect"))
            let length = sent.split(separator: "\r\n").first { $0.hasPrefix("Content-Length") }
            let expected = body.map { $0.utf8.count } ?? (method == "POST" ? 0 : nil)
            #expect(length.map(String.init) == expected.map { "Content-Length: \($0)" }, "\(method)")
        }
        server.stop()
    }

    @Test func removedFieldsAreNotSent() async {
        let server = ScriptedServer(["/a": Answers.ok("")])
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.removedHeaders = ["accept", "user-agent"]
            #expect(await client.fetch(request).error == nil)
        }
        #expect(!server.requests[0].contains("Accept:") && !server.requests[0].contains("User-Agent"))
        server.stop()
    }
}

extension Substring {
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
