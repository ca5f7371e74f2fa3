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
        let isCountable = !overflows && pixels <= Int.max / 64
        // Divided rather than multiplied: the limit may be as large as an integer can be.
        let needed = isCountable ? pixels + extraBytes / Self.bytesPerPixel : .max
        guard isCountable, pixels <= maxPixels else {
            let total = overflows ? "" : " = \(pixels.grouped) pixels"
            // What is enough for the bitmap may not be for what decoding needs beside it.
            let least = isCountable ? max(pixels, needed / Self.workingSpace) : nil
            let limit = DownloadError.Limit.raising(.maxPixels, to: least)
            throw DownloadError(
                .tooLarge,
                limit == nil
                    ? "\(size)\(total) is above what any maxPixels allows"
                    : "\(size)\(total) is above maxPixels \(maxPixels.grouped); raise maxPixels to decode it",
                limit: limit
            )
        }
        guard needed / Self.workingSpace <= maxPixels else {
            let limit = DownloadError.Limit.raising(.maxPixels, to: needed / Self.workingSpace)
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
