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
}
