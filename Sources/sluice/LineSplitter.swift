internal import Glibc
internal import SluiceCore

/// Cuts what is read into lines, whatever pieces it arrives in.
///
/// Never holds more than one line, and no more of that than ``lineLimit``: what has no line breaks may never end.
struct LineSplitter {
    /// The longest line, in bytes: twice the longest `data:` URL.
    static let lineLimit = 2_097_152
    /// What is told of a longer one, in bytes.
    private static let beginning = 200

    private static let newline = UInt8(ascii: "\n")
    /// Of a line that goes on; one byte more than ``lineLimit`` tells that it is too long.
    private var rest: [UInt8] = []
    /// Lines so far, blank ones and comments included.
    private(set) var number = 0

    /// - Returns: The complete lines that hold something, with their numbers; blank lines and `#` comments are skipped.
    ///   Of one that is too long the beginning, and a line break, which no URL has: so it is rejected.
    mutating func add(_ bytes: ArraySlice<UInt8>) -> [(number: Int, text: String)] {
        var lines: [(number: Int, text: String)] = []
        var start = bytes.startIndex
        while let end = Self.lineEnd(in: bytes[start...]) {
            if rest.isEmpty {
                append(bytes[start..<end], to: &lines)
            } else {
                keep(bytes[start..<end])
                append(rest[...], to: &lines)
                rest = []
            }
            start = end + 1
        }
        keep(bytes[start...])
        return lines
    }

    /// The last line, if no newline ended it.
    mutating func end() -> [(number: Int, text: String)] {
        var lines: [(number: Int, text: String)] = []
        if !rest.isEmpty { append(rest[...], to: &lines) }
        rest = []
        return lines
    }

    /// Bytes that are no UTF-8 are those of a URL in another encoding, and go to the server as they are.
    private static func text(_ content: ArraySlice<UInt8>) -> String {
        // Nearly all URLs are ASCII, which needs no closer look.
        if content.allSatisfy({ $0 < 0x80 }) { return String(decoding: content, as: UTF8.self) }
        if let text = String(validating: content, as: UTF8.self) { return text }
        return content.reduce(into: "") { text, byte in
            let digits = String(byte, radix: 16, uppercase: true)
            text += byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + digits
        }
    }

    /// Where the first line ends, by the system's search: what is no list is looked through for 128 MiB.
    private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        unsafe bytes.withUnsafeBytes { raw in
            guard let start = raw.baseAddress, let found = unsafe memchr(start, Int32(newline), raw.count) else {
                return nil
            }
            return unsafe bytes.startIndex + (UnsafeRawPointer(found) - start)
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        rest.append(contentsOf: bytes.prefix(Self.lineLimit + 1 - rest.count))
    }

    private mutating func append(_ line: ArraySlice<UInt8>, to lines: inout [(number: Int, text: String)]) {
        number += 1
        // Editors of other systems begin a file with the mark of its encoding.
        let isMarked = number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF])
        let content = ListLine.content(of: isMarked ? line.dropFirst(3) : line)
        // Behind what it asks for, a comment may be as long as it likes.
        if line.count > Self.lineLimit, !line[content.endIndex...].contains(UInt8(ascii: "#")) {
            lines.append((number, String(decoding: content.prefix(Self.beginning), as: UTF8.self) + "\n…"))
            return
        }
        guard !content.isEmpty else { return }
        lines.append((number, Self.text(content)))
    }
}
