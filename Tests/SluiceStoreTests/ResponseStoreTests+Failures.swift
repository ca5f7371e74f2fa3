import SluiceCore
import SluiceSystem
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// The index can't be written: the disk is full, or another program keeps it from that.
extension ResponseStoreTests {
    func openIndex() throws -> ResponseIndex { try ResponseIndex(path: directory.file("cache/index.db")) }

    private func storeTwo() throws {
        let first = try open()
        for url in ["http://h/a", "http://h/b"] { try add(first, url) }
        first.close()
    }

    /// Lets removals fail as they do on a full disk: a table whose numbers are used up takes no row.
    private func fillDisk(_ database: Database) throws {
        try database.run("CREATE TABLE room (id INTEGER PRIMARY KEY AUTOINCREMENT)")
        try database.run("INSERT INTO room VALUES (9223372036854775807)")
        try database.run(
            "CREATE TRIGGER isFull BEFORE DELETE ON response BEGIN INSERT INTO room VALUES (NULL); END"
        )
    }

    /// Nobody finds any more what is written then.
    @Test(arguments: ["cache", "cache/index.db"], [true, false])
    func nothingIsStoredInAFolderThatIsGone(name: String, wasUsed: Bool) throws {
        let store = try open()
        if wasUsed {
            try add(store, "http://h/a")
            waitUntilWritten(store)
        }
        #expect(store.takeLoss() == nil && store.figures.count == (wasUsed ? 1 : 0))
        FileTree.remove(directory.file(name))
        try add(store, "http://h/b")
        waitUntilWritten(store)
        let why = "its index was deleted or put aside while it was in use"
        #expect(store.takeLoss() == why)
        #expect(store.takeLoss() == nil, "it is told once")
        #expect(store.nextEviction()?.why == .cannotWrite(why))
        #expect(store.figures.count == 0 && store.figures.usage == 0)
        #expect(["a", "b"].allSatisfy { store.responses(for: "http://h/\($0)", now: now).isEmpty })
        let refusal = #expect(throws: StoringRefusal.self) {
            try store.add(response("http://h/c"), .bytes([1]), reserved: nil, now: now)
        }
        #expect(refusal?.why == .cannotWrite(why))
        #expect(store.reserve(1) == nil)
        store.close()
    }

    @Test(arguments: [false, true]) func whatWasRemovedWhileTheDiskWasFullAnswersNoMore(passes: Bool) throws {
        try storeTwo()
        let index = try openIndex()
        try fillDisk(index.database)
        let store = try open(capacity: 0, memory: 0)
        store.remove(try #require(store.responses(for: "http://h/a", now: now).first))
        // That it is lost says that the batch with the removal has failed.
        try add(store, "http://h/c")
        while store.nextEviction() == nil { bell.answer() }
        #expect(store.responses(for: "http://h/a", now: now).isEmpty)
        #expect(store.figures.count == 1 && store.figures.usage == 100)

        if passes { try index.database.run("DROP TRIGGER isFull") }
        store.close()
        #expect(bodies == (1, 100), "what is still in the index then has no body to answer with")
        guard passes else { return }
        let later = try open()
        #expect(later.responses(for: "http://h/a", now: now).isEmpty)
        #expect(later.figures.count == 1)
    }

    @Test(arguments: [(.expire(before: 2_000_000), 0), (.capacity(150), 1)] as [(ResponseWriter.Job, Int)])
    func whatABatchThatFailedWasToDropGoesWithTheNextOne(job: ResponseWriter.Job, left: Int) throws {
        try storeTwo()
        let folder = try ResponseFolder(directory.file("cache"))
        let index = try openIndex()
        let (session, lock) = try index.beginSession(in: folder)
        defer { withExtendedLifetime(lock) {} }
        let batch = try ResponseBatch(folder, index, session, capacity: 0)
        index.database.wait(.zero)
        let other = try openIndex()

        try other.database.run("BEGIN IMMEDIATE")
        #expect(batch.perform([job]).isEmpty)
        #expect(batch.totals == (200, 2), "what it could not change is as it was")
        try other.database.run("COMMIT")
        #expect(batch.perform([]).count == 2 - left)

        #expect(batch.totals == (left * 100, left))
        #expect(bodies.count == left)
    }

    /// Else no other program has a cache for as long as this one lives: it would get the same number, and find it locked.
    @Test func aSessionThatCanNotBeginKeepsNothingLocked() throws {
        let folder = try ResponseFolder(directory.file("cache"))
        let index = try openIndex()
        try index.database.run("CREATE TRIGGER full BEFORE INSERT ON session BEGIN SELECT raise(ABORT, 'full'); END")
        #expect(throws: DatabaseError.self) { try index.beginSession(in: folder) }
        try index.database.run("DROP TRIGGER full")
        #expect(try index.beginSession(in: folder).session.wasAlone)
    }

    @Test func whatCanNotBeRemovedAtAllLosesItsBody() throws {
        try storeTwo()
        try openIndex().database.run(
            "CREATE TRIGGER stays BEFORE DELETE ON response BEGIN SELECT raise(ABORT, 'stays'); END"
        )
        let store = try open()
        store.remove(try #require(store.responses(for: "http://h/a", now: now).first))
        store.close()
        #expect(bodies == (1, 100))
        let later = try open()
        try add(later, "http://h/c")
        later.close()
        #expect(bodies == (2, 200), "nothing stands in the way of what comes next")
    }

    @Test func aWriterThatCanNotBeginTellsNoSums() throws {
        let store = try open()
        try storeTwo()
        store.lookAgain()
        // As a newer version leaves it.
        try openIndex().database.run("PRAGMA user_version = 99")
        store.remove(try #require(store.responses(for: "http://h/a", now: now).first))
        try add(store, "http://h/c")
        store.close()
        #expect(store.figures.count == 2 && store.figures.usage == 200)
        #expect(bodies == (1, 100), "what it was to remove has no body to answer with")
    }
}
