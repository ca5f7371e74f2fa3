import SluiceCore
import SluiceOrigin
import Testing

/// A newer body that may not be stored, where an older one is.
extension HTTPCachePipelineTests {
    private static func answer(_ text: String, _ control: String) -> OriginResponse {
        var answer = OriginResponse.text(text)
        answer.headers += [HeaderField("Cache-Control", control), HeaderField("ETag", "\"\(text)\"")]
        return answer
    }

    /// The older one would answer with what the user knows to be replaced.
    @Test(arguments: [CachePolicy.reload, .revalidate, .refresh])
    func aNewerBodyThatMayNotBeStoredTakesTheOlderAway(policy: CachePolicy) throws {
        origin.route("/a.txt") { _, number in
            number == 1 ? Self.answer("old", "max-age=600") : Self.answer("newer", "no-store")
        }
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a.txt"))
        ask(harness, origin.url("/a.txt"), RequestOptions(policy: policy))
        #expect(harness.wait { !$0.httpCache(.evicted).isEmpty })
        ask(harness, origin.url("/a.txt"))
        let events = try harness.finish()
        #expect(events.httpCache(.evicted).map(\.why) == [.outdated])
        #expect(origin.log.hits("/a.txt") == 3)
        #expect(events.taskEnds.last?.bytes == 5)
    }
}
