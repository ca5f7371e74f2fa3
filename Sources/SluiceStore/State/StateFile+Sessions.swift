import Glibc
import SluiceCore

/// The sessions of processes that are gone.
extension StateFile {
    /// What became of them.
    struct TakenOver {
        /// Those that are this process's now, oldest first.
        var sessions: [Int] = []
        /// Their requests.
        var count = 0
        /// Whether the user had suspended the queue of one of them, and this start was not told how to have it.
        var isSuspended = false
        /// What was begun with another destination directory, or is left for a session that has one.
        var elsewhere: [BegunElsewhere] = []
    }

    /// A session of another process.
    private struct Other {
        let id: Int
        let lock: String
        /// Whether it says where its files go.
        let isPlaced: Bool
        let directory: String?
        let isSuspended: Bool
    }

    /// Makes the sessions of dead processes ones of this process, so that no other takes them too.
    ///
    /// All of them, wherever their files went; but where nothing is saved, those whose requests would be over and have no
    /// files. Those of a version that did not say are anybody's.
    func takeOver(_ chores: inout StateChores) throws(DatabaseError) -> TakenOver {
        guard let name = lock?.name else { return TakenOver() }
        return try database.transaction { () throws(DatabaseError) in
            var taken = TakenOver()
            for other in try others() where isAbandoned(other, by: name) {
                let id = DatabaseValue.integer(Int64(other.id))
                let count = try database.integer("SELECT count(*) FROM request WHERE session = ?", id) ?? 0
                if other.isPlaced, configuration.directory == nil, other.directory != nil {
                    if count == 0 {
                        chores.sessions.append(other.id)
                    } else {
                        // Nobody's, so that it does not pass for a living one.
                        try database.run("UPDATE session SET lock = '' WHERE id = ?", id)
                        taken.note(count, of: other.directory, isTaken: false)
                    }
                    continue
                }
                // Wherever their parts are: an earlier session may have taken them over from yet another.
                let parts = try parts(of: other.id)
                for (directory, begun) in parts.elsewhere { taken.note(begun, of: directory, isTaken: true) }
                let rest = count - parts.count
                if rest > 0, other.isPlaced, other.directory != configuration.directory {
                    taken.note(rest, of: other.directory, isTaken: true)
                }
                try database.run("UPDATE session SET lock = ? WHERE id = ?", .text(name), id)
                taken.sessions.append(other.id)
                taken.count += count
                taken.isSuspended = taken.isSuspended || other.isSuspended
            }
            let wasSuspended = taken.isSuspended && taken.count > 0
            taken.isSuspended = wasSuspended && configuration.suspension == nil
            try write(.suspended(wasSuspended && configuration.suspension != false))
            return taken
        }
    }

    private func others() throws(DatabaseError) -> [Other] {
        var found: [Other] = []
        try database.query(
            "SELECT id, lock, isPlaced, directory, isSuspended FROM session WHERE id <> ? ORDER BY id",
            .integer(Int64(session))
        ) { row throws(DatabaseError) in
            found.append(
                Other(
                    id: row.integer(0),
                    lock: row.text(1) ?? "",
                    isPlaced: row.integer(2) != 0,
                    directory: row.text(3),
                    isSuspended: row.integer(4) != 0
                )
            )
        }
        return found
    }

    /// The requests of a session that have a part, and in which other directories those are that have none here.
    ///
    /// Of one that was begun in several, the part that was begun last counts. A part that is gone is none.
    private func parts(of session: Int) throws(DatabaseError) -> (count: Int, elsewhere: [(String, Int)]) {
        guard let directory = configuration.directory else { return (0, []) }
        var places: [String: String] = [:]
        try database.query(
            """
            SELECT r.task, r.receipt, p.directory, p.path FROM part p JOIN request r ON r.key = p.key
            WHERE r.session = ?1 AND NOT p.isWhole AND coalesce(substr(p.destination, 1, 1), '') <> '/'
            ORDER BY p.directory = ?2, p.born
            """,
            .integer(Int64(session)),
            .text(directory)
        ) { row throws(DatabaseError) in
            guard unsafe access(row.text(3) ?? "", F_OK) == 0 else { return }
            places["\(row.integer(0)) \(row.integer(1))"] = row.text(2) ?? ""
        }
        let elsewhere = Dictionary(grouping: places.values.filter { $0 != directory }, by: \.self)
        return (places.count, elsewhere.map { ($0.key, $0.value.count) }.sorted { $0.0 < $1.0 })
    }

    private func isAbandoned(_ other: Other, by name: String) -> Bool {
        if other.lock.isEmpty { return true }
        return other.lock != name && SessionLock.isAbandoned(other.lock, in: configuration.folder)
    }
}

extension StateFile.TakenOver {
    fileprivate mutating func note(_ count: Int, of directory: String?, isTaken: Bool) {
        // What saves no files goes on anywhere.
        guard let directory else { return }
        if let index = elsewhere.firstIndex(where: { $0.directory == directory }) {
            elsewhere[index].count += count
        } else {
            elsewhere.append(BegunElsewhere(directory: directory, count: count, isTaken: isTaken))
        }
    }
}
