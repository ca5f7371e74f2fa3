import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Limits that are set while bodies arrive, and what is told of those that are stopped.
@Suite(.timeLimit(.minutes(5)))
struct LiveLimitTests {
    private let origin: Origin

    init() throws { origin = try Origin() }

    /// A transfer of which so much came, and then nothing.
    private func stalled(
        after count: Int,
        of size: Int,
        _ framing: OriginResponse.Framing = .length,
        type: String = "text/plain",
        filling byte: UInt8 = 1,
        saves: Bool = true
    ) throws -> PipelineHarness {
        var answer = OriginResponse.bytes([UInt8](repeating: byte, count: size), type: type)
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

    @Test(arguments: [OriginResponse.Framing.length, .chunked()])
    func aBodyThatIsTooLargeByNowEnds(framing: OriginResponse.Framing) throws {
        let harness = try stalled(after: 20_000, of: 100_000, framing)
        try harness.set("maxFileSize", "200000")
        try harness.set("maxFileSize", "0")
        try harness.set("maxFileSize", "19999")
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.tooLarge])
        let announced: Int? = if case .length = framing { 100_000 } else { nil }
        #expect(events.taskEnds.map(\.error?.limit) == [DownloadError.Limit(.maxFileSize, needed: announced)])
        #expect(events.taskEnds.map(\.bytes) == [20_000])
        #expect(harness.directory.names == [])
    }

    /// A change may look at a head in the very turn in which its news come.
    @Test func eachAnswerIsToldOnceWhateverChangesMeanwhile() throws {
        origin.setFallback { _, _ in .text("text") }
        let harness = try PipelineHarness { $0.settings.maxActive = 8 }
        harness.submit((1...200).map { origin.url("/\($0)") })
        var count = 0
        while harness.events.taskEnds.count < 200, count < 20_000 {
            count += 1
            try harness.set("maxFileSize", "\(100_000 + count)")
        }
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [Outcome](repeating: .success, count: 200))
        #expect(events.responses.count == 200)
    }

    @Test func anAnnouncedLengthIsEnough() throws {
        let harness = try stalled(after: 20_000, of: 100_000)
        try harness.set("maxFileSize", "99999")
        #expect(try harness.finish().taskEnds.map(\.error?.code) == [.tooLarge])
        origin.close()
    }

    /// However little of it came.
    @Test(arguments: [
        ("text/plain", DownloadError.Code.unacceptableContentType, 20_000), ("image/x-mine", .badImage, 20_000),
        ("text/plain", .unacceptableContentType, 60), ("image/x-mine", .badImage, 60),
    ])
    func whatIsNoImageEndsWhereOnlyImagesAreAccepted(type: String, code: DownloadError.Code, count: Int) throws {
        let harness = try stalled(after: count, of: 100_000, type: type)
        try harness.set("acceptOnly", "image")
        #expect(try harness.finish().taskEnds.map(\.error?.code) == [code])
    }

    /// The tag of an SVG may stand behind blanks.
    @Test func whatIsNotToldByItsFirstBytesIsJudgedByThem() throws {
        let harness = try stalled(after: 100, of: 600, filling: UInt8(ascii: " "))
        try harness.set("acceptOnly", "image")
        try harness.set("maxActive", "5")
        #expect(harness.wait { events in events.count { $0.kind.name == "settings.changed" } == 2 })
        #expect(harness.events.taskEnds.isEmpty)
        try harness.shutDown()
    }

    @Test(arguments: [PipelineCommand.steer(.abort, .task(TaskID(1))), .cancel(ReceiptID(1))], [false, true])
    func whatAPausedTaskHadIsToldAtItsEnd(command: PipelineCommand, isQueued: Bool) throws {
        let harness = try stalled(after: 20_000, of: 100_000)
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        if isQueued {
            try harness.set("suspended", "true")
            harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        }
        harness.pipeline.send(command)
        let end = try #require(try harness.finish().taskEnds.first)
        #expect(end.outcome == .cancelled && end.timings == nil)
        #expect(end.status == 200 && end.bytes == 20_000)
    }
}
