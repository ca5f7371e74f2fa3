import SluiceCore
import SluiceOrigin
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OriginBodyTests {
    @Test(arguments: [0, 1, 29, 30, 31, 1000, 200_000]) func everyFramingCarriesTheSameBytes(count: Int) throws {
        let origin = try Origin()
        let framings: [OriginResponse.Framing] = [.length, .chunked(size: 30), .chunked(), .untilClose]
        origin.route("/a") { _, nth in
            var response = OriginResponse(body: .pattern(count: count))
            response.framing = framings[nth - 1]
            return response
        }
        let client = try RawClient(origin)
        let expected = (0..<count).map { OriginPattern.byte(at: $0) }

        for framing in framings {
            #expect(try client.get("/a").body == expected, "\(framing)")
        }
        #expect(client.end == .closed, "the last answer ended with the connection")
    }

    @Test func slowBodiesArriveWhole() throws {
        let origin = try Origin()
        var response = OriginResponse(body: .pattern(count: 3000))
        response.bytesPerSecond = 100_000
        origin.route("/a", response)

        #expect(try RawClient(origin).get("/a").body == (0..<3000).map { OriginPattern.byte(at: $0) })
    }

    @Test func aGibibyteStreamsInSmallMemory() throws {
        let origin = try Origin()
        var response = OriginResponse(body: .pattern(count: 1 << 30))
        response.framing = .untilClose
        origin.route("/a", response)
        let client = try RawClient(origin)

        client.send("GET", "/a")
        _ = client.receiveHead()

        #expect(client.countToEnd(atMost: 2 << 30) == 1 << 30)
    }

    @Test(arguments: [
        ("bytes=0-9", 206, "bytes 0-9/1000", 0..<10), ("bytes=990-", 206, "bytes 990-999/1000", 990..<1000),
        ("bytes=-5", 206, "bytes 995-999/1000", 995..<1000), ("bytes=5-99999", 206, "bytes 5-999/1000", 5..<1000),
        ("bytes=1000-", 416, "bytes */1000", 0..<0), ("lines=1-2", 416, "bytes */1000", 0..<0),
    ])
    func rangesAreServed(wish: String, status: Int, contentRange: String, range: Range<Int>) throws {
        let origin = try Origin()
        origin.route("/a") { request, _ in .resource(.pattern(count: 1000), for: request) }

        let answer = try RawClient(origin).get("/a", ["Range: \(wish)"])

        #expect(answer.status == status)
        #expect(answer.field("content-range") == contentRange)
        #expect(answer.body == range.map { OriginPattern.byte(at: $0) })
    }

    @Test(arguments: [
        (["If-None-Match: \"v1\""], 304), (["If-None-Match: \"v0\", \"v1\""], 304), (["If-None-Match: \"v0\""], 200),
        (["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], 304), (["If-Modified-Since: never"], 200),
        (["Range: bytes=1-2", "If-Range: \"v1\""], 206), (["Range: bytes=1-2", "If-Range: \"v0\""], 200), ([], 200),
        (["Range: bytes=0-1,5-6"], 200),
    ])
    func conditionsDecideTheStatus(fields: [String], status: Int) throws {
        let origin = try Origin()
        origin.route("/a") { request, _ in
            .resource(
                .bytes([1, 2, 3]),
                for: request,
                etag: "\"v1\"",
                lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"
            )
        }

        let answer = try RawClient(origin).get("/a", fields)

        #expect(answer.status == status)
        #expect(answer.field("etag") == "\"v1\"")
    }
}
