import SluiceCore
import SluiceImaging
import SluicePictures
import Testing

struct BombTests {
    private static let jpegStart: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFF, 0xDC, 0xFF, 0xDC, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1,
    ]
    private static let webpStart: [UInt8] =
        Array("RIFF".utf8) + [30, 0, 0, 0] + Array("WEBPVP8L".utf8) + [17, 0, 0, 0, 0x2F, 0xFE, 0xBF, 0xFF, 0x0F]
        + [UInt8](repeating: 0, count: 13)
    private static let gifStart: [UInt8] =
        Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0, 0, 1, 1, 1, 0x3B]

    @Test(arguments: [
        (PNGWriter.start(width: 30_000, height: 30_000) + PNGWriter.chunk("IEND", []), "900,000,000", 900_000_000),
        (jpegStart, "65,500 × 65,500", 65_500 * 65_500), (gifStart, "65,535 × 65,535", 65_535 * 65_535),
        (webpStart, "16,383 × 16,383", 16_383 * 16_383),
    ])
    func hugeDimensionsAreRefusedByTheirHeader(bytes: [UInt8], figures: String, pixels: Int) {
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(bytes, maxPixels: 100_000_000) }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains(figures) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("raise maxPixels") == true)
        #expect(error?.limit == DownloadError.Limit(.maxPixels, needed: pixels))
    }

    @Test func aHeaderAloneIsEnoughToRefuse() {
        let error = #expect(throws: DownloadError.self) {
            try TestImages.decode(PNGWriter.start(width: 30_000, height: 30_000))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func theLimitItselfIsAllowed() throws {
        // Light of 16 bits, and the two canvases of a player, take twice the bytes of the bitmap beside it.
        let demanding = ["png-interlaced-16", "webp-animated"]
        for (name, _, bytes) in TestImages.files where bytes.count > 0 {
            let info = try TestImages.decode(bytes).info
            let pixels = info.width * info.height
            let least = demanding.contains(name) ? pixels * 3 / 2 : pixels
            #expect(throws: Never.self) { try TestImages.decode(bytes, maxPixels: least) }
            let error = #expect(throws: DownloadError.self) { try TestImages.decode(bytes, maxPixels: least - 1) }
            #expect(error?.code == .tooLarge)
            #expect(error?.limit?.needed == least, "one step is enough for \(name)")
        }
    }

    @Test func theLargestLimitOverflowsNothing() throws {
        for file in TestImages.files { _ = try TestImages.decode(file.bytes, maxPixels: .max) }
        let giant = PNGWriter.start(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(giant, maxPixels: .max) }
        #expect(error?.code == .tooLarge)
    }

    @Test func progressiveCoefficientsCountAsMemory() throws {
        let bitmap = TestImages.gradient(64, 64)
        let sparse = ImageEncoder.jpeg(bitmap, isProgressive: true, color: .quarter)
        let full = ImageEncoder.jpeg(bitmap, isProgressive: true, color: .full)

        #expect(throws: Never.self) { try TestImages.decode(sparse, maxPixels: 4096) }
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(full, maxPixels: 4096) }
        #expect(error?.code == .tooLarge)
        #expect(throws: Never.self) { try TestImages.decode(full, maxPixels: 5120) }
        let needed = try #require(error?.limit?.needed)
        #expect(throws: Never.self, "the error says what is enough") { try TestImages.decode(full, maxPixels: needed) }
    }

    @Test(arguments: [
        PNGWriter.start(width: 0, height: 5), Array("GIF89a".utf8) + [0, 0, 5, 0, 0, 0, 0, 0x3B],
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 0, 0, 5, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
    ])
    func noPixelsAreABadImage(bytes: [UInt8]) {
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(bytes) }
        #expect(error?.code == .badImage)
        #expect(error?.message.contains("without pixels") == true)
    }

    /// Hundreds of frames that nobody sees would take minutes.
    @Test func hugeFramesOnASmallCanvasAreNotAllDecoded() throws {
        let frames = (0..<20).map { _ in GIFWriter.Frame(width: 3_000, height: 3_000, pixels: []) }
        let file = GIFWriter(width: 1, height: 1, frames: frames).file

        let image = try TestImages.decode(file, maxPixels: 10_000_000)

        let animation = try #require(image.animation)
        #expect(image.info.frames == 20 && animation.frames.count == 5 && animation.isCutShort)
        #expect(animation.frames.allSatisfy { $0.bitmap.pixels == [0, 0, 0, 255] })
    }

    @Test func framesThatReachBeyondTheCanvasAreAllDecoded() throws {
        let frames = (0..<12).map { _ in GIFWriter.Frame(left: 500, width: 1_000, height: 2_000, pixels: []) }
        let file = GIFWriter(width: 1_000, height: 1_000, frames: frames).file

        let image = try TestImages.decode(file, maxPixels: 10_000_000)

        #expect(image.animation?.frames.count == 12 && image.animation?.isCutShort == false)
    }

    @Test func aHugeFrameOnASmallCanvasIsRefused() {
        let file =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 1, 1, 1]
            + [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 1, 0x44, 0, 0x3B]
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(file) }
        #expect(error?.code == .tooLarge)
    }
}
