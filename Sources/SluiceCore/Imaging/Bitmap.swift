/// A decoded image: rows of RGBA pixels, 8 bits a channel, not premultiplied, top row first.
public struct Bitmap: Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// `width × height × 4` bytes.
    public let pixels: [UInt8]

    /// - Precondition: `pixels` holds `width × height × 4` bytes.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height * 4, "a pixel has four bytes")
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }
}

/// The formats that Sluice knows by their magic bytes.
public enum ImageFormat: String, CaseIterable, Sendable {
    case png
    case jpeg
    case gif
    case webp
    /// Known, not decoded: succeeds as data.
    case avif
    case heif
    case tiff
    case bmp
    case ico
    case svg
    case jxl

    /// Whether Sluice decodes it.
    public var isDecodable: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp: true
        case .avif, .heif, .tiff, .bmp, .ico, .svg, .jxl: false
        }
    }
}

/// What is known of an image without decoding it.
public struct ImageInfo: Equatable, Sendable {
    public var format: ImageFormat
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// At least 1.
    public var frames: Int
    public init(format: ImageFormat, width: Int, height: Int, frames: Int = 1) {
        (self.format, self.width, self.height, self.frames) = (format, width, height, frames)
    }
}

/// A decoded image and what it was decoded from.
public final class DecodedImage: Sendable {
    public let info: ImageInfo
    /// The first frame.
    public let bitmap: Bitmap
    /// What the memory cache charges, in bytes.
    public var cost: Int { bitmap.width * bitmap.height * 4 }
    public init(info: ImageInfo, bitmap: Bitmap) { (self.info, self.bitmap) = (info, bitmap) }
}

/// Turns bytes into bitmaps.
///
/// Called on a blocking pool thread, several at once.
public protocol ImageDecoding: Sendable {
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - maxPixels: Width × height above this is refused before anything is allocated. `1...`
    /// - Returns: The first frame, and what the file says of itself.
    /// - Throws: `badImage` for corrupt or truncated bytes and 0 pixels, `tooLarge` above `maxPixels`,
    ///   `unsupported` for a format that is not decoded.
    func decode(_ bytes: Span<UInt8>, maxPixels: Int) throws(DownloadError) -> DecodedImage
}
