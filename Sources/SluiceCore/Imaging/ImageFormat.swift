/// The formats that Sluice knows by their magic bytes.
public enum ImageFormat: String, CaseIterable, Sendable {
    case png
    case jpeg
    case gif
    case webp
    case avif
    /// Known, not decoded, like those below: succeeds as data.
    case heif
    case tiff
    case bmp
    case ico
    case svg
    case jxl
    case jp2
    case psd
    case exr
    case qoi

    /// Whether Sluice decodes it.
    public var isDecodable: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp, .avif: true
        case .heif, .tiff, .bmp, .ico, .svg, .jxl, .jp2, .psd, .exr, .qoi: false
        }
    }

    /// Whether a file of this format that begins with these bytes may have several frames that Sluice shows.
    ///
    /// - Parameter prefix: At least 21 bytes, where the file is not shorter.
    /// - Returns: Whether a decoder has to look, or its blocks have to be counted.
    public func mayMove(_ prefix: Span<UInt8>) -> Bool {
        switch self {
        case .gif: true
        // The flag of its extended header.
        case .webp: prefix.matches("VP8X", at: 12) && prefix.count > 20 && prefix[20] & 2 != 0
        case .avif: prefix.matches("avis", at: 8)
        case .png, .jpeg, .heif, .tiff, .bmp, .ico, .svg, .jxl, .jp2, .psd, .exr, .qoi: false
        }
    }
}
