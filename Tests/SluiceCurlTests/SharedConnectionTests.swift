import SluiceCore
import SluiceTestTLS
import Testing

@testable import SluiceCurl

/// What a connection of HTTP/2, or one that is kept, may do to the requests that go over it.
@Suite(.timeLimit(.minutes(5)))
struct SharedConnectionTests {
    /// curl asks once more by itself, over HTTP/1.1, and would put that answer behind what came.
    @Test(arguments: [20_000, 60_000]) func anAnswerThatBeginsAgainIsCutAndNotAddedTo(count: Int) async {
        let server = Self.server { behaviour in
            behaviour.bodies = ["/a": (65, 100_000)]
            (behaviour.resets["/a"], behaviour.resetCode) = (count, 13)
        }
        defer { server.stop() }
        await withClient(TrustWorld.configuration) { client in
            let fetched = await client.fetch(server.request("/a~~~~~~~~"))
            #expect(fetched.code == .truncated, "\(fetched.error?.message ?? "success")")
            #expect(fetched.body.count >= count)
            #expect(fetched.body.count < 100_000)
            #expect(fetched.body.allSatisfy { $0 == 65 })
            #expect(fetched.heads.count == 1)
        }
    }

    /// After a change of the network the system believes in a connection for long.
    @Test func whatIsDeadIsAskedNothingMore() async {
        let server = Self.server { $0.deaf = ["/deaf"] }
        defer { server.stop() }
        await withClient(TrustWorld.configuration) { client in
            #expect(await client.fetch(server.request("/")).text == "hello")
            await client.change { $0.timeout = .milliseconds(300) }
            #expect(await client.fetch(server.request("/deaf~~~~~~~~")).code == .timedOut)
            await client.change { $0.timeout = .seconds(60) }
            for _ in 0..<4 { #expect(await client.fetch(server.request("/")).text == "hello") }
        }
        #expect(server.connections.count == 2, "the new one serves all that follow")
    }

    /// One stream that stands still says nothing against the connection of others.
    @Test func whatServesOthersIsAskedOn() async {
        let server = Self.server { behaviour in
            behaviour.bodies = ["/a": (65, 1 << 40)]
            behaviour.mute = ["/mute"]
        }
        defer { server.stop() }
        await withClient(TrustWorld.configuration) { client in
            async let running = client.fetch(server.request("/a~~~~~~~~"), .discard)
            await client.until { !$0.heads.isEmpty }
            await client.change { $0.timeout = .seconds(4) }
            #expect(await client.fetch(server.request("/mute~~~~~~~~")).code == .timedOut)
            await client.change { $0.timeout = .seconds(60) }
            #expect(await client.fetch(server.request("/")).text == "hello")
            await client.abortAll()
            _ = await running
        }
        #expect(server.connections.count == 1)
    }

    /// Here nobody reads the rest of the request, which has no room to go out.
    @Test func anEarlyAnswerToAnUploadIsAnAnswer() async {
        let server = Self.server { _ in }
        defer { server.stop() }
        await withClient(TrustWorld.configuration) { client in
            var request = server.request("/")
            (request.method, request.body) = ("POST", [UInt8](repeating: 65, count: 300_000))
            let fetched = await client.fetch(request)
            #expect(fetched.error == nil)
            #expect(fetched.text == "hello")
            #expect(await client.fetch(server.request("/")).text == "hello", "and nothing is left of it")
        }
        #expect(server.connections.allSatisfy { $0.isHTTP2 })
    }

    /// curl counts over the life of a handle how often it sent again, and gives up the sixth time.
    @Test func manyThatAreSentAgainAreAllAnswered() async {
        let rounds = 16
        let answers = (0..<rounds).flatMap { _ in [Answers.ok("hello"), [.close]] }
        let server = ScriptedServer(["/a": answers])
        defer { server.stop() }
        await withClient { client in
            for round in 0..<rounds {
                let fetched = await client.fetch(server.url("/a"))
                #expect(fetched.text == "hello", "\(round): \(fetched.error?.message ?? "")")
            }
        }
    }

    private static func server(_ change: (inout TLSServer.Behaviour) -> Void) -> TrustedServer {
        let world = TrustWorld()
        var behaviour = TLSServer.Behaviour()
        behaviour.offersHTTP2 = true
        change(&behaviour)
        return TrustedServer(world, behaviour)
    }
}

/// A server of HTTP/2 whose requests trust it.
private struct TrustedServer {
    private let server: TLSServer
    private let trust: TrustBook

    init(_ world: TrustWorld, _ behaviour: TLSServer.Behaviour) {
        server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
        var policy = TrustPolicy()
        policy.authorities = world.authorities
        trust = TrustBook(entries: [], fallback: policy)
    }

    var connections: [TLSServer.Connection] { server.connections }

    func request(_ path: String) -> TransferRequest {
        var request = TransferRequest(url: server.url(path))
        request.trust = trust
        return request
    }

    func stop() { server.stop() }
}
