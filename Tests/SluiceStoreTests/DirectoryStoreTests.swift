import CLinux
import Glibc
import SluiceCore
import SluiceStore
import SluiceTestSupport
import Testing

/// Names, replacing, and the life of a file.
@Suite(.timeLimit(.minutes(5)))
struct DirectoryStoreTests {
    @Test func aBodyGetsItsNameOnlyWhenItIsComplete() throws {
        let fixture = try StoreFixture()
        let file = try #require(try fixture.create("cat.png", expected: 6))
        try fixture.write(Array("abc".utf8), to: file)
        #expect(fixture.directory.names == ["cat.png.part"])

        try fixture.write(Array("def".utf8), to: file)
        #expect(try fixture.store.finish(file))
        let saved = try fixture.store.publish(file, as: .final, lastModified: 784_111_777)

        #expect(fixture.directory.names == ["cat.png"])
        #expect(fixture.directory.read("cat.png") == "abcdef")
        #expect(saved.path == fixture.store.path + "/cat.png")
        #expect(saved.size == 6)
        #expect(saved.modified == 784_111_777_000_000_000)
        #expect(fixture.store.isIntact(saved))
    }

    /// Leaves a part of a few bytes.
    private func keptPart(_ fixture: StoreFixture) throws -> PartLocation {
        let part = try #require(try fixture.create("v.iso"))
        try fixture.write([1, 2, 3], to: part)
        let location = try #require(fixture.store.location(of: part))
        fixture.store.keepPart(part)
        return location
    }

    @Test func aPartThatSomebodyCanContinueIsNoLeftover() throws {
        let fixture = try StoreFixture()
        let location = try keptPart(fixture)
        var request = FileRequest(name: "v.iso")
        request.held = [location]
        let other = try #require(try fixture.store.create(request))
        #expect(fixture.store.reservedPath(of: other) == fixture.store.path + "/v.1.iso")
        #expect(fixture.directory.names == ["v.1.iso.part", "v.iso.part"])
        fixture.store.discard(other)

        // Without a record it gives way.
        let third = try #require(try fixture.create("v.iso"))
        #expect(fixture.store.reservedPath(of: third) == fixture.store.path + "/v.iso")
        fixture.store.discard(third)
        #expect(fixture.directory.names == [])
    }

    /// The second name of a body is none that anybody asked for.
    @Test func onlyTheNameThatWasAskedForIsOverwritten() throws {
        let fixture = try StoreFixture()
        for name in ["a", "a.1"] { fixture.directory.write("mine", to: name) }
        let files = try (1...2).map { _ in try #require(try fixture.create("a", .overwrite)) }
        for file in files {
            try fixture.write([65], to: file)
            #expect(try fixture.store.finish(file))
            _ = try fixture.store.publish(file, as: .final, lastModified: nil)
        }
        #expect(fixture.directory.names == ["a", "a.1", "a.2"])
        #expect(["a", "a.1", "a.2"].map(fixture.directory.read) == ["A", "mine", "A"])
    }

    @Test func whatNobodyNamesOverwritesNothing() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("mine", to: "a")
        let file = try #require(try fixture.create("a", .overwrite))
        try fixture.write([65], to: file)
        #expect(try fixture.store.finish(file))
        let saved = try fixture.store.publish(file, as: .next, lastModified: nil)
        #expect(saved.path == fixture.store.path + "/a.1" && fixture.directory.read("a") == "mine")
    }

    @Test func aPartWhoseNameIsTakenMeanwhileIsSkipped() throws {
        let fixture = try StoreFixture()
        let location = try keptPart(fixture)
        fixture.directory.write("mine", to: "v.iso")
        let wish = ReopenWish(prefix: 0)
        #expect(fixture.store.reopen(location, wish, onExists: .skip, replaces: ReplaceableFiles()) == nil)
        let reopened = try #require(
            fixture.store.reopen(location, wish, onExists: .rename, replaces: ReplaceableFiles())
        )
        fixture.store.discard(reopened.file)
    }

    @Test func aFolderOfThatNameIsNotReplaced() throws {
        let fixture = try StoreFixture()
        #expect(unsafe mkdir(fixture.directory.file("a"), 0o700) == 0)
        let error = #expect(throws: DownloadError.self) { try fixture.create("a", .overwrite) }
        #expect(error?.code == .ioError && error?.message.contains("is a folder") == true)
        #expect(fixture.directory.names == ["a"])
    }

    @Test func anUnknownFileIsNeverTouched() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("mine", to: "cat.png")
        fixture.directory.write("mine too", to: "cat.1.png")
        let saved = try fixture.save("new", as: "cat.png")
        #expect(saved.path.hasSuffix("/cat.2.png"))
        #expect(fixture.directory.names == ["cat.1.png", "cat.2.png", "cat.png"])
        #expect(fixture.directory.read("cat.png") == "mine")
        #expect(fixture.directory.read("cat.2.png") == "new")
    }

    @Test func twoBodiesOfOneNameAtATimeGetTwoNames() throws {
        let fixture = try StoreFixture()
        let first = try #require(try fixture.create("a", expected: 1))
        let second = try #require(try fixture.create("a", expected: 1))
        try fixture.write([49], to: first)
        try fixture.write([50], to: second)
        #expect(fixture.directory.names == ["a.1.part", "a.part"])
        #expect(fixture.store.reservedPath(of: second) == fixture.store.path + "/a.1", "which is told before")
        for file in [second, first] {
            try fixture.finish(file)
            _ = try fixture.store.publish(file, as: .final, lastModified: nil)
        }
        #expect(fixture.directory.read("a") == "1")
        #expect(fixture.directory.read("a.1") == "2")
    }

    @Test func skippingLeavesWhatIsThere() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("mine", to: "a")
        #expect(try fixture.create("a", .skip) == nil)
        #expect(fixture.directory.names == ["a"])
        #expect(try fixture.create("b", .skip) != nil)
        let second = try #require(try fixture.create("b", .skip), "the first one is on its way, and may not arrive")
        #expect(fixture.store.reservedPath(of: second) == fixture.store.path + "/b.1")
    }

    @Test func overwritingReplacesInOneStep() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("mine", to: "a")
        let file = try #require(try fixture.create("a", .overwrite, expected: 3))
        try fixture.write(Array("new".utf8), to: file)
        #expect(fixture.directory.read("a") == "mine", "until the new one is complete")
        try fixture.finish(file)
        _ = try fixture.store.publish(file, as: .final, lastModified: nil)
        #expect(fixture.directory.names == ["a"])
        #expect(fixture.directory.read("a") == "new")
    }

    @Test(arguments: ["a.txt", "a.1.txt"]) func theKnownFileIsReplaced(name: String) throws {
        let fixture = try StoreFixture()
        if name == "a.1.txt" { fixture.directory.write("mine", to: "a.txt") }
        let old = try fixture.save("old", as: "a.txt")
        #expect(old.path.hasSuffix("/" + name))
        let new = try fixture.save("newer", as: "a.txt", replaces: old)
        #expect(new.path == old.path)
        #expect(fixture.directory.read(name) == "newer")
        #expect(fixture.directory.names == (name == "a.txt" ? ["a.txt"] : ["a.1.txt", "a.txt"]))
        #expect(!fixture.store.isIntact(old))
    }

    @Test func theKnownFileIsNotReplacedOnceTheUserChangedIt() throws {
        let fixture = try StoreFixture()
        let old = try fixture.save("old", as: "a", lastModified: 1_000)
        fixture.directory.write("mine!", to: "a")
        let new = try fixture.save("new", as: "a", replaces: old)
        #expect(new.path.hasSuffix("/a.1"))
        #expect(fixture.directory.read("a") == "mine!")
    }

    @Test func theKnownFileIsNotReplacedIfItChangesMeanwhile() throws {
        let fixture = try StoreFixture()
        let old = try fixture.save("old", as: "a", lastModified: 1_000)
        let file = try #require(try fixture.create("a", expected: 3, replaces: old))
        fixture.directory.write("mine!", to: "a")
        try fixture.write(Array("new".utf8), to: file)
        try fixture.finish(file)
        let new = try fixture.store.publish(file, as: .final, lastModified: nil)
        #expect(new.path.hasSuffix("/a.1"))
        #expect(fixture.directory.read("a") == "mine!")
    }

    @Test func aNameThatIsTakenMeanwhileIsLeftAlone() throws {
        let fixture = try StoreFixture()
        let file = try #require(try fixture.create("a", expected: 3))
        fixture.directory.write("mine", to: "a")
        try fixture.write(Array("new".utf8), to: file)
        try fixture.finish(file)
        let saved = try fixture.store.publish(file, as: .final, lastModified: nil)
        #expect(saved.path.hasSuffix("/a.1"))
        #expect(fixture.directory.read("a") == "mine")
    }

    @Test func aBadBodyIsKeptUnderItsOwnName() throws {
        let fixture = try StoreFixture()
        for expected in ["/cat.png.bad", "/cat.png.1.bad"] {
            let file = try #require(try fixture.create("cat.png", expected: 3))
            try fixture.write(Array("bad".utf8), to: file)
            try fixture.finish(file)
            #expect(try fixture.store.publish(file, as: .bad, lastModified: nil).path.hasSuffix(expected))
        }
        #expect(fixture.directory.names == ["cat.png.1.bad", "cat.png.bad"])
    }

    @Test func aKeptPartStartsOverAndAnEmptyOneGoes() throws {
        let fixture = try StoreFixture()
        let file = try #require(try fixture.create("a", expected: 100))
        try fixture.write(Array("a long leftover".utf8), to: file)
        fixture.store.keepPart(file)
        #expect(fixture.directory.read("a.part") == "a long leftover")

        try fixture.save("short", as: "a")
        #expect(fixture.directory.names == ["a"])
        #expect(fixture.directory.read("a") == "short")

        let empty = try #require(try fixture.create("b"))
        fixture.store.keepPart(empty)
        #expect(fixture.directory.names == ["a"])
    }

    @Test func aDiscardedFileLeavesNothing() throws {
        let fixture = try StoreFixture()
        for size in [3, 1_000_000] {
            let file = try #require(try fixture.create("a", expected: size))
            try fixture.write(pattern(size), to: file)
            fixture.store.discard(file)
            #expect(fixture.directory.names.isEmpty)
        }
        try fixture.save("new", as: "a")
        #expect(fixture.directory.read("a") == "new")
    }

    @Test func thePartCanBeReadFromItsStart() throws {
        let fixture = try StoreFixture()
        for size in [5, 400_000] {
            let file = try #require(try fixture.create("a", expected: size))
            try fixture.write(pattern(size), to: file)
            try fixture.finish(file)
            let descriptor = try fixture.store.descriptor(of: file)
            #expect(readAll(descriptor) == pattern(size))
            close(descriptor)
            fixture.store.discard(file)
        }
    }

    @Test func anEmptyBodyIsAFileToo() throws {
        let fixture = try StoreFixture()
        let saved = try fixture.save("", as: "empty")
        #expect(saved.size == 0)
        #expect(fixture.directory.read("empty") == "")
    }

    @Test func aThousandSmallFilesAreSaved() throws {
        let fixture = try StoreFixture()
        for number in 0..<1_000 { try fixture.save("body \(number)", as: "file") }
        #expect(fixture.directory.names.count == 1_000)
        #expect(fixture.directory.read("file.999") == "body 999")
    }

    @Test func copiesAreIndependentAndKeepTheirTime() throws {
        let fixture = try StoreFixture()
        let original = try fixture.save("body", as: "a", lastModified: 5_000)
        let copy = try fixture.store.copier(of: original, to: FileRequest(name: "b", folder: "below"))().get()
        #expect(fixture.directory.read("below/b") == "body")
        #expect((copy.size, copy.modified) == (4, original.modified))
        #expect(fixture.directory.names == ["a", "below"])

        fixture.directory.write("changed", to: "a")
        let late = fixture.store.copier(of: original, to: FileRequest(name: "c"))
        #expect(errorCode { _ = try late().get() } == .ioError)
        #expect(fixture.directory.names == ["a", "below"])
    }

    private func inode(_ fixture: StoreFixture) -> UInt64 {
        var status = stat()
        return unsafe lstat(fixture.directory.file("a"), &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test func anEqualFileThatIsNotKnownIsNotTouchedEither() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("body", to: "a")
        #expect(try fixture.save("body", as: "a").path.hasSuffix("/a.1"))
        #expect(fixture.directory.names == ["a", "a.1"])
    }

    @Test("the part of another URL changes nothing about the file that has the name", arguments: [true, false])
    func aKnownFileIsFoundBehindAPart(isHit: Bool) throws {
        let fixture = try StoreFixture()
        let known = try fixture.save("body", as: "a")
        let other = try #require(try fixture.create("a"))
        #expect(fixture.store.reservedPath(of: other) == fixture.store.path + "/a.1", "the name that it will get")
        try fixture.write(Array("other".utf8), to: other)
        let saved = try fixture.save(isHit ? "body" : "news", as: "a", replaces: known, leavesEqual: isHit)
        #expect((saved == known) == isHit && saved.path == known.path)
        #expect(fixture.directory.read("a") == (isHit ? "body" : "news"))
        #expect(fixture.directory.names == ["a", "a.part"])
    }

    @Test func aHitLeavesTheKnownFileAlone() throws {
        let fixture = try StoreFixture()
        let known = try fixture.save("body", as: "a")
        let before = inode(fixture)
        #expect(try fixture.save("body", as: "a", replaces: known, leavesEqual: true) == known)
        #expect(inode(fixture) == before)
        let replaced = try fixture.save("news", as: "a", replaces: known, leavesEqual: true)
        #expect(fixture.directory.names == ["a"])
        #expect(fixture.directory.read("a") == "news")
        let fresh = inode(fixture)
        _ = try fixture.save("news", as: "a", replaces: replaced)
        #expect(inode(fixture) != fresh, "a new body replaces it")
    }
}
