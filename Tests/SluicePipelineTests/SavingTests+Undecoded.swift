import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Saving images of kinds that are not decoded.
extension SavingTests {
    @Test func whatIsSavedWithoutBeingDecodedIsSaidToBeData() throws {
        let text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>"
        origin.route("/a.svg", .bytes(Array(text.utf8), type: "image/svg+xml"))
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a.svg"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(events.contains { if case .warning("notDecoded", _, TaskID(1)) = $0.kind { true } else { false } })
    }

    /// However it arrives: its tag may stand behind the first bytes, and behind all that is looked at.
    @Test(arguments: [100, 600, 900, 1_500], [1, 530, 4_096])
    func anSVGWithMuchBeforeItsTagIsData(count: Int, size: Int) throws {
        let notes = String(repeating: "a", count: count)
        let text = "<?xml version='1.0'?><!-- \(notes) --><svg xmlns='http://www.w3.org/2000/svg'/>"
        origin.route("/a.svg") { _, _ in
            var answer = OriginResponse.bytes(Array(text.utf8), type: "image/svg+xml")
            answer.framing = .chunked(size: size)
            return answer
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a.svg"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(events.contains { if case .warning("notDecoded", _, TaskID(1)) = $0.kind { true } else { false } })
    }
}
