import SluiceCore
import SluiceCurl
import SluiceTestTLS
import Testing

/// Answers whose status line claims another version than the connection has.
@Suite(.timeLimit(.minutes(5)))
struct VersionTests {
    /// Over plain HTTP/1.1 one connection has one answer at a time, whatever a server calls it.
    @Test func whatClaimsHTTP2OnAPlainConnectionGoesToWhoAskedForIt() async {
        let paths = (0..<24).map { "/\($0)" }
        let first = [ScriptedServer.Step.text(Self.answer("/first"))]
        var answers = Dictionary(
            uniqueKeysWithValues: paths.map { path in
                // Many are asked for before the first of them is answered.
                (path, [ScriptedServer.Step.awaitGate, .text(Self.answer(path))])
            }
        )
        answers["/first"] = first
        let server = ScriptedServer(answers)
        await withClient { client in
            let alone = await client.fetch(server.url("/first"))
            #expect(alone.text == "/first" && alone.heads.first?.httpVersion == "1.1")
            await withTaskGroup { group in
                for path in paths { group.addTask { (path, await client.fetch(server.url(path))) } }
                for _ in paths { server.open() }
                for await (path, fetched) in group { #expect(fetched.text == path, "\(path)") }
            }
        }
        server.stop()
    }

    /// Before the head ends, and where the answer is still to come: until then curl would send others behind it.
    @Test(arguments: [
        "HTTP/2 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/2 200 OK\r\nX-Slow: ",
        "HTTP/2 103 Early Hints\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/2 200 OK\r\n",
    ])
    func overTLSAVersionThatWasNotAgreedOnIsRefusedAtOnce(record: String) async throws {
        let world = TrustWorld()
        var behaviour = TLSServer.Behaviour()
        behaviour.records["/a"] = [record]
        let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        defer { server.stop() }
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        var request = TransferRequest(url: server.url("/a"))
        request.trust = TrustBook(entries: [], fallback: policy)
        await withClient(TrustWorld.configuration) { client in
            let fetched = await client.fetch(request)
            #expect(fetched.code == .badResponse && fetched.text.isEmpty)
            #expect(fetched.error?.message.contains("HTTP/2, which was not agreed on") == true, "\(fetched)")
        }
    }

    private static func answer(_ body: String) -> String {
        "HTTP/2 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
