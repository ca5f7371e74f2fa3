import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Answers that were asked for on two ways, or changed on the way, and come in another order than they were made.
extension HTTPCachePipelineTests {
    private static func fresh(_ body: OriginResponse.Body, vary: String? = nil) -> OriginResponse {
        var answer = OriginResponse(body: body)
        answer.headers.append(HeaderField("Cache-Control", "max-age=86400"))
        if let vary { answer.headers.append(HeaderField("Vary", vary)) }
        return answer
    }

    /// Two tasks, since their headers differ, though the answer does not vary by them.
    @Test func aSlowOldAnswerTakesNoNewOnesPlace() throws {
        origin.route("/a") { _, number in
            Self.fresh(number == 1 ? .zeros(count: 2_000_000) : .bytes(Array("new".utf8)))
        }
        let harness = try harness(saves: false) { $0.settings.limitRate = 20_000 }
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.responses.count == 1 })
        ask(harness, origin.url("/a"), RequestOptions(headers: [HeaderField("X-A", "1")]))
        try harness.set("limitRate", "0")
        #expect(harness.wait { $0.taskEnds.count == 2 })
        ask(harness, origin.url("/a"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.bytes) == [3, 2_000_000, 3])
        #expect(events.httpCache(.skipped).map(\.why) == [.newerStored])
        #expect(events.taskEnds.last?.source == .disk)
    }

    /// The head came last, of what was asked for and made first: it was held up on its way.
    @Test func anOldAnswerWhoseHeadIsLateTakesNoNewOnesPlace() throws {
        let time = Locked<Int64>(1_700_000_000_000)
        origin.route("/late", .redirect(to: "/a"))
        origin.route("/a") { _, number in
            var answer = Self.fresh(.bytes(Array("\(number)".utf8)))
            let made = number == 1 ? 1_700_000_020 : 1_700_000_010
            answer.headers.append(HeaderField("Date", HTTPDateText.text(made)))
            return answer
        }
        origin.hold("/late")
        let harness = try harness(saves: false) { $0.wallClock = { time.withLock { $0 } } }
        harness.submit(origin.url("/late"))
        #expect(origin.waitUntil { $0.held == 1 })
        time.withLock { $0 += 20_000 }
        ask(harness, origin.url("/a"))
        time.withLock { $0 += 20_000 }
        origin.release("/late")
        #expect(harness.wait { $0.taskEnds.count == 2 })
        ask(harness, origin.url("/a"), RequestOptions(policy: .cacheOnly))
        let events = try harness.finish()
        #expect(events.httpCache(.skipped).map(\.why) == [.newerStored])
        #expect(events.httpCache(.stored).count == 1 && events.taskEnds.map(\.source) == [.network, .network, .disk])
        #expect(origin.log.hits("/a") == 2)
    }

    /// What is stored where a redirect leads is not what the request was looked up for.
    @Test func anAnswerForAllTakesThePlaceOfVariantsBehindARedirectToo() throws {
        origin.route("/a") { _, number in
            Self.fresh(.bytes(Array("\(number)".utf8)), vary: number == 1 ? "X-A" : nil)
        }
        origin.route("/to-a", .redirect(to: "/a"))
        let harness = try harness(saves: false)
        for path in ["/a", "/to-a", "/a"] { ask(harness, origin.url(path)) }
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.network, .network, .disk])
        #expect(events.httpCache(.hit).count == 1)
        let stored = try self.harness(saves: false)
        ask(stored, origin.url("/a"), RequestOptions(headers: [HeaderField("X-A", "other")]))
        #expect(try stored.finish().taskEnds.map(\.source) == [.disk], "one answer is left, which fits all")
        #expect(origin.log.hits("/a") == 2)
    }

    /// - SeeAlso: RFC 9111 §4.4
    @Test func anImageThatAPostOvertookIsInNoMemory() throws {
        let image = Picture.png(width: 4, height: 3)
        origin.route("/a.png") { request, _ in
            request.method == "POST" ? .text("done") : OriginResponse.bytes(image, type: "image/png")
        }
        origin.route("/form", OriginResponse(201, headers: [HeaderField("Location", "/a.png")]))
        origin.hold("/a.png")
        let harness = try harness(saves: false) { $0.settings.decode = .always }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.changes(.started).count == 1 })
        ask(harness, origin.url("/form"), RequestOptions(method: "POST", body: []))
        origin.release("/a.png")
        #expect(harness.wait { $0.taskEnds.count == 2 })
        ask(harness, origin.url("/a.png"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.network, .network, .network])
        #expect(origin.log.hits("/a.png") == 2)
    }

    /// What the key leaves out is left out of what an answer names, too.
    @Test func aFilteredKeyIsFoundByWhatIsInvalidated() throws {
        origin.route("/a", Self.fresh(.bytes([1])))
        origin.route("/form", OriginResponse(201, headers: [HeaderField("Location", "/a?token=9")]))
        let harness = try harness(saves: false) { $0.settings.keyFilter = ["token"] }
        ask(harness, origin.url("/a?token=1"))
        ask(harness, origin.url("/form"), RequestOptions(method: "POST", body: []))
        ask(harness, origin.url("/a?token=2"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.network, .network, .network])
        #expect(events.httpCache(.evicted).map(\.why) == [.invalidated("POST")])
    }

    @Test func aFilteredKeyIsFoundBehindARedirect() throws {
        origin.route("/a", Self.fresh(.bytes([1])))
        origin.route("/to-a", .redirect(to: "/a?token=9"))
        let harness = try harness(saves: false) { $0.settings.keyFilter = ["token"] }
        ask(harness, origin.url("/to-a"))
        ask(harness, origin.url("/a?token=1"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.network, .disk])
    }

    /// What is removed without being told would make the sums of events wrong.
    @Test func anAnswerThatFitsAllReplacesItsVariantsAloud() throws {
        origin.route("/a.txt") { _, number in
            var answer = OriginResponse.text(number == 1 ? "one" : "two!")
            answer.headers.append(HeaderField("Cache-Control", "max-age=100"))
            if number == 1 { answer.headers.append(HeaderField("Vary", "X-A")) }
            return answer
        }
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a.txt"), RequestOptions(headers: [HeaderField("X-A", "1")]))
        ask(harness, origin.url("/a.txt"), RequestOptions(headers: [HeaderField("X-A", "1")], policy: .reload))
        let events = try harness.finish()
        #expect(events.httpCache(.stored).map(\.bytes) == [3, 4])
        #expect(events.httpCache(.evicted).map(\.bytes) == [3] && events.httpCache(.evicted).map(\.why) == [.outdated])
        #expect(events.httpCache(.stored).map(\.usage) == [3, 4] && events.httpCache(.evicted).map(\.usage) == [0])
    }
}
