import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Files that were saved before, copied for requests with places of their own.
extension DestinationTests {
    @Test func whoJoinsAnAnswerFromAnEarlierSaveGetsWhatItWants() throws {
        let harness = try harness { $0.settings.decode = .always }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        for destination in ["x.png", "y.png", nil] {
            harness.submit(origin.url("/a.png"), options: RequestOptions(destination: destination))
        }
        #expect(harness.wait { $0.submissions.count == 4 })
        gate.release(2)
        let events = try harness.finish()
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["a.png", "x.png", "y.png", "a.png"])
        #expect(harness.directory.names == ["a.png", "x.png", "y.png"])
        #expect(events.submissions.map(\.outcome) == [.started, .cached, .joined, .joined])
        #expect(origin.log.hits("/a.png") == 1)
    }

    /// Where that is stored; else nothing is left of it but that it was a success.
    @Test(arguments: [true, false]) func anEarlierSaveSaysWhatItsServerSaid(isStored: Bool) throws {
        origin.route("/kept.png") { [image] _, _ in
            var answer = OriginResponse.bytes(image, type: "image/png")
            answer.headers.append(HeaderField("Cache-Control", isStored ? "max-age=60" : "no-store"))
            return answer
        }
        let cache = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, namesDirectory: true, cache: cache.path + "/cache") {
            $0.settings.decode = .always
        }
        harness.submit(origin.url("/kept.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/kept.png"), options: RequestOptions(destination: "x.png"))
        let events = try harness.finish()
        let heads = events.compactMap { if case .taskResponse(_, let head, _) = $0.kind { head } else { nil } }
        #expect(events.taskEnds.map(\.source) == [.network, .disk] && heads.count == 2)
        #expect(heads.last?.contentType == (isStored ? "image/png" : nil))
        #expect(heads.last?.fields.contains { $0.isNamed("age") } == isStored)
        #expect(heads.last?.status == 200 && heads.last?.expected == image.count)
    }

    /// What is used is not the next to be purged, wherever the bytes of its file come from.
    @Test func anImageWhoseFileIsCopiedWasUsed() throws {
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(saves: true, copying: gate, keeping: snapshots) {
            $0.settings.decode = .always
        }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let before = try #require(snapshots.wait { $0.counts.succeeded == 1 }?.memory)
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "x.png"))
        gate.release()
        let after = try #require(snapshots.wait { $0.counts.succeeded == 2 }?.memory)
        #expect(after.hits == before.hits + 1 && after.misses == before.misses)
        try harness.finish()
    }

    @Test("what was saved elsewhere is copied under its usual name, for who names no place")
    func whoNamesNoPlaceGetsACopyOfAnEarlierSave() throws {
        let harness = try PipelineHarness(saves: true, namesDirectory: true, copying: gate) {
            $0.settings.decode = .always
        }
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "sub/x.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"))
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "sub/x.png"))
        #expect(harness.wait { $0.submissions.count == 3 })
        gate.release()
        let events = try harness.finish()
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["sub/x.png", "a.png", "sub/x.png"])
        #expect(events.submissions.map(\.outcome) == [.started, .cached, .joined])
        #expect(events.submissions[1].source == .disk)
        #expect(harness.directory.contents(of: "a.png") == image)
        #expect(origin.log.hits("/a.png") == 1)
    }

    /// In the same folder too: what one request called it is no name for others.
    @Test(arguments: ["max-age=100", "no-cache", "no-store"], [true, false])
    func whoNamesNoPlaceGetsTheUsualNameBesideAnother(control: String, decodes: Bool) throws {
        let image = image
        origin.route("/b.png") { request, _ in
            if request.headers.contains(where: { $0.isNamed("if-none-match") }) {
                var answer = OriginResponse(body: .bytes([]))
                answer.status = 304
                answer.headers.append(HeaderField("ETag", "\"1\""))
                return answer
            }
            var answer = OriginResponse(body: .bytes(image))
            answer.headers = [HeaderField("Cache-Control", control), HeaderField("ETag", "\"1\"")]
            return answer
        }
        let cache = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, namesDirectory: true, cache: cache.path + "/cache") {
            $0.settings.decode = decodes ? .always : .never
        }
        for (count, destination) in ["x.png", nil, nil, "x.png"].enumerated() {
            harness.submit(origin.url("/b.png"), options: RequestOptions(destination: destination))
            #expect(harness.wait { $0.submissions.count == count + 1 && $0.taskEnds.count >= min(count + 1, 2) })
        }
        let events = try harness.finish()
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files.prefix(2) == ["x.png", "b.png"])
        #expect(harness.directory.names == ["b.png", "x.png"])
        #expect(harness.directory.contents(of: "b.png") == image)
    }

    /// It may be the name that a request gave it, too.
    @Test(arguments: ["max-age=100", "no-store"]) func whatTheServerCallsAFileIsItsUsualName(control: String) throws {
        let image = image
        origin.route("/d") { _, _ in
            var answer = OriginResponse(body: .bytes(image))
            answer.headers = [
                HeaderField("Cache-Control", control),
                HeaderField("Content-Disposition", "attachment; filename=photo.png"),
            ]
            return answer
        }
        let cache = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, namesDirectory: true, cache: cache.path + "/cache") {
            $0.settings.decode = .always
        }
        harness.submit(origin.url("/d"), options: RequestOptions(destination: "photo.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/d"))
        #expect(harness.wait { $0.submissions.count == 2 })
        let events = try harness.finish()
        #expect(harness.directory.names == ["photo.png"])
        #expect(events.submissions.map(\.source) == [nil, .memory] && origin.log.hits("/d") == 1)
    }

    @Test("what may not ask the network does not, though an earlier file can't be copied")
    func aFailedCopyIsNotFetchedAgainstAPolicy() throws {
        let harness = try harness { $0.settings.decode = .always }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        // A file stands where the folder would be.
        let options = RequestOptions(policy: .cacheOnly, destination: "a.png/b.png")
        harness.submit(origin.url("/a.png"), options: options)
        #expect(harness.wait { $0.submissions.count == 2 })
        gate.release()
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .cached])
        #expect(events.taskEnds.last?.error?.code == .notCached)
        #expect(events.receiptEnds.map(\.outcome) == [.success, .failed])
        #expect(origin.log.hits("/a.png") == 1)
    }

    @Test("an answer from an earlier save asks the origin behind it, where that is wished for")
    func aRefreshAsksBehindACopy() throws {
        let harness = try harness { $0.settings.decode = .always }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"), options: RequestOptions(policy: .refresh, destination: "b.png"))
        #expect(harness.wait { $0.submissions.count == 2 })
        gate.release()
        #expect(harness.wait { $0.submissions.count == 3 })
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .cached, .started])
        #expect(origin.log.hits("/a.png") == 2)
        #expect(harness.directory.contents(of: "b.png") == image)
    }

    @Test func aThumbnailMayJoinACopyOfAnEarlierSave() throws {
        let harness = try harness { $0.settings.decode = .always }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "y.png"))
        gate.waitUntilBegun(1)
        let thumbnail = ThumbnailSize(width: 10, height: 10)
        harness.submit(origin.url("/a.png"), options: RequestOptions(thumbnail: thumbnail))
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "z.png"))
        #expect(harness.wait { $0.submissions.count == 4 })
        gate.release(2)
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .cached, .joined, .joined])
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success, .success, .success])
        #expect(harness.directory.names == ["a.png", "y.png", "z.png"] && origin.log.hits("/a.png") == 1)
        let added = events.compactMap { event -> String? in
            if case .cacheChanged(let change) = event.kind, change.verb == .added { change.key.id } else { nil }
        }
        #expect(added == ["", "thumb-10x10"])
    }

    /// Of the image only that size is in memory.
    @Test func aCopyOfAnEarlierSaveComesWithTheThumbnailThatIsThere() throws {
        let harness = try harness { $0.settings.decode = .always }
        let widths = Locked<[Int?]>([])
        for destination in [nil, "y.png"] {
            var request = DownloadRequest(origin.url("/a.png"))
            request.options = RequestOptions(
                destination: destination,
                thumbnail: ThumbnailSize(width: 10, height: 10)
            )
            harness.pipeline.submit(request) { outcome in widths.withLock { $0.append(outcome.image?.bitmap.width) } }
            gate.release()
            #expect(harness.wait { _ in widths.withLock { $0.count } == (destination == nil ? 1 : 2) })
        }
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .cached])
        #expect(widths.withLock { $0 } == [10, 10])
        #expect(harness.directory.names == ["a.png", "y.png"])
    }

    /// A file that Sluice knows where a destination was, for somebody who names none.
    @Test func whoJoinsAnEarlierSaveWithoutAPlaceGetsTheUsualName() throws {
        let harness = try PipelineHarness(saves: true, namesDirectory: true, copying: gate) {
            $0.settings.decode = .always
        }
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "sub/x.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        for destination in ["y.png", nil] {
            harness.submit(origin.url("/a.png"), options: RequestOptions(destination: destination))
        }
        #expect(harness.wait { $0.submissions.count == 3 })
        gate.release(2)
        let events = try harness.finish()
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["sub/x.png", "y.png", "a.png"])
    }
}
