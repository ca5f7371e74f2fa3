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
}
