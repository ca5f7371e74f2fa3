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

/// How large a picture has to be, and whether it has to move.
public struct PictureRequest: Equatable, Sendable {
    /// Comes back with the answer.
    public let ask: Int
    /// As the pipeline knows it; a merge key's URL.
    public let url: String
    /// In pixels; what is larger is scaled down to fit.
    public let width: Int
    /// As ``width``.
    public let height: Int
    /// Whether all frames are wanted, or only the first.
    public let moves: Bool
}

/// The answer to a ``PictureRequest``.
public enum PictureNews: Sendable {
    /// Scaled as it was asked for.
    case picture(Picture)
    /// There is none, and why.
    case none(String)
}

/// What can be seen of an image that is still being loaded.
///
/// Made off the screen's thread, which only cuts what is small already.
public struct PictureSketch: Sendable {
    /// Whose image it is.
    public let task: TaskID
    /// What has arrived; the rest is transparent.
    public let bitmap: Bitmap
    /// As small as a tile of the gallery needs it.
    let tile: Bitmap

    /// - Parameters:
    ///   - task: Whose image it is.
    ///   - bitmap: What has not arrived is transparent.
    public init(task: TaskID, bitmap: Bitmap) {
        (self.task, self.bitmap) = (task, bitmap)
        let size = PictureState.tileProof
        tile = Resampler.thumbnail(bitmap, width: size.width, height: size.height)
    }
}
