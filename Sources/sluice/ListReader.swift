internal import Glibc
internal import SluiceCore

/// Cuts what is read into lines, whatever pieces it arrives in.
struct LineSplitter {
    private static let newline = UInt8(ascii: "\n")
    private var rest: [UInt8] = []
    /// Lines so far, blank ones and comments included.
    private(set) var number = 0

    /// - Returns: The complete lines that hold something, with their numbers; blank lines and `#` comments are skipped.
    mutating func add(_ bytes: ArraySlice<UInt8>) -> [(number: Int, text: String)] {
        var lines: [(number: Int, text: String)] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: Self.newline) {
            if rest.isEmpty {
                append(bytes[start..<end], to: &lines)
            } else {
                rest.append(contentsOf: bytes[start..<end])
                append(rest[...], to: &lines)
                rest = []
            }
            start = end + 1
        }
        rest.append(contentsOf: bytes[start...])
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
        guard !content.isEmpty else { return }
        lines.append((number, Self.text(content)))
    }
}

/// Reads a whole list file.
enum ListFile {
    /// - Throws: ``ListFailure`` with a sentence that names the file.
    static func read(_ path: String) throws -> [(number: Int, text: String)] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var splitter = LineSplitter()
        var lines: [(number: Int, text: String)] = []
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { return lines + splitter.end() }
            lines += splitter.add(buffer[..<count])
        }
    }

    private static func failure(_ path: String) -> ListFailure {
        ListFailure(message: "can't read the list \(path): \(unsafe String(cString: strerror(errno)))")
    }
}

/// A list that can't be read; nothing is downloaded then.
struct ListFailure: Error {
    let message: String
}
