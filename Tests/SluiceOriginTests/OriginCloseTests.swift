import SluiceOrigin
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OriginCloseTests {
    enum Wait: CaseIterable {
        case delay
        case gate
        case dribble
        case silence
        case stall
        case unreadBody
    }

    @Test(arguments: Wait.allCases) func aClientThatClosesIsNoticedDuring(_ wait: Wait) throws {
        let origin = try Origin()
        var response = OriginResponse(body: .pattern(count: 1 << 30))
        switch wait {
        case .delay: response.delay = .seconds(3600)
        case .gate: origin.hold()
        case .dribble: response.bytesPerSecond = 100
        case .silence: response.fault = .silence
        case .stall: response.fault = .stall(after: 7)
        case .unreadBody: break
        }
        origin.route("/a", response)
        let client = try RawClient(origin)
        client.send("GET", "/a")
        #expect(origin.waitUntil { $0.active == 1 })
        if wait == .stall { _ = client.receiveHead().map { _ in client.take(7) } }

        client.close()

        #expect(origin.waitUntil { !$0.closes("/a").isEmpty && $0.openConnections == 0 })
        let close = try #require(origin.log.closes.first)
        #expect(close.at >= origin.log.requests[0].at)
        #expect(origin.log.active == 0)
        #expect(origin.log.answered == 0)
        if wait == .stall { #expect(close.sent == 7) }
    }

    @Test func aClientThatClosesAfterItsAnswerIsNotReported() throws {
        let origin = try Origin()
        origin.route("/a", .text("all"))
        let client = try RawClient(origin)
        _ = try client.get("/a")

        client.close()

        #expect(origin.waitUntil { $0.connections == 1 && $0.openConnections == 0 })
        #expect(origin.log.closes.isEmpty)
    }
}
