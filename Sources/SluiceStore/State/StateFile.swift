import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// The SQLite file of the state, as one process uses it; confined to the store's thread.
final class StateFile {
    /// Where a damaged file was put aside when this one was opened.
    let damaged: String?
    /// Whether another program that has the file locked is waited for as long as configured.
    var isPatient = true {
        didSet { database.wait(isPatient ? configuration.patience : StateWriter.patience) }
    }
    let configuration: StateStore.Configuration
    let database: Database
    /// Says that this session lives; `nil` before ``begin()``, and where no queue is kept.
    var lock: SessionLock?
    var session = 0
    /// The place of the newest known file.
    var newestFile = 0
    var options: OptionRows

    /// Opens the file, and says nothing in it of this session.
    ///
    /// - Parameters:
    ///   - configuration: Where it is, and what is kept.
    ///   - patience: How long another program is waited for.
    ///   - isSuspect: Whether it was found damaged in use, so that it is put aside.
    /// - Throws: If it can't be opened, or not now.
    init(
        _ configuration: StateStore.Configuration,
        patience: Duration,
        isSuspect: Bool = false
    ) throws(DatabaseError) {
        self.configuration = configuration
        let (opened, damaged) = try Database.open(
            path: StateStore.path(in: configuration.folder),
            migrations: Self.migrations,
            busyTimeout: patience,
            isSuspect: isSuspect
        )
        (database, options, self.damaged) = (opened, OptionRows(opened), damaged)
    }

    /// Makes this session known to other processes, if its queue is kept and that is not done yet.
    func begin() throws(DatabaseError) {
        guard configuration.keepsQueue, lock == nil else { return }
        let lock = try SessionLock(in: configuration.folder)
        do throws(DatabaseError) {
            try database.run(
                "INSERT INTO session (lock, isPlaced, directory) VALUES (?, 1, ?)",
                .text(lock.name),
                DatabaseValue(configuration.directory)
            )
        } catch {
            lock.remove()
            throw error
        }
        session = Int(database.lastInsertedRow)
        self.lock = lock
    }

    /// Goes on with a file of which nothing was read: files that are saved now are newer than all in it.
    func skipReading() throws(DatabaseError) {
        guard let directory = configuration.directory else { return }
        let newest = try database.integer(
            "SELECT max(place) FROM file WHERE directory = ? AND place BETWEEN 0 AND ?",
            .text(directory),
            .integer(Database.amounts.upperBound)
        )
        newestFile = newest ?? 0
    }

    /// Removes what says that this session lives, if nothing of it is left to continue.
    func end() {
        guard lock != nil else { return }
        do throws(DatabaseError) {
            try dropUnusedOptions()
            let left = try database.integer("SELECT count(*) FROM request WHERE session = ?", .integer(Int64(session)))
            guard left == 0 else { return }
            try database.run("DELETE FROM task WHERE session = ?", .integer(Int64(session)))
            try database.run("DELETE FROM session WHERE id = ?", .integer(Int64(session)))
            lock?.remove()
        } catch {
            // The next dashboard finds it abandoned and empty, and removes it.
            return
        }
    }
}
