internal import CSQLite
internal import Glibc

/// Where the file of a database is deleted or renamed while it is in use.
extension Database {
    /// Whether another file has the name by now, or none.
    ///
    /// What is written then is safe for nobody: no later process finds it.
    package var hasMoved: Bool {
        var moved: Int32 = 0
        return unsafe sqlite3_file_control(connection, nil, SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// Writes all that it holds to a new file of its name, which others then open.
    ///
    /// - Parameters:
    ///   - migrations: Those that it was opened with.
    ///   - change: What is different in the new one; done before anybody can see it.
    /// - Throws: ``DatabaseError/failed(_:)`` if another file has the name by now, or the log was left there, which would
    ///   be taken for that of the new one; else what can't be written.
    package func restore(
        migrations: [Migration],
        _ change: (Database) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        guard unsafe access(path + "-wal", F_OK) != 0 else {
            throw .failed("\(path) was deleted or renamed while it was in use, and its log was left: restart Sluice")
        }
        let new = "\(path).\(getpid()).new"
        // Of a process of the same number that died at this.
        unsafe unlink(new)
        try Self.prepare(new)
        defer { unsafe unlink(new) }
        try run("VACUUM INTO ?", .text(new))
        // Closed before it gets its name: its own log is gone then.
        try change(Database(path: new, migrations: migrations))
        // All of it at once, and never in the place of what somebody else began.
        guard unsafe link(new, path) == 0 else { throw errno == EEXIST ? replaced : Self.unavailable(path) }
    }

    /// Why nothing is written any more where the file of the name is not this one.
    package var replaced: DatabaseError { .failed("\(path) was replaced while it was in use: restart Sluice") }
}
