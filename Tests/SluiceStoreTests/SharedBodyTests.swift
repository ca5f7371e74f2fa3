import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// A stored body that shares its bytes with a saved file.
@Suite(.timeLimit(.minutes(5)))
struct SharedBodyTests {
    private let directory = StoreDirectory()
    private let now = Timestamp(nanoseconds: 0)

    /// Writes a file of a certain time, as servers date them.
    private func save(_ text: String, as name: String) throws -> SavedFile {
        directory.write(text, to: name)
        let times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
        #expect(unsafe utimensat(AT_FDCWD, directory.file(name), times, 0) == 0)
        return try #require(FileStatus(directory.file(name), in: AT_FDCWD)).saved(directory.file(name))
    }

    /// Another body may get the name between the end of a download and the moment when it is stored.
    @Test(arguments: [true, false]) func aBodyOfTheSameSizeAndDateIsNotTakenForAnother(isReplaced: Bool) throws {
        let store = try directory.openCache(capacity: 1_000_000)
        let saved = try save("mine", as: "file")
        if isReplaced {
            _ = try save("else", as: "other")
            #expect(unsafe rename(directory.file("other"), directory.file("file")) == 0)
        }
        _ = store.add(.storable("http://h/a"), .file(saved), now: now)
        store.close()
        let found = try directory.openCache(capacity: 1_000_000).responses(for: "http://h/a", now: now)
        #expect(found.count == (isReplaced ? 0 : 1))
        #expect(FileTree.names(in: directory.file("cache/bodies")).count == found.count)
    }

    /// A name that was left behind may be a second one of the user's file, whose bytes stay.
    @Test func aNameThatIsTakenIsNotWrittenOver() throws {
        let store = try directory.openCache(capacity: 1_000_000)
        let first = try #require(store.add(.storable("http://h/a"), .bytes(Array("one".utf8)), now: now))
        _ = try save("mine", as: "file")
        let name = directory.file("cache/bodies/\(first.response.id.rawValue + 1)")
        #expect(unsafe link(directory.file("file"), name) == 0)
        let second = try #require(store.add(.storable("http://h/b"), .bytes(Array("two".utf8)), now: now))
        #expect(second.response.id.rawValue == first.response.id.rawValue + 1)
        store.close()
        #expect(directory.read("file") == "mine")
        #expect(directory.read("cache/bodies/\(second.response.id.rawValue)") == "two")
    }

    @Test func whatIsCopiedOrDeletedIsTheFileThatWasSaved() throws {
        let saved = try save("mine", as: "file")
        _ = try save("else", as: "other")
        #expect(unsafe rename(directory.file("other"), directory.file("file")) == 0)
        #expect(FileRemoval.remove(saved) != nil && directory.read("file") == "else")
        // A history knows no more of it than path, size and time.
        let known = SavedFile(path: saved.path, size: saved.size, modified: saved.modified)
        #expect(FileRemoval.remove(known) == nil)
    }
}
