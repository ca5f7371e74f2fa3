import Glibc
import SluiceCore
import SluiceSystem

/// The state file was deleted while it was in use: what a session wrote since would be lost.
extension StateFile {
    /// Goes on in the file that has the name now, made anew if there is none.
    ///
    /// Where a queue is kept, its session is in it with all that it wrote. Without one, as in `get`, what was there before
    /// was deleted for good, and only what comes is written.
    ///
    /// - Parameter old: The deleted one; keeps the lock that its session has from now on, also if this fails.
    /// - Throws: If a file has the name that knows nothing of the session, or none can be made.
    convenience init(insteadOf old: StateFile) throws(DatabaseError) {
        if old.lock != nil, unsafe access(old.database.path, F_OK) != 0 { try old.restore() }
        try self.init(old.configuration, patience: old.configuration.patience)
        try skipReading()
        (lock, session) = (old.lock, old.session)
        newestFile = max(newestFile, old.newestFile)
        guard let lock else { return }
        // Another session may have restored the file, with what it knew of this one; or began another.
        let known = try database.integer(
            "SELECT 1 FROM session WHERE id = ? AND lock = ?",
            .integer(Int64(session)),
            .text(lock.name)
        )
        if known == nil { throw old.database.replaced }
    }

    /// Writes a file of the name that has all of this one, but for sessions that nobody could tell from dead ones.
    private func restore() throws(DatabaseError) {
        let made = FolderPath.make(above: database.path, for: .owner)
        guard made == 0 else { throw Database.unavailable(database.path, made) }
        if let gone = lock, !gone.isThere { lock = try SessionLock(in: configuration.folder) }
        guard let lock else { return }
        let own = DatabaseValue.integer(Int64(session))
        try database.restore(migrations: Self.migrations) { copy throws(DatabaseError) in
            // Those that it took over have its lock too.
            try copy.run(
                "UPDATE session SET lock = ? WHERE lock = (SELECT lock FROM session WHERE id = ?)",
                .text(lock.name),
                own
            )
            var left: [Int] = []
            try copy.query("SELECT id, lock FROM session") { row throws(DatabaseError) in
                let path = configuration.folder + "/" + (row.text(1) ?? "")
                if unsafe access(path, F_OK) != 0 { left.append(row.integer(0)) }
            }
            // Without their lock the next start would take them over, though they may live.
            for session in left {
                for table in ["request", "task", "wait", "rate"] {
                    try copy.run("DELETE FROM \(table) WHERE session = ?", .integer(Int64(session)))
                }
                try copy.run("DELETE FROM session WHERE id = ?", .integer(Int64(session)))
            }
        }
    }
}
