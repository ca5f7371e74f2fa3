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

    /// It needs no cache on disk: how long an answer is fresh says its head.
    @Test func whatIsFreshInMemoryIsKnownWithoutACacheOnDisk() throws {
        for (path, age) in [("/fresh.png", 100), ("/stale.png", 0)] {
            var answer = OriginResponse.bytes(Picture.png(width: 30, height: 20), type: "image/png")
            answer.headers.append(HeaderField("Cache-Control", "max-age=\(age)"))
            origin.route(path, answer)
        }
        let harness = try PipelineHarness { ($0.settings.memoryFreshOnly, $0.settings.decode) = (true, .always) }
        for path in ["/fresh.png", "/fresh.png", "/stale.png", "/stale.png"] { ask(harness, origin.url(path)) }
        let events = try harness.finish()
        #expect(events.submissions.map(\.source) == [nil, .memory, nil, nil])
    }

    /// Where only fresh images answer, a thumbnail is as fresh as the answer that it was made of.
    @Test func aThumbnailIsAsFreshAsItsAnswer() throws {
        let versions = [Picture.png(width: 30, height: 20), Picture.png(width: 20, height: 10)]
        origin.route("/a.png") { _, number in
            var answer = OriginResponse.bytes(versions[min(number, 2) - 1], type: "image/png")
            answer.headers += [HeaderField("Cache-Control", "max-age=\(number == 1 ? 100 : 200)")]
            return answer
        }
        let time = Locked(Int64(1_700_000_000_000))
        let harness = try harness(saves: false) {
            ($0.settings.memoryFreshOnly, $0.settings.decode) = (true, .always)
            $0.wallClock = { time.withLock { $0 } }
        }
        let small = RequestOptions(saves: false, thumbnail: ThumbnailSize(width: 8, height: 8))
        for _ in 1...2 { ask(harness, origin.url("/a.png"), small) }
        #expect(harness.events.submissions.map(\.source) == [nil, .memory], "without the whole one in memory")
        time.withLock { $0 += 150_000 }
        ask(harness, origin.url("/a.png"), RequestOptions(saves: false))
        ask(harness, origin.url("/a.png"), small)
        let events = try harness.finish()
        #expect(events.submissions.last?.source != .memory, "the one in memory is of the older body")
        #expect(origin.log.hits("/a.png") == 2)
    }
}
