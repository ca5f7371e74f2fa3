import CLinux
import Glibc
import SluiceCore
import SluiceStore
import SluiceSystem
import Testing

/// The owner of SQLite's connections.
@Suite(.timeLimit(.minutes(5)))
struct DatabaseTests {
    private let directory = StoreDirectory()
    private let table = Database.Migration("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, body BLOB) STRICT;")

    private func open(_ migrations: [Database.Migration]? = nil) throws(DatabaseError) -> Database {
        try Database(path: directory.file("a.db"), migrations: migrations ?? [table])
    }

    @Test func whatWasBoundIsRead() throws {
        let database = try open()
        let blob: [UInt8] = [0, 1, 255]
        try database.run("INSERT INTO item VALUES (1, ?, ?)", "猫\0x", .blob(blob))
        try database.run("INSERT INTO item VALUES (?, ?, ?)", .integer(.min), nil, .blob([]))
        try database.run("INSERT INTO item VALUES (3, ?, NULL)", "")

        var rows: [String] = []
        try database.query("SELECT name, body, id FROM item ORDER BY id DESC") { row in
            rows.append(
                "\(row.isNull(0) ? "null" : row.text(0) ?? "?") \(row.isNull(1)) \(row.blob(1)) \(row.integer(2))"
            )
        }

        #expect(rows == [" true [] 3", "猫\0x false [0, 1, 255] 1", "null false [] \(Int.min)"])
    }

    /// Memory that is lent to a statement grows, is used again, and is not kept for what is large.
    @Test func valuesOfAllSizesAreReadAsTheyWereBound() throws {
        let database = try open()
        let sizes = [3, 0, 20_000, 5, 21_845, 21_846, 70_000, 1, 0]
        for (id, size) in sizes.enumerated() {
            let name = String(repeating: "ä", count: size)
            let body = [UInt8](repeating: UInt8(id), count: size)
            try database.run("INSERT INTO item VALUES (?, ?, ?)", .integer(Int64(id)), .text(name), .blob(body))
        }
        var found: [Int] = []
        try database.query("SELECT id, name, body FROM item ORDER BY id") { row in
            let (id, body) = (row.integer(0), row.blob(2))
            #expect(row.text(1) == String(repeating: "ä", count: body.count))
            #expect(body.allSatisfy { $0 == UInt8(id) })
            found.append(body.count)
        }
        #expect(found == sizes)
    }

    @Test func aShortValueBesideALargeOneIsReadAsItWasBound() throws {
        let database = try open()
        let body = [UInt8](repeating: 7, count: 70_000)
        try database.run("INSERT INTO item VALUES (1, ?, ?)", "short", .blob(body))
        try database.query("SELECT name, body FROM item") { row in
            #expect(row.text(0) == "short")
            #expect(row.blob(1) == body)
        }
    }

    @Test func whatIsBoundStaysWhileItsStatementAsksItself() throws {
        let database = try open()
        for id in 1...3 {
            try database.run("INSERT INTO item VALUES (?, ?, NULL)", .integer(Int64(id)), .text("n\(id)"))
        }
        let sql = "SELECT id, name FROM item WHERE name >= ? ORDER BY id"
        var found: [String] = []
        try database.query(sql, "n1") { outer throws(DatabaseError) in
            try database.query(sql, "n3") { inner in found.append(inner.text(1) ?? "") }
            found.append(outer.text(1) ?? "")
        }
        #expect(found == ["n3", "n1", "n3", "n2", "n3", "n3"])
    }

    @Test func aSecondOpeningFindsWhatTheFirstCommitted() throws {
        try open().run("INSERT INTO item VALUES (7, 'x', NULL)")
        #expect(try open().integer("SELECT id FROM item") == 7)
    }

    @Test func filesBelongToTheirOwnerAlone() throws {
        let path = directory.file("new/deep/a.db")
        let database = try Database(path: path, migrations: [table])
        try database.run("INSERT INTO item VALUES (1, 'x', NULL)")
        #expect(mode(path) == 0o600 && mode(path + "-wal") == 0o600 && mode(path + "-shm") == 0o600)
        #expect(mode(directory.file("new")) == 0o700 && mode(directory.file("new/deep")) == 0o700)
    }

    @Test func migrationsRunOnceAndInOrder() throws {
        try open().run("INSERT INTO item VALUES (1, 'x', NULL)")
        let second = Database.Migration("ALTER TABLE item ADD COLUMN size INTEGER; UPDATE item SET size = 5;")
        for _ in 0..<2 { #expect(try open([table, second]).integer("SELECT size FROM item") == 5) }
    }

    @Test func aMigrationThatFailsChangesNothing() throws {
        let bad = Database.Migration("CREATE TABLE other (id INTEGER); INSERT INTO nowhere VALUES (1);")
        #expect(throws: DatabaseError.self) { try open([table, bad]) }
        #expect(try open().integer("SELECT count(*) FROM sqlite_master WHERE type = 'table'") == 1)
    }

    @Test func aNewerFileIsLeftAlone() throws {
        _ = try open([table, Database.Migration("CREATE TABLE b (id INTEGER);")])
        #expect(throws: DatabaseError.newer(version: 2)) { try open() }
    }

    @Test func aTransactionThatThrowsLeavesNothing() throws {
        let database = try open()
        #expect(throws: DatabaseError.self) {
            try database.transaction { () throws(DatabaseError) in
                try database.run("INSERT INTO item VALUES (1, 'x', NULL)")
                try database.transaction { () throws(DatabaseError) in
                    try database.run("INSERT INTO item VALUES (2, 'y', NULL)")
                }
                try database.run("INSERT INTO item VALUES (1, 'twice', NULL)")
            }
        }
        #expect(try database.integer("SELECT count(*) FROM item") == 0)
        try database.transaction { () throws(DatabaseError) in
            try database.run("INSERT INTO item VALUES (1, 'z', NULL)")
        }
        #expect(try database.integer("SELECT count(*) FROM item") == 1)
    }

    @Test func aStatementMayAskItselfAgain() throws {
        let database = try open()
        for id in 1...3 { try database.run("INSERT INTO item VALUES (?, NULL, NULL)", .integer(Int64(id))) }
        var pairs = 0
        let sql = "SELECT id FROM item"
        try database.query(sql) { _ throws(DatabaseError) in
            try database.query(sql) { _ throws(DatabaseError) in pairs += 1 }
        }
        #expect(pairs == 9)
    }

    @Test func errorsNameTheirCause() throws {
        let database = try open()
        try database.run("INSERT INTO item VALUES (1, NULL, NULL)")
        #expect(throws: DatabaseError.self) { try database.run("no SQL") }
        do throws(DatabaseError) {
            try database.run("INSERT INTO item VALUES (1, NULL, NULL)")
            Issue.record("a key twice")
        } catch {
            guard case .constraint = error else { throw error }
        }
        do throws(DatabaseError) {
            _ = try Database(path: "/proc/nowhere/a.db", migrations: [])
            Issue.record("opened below /proc")
        } catch {
            guard case .unavailable = error else { throw error }
        }
    }

    @Test func aWriterThatIsHeldUpTooLongIsToldSo() throws {
        let first = try open()
        let second = try Database(path: directory.file("a.db"), migrations: [table], busyTimeout: .zero)
        try first.transaction { () throws(DatabaseError) in
            try first.run("INSERT INTO item VALUES (1, NULL, NULL)")
            do throws(DatabaseError) {
                try second.run("INSERT INTO item VALUES (2, NULL, NULL)")
                Issue.record("two writers at once")
            } catch {
                guard case .busy = error else { throw error }
            }
            #expect(try second.integer("SELECT count(*) FROM item") == 0, "a reader is not held up")
        }
    }

    /// As long as is said and not so long for each attempt, which would be a quarter of an hour.
    @Test(.timeLimit(.minutes(5))) func whereAnotherProgramHasTheFileForItselfItIsToldSo() throws {
        let other = try open()
        try other.run("PRAGMA locking_mode = EXCLUSIVE")
        try other.run("INSERT INTO item VALUES (1, NULL, NULL)")
        do throws(DatabaseError) {
            _ = try Database(path: directory.file("a.db"), migrations: [table], busyTimeout: .seconds(1))
            Issue.record("two have one file for themselves")
        } catch {
            guard case .busy = error else { throw error }
        }
    }

    /// A round may take long, on a slow disk or where many programs run.
    @Test func whatTheRoundsTookCountsAsWaited() throws {
        let other = try open()
        try other.run("PRAGMA locking_mode = EXCLUSIVE")
        try other.run("INSERT INTO item VALUES (1, NULL, NULL)")
        var looks = 0
        do throws(DatabaseError) {
            _ = try Database(path: directory.file("a.db"), migrations: [table], busyTimeout: .seconds(5)) {
                looks += 1
                return Timestamp(nanoseconds: Int64(looks) * 2_000_000_000)
            }
            Issue.record("two have one file for themselves")
        } catch {
            guard case .busy = error else { throw error }
        }
        #expect(looks == 4, "one look before, and one after each of three attempts")
    }

    @Test(arguments: ["this is no database, but it is long enough to look at", ""])
    func aDamagedFileIsPutAside(contents: String) throws {
        directory.write(contents, to: "a.db")
        let path = directory.file("a.db")
        let (database, damaged) = try Database.open(path: path, migrations: [table])
        try database.run("INSERT INTO item VALUES (1, NULL, NULL)")
        // An empty file is a new database.
        #expect(damaged == (contents.isEmpty ? nil : path + ".damaged"))
        if !contents.isEmpty { #expect(directory.read("a.db.damaged") == contents) }
        #expect(try open().integer("SELECT count(*) FROM item") == 1)
    }

    @Test func aFileOfAVersionBelowTheFirstIsPutAside() throws {
        try open().run("PRAGMA user_version = -3")
        let path = directory.file("a.db")
        let (database, damaged) = try Database.open(path: path, migrations: [table])
        #expect(damaged == path + ".damaged")
        #expect(try database.integer("SELECT count(*) FROM item") == 0)
    }

    @Test func manyMayOpenANewFileAtOnce() throws {
        for round in 0..<10 {
            let path = directory.file("round-\(round).db")
            if round % 2 == 1 { directory.write("damaged, and long enough to be noticed", to: "round-\(round).db") }
            let failures = Failures()
            let threads = (0..<6).map { number in
                WorkerThread { [table] in
                    do throws(DatabaseError) {
                        let (database, _) = try Database.open(path: path, migrations: [table])
                        for row in 0..<20 {
                            try database.run(
                                "INSERT INTO item VALUES (?, 'x', NULL)",
                                .integer(Int64(number * 100 + row))
                            )
                        }
                    } catch {
                        failures.add(error.message)
                    }
                }
            }
            for thread in threads { thread.join() }
            #expect(failures.all == [])
            #expect(try Database(path: path, migrations: [table]).integer("SELECT count(*) FROM item") == 120)
        }
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        _ = unsafe stat(path, &status)
        return status.st_mode & 0o777
    }
}

private final class Failures: Sendable {
    private let messages = Locked<[String]>([])
    var all: [String] { messages.withLock { $0 } }
    func add(_ message: String) { messages.withLock { $0.append(message) } }
}
