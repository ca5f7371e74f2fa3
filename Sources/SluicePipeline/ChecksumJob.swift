internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Reads a saved body back and sums it up, on a thread of the pool.
///
/// Reads what is on disk, so that a body that was resumed is judged whole; and no more than its bytes, since the part
/// that it continues may have more behind them, which go when the file gets its name.
struct ChecksumJob: Sendable {
    private static let blockSize = 262_144

    /// The part file; closed after use.
    let descriptor: Int32
    /// Bytes of the body.
    let count: Int

    /// - Returns: The SHA-256 of the body as hexadecimal digits; `ioError` if the file ends before it, or can't be read.
    func run() -> Result<String, DownloadError> {
        defer { drop() }
        var sum = SHA256()
        for offset in stride(from: 0, to: count, by: Self.blockSize) {
            let wanted = min(Self.blockSize, count - offset)
            let block = FileBytes.read(descriptor, wanted, at: offset)
            guard block.count == wanted else {
                return .failure(DownloadError(.ioError, "the saved file can't be read back; is the disk in order?"))
            }
            sum.update(block.span)
        }
        return .success(sum.hex())
    }

    /// Lets go of the file; all that is left to do where the job never began.
    func drop() { close(descriptor) }
}
