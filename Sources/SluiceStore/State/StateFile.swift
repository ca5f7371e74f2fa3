import CLinux
import Glibc
import SluiceCore

/// The SQLite file of the state, as one process uses it; confined to the store's thread.
final class StateFile {
    /// Says that a damaged file was put aside.
    var damage: StateProblem?
    /// Whether another program that has the file locked is waited for as long as configured.
    var isPatient = true {
        didSet { database.wait(isPatient ? configuration.patience : StateWriter.patience) }
    }
    let configuration: StateStore.Configuration
    let database: Database
    let lock: SessionLock?
    private(set) var session = 0
    /// The place of the newest known file.
    var newestFile = 0
    var options: OptionRows

    init(_ configuration: StateStore.Configuration) throws(DatabaseError) {
        self.configuration = configuration
        let (opened, damaged) = try Database.open(
            path: StateStore.path(in: configuration.folder),
            migrations: Self.migrations
        )
        (database, options) = (opened, OptionRows(opened))
        database.wait(configuration.patience)
        damage = damaged.map { StateProblem(message: "the saved state was damaged, and is kept as \($0)") }
        guard configuration.keepsQueue else {
            lock = nil
            return
        }
        let lock = try SessionLock(in: configuration.folder)
        try database.run("INSERT INTO session (lock) VALUES (?)", .text(lock.name))
        session = Int(database.lastInsertedRow)
        self.lock = lock
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
