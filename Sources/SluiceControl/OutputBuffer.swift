internal import CLinux
internal import Glibc

/// What a client has still to be sent; whole lines go in, any pieces go out.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0
    /// Bytes that the socket took, of all that was ever to be sent.
    private(set) var sentCount = 0
    /// Whether the rest of a line is still to go whose beginning was sent.
    private var isInLine = false

    /// Bytes that wait.
    var count: Int { bytes.count - sent }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [UInt8]) {
        if isEmpty { (bytes, sent) = (more, 0) } else { bytes += more }
    }

    /// A socket takes so many bytes whole or not at all, so that lines up to this length are not torn.
    private static let pieceLimit = 32_768

    /// Where the next piece ends: behind a line, unless one is longer than a piece.
    private var pieceEnd: Int {
        let end = min(bytes.count, sent + Self.pieceLimit)
        return bytes[sent..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? end
    }

    /// Drops what waits, but for the rest of a line whose beginning was sent.
    mutating func dropWholeLines() {
        let end = isInLine ? bytes[sent...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count : sent
        bytes.removeSubrange(end...)
    }

    /// Sends what the socket takes now.
    ///
    /// - Returns: Whether the client is still there.
    mutating func flush(to descriptor: Int32) -> Bool {
        while !isEmpty {
            let piece = sent..<pieceEnd
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[piece])
                return unsafe Glibc.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
                sentCount += count
                isInLine = bytes[sent - 1] != UInt8(ascii: "\n")
            } else if errno == EAGAIN {
                if sent > 1_048_576 {
                    bytes.removeFirst(sent)
                    sent = 0
                }
                return true
            } else if errno != EINTR {
                return false
            }
        }
        (bytes, sent) = ([], 0)
        return true
    }
}
