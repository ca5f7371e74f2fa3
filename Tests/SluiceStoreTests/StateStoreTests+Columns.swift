import Glibc
import SluiceCore
import Testing

@testable import SluiceStore

/// A newer Sluice that is started while this one runs.
extension StateStoreTests {
    @Test func whatIsWrittenFitsTablesThatGotMoreColumns() throws {
        let first = store()
        _ = load(first)
        try addColumns()

        let (here, gone) = (part("here", key: "a"), part("gone", key: "b"))
        for name in ["here.part", "gone.part"] { directory.write("bytes", to: name) }
        let files = ["c", "d"].map { name in
            let file = SavedFile(path: directory.file(name), size: 3, modified: 4)
            return KnownFile(key: name, directory: directory.path, file: file)
        }
        var waiting = TaskRecord(task: TaskID(1), band: TaskRecord.activeBand, rank: TaskRecord.waitingRank)
        waiting.waitsUntil = 1_800_000_000_000_000_007
        let failures = ["e", "f"].map { key in
            FailedRecord(
                key: key,
                url: "u",
                error: DownloadError(.badStatus, "404", status: 404),
                until: 1 << 40,
                circumstances: "mark"
            )
        }
        var changes: [StateChange] = [
            .part(here), .part(gone), .noPart(gone.location),
            .file(files[0]), .file(files[1]), .noFile(files[1]),
            .task(waiting), request(1), .rate(TaskID(1), 7),
        ]
        for number in 2...4 {
            changes += [task(number, rank: Int64(number)), request(number), .rate(TaskID(number), 9)]
        }
        changes += [
            .rate(TaskID(2), 0), .receiptEnded(TaskID(3), ReceiptID(3)), .taskEnded(TaskID(4)),
            .restoredEnded(RestoredRequest.Row(session: 99, task: 1, receipt: 1)), .suspended(true),
            .failed(failures[0]), .failed(failures[1]), .notFailed(failures[1].key),
        ]
        #expect(save(changes, to: first) == nil)
        first.close()

        let second = store()
        let state = load(second)
        #expect(state.problem == nil)
        #expect(state.parts == [here])
        #expect(state.files == [files[0]])
        #expect(state.requests.map { $0.request.url.last } == ["1", "2"])
        #expect(state.requests.map(\.waitsUntil) == [waiting.waitsUntil, nil])
        #expect(state.requests.map(\.rate) == [7, nil])
        #expect(state.isSuspended)
        #expect(state.failed == [failures[0]])
        second.close()
    }

    /// Nothing is known of what they come from, then and in what such a version writes while this one runs.
    @Test func failuresOfAnOlderVersionComeAlong() throws {
        let folder = directory.file("state")
        #expect(unsafe mkdir(folder, 0o700) == 0)
        let old = try Database(path: StateStore.path(in: folder), migrations: Array(StateFile.migrations.prefix(7)))
        let columns = "key, url, code, message, status, body, until"
        let values = "'u', 'badStatus', '404', 404, NULL, \(1 << 40)"
        try old.run("INSERT INTO failed (\(columns)) VALUES ('a', \(values))")
        let first = store()
        _ = load(first)
        try old.run("INSERT INTO failed (\(columns)) VALUES ('b', \(values))")
        var records = ["a", "b", "c"].map { key in
            FailedRecord(key: key, url: "u", error: DownloadError(.badStatus, "404", status: 404), until: 1 << 40)
        }
        records[2].circumstances = "mark"
        #expect(save([.failed(records[2])], to: first) == nil)
        first.close()

        let second = store()
        let failed = load(second).failed
        #expect(failed.sorted { $0.key < $1.key } == records)
        second.close()
    }

    /// Nothing is known of the rules under which such a version asks.
    @Test func theTrustThatRequestsWereAskedForUnderComesBack() throws {
        let first = store()
        _ = load(first)
        var changes: [StateChange] = []
        let trusts: [String?] = ["mark", "", nil, "mark"]
        for (number, trust) in zip(1..., trusts) {
            let url = "http://site.example/\(number)"
            let id = TaskID(number)
            var record = RequestRecord(task: id, receipt: ReceiptID(number), key: url, request: DownloadRequest(url))
            record.trust = trust
            changes += [task(number, rank: Int64(number)), .request(record)]
        }
        changes.append(.trusted(TaskID(4), key: "other", trust: "new"))
        #expect(save(changes, to: first) == nil)
        first.close()

        let second = store()
        let requests = load(second).requests
        #expect(requests.map(\.trust) == ["mark", "", nil, "new"])
        #expect(requests.compactMap { $0.key?.last } == ["1", "2", "3", "r"])
        second.close()
    }

    /// Adds one to each table.
    private func addColumns() throws {
        let newer = try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
        var tables: [String] = []
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        try newer.query(sql) { row in tables.append(row.text(0) ?? "") }
        #expect(tables.count >= 9)
        for table in tables { try newer.run("ALTER TABLE \(table) ADD COLUMN later TEXT") }
    }
}
