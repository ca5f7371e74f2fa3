internal import CCodecs
internal import SluiceCore

/// Decodes PNG with the simplified interface of libpng, whose jumps never leave the library.
enum PNGDecoder {
    /// libpng takes no longer side, in pixels.
    private static let sideLimit = 1_000_000

    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        let chunks = PNGChunks(bytes)
        guard chunks.isWhole else { throw ImageFormat.png.damaged("the file ends before its last chunk") }
        if let info = ImageInfo.read(bytes, as: .png) { try checkSides(info) }
        let orientation = Orientation(chunks.orientation)
        return try unsafe chunks.read(bytes) { buffer throws(DownloadError) in
            var reader = unsafe Reader()
            defer { unsafe reader.free() }
            return try unsafe reader.decode(buffer, orientation, within: limit)
        }
    }

    /// What libpng refuses in its own words is no damage.
    private static func checkSides(_ info: ImageInfo) throws(DownloadError) {
        guard max(info.width, info.height) > sideLimit else { return }
        throw DownloadError(
            .tooLarge,
            "PNG of \(info.width.grouped) × \(info.height.grouped): no side above \(sideLimit.grouped) pixels is decoded"
        )
    }

    /// Owns libpng's state for one file.
    @unsafe private struct Reader {
        private var image = unsafe png_image()

        init() { unsafe image.version = png_uint_32(PNG_IMAGE_VERSION) }

        mutating func free() { unsafe png_image_free(&image) }

        mutating func decode(
            _ bytes: UnsafeRawBufferPointer,
            _ orientation: Orientation,
            within limit: PixelLimit
        ) throws(DownloadError) -> DecodedImage {
            guard unsafe png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
                throw unsafe failure
            }
            let (width, height) = unsafe (Int(image.width), Int(image.height))
            let isLinear = unsafe isScrambled(bytes)
            // Light takes twice the bytes of the bitmap that is made of it, and is gone before that is turned.
            let light = isLinear ? width * height * 8 : 0
            let extra = max(light, orientation.extraBytes(width: width, height: height))
            try limit.check(.png, width: width, height: height, extraBytes: extra)
            // Without a profile libpng takes 16 bits for linear light, unlike every program that shows images.
            unsafe image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
            let stored = try unsafe isLinear ? readLinear(width, height) : read(width, height)
            let bitmap = orientation.apply(to: stored)
            let info = ImageInfo(format: .png, width: bitmap.width, height: bitmap.height)
            return DecodedImage(info: info, bitmap: bitmap)
        }

        /// Whether libpng 1.6.39 with its later fixes mixes up the rows: 16 bits, interlaced, and 8 bits wanted.
        private func isScrambled(_ bytes: UnsafeRawBufferPointer) -> Bool {
            unsafe bytes.count > 28 && bytes[24] == 16 && bytes[28] != 0
        }

        private mutating func read(_ width: Int, _ height: Int) throws(DownloadError) -> Bitmap {
            unsafe image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
            return try unsafe PixelBuffer.bitmap(width: width, height: height) { pixels in
                let stride = png_int_32(width * 4)
                let status = unsafe png_image_finish_read(&image, nil, pixels.baseAddress, stride, nil)
                return status != 0 ? nil : unsafe failure
            }
        }

        /// Reads 16 bits of linear light, and turns them into 8 bits here.
        private mutating func readLinear(_ width: Int, _ height: Int) throws(DownloadError) -> Bitmap {
            unsafe image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_LINEAR)
            var light = [UInt16](repeating: 0, count: width * height * 4)
            guard unsafe png_image_finish_read(&image, nil, &light, png_int_32(width * 4), nil) != 0 else {
                throw unsafe failure
            }
            return Bitmap(width: width, height: height, pixels: LinearLight.encode(light))
        }

        private var failure: DownloadError {
            let text = unsafe withUnsafeBytes(of: image.message) { message in
                unsafe String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
            }
            return ImageFormat.png.damaged(text)
        }
    }
}
