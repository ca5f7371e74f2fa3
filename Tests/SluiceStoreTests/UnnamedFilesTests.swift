import CLinux
import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// Files without names: when they lie ready, for how long, and when the disk is left alone.
@Suite(.timeLimit(.minutes(1)))
struct UnnamedFilesTests {
    /// What the clock says next; the last time stays.
    private final class Clock: Sendable {
        private let times = Locked<[Timestamp]>([])

        /// In milliseconds.
        func set(_ milliseconds: Int64...) {
            times.withLock { $0 = milliseconds.map { Timestamp(nanoseconds: $0 * 1_000_000) } }
        }

        func read() -> Timestamp {
            times.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? Timestamp(nanoseconds: 0) }
        }
    }

    private let directory = StoreDirectory()
    private let clock = Clock()
    private let files: UnnamedFiles

    init() throws {
        let clock = clock
        files = UnnamedFiles(in: try Folder.destination(directory.path)) { clock.read() }
    }

    private func make(at milliseconds: Int64, until end: Int64? = nil) -> Int32? {
        clock.set(milliseconds, end ?? milliseconds)
        return files.make(with: Array("body".utf8).span)
    }

    @Test func whatIsMadeHasTheBytesAndNoName() throws {
        let file = try #require(make(at: 1))
        defer { close(file) }
        #expect(directory.names == [])
        #expect(directory.openFileCount == 1)
        var status = stat()
        #expect(unsafe fstat(file, &status) == 0)
        #expect(status.st_size == 4)
        #expect(status.st_nlink == 0)
    }

    @Test func whereOneFollowsTheOtherTheNextLiesReady() throws {
        close(try #require(make(at: 0)))
        files.refill()
        #expect(directory.openFileCount == 0, "one alone is no reason")
        close(try #require(make(at: 4)))
        files.refill()
        #expect(directory.openFileCount == 1)
        close(try #require(make(at: 8)))
        #expect(directory.openFileCount == 0, "it was taken")
        files.refill()
        files.close()
        #expect(directory.openFileCount == 0)
    }

    @Test func whatLayTooLongIsNotUsed() throws {
        close(try #require(make(at: 0)))
        close(try #require(make(at: 1)))
        files.refill()
        close(try #require(make(at: 6)))
        #expect(directory.openFileCount == 0)
        files.refill()
        #expect(directory.openFileCount == 0, "they do not follow each other any more")
    }

    @Test func aDiskThatKeepsItsUserWaitingIsLeftAloneForASecond() throws {
        close(try #require(make(at: 0, until: 5)))
        close(try #require(make(at: 5, until: 11), "what was waited for is used"))
        #expect(make(at: 11) == nil)
        #expect(make(at: 1_010) == nil)
        close(try #require(make(at: 1_011)))
    }

    @Test func whereNoneCanBeMadeTheBodyIsLeftToOthers() throws {
        // What has no folder any more fails for another reason than that there are none.
        unsafe rmdir(directory.path)
        #expect(make(at: 1) == nil)
        let elsewhere = UnnamedFiles(in: try Folder.destination("/proc/self"))
        #expect(elsewhere.make(with: Array("body".utf8).span) == nil)
        #expect(elsewhere.make(with: Array("body".utf8).span) == nil)
    }
}
