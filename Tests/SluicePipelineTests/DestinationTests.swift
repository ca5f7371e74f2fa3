import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Receipts of one task with destinations of their own.
@Suite(.timeLimit(.minutes(5)))
struct DestinationTests {
    let origin: Origin
    let image = Picture.png(width: 40, height: 30)
    let gate = HeldCopies.Gate()

    init() throws {
        origin = try Origin()
        origin.route("/a.png", .bytes(image, type: "image/png"))
        origin.route("/b.txt", .text("b"))
    }

    func harness(_ configure: (inout PipelineConfiguration) -> Void = { _ in }) throws -> PipelineHarness {
        try PipelineHarness(saves: true, copying: gate) {
            $0.settings.maxActive = 2
            configure(&$0)
        }
    }

    /// Submits requests for one image, which the origin holds until it is told to go on.
    func submitHeld(_ harness: PipelineHarness, _ destinations: String?...) { submitHeld(harness, destinations) }

    private func submitHeld(_ harness: PipelineHarness, _ destinations: [String?]) {
        let count = harness.events.submissions.count + destinations.count
        origin.hold()
        for destination in destinations {
            harness.submit(origin.url("/a.png"), options: RequestOptions(destination: destination))
        }
        #expect(harness.wait { $0.submissions.count == count })
    }

    /// Submits requests for one image while the origin holds it.
    func submit(_ harness: PipelineHarness, _ destinations: String?...) {
        submitHeld(harness, destinations)
        origin.release()
    }

    @Test func eachReceiptHasItsFileAndEqualWishesShareOne() throws {
        let harness = try harness()
        submit(harness, "x.png", nil, "y.png", "y.png", "sub/z.png")
        gate.release(3)
        let events = try harness.finish()
        #expect(gate.begun == ["a.png", "y.png", "z.png"])
        #expect(harness.directory.names == ["a.png", "sub", "x.png", "y.png"])
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["x.png", "a.png", "y.png", "y.png", "sub/z.png"])
        #expect(harness.directory.contents(of: "sub/z.png") == image)
        #expect(events.taskEnds.map(\.bytes) == [image.count] && origin.log.hits("/a.png") == 1)
    }

    @Test func aCopyThatTakesLongStopsNobody() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        harness.submit(origin.url("/b.txt"))
        #expect(harness.wait { $0.taskEnds.map(\.url) == [origin.url("/b.txt")] })
        gate.release()
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.url) == [origin.url("/b.txt"), origin.url("/a.png")])
        #expect(events.peakActive <= 2)
    }

    @Test func whoJoinsWhileACopyIsMadeGetsOneToo() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "z.png"))
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.submissions.count == 4 })
        gate.release(3)
        let events = try harness.finish()
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["x.png", "y.png", "z.png", "a.png"])
        #expect(events.submissions.map(\.outcome) == [.started, .joined, .joined, .joined])
        #expect(origin.log.hits("/a.png") == 1)
    }

    @Test func anAnswerOfTheHTTPCacheIsCopiedOnceForEachWish() throws {
        let cache = try TemporaryDirectory()
        let harness = try answering(in: cache)
        gate.release(2)
        let events = try harness.finish()
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["x.png", "y.png"])
        #expect(harness.directory.names == ["x.png", "y.png"])
        #expect(gate.begun == ["y.png"])
        #expect(origin.log.hits("/fresh.png") == 1)
    }

    @Test func anAbortedCopyGoesAgainAndWhatWasSavedStays() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        gate.release()
        gate.waitUntilRemoved(1)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .cancelled])
        #expect(harness.directory.names == ["x.png"])
    }

    @Test func theCopyOfACancelledReceiptGoesAgain() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        harness.pipeline.send(.cancel(ReceiptID(2)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        gate.release()
        gate.waitUntilRemoved(1)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success])
        #expect(harness.directory.names == ["x.png"])
    }

    @Test(arguments: [Settings.Decode.always, .auto])
    func aThumbnailMayJoinWhileACopyIsMade(decode: Settings.Decode) throws {
        let harness = try harness { $0.settings.decode = decode }
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        // What is there is enough: nothing is asked again that would end as a failure.
        origin.route("/a.png", OriginResponse(404))
        let thumbnail = ThumbnailSize(width: 10, height: 10)
        harness.submit(origin.url("/a.png"), options: RequestOptions(thumbnail: thumbnail))
        #expect(harness.wait { $0.submissions.count == 3 })
        gate.release(3)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success, .success])
        #expect(harness.directory.names == ["a.png", "x.png", "y.png"])
        let added = events.compactMap { event -> String? in
            if case .cacheChanged(let change) = event.kind, change.verb == .added { change.key.id } else { nil }
        }
        #expect(added.contains("thumb-10x10"))
        #expect(origin.log.hits("/a.png") == 1)
    }

    @Test func filesThatAreThereStayThoughNoThumbnailCanBeMadeOfThem() throws {
        let whole = Picture.png(width: 60, height: 60)
        let damaged = Array(whole.prefix(whole.count / 2))
        origin.route("/a.png", .bytes(damaged, type: "image/png"))
        let harness = try harness { $0.settings.decode = .auto }
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        let options = RequestOptions(saves: false, thumbnail: ThumbnailSize(width: 10, height: 10))
        harness.submit(origin.url("/a.png"), options: options)
        #expect(harness.wait { $0.submissions.count == 3 })
        gate.release()
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success, .success])
        #expect(events.warnings == [.notDecoded])
        #expect(harness.directory.names == ["x.png", "y.png"] && harness.directory.contents(of: "y.png") == damaged)
    }

    /// The name that the one who stays wants is taken, so that its file and the first one are the same.
    @Test(arguments: [false, true]) func theOnlyFileOfATaskIsNotGivenUpForItself(isLinked: Bool) throws {
        let harness = try harness()
        #expect(FileTree.write("another's", to: harness.directory.path + "/a.png"))
        let links = try TemporaryDirectory()
        #expect(unsafe symlink(harness.directory.path, links.path + "/link") == 0)
        submitHeld(harness, nil, isLinked ? links.path + "/link/a.png" : "a.png")
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        origin.release()
        gate.release(1)
        let events = try harness.finish()
        let file = try #require(events.receiptEnds.last?.file)
        #expect(file == harness.directory.path + "/a.1.png" && harness.directory.contents(of: "a.1.png") == image)
        #expect(harness.directory.names == ["a.1.png", "a.png"])
    }

    @Test func aTaskThatWasPausedWhileACopyWasMadeGoesOn() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        gate.release(2)
        let events = try harness.finish()
        let files = events.receiptEnds.compactMap { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files.first == "x.png" && files.count == 2)
        #expect(files.allSatisfy { harness.directory.contents(of: String($0)) == image })
    }

    @Test func allReceiptsHaveTheBodyThatCameLast() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png", "z.png")
        gate.release()
        gate.waitUntilBegun(2)
        // That copy goes again when it is made, and tells so that no other is under way.
        harness.pipeline.send(.cancel(ReceiptID(3)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        gate.release()
        gate.waitUntilRemoved(1)
        let newer = Picture.png(width: 20, height: 20)
        origin.route("/a.png", .bytes(newer, type: "image/png"))
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        gate.release()
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success, .success])
        let files = events.receiptEnds.compactMap { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["x.png", "y.png"] && harness.directory.names == ["x.png", "y.png"])
        for name in ["x.png", "y.png"] { #expect(harness.directory.contents(of: name) == newer, "\(name)") }
    }

    @Test func aDestinationThatCantBeMadeIsToldAndTheFirstFileIsTheirs() throws {
        let harness = try harness()
        submit(harness, "x.png", "x.png/y.png", "z.png")
        gate.release(2)
        let events = try harness.finish()
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["x.png", "x.png", "z.png"])
        #expect(events.warnings == [.copy])
    }

    @Test func whereTheFirstFileCantBeMadeTheOthersAre() throws {
        let harness = try harness()
        #expect(FileTree.write("a file", to: harness.directory.path + "/afile"))
        submit(harness, "afile/x.png", "good/y.png", nil)
        gate.release(1)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success, .success])
        let files = events.receiptEnds.map { $0.file?.dropFirst(harness.directory.path.count + 1) }
        #expect(files == ["good/y.png", "good/y.png", "a.png"])
        #expect(harness.directory.names == ["a.png", "afile", "good"])
        #expect(events.warnings == [.copy])
        #expect(events.peakActive == 1 && events.taskEnds.count == 1)
    }

    @Test func whereASmallFileCantBeMadeTheOthersAre() throws {
        origin.route("/slow.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 30_000))
            // Long enough for the folder to go meanwhile, whatever else the machine does.
            answer.bytesPerSecond = 10_000
            return answer
        }
        let harness = try harness()
        for destination in ["gone/x.bin", "y.bin"] {
            harness.submit(origin.url("/slow.bin"), options: RequestOptions(destination: destination))
        }
        let hasBegun = harness.wait { events in
            events.contains { if case .taskProgress(_, let received, _) = $0.kind { received > 600 } else { false } }
        }
        #expect(hasBegun)
        // It has no file before it is whole.
        FileTree.remove(harness.directory.path + "/gone")
        gate.release(1)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success])
        #expect(harness.directory.contents(of: "y.bin")?.count == 30_000)
    }

    @Test func whereNoFileCanBeMadeTheTaskFails() throws {
        let harness = try harness()
        #expect(FileTree.write("a file", to: harness.directory.path + "/afile"))
        submit(harness, "afile/x.png", "afile/y.png")
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.failed, .failed])
        #expect(events.taskEnds.map(\.error?.code) == [.ioError])
    }

    @Test func aCopyAnswersWhereTheFirstFileIsGone() throws {
        let harness = try harness { $0.settings.decode = .always }
        submit(harness, "x.png", "y.png")
        gate.release(2)
        #expect(harness.wait { $0.receiptEnds.count == 2 })
        FileTree.remove(harness.directory.path + "/x.png")
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "z.png"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .joined, .cached])
        #expect(harness.directory.names == ["y.png", "z.png"] && origin.log.hits("/a.png") == 1)
    }

    @Test func newBodiesReplaceWhatWasSavedForTheSameDestinations() throws {
        let harness = try harness()
        func request(_ destinations: String...) {
            origin.hold()
            let count = harness.events.submissions.count + destinations.count
            for destination in destinations {
                harness.submit(origin.url("/b.txt"), options: RequestOptions(destination: destination))
            }
            #expect(harness.wait { $0.submissions.count == count })
            origin.release()
            gate.release(destinations.count - 1)
            #expect(harness.wait { $0.receiptEnds.count == count })
        }
        request("x.txt", "y.txt", "sub/z.txt")
        origin.route("/b.txt", .text("newer"))
        // Who comes first gets the transfer's own file, which was a copy before.
        request("y.txt", "x.txt", "sub/z.txt")
        #expect(harness.directory.names == ["sub", "x.txt", "y.txt"])
        for name in ["x.txt", "y.txt", "sub/z.txt"] {
            #expect(harness.directory.contents(of: name) == Array("newer".utf8), "\(name)")
        }
        // What somebody else wrote is nothing that Sluice knows.
        #expect(FileTree.write("theirs", to: harness.directory.path + "/y.txt"))
        origin.route("/b.txt", .text("newest"))
        request("x.txt", "y.txt")
        try harness.finish()
        #expect(harness.directory.names == ["sub", "x.txt", "y.1.txt", "y.txt"])
        #expect(harness.directory.contents(of: "x.txt") == Array("newest".utf8))
        #expect(harness.directory.contents(of: "y.txt") == Array("theirs".utf8))
        #expect(harness.directory.contents(of: "y.1.txt") == Array("newest".utf8))
    }

    @Test func aHitLeavesTheCopyAlone() throws {
        let harness = try harness { $0.settings.decode = .always }
        submit(harness, "x.png", "y.png")
        gate.release(3)
        #expect(harness.wait { $0.receiptEnds.count == 2 })
        let path = harness.directory.path + "/y.png"
        let before = FileTree.inode(of: path)
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "y.png"))
        #expect(harness.wait { $0.receiptEnds.count == 3 })
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .joined, .cached])
        #expect(events.receiptEnds.last?.file == path)
        #expect(harness.directory.names == ["x.png", "y.png"] && FileTree.inode(of: path) == before)
        #expect(events.sessionEnds.map(\.saved) == [2])
    }

    /// A session whose HTTP cache answers two requests, and that makes the copy for the second one.
    func answering(in cache: TemporaryDirectory) throws -> PipelineHarness {
        try fill(cache)
        let harness = try PipelineHarness(saves: true, copying: gate, cache: cache.path + "/cache")
        let requests = ["x.png", "y.png"].map { wish in
            DownloadRequest(origin.url("/fresh.png"), options: RequestOptions(destination: wish))
        }
        // One command, so that both are there before the first has its answer.
        harness.pipeline.send(.submit(requests))
        gate.waitUntilBegun(1)
        return harness
    }

    /// Lets a session of its own store an answer that stays fresh.
    func fill(_ cache: TemporaryDirectory) throws {
        var fresh = OriginResponse.bytes(image, type: "image/png")
        fresh.headers.append(HeaderField("Cache-Control", "max-age=1000"))
        origin.route("/fresh.png", fresh)
        let first = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        first.submit(origin.url("/fresh.png"))
        try first.finish()
    }
}
