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
    case avif
    /// Known, not decoded, like those below: succeeds as data.
    case heif
    case tiff
    case bmp
    case ico
    case svg
    case jxl

    /// Whether Sluice decodes it.
    public var isDecodable: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp, .avif: true
        case .heif, .tiff, .bmp, .ico, .svg, .jxl: false
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

/// The frames of a picture that moves, each whole: nothing is left to compose.
public struct Animation: Sendable {
    public struct Frame: Sendable {
        public var bitmap: Bitmap
        /// How long it is shown; above 0.
        public var delay: Duration

        public init(bitmap: Bitmap, delay: Duration) { (self.bitmap, self.delay) = (bitmap, delay) }
    }

    /// In order, from the first; at least one, all of one size.
    public var frames: [Frame]
    /// How often all of them are played; 0 means without end.
    public var loops: Int
    /// Whether the file has more frames than were kept.
    public var isCutShort: Bool

    public init(frames: [Frame], loops: Int, isCutShort: Bool = false) {
        (self.frames, self.loops, self.isCutShort) = (frames, loops, isCutShort)
    }
}

/// A decoded image and what it was decoded from.
public final class DecodedImage: Sendable {
    /// What the file is; a thumbnail still tells of the original.
    public let info: ImageInfo
    /// The first frame.
    public let bitmap: Bitmap
    /// What follows, where more than one frame was kept.
    public let animation: Animation?
    /// What the memory cache charges, in bytes.
    public var cost: Int { bitmap.width * bitmap.height * 4 * (animation?.frames.count ?? 1) }

    public init(info: ImageInfo, bitmap: Bitmap, animation: Animation? = nil) {
        (self.info, self.bitmap, self.animation) = (info, bitmap, animation)
    }
}

/// Turns bytes into bitmaps.
///
/// Called on a blocking pool thread, several at once.
public protocol ImageDecoding: Sendable {
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - maxPixels: Width × height above this is refused before anything is allocated. `1...`
    /// - Returns: The frames, the right way up, and what the file says of itself.
    /// - Throws: `badImage` for corrupt or truncated bytes and 0 pixels, `tooLarge` above `maxPixels`,
    ///   `unsupported` for a format that is not decoded.
    func decode(_ bytes: Span<UInt8>, maxPixels: Int) throws(DownloadError) -> DecodedImage

    /// Decodes what has arrived of an image, as coarse as it may be.
    ///
    /// - Parameters:
    ///   - prefix: The start of a file.
    ///   - maxPixels: As in ``decode(_:maxPixels:)``.
    ///   - width: What is larger than this may be decoded smaller. In pixels.
    ///   - height: As `width`.
    /// - Returns: What can be seen, transparent where nothing arrived; `nil` if that is nothing yet, or the format
    ///   gives nothing before its end.
    func sketch(_ prefix: Span<UInt8>, maxPixels: Int, width: Int, height: Int) -> Bitmap?
}

extension ImageDecoding {
    /// Shows nothing before the end.
    public func sketch(_ prefix: Span<UInt8>, maxPixels: Int, width: Int, height: Int) -> Bitmap? { nil }
}
