/// Raw answers for scripts.
enum Answers {
    /// A whole answer with a right length.
    static func ok(_ body: String, _ fields: String = "") -> [ScriptedServer.Step] {
        [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")]
    }

    static func status(_ status: String, _ fields: String = "", body: String = "") -> [ScriptedServer.Step] {
        [.text("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")]
    }

    static func redirect(to location: String, _ status: String = "302 Found") -> [ScriptedServer.Step] {
        Answers.status(status, "Location: \(location)\r\n", body: "moved")
    }

    /// Bytes, and then the end of the connection.
    static func raw(_ text: String) -> [ScriptedServer.Step] { [.text(text), .close] }

    /// A gzip member that stores its content; at most 65,535 bytes.
    static func gzip(_ content: [UInt8]) -> [UInt8] {
        let (size, checksum) = (UInt16(content.count), crc32(content))
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1]
        let count = UInt32(content.count)
        return header + littleEndian(size) + littleEndian(~size) + content + littleEndian(checksum)
            + littleEndian(count)
    }

    /// A zlib stream that stores its content, however long that is (RFC 1950 and 1951).
    static func zlib(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let end = min(start + 65_535, content.count)
            let size = UInt16(end - start)
            stream += [end == content.count ? 1 : 0] + littleEndian(size) + littleEndian(~size) + content[start..<end]
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + littleEndian((high << 16 | low).byteSwapped)
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
            }
        }
    }
}
