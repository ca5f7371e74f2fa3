/// Writes archives that `tar` reads (POSIX ustar).
enum TapeArchive {
    private static let blockSize = 512

    /// - Parameter files: Names of at most 100 bytes, and their contents.
    /// - Returns: The archive.
    static func archive(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var archive: [UInt8] = []
        for file in files {
            archive += header(file.name, size: file.bytes.count) + file.bytes
            archive += [UInt8](repeating: 0, count: (blockSize - file.bytes.count % blockSize) % blockSize)
        }
        return archive + [UInt8](repeating: 0, count: 2 * blockSize)
    }

    private static func header(_ name: String, size: Int) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockSize)
        func put(_ text: String, at offset: Int) {
            block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put(String(decoding: name.utf8.prefix(100), as: UTF8.self), at: 0)
        put("0000644", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(octal(size, digits: 11), at: 124)
        put(octal(1_700_000_000, digits: 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        // The sum counts its own field as blanks.
        put(octal(block.reduce(0) { $0 + Int($1) }, digits: 6) + "\u{0} ", at: 148)
        return block
    }

    private static func octal(_ value: Int, digits: Int) -> String {
        let text = String(value, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
