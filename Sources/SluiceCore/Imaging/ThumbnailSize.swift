/// The box that an image is scaled down to fit; its shape stays.
public struct ThumbnailSize: Hashable, Sendable {
    /// What either side may be, in pixels.
    public static let range = 1...16_384

    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int

    /// - Precondition: Both are in ``range``.
    public init(width: Int, height: Int) {
        precondition(Self.range ~= width && Self.range ~= height, "a thumbnail has a size that is allowed")
        (self.width, self.height) = (width, height)
    }

    /// What tells this variant of an image from others in the memory cache.
    public var id: String { "thumb-\(width)x\(height)" }
}
