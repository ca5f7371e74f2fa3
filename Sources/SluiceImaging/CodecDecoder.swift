public import SluiceCore

/// Decodes PNG, JPEG, GIF, WebP and AVIF with the libraries made for them, the right way up.
///
/// The bytes alone decide what they are. Dimensions are checked before anything is
/// allocated; a file that is cut off or damaged is an error, never half a picture.
/// Stateless, so that any number of threads may use one.
public struct CodecDecoder: ImageDecoding {
    /// Nothing is kept between calls.
    public init() {}

    /// Looks at magic bytes and dimensions before a library sees the file.
    public func decode(_ bytes: Span<UInt8>, maxPixels: Int) throws(DownloadError) -> DecodedImage {
        guard let format = ImageFormat.sniff(bytes) else { throw Self.unknown(bytes) }
        let limit = PixelLimit(maxPixels: maxPixels)
        if let info = ImageInfo.read(bytes) { try limit.check(format, width: info.width, height: info.height) }
        switch format {
        case .png:
            return try PNGDecoder.decode(bytes, within: limit)
        case .jpeg:
            return try JPEGDecoder.decode(bytes, within: limit)
        case .gif:
            return try GIFDecoder.decode(bytes, within: limit)
        case .webp:
            return try WebPDecoder.decode(bytes, within: limit)
        case .avif:
            return try AVIFDecoder.decode(bytes, within: limit)
        case .heif, .tiff, .bmp, .ico, .svg, .jxl, .jp2, .psd, .exr, .qoi:
            throw DownloadError(.unsupported, "\(format.displayName) images are not decoded, only saved")
        }
    }

    /// For JPEG, and for PNG where it is not too large; the others show nothing before their end.
    public func sketch(_ prefix: Span<UInt8>, maxPixels: Int, width: Int, height: Int) -> Bitmap? {
        Sketcher.sketch(prefix, maxPixels: maxPixels, box: (width, height))
    }

    private static func unknown(_ bytes: Span<UInt8>) -> DownloadError {
        if bytes.isEmpty { return DownloadError(.badImage, "no image: the file is empty") }
        if ImageFormat.looksLikeHTML(bytes) {
            return DownloadError(.badImage, "no image but an HTML page, perhaps one to log in")
        }
        return DownloadError(.badImage, "no image of a known format")
    }
}

extension ImageFormat {
    /// As people write it.
    var displayName: String {
        switch self {
        case .png, .jpeg, .gif, .avif, .heif, .tiff, .bmp, .ico, .svg, .psd, .qoi: rawValue.uppercased()
        case .webp: "WebP"
        case .jxl: "JPEG XL"
        case .jp2: "JPEG 2000"
        case .exr: "OpenEXR"
        }
    }

    /// The error for a file of this format that cannot be decoded whole.
    func damaged(_ detail: String) -> DownloadError {
        DownloadError(.badImage, "damaged or incomplete \(displayName): \(detail)")
    }
}
