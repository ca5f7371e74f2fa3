internal import Glibc
internal import SluiceCore

/// Reads a saved body back and sums it up, on a thread of the pool.
///
/// Reads what is on disk, so that a body that was resumed is judged whole.
struct ChecksumJob: Sendable {
    private static let blockSize = 262_144

    /// The part file; closed after use.
    let descriptor: Int32

    /// - Returns: The SHA-256 of the file as hexadecimal digits.
    func run() -> Result<String, DownloadError> {
        defer { close(descriptor) }
        var sum = SHA256()
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        var offset = 0
        while true {
            let count = unsafe block.withUnsafeMutableBytes { bytes in
                unsafe pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                return .failure(DownloadError(.ioError, "the saved file can't be read back; is the disk in order?"))
            }
            if count == 0 { return .success(sum.hex()) }
            sum.update(block.span.extracting(first: count))
            offset += count
        }
    }
}
