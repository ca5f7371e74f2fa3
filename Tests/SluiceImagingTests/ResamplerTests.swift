import SluiceCore
import Testing

struct ResamplerTests {
    private static func bitmap(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) -> Bitmap {
        let pixels = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    @Test(arguments: [
        ((4000, 3000), (320, 320), (320, 240)), ((3000, 4000), (320, 320), (240, 320)),
        ((100, 50), (320, 320), (100, 50)), ((10_000, 1), (10, 10), (10, 1)), ((1, 10_000), (10, 10), (1, 10)),
        ((300, 200), (0, -4), (1, 1)), ((3, 3), (2, 9), (2, 2)), ((65_535, 65_535), (7, 9), (7, 7)),
    ])
    func whatFitsKeepsItsShapeAndNeverGrows(size: (Int, Int), box: (Int, Int), fitted: (Int, Int)) {
        let result = Resampler.fit(width: size.0, height: size.1, into: (box.0, box.1))
        #expect(result == (fitted.0, fitted.1))
    }

    @Test func aBitmapOfTheRightSizeIsReturnedAsItIs() {
        let bitmap = TestImages.gradient(21, 13, alpha: true)
        #expect(Resampler.scale(bitmap, width: 21, height: 13).pixels == bitmap.pixels)
        #expect(Resampler.thumbnail(bitmap, width: 100, height: 100).pixels == bitmap.pixels)
    }

    @Test func oneColourStaysThatColourAtEverySize() {
        for color: [UInt8] in [
            [0, 0, 0, 255], [255, 255, 255, 255], [1, 128, 254, 255], [90, 3, 200, 77], [9, 9, 9, 1],
        ] {
            let bitmap = Self.bitmap(23, 17) { _, _ in color }
            for (width, height) in [(1, 1), (2, 3), (7, 17), (22, 16), (23, 1), (46, 40)] {
                let scaled = Resampler.scale(bitmap, width: width, height: height)
                let isSame = stride(from: 0, to: scaled.pixels.count, by: 4).allSatisfy { start in
                    (0..<4).allSatisfy { abs(Int(scaled.pixels[start + $0]) - Int(color[$0])) <= ($0 == 3 ? 0 : 1) }
                }
                #expect(isSame, "\(color) at \(width) × \(height)")
            }
        }
    }

    @Test func aFinePatternKeepsItsLight() {
        let board = Self.bitmap(64, 64) { x, y in (x + y).isMultiple(of: 2) ? [0, 0, 0, 255] : [255, 255, 255, 255] }
        let grey = Resampler.scale(board, width: 4, height: 4)
        #expect(grey.pixels.prefix(4) == [188, 188, 188, 255], "half the light is 188 of 255, not 127")
    }

    @Test func whatIsTransparentAddsNoColour() {
        let half = Self.bitmap(2, 1) { x, _ in x == 0 ? [255, 0, 0, 0] : [0, 0, 255, 255] }
        #expect(Resampler.scale(half, width: 1, height: 1).pixels == [0, 0, 255, 128])
        let none = Self.bitmap(8, 8) { _, _ in [200, 100, 50, 0] }
        #expect(Resampler.scale(none, width: 2, height: 2).pixels == [UInt8](repeating: 0, count: 16))
    }

    @Test func fractionsOfAPixelCount() {
        let three = Self.bitmap(3, 1) { x, _ in [0, 0, 0, x == 1 ? 240 : 0] }
        let two = Resampler.scale(three, width: 2, height: 1)
        #expect(two.pixels[3] == 80 && two.pixels[7] == 80, "a third of each new pixel")
    }

    @Test func aSmallPictureGrowsInSquares() {
        let two = Self.bitmap(2, 1) { x, _ in x == 0 ? [255, 0, 0, 255] : [0, 255, 0, 255] }
        let four = Resampler.scale(two, width: 4, height: 2)
        #expect(
            four.pixels == [
                255, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255,
                255, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255,
            ]
        )
    }

    @Test func aThumbnailOfAnAnimationMovesAndCostsItsOwnFrames() {
        let frames = (0..<3).map {
            Animation.Frame(bitmap: TestImages.squares(40, 20, phase: $0), delay: .milliseconds(40))
        }
        let image = DecodedImage(
            info: ImageInfo(format: .gif, width: 40, height: 20, frames: 9),
            bitmap: frames[0].bitmap,
            animation: Animation(frames: frames, loops: 2, isCutShort: true)
        )
        #expect(image.cost == 40 * 20 * 4 * 3)

        let small = Resampler.thumbnail(image, width: 10, height: 10)

        #expect((small.bitmap.width, small.bitmap.height) == (10, 5))
        #expect(small.animation?.frames.map(\.bitmap.width) == [10, 10, 10])
        #expect(small.animation?.loops == 2 && small.animation?.isCutShort == true)
        #expect(small.cost == 10 * 5 * 4 * 3 && small.info == image.info)
    }
}
