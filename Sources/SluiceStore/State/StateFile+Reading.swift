import CLinux
import Glibc
import SluiceCore

/// What earlier processes left.
extension StateFile {
    /// Reads what earlier processes left, and takes over the sessions whose process is gone.
    ///
    /// Who has the file locked keeps nobody from reading: then only the queue stays for a later start.
    ///
    /// - Parameter counted: Hears how many requests there are before they are read.
    /// - Returns: What was read, and what is to be done in the file for it.
    /// - Throws: If the file is damaged.
    func read(counted: (Int) -> Void) throws(DatabaseError) -> (state: RememberedState, chores: StateChores) {
        var (state, chores, taken) = (RememberedState(), StateChores(), TakenOver())
        state.problem = damaged.map { StateProblem(message: "the saved state was damaged, and is kept as \($0)") }
        do throws(DatabaseError) {
            try begin()
            if goesOn { taken = try takeOver(&chores) }
        } catch {
            guard error.mayPass else { throw error }
            isPatient = false
            state.problem = state.problem ?? StateProblem(message: error.message, mayPass: true)
        }
        counted(taken.count)
        (state.isSuspended, state.elsewhere) = (taken.isSuspended, taken.elsewhere)
        if goesOn { state.failed = try failures() }
        var left = LeftBodies()
        if let directory = configuration.directory {
            state.files = try files(of: directory, &chores)
            (state.parts, left) = try parts(of: directory, &state.files, &chores)
        }
        if !taken.sessions.isEmpty { try readRequests(of: taken.sessions, left, into: &state, &chores) }
        return (state, chores)
    }

    /// Does what reading found to be done, all of it or nothing.
    func tidy(_ chores: StateChores) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for file in chores.files { try write(.file(file)) }
            for file in chores.excess { try write(.noFile(file)) }
            for path in chores.parts { try database.run("DELETE FROM part WHERE path = ?", .text(path)) }
            for row in chores.requests { try remove(row) }
            for id in chores.sessions { try database.run("DELETE FROM session WHERE id = ?", .integer(Int64(id))) }
            if goesOn { try database.run("DELETE FROM failed WHERE until <= ?", .integer(Int64(time(nil)))) }
            try dropUnusedOptions()
            // Places of tasks that nobody waited for outlive their session.
            for table in ["task", "wait", "rate"] {
                try database.run("DELETE FROM \(table) WHERE session NOT IN (SELECT id FROM session)")
            }
        }
    }

    /// Whether this session goes on where earlier ones left.
    private var goesOn: Bool { configuration.keepsQueue && !configuration.startsFresh }

    private func failures() throws(DatabaseError) -> [FailedRecord] {
        var found: [FailedRecord] = []
        try database.query(
            """
            SELECT key, url, code, message, status, body, until, circumstances FROM failed
            WHERE until > ? ORDER BY until
            """,
            .integer(Int64(time(nil)))
        ) { row throws(DatabaseError) in
            guard let code = DownloadError.Code(rawValue: row.text(2) ?? "") else { return }
            let error = DownloadError(
                code,
                row.text(3) ?? "",
                status: row.isNull(4) ? nil : row.integer(4),
                body: row.text(5)
            )
            found.append(
                FailedRecord(
                    key: row.text(0) ?? "",
                    url: row.text(1) ?? "",
                    error: error,
                    until: row.integer(6),
                    circumstances: row.text(7)
                )
            )
        }
        return found
    }

    /// The newest known files, the oldest of them first; the others are forgotten, lest the file grows for ever.
    private func files(of directory: String, _ chores: inout StateChores) throws(DatabaseError) -> [KnownFile] {
        var (found, places): ([KnownFile], [Int]) = ([], [])
        try database.query("SELECT key, path, size, modified, place FROM file WHERE directory = ?", .text(directory)) {
            row throws(DatabaseError) in
            guard let size = row.amount(2) else { return }
            let file = SavedFile(path: row.text(1) ?? "", size: size, modified: Int64(row.integer(3)))
            found.append(KnownFile(key: row.text(0) ?? "", directory: directory, file: file))
            // What has no place is the first to be forgotten.
            places.append(row.amount(4) ?? 0)
        }
        newestFile = places.max() ?? 0
        // Their numbers are sorted, which costs a tenth of moving the files themselves about.
        let order = found.indices.sorted { places[$0] < places[$1] }
        let files = order.map { found[$0] }
        let excess = max(0, files.count - configuration.fileLimit)
        if excess == 0 { return files }
        chores.excess = Array(files[..<excess])
        return Array(files[excess...])
    }

    /// The parts that are still there, and the bodies of those that became files just before their process died.
    ///
    /// What was wanted at an absolute path belongs to every directory; of two parts of one key that of this one comes last.
    private func parts(
        of directory: String,
        _ files: inout [KnownFile],
        _ chores: inout StateChores
    ) throws(DatabaseError) -> ([PartRecord], LeftBodies) {
        let columns = """
            key, folder, name, place, inode, born, tag, date, total, isWhole, finalURL, destination, path, length, directory
            """
        var (found, gone): ([(record: PartRecord, path: String)], [String]) = ([], [])
        try database.query(
            """
            SELECT \(columns) FROM part WHERE directory <> ?1 AND substr(destination, 1, 1) = '/'
            UNION ALL SELECT \(columns) FROM part WHERE directory = ?1
            """,
            .text(directory)
        ) { row throws(DatabaseError) in
            let path = row.text(12) ?? ""
            guard let index = row.amount(3), index < FileCandidates.limit, row.isNull(8) || row.amount(8) != nil else {
                gone.append(path)
                return
            }
            let location = PartLocation(
                directory: row.text(14) ?? directory,
                folder: row.text(1),
                name: row.text(2) ?? "",
                index: index,
                inode: UInt64(bitPattern: Int64(row.integer(4))),
                born: Int64(row.integer(5))
            )
            let validator = row.text(6).map { EntityValidator.entityTag($0) } ?? row.text(7).map { .lastModified($0) }
            var record = PartRecord(
                key: row.text(0) ?? "",
                location: location,
                validator: validator,
                total: row.isNull(8) ? nil : row.amount(8),
                finalURL: row.text(10) ?? ""
            )
            (record.isWhole, record.destination) = (row.integer(9) != 0, row.text(11))
            record.length = row.isNull(13) ? nil : row.amount(13)
            found.append((record, path))
        }
        var (parts, left) = ([PartRecord](), LeftBodies())
        for (record, path) in found {
            var status = stat()
            if unsafe stat(path, &status) == 0 {
                parts.append(record)
                left.partSizes[record.key] = Int(status.st_size)
                continue
            }
            gone.append(path)
            guard record.isWhole, let file = PartFile.published(record) else { continue }
            files.append(KnownFile(key: record.key, directory: directory, file: file))
            chores.files.append(KnownFile(key: record.key, directory: directory, file: file))
            left.saved[record.key, default: []].insert(record.destination.map(ExactText.init))
        }
        chores.parts = gone
        return (parts, left)
    }
}
