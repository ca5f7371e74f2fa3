import SluiceCore
import SluiceTestTLS
import Testing

@testable import SluiceCurl

/// Pausing, limits, and progress.
@Suite(.timeLimit(.minutes(5)))
struct FlowTests {
    private let body = String(repeating: "0123456789abcdef", count: 65_536)

    @Test func aRefusedChunkComesAgainWhole() async {
        let server = ScriptedServer(["/a": Answers.ok(body)])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"), .pauseEveryChunk)
            #expect(fetched.text == body)
            #expect(fetched.pauses >= 64)
            #expect(fetched.received.last == body.utf8.count)
            #expect(fetched.received == fetched.received.sorted())
            #expect(fetched.error == nil)
        }
        server.stop()
    }

    @Test func anEncodedBodyMayBePausedToo() async {
        let packed = Answers.gzip(Array(body.utf8.prefix(60_000)))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
        let server = ScriptedServer(["/a": [.text(head), .send(packed)]])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"), .pauseEveryChunk)
            #expect(fetched.body == Array(body.utf8.prefix(60_000)))
            #expect(fetched.pauses > 0)
        }
        server.stop()
    }

    @Test func anAbortEndsAPausedTransfer() async {
        let server = ScriptedServer(["/a": Answers.ok(body), "/b": Answers.ok("b")])
        await withClient { client in
            async let paused = client.fetch(server.url("/a"), .pauseForever)
            await client.until { $0.pauses > 0 }
            _ = await client.fetch(server.url("/b"))
            await client.abortAll()
            #expect(await paused.error == .cancelled)
        }
        server.stop()
    }

    /// Three bodies of one connection: of A, of B, and of C.
    private struct SharedConnection {
        let server: TLSServer
        let requests: [TransferRequest]

        init(resetAfter count: Int? = nil) {
            let world = TrustWorld()
            var behaviour = TLSServer.Behaviour()
            let paths = ["/a", "/b", "/c"]
            behaviour.offersHTTP2 = true
            behaviour.bodies = [paths[0]: (65, 3_000_000), paths[1]: (66, 500_000), paths[2]: (67, 3_000_000)]
            if let count { behaviour.resets[paths[0]] = count }
            let server = TLSServer([world.leaf(["localhost"]), world.intermediate], behaviour)
            var policy = TrustPolicy()
            policy.authorities = world.authorities
            let trust = TrustBook(entries: [], fallback: policy)
            self.server = server
            requests = paths.map { path in
                var request = TransferRequest(url: server.url(path + "~~~~~~~~"))
                request.trust = trust
                return request
            }
        }
    }

    /// What came for B and for C is all of it, and nothing else.
    private func expectItsOwn(_ next: Fetched, _ other: Fetched) {
        #expect(next.error == nil)
        #expect(next.body.count == 500_000)
        #expect(next.body.allSatisfy { $0 == 66 })
        #expect(other.body == [UInt8](repeating: 67, count: 3_000_000))
    }

    /// The rest of a stream that ended while it stood still is nobody else's.
    @Test(arguments: [1, 5, 20]) func whatFollowsAPausedAbortOverHTTP2IsItsOwn(chunk: Int) async {
        let shared = SharedConnection()
        let (server, requests) = (shared.server, shared.requests)
        defer { server.stop() }
        await withClient(TrustWorld.configuration) { client in
            // The connection is there before three want it.
            #expect(await client.fetch(requests[1]).body.count == 500_000)
            async let aborted = client.fetch(requests[0], .pauseThenAbort(chunk: chunk))
            async let other = client.fetch(requests[2], .pauseEveryChunk)
            #expect(await aborted.error == .cancelled)
            expectItsOwn(await client.fetch(requests[1], .pauseEveryChunk), await other)
        }
        #expect(server.connections.count == 1)
        #expect(server.connections.allSatisfy { $0.isHTTP2 })
    }

    /// As the rest of one that the server reset meanwhile, whose end curl tells by itself.
    @Test(arguments: [60_000, 200_000]) func whatFollowsAPausedStreamThatWasResetIsItsOwn(count: Int) async {
        let shared = SharedConnection(resetAfter: count)
        let (server, requests) = (shared.server, shared.requests)
        defer { server.stop() }
        await withClient(TrustWorld.configuration) { client in
            #expect(await client.fetch(requests[1]).body.count == 500_000)
            async let reset = client.fetch(requests[0], .pauseForever)
            async let other = client.fetch(requests[2], .pauseEveryChunk)
            #expect(await reset.error != nil)
            expectItsOwn(await client.fetch(requests[1], .pauseEveryChunk), await other)
        }
        #expect(server.connections.count == 1)
    }

    /// Else curl reads on for those that stand still as long as one does not, and keeps it.
    @Test func limitedTransfersShareNoConnection() async {
        let shared = SharedConnection()
        let (server, requests) = (shared.server, shared.requests)
        defer { server.stop() }
        await withClient(TrustWorld.configuration) { client in
            #expect(await client.fetch(requests[1]).body.count == 500_000)
            await client.change { $0.rate = 4_000_000 }
            async let one = client.fetch(requests[0])
            async let other = client.fetch(requests[2])
            #expect(await one.body == [UInt8](repeating: 65, count: 3_000_000))
            #expect(await other.body == [UInt8](repeating: 67, count: 3_000_000))
            #expect(server.connections.count == 2)
            await client.change { $0 = TransportLimits() }
            async let third = client.fetch(requests[0], .pauseEveryChunk)
            async let fourth = client.fetch(requests[2], .pauseEveryChunk)
            #expect(await third.body.count + fourth.body.count == 6_000_000)
        }
        #expect(server.connections.count == 2, "without a limit they share what is there")
    }

    @Test func limitedTransfersArriveWhole() async {
        let server = ScriptedServer(["/a": Answers.ok(String(body.prefix(60_000)))])
        await withClient { client in
            await client.change { $0.rate = 1_000_000 }
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { await client.fetch(server.url("/a")) } }
                for await fetched in group {
                    #expect(fetched.body.count == 60_000)
                    #expect(fetched.error == nil)
                }
            }
        }
        server.stop()
    }

    @Test func liftingTheLimitLetsStoppedTransfersGoOn() async {
        let server = ScriptedServer(["/a": Answers.ok(body), "/silent": [.awaitClose]])
        await withClient { client in
            await client.change { $0.rate = 1 }
            async let fetched = client.fetch(server.url("/a"))
            await client.until { !$0.body.isEmpty }
            await client.change { $0.timeout = .milliseconds(50) }
            #expect(await client.fetch(server.url("/silent")).code == .timedOut, "and the one that is stopped did not")
            await client.change { $0 = TransportLimits() }
            #expect(await fetched.text == body)
            #expect(await fetched.error == nil)
        }
        server.stop()
    }

    /// One that began without a limit has a large buffer, which came whole before it stopped.
    @Test func aLimitStopsARunningTransferAfterOnePiece() async {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let server = ScriptedServer(["/a": [.text(head + "0"), .awaitGate, .text(String(body.dropFirst()))]])
        await withClient { client in
            async let fetched = client.fetch(server.url("/a"))
            await client.until { !$0.body.isEmpty }
            await client.change { $0.rate = 1 }
            server.open()
            await client.until { $0.body.count > 1 }
            #expect(await client.progress().allSatisfy { $0 <= 1 + 16_384 }, "what curl gives out at once")
            await client.change { $0 = TransportLimits() }
            #expect(await fetched.text == body)
        }
        server.stop()
    }

    @Test func aLimitAppliesToRunningTransfersAndPausesAddUp() async {
        let server = ScriptedServer(["/a": Answers.ok(body)])
        await withClient { client in
            await client.change { $0.rate = 50_000_000 }
            let fetched = await client.fetch(server.url("/a"), .pauseEveryChunk)
            #expect(fetched.text == body)
        }
        server.stop()
    }

    /// So much that no buffer on the way takes a part of it.
    private static let part = 8_388_608

    private func upload(to server: ScriptedServer) -> DrivenTransfer {
        var request = TransferRequest(url: server.url("/a"))
        (request.method, request.body) = ("POST", [UInt8](repeating: 0, count: 3 * Self.part))
        return DrivenTransfer(request, timeout: .seconds(60))
    }

    @Test func aBodyThatGoesOutSlowlyIsNoSilence() {
        let taking: [ScriptedServer.Step] = [
            .read(Self.part), .awaitGate, .read(Self.part), .awaitGate, .read(Self.part),
        ]
        let server = ScriptedServer(["/a": taking + Answers.ok("thanks")])
        let transfer = upload(to: server)
        for count in 1...2 {
            while server.received < count * Self.part, transfer.result == nil { transfer.turn() }
            transfer.turn(after: .seconds(40))
            server.open()
        }
        while transfer.result == nil { transfer.turn() }
        #expect(transfer.error == nil && transfer.sink.fetched.text == "thanks")
        server.stop()
    }

    @Test func aBodyThatNobodyTakesAnyMoreIs() {
        let server = ScriptedServer(["/a": [.read(Self.part), .awaitGate]])
        let transfer = upload(to: server)
        while server.received < Self.part, transfer.result == nil { transfer.turn() }
        #expect(transfer.result == nil)
        // Some of it still goes into buffers, a piece a turn: there are far fewer pieces than turns.
        for _ in 0..<1_000 where transfer.result == nil { transfer.turn(after: .seconds(4)) }
        #expect(transfer.error?.code == .timedOut)
        server.stop()
    }

    /// It may answer before all was asked, and need not read what it has no use for.
    @Test(arguments: ["Content-Length: 5\r\n\r\nhello", "Content-Length: 0\r\n\r\n"])
    func aWholeAnswerIsOneThoughTheRestOfTheRequestIsRefused(answer: String) {
        let text = ScriptedServer.Step.text("HTTP/1.1 200 OK\r\n" + answer)
        let server = ScriptedServer(["/a": [.read(1), text, .awaitGate, .close]])
        let transfer = upload(to: server)
        let body = answer.hasSuffix("hello") ? "hello" : ""
        while transfer.result == nil, transfer.sink.fetched.heads.isEmpty || transfer.sink.fetched.text != body {
            transfer.turn()
        }
        server.open()
        while transfer.result == nil { transfer.turn() }
        #expect(transfer.error == nil, "\(transfer.error?.message ?? "")")
        #expect(transfer.sink.fetched.text == body)
        server.stop()
    }

    /// What a server did not send while nobody could have read it is no silence.
    @Test func aComputerThatSleptBlamesNoServer() {
        let server = ScriptedServer(["/a": [.awaitClose]])
        let transfer = DrivenTransfer(TransferRequest(url: server.url("/a")), timeout: .seconds(60))
        while server.requests.isEmpty, transfer.result == nil { transfer.turn() }
        transfer.turn(after: .seconds(3_600))
        transfer.turn(after: .seconds(55))
        #expect(transfer.result == nil)
        transfer.turn(after: .seconds(5))
        #expect(transfer.error?.code == .timedOut)
        server.stop()
    }

    /// As where a slow reader of events makes the program wait.
    @Test func whoWasHeldUpBlamesNoServer() {
        let server = ScriptedServer(["/a": [.awaitClose]])
        let transfer = DrivenTransfer(TransferRequest(url: server.url("/a")), timeout: .seconds(60))
        while server.requests.isEmpty, transfer.result == nil { transfer.turn() }
        transfer.holdUp(for: .seconds(62))
        transfer.turn()
        transfer.turn(after: .seconds(59))
        #expect(transfer.result == nil)
        transfer.turn(after: .seconds(1))
        #expect(transfer.error?.code == .timedOut)
        server.stop()
    }

    /// One whose lines come piece by piece, and one whose line does not end.
    @Test(arguments: [true, false]) func piecesOfALineAreNoSilenceButNotForEver(hasEnd: Bool) {
        let server = ScriptedServer([
            "/a": [
                .text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a"), .mark, .awaitGate, .text("b\r\n\r\nhello"),
                .mark,
            ]
        ])
        let transfer = DrivenTransfer(TransferRequest(url: server.url("/a")), timeout: .seconds(60))
        while server.requests.isEmpty { transfer.turn() }
        #expect(server.waitForMark())
        transfer.turn()
        for _ in 0..<CurlTransfer.mostPartialLines {
            transfer.turn(after: .seconds(61))
            #expect(transfer.result == nil)
        }
        if hasEnd {
            server.open()
            #expect(server.waitForMark())
            while transfer.result == nil { transfer.turn() }
            #expect(transfer.sink.fetched.text == "hello")
        } else {
            transfer.turn(after: .seconds(61))
            #expect(transfer.error?.code == .timedOut)
            #expect(transfer.error?.message.contains("the head of its answer too slowly") == true)
        }
        server.stop()
    }

    @Test func aBodyOfWhichEnoughCameEndsSoon() {
        let start = ScriptedServer.Step.text("HTTP/1.1 404 Not Found\r\nContent-Length: 1000000\r\n\r\nhello")
        let server = ScriptedServer(["/a": [start, .awaitClose]])
        let transfer = DrivenTransfer(TransferRequest(url: server.url("/a")), timeout: .seconds(60), .suffice)
        while transfer.sink.fetched.text != "hello", transfer.result == nil { transfer.turn() }
        #expect(transfer.result == nil)
        transfer.turn(after: CurlTransfer.droppedTime)
        #expect(transfer.result != nil && transfer.error == nil)
        #expect(server.waitForClose())
        server.stop()
    }

    @Test func theRestOfABodyOfWhichEnoughCameIsReadAsFarAsThatIsWorthAConnection() async {
        let server = ScriptedServer([
            "/short": [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), .awaitGate, .text("world")],
            "/long": [.text("HTTP/1.1 200 OK\r\n\r\nhello"), .awaitGate, .text(body), .text(body), .awaitClose],
        ])
        await withClient { client in
            for path in ["/short", "/short", "/long"] {
                async let fetched = client.fetch(server.url(path), .suffice)
                await client.until { $0.text == "hello" }
                server.open()
                let came = await fetched
                #expect(came.error == nil)
                #expect(path == "/short" ? came.text == "helloworld" : came.sent < body.utf8.count)
            }
        }
        #expect(server.accepted == 1)
        server.stop()
    }

    @Test func aTransportThatGoesClosesWhatIsUnderWay() {
        let server = ScriptedServer(["/a": [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .awaitClose]])
        // A loop without its thread: the test drives the transport itself.
        let loop = TransferLoop()
        do {
            let transport = CurlTransport(poller: loop.poller)
            let sink = TestSink(.collect)
            var time = Timestamp(nanoseconds: 0)
            var ready: [SocketEvent] = []
            transport.start(TransferID(1), TransferRequest(url: server.url("/a")), into: sink, now: time)
            while server.requests.isEmpty {
                time = transport.deadline ?? time
                loop.poller.wait(.until(time), now: time, into: &ready)
                transport.socketsReady(ready, now: time)
                while transport.nextNews(now: time) != nil {}
            }
        }
        #expect(server.waitForClose())
        server.stop()
    }
}
