import Glibc
import SluiceCore
import SluiceStore
import SluiceTestSupport
import Testing

/// Bodies that came in one turn, and get their files from the writer thread.
@Suite(.timeLimit(.minutes(1)))
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
