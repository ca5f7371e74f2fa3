import SluiceCore
import SluiceOrigin
import SluicePictures
import SluicePipeline
import SluiceTestSupport
import Testing

/// What the HTTP cache answers beside images that are in memory.
extension HTTPCachePipelineTests {
    /// The image in memory may be of an answer that nobody stored, beside which an older one lies.
    @Test(arguments: ["no-store", "max-age=0"]) func aFileIsNoOlderThanTheImageInMemory(newer: String) throws {
        let versions = [Picture.png(width: 30, height: 20), Picture.png(width: 20, height: 10)]
        origin.route("/a.png") { _, number in
            var answer = OriginResponse(body: .bytes(versions[min(number, 2) - 1]))
            answer.headers += [
                HeaderField("Content-Type", "image/png"),
                HeaderField("Cache-Control", number == 1 ? "max-age=0" : newer),
            ]
            return answer
        }
        let harness = try harness()
        ask(harness, origin.url("/a.png"), RequestOptions(saves: false))
        ask(harness, origin.url("/a.png"), RequestOptions(policy: .reload, saves: false))
        ask(harness, origin.url("/a.png"), .standard)
        let events = try harness.finish()
        #expect(harness.directory.contents(of: "a.png") == versions[1])
        #expect(events.submissions.map(\.outcome) == [.started, .started, newer == "no-store" ? .started : .cached])
    }
}
