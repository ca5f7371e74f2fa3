internal import CCodecs
internal import SluiceCore

/// Decodes GIF with giflib, line by line, and composes the frames of animations.
enum GIFDecoder {
    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        let structure = GIFStructure(bytes)
        guard structure.isComplete else { throw ImageFormat.gif.damaged("the file ends before its closing block") }
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(DownloadError) in
            var source = unsafe Source(bytes: buffer)
            return try unsafe withUnsafeMutablePointer(to: &source) { source throws(DownloadError) in
                var reader = try unsafe GIFReader(source, read)
                defer { unsafe reader.close() }
                return try unsafe reader.image(frames: structure.frames, within: limit)
            }
        }
    }

    /// What giflib reads from, by way of ``read``.
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

    /// The rows of a frame in the order in which they are stored.
    static func rows(_ count: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<count) }
        let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
        return passes.flatMap { stride(from: $0.0, to: count, by: $0.1) }
    }

    static func failure(_ code: Int32) -> DownloadError {
        let text = unsafe GifErrorString(code).map { unsafe String(cString: $0) }
        return ImageFormat.gif.damaged(text ?? "unknown error \(code)")
    }
}
