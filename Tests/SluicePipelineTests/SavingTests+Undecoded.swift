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
        #expect(events.contains { if case .warning(.notDecoded, _, TaskID(1)) = $0.kind { true } else { false } })
    }

    /// As one that asks for a password, whatever kind of image was asked for.
    @Test(arguments: ["image/heic", "image/apng", "image/vnd.microsoft.icon", "image/x-bmp", "image/foo", "image/svg"])
    func aPageIsNoImageOfAnyKind(type: String) throws {
        origin.route("/a", .bytes(Array("<html>login</html>".utf8), type: type))
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.badImage])
        #expect(harness.directory.names.contains { $0.hasSuffix(".bad") } && !harness.directory.names.contains("a"))
    }

    @Test func anImageOfAnUnknownKindIsSaidToBeData() throws {
        origin.route("/a", .bytes(Array("P3 1 1 255 1 2 3".utf8), type: "image/x-portable-pixmap"))
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(events.contains { if case .warning(.notDecoded, _, TaskID(1)) = $0.kind { true } else { false } })
    }

    /// Many keep the sentence, and a server may write as much as it likes.
    @Test func ofALongMediaTypeTheBeginningIsSaid() throws {
        let type = "image/x-" + String(repeating: "q", count: 20_000)
        origin.route("/a", .bytes(Array("P3 1 1 255 1 2 3".utf8), type: type))
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a"))
        let events = try harness.finish()
        let messages = events.compactMap { event -> String? in
            if case .warning(.notDecoded, let message, _) = event.kind { message } else { nil }
        }
        #expect(messages.count == 1 && messages.allSatisfy { $0.count < 200 && $0.contains("q… is kept") })
    }

    /// However it arrives: its tag may stand behind the first bytes, and behind all that is looked at.
    @Test(arguments: [100, 600, 900, 1_500], [1, 530, 4_096])
    func anSVGWithMuchBeforeItsTagIsData(count: Int, size: Int) throws {
        let notes = String(repeating: "a", count: count)
        let text = "<?xml version='1.0'?><!-- \(notes) --><svg xmlns='http://www.w3.org/2000/svg'/>"
        origin.route("/a.svg") { _, _ in
            var answer = OriginResponse.bytes(Array(text.utf8), type: size == 530 ? "image/svg" : "image/svg+xml")
            answer.framing = .chunked(size: size)
            return answer
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a.svg"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(events.contains { if case .warning(.notDecoded, _, TaskID(1)) = $0.kind { true } else { false } })
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
        #expect(refused.error?.limit == DownloadError.Limit(.maxPixels, needed: 1_200))
    }

    /// Its boxes may be long before they say it.
    @Test(arguments: [300, 100_000]) func anAVIFIsJudgedByItsSizeHoweverItArrives(size: Int) throws {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, UInt8((content.count + 8) >> 8), UInt8((content.count + 8) & 0xFF)] + Array(type.utf8) + content
        }
        let dimensions = box("ispe", [0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 30])
        let meta = box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", dimensions)))
        let start = box("ftyp", Array("avif".utf8) + [0, 0, 0, 0])
        let file = start + box("free", Array(repeating: 1, count: 2_000)) + meta + box("mdat", [1, 2, 3])
        let end = try save(file, "image/avif", chunks: size)
        #expect(end.image == ImageInfo(format: .avif, width: 40, height: 30))
        let refused = try save(file, "image/avif", chunks: size) { $0.settings.maxPixels = 1_000 }
        #expect(refused.error?.code == .tooLarge)
    }

    /// A GIF of five frames, with a comment of so many pieces of 255 bytes behind them.
    private static func gif(pieces: Int) -> [UInt8] {
        let frames = (0..<5).map { phase -> Bitmap in
            let pixels = (0..<32_400).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13 &+ phase) }
            return Bitmap(width: 90, height: 90, pixels: pixels)
        }
        let piece: [UInt8] = [255] + Array(repeating: 0x2C, count: 255)
        let comment: [UInt8] = [0x21, 0xFE] + Array(repeating: piece, count: pieces).joined() + [0]
        return Array(ImageEncoder.gif(frames).dropLast()) + comment + [0x3B]
    }

    private func serve(_ file: [UInt8], cut: Int) {
        origin.route("/a.gif") { request, number in
            var answer = OriginResponse.resource(.bytes(file), for: request, etag: "\"v1\"", lastModified: nil)
            if number == 1 { answer.fault = .close(after: cut) }
            return answer
        }
    }

    /// What an earlier transfer brought is read back, unless that would take long: then nothing is guessed.
    @Test(arguments: [100, 9_000]) func theFramesOfAContinuedAnimationAreCountedOrUntold(pieces: Int) throws {
        let file = Self.gif(pieces: pieces)
        serve(file, cut: file.count - 3_000)
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .never }
        harness.submit(origin.url("/a.gif"))
        let end = try #require(try harness.finish().taskEnds.first)
        #expect(end.outcome == .success && end.image?.frames == (pieces == 100 ? 5 : nil))
        #expect(harness.directory.contents(of: "a.gif") == file)
    }

    @Test func aContinuedPictureIsJudgedByItsSize() throws {
        let picture = ImageEncoder.jpeg(Bitmap(width: 40, height: 30, pixels: Array(repeating: 255, count: 4_800)))
        let comment = [0xFF, 0xFE, 0xEA, 0x62] + Array(repeating: UInt8(1), count: 60_000)
        // Cut before it is known for a picture, before its header and behind it.
        for cut in [1, 2, 9_000, 60_400] {
            serve(Array(picture[..<2] + comment + picture[2...]), cut: cut)
            let harness = try PipelineHarness(saves: true) {
                ($0.settings.decode, $0.settings.maxPixels) = (.never, 1_000)
            }
            harness.submit(origin.url("/a.gif"))
            #expect(try harness.finish().taskEnds.map(\.error?.code) == [.tooLarge])
        }
    }

    /// Its rest was left with the origin.
    @Test func theFramesOfWhatIsSkippedAreUntold() throws {
        let file = Self.gif(pieces: 9_000)
        origin.route("/a.gif", .bytes(file, type: "image/gif"))
        let harness = try PipelineHarness(saves: true) { ($0.settings.decode, $0.settings.onExists) = (.never, .skip) }
        #expect(FileTree.write("mine", to: harness.directory.path + "/a.gif"))
        harness.submit(origin.url("/a.gif"))
        let end = try #require(try harness.finish().taskEnds.first)
        #expect(end.outcome == .success && end.bytes < file.count && end.image == nil)
    }

    /// Whoever asks for a piece of a file is told nothing of the whole.
    @Test func theFramesOfAPieceAreUntold() throws {
        let file = Self.gif(pieces: 10)
        serve(file, cut: file.count)
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .never }
        let options = RequestOptions(headers: [HeaderField("Range", "bytes=0-1999")])
        harness.submit(origin.url("/a.gif"), options: options)
        let end = try #require(try harness.finish().taskEnds.first)
        #expect(end.status == 206 && end.bytes == 2_000 && end.image == nil)
    }

    /// It is no image by itself, however it begins; what has all of it is one.
    @Test(arguments: [("bytes=0-1999", false), ("bytes=100-", false), ("bytes=0-", true)])
    func aPieceThatTheUserAskedForIsNotDecoded(range: String, isWhole: Bool) throws {
        let file = Self.gif(pieces: 10)
        serve(file, cut: file.count)
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .always }
        harness.submit(origin.url("/a.gif"), options: RequestOptions(headers: [HeaderField("Range", range)]))
        let end = try #require(try harness.finish().taskEnds.first)
        #expect(end.outcome == .success && end.status == 206, "\(end.error?.message ?? "")")
        #expect((end.image != nil) == isWhole)
    }
}
