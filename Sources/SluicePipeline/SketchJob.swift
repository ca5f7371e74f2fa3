internal import Glibc
internal import SluiceCore

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
        defer { if descriptor >= 0 { close(descriptor) } }
        guard wish.holds else { return nil }
        let prefix = descriptor >= 0 ? read() : bytes
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

    private func read() -> [UInt8] {
        var contents = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe contents.withUnsafeMutableBytes { bytes in
                unsafe pread(descriptor, bytes.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
            }
            if got < 0, errno == EINTR { continue }
            // What the writer thread still has is not missed.
            guard got > 0 else { break }
            filled += got
        }
        contents.removeSubrange(filled...)
        return contents
    }
}
