import SluiceCore
import SluiceImaging
import SluicePictures
import Testing

struct SketcherTests {
    private static func sketch(_ bytes: [UInt8], _ box: (Int, Int) = (512, 384)) -> Bitmap? {
        CodecDecoder().sketch(bytes.span, maxPixels: 1_000_000, width: box.0, height: box.1)
    }

    /// A picture that does not compress well, so that half of the file is half of the picture.
    private static let noise: Bitmap = {
        var (pixels, state): ([UInt8], UInt32) = ([], 1)
        for index in 0..<96 * 64 * 4 {
            state = state &* 1_664_525 &+ 1_013_904_223
            pixels.append(index % 4 == 3 ? 255 : UInt8(state >> 24))
        }
        return Bitmap(width: 96, height: 64, pixels: pixels)
    }()

    private static func rows(_ bitmap: Bitmap) -> (opaque: Int, clear: Int) {
        let opaque = (0..<bitmap.height).filter { bitmap.pixels[($0 * bitmap.width) * 4 + 3] == 255 }.count
        return (opaque, bitmap.height - opaque)
    }

    @Test func halfAFileIsHalfAPicture() throws {
        for file in [ImageEncoder.png(Self.noise), ImageEncoder.jpeg(Self.noise, quality: 95, color: .full)] {
            let sketch = try #require(Self.sketch(Array(file.prefix(file.count / 2))))
            #expect((sketch.width, sketch.height) == (96, 64))
            let rows = Self.rows(sketch)
            #expect((20...44).contains(rows.opaque) && rows.clear >= 20, "\(rows)")
            let whole = try TestImages.decode(file).bitmap
            let above = 0..<96 * 8 * 4
            // Coarse is enough for what is replaced soon.
            #expect(above.allSatisfy { abs(Int(sketch.pixels[$0]) - Int(whole.pixels[$0])) <= 16 })
        }
    }

    @Test func aProgressiveFileIsCoarseAndWhole() throws {
        let file = ImageEncoder.jpeg(TestImages.gradient(96, 64), quality: 95, isProgressive: true)
        let sketch = try #require(Self.sketch(Array(file.prefix(file.count * 2 / 3))))
        #expect(Self.rows(sketch).clear == 0)
        #expect(TestImages.difference(sketch, TestImages.gradient(96, 64)) < 96)
    }

    @Test func aLargePictureIsDecodedSmaller() throws {
        let file = ImageEncoder.jpeg(TestImages.gradient(400, 200))
        let sketch = try #require(Self.sketch(file, (60, 60)))
        #expect((sketch.width, sketch.height) == (100, 50), "a quarter is the smallest that is large enough")
    }

    @Test func tooLittleIsNothingAndNeverAnError() {
        for file in TestImages.files {
            for count in stride(from: 0, through: file.bytes.count, by: 7) {
                let sketch = Self.sketch(Array(file.bytes.prefix(count)))
                #expect(sketch.map { $0.width > 0 } ?? true)
            }
        }
        #expect(Self.sketch(PNGWriter.start(width: 30_000, height: 30_000)) == nil, "over the limit")
    }
}
