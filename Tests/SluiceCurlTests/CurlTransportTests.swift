import SluiceCore
import SluiceCurl
import Testing

/// The real thread, and curl against a socket on loopback.
@Suite(.timeLimit(.minutes(1)))
struct CurlTransportTests {
    private let hello = ScriptedServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")

    @Test func bodiesArriveAndOneConnectionServesThemAll() async {
        let server = ScriptedServer(["/a": [hello]])
        await withClient { client in
            for round in 0..<20 {
                let fetched = await client.fetch(server.url("/a"))
                #expect(fetched.text == "hello")
                #expect(fetched.error == nil)
                #expect(fetched.heads.map(\.reused) == [round > 0])
                #expect(fetched.news == ["response", "ended"])
            }
        }
        #expect(server.accepted == 1)
        server.stop()
    }
}
