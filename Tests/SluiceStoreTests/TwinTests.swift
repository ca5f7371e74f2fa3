import Glibc
import SluiceCore
import SluiceStore
import Testing

/// Files that have a body already, when it comes once more.
@Suite(.timeLimit(.minutes(1)))
struct TwinTests {
    private func inode(_ fixture: StoreFixture, _ name: String) -> UInt64 {
        var status = stat()
        return unsafe lstat(fixture.directory.file(name), &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test func whatAKilledProcessSavedIsNotSavedTwice() throws {
        let fixture = try StoreFixture(start: .max - 1)
        fixture.directory.write("body", to: "a")
        fixture.directory.write("other", to: "b")
        let before = inode(fixture, "a")
        #expect(try fixture.save("body", as: "a").path == fixture.store.path + "/a")
        #expect(inode(fixture, "a") == before)
        #expect(try fixture.save("bodY", as: "b").path.hasSuffix("/b.1"))
        #expect(fixture.directory.names == ["a", "b", "b.1"])
        #expect(fixture.directory.read("b") == "other")
        // A second body of that name in this process is another one, though it is the same.
        #expect(try fixture.save("body", as: "a").path.hasSuffix("/a.1"))
    }

    @Test func theWriterLooksForItToo() throws {
        let fixture = try StoreFixture(start: .max - 1)
        fixture.directory.write("body", to: "a")
        for name in ["/a", "/a.1"] {
            let file = try #require(try fixture.create("a", expected: 4))
            guard case .taken = try fixture.store.write(Array("body".utf8).span, to: file) else {
                throw Problem("full")
            }
            try #require(fixture.store.save(file, lastModified: nil))
            guard case .saved(file, let saved) = fixture.nextNews() else { throw Problem("expected to be saved") }
            #expect(saved.path == fixture.store.path + name)
        }
        #expect(fixture.directory.names == ["a", "a.1"])
    }

    @Test func whatIsYoungerThanTheProcessIsAnother() throws {
        let fixture = try StoreFixture(start: 1)
        fixture.directory.write("body", to: "a")
        #expect(try fixture.save("body", as: "a").path.hasSuffix("/a.1"))
    }

    @Test func anotherTimeIsAnotherFile() throws {
        let fixture = try StoreFixture(start: .max - 1)
        fixture.directory.write("body", to: "a")
        #expect(try fixture.save("body", as: "a", lastModified: 784_111_777).path.hasSuffix("/a.1"))
    }

    @Test func aLinkIsNobodysTwinAndASecondNameIsOne() throws {
        let fixture = try StoreFixture(start: .max - 1)
        fixture.directory.write("body", to: "real")
        unsafe symlink("real", fixture.directory.file("a"))
        #expect(try fixture.save("body", as: "a").path.hasSuffix("/a.1"))
        // The HTTP cache shares the bodies of saved files.
        unsafe link(fixture.directory.file("real"), fixture.directory.file("b"))
        #expect(try fixture.save("body", as: "b").path.hasSuffix("/b"))
    }

    @Test func aHitLeavesTheKnownFileAlone() throws {
        let fixture = try StoreFixture()
        let known = try fixture.save("body", as: "a")
        let before = inode(fixture, "a")
        #expect(try fixture.save("body", as: "a", replaces: known, leavesEqual: true) == known)
        #expect(inode(fixture, "a") == before)
        let replaced = try fixture.save("news", as: "a", replaces: known, leavesEqual: true)
        #expect(fixture.directory.names == ["a"])
        #expect(fixture.directory.read("a") == "news")
        let fresh = inode(fixture, "a")
        _ = try fixture.save("news", as: "a", replaces: replaced)
        #expect(inode(fixture, "a") != fresh, "a new body replaces it")
    }
}
