import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Disks that take nothing more.
extension SavingTests {
    @Test func aFullDiskStopsTheDashboardsQueueAndNothingFails() throws {
        origin.setFallback { _, _ in .text("fine") }
        let harness = try PipelineHarness(files: FullDisk()) {
            $0.isDashboard = true
            $0.settings.maxActive = 1
        }
        harness.submit((1...5).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.changes(.waiting).count == 1 })
        let events = try harness.shutDown()
        #expect(events.taskEnds.isEmpty)
        #expect(events.contains { if case .warning("diskFull", _, _) = $0.kind { true } else { false } })
        #expect(origin.log.requests.count == 1)
    }

    @Test func aFullDiskEndsASessionThatNobodyWatches() throws {
        origin.setFallback { _, _ in .text("fine") }
        let harness = try PipelineHarness(files: FullDisk()) {
            ($0.endsOnFullDisk, $0.settings.maxActive) = (true, 1)
        }
        harness.submit((1...5).map { origin.url("/\($0)") })
        #expect(harness.wait { if case .sessionEnded? = $0.last?.kind { true } else { false } })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.diskFull] && origin.log.requests.count == 1)
        #expect(events.changes(.started).count == 1, "nothing else would fit either")
    }

    /// The file ends the transfer, not the origin.
    @Test func whatHadComeIsToldBeforeTheEnd() throws {
        origin.route("/data.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 100_000))
            answer.fault = .stall(after: 5_000)
            return answer
        }
        let harness = try PipelineHarness(files: FailingWriter(after: 5_000))
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        let progress = events.compactMap {
            if case .taskProgress(_, let received, _) = $0.kind { received } else { nil }
        }
        #expect(events.taskEnds.map(\.error?.code) == [.ioError])
        #expect(progress.last == 5_000)
    }
}
