internal import SluiceCore
internal import SluiceSystem

/// Takes the lines of a list as they are read, whatever pieces they arrive in.
struct LineSplitter {
    /// What is told of a line that is too long, in bytes.
    private static let beginning = 200

    private var cutter = LineCutter()
    /// Lines so far, blank ones and comments included.
    private(set) var number = 0

    /// - Returns: The complete lines that hold something, with their numbers; blank lines and `#` comments are skipped.
    ///   Of one that is too long the beginning, and a line break, which no URL has: so it is rejected.
    mutating func add(_ bytes: ArraySlice<UInt8>) -> [(number: Int, text: String)] {
        var lines: [(number: Int, text: String)] = []
        for line in cutter.add(bytes) { append(line, to: &lines) }
        return lines
    }

    /// The last line, if no newline ended it.
    mutating func end() -> [(number: Int, text: String)] {
        var lines: [(number: Int, text: String)] = []
        if let line = cutter.end() { append(line, to: &lines) }
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

    private mutating func append(_ line: ArraySlice<UInt8>, to lines: inout [(number: Int, text: String)]) {
        number += 1
        // Editors of other systems begin a file with the mark of its encoding.
        let isMarked = number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF])
        let content = ListLine.content(of: isMarked ? line.dropFirst(3) : line)
        // Behind what it asks for, a comment may be as long as it likes.
        if line.count > LineCutter.limit, !line[content.endIndex...].contains(UInt8(ascii: "#")) {
            lines.append((number, String(decoding: content.prefix(Self.beginning), as: UTF8.self) + "\n…"))
            return
        }
        guard !content.isEmpty else { return }
        lines.append((number, Self.text(content)))
    }
}
