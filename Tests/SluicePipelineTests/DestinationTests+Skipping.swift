import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Names that are taken, where requests for those are skipped or overwrite what is there.
extension DestinationTests {
    private func write(_ text: String, _ name: String, _ harness: PipelineHarness) {
        #expect(FileTree.write(text, to: harness.directory.path + "/" + name))
    }

    @Test func whereTheFirstNameIsSkippedTheOthersAreMade() throws {
        let harness = try harness { $0.settings.onExists = .skip }
        write("mine", "x.png", harness)
        submit(harness, "x.png", "y.png", "z.png")
        gate.release(2)
        let events = try harness.finish()
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["y.png", "y.png", "z.png"])
        #expect(events.warnings == ["copy"] && origin.log.hits("/a.png") == 1)
        #expect(harness.directory.names == ["x.png", "y.png", "z.png"])
        #expect(harness.directory.contents(of: "x.png") == Array("mine".utf8))
        #expect(harness.directory.contents(of: "y.png") == image)
    }

    @Test func whereAllNamesAreTakenAllAreSkipped() throws {
        let harness = try harness { $0.settings.onExists = .skip }
        for name in ["x.png", "y.png"] { write("mine", name, harness) }
        submit(harness, "x.png", "y.png")
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.file) == [nil, nil] && events.warnings == ["skipped"])
        #expect(harness.directory.names == ["x.png", "y.png"])
    }

    @Test func oneBadPlaceAndOneThatIsSkippedAreTriedOnce() throws {
        let harness = try harness { $0.settings.onExists = .skip }
        for name in ["afile", "y.png"] { write("mine", name, harness) }
        submit(harness, "afile/x.png", "y.png")
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success])
        #expect(events.receiptEnds.map(\.file) == [nil, nil] && events.warnings == ["copy", "skipped"])
        #expect(origin.log.hits("/a.png") == 2 && harness.directory.names == ["afile", "y.png"])
    }

    @Test func oneBadPlaceAndOneThatIsSkippedAreTriedOnceForAnAnswer() throws {
        let cache = try TemporaryDirectory()
        let wishes = ["afile/x.png", "y.png"].map { RequestOptions(destination: $0) }
        let (events, _) = try answers(cache, .skip, wishes) {
            for name in ["afile", "y.png"] { write("mine", name, $0) }
        }
        #expect(events.receiptEnds.map(\.file) == [nil, nil] && events.warnings == ["copy", "skipped"])
        #expect(origin.log.hits("/fresh.png") == 1)
    }

    /// The bytes of the first are gone when the second comes.
    @Test func whoJoinsWhatIsSkippedGetsItsFileAllTheSame() throws {
        origin.route("/slow.bin") { _, number in
            var answer = OriginResponse(body: .pattern(count: 20_000))
            if number == 1 { answer.bytesPerSecond = 20_000 }
            return answer
        }
        let harness = try harness { $0.settings.onExists = .skip }
        write("mine", "x.bin", harness)
        harness.submit(origin.url("/slow.bin"), options: RequestOptions(destination: "x.bin"))
        let hasBegun = harness.wait { events in
            events.contains { if case .taskProgress(_, let received, _) = $0.kind { received > 600 } else { false } }
        }
        #expect(hasBegun)
        harness.submit(origin.url("/slow.bin"), options: RequestOptions(destination: "y.bin"))
        gate.release()
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success])
        #expect(events.receiptEnds.last?.file == harness.directory.path + "/y.bin")
        #expect(harness.directory.contents(of: "y.bin")?.count == 20_000)
        #expect(harness.directory.contents(of: "x.bin") == Array("mine".utf8))
    }

    /// Fills a cache, and asks for what is in it while the answers of the session wait for a setting.
    private func answers(
        _ cache: TemporaryDirectory,
        _ onExists: OnExists,
        _ requests: [RequestOptions],
        prepare: (PipelineHarness) -> Void
    ) throws -> ([PipelineEvent], PipelineHarness) {
        var fresh = OriginResponse.bytes(image, type: "image/png")
        fresh.headers.append(HeaderField("Cache-Control", "max-age=1000"))
        origin.route("/fresh.png", fresh)
        let first = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        first.submit(origin.url("/fresh.png"))
        try first.finish()
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache") {
            $0.settings.onExists = onExists
        }
        prepare(harness)
        // One command, so that all are there before the first has its answer.
        harness.pipeline.send(.submit(requests.map { DownloadRequest(origin.url("/fresh.png"), options: $0) }))
        return (try harness.finish(), harness)
    }

    @Test func anAnswerOfTheHTTPCacheIsMadeWhereTheNameIsFree() throws {
        let cache = try TemporaryDirectory()
        let wishes = ["x.png", "y.png"].map { RequestOptions(destination: $0) }
        let (events, harness) = try answers(cache, .skip, wishes) { write("mine", "x.png", $0) }
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["y.png", "y.png"] && harness.directory.names == ["x.png", "y.png"])
        #expect(events.submissions.map(\.outcome) == [.cached, .joined] && origin.log.hits("/fresh.png") == 1)
    }

    @Test func oneBadPlaceDoesNotFailTheOthersOfAnAnswer() throws {
        let cache = try TemporaryDirectory()
        let wishes = ["afile/x.png", "y.png"].map { RequestOptions(destination: $0) }
        let (events, harness) = try answers(cache, .rename, wishes) { write("a file", "afile", $0) }
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success] && events.warnings == ["copy"])
        #expect(harness.directory.contents(of: "y.png") == image && origin.log.hits("/fresh.png") == 1)
    }

    @Test func aThumbnailMayJoinAnAnswerOfTheHTTPCache() throws {
        let cache = try TemporaryDirectory()
        let size = ThumbnailSize(width: 10, height: 10)
        let wishes = [RequestOptions(), RequestOptions(saves: false, thumbnail: size)]
        let (events, harness) = try answers(cache, .rename, wishes) { _ in }
        #expect(events.submissions.map(\.outcome) == [.cached, .joined])
        let added = events.compactMap { event -> String? in
            if case .cacheChanged(let change) = event.kind, change.verb == .added { change.key.id } else { nil }
        }
        #expect(added.contains("thumb-10x10"))
        #expect(harness.directory.names == ["fresh.png"])
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

    @Test func nobodysPlaceIsOverwritten() throws {
        let harness = try harness { $0.settings.onExists = .overwrite }
        write("mine", "x.png", harness)
        submitHeld(harness, "x.png", "y.png")
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        origin.release()
        gate.release()
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success])
        #expect(harness.directory.contents(of: "x.png") == Array("mine".utf8))
        #expect(harness.directory.names == ["x.png", "y.png"] && harness.directory.contents(of: "y.png") == image)
    }

    /// What stood there is gone anyway: better the new one than none.
    @Test func aCopyThatOverwroteStaysThoughNobodyWantsItAnyMore() throws {
        let harness = try harness { $0.settings.onExists = .overwrite }
        write("mine", "y.png", harness)
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        harness.pipeline.send(.cancel(ReceiptID(2)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        gate.release()
        // Of another task, which begins when that copy is settled.
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "z.png"))
        gate.release()
        try harness.finish()
        #expect(harness.directory.contents(of: "y.png") == image)
    }

    @Test func whoeverEndsWhileCopiesAreMadeLeavesTheWholePartOnRecord() throws {
        let keeper = PartKeeper()
        let harness = try harness { ($0.state, $0.keepsQueue) = (keeper, true) }
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        harness.pipeline.send(.shutDown)
        #expect(harness.wait { if case .sessionEnded? = $0.last?.kind { true } else { false } })
        gate.release()
        try harness.shutDown()
        #expect(keeper.whole == ["x.png"])

        let other = try self.harness { ($0.state, $0.keepsQueue) = (keeper, true) }
        submit(other, "v.png", "w.png")
        gate.release()
        try other.finish()
        #expect(keeper.whole == ["x.png"], "what came to its end is not on record")
    }
}

/// Keeps in memory which parts are said to be whole.
private final class PartKeeper: StateKeeping {
    private let parts = Locked<[PartLocation]>([])

    var whole: [String] { parts.withLock { $0.map(\.name) } }

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        parts.withLock { parts in
            for change in changes {
                switch change {
                case .part(let record) where record.isWhole: parts.append(record.location)
                case .noPart(let location): parts.removeAll { $0 == location }
                default: break
                }
            }
        }
        saved(nil)
    }
}
