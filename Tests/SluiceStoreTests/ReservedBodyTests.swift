import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// A place in the cache that a file gets with its first name.
@Suite(.timeLimit(.minutes(5)))
struct ReservedBodyTests {
    private let directory = StoreDirectory()
    private let now = Timestamp(nanoseconds: 0)

    private var bodies: [String] { FileTree.names(in: directory.file("cache/bodies")).sorted() }

    /// Saves a small body as the pipeline does.
    private func save(_ text: String, as name: String, _ reserved: ReservedBody?) throws -> SavedFile {
        let fixture = try StoreFixture()
        let bytes = Array(text.utf8)
        let file = try #require(try fixture.create(name, expected: bytes.count))
        _ = try fixture.store.write(bytes.span, to: file)
        #expect(fixture.store.save(file, lastModified: 784_111_777) { reserved })
        guard case .saved(file, let saved) = fixture.nextNews() else { throw Problem("expected to be saved") }
        // The file outlives its folder by no more than the test needs.
        let kept = directory.file(name)
        #expect(unsafe rename(saved.path, kept) == 0)
        return try #require(FileStatus(kept, in: AT_FDCWD)).saved(kept)
    }

    @Test func theBytesAreThereBeforeTheFileIsKnownAndStayWhoeverDeletesIt() throws {
        let store = try directory.openCache(capacity: 0)
        let reserved = try #require(store.reserve(4))
        let saved = try save("mine", as: "a", reserved)
        #expect(bodies == ["\(reserved.id.rawValue)"])
        #expect(unsafe unlink(saved.path) == 0)
        let stored = try store.add(.storable("http://h/a"), .file(saved), reserved: reserved, now: now)
        let added = stored.response
        #expect(added.id == reserved.id)
        store.close()
        let found = try directory.openCache(capacity: 0).responses(for: "http://h/a", now: now)
        #expect(found.map(\.id) == [reserved.id] && found.map(\.size) == [4])
    }

    @Test func whatIsNotStoredAfterAllLeavesNothing() throws {
        let store = try directory.openCache(capacity: 0)
        var reserved = store.reserve(4)
        _ = try save("mine", as: "a", reserved)
        #expect(bodies.count == 1)
        reserved = nil
        #expect(bodies.isEmpty && directory.read("a") == "mine")
        _ = store.reserve(4)
        store.close()
        let index = try ResponseIndex(path: directory.file("cache/index.db"))
        #expect(try index.database.integer("SELECT count(*) FROM session") == 0)
    }

    /// Bodies get their entries in the order in which their files are made, which need not be that of their identifiers.
    @Test func aKillBeforeTheEntryOfAnEarlierBodyLeavesNothing() throws {
        let store = try directory.openCache(capacity: 0)
        let first = try #require(store.reserve(5))
        let second = try #require(store.reserve(6))
        let late = try save("first", as: "a", first)
        let early = try save("second", as: "b", second)
        _ = try store.add(.storable("http://h/b"), .file(early), reserved: second, now: now)
        #expect(bodies.count == 2)
        // Whoever can't end its session leaves it as a kill does.
        store.close()
        let next = try directory.openCache(capacity: 0)
        #expect(bodies == ["\(second.id.rawValue)"])
        #expect(next.figures.count == 1 && next.figures.usage == 6)
        #expect(next.responses(for: "http://h/b", now: now).map(\.id) == [second.id])
        withExtendedLifetime((first, late)) {}
    }

    @Test func aFileThatGotNoNameThereIsLinkedLater() throws {
        let store = try directory.openCache(capacity: 0)
        let reserved = try #require(store.reserve(4))
        let saved = try save("mine", as: "a", nil)
        let stored = try store.add(.storable("http://h/a"), .file(saved), reserved: reserved, now: now)
        let added = stored.response
        #expect(added.id != reserved.id)
        #expect(bodies == ["\(added.id.rawValue)"])
    }

    @Test func whereThereIsLittleRoomThereIsNoPlace() throws {
        let store = try directory.openCache(capacity: ResponseBatch.margin + 10)
        #expect(store.reserve(11) == nil)
        #expect(store.reserve(10) != nil)
    }

    @Test func identifiersThatAreNotAnnouncedAreNotReserved() throws {
        let store = try directory.openCache(capacity: 0)
        var held: [ReservedBody] = []
        while held.count <= ResponseIndex.announced, let reserved = store.reserve(1) { held.append(reserved) }
        #expect(held.count == ResponseIndex.announced)
    }
}
