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

    /// What a decoder made of a file.
    ///
    /// - Parameters:
    ///   - info: What the file says of itself.
    ///   - bitmap: The first frame, or the thumbnail.
    ///   - animation: All kept frames, the first among them; `nil` for a picture that stands still.
    public init(info: ImageInfo, bitmap: Bitmap, animation: Animation? = nil) {
        (self.info, self.bitmap, self.animation) = (info, bitmap, animation)
    }
}
