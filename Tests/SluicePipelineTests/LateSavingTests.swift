import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// What happens while the writer thread makes the file of a body that has come.
@Suite(.timeLimit(.minutes(5)))
struct LateSavingTests {
    private let origin: Origin
    private let desk = LateWriter.Desk()
    private let image = Picture.png(width: 40, height: 30)

    init() throws {
        origin = try Origin()
        origin.setFallback { [image] _, _ in .bytes(image, type: "image/png") }
    }

    private func harness(_ configure: (inout Settings) -> Void = { _ in }) throws -> PipelineHarness {
        try PipelineHarness(files: LateWriter(desk)) { configure(&$0.settings) }
    }

    private func release(_ harness: PipelineHarness, _ error: DownloadError? = nil, at path: String? = nil) {
        desk.release(error, at: path)
        harness.wake()
    }

    @Test func theSlotIsHeldUntilTheFileHasItsName() throws {
        let harness = try harness { $0.maxActive = 1 }
        harness.submit(origin.url("/a.png"), origin.url("/b.png"))
        desk.waitUntilSaving(1)
        #expect(harness.events.taskEnds.isEmpty)
        #expect(origin.log.hits("/b.png") == 0)
        release(harness)
        desk.waitUntilSaving(1)
        #expect(harness.events.taskEnds.map(\.file) == ["/late/1"])
        release(harness)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.file) == ["/late/1", "/late/2"])
        #expect(events.peakActive == 1)
    }

    @Test func aRequestThatJoinsMeanwhileGetsTheSameFile() throws {
        let harness = try harness()
        harness.submit(origin.url("/a.png"))
        desk.waitUntilSaving(1)
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.submissions.count == 2 })
        release(harness)
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .joined])
        #expect(events.receiptEnds.map(\.file) == ["/late/1", "/late/1"])
        #expect(origin.log.requests.count == 1)
    }

    @Test func aFileThatCannotBeMadeFailsItsTask() throws {
        let harness = try harness()
        harness.submit(origin.url("/a.png"))
        desk.waitUntilSaving(1)
        release(harness, DownloadError(.ioError, "can't write here"))
        let events = try harness.finish()
        #expect(events.taskEnds.map { $0.error?.code } == [.ioError])
        #expect(events.receiptEnds.map(\.outcome) == [.failed])
    }

    @Test func whatIsAbortedMeanwhileIsGivenUp() throws {
        let harness = try harness { $0.lastReceipt = .abort }
        harness.submit(origin.url("/a.png"))
        desk.waitUntilSaving(1)
        harness.pipeline.send(.cancel(ReceiptID(1)))
        let events = try harness.finish()
        #expect(desk.givenUp == [FileID(1)])
        #expect(events.taskEnds.map(\.outcome) == [.cancelled])
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled])
    }

    @Test("a detached task keeps no file that it was making")
    func whatIsCancelledMeanwhileLeavesNoFile() throws {
        let harness = try harness()
        harness.submit(origin.url("/a.png"))
        desk.waitUntilSaving(1)
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { !$0.receiptEnds.isEmpty })
        release(harness)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled])
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(events.taskEnds.map(\.file) == [nil])
        #expect(desk.removed == ["/late/1"])
    }

    @Test func aSessionThatEndsMeanwhileGivesItUp() throws {
        let harness = try harness()
        harness.submit(origin.url("/a.png"))
        desk.waitUntilSaving(1)
        let events = try harness.shutDown()
        #expect(desk.givenUp == [FileID(1)])
        #expect(events.taskEnds.isEmpty)
    }

    /// Asks for a thumbnail of a body whose file is being made.
    private func joinWithThumbnail(_ harness: PipelineHarness) {
        harness.submit(origin.url("/a.png"))
        desk.waitUntilSaving(1)
        let options = RequestOptions(saves: false, thumbnail: ThumbnailSize(width: 10, height: 10))
        harness.submit(origin.url("/a.png"), options: options)
        #expect(harness.wait { $0.submissions.count == 2 })
        #expect(harness.events.submissions.last?.outcome == .joined)
    }

    @Test func aThumbnailAskedForMeanwhileIsMadeOfTheFile() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/a.png"
        #expect(FileTree.write(image, to: path))
        let harness = try harness()
        joinWithThumbnail(harness)
        origin.setFallback { _, _ in OriginResponse(404) }
        release(harness, at: path)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success])
        #expect(events.receiptEnds.map(\.file) == [path, nil] && origin.log.requests.count == 1)
        let added = events.compactMap { event -> String? in
            if case .cacheChanged(let change) = event.kind, change.verb == .added { change.key.id } else { nil }
        }
        #expect(added.contains("thumb-10x10"))
    }

    @Test func aThumbnailOfAFileThatIsGoneAtOnceIsFetchedAgain() throws {
        let harness = try harness()
        joinWithThumbnail(harness)
        release(harness)
        #expect(origin.waitUntil { $0.hits("/a.png") == 2 })
        try harness.shutDown()
    }
}
