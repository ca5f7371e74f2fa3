import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Requests that only what is stored may answer.
extension HTTPCachePipelineTests {
    @Test func cacheOnlyNeverAsksTheNetwork() throws {
        origin.route("/a.txt", .text("stored"))
        let options = RequestOptions(policy: .cacheOnly)
        let first = try harness()
        ask(first, origin.url("/a.txt"), options)
        ask(first, origin.url("/a.txt"))
        ask(first, origin.url("/a.txt"), options)
        let events = try first.finish()
        #expect(events.submissions.map(\.outcome) == [.rejected, .started, .cached])
        #expect(events.submissions[0].error?.code == .notCached)
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func cacheOnlySaysWhyWhatIsStoredDoesNotAnswer() throws {
        origin.route("/a.txt", .text("stored"))
        let first = try harness()
        ask(first, origin.url("/a.txt"))
        ask(first, origin.url("/a.txt"), RequestOptions(policy: .cacheOnly, method: "HEAD"))
        let part = RequestOptions(headers: [HeaderField("Range", "bytes=0-2")], policy: .cacheOnly)
        ask(first, origin.url("/a.txt"), part)
        let sum = String(repeating: "0", count: 64)
        ask(first, origin.url("/a.txt"), RequestOptions(policy: .cacheOnly, sha256: sum))
        let errors = try first.finish().submissions.dropFirst().map(\.error)
        #expect(errors.map(\.?.code) == [.notCached, .notCached, .notCached])
        let beginnings = [
            "what is stored answers only a GET", "what is stored answers no request with", "a checksum is",
        ]
        for (error, beginning) in zip(errors, beginnings) { #expect(error?.message.hasPrefix(beginning) == true) }
        #expect(origin.log.hits("/a.txt") == 1)
    }

    private static let onlyIfCached = HeaderField("Cache-Control", "only-if-cached")

    /// - SeeAlso: RFC 9111 §5.2.1.7
    @Test func onlyIfCachedNeverAsksTheNetworkEither() throws {
        origin.route("/a.txt", .text("stored"))
        let fields = [Self.onlyIfCached]
        let refused = [
            RequestOptions(headers: fields, policy: .reload),
            RequestOptions(headers: fields, sha256: String(repeating: "0", count: 64)),
            RequestOptions(headers: fields + [HeaderField("Range", "bytes=0-2")]),
            RequestOptions(headers: fields, method: "POST", body: []),
        ]
        let harness = try harness()
        ask(harness, origin.url("/a.txt"))
        for options in refused { ask(harness, origin.url("/a.txt"), options) }
        let errors = try harness.finish().submissions.dropFirst().map(\.error)
        #expect(errors.map(\.?.code) == [.notCached, .notCached, .notCached, .notCached])
        #expect(errors.allSatisfy { $0?.message.hasSuffix("only-if-cached forbids the network") == true })
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func onlyIfCachedForAllHostsHoldsWithoutACacheToo() throws {
        origin.route("/a.txt", .text("there"))
        let harness = try PipelineHarness { $0.hostRules.headers = [Self.onlyIfCached] }
        ask(harness, origin.url("/a.txt"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.error?.code) == [.notCached])
        #expect(origin.log.requests.isEmpty)
    }

    @Test(arguments: [false, true]) func onlyIfCachedIsNotRefreshedBehindItsAnswer(isInMemory: Bool) throws {
        let image = Picture.png(width: 30, height: 20)
        let answer = isInMemory ? OriginResponse.bytes(image, type: "image/png") : OriginResponse.text("stored")
        origin.route("/a", answer)
        let first = try harness(saves: false)
        ask(first, origin.url("/a"))
        try first.finish()
        let second = try harness(saves: false) { $0.hostRules.headers = [Self.onlyIfCached] }
        let options = RequestOptions(policy: .refresh)
        for _ in 1...(isInMemory ? 2 : 1) { ask(second, origin.url("/a"), options) }
        let events = try second.finish()
        #expect(events.submissions.map(\.source) == (isInMemory ? [.disk, .memory] : [.disk]))
        #expect(origin.log.hits("/a") == 1)
    }
}
