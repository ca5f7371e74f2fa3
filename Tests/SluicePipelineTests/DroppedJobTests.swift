import CLinux
import Glibc
import SluiceCore
import SluiceImaging
import SluiceTestSupport
import Testing

@testable import SluicePipeline

/// Jobs that no thread of the pool came to.
struct DroppedJobTests {
    enum Kind: CaseIterable, Sendable {
        case decode
        case checksum
        case sketch
    }

    /// A pipe that nobody can read any more says so to who writes.
    @Test(arguments: Kind.allCases) func aDroppedJobClosesItsFile(kind: Kind) throws {
        var (reader, writer): (Int32, Int32) = (-1, -1)
        // Which no child of another test inherits.
        let isMade = unsafe sluice_pipe(&reader, &writer) == 0
        try #require(isMade)
        defer { close(writer) }

        drop(kind, reading: reader)

        var watched = pollfd(fd: writer, events: 0, revents: 0)
        let count = unsafe poll(&watched, 1, Int32(Duration.patience.nanoseconds / 1_000_000))
        #expect(count == 1 && watched.revents & Int16(POLLERR) != 0)
    }

    private func drop(_ kind: Kind, reading descriptor: Int32) {
        switch kind {
        case .decode:
            DecodeJob(descriptor: descriptor, bytes: [], count: 1, decoder: CodecDecoder(), maxPixels: 0).drop()
        case .checksum:
            ChecksumJob(descriptor: descriptor, count: 1).drop()
        case .sketch:
            SketchJob(
                descriptor: descriptor,
                bytes: [],
                count: 1,
                decoder: CodecDecoder(),
                maxPixels: 0,
                wish: SketchWish()
            ).drop()
        }
    }
}
