import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
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

    /// It says that the body holds: that answers whoever asked, and nobody later.
    @Test func whatMayNotBeStoredAnyMoreGoesOnceItHasAnswered() throws {
        origin.route("/a.txt") { request, _ in
            guard request.header("if-none-match") != nil else { return Self.answer("old", "max-age=600") }
            var answer = OriginResponse(304)
            answer.headers = [HeaderField("ETag", "\"old\""), HeaderField("Cache-Control", "no-store, max-age=0")]
            return answer
        }
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a.txt"))
        ask(harness, origin.url("/a.txt"), RequestOptions(policy: .revalidate))
        #expect(harness.wait { !$0.httpCache(.evicted).isEmpty })
        ask(harness, origin.url("/a.txt"))
        let events = try harness.finish()
        #expect(events.httpCache(.evicted).map(\.why) == [.noStoreNow])
        #expect(events.taskEnds.map(\.source) == [.network, .revalidated, .network])
        #expect(events.taskEnds.map(\.bytes) == [3, 3, 3])
    }

    /// Nor does it stay where whoever asked has left before the body was there.
    @Test func whatMayNotBeStoredAnyMoreGoesWithTheOneWhoAsked() throws {
        origin.route("/a.txt") { request, _ in
            guard request.header("if-none-match") != nil else { return Self.answer("old", "max-age=600") }
            let fields = [HeaderField("ETag", "\"old\""), HeaderField("Cache-Control", "no-store")]
            return OriginResponse(304, headers: fields)
        }
        let gate = HeldCopies.Gate()
        let harness = try PipelineHarness(saves: true, copying: gate, cache: cache.path + "/cache")
        ask(harness, origin.url("/a.txt"))
        let wishes = ["one", "two"].map { RequestOptions(policy: .revalidate, destination: $0) }
        harness.pipeline.send(.submit(wishes.map { DownloadRequest(origin.url("/a.txt"), options: $0) }))
        gate.waitUntilBegun(1)
        harness.pipeline.send(.steer(.abort, .task(TaskID(2))))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        gate.release(2)
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success, .cancelled])
        #expect(events.httpCache(.evicted).map(\.why) == [.noStoreNow])
    }

    /// One of two who want the same without the image, and one who wants it small: its body is read twice.
    @Test func anAnswerThatIsReadTwiceIsToldOnce() throws {
        let fields = [HeaderField("Content-Type", "image/png"), HeaderField("Cache-Control", "max-age=600")]
        origin.route("/a.png", OriginResponse(headers: fields, body: .bytes(Picture.png(width: 4, height: 3))))
        let harness = try harness(saves: true)
        ask(harness, origin.url("/a.png"), RequestOptions(destination: "first"))
        let url = origin.url("/a.png")
        let small = RequestOptions(saves: false, thumbnail: ThumbnailSize(width: 2, height: 2))
        let both = [RequestOptions(destination: "second"), small].map { DownloadRequest(url, options: $0) }
        harness.pipeline.send(.submit(both))
        #expect(harness.wait { $0.receiptEnds.count == 3 })
        let events = try harness.finish()
        #expect(events.responses.map(\.source) == [.network, .disk])
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success, .success])
    }
}
