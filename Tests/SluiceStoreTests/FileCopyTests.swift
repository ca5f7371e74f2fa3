import Glibc
import SluiceCore
import Testing

@testable import SluiceStore

/// Copies where the kernel does not copy.
@Suite(.timeLimit(.minutes(5)))
struct FileCopyTests {
    /// `F_SETPIPE_SZ`, which Glibc hides.
    private static let setPipeSize: Int32 = 1031

    /// A pipe is what no kernel copies from by itself; the sizes lie around those of the buffer.
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func aCopyByHandIsWhole(size: Int) throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let (source, feed) = (ends[0], ends[1])
        defer { close(source) }
        try #require(fcntl(feed, Self.setPipeSize, 1_048_576) >= size)
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        #expect(unsafe Glibc.write(feed, bytes, size) == size)
        close(feed)
        let directory = StoreDirectory()
        let target = unsafe open(directory.path + "/copy", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(target >= 0)
        defer { close(target) }

        #expect(try FileCopy.copy(from: source, to: target, "copy") == size)

        var copied = [UInt8](repeating: 0, count: size + 1)
        #expect(unsafe read(target, &copied, size + 1) == size)
        #expect(copied.prefix(size) == bytes[...])
    }
}
