import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Receipts that leave before their task ends, and what becomes of their files.
extension DestinationTests {
    @Test func whatWasThereBeforeStaysThoughNobodyWantsTheCopyAnyMore() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png")
        gate.release()
        #expect(harness.wait { $0.receiptEnds.count == 2 })
        let newer = Picture.png(width: 20, height: 20)
        origin.route("/a.png", .bytes(newer, type: "image/png"))
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(2)
        harness.pipeline.send(.cancel(ReceiptID(4)))
        #expect(harness.wait { $0.receiptEnds.count == 3 })
        gate.release()
        try harness.finish()
        #expect(harness.directory.names == ["x.png", "y.png"])
        #expect(harness.directory.contents(of: "y.png") == newer)
    }

    /// When the first receipt is cancelled, whose file is the task's own.
    enum Moment: CaseIterable {
        case beforeTheBody
        case whileItIsCopied
    }

    @Test(arguments: Moment.allCases) func theFileOfACancelledFirstReceiptGivesWayToTheCopy(moment: Moment) throws {
        let harness = try harness { $0.settings.decode = .always }
        submitHeld(harness, "x.png", "y.png", "z.png")
        if moment == .beforeTheBody { #expect(origin.waitUntil { $0.held == 1 }) }
        if moment == .whileItIsCopied {
            origin.release()
            gate.waitUntilBegun(1)
        }
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        origin.release()
        gate.release(3)
        #expect(harness.wait { $0.taskEnds.count == 1 })
        gate.waitUntilRemoved(1)
        // What is known is the copy: asked for again, it is left as it is.
        let path = harness.directory.path + "/y.png"
        let before = FileTree.inode(of: path)
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "y.png"))
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success, .success, .success])
        #expect(events.taskEnds.first?.file == path)
        #expect(harness.directory.names == ["y.png", "z.png"])
        #expect(FileTree.inode(of: path) == before && harness.directory.contents(of: "y.png") == image)
        let saved = events.sessionEnds.map { [$0.saved, $0.savedBytes] }
        #expect(saved == [[2, 2 * image.count]])
    }

    @Test func whatACancelledFirstReceiptReplacedIsNotLost() throws {
        let harness = try harness()
        submit(harness, "x.png")
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        let newer = Picture.png(width: 20, height: 20)
        origin.route("/a.png", .bytes(newer, type: "image/png"))
        submit(harness, "x.png", "y.png")
        gate.waitUntilBegun(1)
        harness.pipeline.send(.cancel(ReceiptID(2)))
        #expect(harness.wait { $0.receiptEnds.count == 2 })
        gate.release()
        try harness.finish()
        #expect(harness.directory.names == ["x.png", "y.png"])
        #expect(harness.directory.contents(of: "x.png") == newer)
    }

    @Test func whoeverWantsNoFileGetsNone() throws {
        let harness = try harness { $0.settings.decode = .always }
        origin.hold()
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "x.png"))
        harness.submit(origin.url("/a.png"), options: RequestOptions(saves: false))
        #expect(harness.wait { $0.submissions.count == 2 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        origin.release()
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success])
        #expect(events.taskEnds.map(\.image?.width) == [40] && events.taskEnds.map(\.file) == [nil])
        #expect(harness.directory.names == [])
    }

    @Test func anAnswerThatIsAbortedCameFromTheDiskAllTheSame() throws {
        let cache = try TemporaryDirectory()
        let harness = try answering(in: cache)
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        gate.release()
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled] && events.taskEnds.map(\.status) == [200])
        #expect(events.taskEnds.map(\.source) == [.disk])
    }

    @Test func theFileOfACancelledAnswerGivesWayToTheCopy() throws {
        let cache = try TemporaryDirectory()
        let harness = try answering(in: cache)
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        gate.release()
        gate.waitUntilRemoved(1)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success])
        #expect(harness.directory.names == ["y.png"])
        #expect(events.taskEnds.map(\.file) == [harness.directory.path + "/y.png"])
    }

    /// Who stays wants no file, and that of the others goes again, whether the network or the HTTP cache had the body.
    @Test(arguments: [false, true]) func theFileOfThoseWhoLeftGoesAgain(isStored: Bool) throws {
        let cache = try TemporaryDirectory()
        let harness = try isStored ? answering(in: cache) : self.harness()
        if !isStored {
            submit(harness, "x.png", "y.png")
            gate.waitUntilBegun(1)
        }
        let url = origin.url(isStored ? "/fresh.png" : "/a.png")
        harness.submit(url, options: RequestOptions(saves: false))
        #expect(harness.wait { $0.submissions.count == 3 })
        for receipt in 1...2 { harness.pipeline.send(.cancel(ReceiptID(receipt))) }
        #expect(harness.wait { $0.receiptEnds.count == 2 })
        gate.release()
        gate.waitUntilRemoved(2)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .cancelled, .success])
        #expect(events.taskEnds.map(\.file) == [nil] && harness.directory.names == [])
        let saved = events.sessionEnds.map { [$0.saved, $0.savedBytes] }
        #expect(saved == [[0, 0]])
    }

    @Test func whoeverIsCancelledAfterItsCopyWasMadeHasNoFile() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png", "z.png")
        gate.release()
        gate.waitUntilBegun(2)
        harness.pipeline.send(.cancel(ReceiptID(2)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        gate.release()
        gate.waitUntilRemoved(1)
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success, .success])
        #expect(events.receiptEnds.map { $0.file != nil } == [false, true, true])
        #expect(harness.directory.names == ["x.png", "z.png"])
        let saved = events.sessionEnds.map { [$0.saved, $0.savedBytes] }
        #expect(saved == [[2, 2 * image.count]])
    }

    @Test func whatACopyReplacedIsNotLostThoughItsReceiptLeft() throws {
        let harness = try harness()
        submit(harness, "x.png", "y.png", "z.png")
        gate.release(2)
        #expect(harness.wait { $0.receiptEnds.count == 3 })
        let newer = Picture.png(width: 20, height: 20)
        origin.route("/a.png", .bytes(newer, type: "image/png"))
        submit(harness, "x.png", "y.png", "z.png")
        gate.release()
        gate.waitUntilBegun(4)
        harness.pipeline.send(.cancel(ReceiptID(5)))
        #expect(harness.wait { $0.receiptEnds.count == 4 })
        gate.release()
        try harness.finish()
        #expect(harness.directory.names == ["x.png", "y.png", "z.png"])
        #expect(harness.directory.contents(of: "y.png") == newer)
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
