import SluiceCore
import SluiceImaging
import SluicePictures
import Testing

struct AnimationTests {
    typealias Frame = GIFWriter.Frame

    /// The frames of an animation as text: a dot is transparent, `k r g b` are the colours.
    private static func shown(_ image: DecodedImage) -> [String] {
        (image.animation?.frames.map(\.bitmap) ?? [image.bitmap]).map { bitmap in
            stride(from: 0, to: bitmap.pixels.count, by: 4).map { start in
                let index = GIFWriter.colors.firstIndex(of: Array(bitmap.pixels[start..<start + 4]))
                return index.map { Array("krgb")[$0] } ?? "."
            }.map(String.init).joined()
        }
    }

    @Test(arguments: [
        // What stays, is cleared, and comes back: the second frame draws one pixel at 1.
        (0, ["rrr", "rgr", "rgb"]), (1, ["rrr", "rgr", "rgb"]), (2, ["rrr", "rgr", "r.b"]), (3, ["rrr", "rgr", "rrb"]),
    ])
    func disposalDecidesWhatTheNextFrameIsDrawnOn(disposal: Int, frames: [String]) throws {
        let file = GIFWriter(
            width: 3,
            height: 1,
            frames: [
                Frame(width: 3, height: 1, pixels: [1, 1, 1]),
                Frame(left: 1, width: 1, height: 1, pixels: [2], disposal: disposal),
                Frame(left: 2, width: 1, height: 1, pixels: [3]),
            ]
        ).file
        #expect(Self.shown(try TestImages.decode(file)) == frames)
    }

    @Test func aTransparentColourLeavesWhatWasThere() throws {
        let file = GIFWriter(
            width: 2,
            height: 2,
            frames: [
                Frame(left: 1, width: 1, height: 2, pixels: [1, 2]),
                Frame(width: 2, height: 2, pixels: [3, 0, 0, 3], transparent: 0),
            ]
        ).file
        #expect(Self.shown(try TestImages.decode(file)) == [".r.g", "br.b"])
    }

    @Test func delaysAndLoopsComeFromTheFile() throws {
        let delays = [0, 1, 2, 7, 250]
        let frames = delays.map { Frame(width: 1, height: 1, pixels: [1], delay: $0) }
        for (loops, expected) in [(nil, 1), (0, 0), (3, 3)] as [(Int?, Int)] {
            let file = GIFWriter(width: 1, height: 1, frames: frames, loops: loops).file
            let animation = try #require(try TestImages.decode(file).animation)
            #expect(animation.loops == expected)
            #expect(animation.frames.map(\.delay) == [100, 100, 20, 70, 2_500].map { .milliseconds($0) })
        }
        let webp = ImageEncoder.animatedWebP((0..<3).map { TestImages.squares(8, 8, phase: $0) }, delay: 40)
        let animation = try #require(try TestImages.decode(webp).animation)
        #expect(animation.frames.map(\.delay) == Array(repeating: .milliseconds(40), count: 3) && animation.loops == 0)
    }

    @Test func everyFrameIsDecodedAndCounted() throws {
        let frames = (0..<5).map { TestImages.squares(12, 10, phase: $0) }
        for bytes in [ImageEncoder.gif(frames), ImageEncoder.animatedWebP(frames, quality: nil)] {
            let image = try TestImages.decode(bytes)
            let animation = try #require(image.animation)
            #expect(animation.frames.count == 5 && image.info.frames == 5 && !animation.isCutShort)
            #expect(image.cost == 12 * 10 * 4 * 5)
            for (decoded, frame) in zip(animation.frames, frames) {
                #expect(TestImages.difference(decoded.bitmap, frame) == 0, "\(image.info.format)")
            }
        }
    }

    @Test func aStillPictureIsNoAnimation() throws {
        for bytes in [
            ImageEncoder.gif([TestImages.squares(4, 4)]), ImageEncoder.animatedWebP([TestImages.squares(4, 4)]),
        ] {
            let image = try TestImages.decode(bytes)
            #expect(image.animation == nil && image.info.frames == 1 && image.cost == 64)
        }
    }

    @Test func aDamagedLaterFrameIsAnError() throws {
        var file = GIFWriter(
            width: 4,
            height: 1,
            frames: (0..<2).map { _ in Frame(width: 4, height: 1, pixels: [1, 1, 1, 1]) }
        ).file
        // A code that no table has, in the last frame: its data starts seven bytes before the end.
        file[file.count - 6] = 0xFF
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(file) }
        #expect(error?.code == .badImage)
    }

    @Test func aHugeAnimationKeepsWhatMemoryIsWorth() throws {
        // A frame of a canvas of 1000 × 1000 takes 4 MB: twelve fit 48 MiB. One of 2600 × 2600 is alone.
        for (side, count, kept) in [(1_000, 20, 12), (2_600, 3, 1)] {
            let frames = (0..<count).map { _ in Frame(width: 1, height: 1, pixels: [1]) }
            let file = GIFWriter(width: side, height: side, frames: frames).file

            let image = try TestImages.decode(file, maxPixels: 100_000_000)

            #expect(image.info.frames == count)
            #expect((image.animation?.frames.count ?? 1) == kept)
            #expect(image.animation.map(\.isCutShort) ?? true)
            #expect(image.cost == side * side * 4 * kept)
        }
    }
}
