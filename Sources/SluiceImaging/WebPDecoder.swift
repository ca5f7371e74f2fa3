internal import CCodecs
internal import SluiceCore

/// Decodes WebP with libwebp: still pictures, and the first frame of animations.
enum WebPDecoder {
    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        // What stands behind the picture may be missing without libwebp noticing.
        let announced = (4..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * ($1 - 4)) } + 8
        guard bytes.count >= announced else {
            throw ImageFormat.webp.damaged("\(bytes.count) of \(announced) bytes are there")
        }
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(DownloadError) in
            var features = WebPBitstreamFeatures()
            guard unsafe WebPGetFeatures(buffer.baseAddress, buffer.count, &features) == VP8_STATUS_OK else {
                throw ImageFormat.webp.damaged("no usable header")
            }
            let (width, height) = (Int(features.width), Int(features.height))
            try limit.check(.webp, width: width, height: height)
            if features.has_animation != 0 { return try unsafe firstFrame(buffer, within: limit) }
            let bitmap = try unsafe PixelBuffer.bitmap(width: width, height: height) { pixels in
                unsafe decodeFrame(buffer, into: pixels, stride: width * 4)
            }
            return DecodedImage(info: ImageInfo(format: .webp, width: width, height: height), bitmap: bitmap)
        }
    }

    /// Places the first frame on the transparent canvas of its animation.
    private static func firstFrame(
        _ bytes: UnsafeBufferPointer<UInt8>,
        within limit: PixelLimit
    ) throws(DownloadError) -> DecodedImage {
        guard let demuxer = unsafe Demuxer(bytes) else { throw ImageFormat.webp.damaged("no usable frames") }
        defer { unsafe demuxer.free() }
        let (width, height, frames) = unsafe demuxer.canvas
        try limit.check(.webp, width: width, height: height)
        let bitmap = try unsafe PixelBuffer.bitmap(width: width, height: height) { pixels in
            unsafe pixels.initialize(repeating: 0)
            return unsafe demuxer.withFirstFrame { frame in
                let (left, top) = unsafe (Int(frame.x_offset), Int(frame.y_offset))
                let (frameWidth, frameHeight) = unsafe (Int(frame.width), Int(frame.height))
                guard left >= 0, top >= 0, frameWidth > 0, frameHeight > 0, left + frameWidth <= width,
                    top + frameHeight <= height
                else { return ImageFormat.webp.damaged("a frame outside its canvas") }
                let start = (top * width + left) * 4
                let fragment = unsafe UnsafeBufferPointer(start: frame.fragment.bytes, count: frame.fragment.size)
                let area = unsafe UnsafeMutableBufferPointer(rebasing: pixels[start...])
                return unsafe decodeFrame(fragment, into: area, stride: width * 4)
            }
        }
        return DecodedImage(
            info: ImageInfo(format: .webp, width: width, height: height, frames: frames),
            bitmap: bitmap
        )
    }

    private static func decodeFrame(
        _ bytes: UnsafeBufferPointer<UInt8>,
        into pixels: UnsafeMutableBufferPointer<UInt8>,
        stride: Int
    ) -> DownloadError? {
        let end = unsafe WebPDecodeRGBAInto(
            bytes.baseAddress,
            bytes.count,
            pixels.baseAddress,
            pixels.count,
            Int32(stride)
        )
        return unsafe end == nil ? ImageFormat.webp.damaged("the picture data cannot be decoded") : nil
    }

    /// Owns the library's view of one animation.
    @unsafe private struct Demuxer {
        private let demuxer: OpaquePointer

        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            var data = unsafe WebPData(bytes: bytes.baseAddress, size: bytes.count)
            guard let demuxer = unsafe WebPDemux(&data) else { return nil }
            unsafe self.demuxer = demuxer
        }

        func free() { unsafe WebPDemuxDelete(demuxer) }

        var canvas: (width: Int, height: Int, frames: Int) {
            unsafe (
                Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)), Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT)),
                max(1, Int(WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT)))
            )
        }

        func withFirstFrame(_ body: (WebPIterator) -> DownloadError?) -> DownloadError? {
            var iterator = unsafe WebPIterator()
            guard unsafe WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else {
                return ImageFormat.webp.damaged("the first frame is missing")
            }
            defer { unsafe WebPDemuxReleaseIterator(&iterator) }
            return unsafe body(iterator)
        }
    }
}
