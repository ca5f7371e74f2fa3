internal import SluiceCore

/// Scales one image to several sizes, on a thread of the pool.
struct ThumbnailJob: Sendable {
    let image: DecodedImage
    let sizes: Set<ThumbnailSize>

    func run() -> [ThumbnailSize: DecodedImage] {
        var made: [ThumbnailSize: DecodedImage] = [:]
        for size in sizes { made[size] = Resampler.thumbnail(image, width: size.width, height: size.height) }
        return made
    }
}
