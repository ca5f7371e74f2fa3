import Glibc
import SluiceCore

/// The index of stored responses: which there are, how large, when last used.
///
/// Owned by one thread, as its ``Database`` is; loop and writer have one each. Its sums are
/// kept in the transaction that changes them, so they are right whatever process is killed
/// when: by a trigger for what goes, by ``count(added:bytes:)`` for what comes.
final class ResponseIndex {
    struct Row {
        var id: Int64
        var url: String
        var size: Int
        /// In milliseconds since 1970.
        var used: Int64
    }

    private static let migrations = [
        Database.Migration(
            """
            CREATE TABLE response (
                id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, url TEXT NOT NULL, head BLOB NOT NULL,
                size INTEGER NOT NULL, modified INTEGER NOT NULL, used INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX response_hash ON response (hash);
            CREATE INDEX response_used ON response (used);
            CREATE TABLE doomed (id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE session (
                id INTEGER PRIMARY KEY, settled INTEGER NOT NULL, upto INTEGER NOT NULL,
                reserved INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE TABLE total (bytes INTEGER NOT NULL, count INTEGER NOT NULL, next INTEGER NOT NULL) STRICT;
            INSERT INTO total VALUES (0, 0, 1);
            CREATE TRIGGER response_added AFTER INSERT ON response BEGIN
                UPDATE total SET bytes = bytes + new.size, count = count + 1;
            END;
            CREATE TRIGGER response_gone AFTER DELETE ON response BEGIN
                UPDATE total SET bytes = bytes - old.size, count = count - 1;
                INSERT OR IGNORE INTO doomed VALUES (old.id);
            END;
            """
        ),
        // Whoever adds a batch counts it at once, which is cheaper than row by row.
        Database.Migration("DROP TRIGGER response_added"),
    ]

    let database: Database

    /// Opens the index, made if missing; a damaged one is put aside.
    ///
    /// - Parameters:
    ///   - path: Of its file.
    ///   - isSuspect: Whether it was found damaged in use, so that each page is looked at.
    /// - Throws: If it can't be opened.
    init(path: String, isSuspect: Bool = false) throws(DatabaseError) {
        (database, _) = try Database.open(path: path, migrations: Self.migrations, isSuspect: isSuspect)
        // The log is written back while running, by a thread that nobody waits for, and not at the end.
        database.keepLogAtClose()
    }

    /// Opens the index once more for a session that began in it; it is not put aside, whatever it is like.
    ///
    /// - Throws: Also if another index is there by now, which would take the session's numbers for its own.
    init(path: String, of session: ResponseSession) throws(DatabaseError) {
        database = try Database.openAgain(path: path, migrations: Self.migrations)
        database.keepLogAtClose()
        let isThere = try database.integer("SELECT 1 FROM session WHERE id = ?", .integer(Int64(session.id))) != nil
        if !isThere { throw Self.isGone }
    }

    /// The index that a session began in has its name no more.
    static let isGone = DatabaseError.failed("its index was deleted or put aside while it was in use")

    /// Bytes and number of all responses.
    func totals() throws(DatabaseError) -> (bytes: Int, count: Int) {
        var found = (bytes: 0, count: 0)
        try database.query("SELECT bytes, count FROM total") { row throws(DatabaseError) in
            found = (row.nearestAmount(0), row.nearestAmount(1))
        }
        return found
    }

    /// Counts responses that this transaction adds.
    func count(added: Int, bytes: Int) throws(DatabaseError) {
        if added == 0 { return }
        try database.run(
            "UPDATE total SET bytes = bytes + ?, count = count + ?",
            .integer(Int64(bytes)),
            .integer(Int64(added))
        )
    }

    /// Bytes that the other sessions are about to write.
    func reserved(beside session: Int) throws(DatabaseError) -> Int {
        try database.integer(
            "SELECT sum(reserved) FROM session WHERE id != ? AND reserved BETWEEN 0 AND ?",
            .integer(Int64(session)),
            .integer(Database.amounts.upperBound)
        ) ?? 0
    }

    /// Takes back what sessions were about to write that died: they write nothing any more.
    ///
    /// To be called in a transaction, so that no session begins meanwhile.
    func releaseDead(beside session: Int, in folder: ResponseFolder) throws(DatabaseError) {
        var found: [Int] = []
        try database.query(
            "SELECT id FROM session WHERE id != ? AND reserved != 0",
            .integer(Int64(session))
        ) { row throws(DatabaseError) in found.append(row.integer(0)) }
        for id in found where folder.lock(id) != nil {
            try database.run("UPDATE session SET reserved = 0 WHERE id = ?", .integer(Int64(id)))
        }
    }

    /// The responses of a URL, with the times of their bodies.
    ///
    /// - Parameters:
    ///   - url: Of all of them.
    ///   - hash: Of the URL.
    ///   - start: In milliseconds since 1970; what was not used since then counts as dropped.
    /// - Returns: In no order that means something.
    /// - Throws: What SQLite says.
    func responses(
        for url: String,
        hash: Int64,
        usedSince start: Int64 = .min
    ) throws(DatabaseError) -> [(StoredResponse, modified: Int64)] {
        var found: [(StoredResponse, modified: Int64)] = []
        let sql = "SELECT id, head, size, modified, url FROM response WHERE hash = ? AND used >= ?"
        try database.query(sql, .integer(hash), .integer(start)) { row throws(DatabaseError) in
            guard row.text(4) == url else { return }
            let id = ResponseID(Int64(row.integer(0)))
            guard let response = ResponseCoding.decode(row.blob(1), id: id, url: url, size: row.integer(2)) else {
                return
            }
            found.append((response, Int64(row.integer(3))))
        }
        return found
    }

    /// When a body was last modified, in nanoseconds since 1970; `nil` if there is none.
    func modified(_ id: ResponseID) throws(DatabaseError) -> Int64? {
        try database.integer("SELECT modified FROM response WHERE id = ?", .integer(id.rawValue)).map { Int64($0) }
    }

    /// The least recently used, from one on.
    func leastRecent(after used: Int64, _ id: Int64, count: Int) throws(DatabaseError) -> [Row] {
        var found: [Row] = []
        let sql = "SELECT id, url, size, used FROM response WHERE (used, id) > (?, ?) ORDER BY used, id LIMIT ?"
        try database.query(sql, .integer(used), .integer(id), .integer(Int64(count))) { row throws(DatabaseError) in
            found.append(
                Row(
                    id: Int64(row.integer(0)),
                    url: row.text(1) ?? "",
                    size: row.nearestAmount(2),
                    used: Int64(row.integer(3))
                )
            )
        }
        return found
    }

    /// Removes an entry; its body goes with ``removeDoomed(_:)``.
    func remove(_ id: Int64) throws(DatabaseError) {
        let sql = "DELETE FROM response WHERE id = ?"
        do throws(DatabaseError) {
            try database.run(sql, .integer(id))
        } catch {
            guard case .constraint = error else { throw error }
            // A size that was changed on the disk may be more than can be subtracted from the sums.
            try database.run("UPDATE response SET size = 0 WHERE id = ?", .integer(id))
            try database.run(sql, .integer(id))
        }
    }

    /// The hashes of all URLs.
    func hashes() throws(DatabaseError) -> Set<Int64> {
        var found: Set<Int64> = []
        // No more than that for a count that may be wrong.
        found.reserveCapacity(min(try totals().count, 1 << 20))
        try database.query("SELECT hash FROM response") { row throws(DatabaseError) in
            found.insert(Int64(row.integer(0)))
        }
        return found
    }

    /// Whether other sessions have it open.
    func isShared() throws(DatabaseError) -> Bool { try database.integer("SELECT count(*) FROM session") ?? 0 > 1 }

    /// Whether another connection changed something since the last time this was asked.
    func dataVersion() throws(DatabaseError) -> Int { try database.integer("PRAGMA data_version") ?? 0 }

    static func hash(_ url: String) -> Int64 { Int64(bitPattern: Fingerprint.hash(url)) }
}

// MARK: Sessions

extension ResponseIndex {
    /// Identifiers that a session may use without asking again.
    static let block: Int64 = 1 << 24
    /// How far a session announces the identifiers that it is about to write.
    ///
    /// Each time costs two transactions; so many names are looked at in a few ms after a kill.
    static let announced: Int64 = 4096
    /// Blocks among which an index begins that is made in place of another.
    private static let blocks: Int64 = 1 << 20

    /// Whether another session has been there since one began.
    ///
    /// - Complexity: O(1); the others may be gone again.
    func hasOthers(since session: ResponseSession) throws(DatabaseError) -> Bool {
        if !session.wasAlone { return true }
        return Int64(try database.integer("SELECT next FROM total") ?? 0) != session.end
    }

    /// Where the next session's block begins, which each one moves, and whether others have the index open.
    func others() throws(DatabaseError) -> (next: Int64, areOpen: Bool) {
        var found: (next: Int64, areOpen: Bool) = (0, false)
        try database.query("SELECT next, (SELECT count(*) FROM session) FROM total") { row throws(DatabaseError) in
            found = (Int64(row.integer(0)), row.integer(1) > 1)
        }
        return found
    }

    /// Begins a session: clears up behind those that died, and takes a block of identifiers.
    ///
    /// - Returns: The session, and its lock, which is let go where the session can't begin.
    func beginSession(in folder: ResponseFolder) throws(DatabaseError) -> (session: ResponseSession, lock: HeldLock) {
        let begun = try database.transaction { () throws(DatabaseError) in
            try clearUp(folder)
            try mendSums()
            // Counted by SQLite, where it can't overflow.
            let next = try database.integer("SELECT max(id) + 1 FROM session") ?? 1
            guard let (session, lock) = folder.firstLock(from: next) else {
                throw .unavailable("can't lock \(folder.path)/sessions/\(next)")
            }
            try removeLeftBodies(in: folder)
            let first = Int64(try database.integer("SELECT next FROM total") ?? 1)
            try database.run("UPDATE total SET next = ?", .integer(first + Self.block))
            try database.run(
                "INSERT INTO session (id, settled, upto) VALUES (?, ?, ?)",
                .integer(Int64(session)),
                .integer(first),
                .integer(first + Self.announced)
            )
            return (ResponseSession(id: session, first: first, wasAlone: try !isShared()), lock)
        }
        folder.noteChange()
        return begun
    }

    /// Removes all bodies if the index is new: what an old one led to, nothing leads to any more.
    ///
    /// To be called in a transaction, so that no session begins meanwhile.
    ///
    /// - Returns: How many there were, and their bytes.
    @discardableResult
    func removeLeftBodies(in folder: ResponseFolder) throws(DatabaseError) -> (bytes: Int, count: Int) {
        guard try database.integer("SELECT next FROM total") == 1 else { return (0, 0) }
        let removed = folder.removeBodies()
        if removed.count > 0 || folder.lockCount > 1 {
            // Sessions of the old index may live on, and would write and remove bodies of the same numbers.
            let first = 1 + Self.block * Int64.random(in: 1...Self.blocks)
            try database.run("UPDATE total SET next = ?", .integer(first))
        }
        return removed
    }

    /// Ends a session; row and lock go together, lest a session that begins now gets its number and finds it locked.
    func endSession(_ session: Int, in folder: ResponseFolder) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in try removeSession(session, in: folder) }
        folder.noteChange()
    }

    private func removeSession(_ session: Int, in folder: ResponseFolder) throws(DatabaseError) {
        try database.run("DELETE FROM session WHERE id = ?", .integer(Int64(session)))
        folder.removeLock(session)
    }

    /// Makes index and files agree where a killed session left off in between.
    private func clearUp(_ folder: ResponseFolder) throws(DatabaseError) {
        var sessions: [(id: Int, settled: Int64, upto: Int64)] = []
        try database.query("SELECT id, settled, upto FROM session") { row throws(DatabaseError) in
            sessions.append((row.integer(0), Int64(row.integer(1)), Int64(row.integer(2))))
        }
        for session in sessions {
            guard let lock = folder.lock(session.id) else { continue }
            defer { withExtendedLifetime(lock) {} }
            for id in folder.bodies(in: Self.unsettled(session.settled, session.upto)) {
                // Written, but perhaps never entered.
                let isKnown = try database.integer("SELECT 1 FROM response WHERE id = ?", .integer(id)) != nil
                if !isKnown { folder.remove(id) }
            }
            try removeSession(session.id, in: folder)
        }
        try removeDoomed(folder)
    }

    /// The identifiers of a dead session whose bodies may have no entries.
    ///
    /// No more than a block has, whatever was changed on the disk: all other sessions wait meanwhile.
    private static func unsettled(_ settled: Int64, _ upto: Int64) -> Range<Int64> {
        guard Database.amounts.contains(settled) else { return 0..<0 }
        return settled..<max(settled, min(upto, settled + block))
    }

    /// Counts anew where the sums were changed on the disk to what they can't be.
    ///
    /// The next block begins behind all that are in use.
    private func mendSums() throws(DatabaseError) {
        try database.run("INSERT INTO total (bytes, count, next) SELECT 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM total)")
        try database.run("DELETE FROM total WHERE rowid > (SELECT min(rowid) FROM total)")
        let range = "BETWEEN 0 AND \(Database.amounts.upperBound)"
        let sql = "SELECT 1 FROM total WHERE bytes \(range) AND count \(range) AND next > 0 AND next \(range)"
        guard try database.integer(sql) == nil else { return }
        try database.run(
            """
            UPDATE total SET
                bytes = (SELECT coalesce(sum(size), 0) FROM response WHERE size \(range)),
                count = (SELECT count(*) FROM response),
                next = 1 + \(Self.block) + (
                    SELECT coalesce(max(id), 0) FROM (SELECT id FROM response UNION ALL SELECT settled FROM session)
                    WHERE id \(range)
                )
            """
        )
    }

    /// Removes the files of responses that are in the index no more.
    func removeDoomed(_ folder: ResponseFolder) throws(DatabaseError) {
        var doomed: [Int64] = []
        try database.query("SELECT id FROM doomed") { row throws(DatabaseError) in doomed.append(Int64(row.integer(0)))
        }
        for id in doomed {
            folder.remove(id)
            try database.run("DELETE FROM doomed WHERE id = ?", .integer(id))
        }
    }
}
