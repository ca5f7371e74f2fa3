internal import SluiceCore

/// Memory for a bitmap that a C library fills.
enum PixelBuffer {
    /// Makes a bitmap out of what `fill` writes.
    ///
    /// - Parameters:
    ///   - width: Checked against the limit before. In pixels.
    ///   - height: Checked against the limit before. In pixels.
    ///   - fill: Writes every byte of the buffer, or answers with the reason why not.
    /// - Returns: The bitmap.
    /// - Throws: What `fill` answered.
    static func bitmap(
        width: Int,
        height: Int,
        fill: (UnsafeMutableBufferPointer<UInt8>) -> DownloadError?
    ) throws(DownloadError) -> Bitmap {
        var failure: DownloadError?
        // Memory that was not filled is never read: a failure leaves the array empty.
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            failure = unsafe fill(UnsafeMutableBufferPointer(rebasing: buffer[..<(width * height * 4)]))
            count = failure == nil ? width * height * 4 : 0
        }
        if let failure { throw failure }
        return Bitmap(width: width, height: height, pixels: pixels)
    }
}
