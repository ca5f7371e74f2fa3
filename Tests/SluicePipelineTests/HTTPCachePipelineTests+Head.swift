import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// What the answer to a HEAD says of the answers to GET that are stored.
extension HTTPCachePipelineTests {
    /// - SeeAlso: RFC 9111 §4.3.5
    @Test(arguments: [true, false]) func aHeadOfAnotherVersionDropsWhatIsStored(isOther: Bool) throws {
        origin.route("/a") { request, _ in
            Self.fresh(isOther && request.method == "HEAD" ? "new" : "old")
        }
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a"))
        ask(harness, origin.url("/a"), RequestOptions(method: "HEAD"))
        ask(harness, origin.url("/a"))
        let events = try harness.finish()
        #expect(events.httpCache(.evicted).map(\.why) == (isOther ? [.outdated] : []))
        #expect(origin.log.hits("/a") == (isOther ? 3 : 2))
    }

    /// - SeeAlso: RFC 9111 §4.3.5
    @Test func aHeadBehindARedirectSpeaksOfWhatAnswered() throws {
        origin.route("/a") { request, number in number == 1 ? Self.fresh("one") : .redirect(to: "/b") }
        origin.route("/b") { request, _ in Self.fresh(request.method == "HEAD" ? "new" : "two") }
        let harness = try harness(saves: false)
        for path in ["/a", "/b"] { ask(harness, origin.url(path)) }
        ask(harness, origin.url("/a"), RequestOptions(method: "HEAD"))
        let events = try harness.finish()
        #expect(events.httpCache(.evicted).map(\.key) == [origin.url("/b")])
    }

    /// Where a redirect leads to another origin, the answer is nobody's in particular.
    @Test func aHeadOfAnotherOriginSaysNothingOfAUsersAnswers() throws {
        let other = try Origin()
        origin.route("/a", Self.fresh("old"))
        other.route("/to-a", .redirect(to: origin.url("/a")))
        let harness = try harness(saves: false)
        let user = Credentials(user: "me", password: "secret")
        func ask(_ url: String, _ method: String) throws {
            let url = try #require(RequestURL(url).text(with: user))
            self.ask(harness, url, RequestOptions(method: method))
        }
        try ask(origin.url("/a"), "GET")
        origin.route("/a", Self.fresh("new"))
        try ask(other.url("/to-a"), "HEAD")
        let events = try harness.finish()
        #expect(events.httpCache(.stored).count == 1 && events.httpCache(.evicted).isEmpty)
    }

    /// - SeeAlso: RFC 9111 §5.2.1.5
    @Test func aHeadThatForbidsStoringMakesNothingFresh() throws {
        let time = Locked<Int64>(1_700_000_000_000)
        origin.route("/a", Self.fresh("old"))
        let harness = try harness(saves: false) { $0.wallClock = { time.withLock { $0 } } }
        ask(harness, origin.url("/a"))
        time.withLock { $0 += 200_000 }
        let noStore = [HeaderField("Cache-Control", "no-store")]
        ask(harness, origin.url("/a"), RequestOptions(headers: noStore, method: "HEAD"))
        ask(harness, origin.url("/a"))
        let events = try harness.finish()
        #expect(origin.log.hits("/a") == 3 && events.httpCache(.evicted).isEmpty)
    }
}
