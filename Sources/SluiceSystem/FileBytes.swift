internal import CLinux
internal import Glibc

/// Bytes of open files, wherever their positions are.
package enum FileBytes {
    /// Compared at a time.
    private static let blockSize = 65_536

    /// Reads bytes from an offset; fewer if the file ends before.
    package static func read(_ descriptor: Int32, _ count: Int, at offset: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            while filled < count {
                let got = unsafe pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: filled),
                    count - filled,
                    offset + filled
                )
                if got < 0, errno == EINTR { continue }
                if got <= 0 { return }
                filled += got
            }
        }
    }

    /// Whether the first bytes of two files are the same; what ends before is not.
    package static func areEqual(_ one: Int32, _ other: Int32, count: Int) -> Bool {
        for start in stride(from: 0, to: count, by: blockSize) {
            let bytes = read(one, min(blockSize, count - start), at: start)
            guard bytes.count == min(blockSize, count - start), bytes == read(other, bytes.count, at: start) else {
                return false
            }
        }
        return true
    }
}
