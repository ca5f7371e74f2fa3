import SluiceCore
import SluiceImaging
import Testing

struct AVIFDecoderTests {
    /// The colour in the middle of each quarter, as a letter.
    private static func quarters(_ bitmap: Bitmap) -> String {
        let colors: [(Character, [Int])] = [
            ("r", [230, 20, 20, 255]), ("g", [20, 200, 40, 255]), ("b", [30, 60, 230, 255]),
            ("w", [240, 240, 240, 255]), (".", [240, 240, 240, 0]),
        ]
        return String(
            [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
                let start = (bitmap.height * y / 4 * bitmap.width + bitmap.width * x / 4) * 4
                let pixel = bitmap.pixels[start..<start + 4].map { Int($0) }
                return colors.first { zip($0.1, pixel).allSatisfy { abs($0 - $1) <= 24 } }?.0 ?? "?"
            }
        )
    }

    @Test func picturesAreDecodedUpright() throws {
        // Stored: red, green over blue, white. A turn against the clock brings the right side up.
        for (file, width, height, quarters) in [
            (AVIFSamples.still, 16, 12, "rgbw"), (AVIFSamples.withAlpha, 16, 12, "rgb."),
            (AVIFSamples.turned, 12, 16, "gwrb"), (AVIFSamples.mirrored, 12, 16, "wgbr"),
        ] {
            let image = try TestImages.decode(file)
            #expect(image.info == ImageInfo(format: .avif, width: width, height: height))
            let header = ImageInfo.read(file.span)
            #expect(header == image.info)
            #expect((image.bitmap.width, image.bitmap.height) == (width, height))
            #expect(Self.quarters(image.bitmap) == quarters)
        }
    }

    @Test func sequencesMove() throws {
        let image = try TestImages.decode(AVIFSamples.moving)
        let animation = try #require(image.animation)
        #expect(image.info.frames == 3 && image.cost == 16 * 12 * 4 * 3)
        #expect(animation.frames.map { Self.quarters($0.bitmap) } == ["rgbw", "gbwr", "bwrg"])
        #expect(animation.frames.map(\.delay) == Array(repeating: .milliseconds(70), count: 3))
    }

    @Test func hugeDimensionsAreRefusedByTheirHeader() throws {
        var file = AVIFSamples.still
        let start = try #require((0..<file.count - 4).first { file[$0..<$0 + 4].elementsEqual("ispe".utf8) })
        file.replaceSubrange(start + 8..<start + 16, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(file, maxPixels: 100_000_000) }
        #expect(error?.code == .tooLarge && error?.message.contains("900,000,000") == true)

        file.replaceSubrange(start + 8..<start + 16, with: [0, 0, 0, 0, 0, 0, 0, 9])
        let empty = #expect(throws: DownloadError.self) { try TestImages.decode(file) }
        #expect(empty?.code == .badImage)
    }

    @Test func aHeaderWithoutAPictureIsDamaged() {
        let error = #expect(throws: DownloadError.self) {
            try TestImages.decode([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69, 0x66])
        }
        #expect(error?.code == .badImage)
    }
}
