import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// Bodies that came in one turn, and get their names from the writer thread.
@Suite(.timeLimit(.minutes(5)))
struct SmallBodyTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    /// Creates, writes and ends a body within one turn.
    private func hold(_ text: String, as name: String, expected: Int? = nil) throws -> FileID {
        let bytes = Array(text.utf8)
        let file = try #require(try fixture.create(name, expected: expected ?? bytes.count))
        guard case .taken = try fixture.store.write(bytes.span, to: file) else { throw Problem("expected to be taken") }
        return file
    }

    @Test func aWholeBodyGetsItsNameWithoutAPart() throws {
        let file = try hold("whole", as: "a.txt")
        #expect(try fixture.store.finish(file))
        fixture.store.settle()
        // A turn that ends before the body is asked for makes it a body like any other.
        #expect(fixture.directory.names == ["a.txt.part"])
        _ = try fixture.store.publish(file, as: .final, lastModified: nil)

        let second = try hold("at once", as: "b.txt")
        #expect(try fixture.store.finish(second))
        #expect(fixture.directory.names == ["a.txt"])
        try #require(fixture.store.save(second, lastModified: 784_111_777))
        guard case .saved(second, let saved) = fixture.nextNews() else { throw Problem("expected to be saved") }
        #expect(fixture.directory.names == ["a.txt", "b.txt"])
        #expect(fixture.directory.read("b.txt") == "at once")
        #expect(saved.path == fixture.store.path + "/b.txt")
        #expect(saved.size == 7)
        #expect(saved.modified == 784_111_777_000_000_000)
        #expect(fixture.store.isIntact(saved))
    }

    @Test func thoseOfOneNameGetNamesInTheirOrder() throws {
        fixture.directory.write("mine", to: "a")
        let files = try ["1", "2", "3"].map { try hold($0, as: "a") }
        for file in files { try #require(fixture.store.save(file, lastModified: nil)) }
        for file in files {
            guard case .saved(let saved, _) = fixture.nextNews() else { throw Problem("expected to be saved") }
            #expect(saved == file)
        }
        #expect(fixture.directory.names == ["a", "a.1", "a.2", "a.3"])
        #expect(["a", "a.1", "a.2", "a.3"].map(fixture.directory.read) == ["mine", "1", "2", "3"])
    }

    @Test func aPartThatIsLockedElsewhereIsATakenName() throws {
        fixture.directory.write("theirs", to: "a.part")
        let theirs = unsafe open(fixture.directory.file("a.part"), O_RDONLY)
        defer { close(theirs) }
        #expect(flock(theirs, LOCK_EX | LOCK_NB) == 0)
        let file = try hold("ours", as: "a")
        try #require(fixture.store.save(file, lastModified: 784_111_777))
        guard case .saved(file, let saved) = fixture.nextNews() else { throw Problem("expected to be saved") }
        #expect(saved.path == fixture.store.path + "/a.1")
        #expect(saved.modified == 784_111_777_000_000_000)
        #expect(fixture.directory.names == ["a.1", "a.part"])
        #expect(["a.1", "a.part"].map(fixture.directory.read) == ["ours", "theirs"])
    }

    @Test func aLeftoverPartGivesWay() throws {
        fixture.directory.write("left", to: "a.part")
        let file = try hold("whole", as: "a")
        try #require(fixture.store.save(file, lastModified: nil))
        guard case .saved(file, _) = fixture.nextNews() else { throw Problem("expected to be saved") }
        #expect(fixture.directory.names == ["a"])
        #expect(fixture.directory.read("a") == "whole")
    }

    @Test func aNameInAFolderBelowIsGivenThere() throws {
        let request = FileRequest(name: "a", folder: "one/two", expected: 5)
        let file = try #require(try fixture.store.create(request))
        _ = try fixture.store.write(Array("below".utf8).span, to: file)
        try #require(fixture.store.save(file, lastModified: nil))
        guard case .saved(file, let saved) = fixture.nextNews() else { throw Problem("expected to be saved") }
        #expect(saved.path == fixture.store.path + "/one/two/a")
        #expect(fixture.directory.read("one/two/a") == "below")
    }

    /// Holds the writer's thread up while `body` runs.
    private func stalled(_ body: () throws -> Void) rethrows {
        let stall = StalledBell(fixture.store.writer)
        defer { stall.release() }
        try body()
    }

    @Test func nothingOfItIsOnDiskBeforeTheWriterComesToIt() throws {
        let files = try ["a", "b"].map { try hold("whole", as: $0) }
        try stalled {
            for file in files { try #require(fixture.store.save(file, lastModified: nil)) }
            #expect(fixture.directory.names == [])
            #expect(fixture.directory.openFileCount == 0, "what waits holds no descriptor")
            fixture.store.discard(files[1])
        }
        guard case .saved(files[0], _) = fixture.nextNews() else { throw Problem("expected to be saved") }
        #expect(fixture.directory.names == ["a"])
        fixture.store.close()
        #expect(fixture.directory.openFileCount == 0)
    }

    @Test func whatIsOnItsWayToAnotherFolderIsTheWritersAlone() throws {
        var request = FileRequest(name: "a", expected: 5)
        request.directory = fixture.directory.file("other")
        let file = try #require(try fixture.store.create(request))
        _ = try fixture.store.write(Array("other".utf8).span, to: file)
        try stalled {
            try #require(fixture.store.save(file, lastModified: nil))
            #expect(fixture.directory.openFileCount == 1, "only the folder is open")
        }
        guard case .saved(file, _) = fixture.nextNews() else { throw Problem("expected to be saved") }
        #expect(fixture.directory.read("other/a") == "other")
        // The writer tells of a file before it lets the file's folder go.
        fixture.store.writer.drain()
        #expect(fixture.directory.openFileCount == 0, "nothing of another folder stays open")
    }

    @Test func aLargeBodyThatWaitsForTheDiskKeepsNoSmallOneFromItsName() throws {
        let bytes = pattern(2_097_152)
        let large = try #require(try fixture.create("large"))
        var small: [FileID] = []
        try stalled {
            try fixture.write(bytes, to: large, chunk: 262_144)
            small = try ["1", "2"].map { try hold($0, as: "a") }
            for file in small { try #require(fixture.store.save(file, lastModified: nil)) }
            #expect(fixture.directory.openFileCount == 1, "only the large one is open")
        }
        for file in small {
            guard case .saved(file, _) = fixture.nextNews() else { throw Problem("expected to be saved") }
        }
        try fixture.finish(large)
        _ = try fixture.store.publish(large, as: .final, lastModified: nil)
        #expect(fixture.directory.names == ["a", "a.1", "large"])
        #expect(["a", "a.1"].map(fixture.directory.read) == ["1", "2"])
        #expect(fixture.directory.readBytes("large") == bytes)
    }

    @Test func whatIsNotWholeGoesOnAsAPart() throws {
        let file = try hold("half ", as: "a", expected: 11)
        #expect(fixture.directory.names == [])
        fixture.store.settle()
        #expect(fixture.directory.read("a.part") == "half ")
        try fixture.write(Array("a whole".utf8), to: file)
        #expect(try fixture.store.finish(file))
        #expect(!fixture.store.save(file, lastModified: nil), "it has a part")
        _ = try fixture.store.publish(file, as: .final, lastModified: nil)
        #expect(fixture.directory.read("a") == "half a whole")
    }

    /// The transport may have more of it before anybody heard that there is no file.
    @Test func whatCouldHaveNoPartFailsWhateverComesNext() throws {
        let files = try ["1", "2"].map { try hold("half ", as: $0, expected: 11) }
        #expect(unsafe rmdir(fixture.directory.path) == 0)
        fixture.store.settle()
        #expect(throws: DownloadError.self) { try fixture.write(Array("a whole".utf8), to: files[0]) }
        #expect(throws: DownloadError.self) { try fixture.store.finish(files[1]) }
        for file in files {
            guard case .failed(let id, let error)? = fixture.store.nextNews() else { throw Problem("expected to fail") }
            #expect(id == file, "they fail in the order in which they came")
            #expect(error.code == .ioError)
        }
    }

    @Test func moreThanAnnouncedIsTakenToo() throws {
        let file = try hold("x", as: "a", expected: 1)
        let bytes = pattern(300_000)
        try fixture.write(bytes, to: file)
        try fixture.finish(file)
        _ = try fixture.store.publish(file, as: .final, lastModified: nil)
        #expect(fixture.directory.readBytes("a") == Array("x".utf8) + bytes)
    }

    @Test func aBodyThatIsReadHasAPart() throws {
        let file = try hold("image", as: "a")
        let descriptor = try fixture.store.descriptor(of: file)
        defer { close(descriptor) }
        #expect(fixture.directory.names == ["a.part"])
        let other = try hold("image", as: "b")
        #expect(fixture.store.location(of: other)?.name == "b")
        #expect(fixture.directory.names == ["a.part", "b.part"])
    }

    @Test func aKeptBodyLeavesItsPartAndADiscardedOneNothing() throws {
        fixture.store.keepPart(try hold("kept", as: "a"))
        fixture.store.keepPart(try hold("", as: "empty", expected: 9))
        fixture.store.discard(try hold("gone", as: "b"))
        fixture.store.settle()
        #expect(fixture.directory.names == ["a.part"])
        #expect(fixture.directory.read("a.part") == "kept")
    }

    @Test(arguments: 1...20) func whatIsGivenUpWhileItIsSavedLeavesNothing(round: Int) throws {
        let files = try (0..<8).map { try hold("\($0)", as: "\($0)") }
        for file in files { try #require(fixture.store.save(file, lastModified: nil)) }
        // Whether the writer was there first or not.
        for (index, file) in files.enumerated() {
            if index.isMultiple(of: 2) { fixture.store.discard(file) } else { fixture.store.keepPart(file) }
        }
        fixture.store.close()
        #expect(fixture.directory.names == [])
        #expect(fixture.store.nextNews() == nil)
    }

    @Test func aNameThatCannotBeMadeIsSaid() throws {
        let name = String(repeating: "n", count: 300)
        let file = try hold("x", as: name)
        try #require(fixture.store.save(file, lastModified: nil))
        guard case .failed(file, let error) = fixture.nextNews() else { throw Problem("expected to fail") }
        #expect(error.code == .ioError)
        fixture.store.keepPart(file)

        let second = try hold("x", as: name)
        fixture.store.settle()
        guard case .failed(second, let error) = fixture.nextNews() else { throw Problem("expected to fail") }
        #expect(error.code == .ioError)
        fixture.store.keepPart(second)
        #expect(fixture.directory.names == [])
    }

    @Test(arguments: [OnExists.skip, .overwrite]) func whereTheNameDependsOnWhatIsThereNothingIsHeld(
        onExists: OnExists
    ) throws {
        let file = try #require(try fixture.create("a", onExists, expected: 1))
        #expect(fixture.directory.names == ["a.part"])
        #expect(!fixture.store.save(file, lastModified: nil))
    }

    @Test func aKnownFileIsReplacedAndAGoneOneIsForgotten() throws {
        let known = try fixture.save("old", as: "a")
        let file = try #require(try fixture.create("a", expected: 3, replaces: known))
        #expect(fixture.directory.names == ["a", "a.part"])
        fixture.store.discard(file)
        unsafe unlink(fixture.directory.file("a"))
        let second = try #require(try fixture.create("a", expected: 3, replaces: known))
        #expect(fixture.directory.names == [])
        #expect(fixture.store.save(second, lastModified: nil))
    }
}
