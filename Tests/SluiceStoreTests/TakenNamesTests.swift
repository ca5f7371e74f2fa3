import Glibc
import SluiceCore
import Testing

@testable import SluiceStore

struct TakenNamesTests {
    private let path = "/a/b"

    @Test func whatWasTakenIsPassedOverWithOneLook() {
        var names = TakenNames()
        var looks: [Int] = []
        for index in 1...1000 {
            let next = names.next(after: 0, of: path) { other in
                looks.append(other)
                return true
            }
            #expect(next == index)
            names.note(index, from: 0, of: path)
        }
        #expect(looks == Array(1...999))
        #expect(names.next(after: 0, of: "/a/c") { _ in true } == 1)
    }

    @Test func whatIsFreeAgainIsTakenFromTheStart() {
        var names = TakenNames()
        names.note(5, from: 0, of: path)
        #expect(names.next(after: 0, of: path) { _ in false } == 1)
        #expect(names.next(after: 0, of: path) { _ in true } == 1)
    }

    @Test func aStartFurtherOnSaysNothingOfTheNamesBefore() {
        var names = TakenNames()
        names.note(7, from: 3, of: path)
        #expect(names.next(after: 0, of: path) { _ in true } == 1)
        names.note(2, from: 0, of: path)
        #expect(names.next(after: 4, of: path) { _ in true } == 5)
        names.note(4, from: 3, of: path)
        #expect(names.next(after: 0, of: path) { _ in true } == 5)
    }
}

/// What the memory of taken names must not change.
@Suite(.timeLimit(.minutes(5)))
struct FreedNameTests {
    private func remove(_ name: String, from fixture: StoreFixture) {
        #expect(unsafe unlink(fixture.directory.file(name)) == 0)
    }

    @Test func aNameThatIsFreeAgainIsUsedAgain() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("mine", to: "a.txt")
        for _ in 0..<3 {
            try fixture.save("new", as: "a.txt")
            #expect(fixture.directory.names == ["a.1.txt", "a.txt"])
            remove("a.1.txt", from: fixture)
        }
        try fixture.save("new", as: "a.txt")
        remove("a.txt", from: fixture)
        try fixture.save("newer", as: "a.txt")
        #expect(fixture.directory.read("a.txt") == "newer")
        #expect(fixture.directory.names == ["a.1.txt", "a.txt"])
        try fixture.save("newest", as: "a.txt")
        #expect(fixture.directory.read("a.2.txt") == "newest")
    }

    /// Of few parts each free name is used; of many that wait, the names between are not tried one by one.
    @Test(arguments: [(10, "a.3.part", "a.10.part"), (80, "a.80.part", "a.81.part")])
    func namesOfPartsArePassedOverWhereManyAreKept(count: Int, next: String, last: String) throws {
        let fixture = try StoreFixture()
        let parts = try (0..<count).map { _ in try #require(try fixture.create("a")) }
        #expect(fixture.directory.names.count == count)
        fixture.store.discard(parts[3])
        let freed = fixture.directory.names
        let first = try #require(try fixture.create("a"))
        #expect(Set(fixture.directory.names).subtracting(freed) == [next])
        fixture.store.discard(parts[0])
        _ = try fixture.create("a")
        #expect(fixture.directory.names.contains("a.part"), "the first is tried in any case")
        _ = try fixture.create("a")
        #expect(fixture.directory.names.contains(last))
        fixture.store.discard(first)
    }

    @Test func smallBodiesUseItAgainToo() throws {
        let fixture = try StoreFixture()
        fixture.directory.write("mine", to: "a")
        for _ in 0..<3 {
            let file = try #require(try fixture.create("a", expected: 3))
            guard case .taken = try fixture.store.write(Array("new".utf8).span, to: file) else {
                throw Problem("expected to be taken")
            }
            #expect(try fixture.store.finish(file))
            try #require(fixture.store.save(file, lastModified: nil))
            guard case .saved(file, let saved) = fixture.nextNews() else { throw Problem("expected to be saved") }
            #expect(saved.path.hasSuffix("/a.1"))
            remove("a.1", from: fixture)
        }
    }
}
