internal import SluiceCore

/// Pictures cut to the cells of the places where they are seen, so that a frame does not cut them again.
struct CutPictures: Sendable {
    struct Key: Hashable, Sendable {
        /// Negative for sketches.
        let picture: Int
        let frame: Int
        let width: Int
        let height: Int
        let zoom: CellImage.Zoom
    }

    private var images: [Key: CellImage] = [:]
    /// Those used since the last ``sweep()``.
    private var used: Set<Key> = []

    subscript(key: Key) -> CellImage? { images[key] }

    mutating func prepare(_ key: Key, _ bitmap: Bitmap) {
        used.insert(key)
        guard images[key] == nil else { return }
        images[key] = CellImage(bitmap, key)
    }

    /// Forgets what the last frame did not need.
    mutating func sweep() {
        if images.count > used.count { images = images.filter { used.contains($0.key) } }
        used = []
    }
}

extension CellImage {
    /// Cuts a picture, or what arrived of one, as the key says.
    init(_ bitmap: Bitmap, _ key: CutPictures.Key) {
        self.init(bitmap, width: key.width, height: key.height, zoom: key.zoom, isSketch: key.picture < 0)
    }
}
