import SluiceCore
import SluiceImaging
import SluicePictures
import Testing

struct CodecDecoderTests {
    @Test(arguments: [(1, 1), (1, 9), (21, 13), (64, 3)]) func losslessFormatsGiveTheSamePixels(
        width: Int,
        height: Int
    ) throws {
        let smooth = TestImages.gradient(width, height, alpha: true)
        let opaque = TestImages.gradient(width, height)
        let plain = TestImages.squares(width, height, hasTransparency: true)
        let files: [([UInt8], Bitmap)] = [
            (ImageEncoder.png(smooth), smooth), (ImageEncoder.png(opaque), opaque),
            (ImageEncoder.webp(smooth, quality: nil), smooth), (ImageEncoder.webp(plain, quality: nil), plain),
            (ImageEncoder.gif([plain]), plain), (ImageEncoder.gif([plain], isInterlaced: true), plain),
        ]
        for (bytes, bitmap) in files {
            let image = try TestImages.decode(bytes)
            #expect(TestImages.difference(image.bitmap, bitmap) == 0, "\(image.info)")
            #expect(image.info.width == width)
            #expect(image.info.height == height)
            #expect(image.cost == width * height * 4)
        }
    }

    @Test(arguments: [ImageEncoder.JPEGColor.full, .quarter], [false, true])
    func lossyFormatsGiveNearlyTheSamePixels(color: ImageEncoder.JPEGColor, isProgressive: Bool) throws {
        let bitmap = TestImages.gradient(64, 48)
        let jpeg = ImageEncoder.jpeg(bitmap, quality: 95, isProgressive: isProgressive, color: color)
        #expect(TestImages.difference(try TestImages.decode(jpeg).bitmap, bitmap) < 16)
        let webp = ImageEncoder.webp(bitmap, quality: 95)
        #expect(TestImages.difference(try TestImages.decode(webp).bitmap, bitmap) < 24)
    }

    @Test func greyJPEGHasEqualChannels() throws {
        let image = try TestImages.decode(ImageEncoder.jpeg(TestImages.gradient(16, 16), color: .grey))
        for offset in stride(from: 0, to: image.bitmap.pixels.count, by: 4) {
            let pixel = image.bitmap.pixels[offset..<offset + 4]
            #expect(Set(pixel.dropLast()).count == 1)
            #expect(pixel.last == 255)
        }
    }

    @Test func inksBecomeLight() throws {
        // Inverted inks: 255 is none. A full black takes all light; a half cyan half of the red.
        let inks: [([UInt8], [UInt8])] = [
            ([255, 255, 255, 255], [255, 255, 255]), ([255, 255, 255, 0], [0, 0, 0]),
            ([128, 255, 255, 255], [128, 255, 255]), ([255, 128, 0, 128], [128, 64, 0]),
        ]
        for (ink, light) in inks {
            let bitmap = Bitmap(width: 8, height: 8, pixels: (0..<64).flatMap { _ in ink })
            let file = ImageEncoder.jpeg(bitmap, quality: 100, color: .cmyk)
            let pixel = try TestImages.decode(file).bitmap.pixels.prefix(4)
            for (value, expected) in zip(pixel, light + [255]) { #expect(abs(Int(value) - Int(expected)) <= 3) }
        }
    }

    @Test(arguments: [
        (1, PNGWriter.Color.grey), (2, .grey), (4, .grey), (8, .grey), (16, .grey), (8, .rgb), (16, .rgb),
        (1, .palette), (2, .palette), (4, .palette), (8, .palette), (8, .greyAlpha), (16, .greyAlpha), (8, .rgba),
        (16, .rgba),
    ])
    func everyKindOfPNGIsTheSameInterlaced(depth: Int, color: PNGWriter.Color) throws {
        var writer = PNGWriter(depth: depth, color: color)
        let plain = try TestImages.decode(writer.file(width: 13, height: 11)).bitmap
        writer.isInterlaced = true
        let interlaced = try TestImages.decode(writer.file(width: 13, height: 11)).bitmap

        // Interlaced pictures of 16 bits go through premultiplied light, where little alpha means little precision.
        let tolerance = depth < 16 ? 0 : color == .rgba || color == .greyAlpha ? 6 : 1
        #expect(TestImages.difference(plain, interlaced) <= tolerance)
        if depth == 8, color == .rgb {
            for channel in 0..<3 {
                #expect(
                    Int(plain.pixels[(5 * 13 + 4) * 4 + channel])
                        == PNGWriter.sample(x: 4, y: 5, channel: channel, depth: 8)
                )
            }
        }
        if color == .palette {
            let index = PNGWriter.sample(x: 4, y: 5, channel: 0, depth: depth)
            #expect(
                plain.pixels[(5 * 13 + 4) * 4..<(5 * 13 + 4) * 4 + 2].elementsEqual([UInt8(index), UInt8(255 - index)])
            )
        }
    }

    @Test func animationsGiveTheirFirstFrameAndTheNumberOfFrames() throws {
        let frames = (0..<5).map { TestImages.squares(12, 10, phase: $0) }
        for bytes in [ImageEncoder.gif(frames), ImageEncoder.animatedWebP(frames, quality: nil)] {
            let image = try TestImages.decode(bytes)
            #expect(image.info.frames == 5)
            #expect(TestImages.difference(image.bitmap, frames[0]) == 0, "\(image.info.format)")
        }
    }

    @Test func framesBesideTheCanvasAreCut() throws {
        // A screen of 4 × 4; its frame of 3 × 3 begins at 2, 2 and is drawn in the second colour.
        let file: [UInt8] =
            Array("GIF89a".utf8) + [4, 0, 4, 0, 0x80, 0, 0] + [0, 0, 0, 9, 8, 7] + [0x2C, 2, 0, 2, 0, 3, 0, 3, 0, 0]
            + Self.lzwOnes(9) + [0x3B]
        let bitmap = try TestImages.decode(file).bitmap
        let drawn = (0..<16).filter { bitmap.pixels[$0 * 4..<$0 * 4 + 4].elementsEqual([9, 8, 7, 255]) }
        #expect(drawn == [10, 11, 14, 15])
    }

    /// A GIF's picture data that is all ones, without any compression: each code is followed by a reset.
    private static func lzwOnes(_ count: Int) -> [UInt8] {
        var bits: [Int] = []
        func add(_ code: Int) { for bit in 0..<3 { bits.append(code >> bit & 1) } }
        for _ in 0..<count {
            add(4)
            add(1)
        }
        add(5)
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].enumerated().reduce(UInt8(0)) {
                $0 | UInt8($1.element) << $1.offset
            }
        }
        return [2, UInt8(bytes.count)] + bytes + [0]
    }

    @Test(arguments: [
        ("", "empty"), ("<!DOCTYPE html><html>", "HTML"), ("\u{FEFF}  <HTML>", "HTML"), ("plain text", "known format"),
    ])
    func whatIsNoImageSaysWhatItIs(text: String, word: String) {
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(Array(text.utf8)) }
        #expect(error?.code == .badImage)
        #expect(error?.message.contains(word) == true)
    }

    @Test(arguments: [
        [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x68, 0x65, 0x69, 0x63], [0x49, 0x49, 42, 0, 8, 0, 0, 0],
        Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
    ])
    func otherFormatsAreUnsupportedAndNotDamaged(bytes: [UInt8]) {
        #expect(throws: DownloadError.self) { try TestImages.decode(bytes) }
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(bytes) }
        #expect(error?.code == .unsupported)
    }
}
