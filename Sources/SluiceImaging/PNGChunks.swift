internal import SluiceCore

/// What libpng does not tell about a file, and what it is better not told.
///
/// Only follows lengths from chunk to chunk; it checks nothing else.
struct PNGChunks {
    /// Types as numbers: `IEND`, `IDAT`, `eXIf`.
    private static let (end, pixels, camera) = (UInt32(0x4945_4E44), UInt32(0x4944_4154), UInt32(0x6558_4966))
    /// `zTXt`, `iTXt` and `sPLT`: libpng unpacks and keeps a thousand of them, of up to 8 MB each, and asks for none.
    private static let notes: [UInt32] = [0x7A54_5874, 0x6954_5874, 0x7350_4C54]

    /// Which way up the picture is shown, as ``EXIF`` counts.
    private(set) var orientation = 1
    /// Whether the last chunk is there; libpng itself stops reading at the last row.
    private(set) var isWhole = false
    /// Whether there are notes before the pixels, which libpng would read.
    private(set) var hasNotes = false

    /// - Parameter bytes: A file, or its beginning.
    init(_ bytes: Span<UInt8>) {
        var offset = 8
        var isBeforePixels = true
        while let chunk = Self.chunk(bytes, at: offset) {
            switch chunk.type {
            case Self.end:
                isWhole = true
                return
            case Self.pixels: isBeforePixels = false
            case Self.camera: orientation = EXIF.orientation(bytes.extracting(offset + 8..<chunk.end - 4))
            default: if isBeforePixels, Self.notes.contains(chunk.type) { hasNotes = true }
            }
            offset = chunk.end
        }
    }

    /// Calls `body` with the bytes that libpng is to read: those of the file, or a copy without notes if it has some.
    func read<Result, Failure: Error>(
        _ bytes: Span<UInt8>,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard hasNotes else { return try unsafe bytes.withUnsafeBytes(body) }
        let copy = Self.withoutNotes(bytes)
        return try unsafe copy.span.withUnsafeBytes(body)
    }

    static func withoutNotes(_ bytes: Span<UInt8>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        // What is kept is copied as far as it goes on without notes in it.
        var (start, offset) = (0, 8)
        while let chunk = chunk(bytes, at: offset), chunk.type != pixels {
            if notes.contains(chunk.type) {
                append(bytes.extracting(start..<offset), to: &copy)
                start = chunk.end
            }
            offset = chunk.end
        }
        append(bytes.extracting(start..<bytes.count), to: &copy)
        return copy
    }

    private static func append(_ bytes: Span<UInt8>, to copy: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { buffer in unsafe copy.append(contentsOf: buffer) }
    }

    /// The type of the chunk at `offset`, and where the next begins; `nil` if not all of it is there.
    private static func chunk(_ bytes: Span<UInt8>, at offset: Int) -> (type: UInt32, end: Int)? {
        guard bytes.count - offset >= 12 else { return nil }
        let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
        let type = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[offset + 4 + $1]) }
        return bytes.count - offset - 12 >= length ? (type, offset + 12 + length) : nil
    }
}
