internal import CCodecs
public import SluiceCore

extension ImageEncoder {
    /// At most 256 colours; more are dithered.
    ///
    /// - Parameters:
    ///   - frames: Bitmaps of one size, at least one; several make an animation that repeats for ever.
    ///   - delay: Of each frame. In hundredths of a second.
    ///   - isInterlaced: Whether a coarse picture comes first.
    /// - Returns: The file.
    public static func gif(_ frames: [Bitmap], delay: Int = 10, isInterlaced: Bool = false) -> [UInt8] {
        precondition(!frames.isEmpty, "a GIF has at least one frame")
        var output: [UInt8] = []
        unsafe withUnsafeMutablePointer(to: &output) { output in
            var code: Int32 = 0
            guard let file = unsafe EGifOpen(output, append, &code) else { preconditionFailure("giflib must start") }
            unsafe EGifSetGifVersion(file, true)
            let isWritten = unsafe write(frames, delay: delay, isInterlaced: isInterlaced, to: file)
            precondition(isWritten, "giflib must encode any bitmap")
            precondition(unsafe EGifCloseFile(file, &code) == GIF_OK, "memory can always be written")
        }
        return output
    }

    /// The callback with which giflib writes.
    private static let append: OutputFunc = { file, bytes, count in
        guard let bytes = unsafe bytes, let output = unsafe file?.pointee.UserData else { return 0 }
        unsafe output.assumingMemoryBound(to: [UInt8].self).pointee
            .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return count
    }

    private static func write(
        _ frames: [Bitmap],
        delay: Int,
        isInterlaced: Bool,
        to file: UnsafeMutablePointer<GifFileType>
    ) -> Bool {
        let table = ColorTable(frames)
        let (width, height) = (frames[0].width, frames[0].height)
        guard let map = unsafe makeMap(table.colors) else { return false }
        defer { unsafe GifFreeMapObject(map) }
        let bits = unsafe map.pointee.BitsPerPixel
        guard unsafe EGifPutScreenDesc(file, Int32(width), Int32(height), bits, 0, map) == GIF_OK else { return false }
        if frames.count > 1, unsafe !putLoop(file) { return false }
        for frame in frames {
            var control = GraphicsControlBlock()
            (control.DisposalMode, control.DelayTime) = (DISPOSE_DO_NOT, Int32(delay))
            control.TransparentColor = Int32(table.transparent ?? -1)
            var block = [UInt8](repeating: 0, count: 4)
            guard unsafe EGifGCBToExtension(&control, &block) == 4,
                unsafe EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, block) == GIF_OK,
                unsafe EGifPutImageDesc(file, 0, 0, Int32(width), Int32(height), isInterlaced, nil) == GIF_OK
            else { return false }
            let passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
            for y in passes.flatMap({ stride(from: $0.0, to: height, by: $0.1) }) {
                var line = (0..<width).map { table.index(frame, x: $0, y: y) }
                guard unsafe EGifPutLine(file, &line, Int32(width)) == GIF_OK else { return false }
            }
        }
        return true
    }

    private static func makeMap(_ colors: [UInt8]) -> UnsafeMutablePointer<ColorMapObject>? {
        let entries = stride(from: 0, to: colors.count, by: 3).map {
            GifColorType(Red: colors[$0], Green: colors[$0 + 1], Blue: colors[$0 + 2])
        }
        return unsafe GifMakeMapObject(Int32(entries.count), entries)
    }

    /// The extension of Netscape that every browser knows.
    private static func putLoop(_ file: UnsafeMutablePointer<GifFileType>) -> Bool {
        let name = Array("NETSCAPE2.0".utf8)
        let forever: [UInt8] = [1, 0, 0]
        return unsafe EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK
            && EGifPutExtensionBlock(file, Int32(name.count), name) == GIF_OK
            && EGifPutExtensionBlock(file, Int32(forever.count), forever) == GIF_OK
            && EGifPutExtensionTrailer(file) == GIF_OK
    }
}
