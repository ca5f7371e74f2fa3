import SluiceCore
import SluiceImaging
import SluicePictures

/// Small bitmaps and files that the tests of the decoders share.
enum TestImages {
    /// A smooth picture with a different value in every channel.
    static func gradient(_ width: Int, _ height: Int, alpha: Bool = false) -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (red, green) = (x * 255 / max(1, width - 1), y * 255 / max(1, height - 1))
                pixels += [UInt8(red), UInt8(green), UInt8((x + y) * 255 / (width + height)), alpha ? UInt8(red) : 255]
            }
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    /// Few colours, in squares; the first is transparent if asked for.
    static func squares(_ width: Int, _ height: Int, hasTransparency: Bool = false, phase: Int = 0) -> Bitmap {
        let colors: [[UInt8]] = [[0, 0, 0, 0], [255, 0, 0, 255], [0, 120, 255, 255], [250, 250, 250, 255]]
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let index = (x / 3 + y / 2 * 3 + phase) % 4
                pixels += index == 0 && !hasTransparency ? [1, 2, 3, 255] : colors[index]
            }
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    /// One file of each kind that is decoded.
    static let files: [(name: String, format: ImageFormat, bytes: [UInt8])] = {
        let (smooth, plain) = (gradient(21, 13, alpha: true), squares(21, 13, hasTransparency: true))
        return [
            ("png", .png, ImageEncoder.png(smooth)),
            (
                "png-interlaced-16", .png,
                PNGWriter(depth: 16, color: .rgba, isInterlaced: true).file(width: 9, height: 7)
            ),
            ("jpeg", .jpeg, ImageEncoder.jpeg(smooth)),
            ("jpeg-progressive", .jpeg, ImageEncoder.jpeg(smooth, isProgressive: true)),
            ("jpeg-grey", .jpeg, ImageEncoder.jpeg(smooth, color: .grey)),
            ("jpeg-cmyk", .jpeg, ImageEncoder.jpeg(smooth, color: .cmyk)),
            ("gif", .gif, ImageEncoder.gif([plain])),
            ("gif-interlaced", .gif, ImageEncoder.gif([smooth], isInterlaced: true)),
            ("gif-animated", .gif, ImageEncoder.gif((0..<3).map { squares(21, 13, phase: $0) })),
            ("webp", .webp, ImageEncoder.webp(smooth)),
            ("webp-opaque", .webp, ImageEncoder.webp(gradient(21, 13))),
            ("webp-lossless", .webp, ImageEncoder.webp(smooth, quality: nil)),
            ("webp-animated", .webp, ImageEncoder.animatedWebP((0..<3).map { squares(21, 13, phase: $0) })),
            ("avif", .avif, AVIFSamples.withAlpha), ("avif-animated", .avif, AVIFSamples.moving),
        ]
    }()

    static func decode(_ bytes: [UInt8], maxPixels: Int = 1_000_000) throws(DownloadError) -> DecodedImage {
        try CodecDecoder().decode(bytes.span, maxPixels: maxPixels)
    }

    /// The largest difference of any channel, or 256 for different sizes.
    static func difference(_ left: Bitmap, _ right: Bitmap, ignoringAlpha: Bool = false) -> Int {
        guard left.width == right.width, left.height == right.height else { return 256 }
        var largest = 0
        for index in left.pixels.indices where !ignoringAlpha || index % 4 != 3 {
            largest = max(largest, abs(Int(left.pixels[index]) - Int(right.pixels[index])))
        }
        return largest
    }
}
