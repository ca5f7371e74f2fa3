import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// Large bodies, which go through the writer's thread.
@Suite(.timeLimit(.minutes(5)))
struct BlockWriterTests {
    @Test(arguments: [61, 16_384, 300_000, 1_000_000]) func largeBodiesArriveWhole(chunk: Int) throws {
        let fixture = try StoreFixture()
        let size = 1_000_001
        let file = try #require(try fixture.create("large", expected: size))
        try fixture.write(pattern(size), to: file, chunk: chunk)
        #expect(try !fixture.store.finish(file), "the writer has something to do")
        guard case .written(file) = fixture.nextNews() else { throw Problem("not written") }
        #expect(try fixture.store.publish(file, as: .final, lastModified: nil).size == size)
        #expect(fixture.directory.readBytes("large") == pattern(size))
    }

    @Test(arguments: [nil, 10]) func aBodyMayBeLargerThanAnnounced(expected: Int?) throws {
        let fixture = try StoreFixture()
        for size in [100, 262_144, 262_145, 900_000] {
            let file = try #require(try fixture.create("body-\(size)", expected: expected))
            try fixture.write(pattern(size), to: file, chunk: 10_000)
            try fixture.finish(file)
            _ = try fixture.store.publish(file, as: .final, lastModified: nil)
            #expect(fixture.directory.readBytes("body-\(size)") == pattern(size))
        }
    }

    @Test func upToOneBlockStaysOnTheCallersThread() throws {
        let fixture = try StoreFixture()
        let file = try #require(try fixture.create("a"))
        try fixture.write(pattern(262_143), to: file)
        #expect(try fixture.store.finish(file), "no news to wait for")
        fixture.store.discard(file)
    }

    /// Though the first to be told takes all the room each time.
    @Test func roomIsOfferedInTurns() throws {
        let writer = BlockWriter {}
        let target = unsafe open("/dev/null", O_WRONLY)
        let files = (1...3).map { FileID($0) }
        var order = files
        var firsts: [FileID] = []
        for _ in 1...6 {
            let stall = StalledBell(writer)
            while writer.hasRoom(for: order[0]) {
                handOver(pattern(BlockWriter.blockSize), to: writer, order[0], target)
            }
            for file in order.dropFirst() { #expect(!writer.hasRoom(for: file)) }
            stall.release()
            order = []
            while let news = writer.takeNews() { if case .drained(let file) = news { order.append(file) } }
            try #require(order.sorted { $0.rawValue < $1.rawValue } == files)
            firsts.append(order[0])
        }
        #expect(firsts.map(\.rawValue) == [1, 2, 3, 1, 2, 3])
        writer.close()
        close(target)
    }

    @Test func whoIsFasterThanTheDiskIsHeldUpAndGoesOn() throws {
        let writer = BlockWriter {}
        let stall = StalledBell(writer)

        let fast = FileID(1)
        let target = unsafe open("/dev/null", O_WRONLY)
        var handed = 0
        while writer.hasRoom(for: fast), handed < 100 {
            handOver(pattern(BlockWriter.blockSize), to: writer, fast, target)
            handed += 1
        }
        #expect(handed == BlockWriter.limit / BlockWriter.blockSize)
        #expect(!writer.hasRoom(for: fast), "asking again changes nothing")
        #expect(writer.takeNews() == nil)

        stall.release()
        #expect(writer.takeNews() == .drained(fast))
        #expect(writer.takeNews() == nil, "drained is said once")
        #expect(writer.hasRoom(for: fast))
        writer.close()
        close(target)
    }

    /// Whenever the process dies, what is in a part is the beginning of its body.
    @Test func aFlushOvertakesNoBlockThatWaits() throws {
        let fixture = try StoreFixture()
        let stall = StalledBell(fixture.store.writer)
        let file = try #require(try fixture.create("a"))
        let body = pattern(BlockWriter.blockSize * 5 / 2)
        try fixture.write(body, to: file)
        fixture.store.flush(file)
        #expect(fixture.directory.readBytes("a.part")?.isEmpty == true, "nothing is written while the blocks wait")
        stall.release()
        #expect(fixture.directory.readBytes("a.part") == body)
        fixture.store.discard(file)
    }

    @Test func aFailedWriteIsToldOnceAndTheFileCanBeClosed() {
        let writer = BlockWriter {}
        let full = unsafe open("/dev/full", O_WRONLY)
        for _ in 0..<3 { handOver(pattern(BlockWriter.blockSize), to: writer, FileID(1), full) }
        writer.end(FileID(1), full, syncs: false)
        writer.close(FileID(1), full)
        writer.close()
        #expect(writer.takeNews() == .failed(FileID(1), ENOSPC))
        #expect(writer.takeNews() == nil, "what failed is not written")
    }

    @Test func droppedBlocksAreNotWritten() {
        let directory = StoreDirectory()
        let writer = BlockWriter {}
        let stall = StalledBell(writer)
        let target = unsafe open(directory.file("a"), O_WRONLY | O_CREAT, 0o644)
        handOver(pattern(BlockWriter.blockSize), to: writer, FileID(1), target)
        writer.drop(FileID(1))
        writer.close(FileID(1), target)
        stall.release()
        writer.close()
        #expect(directory.read("a") == "")
    }

    @Test func syncedFilesTakeTheDetourWhateverTheirSize() throws {
        let fixture = try StoreFixture(syncs: true)
        let file = try #require(try fixture.create("a", expected: 3))
        try fixture.write(pattern(3), to: file)
        #expect(try !fixture.store.finish(file))
        guard case .written(file) = fixture.nextNews() else { throw Problem("not written") }
        _ = try fixture.store.publish(file, as: .final, lastModified: nil)
        #expect(fixture.directory.readBytes("a") == pattern(3))
    }

    @Test func aKeptPartHasAllThatCame() throws {
        let fixture = try StoreFixture()
        let file = try #require(try fixture.create("a", expected: 2_000_000))
        try fixture.write(pattern(1_500_000), to: file)
        fixture.store.keepPart(file)
        fixture.store.close()
        #expect(fixture.directory.readBytes("a.part") == pattern(1_500_000))
    }

    @Test func aPartThatIsStillBeingClosedIsWaitedFor() throws {
        let fixture = try StoreFixture()
        for _ in 0..<20 {
            let file = try #require(try fixture.create("a", expected: 2_000_000))
            try fixture.write(pattern(1_000_000), to: file)
            fixture.store.keepPart(file)
        }
        fixture.store.close()
        #expect(fixture.directory.names == ["a.part"])
    }

    @Test func closingTheStoreKeepsThePartsOfOpenFiles() throws {
        let fixture = try StoreFixture()
        let file = try #require(try fixture.create("a", expected: 600_000))
        try fixture.write(pattern(500_000), to: file)
        fixture.store.close()
        fixture.store.close()
        #expect(fixture.directory.readBytes("a.part") == pattern(500_000))
    }

    private func handOver(_ bytes: [UInt8], to writer: BlockWriter, _ file: FileID, _ descriptor: Int32) {
        var block = writer.makeBlock()
        block.append(contentsOf: bytes)
        writer.write(&block, to: file, descriptor, at: 0)
        #expect(block.isEmpty)
    }
}
