import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// What the loop waits for where the name of a part is taken, or the bytes of a file are there already: nothing of others.
@Suite(.timeLimit(.minutes(5)))
struct TakenPartTests {
    private static let size = 700_000

    @Test("a name that a running transfer has is no cause to wait for the writer")
    func aTakenNameWaitsForNobodysBlocks() throws {
        let fixture = try StoreFixture()
        let first = try #require(try fixture.create("a", expected: Self.size))
        try fixture.write(pattern(Self.size), to: first)
        let stall = StalledBell(fixture.store.writer)
        // With a wait, this would never return.
        let second = try #require(try fixture.create("a", expected: Self.size))
        #expect(fixture.directory.names == ["a.1.part", "a.part"])
        stall.release()
        for file in [first, second] { fixture.store.discard(file) }
    }

    @Test("a part that the writer has not closed yet is waited for")
    func aPartThatIsBeingClosedIsOursAgain() throws {
        let fixture = try StoreFixture()
        for _ in 1...20 {
            let first = try #require(try fixture.create("a", expected: 2 * Self.size))
            try fixture.write(pattern(Self.size), to: first)
            let location = try #require(fixture.store.location(of: first))
            fixture.store.keepPart(first)
            var wish = ReopenWish(prefix: 10)
            wish.overlap = 10
            let reopened = fixture.store.reopen(location, wish, onExists: .rename, replaces: ReplaceableFiles())
            let again = try #require(reopened, "its bytes are all there")
            #expect(again.length == Self.size - 10)
            fixture.store.keepPart(again.file)
            // A new one takes the place of what was left.
            let fresh = try #require(try fixture.create("a", expected: Self.size))
            #expect(fixture.directory.names == ["a.part"])
            fixture.store.discard(fresh)
        }
    }

    @Test("what had the name first died without a file", arguments: [nil, "", "more"])
    func aContinuedPartGetsTheNameThatIsFree(leftover: String?) throws {
        let fixture = try StoreFixture()
        let first = try #require(try fixture.create("a", expected: Self.size))
        let second = try #require(try fixture.create("a", expected: Self.size))
        try fixture.write(pattern(Self.size), to: second)
        let location = try #require(fixture.store.location(of: second))
        #expect(location.index == 1)
        fixture.store.keepPart(second)
        fixture.store.discard(first)
        if let leftover { fixture.directory.write(leftover, to: "a.part") }
        let reopened = fixture.store.reopen(
            location,
            ReopenWish(prefix: 0),
            onExists: .rename,
            replaces: ReplaceableFiles()
        )
        let again = try #require(reopened)
        try fixture.finish(again.file)
        let saved = try fixture.store.publish(again.file, as: .final, lastModified: nil)
        let isFree = leftover?.isEmpty ?? true
        #expect(saved.path.hasSuffix(isFree ? "/a" : "/a.1"))
        #expect(fixture.directory.names == (isFree ? ["a"] : ["a.1", "a.part"]), "somebody's bytes are somebody's")
    }

    @Test("a large file is compared by the writer", arguments: [true, false], [nil, 1_000_000])
    func aLargeHitLeavesTheKnownFileAlone(isEqual: Bool, lastModified: Int?) throws {
        let fixture = try StoreFixture()
        var bytes = pattern(Self.size)
        let known = try save(bytes, fixture, replaces: nil, lastModified)
        if !isEqual { bytes[Self.size - 1] ^= 1 }
        let saved = try save(bytes, fixture, replaces: known, lastModified)
        #expect((saved == known) == isEqual && saved.path == known.path)
        #expect(fixture.directory.readBytes("a") == bytes && fixture.directory.names == ["a"])
    }

    @Test("of another date it is another file") func aLargeHitOfAnotherDateIsSaved() throws {
        let fixture = try StoreFixture()
        let bytes = pattern(Self.size)
        let known = try save(bytes, fixture, replaces: nil, 1_000_000)
        let saved = try save(bytes, fixture, replaces: known, 2_000_000)
        #expect(saved != known && saved.modified == 2_000_000_000_000_000)
        #expect(fixture.directory.names == ["a"])
    }

    @Test("what was put there after the writer looked is no equal") func aFileThatChangedSinceIsReplaced() throws {
        let fixture = try StoreFixture()
        let bytes = pattern(Self.size)
        let known = try save(bytes, fixture, replaces: nil, nil)
        let file = try #require(
            try fixture.create("a", expected: Self.size, replaces: known, leavesEqual: true)
        )
        try fixture.write(bytes, to: file)
        try fixture.finish(file)
        fixture.directory.write("somebody else's", to: "a")
        let saved = try fixture.store.publish(file, as: .final, lastModified: nil)
        #expect(saved.path.hasSuffix("/a.1") && fixture.directory.read("a") == "somebody else's")
        #expect(fixture.directory.readBytes("a.1") == bytes)
    }

    @Test func aSecondNameIsKnown() throws {
        let fixture = try StoreFixture()
        let saved = try fixture.save("body", as: "a")
        let other = fixture.directory.file("b")
        try #require(unsafe link(saved.path, other) == 0)
        let stored = SavedFile(path: other, size: saved.size, modified: saved.modified)
        let remembered = SavedFile(path: saved.path, size: saved.size, modified: saved.modified)
        #expect(fixture.store.secondName(of: stored, at: remembered) == saved)
        fixture.directory.write("more of it", to: "a")
        #expect(fixture.store.secondName(of: stored, at: remembered) == nil, "written over, it is neither")
        let copy = try fixture.save("more", as: "c")
        #expect(fixture.store.secondName(of: stored, at: copy) == nil)
    }

    private func save(
        _ bytes: [UInt8],
        _ fixture: StoreFixture,
        replaces known: SavedFile?,
        _ lastModified: Int?
    ) throws -> SavedFile {
        let file = try #require(
            try fixture.create("a", expected: bytes.count, replaces: known, leavesEqual: known != nil)
        )
        try fixture.write(bytes, to: file)
        try fixture.finish(file)
        return try fixture.store.publish(file, as: .final, lastModified: lastModified)
    }
}
