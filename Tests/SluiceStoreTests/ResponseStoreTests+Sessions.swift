import SluiceCore
import SluiceSystem
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// Several sessions use one directory, one after the other or at once.
extension ResponseStoreTests {
    @Test func anOlderAnswerDoesNotReplaceTheNewerOneOfAnotherSession() throws {
        let older = try open()
        let newer = try open()
        _ = newer.add(response("http://h/a", time: 9), .bytes(pattern(900)), now: now)
        newer.close()
        _ = older.add(response("http://h/a", time: 3), .bytes(pattern(300)), now: now)
        older.close()

        let third = try open()
        #expect(third.responses(for: "http://h/a", now: now).map(\.size) == [900])
        #expect(third.figures.count == 1 && third.figures.usage == 900)
        third.close()
        #expect(bodies == (1, 900))
    }

    @Test func whatAnotherSessionIsAboutToWriteIsLeftFree() throws {
        let store = try open(capacity: 1000)
        try add(store, "http://h/0", count: 300)
        let index = try ResponseIndex(path: directory.file("cache/index.db"))
        // Locked before: else it may be taken for dead.
        let lock = try ResponseFolder(directory.file("cache")).lock(77)
        #expect(lock != nil)
        try index.database.run("INSERT INTO session (id, settled, upto, reserved) VALUES (77, 1, 1, 550)")
        for number in 1...5 { try add(store, "http://h/\(number)") }
        store.close()
        withExtendedLifetime(lock) {}
        // The row of before goes, and then the first of those to come.
        #expect(bodies == (4, 400))
        let again = try open(capacity: 1000)
        #expect(again.figures.usage == 400)
        #expect((0...5).map { again.responses(for: "http://h/\($0)", now: now).count } == [0, 0, 1, 1, 1, 1])
    }

    /// It writes nothing any more.
    @Test func whatADeadSessionWasAboutToWriteTakesNoRoom() throws {
        let store = try open(capacity: 1000)
        try add(store, "http://h/0", count: 300)
        let index = try ResponseIndex(path: directory.file("cache/index.db"))
        try index.database.run("INSERT INTO session (id, settled, upto, reserved) VALUES (77, 1, 1, 550)")
        for number in 1...5 { try add(store, "http://h/\(number)") }
        store.close()
        #expect(bodies == (6, 800))
    }

    @Test func anEarlierSessionThatWasKilledIsClearedUp() throws {
        let first = try open()
        try add(first, "http://h/a")
        first.close()
        // As a kill leaves them: a body without entry, one that was to be removed, and the session.
        let index = try ResponseIndex(path: directory.file("cache/index.db"))
        let next = try #require(try index.database.integer("SELECT next FROM total"))
        try index.database.run(
            "INSERT INTO session (id, settled, upto) VALUES (77, ?, ?)",
            .integer(Int64(next)),
            .integer(Int64(next) + 1024)
        )
        try index.database.run("UPDATE total SET next = next + 100000")
        directory.write("orphan", to: "cache/bodies/\(next + 3)")
        directory.write("doomed", to: "cache/bodies/900000000")
        try index.database.run("INSERT INTO doomed VALUES (900000000)")

        let second = try open()
        #expect(bodies == (1, 100))
        #expect(second.figures.usage == 100)
        second.close()
        #expect(try index.database.integer("SELECT count(*) FROM session") == 0)
    }

    /// A newer Sluice that is started meanwhile may add columns.
    @Test func whatIsStoredFitsAnIndexThatGotMoreColumns() throws {
        let store = try open()
        let index = try openIndex()
        for table in ["response", "session", "total"] {
            try index.database.run("ALTER TABLE \(table) ADD COLUMN later TEXT")
        }
        for number in 0..<20 { try add(store, "http://h/\(number)") }
        store.close()
        #expect(bodies == (20, 2_000))
        let later = try open()
        #expect(later.figures.count == 20)
        #expect(later.responses(for: "http://h/19", now: now).count == 1)
        later.close()
    }

    @Test func twoStoresShareADirectory() throws {
        let (path, now) = (directory.file("cache"), now)
        let threads = (0..<2).map { number in
            WorkerThread {
                let opened = try? ResponseStore(
                    directory: path,
                    capacity: 0,
                    memory: 0,
                    clock: { 1_000_000 },
                    wake: {}
                )
                for count in 0..<200 {
                    let response = StoredResponse(
                        url: "http://h/\(number)/\(count)",
                        status: 200,
                        fields: [],
                        requestTime: 0,
                        responseTime: 0
                    )
                    _ = opened?.add(response, .bytes([UInt8](repeating: 1, count: 10)), now: now)
                }
                opened?.close()
            }
        }
        for thread in threads { thread.join() }
        #expect(bodies == (400, 4000))
        let third = try open()
        #expect(third.figures.usage == 4000 && third.figures.count == 400)
        #expect(third.responses(for: "http://h/1/199", now: now).count == 1)
    }

    @Test func whatAnotherSessionDidIsToldToWhoAsks() throws {
        let (first, second) = (try open(), try open())
        try add(second, "http://h/a")
        second.close()
        first.lookAgain()
        #expect(first.figures.count == 1 && first.figures.usage == 100)
        let third = try open()
        third.remove(try #require(third.responses(for: "http://h/a", now: now).first))
        third.close()
        first.lookAgain()
        #expect(first.figures.count == 0 && first.figures.usage == 0)
    }

    @Test(arguments: [false, true]) func whatASessionStoredThatCameAndWentIsFound(isEmpty: Bool) throws {
        if !isEmpty {
            let earlier = try open()
            try add(earlier, "http://h/0")
            earlier.close()
        }
        let long = try open()
        // Then it knows what is there, and asks the index for nothing else.
        for _ in 0..<20 { #expect(long.responses(for: "http://h/a", now: now).isEmpty) }
        let short = try open()
        try add(short, "http://h/a")
        short.close()
        #expect(long.responses(for: "http://h/a", now: Timestamp(nanoseconds: 1_000_000_000)).count == 1)
    }

    @Test func whatASessionStoredAfterItWasSeenIsFound() throws {
        let (long, short) = (try open(), try open())
        #expect(long.responses(for: "http://h/a", now: Timestamp(nanoseconds: 1_000_000_000)).isEmpty)
        try add(short, "http://h/a")
        short.close()
        #expect(long.responses(for: "http://h/a", now: Timestamp(nanoseconds: 2_000_000_000)).count == 1)
    }

    @Test func whatASessionStoresIsFoundWhileItIsThereAndWhenItHasGone() throws {
        let long = try open()
        var time = Timestamp(nanoseconds: 1_000_000_000)
        func find(_ name: String) -> Int { long.responses(for: "http://h/\(name)", now: time).count }
        for _ in 0..<20 { #expect(find("a") == 0) }
        let short = try open()
        for name in ["a", "b"] {
            try add(short, "http://h/\(name)")
            waitUntilWritten(short)
            // It came within the moment that one look is good for.
            if name == "a" { #expect(find("a") == 0) }
            time = time + .milliseconds(10)
            #expect(find(name) == 1)
        }
        try add(short, "http://h/c")
        short.close()
        time = time + .milliseconds(10)
        #expect(["a", "b", "c", "d"].map(find) == [1, 1, 1, 0])
    }

    /// A cache that was empty is not taken for empty while something of one's own is on its way there.
    @Test func whatASessionStoredIsFoundBesideWhatIsNotWrittenYet() throws {
        let long = try open()
        let short = try open()
        var time = Timestamp(nanoseconds: 1_000_000_000)
        #expect(long.responses(for: "http://h/a", now: time).isEmpty)
        try add(short, "http://h/b")
        short.close()
        let index = try openIndex()
        try index.database.run("BEGIN IMMEDIATE")
        try add(long, "http://h/x")
        time = time + .milliseconds(10)
        #expect(long.responses(for: "http://h/b", now: time).count == 1)
        try index.database.run("COMMIT")
        waitUntilWritten(long)
        #expect(long.responses(for: "http://h/b", now: time).count == 1)
        #expect(long.responses(for: "http://h/x", now: time).count == 1)
    }

    /// Else each would make room by throwing out the one before.
    @Test(arguments: [false, true]) func whatIsStoredInACacheThatWasClearedStays(isSeen: Bool) throws {
        let store = try open(capacity: 400)
        for name in 0..<4 { try add(store, "http://h/\(name)") }
        store.close()
        let long = try open(capacity: 400)
        waitUntilWritten(long)
        var time = Timestamp(nanoseconds: 1_000_000_000)
        #expect(long.responses(for: "http://h/0", now: time).count == 1)
        _ = try ResponseCatalog(directory: directory.file("cache")).clear()
        // Else only what waits for the writer tells that there is room.
        if isSeen { time = time + .milliseconds(10) }
        let index = try openIndex()
        try index.database.run("BEGIN IMMEDIATE")
        for name in 4..<8 {
            let added = long.add(response("http://h/\(name)"), .bytes(pattern(100)), now: time)
            #expect(added?.evicted.isEmpty == true)
        }
        try index.database.run("COMMIT")
        long.close()
        #expect(try open().figures.count == 4)
    }

    /// Heads hold cookies, and a list of all that somebody looked at.
    @Test func nothingOfWhatWasClearedStaysReadable() throws {
        let store = try open()
        let secret = "a-secret-of-the-session"
        let value = secret + String(repeating: "-", count: 4000)
        for name in 0..<200 { try add(store, "http://h/\(name)/\(secret)", value) }
        store.close()
        let cache = directory.file("cache")
        func isReadable() -> Bool {
            let files = FileTree.names(in: cache).filter { $0.hasPrefix("index") }
            let texts = files.compactMap { FileTree.contents(of: cache + "/" + $0) }
            return texts.contains { String(decoding: $0, as: UTF8.self).contains(secret) }
        }
        #expect(isReadable(), "else this shows nothing")
        #expect(try ResponseCatalog(directory: cache).clear().count == 200)
        #expect(!isReadable())
    }

    @Test func whatTwoSessionsStoreOfOneAnswerStaysOnce() throws {
        let stores = [try open(), try open(), try open()]
        for store in stores {
            try add(store, "http://h/a")
            try add(store, "http://h/a", "another variant")
        }
        for store in stores { store.close() }
        let last = try open()
        #expect(last.responses(for: "http://h/a", now: now).count == 2)
        #expect(last.figures.count == 2 && last.figures.usage == 200)
        #expect(bodies.count == 2 && bodies.bytes == 200)
    }

    /// The writer's thread may start late: when who stored the same is gone again.
    @Test func whatWasStoredBeforeTheWriterBeganIsReplacedToo() throws {
        let folder = try ResponseFolder(directory.file("cache"))
        let index = try ResponseIndex(path: folder.indexPath)
        let (session, lock) = try index.beginSession(in: folder)
        defer { withExtendedLifetime(lock) {} }
        #expect(session.wasAlone)
        let other = try open()
        try add(other, "http://h/a")
        other.close()

        let batch = try ResponseBatch(folder, index, session, capacity: 0)
        var response = response("http://h/a")
        (response.id, response.size) = (ResponseID(session.first), 100)
        let hash = ResponseIndex.hash(response.url)
        let body = ResponseBody.bytes(pattern(100))
        _ = batch.perform([.add(ResponseAddition(response, hash: hash, body: body, used: 1, settled: 0))])

        #expect(try index.responses(for: response.url, hash: hash).map(\.0.id) == [response.id])
        #expect(bodies == (1, 100))
    }

    /// The cleaning up after a batch may fail; what the batch stored stays stored.
    @Test func whatIsStoredStaysWhereWhatItReplacedCannotGo() throws {
        let stores = [try open(), try open()]
        let index = try ResponseIndex(path: directory.file("cache/index.db"))
        try index.database.run(
            "CREATE TRIGGER stays BEFORE DELETE ON doomed BEGIN SELECT raise(ABORT, 'stays'); END"
        )
        // Nothing is written before both have it: neither has seen the other's, so the one that writes later replaces it.
        try index.database.run("BEGIN IMMEDIATE")
        for store in stores { try add(store, "http://h/a") }
        try index.database.run("COMMIT")
        for store in stores { store.close() }
        let url = "http://h/a"
        let stored = try index.responses(for: url, hash: ResponseIndex.hash(url)).map(\.0)
        #expect(stored.count == 1)
        #expect(stored.allSatisfy { directory.readBytes("cache/bodies/\($0.id.rawValue)") == pattern(100) })
    }
}
