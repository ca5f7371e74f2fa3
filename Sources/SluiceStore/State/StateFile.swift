import CLinux
import Glibc
import SluiceCore

/// The SQLite file of the state, as one process uses it; confined to the store's thread.
final class StateFile {
    /// Says that a damaged file was put aside.
    private(set) var damage: StateProblem?
    /// Whether another program that has the file locked is waited for as long as configured.
    var isPatient = true {
        didSet { database.wait(isPatient ? configuration.patience : StateWriter.patience) }
    }
    private let configuration: StateStore.Configuration
    private let database: Database
    private let lock: SessionLock?
    private var session = 0
    /// The place of the newest known file.
    private var newestFile = 0
    private var options: OptionRows

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

    // MARK: Reading

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
        var found: [(file: KnownFile, place: Int)] = []
        try database.query("SELECT key, path, size, modified, place FROM file WHERE directory = ?", .text(directory)) {
            row throws(DatabaseError) in
            let file = SavedFile(path: row.text(1) ?? "", size: row.integer(2), modified: Int64(row.integer(3)))
            found.append((KnownFile(key: row.text(0) ?? "", directory: directory, file: file), row.integer(4)))
        }
        found.sort { $0.place < $1.place }
        newestFile = found.last?.place ?? 0
        let excess = max(0, found.count - configuration.fileLimit)
        if excess == 0 { return found.map(\.file) }
        try database.transaction { () throws(DatabaseError) in
            for (old, _) in found[..<excess] {
                try database.run(
                    "DELETE FROM file WHERE directory = ? AND key = ? AND path = ?",
                    .text(directory),
                    .text(old.key),
                    .text(old.file.path)
                )
            }
        }
        return found[excess...].map(\.file)
    }

    /// The parts that are still there, and the keys of those that became files just before their process died.
    private func parts(
        of directory: String,
        _ files: inout [KnownFile]
    ) throws(DatabaseError) -> ([PartRecord], done: Set<String>) {
        var found: [(record: PartRecord, path: String)] = []
        try database.query(
            """
            SELECT key, folder, name, place, inode, born, tag, date, total, isWhole, finalURL, destination, path
            FROM part WHERE directory = ?
            """,
            .text(directory)
        ) { row throws(DatabaseError) in
            let location = PartLocation(
                directory: directory,
                folder: row.text(1),
                name: row.text(2) ?? "",
                index: row.integer(3),
                inode: UInt64(bitPattern: Int64(row.integer(4))),
                born: Int64(row.integer(5))
            )
            let validator = row.text(6).map { EntityValidator.entityTag($0) } ?? row.text(7).map { .lastModified($0) }
            var record = PartRecord(
                key: row.text(0) ?? "",
                location: location,
                validator: validator,
                total: row.isNull(8) ? nil : row.integer(8),
                finalURL: row.text(10) ?? ""
            )
            (record.isWhole, record.destination) = (row.integer(9) != 0, row.text(11))
            found.append((record, row.text(12) ?? ""))
        }
        var (parts, done, gone): ([PartRecord], Set<String>, [String]) = ([], [], [])
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

    // MARK: Writing

    /// Writes changes in order, all or none.
    func write(_ changes: some Sequence<StateChange>) throws(DatabaseError) {
        do throws(DatabaseError) {
            try writeAll(changes)
        } catch {
            // Rows that were made are gone with the rest.
            options = OptionRows(database)
            throw error
        }
    }

    private func writeAll(_ changes: some Sequence<StateChange>) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            // Who cancels a long queue ends one task after the other: a run of them goes at once.
            var ended: ClosedRange<Int>?
            for change in changes {
                if case .taskEnded(let task) = change {
                    if let run = ended, task.rawValue == run.upperBound + 1 {
                        ended = run.lowerBound...task.rawValue
                        continue
                    }
                    if let run = ended { try removeTasks(run) }
                    ended = task.rawValue...task.rawValue
                } else {
                    if let run = ended { try removeTasks(run) }
                    ended = nil
                    try write(change)
                }
            }
            if let run = ended { try removeTasks(run) }
            guard let lock, !options.isEmpty, try database.integer("SELECT 1 FROM request LIMIT 1") == nil else {
                return
            }
            try options.removeUnused(lock: lock.name)
        }
    }

    /// Removes the options, and with them headers and bodies, of requests that are over.
    private func dropUnusedOptions() throws(DatabaseError) {
        guard let lock else { return }
        try database.transaction { () throws(DatabaseError) in try options.removeUnused(lock: lock.name) }
    }

    /// Removes tasks that ended, with their requests.
    private func removeTasks(_ run: ClosedRange<Int>) throws(DatabaseError) {
        let (first, last) = (DatabaseValue.integer(Int64(run.lowerBound)), DatabaseValue.integer(Int64(run.upperBound)))
        for table in ["request", "task"] {
            try database.run(
                "DELETE FROM \(table) WHERE session = ? AND task BETWEEN ? AND ?",
                .integer(Int64(session)),
                first,
                last
            )
        }
    }

    private func write(_ change: StateChange) throws(DatabaseError) {
        let session = DatabaseValue.integer(Int64(session))
        switch change {
        case .part(let record): try write(record)
        case .noPart(let location):
            try database.run("DELETE FROM part WHERE path = ?", .text(PartFile.path(of: location)))
        case .file(let known):
            newestFile += 1
            try database.run(
                "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?)",
                .text(known.directory),
                .text(known.key),
                .text(known.file.path),
                .integer(Int64(known.file.size)),
                .integer(known.file.modified),
                .integer(Int64(newestFile))
            )
        case .noFile(let known):
            try database.run(
                "DELETE FROM file WHERE directory = ? AND key = ? AND path = ?",
                .text(known.directory),
                .text(known.key),
                .text(known.file.path)
            )
        case .task(let record):
            try database.run(
                "INSERT OR REPLACE INTO task VALUES (?, ?, ?, ?, ?, ?)",
                session,
                .integer(Int64(record.task.rawValue)),
                .integer(Int64(record.band)),
                .integer(record.rank),
                .integer(record.isPaused ? 1 : 0),
                DatabaseValue(record.priority.map { Int($0.rawValue) })
            )
        case .request(let record):
            try database.run(
                "INSERT OR REPLACE INTO request VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                session,
                .integer(Int64(record.task.rawValue)),
                .integer(Int64(record.receipt.rawValue)),
                .text(record.key),
                .text(record.request.url),
                .integer(Int64(try options.row(of: record.request.options))),
                .text(SourceText.text(record.request.source)),
                DatabaseValue(record.request.tag)
            )
            if let row = record.restored { try remove(row) }
        case .restoredEnded(let row): try remove(row)
        case .receiptEnded(let task, let receipt):
            try database.run(
                "DELETE FROM request WHERE session = ? AND task = ? AND receipt = ?",
                session,
                .integer(Int64(task.rawValue)),
                .integer(Int64(receipt.rawValue))
            )
        case .taskEnded(let task): try removeTasks(task.rawValue...task.rawValue)
        case .failed(let record):
            try database.run(
                "INSERT OR REPLACE INTO failed VALUES (?, ?, ?, ?, ?, ?, ?)",
                .text(record.key),
                .text(record.url),
                .text(record.error.code.rawValue),
                .text(record.error.message),
                DatabaseValue(record.error.status),
                DatabaseValue(record.error.body),
                .integer(Int64(record.until))
            )
        case .notFailed(let key): try database.run("DELETE FROM failed WHERE key = ?", .text(key))
        }
    }

    private func write(_ record: PartRecord) throws(DatabaseError) {
        let location = record.location
        var (tag, date): (String?, String?) = (nil, nil)
        switch record.validator {
        case .entityTag(let text): tag = text
        case .lastModified(let text): date = text
        case nil: break
        }
        try database.run(
            "INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .text(PartFile.path(of: location)),
            .text(record.key),
            .text(location.directory),
            DatabaseValue(location.folder),
            .text(location.name),
            .integer(Int64(location.index)),
            .integer(Int64(bitPattern: location.inode)),
            .integer(location.born),
            DatabaseValue(tag),
            DatabaseValue(date),
            DatabaseValue(record.total),
            .integer(record.isWhole ? 1 : 0),
            .text(record.finalURL),
            DatabaseValue(record.destination)
        )
    }

    /// Removes a request of an earlier session, and what only it needed.
    private func remove(_ row: RestoredRequest.Row) throws(DatabaseError) {
        let (session, task) = (DatabaseValue.integer(Int64(row.session)), DatabaseValue.integer(Int64(row.task)))
        try database.run(
            "DELETE FROM request WHERE session = ? AND task = ? AND receipt = ?",
            session,
            task,
            .integer(Int64(row.receipt))
        )
        try database.run(
            """
            DELETE FROM task WHERE session = ?1 AND task = ?2
            AND NOT EXISTS (SELECT 1 FROM request WHERE session = ?1 AND task = ?2)
            """,
            session,
            task
        )
    }
}
