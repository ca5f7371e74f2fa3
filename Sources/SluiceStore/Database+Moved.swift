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
    /// - Throws: ``DatabaseError/failed(_:)`` if another file has the name by now, or its log was left there, which would
    ///   be taken for that of the new one; else what can't be written.
    package func restore() throws(DatabaseError) {
        let taken = DatabaseError.failed("\(path) was renamed or replaced while it was in use")
        guard unsafe access(path, F_OK) != 0, unsafe access(path + "-wal", F_OK) != 0 else { throw taken }
        let new = "\(path).\(getpid()).new"
        try Self.prepare(new)
        defer { unsafe unlink(new) }
        try run("VACUUM INTO ?", .text(new))
        // All of it at once, and never in the place of what somebody else began.
        guard unsafe link(new, path) == 0 else { throw errno == EEXIST ? taken : Self.unavailable(path) }
    }
}
