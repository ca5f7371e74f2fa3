internal import Glibc

/// Cuts what is read into lines, whatever pieces it arrives in.
///
/// Never holds more than one line, and no more of that than ``limit``: what has no line breaks may never end.
public struct LineCutter {
    /// The longest line, in bytes: twice the longest `data:` URL.
    public static let limit = 2_097_152

    private static let newline: Int32 = 10
    /// Of a line that goes on; one byte more than ``limit`` tells that it is too long.
    private var rest: [UInt8] = []

    /// Nothing was read yet.
    public init() {}

    /// Takes a piece; linear in its size.
    ///
    /// - Returns: The lines that end in it, without their line breaks; of one that is too long, one byte more than the
    ///   limit.
    public mutating func add(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        while let end = Self.lineEnd(in: bytes[start...]) {
            keep(bytes[start..<end], in: &lines)
            start = end + 1
        }
        rest.append(contentsOf: bytes[start...].prefix(Self.limit + 1 - rest.count))
        return lines
    }

    /// - Returns: The last line, if no line break ended it.
    public mutating func end() -> ArraySlice<UInt8>? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest[...]
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>, in lines: inout [ArraySlice<UInt8>]) {
        let part = bytes.prefix(Self.limit + 1 - rest.count)
        if rest.isEmpty {
            lines.append(part)
        } else {
            lines.append(rest[...] + part)
            rest = []
        }
    }

    /// Where the first line ends, by the system's search: what is no list is looked through for 128 MiB.
    private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        unsafe bytes.withUnsafeBytes { raw in
            guard let start = raw.baseAddress, let found = unsafe memchr(start, newline, raw.count) else { return nil }
            return unsafe bytes.startIndex + (UnsafeRawPointer(found) - start)
        }
    }
}
