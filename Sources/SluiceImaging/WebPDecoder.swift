internal import CCodecs
internal import SluiceCore

/// Decodes WebP with libwebp: still pictures, and the frames of animations.
enum WebPDecoder {
    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        // What stands behind the picture may be missing without libwebp noticing.
        let announced = (4..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * ($1 - 4)) } + 8
        guard bytes.count >= announced else {
            throw ImageFormat.webp.damaged("\(bytes.count) of \(announced) bytes are there")
        }
        let orientation = Orientation(orientation(bytes))
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(DownloadError) in
            var features = WebPBitstreamFeatures()
            guard unsafe WebPGetFeatures(buffer.baseAddress, buffer.count, &features) == VP8_STATUS_OK else {
                throw ImageFormat.webp.damaged("no usable header")
            }
            let (width, height) = (Int(features.width), Int(features.height))
            let isAnimated = features.has_animation != 0
            // The player has two canvases of its own.
            let canvases = isAnimated ? width * height * 8 : 0
            let extra = canvases + orientation.extraBytes(width: width, height: height)
            try limit.check(.webp, width: width, height: height, extraBytes: extra)
            if isAnimated { return try unsafe animation(buffer, orientation, within: limit) }
            let stored = try unsafe PixelBuffer.bitmap(width: width, height: height) { pixels in
                let end = unsafe WebPDecodeRGBAInto(
                    buffer.baseAddress,
                    buffer.count,
                    pixels.baseAddress,
                    pixels.count,
                    Int32(width * 4)
                )
                return unsafe end == nil ? ImageFormat.webp.damaged("the picture data cannot be decoded") : nil
            }
            let bitmap = orientation.apply(to: stored)
            let info = ImageInfo(format: .webp, width: bitmap.width, height: bitmap.height)
            return DecodedImage(info: info, bitmap: bitmap)
        }
    }

    private static func animation(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ orientation: Orientation,
        within limit: PixelLimit
    ) throws(DownloadError) -> DecodedImage {
        guard let player = unsafe Player(bytes) else {
            throw ImageFormat.webp.damaged("no usable frames")
        }
        defer { unsafe player.free() }
        let (width, height, frames, loops) = try unsafe player.facts(within: limit)
        var budget = FrameBudget(width: width, height: height)
        var time = 0
        while !budget.isFull, budget.frames.count < frames {
            guard let (pixels, end) = unsafe player.next(byteCount: width * height * 4) else {
                throw ImageFormat.webp.damaged("a frame cannot be decoded")
            }
            budget.add(pixels, width: width, height: height, delay: .milliseconds(max(0, end - time)))
            time = end
        }
        let info = ImageInfo(format: .webp, width: width, height: height, frames: frames)
        guard let image = budget.image(info, loops: loops, orientation: orientation) else {
            throw ImageFormat.webp.damaged("the first frame is missing")
        }
        return image
    }

    /// What the chunk with a camera's notes says, which stands behind the picture.
    private static func orientation(_ bytes: Span<UInt8>) -> Int {
        var offset = 12
        while bytes.count - offset >= 8 {
            let size = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
            let isNotes = Array("EXIF".utf8).enumerated().allSatisfy { bytes[offset + $0.offset] == $0.element }
            if isNotes, bytes.count - offset - 8 >= size {
                return EXIF.orientation(bytes.extracting(offset + 8..<offset + 8 + size))
            }
            offset += 8 + size + size & 1
        }
        return 1
    }

    /// Owns the library's player of one animation, which composes frames on its canvas.
    @unsafe private struct Player {
        private let decoder: OpaquePointer

        /// Makes the canvas, whose size must have been checked; `nil` for a damaged file.
        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            var data = unsafe WebPData(bytes: bytes.baseAddress, size: bytes.count)
            var options = WebPAnimDecoderOptions()
            guard unsafe WebPAnimDecoderOptionsInit(&options) != 0 else { return nil }
            options.color_mode = MODE_RGBA
            options.use_threads = 0
            guard let decoder = unsafe WebPAnimDecoderNew(&data, &options) else { return nil }
            unsafe self.decoder = decoder
        }

        func free() { unsafe WebPAnimDecoderDelete(decoder) }

        func facts(
            within limit: PixelLimit
        ) throws(DownloadError) -> (width: Int, height: Int, frames: Int, loops: Int) {
            var info = WebPAnimInfo()
            guard unsafe WebPAnimDecoderGetInfo(decoder, &info) != 0 else {
                throw ImageFormat.webp.damaged("no usable frames")
            }
            let (width, height) = (Int(info.canvas_width), Int(info.canvas_height))
            try limit.check(.webp, width: width, height: height)
            return (width, height, max(1, Int(info.frame_count)), Int(info.loop_count))
        }

        /// - Returns: A copy of the canvas, and when the frame ends in milliseconds.
        func next(byteCount: Int) -> (pixels: [UInt8], end: Int)? {
            var canvas: UnsafeMutablePointer<UInt8>?
            var end: Int32 = 0
            guard unsafe WebPAnimDecoderGetNext(decoder, &canvas, &end) != 0, let canvas = unsafe canvas else {
                return nil
            }
            return (unsafe Array(UnsafeBufferPointer(start: canvas, count: byteCount)), Int(end))
        }
    }
}
