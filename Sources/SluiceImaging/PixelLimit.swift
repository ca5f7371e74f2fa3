internal import SluiceCore

/// Refuses images by the dimensions they claim, before memory is spent on them.
struct PixelLimit {
    /// A decoder may use so many times the bytes of the largest bitmap allowed.
    private static let workingSpace = 2
    private static let bytesPerPixel = 4

    let maxPixels: Int

    /// - Parameters:
    ///   - format: For the message.
    ///   - width: As claimed. In pixels.
    ///   - height: As claimed. In pixels.
    ///   - extraBytes: What decoding needs beside the bitmap.
    /// - Throws: `badImage` without pixels, `tooLarge` above the limit.
    func check(_ format: ImageFormat, width: Int, height: Int, extraBytes: Int = 0) throws(DownloadError) {
        guard width > 0, height > 0 else {
            throw DownloadError(.badImage, "\(format.displayName) without pixels: \(width) × \(height)")
        }
        let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
        let size = "\(format.displayName) of \(width.grouped) × \(height.grouped)"
        guard !overflows, pixels <= maxPixels, pixels <= Int.max / 64 else {
            let total = overflows ? "" : " = \(pixels.grouped) pixels"
            let limit = DownloadError.Limit.raising(.maxPixels, to: overflows ? nil : pixels)
            throw DownloadError(
                .tooLarge,
                limit == nil
                    ? "\(size)\(total) is above what any maxPixels allows"
                    : "\(size)\(total) is above maxPixels \(maxPixels.grouped); raise maxPixels to decode it",
                limit: limit
            )
        }
        // Divided rather than multiplied: the limit may be as large as an integer can be.
        let needed = pixels + extraBytes / Self.bytesPerPixel
        guard needed / Self.workingSpace <= maxPixels else {
            let limit = DownloadError.Limit.raising(.maxPixels, to: needed / Self.workingSpace + 1)
            let memory = "\(size) needs \((needed * Self.bytesPerPixel).grouped) bytes to decode, more than "
            throw DownloadError(
                .tooLarge,
                limit == nil
                    ? "\(memory)any maxPixels allows"
                    : "\(memory)maxPixels \(maxPixels.grouped) allows; raise maxPixels to decode it",
                limit: limit
            )
        }
    }
}

extension Int {
    /// With commas between thousands.
    var grouped: String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
