/// Cuts what a client sends into lines; refuses to hold one that is too long.
struct LineBuffer {
    /// Bytes of a line, its line break not counted.
    static let limit = 1_048_576

    private var bytes: [UInt8] = []
    /// Where the unread part begins.
    private var start = 0
    /// Up to here there is no line break.
    private var searched = 0

    /// Bytes that are held.
    var count: Int { bytes.count - start }

    mutating func append(_ more: UnsafeRawBufferPointer) { unsafe bytes.append(contentsOf: more) }

    /// Whether the line that comes next is longer than allowed.
    var isTooLong: Bool { searched - start > Self.limit }

    /// Takes the next whole line, without its line break; `nil` if there is none yet, or it is too long.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            if start > 0, !isTooLong { dropRead() }
            return nil
        }
        guard end - start <= Self.limit else {
            searched = end
            return nil
        }
        defer { (start, searched) = (end + 1, end + 1) }
        return bytes[start..<end]
    }

    /// Takes what no line break ended.
    mutating func rest() -> ArraySlice<UInt8> {
        defer { (bytes, start, searched) = ([], 0, 0) }
        return bytes[start...]
    }

    private mutating func dropRead() {
        bytes.removeFirst(start)
        (start, searched) = (0, bytes.count)
    }
}
