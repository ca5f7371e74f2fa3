import CLinux
import Glibc
import SluiceCore

/// What earlier processes left.
extension StateFile {
    /// Reads what earlier processes left, and takes over the sessions whose process is gone.
    ///
    /// `counted` hears how many requests there are before they are read.
    func read(counted: (Int) -> Void) throws(DatabaseError) -> RememberedState {
        var state = RememberedState()
        var sessions: [Int] = []
        if configuration.keepsQueue, !configuration.startsFresh {
            sessions = try takeOver()
            var count = 0
            for id in sessions {
                count +=
                    try database.integer("SELECT count(*) FROM request WHERE session = ?", .integer(Int64(id))) ?? 0
            }
            counted(count)
            state.failed = try failures()
        } else {
            counted(0)
        }
        var done: Set<String> = []
        if let directory = configuration.directory {
            state.files = try files(of: directory)
            (state.parts, done) = try parts(of: directory, &state.files)
        }
        if !sessions.isEmpty {
            let options = try options.read()
            for id in sessions { state.requests += try requests(of: id, options, done: done) }
        }
        try dropUnusedOptions()
        // Places of tasks that nobody waited for outlive their session.
        try database.run("DELETE FROM task WHERE session NOT IN (SELECT id FROM session)")
        return state
    }

    /// Makes the sessions of dead processes ones of this process, so that no other takes them too.
    private func takeOver() throws(DatabaseError) -> [Int] {
        guard let name = lock?.name else { return [] }
        return try database.transaction { () throws(DatabaseError) in
            var found: [(id: Int, lock: String)] = []
            try database.query("SELECT id, lock FROM session WHERE id <> ? ORDER BY id", .integer(Int64(session))) {
                row throws(DatabaseError) in found.append((row.integer(0), row.text(1) ?? ""))
            }
            var taken: [Int] = []
            for (id, lock) in found where lock != name && SessionLock.isAbandoned(lock, in: configuration.folder) {
                try database.run("UPDATE session SET lock = ? WHERE id = ?", .text(name), .integer(Int64(id)))
                taken.append(id)
            }
            return taken
        }
    }

    private func failures() throws(DatabaseError) -> [FailedRecord] {
        var found: [FailedRecord] = []
        try database.run("DELETE FROM failed WHERE until <= ?", .integer(Int64(time(nil))))
        try database.query("SELECT key, url, code, message, status, body, until FROM failed ORDER BY until") {
            row throws(DatabaseError) in
            guard let code = DownloadError.Code(rawValue: row.text(2) ?? "") else { return }
            let error = DownloadError(
                code,
                row.text(3) ?? "",
                status: row.isNull(4) ? nil : row.integer(4),
                body: row.text(5)
            )
            found.append(
                FailedRecord(key: row.text(0) ?? "", url: row.text(1) ?? "", error: error, until: row.integer(6))
            )
        }
        return found
    }

    /// The newest known files, the oldest of them first; forgets the others, so that the file does not grow for ever.
    private func files(of directory: String) throws(DatabaseError) -> [KnownFile] {
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
        try database.transaction { () throws(DatabaseError) in
            for old in files[..<excess] {
                try database.run(
                    "DELETE FROM file WHERE directory = ? AND key = ? AND path = ?",
                    .text(directory),
                    .text(old.key),
                    .text(old.file.path)
                )
            }
        }
        return Array(files[excess...])
    }

    /// The parts that are still there, and the keys of those that became files just before their process died.
    private func parts(
        of directory: String,
        _ files: inout [KnownFile]
    ) throws(DatabaseError) -> ([PartRecord], done: Set<String>) {
        var (found, gone): ([(record: PartRecord, path: String)], [String]) = ([], [])
        try database.query(
            """
            SELECT key, folder, name, place, inode, born, tag, date, total, isWhole, finalURL, destination, path
            FROM part WHERE directory = ?
            """,
            .text(directory)
        ) { row throws(DatabaseError) in
            let path = row.text(12) ?? ""
            guard let index = row.amount(3), index < FileCandidates.limit, row.isNull(8) || row.amount(8) != nil else {
                gone.append(path)
                return
            }
            let location = PartLocation(
                directory: directory,
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
            found.append((record, path))
        }
        var (parts, done): ([PartRecord], Set<String>) = ([], [])
        for (record, path) in found {
            if unsafe access(path, F_OK) == 0 {
                parts.append(record)
                continue
            }
            gone.append(path)
            guard record.isWhole, let file = PartFile.published(record) else { continue }
            files.append(KnownFile(key: record.key, directory: directory, file: file))
            done.insert(record.key)
            try write(.file(KnownFile(key: record.key, directory: directory, file: file)))
        }
        for path in gone { try database.run("DELETE FROM part WHERE path = ?", .text(path)) }
        return (parts, done)
    }

    private func requests(
        of id: Int,
        _ options: [Int: RequestOptions],
        done: Set<String>
    ) throws(DatabaseError) -> [RestoredRequest] {
        var (found, complete): ([RestoredRequest], [RestoredRequest.Row]) = ([], [])
        try database.query(
            """
            SELECT r.task, r.receipt, r.url, r.options, r.source, r.tag, t.band, t.isPaused, t.priority, r.key
            FROM request r JOIN task t ON t.session = r.session AND t.task = r.task
            WHERE r.session = ? ORDER BY t.band, t.rank, r.receipt
            """,
            .integer(Int64(id))
        ) { row throws(DatabaseError) in
            let place = RestoredRequest.Row(session: id, task: row.integer(0), receipt: row.integer(1))
            let url = row.text(2) ?? ""
            if !done.isEmpty, done.contains(row.text(9) ?? "") {
                complete.append(place)
                return
            }
            guard let options = options[row.integer(3)] else {
                // Without them it would be another request: a GET for a POST.
                let message = "what was saved of the request for \(url) is damaged: add it again"
                damage = damage ?? StateProblem(message: message)
                complete.append(place)
                return
            }
            var request = DownloadRequest(url, options: options)
            (request.source, request.tag) = (SourceText.source(row.text(4) ?? ""), row.text(5))
            found.append(
                RestoredRequest(
                    row: place,
                    request: request,
                    band: row.integer(6),
                    isPaused: row.integer(7) != 0,
                    priority: row.isNull(8) ? nil : Priority(rawValue: UInt8(clamping: row.integer(8)))
                )
            )
        }
        try database.transaction { () throws(DatabaseError) in
            for row in complete { try remove(row) }
            if found.isEmpty { try database.run("DELETE FROM session WHERE id = ?", .integer(Int64(id))) }
        }
        return found
    }
}
