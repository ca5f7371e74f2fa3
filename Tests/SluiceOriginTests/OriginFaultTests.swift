import SluiceCore
import SluiceOrigin
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OriginFaultTests {
    private let hundred = OriginResponse(body: .pattern(count: 100))
    private let pattern = (0..<100).map { OriginPattern.byte(at: $0) }

    private func answer(_ response: OriginResponse) throws -> (RawClient, RawClient.Response?) {
        let origin = try Origin()
        origin.route("/a", response)
        let client = try RawClient(origin)
        client.send("GET", "/a")
        let answer = client.receive()
        return (client, answer)
    }

    @Test(arguments: [0, 1, 40, 99, 100]) func closingAfterSomeBytesTruncates(count: Int) throws {
        var response = hundred
        response.fault = .close(after: count)

        let (client, answer) = try answer(response)

        #expect(answer?.field("content-length") == "100")
        #expect(answer?.body == Array(pattern.prefix(count)))
        _ = client.take(1)
        #expect(client.end == .closed)
    }

    @Test(arguments: [0, 25, 33, 100]) func chunkedBodiesCanBeCutAnywhere(count: Int) throws {
        var response = hundred
        response.framing = .chunked(size: 30)
        response.fault = .close(after: count)

        let (client, answer) = try answer(response)

        #expect(answer?.body == Array(pattern.prefix(count)))
        #expect(client.end == .closed)
    }

    @Test func resettingIsSeenAsReset() throws {
        for fault in [OriginResponse.Fault.reset(after: 10), .resetUnanswered] {
            var response = hundred
            response.fault = fault
            let (client, _) = try answer(response)
            #expect(client.end == .reset)
        }
    }

    @Test func noAnswerIsAnEmptyConnection() throws {
        var response = hundred
        response.fault = .noAnswer

        let (client, answer) = try answer(response)

        #expect(answer == nil)
        #expect(client.end == .closed)
    }

    @Test func rawBytesReplaceHTTP() throws {
        var response = hundred
        response.fault = .raw(Array("SSH-2.0-sluice\r\n".utf8))

        let (client, _) = try answer(response)

        #expect(client.end == .closed)
        #expect(client.take(.max) == Array("SSH-2.0-sluice\r\n".utf8))
    }

    @Test(arguments: [["99"], ["100", "101"], ["-5"], ["1e3"], []]) func lengthsAreDeclaredAsScripted(
        lengths: [String]
    ) throws {
        let origin = try Origin()
        var response = hundred
        response.declaredLengths = lengths
        response.headers = [HeaderField("Connection", "close")]
        origin.route("/a", response)
        let client = try RawClient(origin)

        client.send("GET", "/a")
        let head = try #require(client.receiveHead())

        let sent = head.split(separator: "\r\n").filter { $0.hasPrefix("Content-Length") }
        #expect(sent.map(String.init) == lengths.map { "Content-Length: \($0)" })
        #expect(client.take(.max) == pattern)
    }

    @Test func extraBytesFollowTheBody() throws {
        var response = hundred
        response.extra = Array("surplus".utf8)
        response.headers = [HeaderField("Connection", "close")]

        let (client, answer) = try answer(response)

        #expect(answer?.body == pattern)
        #expect(client.take(.max) == Array("surplus".utf8))
    }
}
