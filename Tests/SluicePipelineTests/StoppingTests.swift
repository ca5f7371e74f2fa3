import SluiceCore
import SluicePipeline
import SluiceTestSupport
import Testing

/// Transfers that end before their last byte: each is stopped once, and what it brought counts until its end is told.
@Suite(.timeLimit(.minutes(5)))
struct StoppingTests {
    private let desk = StandingNetwork.Desk()
    private let snapshots = SnapshotBox()

    /// A transfer of which 5,000 bytes came, to a file that fails after so many.
    private func harness(failingAfter limit: Int, by error: DownloadError) throws -> PipelineHarness {
        let harness = try PipelineHarness(
            files: FailingWriter(after: limit, error),
            network: StandingNetwork(after: 5_000, desk),
            keeping: snapshots
        ) { $0.isDashboard = true }
        harness.submit("http://test/a")
        return harness
    }

    /// One fails for good, the other waits for room.
    @Test(arguments: [DownloadError.Code.ioError, .diskFull])
    func whatItsFileEndsIsStoppedOnce(code: DownloadError.Code) throws {
        let harness = try harness(failingAfter: 5_000, by: DownloadError(code, "can't write here"))
        let snapshot = snapshots.wait { $0.counts.failed == 1 || $0.neededSpace != nil }
        #expect(snapshot?.received == 5_000 && desk.aborts.count == 1)
        // What was stopped is not stopped again by the end of all.
        harness.pipeline.send(.shutDown)
        desk.tell()
        let events = try harness.shutDown()
        let ends: [DownloadError.Code?] = code == .ioError ? [.ioError] : []
        #expect(events.taskEnds.map(\.error?.code) == ends && desk.aborts.count == 1)
    }

    @Test func whatIsJudgedAnewIsStoppedOnce() throws {
        let harness = try harness(failingAfter: .max, by: DownloadError(.ioError, "can't write here"))
        let came = harness.wait { events in
            events.contains { event in
                if case .taskProgress(_, let received, _) = event.kind { received == 5_000 } else { false }
            }
        }
        #expect(came)
        try harness.set("maxFileSize", "4999")
        let snapshot = snapshots.wait { $0.counts.failed == 1 }
        #expect(snapshot?.received == 5_000 && desk.aborts.count == 1)
        desk.tell()
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.tooLarge] && desk.aborts.count == 1)
    }
}
