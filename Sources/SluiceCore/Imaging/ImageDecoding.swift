/// Turns bytes into bitmaps.
///
/// Called on a blocking pool thread, several at once.
public protocol ImageDecoding: Sendable {
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - maxPixels: Width × height above this is refused before anything is allocated. `1...`
    /// - Returns: The frames, the right way up, and what the file says of itself.
    /// - Throws: `badImage` for corrupt or truncated bytes and 0 pixels, `tooLarge` above `maxPixels`,
    ///   `unsupported` for a format that is not decoded.
    func decode(_ bytes: Span<UInt8>, maxPixels: Int) throws(DownloadError) -> DecodedImage

    /// Decodes what has arrived of an image, as coarse as it may be.
    ///
    /// - Parameters:
    ///   - prefix: The start of a file.
    ///   - maxPixels: As in ``decode(_:maxPixels:)``.
    ///   - width: What is larger than this may be decoded smaller. In pixels.
    ///   - height: As `width`.
    /// - Returns: What can be seen, transparent where nothing arrived; `nil` if that is nothing yet, or the format
    ///   gives nothing before its end.
    func sketch(_ prefix: Span<UInt8>, maxPixels: Int, width: Int, height: Int) -> Bitmap?
}

extension ImageDecoding {
    /// Shows nothing before the end.
    public func sketch(_ prefix: Span<UInt8>, maxPixels: Int, width: Int, height: Int) -> Bitmap? { nil }
}
