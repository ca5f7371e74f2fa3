import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Answers of the HTTP cache, for requests with places of their own.
extension DestinationTests {
    /// Asks for what an earlier session left in the cache.
    private func answers(
        _ cache: TemporaryDirectory,
        _ onExists: OnExists,
        _ requests: [RequestOptions],
        prepare: (PipelineHarness) -> Void
    ) throws -> ([PipelineEvent], PipelineHarness) {
        try fill(cache)
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

    @Test("nothing is told as saved that went while its answer was on its way")
    func aFileThatGoesMeanwhileIsMadeAgain() throws {
        let cache = try TemporaryDirectory()
        try fill(cache)
        let harness = try PipelineHarness(saves: true, copying: gate, cache: cache.path + "/cache")
        harness.submit(origin.url("/fresh.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        gate.deleteNextLookedAt()
        harness.submit(origin.url("/fresh.png"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.cached, .cached])
        #expect(events.receiptEnds.map { $0.file == harness.directory.path + "/fresh.png" } == [true, true])
        #expect(harness.directory.contents(of: "fresh.png") == image && origin.log.hits("/fresh.png") == 1)
    }

    @Test func oneBadPlaceDoesNotFailTheOthersOfAnAnswer() throws {
        let cache = try TemporaryDirectory()
        let wishes = ["afile/x.png", "y.png"].map { RequestOptions(destination: $0) }
        let (events, harness) = try answers(cache, .rename, wishes) { write("a file", "afile", $0) }
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success] && events.warnings == [.copy])
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

    @Test func oneBadPlaceAndOneThatIsSkippedAreTriedOnceForAnAnswer() throws {
        let cache = try TemporaryDirectory()
        let wishes = ["afile/x.png", "y.png"].map { RequestOptions(destination: $0) }
        let (events, _) = try answers(cache, .skip, wishes) {
            for name in ["afile", "y.png"] { write("mine", name, $0) }
        }
        #expect(events.receiptEnds.map(\.file) == [nil, nil] && events.warnings == [.copy, .skipped])
        #expect(origin.log.hits("/fresh.png") == 1)
    }
}
