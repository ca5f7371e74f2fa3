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
}
