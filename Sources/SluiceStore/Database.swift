internal import CLinux
internal import CSQLite
internal import Glibc
package import SluiceCore
internal import SluiceSystem

/// One connection to one SQLite file, and the only type that calls SQLite.
///
/// Write-ahead logging with `synchronous NORMAL`: a commit survives the death of the process,
/// and the file stays whole whatever happens; readers never wait for a writer. Any number of
/// processes may have the same file open. Files are made 0600, their folder 0700.
///
/// Not sendable: it belongs to one thread at a time. Make it on the thread that uses it, or
/// hand it over once with `sending`. Every call may wait for the disk or for another process,
/// up to the busy timeout; so never call it on the transfer loop or the UI's thread.
///
/// Safe: the connection and its statements never leave it, and live as long as it does.
@safe package final class Database {
    /// One step from a version of the file to the next.
    package struct Migration: Sendable {
        fileprivate let statements: String

        /// - Parameter statements: SQL, separated by semicolons; runs in one transaction.
        package init(_ statements: String) { self.statements = statements }
    }

    /// Of the file, as it was opened.
    package let path: String
    let connection: OpaquePointer
    /// Compiled once, by their text; each is reset after use.
    private var statements: [String: Statement] = [:]
    /// Often the next one is the same.
    private var latest: (sql: String, statement: Statement)?
    private var depth = 0
    /// Whether damage that shows from now on is still to be noted; what shows on opening shows there again.
    private var notesDamage = false

    /// Opens the file, made if missing, and brings it to the newest version.
    ///
    /// - Parameters:
    ///   - path: Of the file; its folder is made if missing.
    ///   - migrations: From the empty file on, oldest first; `user_version` counts those done.
    ///   - busyTimeout: How long to wait where another process writes.
    /// - Throws: ``DatabaseError/corrupt(_:)`` if it is no database: set it aside and open again;
    ///   ``DatabaseError/newer(version:)``, ``DatabaseError/unavailable(_:)``, ``DatabaseError/busy(_:)``,
    ///   ``DatabaseError/full(_:)``.
    package convenience init(
        path: String,
        migrations: [Migration],
        busyTimeout: Duration = .seconds(5)
    ) throws(DatabaseError) {
        try self.init(path: path, migrations: migrations, busyTimeout: busyTimeout) { MonotonicClock.now() }
    }

    package init(
        path: String,
        migrations: [Migration],
        busyTimeout: Duration,
        clock: () -> Timestamp
    ) throws(DatabaseError) {
        self.path = path
        _ = Self.isPrepared
        try Self.prepare(path)
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard status == SQLITE_OK, let connection = unsafe opened else {
            let error = unsafe Self.error(status, opened, path)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe self.connection = unsafe connection
        // From here on `deinit` closes it.
        try beginLog(within: busyTimeout, clock)
        wait(busyTimeout)
        try run("PRAGMA synchronous = NORMAL")
        try run("PRAGMA foreign_keys = ON")
        try migrate(migrations)
        notesDamage = true
    }

    deinit {
        for statement in statements.values { unsafe sqlite3_finalize(statement.pointer) }
        unsafe sqlite3_close_v2(connection)
    }

    /// Opens a file, and if it is damaged puts it aside as `NAME.damaged` and begins a new one.
    ///
    /// Safe with other processes that find the same: only the damaged file is put aside, and once. Whoever met damage in
    /// use left a note beside the file, `NAME.suspect`; then each page is looked at, and a whole file stays.
    ///
    /// - Parameters:
    ///   - path: Of the file.
    ///   - migrations: As in ``init(path:migrations:busyTimeout:)``.
    ///   - busyTimeout: As there.
    ///   - isSuspect: Whether the file was found damaged in use, so that each page is looked at.
    /// - Returns: The database, and where the damaged file is now, if there was one.
    /// - Throws: As the initializer does, except for a damaged file.
    package static func open(
        path: String,
        migrations: [Migration],
        busyTimeout: Duration = .seconds(5),
        isSuspect: Bool = false
    ) throws(DatabaseError) -> (database: Database, damaged: String?) {
        let attempt = Attempt(path: path, migrations: migrations, busyTimeout: busyTimeout, isSuspect: isSuspect)
        // One at a time: the system's locks do not hold between connections of one process, and while a damaged file is put
        // aside two may have different files open by one name. The later one would empty the other's index of the log.
        return try opening.withLock { _ in
            Result { () throws(DatabaseError) in try openAlone(attempt) }
        }.get()
    }

    /// Opens a file that this process has open already; it is not put aside, whatever it is like.
    ///
    /// - Throws: As the initializer does.
    package static func openAgain(path: String, migrations: [Migration]) throws(DatabaseError) -> Database {
        try opening.withLock { _ in
            Result { () throws(DatabaseError) in try Database(path: path, migrations: migrations) }
        }.get()
    }

    private static let opening = Locked(())

    /// How a file is opened that may be damaged.
    private struct Attempt: Sendable {
        let path: String
        let migrations: [Migration]
        let busyTimeout: Duration
        let isSuspect: Bool

        func open() throws(DatabaseError) -> Database {
            let database = try Database(path: path, migrations: migrations, busyTimeout: busyTimeout)
            let note = Database.note(path)
            let isNoted = unsafe access(note, F_OK) == 0
            guard isSuspect || isNoted else { return database }
            // First, since another process may meet damage meanwhile, and says so once.
            unsafe unlink(note)
            do throws(DatabaseError) {
                try database.check()
            } catch {
                database.noteDamage()
                throw error
            }
            return database
        }
    }

    private static func openAlone(
        _ attempt: Attempt
    ) throws(DatabaseError) -> (database: Database, damaged: String?) {
        let path = attempt.path
        do throws(DatabaseError) {
            return (try attempt.open(), nil)
        } catch {
            switch error {
            // The latter is also how a damaged file looks whose log another process replaces at this moment.
            case .corrupt, .failed: break
            case .unavailable, .newer, .busy, .full, .constraint: throw error
            }
        }
        let lock = unsafe Glibc.open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw unavailable(path) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        do throws(DatabaseError) {
            // Somebody else may have put it aside in the meantime.
            return (try attempt.open(), nil)
        } catch {
            guard case .corrupt = error else { throw error }
        }
        let damaged = path + ".damaged"
        // The log belongs to the file that goes: with a new file it would be wrong. It goes first, as
        // nobody has to wait for this lock who finds no damaged file, and so may have a log of a new one.
        for suffix in ["-wal", "-shm"] { unsafe unlink(path + suffix) }
        guard unsafe rename(path, damaged) == 0 else { throw unavailable(path) }
        return (try attempt.open(), damaged)
    }

    /// Looks at each page, and whether each index has what its table has: a write may fail for that alone.
    private func check() throws(DatabaseError) {
        try query("PRAGMA integrity_check(1)") { row throws(DatabaseError) in
            let finding = row.text(0) ?? ""
            if finding != "ok" { throw DatabaseError.corrupt("\(path): \(finding)") }
        }
    }

    /// Sets how long to wait where another process writes; milliseconds count.
    package func wait(_ timeout: Duration) {
        let (seconds, fraction) = timeout.components
        unsafe sqlite3_busy_timeout(connection, Int32(seconds) * 1000 + Int32(fraction / 1_000_000_000_000_000))
    }

    // MARK: Asking and changing

    /// Runs a statement that answers nothing, or whose answer does not matter.
    ///
    /// - Returns: How many rows an `INSERT`, `UPDATE` or `DELETE` changed.
    @discardableResult
    package func run(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) -> Int {
        try run(sql, values)
    }

    /// As ``run(_:_:)-(_,DatabaseValue...)``, with as many values as there are.
    @discardableResult
    package func run(_ sql: String, _ values: [DatabaseValue]) throws(DatabaseError) -> Int {
        try query(sql, values) { (_) throws(DatabaseError) in }
        return Int(unsafe sqlite3_changes64(connection))
    }

    /// Calls `body` for each row of the answer, in order.
    package func query(
        _ sql: String,
        _ values: DatabaseValue...,
        body: (borrowing Row) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try query(sql, values, body)
    }

    /// The first column of the first row; `nil` without a row, or for `NULL`.
    package func integer(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) -> Int? {
        var found: Int?
        var isFirst = true
        try query(sql, values) { row throws(DatabaseError) in
            if isFirst, !row.isNull(0) { found = row.integer(0) }
            isFirst = false
        }
        return found
    }

    /// The key that the last `INSERT` made.
    package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    /// Runs `body` with the write lock held; commits at its end, and takes all of it back if it throws.
    ///
    /// One inside another is part of the outer one.
    @discardableResult
    package func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        if depth > 0 { return try body() }
        // Immediate: a lock that is taken later, on the first write, can fail without waiting.
        try run("BEGIN IMMEDIATE")
        depth += 1
        defer { depth -= 1 }
        do throws(DatabaseError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Some errors have rolled it back already; what this one fails with is not worth hearing of.
            if unsafe sqlite3_get_autocommit(connection) == 0 {
                _ = unsafe sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
            }
            throw error
        }
    }

    /// Leaves the log as it is when the connection closes: the next one to open the file reads it.
    ///
    /// Writing it back takes a sync, for which the end of a program need not wait.
    package func keepLogAtClose() { unsafe sluice_keep_log(connection) }

    // MARK: Private

    private func query(
        _ sql: String,
        _ values: [DatabaseValue],
        _ body: (borrowing Row) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let statement = try statement(sql)
        // A statement that asks itself again from inside its rows gets a second, short-lived one.
        defer { statement.release() }
        let status = statement.bind(values)
        if status != SQLITE_OK { throw failure(status) }
        while true {
            let status = unsafe sqlite3_step(statement.pointer)
            switch status {
            case SQLITE_ROW: unsafe try body(Row(statement.pointer))
            case SQLITE_DONE: return
            default: throw failure(status)
            }
        }
    }

    /// What went wrong; damage is noted beside the file, so that the next one to open it looks at each page.
    ///
    /// Else what shows on a write alone would show again in every process, and never before it relies on the file.
    private func failure(_ status: Int32) -> DatabaseError {
        let error = unsafe Self.error(status, connection, path)
        if case .corrupt = error { noteDamage() }
        return error
    }

    private func noteDamage() {
        guard notesDamage else { return }
        notesDamage = false
        unsafe mknod(Self.note(path), S_IFREG | 0o600, 0)
    }

    /// The file that says that damage showed in use; it goes once the database was found whole, or was put aside.
    private static func note(_ path: String) -> String { path + ".suspect" }

    private func statement(_ sql: String) throws(DatabaseError) -> Statement {
        if let kept = latest?.sql == sql ? latest?.statement : statements[sql], !kept.isInUse {
            (kept.isInUse, latest) = (true, (sql, kept))
            return kept
        }
        var compiled: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard status == SQLITE_OK, let pointer = unsafe compiled else {
            throw status == SQLITE_OK ? .failed("an empty statement") : failure(status)
        }
        let statement = unsafe Statement(pointer, isKept: statements[sql] == nil)
        if statement.isKept { statements[sql] = statement }
        return statement
    }

    /// Turns write-ahead logging on, which a new file does not have yet.
    ///
    /// SQLite does not wait by itself here: it holds a read lock when it asks for the write lock,
    /// and of two that do so one must give way. That one tries again, as its busy handler would, which must not wait
    /// itself where it can: each attempt would take the whole time.
    private func beginLog(within timeout: Duration, _ clock: () -> Timestamp) throws(DatabaseError) {
        let deadline = clock() + timeout
        while true {
            do throws(DatabaseError) {
                try run("PRAGMA journal_mode = WAL")
                return
            } catch {
                guard case .busy = error, clock() < deadline else { throw error }
            }
            usleep(1000)
        }
    }

    private func migrate(_ migrations: [Migration]) throws(DatabaseError) {
        // Looked at first without a lock: the file is nearly always up to date.
        if try version() == migrations.count { return }
        try transaction { () throws(DatabaseError) in
            let version = try version()
            guard version >= 0 else { throw .corrupt("its version is \(version)") }
            guard version <= migrations.count else { throw .newer(version: version) }
            for migration in migrations[version...] {
                let status = unsafe sqlite3_exec(connection, migration.statements, nil, nil, nil)
                if status != SQLITE_OK { throw unsafe Self.error(status, connection, path) }
            }
            // A pragma takes no parameters.
            try run("PRAGMA user_version = \(migrations.count)")
        }
    }

    private func version() throws(DatabaseError) -> Int { try integer("PRAGMA user_version") ?? 0 }

    /// Spares SQLite what nobody asks for.
    private static let isPrepared = sluice_count_no_memory() == SQLITE_OK

    /// Makes folder and file before SQLite does, which would take the usual permissions.
    static func prepare(_ path: String) throws(DatabaseError) {
        let made = FolderPath.make(above: path, for: .owner)
        // Not opened: closing a file drops every lock that this process has on it, SQLite's too.
        guard unsafe mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
            // Without its folder the file only finds no place.
            throw unavailable(path, made == 0 ? errno : made)
        }
    }

    /// - Parameters:
    ///   - path: Of the file.
    ///   - number: Why it can't be used; `errno` of the failed call.
    /// - Returns: `full` or `unavailable`, with the system's words.
    static func unavailable(_ path: String, _ number: Int32 = errno) -> DatabaseError {
        let words = "can't use \(path): \(unsafe String(cString: strerror(number)))"
        return number == ENOSPC || number == EDQUOT ? .full(words) : .unavailable(words)
    }

    private static func error(_ status: Int32, _ connection: OpaquePointer?, _ path: String) -> DatabaseError {
        let text = unsafe connection.map { unsafe String(cString: sqlite3_errmsg($0)) }
        let words = "\(path): \(unsafe text ?? String(cString: sqlite3_errstr(status)))"
        // A log that ends too soon, which a file system can't do by itself.
        if status == SQLITE_IOERR | 2 << 8 { return .corrupt(words) }
        let cause = status & 0xFF == SQLITE_IOERR ? unsafe sqlite3_system_errno(connection) : 0
        if cause == ENOSPC || cause == EDQUOT { return .full(words) }
        return switch status & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt(words)
        case SQLITE_BUSY, SQLITE_LOCKED: .busy(words)
        case SQLITE_FULL: .full(words)
        case SQLITE_CONSTRAINT: .constraint(words)
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: .unavailable(words)
        default: .failed(words)
        }
    }
}
