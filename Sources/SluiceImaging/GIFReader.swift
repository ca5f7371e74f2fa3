internal import CCodecs
internal import SluiceCore

/// Owns giflib's state for one file, and the canvas that its frames are drawn on.
@unsafe struct GIFReader {
    /// What stands before a frame and holds for it.
    private struct Control {
        var transparent: Int?
        /// 2: the frame's area is cleared afterwards, 3: what was there comes back, else it stays.
        var disposal = 0
        /// In hundredths of a second.
        var delay = 0
    }

    private let file: UnsafeMutablePointer<GifFileType>
    private var canvas: [UInt8] = []
    private var control = Control()
    /// Without a word about it, an animation is played once.
    private var loops = 1

    init(_ source: UnsafeMutableRawPointer, _ read: InputFunc) throws(DownloadError) {
        var code: Int32 = 0
        guard let file = unsafe DGifOpen(source, read, &code) else { throw GIFDecoder.failure(code) }
        unsafe self.file = file
    }

    func close() {
        var code: Int32 = 0
        _ = unsafe DGifCloseFile(file, &code)
    }

    /// Decodes the frames, as many as may be kept.
    ///
    /// - Parameters:
    ///   - frames: As many as the file has.
    ///   - limit: Checked before anything is allocated.
    /// - Returns: The image.
    /// - Throws: `badImage`, `tooLarge`.
    mutating func image(frames: Int, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        let (width, height) = unsafe (Int(file.pointee.SWidth), Int(file.pointee.SHeight))
        try limit.check(.gif, width: width, height: height)
        var budget = FrameBudget(width: width, height: height)
        while !budget.isFull, try unsafe findFrame() {
            // The first frame's own size is checked before the canvas is made.
            let frame = unsafe file.pointee.Image
            let (frameWidth, frameHeight) = unsafe (Int(frame.Width), Int(frame.Height))
            try limit.check(.gif, width: frameWidth, height: frameHeight)
            guard budget.takes(frameWidth * frameHeight) else { break }
            if unsafe canvas.isEmpty { unsafe canvas = [UInt8](repeating: 0, count: width * height * 4) }
            let before = unsafe control.disposal == 3 ? canvas : []
            try unsafe draw(frame, width: width, height: height)
            let delay = unsafe Duration.milliseconds(control.delay * 10)
            unsafe budget.add(canvas, width: width, height: height, delay: delay)
            if unsafe control.disposal == 2 { unsafe clear(frame, width: width, height: height) }
            if !before.isEmpty { unsafe canvas = before }
            unsafe control = Control()
        }
        let info = ImageInfo(format: .gif, width: width, height: height, frames: frames)
        guard let image = unsafe budget.image(info, loops: loops) else {
            throw ImageFormat.gif.damaged("no picture in it")
        }
        return image
    }

    private mutating func draw(_ frame: GifImageDesc, width: Int, height: Int) throws(DownloadError) {
        let colors = try unsafe palette(frame)
        let (left, top, frameWidth) = unsafe (Int(frame.Left), Int(frame.Top), Int(frame.Width))
        let visible = left..<max(left, min(width, left + frameWidth))
        var line = [UInt8](repeating: 0, count: frameWidth)
        for row in GIFDecoder.rows(Int(unsafe frame.Height), isInterlaced: unsafe frame.Interlace) {
            guard unsafe DGifGetLine(file, &line, Int32(frameWidth)) == GIF_OK else { throw unsafe failure }
            guard top + row < height else { continue }
            let transparent = unsafe control.transparent
            unsafe canvas.withUnsafeMutableBytes { canvas in
                for x in visible {
                    let index = Int(line[x - left])
                    guard index != transparent, index < colors.count else { continue }
                    let offset = ((top + row) * width + x) * 4
                    unsafe canvas.storeBytes(of: colors[index], toByteOffset: offset, as: UInt32.self)
                }
            }
        }
    }

    private mutating func clear(_ frame: GifImageDesc, width: Int, height: Int) {
        let (left, top) = unsafe (Int(frame.Left), Int(frame.Top))
        let right = unsafe max(left, min(width, left + Int(frame.Width)))
        let bottom = unsafe max(top, min(height, top + Int(frame.Height)))
        for y in top..<bottom {
            for offset in (y * width + left) * 4..<(y * width + right) * 4 { unsafe canvas[offset] = 0 }
        }
    }

    /// The colours as bytes in memory: red, green, blue, opaque.
    private func palette(_ frame: GifImageDesc) throws(DownloadError) -> [UInt32] {
        guard let map = unsafe frame.ColorMap ?? file.pointee.SColorMap, let colors = unsafe map.pointee.Colors
        else {
            throw ImageFormat.gif.damaged("no colour table")
        }
        return unsafe (0..<Int(map.pointee.ColorCount)).map { index in
            let color = unsafe colors[index]
            let value = UInt32(color.Red) | UInt32(color.Green) << 8 | UInt32(color.Blue) << 16 | 0xFF00_0000
            return value.littleEndian
        }
    }

    /// Reads up to the next picture.
    ///
    /// - Returns: Whether there is one.
    private mutating func findFrame() throws(DownloadError) -> Bool {
        while true {
            var type = UNDEFINED_RECORD_TYPE
            guard unsafe DGifGetRecordType(file, &type) == GIF_OK else { throw unsafe failure }
            switch type {
            case IMAGE_DESC_RECORD_TYPE:
                guard unsafe DGifGetImageDesc(file) == GIF_OK else { throw unsafe failure }
                return true
            case EXTENSION_RECORD_TYPE:
                try unsafe readExtension()
            default:
                return false
            }
        }
    }

    private mutating func readExtension() throws(DownloadError) {
        var code: Int32 = 0
        var block: UnsafeMutablePointer<UInt8>?
        guard unsafe DGifGetExtension(file, &code, &block) == GIF_OK else { throw unsafe failure }
        var isLooping = false
        while let bytes = unsafe block {
            // The first byte counts the others.
            let count = unsafe Int(bytes[0])
            if code == GRAPHICS_EXT_FUNC_CODE, count >= 4 {
                let packed = unsafe bytes[1]
                unsafe control.transparent = packed & 1 != 0 ? Int(bytes[4]) : nil
                unsafe control.disposal = Int(packed >> 2 & 7)
                unsafe control.delay = Int(bytes[2]) | Int(bytes[3]) << 8
            } else if code == APPLICATION_EXT_FUNC_CODE {
                if isLooping, count >= 3, unsafe bytes[1] == 1 { unsafe loops = Int(bytes[2]) | Int(bytes[3]) << 8 }
                let name = (0..<count).map { unsafe bytes[$0 + 1] }
                isLooping = isLooping || ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { $0.utf8.elementsEqual(name) }
            }
            guard unsafe DGifGetExtensionNext(file, &block) == GIF_OK else { throw unsafe failure }
        }
    }

    private var failure: DownloadError { unsafe GIFDecoder.failure(file.pointee.Error) }
}
