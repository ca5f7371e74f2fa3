internal import CCodecs
public import SluiceCore

/// Writes bitmaps as image files, for what the origin serves.
///
/// A bitmap comes from this program, so failure means a mistake in it, or no memory.
public enum ImageEncoder {
    /// Lossless, with 8 bits a channel and alpha.
    public static func png(_ bitmap: Bitmap) -> [UInt8] {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe (image.width, image.height) = (png_uint_32(bitmap.width), png_uint_32(bitmap.height))
        unsafe image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
        defer { unsafe png_image_free(&image) }
        // More than any compression can make of it, headers included.
        var size = bitmap.pixels.count + bitmap.pixels.count / 100 + bitmap.height * 2 + 4096
        var file = [UInt8](repeating: 0, count: size)
        let stride = png_int_32(bitmap.width * 4)
        let status = unsafe bitmap.pixels.withUnsafeBytes { pixels in
            unsafe png_image_write_to_memory(&image, &file, &size, 0, pixels.baseAddress, stride, nil)
        }
        precondition(status != 0, "libpng must encode any bitmap")
        file.removeSubrange(size...)
        return file
    }

    /// How a JPEG stores its colours.
    public enum JPEGColor: Sendable {
        /// Every pixel has its colour.
        case full
        /// Four pixels share one.
        case quarter
        case grey
        /// Four inks, inverted as Adobe does; the bitmap's channels are taken as they are.
        case cmyk
    }

    /// Lossy, without alpha.
    ///
    /// - Parameters:
    ///   - bitmap: Its alpha is dropped, except with `cmyk`.
    ///   - quality: `1...100`
    ///   - isProgressive: Whether a coarse picture comes first.
    ///   - color: How colours are stored.
    /// - Returns: The file.
    public static func jpeg(
        _ bitmap: Bitmap,
        quality: Int = 85,
        isProgressive: Bool = false,
        color: JPEGColor = .quarter
    ) -> [UInt8] {
        guard let handle = unsafe tjInitCompress() else { preconditionFailure("libjpeg-turbo must start") }
        defer { unsafe tjDestroy(handle) }
        let sampling: TJSAMP
        switch color {
        case .full, .cmyk: sampling = TJSAMP_444
        case .quarter: sampling = TJSAMP_420
        case .grey: sampling = TJSAMP_GRAY
        }
        let (width, height) = (Int32(bitmap.width), Int32(bitmap.height))
        var size = tjBufSize(width, height, Int32(sampling.rawValue))
        var file = [UInt8](repeating: 0, count: Int(size))
        let status = unsafe file.withUnsafeMutableBufferPointer { buffer in
            var target: UnsafeMutablePointer<UInt8>? = buffer.baseAddress
            return unsafe tjCompress2(
                handle,
                bitmap.pixels,
                width,
                width * 4,
                height,
                Int32((color == .cmyk ? TJPF_CMYK : TJPF_RGBX).rawValue),
                &target,
                &size,
                Int32(sampling.rawValue),
                Int32(quality),
                TJFLAG_NOREALLOC | (isProgressive ? TJFLAG_PROGRESSIVE : 0)
            )
        }
        precondition(status == 0, "libjpeg-turbo must encode any bitmap")
        file.removeSubrange(Int(size)...)
        return file
    }

    /// Lossy or lossless, with alpha.
    ///
    /// - Parameters:
    ///   - bitmap: At most 16,383 pixels wide and high.
    ///   - quality: `0...100`; `nil` means lossless, colours under full transparency included.
    /// - Returns: The file.
    public static func webp(_ bitmap: Bitmap, quality: Int? = 80) -> [UInt8] {
        var config = WebPConfig()
        let isReady = unsafe WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, Float(quality ?? 50))
        precondition(isReady != 0, "libwebp must know its presets")
        (config.lossless, config.exact, config.method) = (quality == nil ? 1 : 0, 1, 1)
        var picture = unsafe WebPPicture()
        precondition(unsafe WebPPictureInit(&picture) != 0, "libwebp must fit its headers")
        unsafe (picture.width, picture.height) = (Int32(bitmap.width), Int32(bitmap.height))
        unsafe picture.use_argb = quality == nil ? 1 : 0
        var writer = unsafe WebPMemoryWriter()
        unsafe WebPMemoryWriterInit(&writer)
        defer {
            unsafe WebPPictureFree(&picture)
            unsafe WebPMemoryWriterClear(&writer)
        }
        let isImported = unsafe WebPPictureImportRGBA(&picture, bitmap.pixels, picture.width * 4)
        precondition(isImported != 0, "libwebp must take any bitmap of up to 16,383 × 16,383")
        let isEncoded = unsafe withUnsafeMutablePointer(to: &writer) { writer in
            unsafe picture.writer = WebPMemoryWrite
            unsafe picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return unsafe WebPEncode(&config, &picture)
        }
        precondition(isEncoded != 0, "libwebp must encode any bitmap")
        return unsafe Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }

    /// An animation of whole frames, repeated for ever.
    ///
    /// - Parameters:
    ///   - frames: Bitmaps of one size; at least one.
    ///   - delay: Of each frame. In milliseconds.
    ///   - quality: As in ``webp(_:quality:)``.
    /// - Returns: The file.
    public static func animatedWebP(_ frames: [Bitmap], delay: Int = 100, quality: Int? = 70) -> [UInt8] {
        guard let mux = unsafe WebPMuxNew() else { preconditionFailure("libwebp must have memory") }
        defer { unsafe WebPMuxDelete(mux) }
        for frame in frames {
            let file = webp(frame, quality: quality)
            let status = unsafe file.withUnsafeBufferPointer { bytes in
                var info = unsafe WebPMuxFrameInfo()
                unsafe info.bitstream = WebPData(bytes: bytes.baseAddress, size: bytes.count)
                unsafe (info.duration, info.id) = (Int32(delay), WEBP_CHUNK_ANMF)
                unsafe (info.dispose_method, info.blend_method) = (WEBP_MUX_DISPOSE_NONE, WEBP_MUX_NO_BLEND)
                return unsafe WebPMuxPushFrame(mux, &info, 1)
            }
            precondition(status == WEBP_MUX_OK, "frames must have one size")
        }
        var forever = WebPMuxAnimParams(bgcolor: 0, loop_count: 0)
        precondition(unsafe WebPMuxSetAnimationParams(mux, &forever) == WEBP_MUX_OK, "an animation may repeat")
        var data = unsafe WebPData()
        precondition(unsafe WebPMuxAssemble(mux, &data) == WEBP_MUX_OK, "an animation has at least one frame")
        defer { unsafe WebPDataClear(&data) }
        return unsafe Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
    }
}
