import SluiceCore
import SluiceOrigin
import SluicePictures
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

/// What events say of images that are saved, and that nobody decodes.
extension SavingTests {
    private func save(
        _ file: [UInt8],
        _ type: String,
        chunks size: Int = 1_000,
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> TaskEnd {
        origin.route("/a") { _, _ in
            var answer = OriginResponse.bytes(file, type: type)
            answer.framing = .chunked(size: size)
            return answer
        }
        let harness = try PipelineHarness(saves: true) {
            $0.settings.decode = .never
            configure(&$0)
        }
        harness.submit(origin.url("/a"))
        return try #require(try harness.finish().taskEnds.first)
    }

    /// As a decoder would.
    @Test(arguments: [1, 40, 1_000_000]) func theFramesOfAnAnimationAreCounted(size: Int) throws {
        let frames = (0..<3).map { phase -> Bitmap in
            let pixels = (0..<4_800).map { UInt8(truncatingIfNeeded: $0 / 4 * 7 + phase * 50) }
            return Bitmap(width: 40, height: 30, pixels: pixels)
        }
        let gif = try save(ImageEncoder.gif(frames), "image/gif", chunks: size)
        #expect(gif.image == ImageInfo(format: .gif, width: 40, height: 30, frames: 3))
        let webp = try save(ImageEncoder.animatedWebP(frames), "image/webp", chunks: size)
        #expect(webp.image == ImageInfo(format: .webp, width: 40, height: 30, frames: 3))
        let still = try save(ImageEncoder.gif([frames[0]]), "image/gif", chunks: size)
        #expect(still.image?.frames == 1)
    }

    /// However it arrives.
    @Test(arguments: [300, 100_000]) func aPictureBehindItsThumbnailIsJudgedByItsSize(size: Int) throws {
        let picture = ImageEncoder.jpeg(Bitmap(width: 40, height: 30, pixels: Array(repeating: 255, count: 4_800)))
        let comment = [0xFF, 0xFE, 0xEA, 0x62] + Array(repeating: UInt8(1), count: 60_000)
        let file = Array(picture[..<2] + comment + picture[2...])
        let end = try save(file, "image/jpeg", chunks: size)
        #expect(end.image == ImageInfo(format: .jpeg, width: 40, height: 30))
        let refused = try save(file, "image/jpeg", chunks: size) { $0.settings.maxPixels = 1_000 }
        #expect(refused.error?.code == .tooLarge)
    }

    /// Only the rest of it went by.
    @Test func framesThatAnEarlierTransferBroughtAreNotGuessed() throws {
        let frames = (0..<3).map { phase in
            Bitmap(width: 90, height: 90, pixels: (0..<32_400).map { UInt8(truncatingIfNeeded: $0 &* 31 + phase) })
        }
        let file = ImageEncoder.gif(frames)
        origin.route("/a.gif") { request, number in
            var answer = OriginResponse.resource(.bytes(file), for: request, etag: "\"v1\"", lastModified: nil)
            if number == 1 { answer.fault = .close(after: file.count / 2) }
            return answer
        }
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .never }
        harness.submit(origin.url("/a.gif"))
        let end = try #require(try harness.finish().taskEnds.first)
        #expect(end.outcome == .success && end.image == nil)
        #expect(harness.directory.contents(of: "a.gif") == file)
    }
}
