internal import CCodecs
internal import SluiceCore

/// Decodes PNG with the simplified interface of libpng, whose jumps never leave the library.
enum PNGDecoder {
    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        guard let chunks = Chunks(bytes) else {
            throw ImageFormat.png.damaged("the file ends before its last chunk")
        }
        let orientation = Orientation(chunks.orientation)
        return try unsafe bytes.withUnsafeBytes { buffer throws(DownloadError) in
            var reader = unsafe Reader()
            defer { unsafe reader.free() }
            return try unsafe reader.decode(buffer, orientation, within: limit)
        }
    }

    /// What libpng does not tell: whether the file is whole, and which way up it is shown.
    private struct Chunks {
        /// `IEND` and `eXIf` as numbers.
        private static let (end, notes) = (UInt32(0x4945_4E44), UInt32(0x6558_4966))

        var orientation = 1

        /// Follows the chunks to the end of the last one; libpng itself stops reading at the last row.
        init?(_ bytes: Span<UInt8>) {
            var offset = 8
            while bytes.count - offset >= 12 {
                let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
                let type = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[offset + 4 + $1]) }
                guard bytes.count - offset - 12 >= length else { return nil }
                if type == Self.end { return }
                if type == Self.notes {
                    orientation = EXIF.orientation(bytes.extracting(offset + 8..<offset + 8 + length))
                }
                offset += 12 + length
            }
            return nil
        }
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
            let extra = orientation.extraBytes(width: width, height: height)
            try limit.check(.png, width: width, height: height, extraBytes: extra)
            // Without a profile libpng takes 16 bits for linear light, unlike every program that shows images.
            unsafe image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
            let stored = try unsafe isScrambled(bytes) ? readLinear(width, height, within: limit) : read(width, height)
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
        private mutating func readLinear(
            _ width: Int,
            _ height: Int,
            within limit: PixelLimit
        ) throws(DownloadError) -> Bitmap {
            try limit.check(.png, width: width, height: height, extraBytes: width * height * 4)
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
