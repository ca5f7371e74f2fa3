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
                var rest = count
                // Wherever their parts are: an earlier session may have taken them over from yet another.
                for (directory, begun) in try partsElsewhere(of: other.id) {
                    taken.note(begun, of: directory, isTaken: true)
                    rest -= begun
                }
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

    /// How many requests of a session have parts in other directories than this session's, by directory.
    private func partsElsewhere(of session: Int) throws(DatabaseError) -> [(directory: String, count: Int)] {
        guard let directory = configuration.directory else { return [] }
        var found: [(directory: String, count: Int)] = []
        try database.query(
            """
            SELECT p.directory, count(*) FROM part p JOIN request r ON r.key = p.key
            WHERE r.session = ?1 AND p.directory <> ?2 AND NOT p.isWhole
                AND coalesce(substr(p.destination, 1, 1), '') <> '/'
            GROUP BY p.directory ORDER BY p.directory
            """,
            .integer(Int64(session)),
            .text(directory)
        ) { row throws(DatabaseError) in found.append((row.text(0) ?? "", row.integer(1))) }
        return found
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
