public import SluiceCore

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
    /// Whether nothing of it can be seen yet: the head of the file is there, and no row.
    let isBlank: Bool

    /// - Parameters:
    ///   - task: Whose image it is.
    ///   - bitmap: What has not arrived is transparent.
    public init(task: TaskID, bitmap: Bitmap) {
        (self.task, self.bitmap) = (task, bitmap)
        let size = PictureState.tileProof
        let tile = Resampler.thumbnail(bitmap, width: size.width, height: size.height)
        isBlank = stride(from: 3, to: tile.pixels.count, by: 4).allSatisfy { tile.pixels[$0] < CellImage.leastAlpha }
        self.tile = tile
    }
}
