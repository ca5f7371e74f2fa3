import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Parts of tasks whose receipts want their files in different places.
extension ResumeTests {
    /// How a task with two receipts comes to stand still, with a part.
    enum Halt: CaseIterable {
        case pause
        case retry
    }

    @Test(arguments: Halt.allCases) func aPartOutlivesTheReceiptThatNamedIt(halt: Halt) throws {
        serve(cuts: halt == .retry ? [300_000] : [], body: { [old] _ in old }) { number, answer in
            if halt == .pause, number == 1 { answer.fault = .stall(after: 300_000) }
            // The next try may come before the receipt is gone, and ends only behind that.
            if halt == .retry, number == 2 { answer.gates = [(0, "rest")] }
        }
        origin.hold("rest")
        let harness = try PipelineHarness(saves: true)
        for name in ["one", "two"] {
            harness.submit(origin.url("/data.bin"), options: RequestOptions(destination: name))
        }
        switch halt {
        case .pause:
            #expect(harness.wait { progress($0).contains(300_000) })
            harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        case .retry:
            #expect(harness.wait { $0.changes(.waiting).count == 1 })
        }
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { !$0.receiptEnds.isEmpty })
        if halt == .pause { harness.pipeline.send(.steer(.resume, .task(TaskID(1)))) }
        origin.release("rest")
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled, .success])
        #expect(harness.directory.names == ["two"] && harness.directory.contents(of: "two") == old)
    }

    @Test func whatStandsAtADestinationThatNobodyWantsAnyMoreIsNotOverwritten() throws {
        serve(cuts: [], body: { [old] _ in old }) { number, answer in
            if number == 1 { answer.fault = .stall(after: 300_000) }
        }
        let harness = try PipelineHarness(saves: true) { $0.settings.onExists = .overwrite }
        #expect(FileTree.write("theirs", to: harness.directory.path + "/one"))
        for name in ["one", "two"] {
            harness.submit(origin.url("/data.bin"), options: RequestOptions(destination: name))
        }
        #expect(harness.wait { progress($0).contains(300_000) })
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        harness.pipeline.send(.cancel(ReceiptID(1)))
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        try harness.finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(harness.directory.names == ["one", "two"] && harness.directory.contents(of: "two") == old)
        #expect(harness.directory.contents(of: "one") == Array("theirs".utf8))
    }

    @Test func whoNamesNoDestinationGetsTheUsualNameOfAResumedBodyToo() throws {
        serve(cuts: [300_000], body: { [old] _ in old })
        let harness = try PipelineHarness(saves: true)
        for name in ["one", nil] {
            harness.submit(origin.url("/data.bin"), options: RequestOptions(destination: name))
        }
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(harness.directory.names == ["data.bin", "one"])
        #expect(events.receiptEnds.map { $0.file?.hasSuffix("/data.bin") } == [false, true])
    }

    @Test func thePartOfAnotherTaskIsNoConcernOfADestination() throws {
        serve(cuts: [], body: { [old] _ in old }) { number, answer in
            if number == 1 { answer.fault = .stall(after: 300_000) }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"), options: RequestOptions(destination: "one"))
        #expect(harness.wait { progress($0).contains(300_000) })
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        harness.submit(origin.url("/data.bin"), options: RequestOptions(destination: "two"))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        #expect(harness.directory.names == ["one.part", "two"] && ranges == [nil, nil])
        try harness.finish()
    }

    /// Also where the other one began before the part was kept.
    @Test func aPartIsNotLostToAnotherFileOfItsName() throws {
        serve(cuts: [400_000], body: { [old] _ in old })
        origin.route("/other/data.bin", .text("another"))
        origin.hold("/other/data.bin")
        let harness = try PipelineHarness(saves: true) { $0.settings.retries = 0 }
        harness.submit(origin.url("/other/data.bin"))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.submit(origin.url("/data.bin"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        origin.release()
        #expect(harness.wait { $0.taskEnds.count == 2 })
        harness.submit(origin.url("/data.bin"))
        try harness.finish()
        #expect(harness.directory.names == ["data.1.bin", "data.bin"])
        #expect(harness.directory.contents(of: "data.bin") == old)
        #expect(harness.directory.contents(of: "data.1.bin") == Array("another".utf8))
        #expect(ranges.count == 2 && ranges[1]?.hasPrefix("bytes=") == true, "\(ranges)")
    }

    /// Nobody remembers this session: what it left could be continued by none.
    @Test(arguments: [["data.bin", "data.bin"], ["one", "two"]])
    func noPartOutlivesASessionThatIsForgotten(destinations: [String]) throws {
        let cuts = destinations[0] == "one" ? [300_000, 300_000] : [nil, 300_000]
        serve(cuts: cuts, etag: { "\"v\($0)\"" }, body: { [old] _ in old })
        let harness = try PipelineHarness(saves: true) {
            ($0.settings.onExists, $0.settings.retries, $0.settings.failedFor) = (.skip, 0, .zero)
        }
        for (number, destination) in destinations.enumerated() {
            let options = RequestOptions(policy: .reload, destination: destination)
            harness.submit(origin.url("/data.bin"), options: options)
            #expect(harness.wait { $0.taskEnds.count == number + 1 })
        }
        try harness.finish()
        #expect(harness.directory.names == (destinations[0] == "one" ? [] : ["data.bin"]))
    }
}
