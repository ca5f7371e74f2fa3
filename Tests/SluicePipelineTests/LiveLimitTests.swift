import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Limits that are set while bodies arrive, and what is told of those that are stopped.
@Suite(.timeLimit(.minutes(2)))
struct LiveLimitTests {
    private let origin: Origin

    init() throws { origin = try Origin() }

    /// A transfer of which so much came, and then nothing.
    private func stalled(
        after count: Int,
        of size: Int,
        _ framing: OriginResponse.Framing = .length,
        type: String = "text/plain",
        saves: Bool = true
    ) throws -> PipelineHarness {
        var answer = OriginResponse.bytes([UInt8](repeating: 1, count: size), type: type)
        answer.headers.append(HeaderField("ETag", "\"1\""))
        (answer.framing, answer.fault) = (framing, .stall(after: count))
        origin.route("/a", answer)
        let harness = try PipelineHarness(saves: saves)
        harness.submit(origin.url("/a"))
        let came = harness.wait { events in
            events.contains { event in
                if case .taskProgress(_, let received, _) = event.kind { received == count } else { false }
            }
        }
        #expect(came)
        return harness
    }

    @Test(arguments: [PipelineCommand.abort(TaskID(1)), .cancel(ReceiptID(1))], [false, true])
    func whatAPausedTaskHadIsToldAtItsEnd(command: PipelineCommand, isQueued: Bool) throws {
        let harness = try stalled(after: 20_000, of: 100_000)
        harness.pipeline.send(.pause(TaskID(1)))
        if isQueued {
            try harness.set("suspended", "true")
            harness.pipeline.send(.resume(TaskID(1)))
        }
        harness.pipeline.send(command)
        let end = try #require(try harness.finish().taskEnds.first)
        #expect(end.outcome == .cancelled && end.timings == nil)
        #expect(end.status == 200 && end.bytes == 20_000)
    }
}
