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
