import SluiceCore
import SluiceOrigin
import SluicePictures
import SluicePipeline
import SluiceTestSupport
import Testing

/// What the HTTP cache answers beside images that are in memory.
extension HTTPCachePipelineTests {
    /// Nothing is read of a file that is there already.
    @Test func whatIsAnsweredByTheFileThatIsThereIsTheSameImage() throws {
        origin.route("/a.png") { _, _ in
            var answer = OriginResponse.bytes(Picture.png(width: 30, height: 20), type: "image/png")
            answer.headers.append(HeaderField("Cache-Control", "max-age=100"))
            return answer
        }
        let harness = try harness { $0.settings.decode = .never }
        for _ in 1...3 { ask(harness, origin.url("/a.png")) }
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.network, .disk, .disk])
        let image = ImageInfo(format: .png, width: 30, height: 20)
        #expect(events.taskEnds.map(\.image) == [image, image, image])
        #expect(harness.directory.names == ["a.png"])
    }

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

    /// It was told as stored before the disk had it: the last word is that it is not.
    @Test func whatTheDiskDidNotTakeIsToldBeforeTheEnd() throws {
        origin.route("/a.txt") { _, _ in
            var answer = OriginResponse.text("fresh")
            answer.headers.append(HeaderField("Cache-Control", "max-age=100"))
            return answer
        }
        let harness = try harness(saves: false)
        FileTree.remove(cache.path + "/cache/bodies")
        harness.submit(origin.url("/a.txt"))
        let events = try harness.finish()
        let changes = events.compactMap { event in
            if case .httpCacheChanged(let change) = event.kind { change } else { nil }
        }
        #expect(changes.map(\.verb) == [.stored, .evicted])
        guard case .cannotWrite? = changes.last?.why else {
            Issue.record("\(changes)")
            return
        }
    }
}
