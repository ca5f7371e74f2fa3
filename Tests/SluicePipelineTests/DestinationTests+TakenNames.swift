import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Names that are taken, where requests for those are skipped or overwrite what is there.
extension DestinationTests {
    /// What breaks off was never there: who was skipped for it would have nothing.
    @Test func aPartIsNoFileThatOthersAreSkippedFor() throws {
        origin.route("/a/f") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 2_000_000))
            answer.fault = .stall(after: 1_000_000)
            return answer
        }
        origin.route("/b/f", .text("whole"))
        origin.hold("/b/f")
        let harness = try harness { ($0.settings.onExists, $0.settings.retries) = (.skip, 0) }
        harness.submit([origin.url("/a/f"), origin.url("/b/f")])
        #expect(harness.wait { _ in harness.directory.names == ["f.part"] } && origin.waitUntil { $0.held == 1 })
        origin.release()
        #expect(harness.wait { !$0.taskEnds.isEmpty })
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success, .cancelled])
        let file = try #require(events.receiptEnds.compactMap(\.file).first)
        #expect(FileTree.contents(of: file) == Array("whole".utf8) && events.warnings.isEmpty)
    }

    func write(_ text: String, _ name: String, _ harness: PipelineHarness) {
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
        #expect(events.warnings == [.copy] && origin.log.hits("/a.png") == 1)
        #expect(harness.directory.names == ["x.png", "y.png", "z.png"])
        #expect(harness.directory.contents(of: "x.png") == Array("mine".utf8))
        #expect(harness.directory.contents(of: "y.png") == image)
    }

    @Test func whereAllNamesAreTakenAllAreSkipped() throws {
        let harness = try harness { $0.settings.onExists = .skip }
        for name in ["x.png", "y.png"] { write("mine", name, harness) }
        submit(harness, "x.png", "y.png")
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.file) == [nil, nil] && events.warnings == [.skipped])
        #expect(harness.directory.names == ["x.png", "y.png"])
    }

    @Test func oneBadPlaceAndOneThatIsSkippedAreTriedOnce() throws {
        let harness = try harness { $0.settings.onExists = .skip }
        for name in ["afile", "y.png"] { write("mine", name, harness) }
        submit(harness, "afile/x.png", "y.png")
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success])
        #expect(events.receiptEnds.map(\.file) == [nil, nil] && events.warnings == [.copy, .skipped])
        #expect(origin.log.hits("/a.png") == 2 && harness.directory.names == ["afile", "y.png"])
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
}
