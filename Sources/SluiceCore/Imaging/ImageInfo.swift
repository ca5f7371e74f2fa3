/// What is known of an image without decoding it.
public struct ImageInfo: Equatable, Sendable {
    /// By its magic bytes, whatever its name and `Content-Type` say.
    public var format: ImageFormat
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// At least 1.
    public var frames: Int
    /// What a header says of an image.
    public init(format: ImageFormat, width: Int, height: Int, frames: Int = 1) {
        (self.format, self.width, self.height, self.frames) = (format, width, height, frames)
    }
}
