internal import CCodecs
internal import SluiceCore

/// Decodes the beginning of a file, for somebody who watches it arrive.
///
/// What has not arrived is transparent. Never an error: what cannot be decoded yet is nothing.
enum Sketcher {
    /// A PNG is decoded at its full size, so larger ones are not sketched, in pixels.
    private static let pngLimit = 16_777_216

    static func sketch(_ prefix: Span<UInt8>, maxPixels: Int, box: (width: Int, height: Int)) -> Bitmap? {
        guard let info = ImageInfo.read(prefix), info.width > 0, info.height > 0 else { return nil }
        let (pixels, isAbsurd) = info.width.multipliedReportingOverflow(by: info.height)
        guard !isAbsurd, pixels <= maxPixels else { return nil }
        switch info.format {
        case .jpeg: return jpeg(prefix, box)
        case .png: return pixels <= pngLimit ? png(prefix) : nil
        case .gif, .webp, .avif, .heif, .tiff, .bmp, .ico, .svg, .jxl, .jp2, .psd, .exr, .qoi: return nil
        }
    }

    /// Decoded at an eighth of its size, or at as many as are needed.
    private static func jpeg(_ prefix: Span<UInt8>, _ box: (width: Int, height: Int)) -> Bitmap? {
        guard let header = JPEGHeader(prefix), header.components == 1 || header.components == 3 else { return nil }
        return unsafe prefix.withUnsafeBufferPointer { bytes in
            guard let handle = unsafe tjInitDecompress() else { return nil }
            defer { unsafe tjDestroy(handle) }
            let fitted = Resampler.fit(width: header.width, height: header.height, into: box)
            let scale = max(1, min(8, (fitted.width * 8 + header.width - 1) / header.width))
            let (width, height) = ((header.width * scale + 7) / 8, (header.height * scale + 7) / 8)
            var pixels = [UInt8](repeating: 0, count: width * height * 4)
            // What is missing is a warning.
            let status = unsafe tjDecompress2(
                handle,
                bytes.baseAddress,
                UInt(bytes.count),
                &pixels,
                Int32(width),
                Int32(width * 4),
                Int32(height),
                Int32(TJPF_RGBA.rawValue),
                TJFLAG_LIMITSCANS | TJFLAG_FASTDCT
            )
            guard unsafe status == 0 || tjGetErrorCode(handle) == TJERR_WARNING.rawValue else { return nil }
            clearMissingRows(&pixels, width: width)
            return Orientation(header.orientation).apply(to: Bitmap(width: width, height: height, pixels: pixels))
        }
    }

    /// libjpeg fills what did not arrive with one grey, to the end.
    private static func clearMissingRows(_ pixels: inout [UInt8], width: Int) {
        let stride = width * 4
        var end = pixels.count
        while end > 0, (end - stride..<end).allSatisfy({ $0 & 3 == 3 || (127...129).contains(pixels[$0]) }) {
            end -= stride
        }
        for index in end..<pixels.count { pixels[index] = 0 }
    }

    /// libpng keeps the rows that it read before the end came.
    private static func png(_ prefix: Span<UInt8>) -> Bitmap? {
        // The rows of an interlaced picture come in seven passes with holes in between.
        guard prefix.count > 33, prefix[28] == 0 else { return nil }
        return unsafe PNGChunks(prefix).read(prefix) { bytes in
            var image = unsafe png_image()
            unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
            defer { unsafe png_image_free(&image) }
            guard unsafe png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
                return nil
            }
            unsafe image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
            unsafe image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
            let (width, height) = unsafe (Int(image.width), Int(image.height))
            var pixels = [UInt8](repeating: 0, count: width * height * 4)
            _ = unsafe png_image_finish_read(&image, nil, &pixels, png_int_32(width * 4), nil)
            return Bitmap(width: width, height: height, pixels: pixels)
        }
    }
}
