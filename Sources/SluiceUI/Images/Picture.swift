public import SluiceCore

/// An image as the screen keeps it: small, and with all that is told of it.
///
/// Made off the screen's thread, out of what the pipeline answered.
public struct Picture: Sendable {
    /// No two that were made are equal.
    public let id: Int
    /// Scaled; at least one, and only one of what stands still or need not move.
    public let frames: [Animation.Frame]
    /// As in ``Animation/loops``.
    public let loops: Int
    /// What the file is, in its own size.
    public let info: ImageInfo
    /// What the memory cache charges for the original, in bytes.
    public let cost: Int
    /// As many frames of the original as were kept.
    public let keptFrames: Int

    /// - Parameters:
    ///   - id: A number that was not used before.
    ///   - image: What the pipeline has.
    ///   - proof: The same, scaled down; it is what is kept.
    public init(id: Int, of image: DecodedImage, proof: DecodedImage) {
        (self.id, info, cost) = (id, image.info, image.cost)
        frames = proof.animation?.frames ?? [Animation.Frame(bitmap: proof.bitmap, delay: .zero)]
        loops = proof.animation?.loops ?? 1
        keptFrames = image.animation?.frames.count ?? 1
    }
}
