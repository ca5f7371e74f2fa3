internal import CCodecs
internal import SluiceCore

/// Decodes the first frame of a GIF with giflib, line by line.
///
/// Later frames are counted, and not decoded.
enum GIFDecoder {
    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        let structure = GIFStructure(bytes)
        guard structure.isComplete else { throw ImageFormat.gif.damaged("the file ends before its closing block") }
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(DownloadError) in
            var source = unsafe Source(bytes: buffer)
            return try unsafe withUnsafeMutablePointer(to: &source) { source throws(DownloadError) in
                let reader = try unsafe Reader(source)
                defer { unsafe reader.close() }
                let bitmap = try unsafe reader.firstFrame(within: limit)
                return DecodedImage(
                    info: ImageInfo(
                        format: .gif,
                        width: bitmap.width,
                        height: bitmap.height,
                        frames: structure.frames
                    ),
                    bitmap: bitmap
                )
            }
        }
    }

    /// What giflib reads from, by way of ``read(_:_:_:)``.
    @unsafe private struct Source {
        var bytes: UnsafeBufferPointer<UInt8>
        var offset = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }

        mutating func take(_ count: Int, into target: UnsafeMutablePointer<UInt8>) -> Int {
            let taken = unsafe max(0, min(count, bytes.count - offset))
            guard taken > 0, let base = unsafe bytes.baseAddress else { return 0 }
            unsafe target.update(from: base + offset, count: taken)
            unsafe offset += taken
            return taken
        }
    }

    /// The callback that giflib calls with itself, a target and a count.
    private static let read: InputFunc = { file, target, count in
        guard let target = unsafe target, let source = unsafe file?.pointee.UserData else { return 0 }
        let typed = unsafe source.assumingMemoryBound(to: Source.self)
        return unsafe Int32(typed.pointee.take(Int(count), into: target))
    }

    /// Owns giflib's state for one file.
    @unsafe private struct Reader {
        private let file: UnsafeMutablePointer<GifFileType>

        init(_ source: UnsafeMutablePointer<Source>) throws(DownloadError) {
            var code: Int32 = 0
            guard let file = unsafe DGifOpen(source, read, &code) else { throw GIFDecoder.failure(code) }
            unsafe self.file = file
        }

        func close() {
            var code: Int32 = 0
            _ = unsafe DGifCloseFile(file, &code)
        }

        func firstFrame(within limit: PixelLimit) throws(DownloadError) -> Bitmap {
            let (width, height) = unsafe (Int(file.pointee.SWidth), Int(file.pointee.SHeight))
            try limit.check(.gif, width: width, height: height)
            let transparent = try unsafe findFrame()
            let frame = unsafe file.pointee.Image
            let (frameWidth, frameHeight) = unsafe (Int(frame.Width), Int(frame.Height))
            try limit.check(.gif, width: frameWidth, height: frameHeight)
            let colors = try unsafe palette(frame)
            return try unsafe PixelBuffer.bitmap(width: width, height: height) { pixels in
                unsafe pixels.initialize(repeating: 0)
                var line = [UInt8](repeating: 0, count: frameWidth)
                let (left, top) = unsafe (Int(frame.Left), Int(frame.Top))
                let visible = left..<max(left, min(width, left + frameWidth))
                for row in GIFDecoder.rows(frameHeight, isInterlaced: unsafe frame.Interlace) {
                    guard unsafe DGifGetLine(file, &line, Int32(frameWidth)) == GIF_OK else {
                        return unsafe GIFDecoder.failure(file.pointee.Error)
                    }
                    guard top + row < height else { continue }
                    for x in visible {
                        let index = Int(line[x - left])
                        guard index != transparent, index * 4 < colors.count else { continue }
                        let start = ((top + row) * width + x) * 4
                        for channel in 0..<4 { unsafe pixels[start + channel] = colors[index * 4 + channel] }
                    }
                }
                return nil
            }
        }

        /// Reads up to the first picture.
        ///
        /// - Returns: The index that is not drawn, from the extension before the picture.
        private func findFrame() throws(DownloadError) -> Int? {
            var transparent: Int?
            while true {
                var type = UNDEFINED_RECORD_TYPE
                guard unsafe DGifGetRecordType(file, &type) == GIF_OK else { throw unsafe failure }
                switch type {
                case IMAGE_DESC_RECORD_TYPE:
                    guard unsafe DGifGetImageDesc(file) == GIF_OK else { throw unsafe failure }
                    return transparent
                case EXTENSION_RECORD_TYPE:
                    try unsafe readExtension(&transparent)
                default:
                    throw ImageFormat.gif.damaged("no picture in it")
                }
            }
        }

        private func readExtension(_ transparent: inout Int?) throws(DownloadError) {
            var code: Int32 = 0
            var block: UnsafeMutablePointer<UInt8>?
            guard unsafe DGifGetExtension(file, &code, &block) == GIF_OK else { throw unsafe failure }
            while let bytes = unsafe block {
                // The first byte counts the others.
                if code == GRAPHICS_EXT_FUNC_CODE, unsafe bytes[0] >= 4 {
                    let isUsed = unsafe bytes[1] & 1 != 0
                    transparent = isUsed ? unsafe Int(bytes[4]) : nil
                }
                guard unsafe DGifGetExtensionNext(file, &block) == GIF_OK else { throw unsafe failure }
            }
        }

        /// Four bytes for each colour.
        private func palette(_ frame: GifImageDesc) throws(DownloadError) -> [UInt8] {
            guard let map = unsafe frame.ColorMap ?? file.pointee.SColorMap, let colors = unsafe map.pointee.Colors
            else {
                throw ImageFormat.gif.damaged("no colour table")
            }
            return unsafe (0..<Int(map.pointee.ColorCount)).flatMap { index in
                let color = unsafe colors[index]
                return [color.Red, color.Green, color.Blue, 255]
            }
        }

        private var failure: DownloadError { unsafe GIFDecoder.failure(file.pointee.Error) }
    }

    /// The rows of a frame in the order in which they are stored.
    private static func rows(_ count: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<count) }
        let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
        return passes.flatMap { stride(from: $0.0, to: count, by: $0.1) }
    }

    private static func failure(_ code: Int32) -> DownloadError {
        let text = unsafe GifErrorString(code).map { unsafe String(cString: $0) }
        return ImageFormat.gif.damaged(text ?? "unknown error \(code)")
    }
}
