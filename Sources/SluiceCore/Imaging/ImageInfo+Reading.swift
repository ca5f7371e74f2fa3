extension ImageInfo {
    /// Reads format and dimensions from the first bytes of a file, without decoding or allocating.
    ///
    /// The dimensions are what the file claims, the way up that it is shown where that stands before them; 0 is
    /// possible. Frames are counted by the decoder, so this says 1.
    ///
    /// - Parameter prefix: The start of a body: 32 bytes, for JPEG up to its frame header, which metadata may delay.
    /// - Returns: `nil` if more bytes are needed, or the format is not one that Sluice decodes.
    public static func read(_ prefix: Span<UInt8>) -> ImageInfo? {
        ImageFormat.sniff(prefix).flatMap { read(prefix, as: $0) }
    }

    /// The same where the format is known.
    public static func read(_ prefix: Span<UInt8>, as format: ImageFormat) -> ImageInfo? {
        let size: (width: Int, height: Int)?
        switch format {
        case .png: size = pngSize(prefix)
        case .jpeg: size = JPEGHeader(prefix).map { $0.orientation < 5 ? ($0.width, $0.height) : ($0.height, $0.width) }
        case .gif: size = pair(prefix.little16(at: 6), prefix.little16(at: 8))
        case .webp: size = webpSize(prefix)
        case .avif: size = AVIFHeader(prefix).map { ($0.width, $0.height) }
        case .heif, .tiff, .bmp, .ico, .svg, .jxl, .jp2, .psd, .exr, .qoi: size = nil
        }
        return size.map { ImageInfo(format: format, width: $0.width, height: $0.height) }
    }

    private static func pair(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    private static func pngSize(_ prefix: Span<UInt8>) -> (width: Int, height: Int)? {
        guard prefix.matches("IHDR", at: 12) else { return nil }
        return pair(prefix.big32(at: 16), prefix.big32(at: 20))
    }

    private static func webpSize(_ prefix: Span<UInt8>) -> (width: Int, height: Int)? {
        if prefix.matches("VP8X", at: 12) {
            return pair(prefix.little24(at: 24).map { $0 + 1 }, prefix.little24(at: 27).map { $0 + 1 })
        }
        if prefix.matches("VP8L", at: 12) {
            guard prefix.count >= 25, prefix[20] == 0x2F, let bits = prefix.little32(at: 21) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        // A key frame: its tag, a start code, then two numbers of 14 bits.
        guard prefix.matches("VP8 ", at: 12), prefix.little24(at: 23) == 0x2A_019D else { return nil }
        return pair(prefix.little16(at: 26).map { $0 & 0x3FFF }, prefix.little16(at: 28).map { $0 & 0x3FFF })
    }
}
