import SluiceCore

/// How changes become rows.
extension StateFile {
    /// Writes changes in order, all or none.
    func write(_ changes: some Sequence<StateChange>) throws(DatabaseError) {
        try begin()
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
            guard let lock, options.mayHaveUnused else { return }
            if !options.isLarge, try database.integer("SELECT 1 FROM request LIMIT 1") != nil { return }
            try options.removeUnused(lock: lock.name)
        }
    }

    /// Removes the options, and with them headers and bodies, of requests that are over.
    func dropUnusedOptions() throws(DatabaseError) {
        guard let lock else { return }
        try database.transaction { () throws(DatabaseError) in try options.removeUnused(lock: lock.name) }
    }

    /// Removes tasks that ended, with their requests, waits and limits.
    private func removeTasks(_ run: ClosedRange<Int>) throws(DatabaseError) {
        let (first, last) = (DatabaseValue.integer(Int64(run.lowerBound)), DatabaseValue.integer(Int64(run.upperBound)))
        for table in ["request", "task", "wait", "rate"] {
            try database.run(
                "DELETE FROM \(table) WHERE session = ? AND task BETWEEN ? AND ?",
                .integer(Int64(session)),
                first,
                last
            )
        }
    }

    func write(_ change: StateChange) throws(DatabaseError) {
        switch change {
        case .part(let record): try write(record)
        case .noPart(let location):
            try database.run("DELETE FROM part WHERE path = ?", .text(PartFile.path(of: location)))
        case .file(let known): try write(known)
        case .noFile(let known): try remove(known)
        case .task(let record): try write(record)
        case .request(let record): try write(record)
        case .restoredEnded(let row): try remove(row)
        case .receiptEnded(let task, let receipt): try remove(receipt, of: task)
        case .taskEnded(let task): try removeTasks(task.rawValue...task.rawValue)
        case .trusted(let task, let key, let trust): try writeTrust(trust, key: key, of: task)
        case .rate(let task, let rate): try writeRate(rate, of: task)
        case .suspended(let isSuspended): try writeSuspension(isSuspended)
        case .failed(let record): try write(record)
        case .notFailed(let key): try database.run("DELETE FROM failed WHERE key = ?", .text(key))
        }
    }

    // Columns by their names, here and wherever rows are made: a newer Sluice that is started meanwhile may add some.

    private func write(_ known: KnownFile) throws(DatabaseError) {
        newestFile += 1
        try database.run(
            "INSERT OR REPLACE INTO file (directory, key, path, size, modified, place) VALUES (?, ?, ?, ?, ?, ?)",
            .text(known.directory),
            .text(known.key),
            .text(known.file.path),
            .integer(Int64(known.file.size)),
            .integer(known.file.modified),
            .integer(Int64(newestFile))
        )
    }

    private func remove(_ known: KnownFile) throws(DatabaseError) {
        try database.run(
            "DELETE FROM file WHERE directory = ? AND key = ? AND path = ?",
            .text(known.directory),
            .text(known.key),
            .text(known.file.path)
        )
    }

    private func write(_ record: TaskRecord) throws(DatabaseError) {
        let (session, task) = row(of: record.task)
        try database.run(
            "INSERT OR REPLACE INTO task (session, task, band, rank, isPaused, priority) VALUES (?, ?, ?, ?, ?, ?)",
            session,
            task,
            .integer(Int64(record.band)),
            .integer(record.rank),
            .integer(record.isPaused ? 1 : 0),
            DatabaseValue(record.priority.map { Int($0.rawValue) })
        )
        guard let until = record.waitsUntil else { return }
        try database.run(
            "INSERT OR REPLACE INTO wait (session, task, until) VALUES (?, ?, ?)",
            session,
            task,
            .integer(until)
        )
    }

    private func write(_ record: RequestRecord) throws(DatabaseError) {
        let (session, task) = row(of: record.task)
        try database.run(
            """
            INSERT OR REPLACE INTO request (session, task, receipt, key, url, options, source, tag, origin, trust)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            session,
            task,
            .integer(Int64(record.receipt.rawValue)),
            .text(record.key),
            .text(record.request.url),
            .integer(Int64(try options.row(of: record.request.options))),
            .text(SourceText.text(record.request.source)),
            DatabaseValue(record.request.tag),
            DatabaseValue(record.restored?.session),
            DatabaseValue(record.trust)
        )
        if let row = record.restored { try remove(row) }
    }

    private func remove(_ receipt: ReceiptID, of task: TaskID) throws(DatabaseError) {
        let (session, task) = row(of: task)
        try database.run(
            "DELETE FROM request WHERE session = ? AND task = ? AND receipt = ?",
            session,
            task,
            .integer(Int64(receipt.rawValue))
        )
    }

    private func writeTrust(_ trust: String, key: String, of task: TaskID) throws(DatabaseError) {
        let (session, task) = row(of: task)
        try database.run(
            "UPDATE request SET key = ?, trust = ? WHERE session = ? AND task = ?",
            .text(key),
            .text(trust),
            session,
            task
        )
    }

    private func writeRate(_ rate: Int, of task: TaskID) throws(DatabaseError) {
        let (session, task) = row(of: task)
        if rate == 0 {
            try database.run("DELETE FROM rate WHERE session = ? AND task = ?", session, task)
        } else {
            try database.run(
                "INSERT OR REPLACE INTO rate (session, task, bytes) VALUES (?, ?, ?)",
                session,
                task,
                .integer(Int64(rate))
            )
        }
    }

    private func writeSuspension(_ isSuspended: Bool) throws(DatabaseError) {
        guard let lock else { return }
        // Of those too that were taken over, of which something may be left when this one ends.
        try database.run(
            "UPDATE session SET isSuspended = ? WHERE lock = ?",
            .integer(isSuspended ? 1 : 0),
            .text(lock.name)
        )
    }

    private func write(_ record: FailedRecord) throws(DatabaseError) {
        try database.run(
            """
            INSERT OR REPLACE INTO failed (key, url, code, message, status, body, until, circumstances)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(record.key),
            .text(record.url),
            .text(record.error.code.rawValue),
            .text(record.error.message),
            DatabaseValue(record.error.status),
            DatabaseValue(record.error.body),
            .integer(Int64(record.until)),
            DatabaseValue(record.circumstances)
        )
    }

    /// What names the rows of a task of this session.
    private func row(of task: TaskID) -> (session: DatabaseValue, task: DatabaseValue) {
        (.integer(Int64(session)), .integer(Int64(task.rawValue)))
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
            """
            INSERT OR REPLACE INTO part (
                path, key, directory, folder, name, place, inode, born, tag, date, total, isWhole, finalURL, destination, length
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
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
            DatabaseValue(record.destination),
            DatabaseValue(record.length)
        )
    }

    /// Removes a request of an earlier session, and what only it needed.
    func remove(_ row: RestoredRequest.Row) throws(DatabaseError) {
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
