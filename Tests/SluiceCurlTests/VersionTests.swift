import SluiceCore
import SluiceCurl
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

    private static func answer(_ body: String) -> String {
        "HTTP/2 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
