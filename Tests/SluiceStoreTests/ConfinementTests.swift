import CLinux
import Glibc
import SluiceCore
import SluiceStore
import Testing

/// Nothing is written outside the directory, through a link, or into what belongs to others.
@Suite(.timeLimit(.minutes(5)))
struct ConfinementTests {
    @Test func aLinkUnderTheFinalNameIsATakenName() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("elsewhere", to: "target")
        unsafe symlink("target", fixture.directory.file("a"))
        #expect(try fixture.save("new", as: "a").path.hasSuffix("/a.1"))
        #expect(fixture.directory.read("target") == "elsewhere")

        try fixture.save("newer", as: "a", .overwrite)
        #expect(fixture.directory.read("target") == "elsewhere", "the link went, not what it leads to")
        #expect(fixture.directory.read("a") == "newer")
    }

    @Test func aLinkUnderThePartNameIsATakenName() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("elsewhere", to: "target")
        unsafe symlink("target", fixture.directory.file("a.part"))
        unsafe symlink("nowhere", fixture.directory.file("a.1.part"))
        #expect(try fixture.save("new", as: "a").path.hasSuffix("/a.2"))
        #expect(fixture.directory.read("target") == "elsewhere")
        #expect(fixture.directory.read("nowhere") == nil)
    }

    @Test func aPartWithASecondNameIsATakenName() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("mine", to: "precious")
        unsafe link(fixture.directory.file("precious"), fixture.directory.file("a.part"))
        #expect(try fixture.save("new", as: "a").path.hasSuffix("/a.1"))
        #expect(fixture.directory.read("precious") == "mine")
    }

    @Test func folderAndPipeUnderThePartNameAreTakenNames() throws {
        let fixture = try StoreFixture()
        unsafe mkdir(fixture.directory.file("a.part"), 0o755)
        unsafe mkfifo(fixture.directory.file("a.1.part"), 0o644)
        #expect(try fixture.save("new", as: "a").path.hasSuffix("/a.2"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make it another's"))
    func aPartOfAnotherUserIsATakenName() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("theirs", to: "a.part")
        #expect(unsafe chown(fixture.directory.file("a.part"), 1, getegid()) == 0)
        #expect(try fixture.save("new", as: "a").path.hasSuffix("/a.1"))
        #expect(fixture.directory.read("a.part") == "theirs")
    }

    /// Somebody may put a file there while the body is written, and a rename would give it the final name.
    @Test func whatTookThePlaceOfAPartIsNotPublished() throws {
        let fixture = try StoreFixture()
        let file = try #require(try fixture.create("a"))
        try fixture.write(Array("mine".utf8), to: file)
        try fixture.finish(file)
        fixture.directory.write("theirs", to: "other")
        #expect(unsafe rename(fixture.directory.file("other"), fixture.directory.file("a.part")) == 0)
        #expect(errorCode { _ = try fixture.store.publish(file, as: .final, lastModified: nil) } == .ioError)
        #expect(fixture.directory.names == ["a.part"] && fixture.directory.read("a.part") == "theirs")
        fixture.store.discard(file)
        #expect(fixture.directory.read("a.part") == "theirs", "it is not ours to remove")
    }

    @Test func whatTookThePlaceOfAnEmptyPartStays() throws {
        let fixture = try StoreFixture()
        let file = try #require(try fixture.create("a"))
        fixture.directory.write("theirs", to: "other")
        #expect(unsafe rename(fixture.directory.file("other"), fixture.directory.file("a.part")) == 0)
        fixture.store.keepPart(file)
        #expect(fixture.directory.names == ["a.part"] && fixture.directory.read("a.part") == "theirs")
    }

    @Test func aPartThatIsLockedElsewhereIsATakenName() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("theirs", to: "a.part")
        let theirs = unsafe open(fixture.directory.file("a.part"), O_RDWR)
        #expect(flock(theirs, LOCK_EX | LOCK_NB) == 0)
        #expect(try fixture.save("new", as: "a").path.hasSuffix("/a.1"))
        #expect(fixture.directory.read("a.part") == "theirs")
        close(theirs)
        try fixture.save("new", as: "a")
        #expect(fixture.directory.names == ["a", "a.1"], "unlocked, it is a leftover")
    }

    @Test func anEmptyPartThatNobodyLocksIsALeftoverHoweverYoung() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("", to: "a.part")
        #expect(try fixture.save("new", as: "a").path.hasSuffix("/a"))
        #expect(fixture.directory.names == ["a"])
    }

    @Test func twoStoresOfOneDirectoryKeepOutOfEachOthersWay() throws {
        let fixture = try StoreFixture()
        let other = try DirectoryStore(directory: fixture.directory.path) {}
        let mine = try #require(try fixture.create("a", expected: 1))
        let theirs = try #require(try other.create(FileRequest(name: "a", expected: 1)))
        for store in [fixture.store, other] { store.settle() }
        fixture.store.discard(mine)
        #expect(fixture.directory.names == ["a.1.part"])
        other.discard(theirs)
        other.close()
    }

    @Test func foldersAreMade() throws {
        let fixture = try StoreFixture()
        let saved = try fixture.save("body", as: "a", folder: "x/y")
        #expect(saved.path == fixture.store.path + "/x/y/a")
        #expect(fixture.directory.read("x/y/a") == "body")
        try fixture.save("body", as: "b", folder: "x/y")
    }

    @Test(arguments: ["..", "x/../..", "/tmp", "", "x//y", "."]) func noFolderLeadsOut(folder: String) throws {
        let fixture = try StoreFixture()
        #expect(errorCode { _ = try fixture.create("a", folder: folder) } == .ioError)
    }

    @Test func aLinkedFolderIsNotEntered() throws {
        let fixture = try StoreFixture()
        let outside = StoreDirectory()
        unsafe symlink(outside.path, fixture.directory.file("way-out"))
        #expect(errorCode { _ = try fixture.create("a", folder: "way-out") } == .ioError)
        #expect(errorCode { _ = try fixture.create("a", folder: "way-out/below") } == .ioError)
        #expect(outside.names.isEmpty)
    }

    @Test(arguments: ["a/b", "../a", "", ".", ".."]) func noNameLeadsOut(name: String) throws {
        let fixture = try StoreFixture()
        #expect(errorCode { _ = try fixture.create(name) } == .ioError)
    }

    @Test func theDestinationItselfMayBeALink() throws {
        let directory = StoreDirectory()
        unsafe mkdir(directory.file("real"), 0o755)
        unsafe symlink("real", directory.file("link"))
        let store = try DirectoryStore(directory: directory.file("link")) {}
        #expect(store.path.hasSuffix("/real"))
        store.close()
    }

    @Test func theDestinationIsMadeWithAllAboveIt() throws {
        let directory = StoreDirectory()
        let store = try DirectoryStore(directory: directory.file("a/b/c")) {}
        #expect(directory.names == ["a"])
        store.close()
    }

    @Test func aDestinationThatIsAFileIsAnError() throws {
        let directory = StoreDirectory()
        directory.write("", to: "file")
        #expect(errorCode { _ = try DirectoryStore(directory: directory.file("file")) {} } == .ioError)
        #expect(errorCode { _ = try DirectoryStore(directory: directory.file("file/below")) {} } == .ioError)
    }

    @Test func aDestinationThatIsGoneIsAnError() throws {
        let fixture = try StoreFixture()
        unsafe rmdir(fixture.directory.path)
        #expect(errorCode { _ = try fixture.create("a") } == .ioError)
    }

    /// As somebody does who tidies up while downloads run.
    @Test(arguments: ["moved away", "made again", "a link"])
    func theDestinationIsFoundAgainAtItsPath(case change: String) throws {
        let fixture = try StoreFixture()
        let (path, other) = (fixture.directory.path, StoreDirectory())
        let kept = try StoreFixture()
        try fixture.save("one", as: "a.txt")
        let elsewhere = try kept.save("far", as: "far.txt")
        let begun = try #require(try fixture.create("begun", expected: 1_000_000))
        #expect(unsafe rename(path, other.file("away")) == 0)
        if change == "made again" { unsafe mkdir(path, 0o755) }
        if change == "a link" {
            unsafe mkdir(other.file("target"), 0o755)
            unsafe symlink(other.file("target"), path)
        }
        fixture.clock.advance(by: .seconds(1))
        let copy = fixture.store.copier(of: elsewhere, to: FileRequest(name: "copy.txt"))()
        #expect(try copy.get().path == path + "/copy.txt")
        let saved = try fixture.save("two", as: "b.txt")
        #expect(saved.path == path + "/b.txt")
        #expect(fixture.directory.names == ["b.txt", "copy.txt"])
        if change == "a link" { #expect(other.read("target/b.txt") == "two") }
        fixture.store.discard(begun)
        unsafe unlink(path)
    }

    @Test func moreThanTheDiskHoldsIsRefusedAtOnce() throws {
        let fixture = try StoreFixture()
        #expect(errorCode { _ = try fixture.create("a", expected: 1 << 60) } == .diskFull)
        #expect(fixture.directory.names.isEmpty)
    }
}
