import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// Pages of the index are damaged, which SQLite notices once it comes to them.
extension ResponseStoreTests {
    private static let count = 60

    /// Stores so much that its responses fill several pages.
    private func fill() throws {
        let store = try open()
        let value = String(repeating: "-", count: 300)
        for number in 0..<Self.count { try add(store, "http://h/\(number)", value) }
        store.close()
    }

    private func damagePage(_ page: Int) throws { try openIndex().database.damagePage(page) }

    private func damagePage(of name: String) throws {
        let index = try openIndex()
        try index.database.damagePage(try index.database.page(of: name))
    }

    private func isThere(_ name: String) -> Bool { directory.readBytes("cache/index.db" + name) != nil }

    /// Stores a response, and tells whether the next session finds it.
    private func keeps(_ url: String) throws -> Bool {
        let store = try open()
        try add(store, url)
        store.close()
        #expect(store.nextEviction() == nil)
        let later = try open()
        defer { later.close() }
        #expect(bodies.count == later.figures.count, "each body has its entry")
        return later.responses(for: url, now: now).count == 1
    }

    /// Whether the damage shows at the start, on a lookup, or only on a write.
    @Test(arguments: 2...11) func anIndexOfWhichAPageIsDamagedIsPutAsideByTheNextStart(page: Int) throws {
        try fill()
        try damagePage(page)

        let first = try open()
        for number in 0..<Self.count { _ = first.responses(for: "http://h/\(number)", now: now) }
        try add(first, "http://h/first")
        first.close()

        #expect(try keeps("http://h/second"))
        #expect(isThere(".damaged") && !isThere(".suspect"))
    }

    @Test(arguments: ["doomed", "session", "total"])
    func anIndexWhoseDamageShowsAtTheStartIsPutAsideAtOnce(table: String) throws {
        try fill()
        try damagePage(of: table)
        #expect(try keeps("http://h/new"))
        #expect(isThere(".damaged") && !isThere(".suspect"))
        #expect(bodies == (1, 100), "nothing leads to the others any more")
    }

    /// Another session may have put the damaged one aside already.
    @Test func anIndexThatIsWholeStaysWhateverIsSaidOfIt() throws {
        let other = try open()
        try add(other, "http://h/a")
        waitUntilWritten(other)
        directory.write("", to: "cache/index.db.suspect")
        let store = try open()
        #expect(store.responses(for: "http://h/a", now: now).count == 1)
        #expect(!isThere(".damaged") && !isThere(".suspect"))
        store.close()
        other.close()
    }

    /// It goes on with the damaged index, and has numbers of its own.
    @Test(arguments: [false, true]) func aSessionWhoseIndexIsPutAsideHarmsNoOther(hasWritten: Bool) throws {
        let long = try open()
        if hasWritten {
            try add(long, "http://h/a")
            waitUntilWritten(long)
        }
        try damagePage(of: "session")

        let short = try open()
        try add(short, "http://h/b")
        short.close()
        #expect(short.nextEviction() == nil)
        // Its writer may find out between any two of them, after which nothing is taken in any more.
        for number in 0..<3 { _ = long.add(response("http://h/\(number)"), .bytes(pattern(100)), now: now) }
        long.close()

        let later = try open()
        #expect(later.figures.count == 1)
        let found = try #require(later.responses(for: "http://h/b", now: now).first)
        #expect(directory.readBytes("cache/bodies/\(found.id.rawValue)") == pattern(100))
        #expect(bodies.count == 1, "and nothing lies there that nobody counts")
        later.close()
    }

    @Test(arguments: 2...11) func aDamagedIndexCanBeCleared(page: Int) throws {
        try fill()
        try damagePage(page)
        let removed = try ResponseCatalog(directory: directory.file("cache")).clear()
        #expect(removed == (Self.count * 100, Self.count))
        #expect(bodies.count == 0)
        #expect(!isThere(".damaged"), "it names what was asked for")
        // One page holds nothing that clearing looks at; it shows here.
        #expect(try keeps("http://h/new"))
        #expect(!isThere(".suspect"))
    }
}
