import SluiceCore
import SluiceOrigin
import SluicePictures

/// Images for tests, drawn and encoded here.
enum Picture {
    /// A gradient; its cost in the memory cache is width × height × 4.
    static func bitmap(width: Int, height: Int) -> Bitmap {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                pixels += [UInt8(truncatingIfNeeded: x * 7), UInt8(truncatingIfNeeded: y * 5), 128, 255]
            }
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    static func png(width: Int, height: Int) -> [UInt8] { ImageEncoder.png(bitmap(width: width, height: height)) }
}
