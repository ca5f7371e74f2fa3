import CLinux
import Glibc
import SluiceCore

/// Bytes of open files, wherever their positions are.
enum FileBytes {
    /// Compared at a time.
    private static let blockSize = 65_536

    /// Reads bytes from an offset; fewer if the file ends before.
    static func read(_ descriptor: Int32, _ count: Int, at offset: Int) -> [UInt8] {
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
    static func areEqual(_ one: Int32, _ other: Int32, count: Int) -> Bool {
        for start in stride(from: 0, to: count, by: blockSize) {
            let bytes = read(one, min(blockSize, count - start), at: start)
            guard bytes.count == min(blockSize, count - start), bytes == read(other, bytes.count, at: start) else {
                return false
            }
        }
        return true
    }
}

extension Folder {
    /// The file of a name, if it has just the bytes of an open one.
    ///
    /// - Parameters:
    ///   - name: In this folder; no link is followed.
    ///   - descriptor: Of the other file.
    ///   - isDated: Whether it must have the time of the other, too.
    /// - Returns: `nil` if it has not.
    func file(_ name: String, equalTo descriptor: Int32, isDated: Bool) -> SavedFile? {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let other = unsafe openat(self.descriptor, name, flags)
        guard other >= 0 else { return nil }
        defer { close(other) }
        var (mine, theirs) = (stat(), stat())
        guard unsafe fstat(descriptor, &mine) == 0, unsafe fstat(other, &theirs) == 0,
            theirs.st_mode & S_IFMT == S_IFREG, theirs.st_size == mine.st_size,
            !isDated || theirs.modified == mine.modified,
            FileBytes.areEqual(descriptor, other, count: Int(mine.st_size))
        else { return nil }
        return SavedFile(path: path(of: name), size: Int(theirs.st_size), modified: theirs.modified)
    }
}
