internal import CLinux
internal import Glibc

/// What a client has still to be sent; whole lines go in, any pieces go out.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// Bytes that wait.
    var count: Int { bytes.count - sent }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [UInt8]) {
        if isEmpty { (bytes, sent) = (more, 0) } else { bytes += more }
    }

    /// Sends what the socket takes now.
    ///
    /// - Returns: Whether the client is still there.
    mutating func flush(to descriptor: Int32) -> Bool {
        while !isEmpty {
            let rest = sent
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[rest...])
                return unsafe Glibc.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
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
