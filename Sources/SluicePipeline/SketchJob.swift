internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Decodes what arrived of one body, small and coarse, on a thread of the pool.
struct SketchJob: Sendable {
    /// Fits previews of every size.
    private static let size = (width: 512, height: 384)

    /// The part file, closed after use; −1 if the bytes are here.
    let descriptor: Int32
    let bytes: [UInt8]
    /// As many as arrived; a part file may hold fewer yet.
    let count: Int
    let decoder: any ImageDecoding
    let maxPixels: Int
    let wish: SketchWish

    /// - Returns: `nil` if there is nothing to see yet, or nobody wants it any more.
    func run() -> Bitmap? {
        defer { drop() }
        guard wish.holds else { return nil }
        // What the writer thread still has is not missed.
        let prefix = descriptor >= 0 ? FileBytes.read(descriptor, count, at: 0) : bytes
        guard wish.holds,
            let bitmap = decoder.sketch(
                prefix.span,
                maxPixels: maxPixels,
                width: Self.size.width,
                height: Self.size.height
            )
        else { return nil }
        let small = Resampler.thumbnail(bitmap, width: Self.size.width, height: Self.size.height)
        return wish.holds ? small : nil
    }

    /// Lets go of the file; all that is left to do where the job never began.
    func drop() { if descriptor >= 0 { close(descriptor) } }
}
