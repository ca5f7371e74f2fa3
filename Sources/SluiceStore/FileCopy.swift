import CLinux
import Glibc
import SluiceCore

/// Copies bytes between two open files, inside the kernel where the file systems allow.
enum FileCopy {
    /// Bytes that are on their way at a time, where the kernel does not copy.
    private static let bufferSize = 65_536

    /// Copies from the position of one file to the start of another.
    ///
    /// - Parameters:
    ///   - source: Read from its position to its end.
    ///   - target: Empty, at its start; its position is back at the start afterwards.
    ///   - path: Of the target, for the sentence of an error.
    /// - Returns: Bytes copied.
    /// - Throws: `ioError`, `diskFull`.
    static func copy(from source: Int32, to target: Int32, _ path: String) throws(DownloadError) -> Int {
        defer { lseek(target, 0, SEEK_SET) }
        var total = 0
        while true {
            let count = sluice_copy_range(source, target, 1 << 30)
            if count == 0 { return total }
            if count > 0 {
                total += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EXDEV, EINVAL, ENOSYS, EOPNOTSUPP: return try copyByHand(from: source, to: target, total, path)
            default: throw FileError.error(errno, "write", path)
            }
        }
    }

    private static func copyByHand(
        from source: Int32,
        to target: Int32,
        _ start: Int,
        _ path: String
    ) throws(DownloadError) -> Int {
        // Not zeroed, and no page of it touched that is not needed: most of what is copied is small.
        try unsafe withUnsafeTemporaryAllocation(byteCount: bufferSize, alignment: 16) {
            buffer throws(DownloadError) in
            var total = start
            while true {
                let count = unsafe read(source, buffer.baseAddress, buffer.count)
                if count == 0 { return total }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw FileError.error(errno, "read", path)
                }
                let bytes = unsafe UnsafeRawBufferPointer(start: buffer.baseAddress, count: count)
                let error = unsafe BlockWriter.write(Span<UInt8>(_unsafeBytes: bytes), target, at: total)
                if error != 0 { throw FileError.error(error, "write", path) }
                total += count
            }
        }
    }
}
