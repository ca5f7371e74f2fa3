import Glibc
import SluiceCore
import SluiceSystem
import Testing

@testable import SluiceStore

/// The state file, as processes one after another and side by side see it.
@Suite(.timeLimit(.minutes(5)))
struct StateStoreTests {
    let directory = StoreDirectory()

    func store(
        keepsQueue: Bool = true,
        startsFresh: Bool = false,
        fileLimit: Int = 100,
        patience: Duration = .seconds(5),
        saves: Bool = true,
        elsewhere: String? = nil,
        suspension: Bool? = nil
    ) -> StateStore {
        var configuration = StateStore.Configuration(
            folder: directory.file("state"),
            directory: saves ? elsewhere ?? directory.path : nil,
            keepsQueue: keepsQueue
        )
        (configuration.startsFresh, configuration.fileLimit) = (startsFresh, fileLimit)
        (configuration.patience, configuration.suspension) = (patience, suspension)
        return StateStore(configuration)
    }

    /// What a store finds, read by itself; what it does in the file for it is done then.
    func load(_ store: StateStore) -> RememberedState {
        let state = found(by: store)
        _ = save([], to: store)
        return state
    }

    private func found(by store: StateStore) -> RememberedState {
        let (found, bell) = (Found(), Doorbell(waits: true))
        store.load { state in
            found.set(state)
            bell.ring()
        }
        bell.answer()
        return found.state
    }

    func save(_ changes: [StateChange], to store: StateStore) -> StateProblem? {
        let (problem, bell) = (Found(), Doorbell(waits: true))
        store.save(changes) { what in
            var state = RememberedState()
            state.problem = what
            problem.set(state)
            bell.ring()
        }
        bell.answer()
        return problem.state.problem
    }

    func task(_ number: Int, rank: Int64, band: TaskQueue.Band = .normal) -> StateChange {
        .task(TaskRecord(task: TaskID(number), band: band.rawValue, rank: rank))
    }

    func request(_ number: Int, _ options: RequestOptions = .standard) -> StateChange {
        let url = "http://site.example/\(number)"
        var request = DownloadRequest(
            url,
            options: options,
            source: .list(name: "my list", line: number),
            tag: "t\(number)"
        )
        if number == 1 { request.source = .paste }
        return .request(RequestRecord(task: TaskID(number), receipt: ReceiptID(number), key: url, request: request))
    }

    func part(_ name: String, key: String) -> PartRecord {
        let location = PartLocation(
            directory: directory.path,
            folder: nil,
            name: name,
            index: 0,
            inode: 1 << 63,
            born: -5
        )
        return PartRecord(
            key: key,
            location: location,
            validator: .entityTag("\"é\""),
            total: 10,
            finalURL: "http://x/"
        )
    }

    @Test func aDeadSessionIsTakenOverInItsOrder() throws {
        let first = store()
        #expect(load(first).requests.isEmpty)
        let changes = [
            task(1, rank: 5), request(1), task(2, rank: -7), request(2), task(3, rank: 0, band: .high), request(3),
            task(4, rank: 1), request(4), .taskEnded(TaskID(4)),
        ]
        #expect(save(changes, to: first) == nil)
        #expect(load(store(keepsQueue: false)).requests.isEmpty, "a command restores no queue")
        first.close()

        let second = store()
        let state = load(second)
        #expect(state.requests.map { $0.request.url.last } == ["3", "2", "1"])
        #expect(state.requests.map { $0.request.tag } == ["t3", "t2", "t1"])
        #expect(state.requests.last?.request.source == .paste)
        #expect(state.requests.first?.request.source == .list(name: "my list", line: 3))
        #expect(second.restorableCount == 3)
        #expect(load(store()).requests.isEmpty, "they are the second one's now")
        second.close()
        #expect(load(store()).requests.count == 3, "it did nothing about them")
    }

    @Test func whenTheNextAttemptIsDueIsKept() throws {
        let first = store()
        _ = load(first)
        var waiting = TaskRecord(task: TaskID(1), band: TaskRecord.activeBand, rank: 0)
        waiting.waitsUntil = 1_800_000_000_000_000_007
        #expect(save([.task(waiting), request(1), task(2, rank: 0), request(2)], to: first) == nil)
        first.close()
        let requests = load(store()).requests
        #expect(requests.map(\.waitsUntil) == [1_800_000_000_000_000_007, nil])
    }

    @Test func theOwnLimitsOfTasksAreKept() throws {
        let first = store()
        _ = load(first)
        let changes = (1...3).flatMap { [task($0, rank: Int64($0)), request($0), .rate(TaskID($0), 2_000 * $0)] }
        #expect(save(changes + [.rate(TaskID(2), 0), .rate(TaskID(3), 7)], to: first) == nil)
        first.close()
        #expect(load(store()).requests.map(\.rate) == [2_000, nil, 7])
    }

    @Test func nothingIsKeptOfTasksThatEnded() throws {
        let first = store()
        _ = load(first)
        var changes: [StateChange] = []
        for number in 1...4 {
            var record = TaskRecord(task: TaskID(number), band: TaskRecord.activeBand, rank: TaskRecord.waitingRank)
            record.waitsUntil = 1_800_000_000_000_000_007
            changes += [.task(record), request(number), .rate(TaskID(number), 9)]
        }
        #expect(save(changes, to: first) == nil)
        #expect(save([1, 2, 4].map { .taskEnded(TaskID($0)) }, to: first) == nil)
        let database = try Database(
            path: StateStore.path(in: directory.file("state")),
            migrations: StateFile.migrations
        )
        for table in ["request", "task", "wait", "rate"] {
            var left: [Int] = []
            try database.query("SELECT task FROM \(table)") { row in left.append(row.integer(0)) }
            #expect(left == [3], "\(table)")
        }
        first.close()
    }

    @Test func whatWasSubmittedAgainIsKeptOnce() throws {
        let first = store()
        _ = load(first)
        _ = save([task(1, rank: 0), request(1)], to: first)
        first.close()
        let second = store()
        let restored = try #require(load(second).requests.first)
        var record = RequestRecord(task: TaskID(9), receipt: ReceiptID(9), key: "k", request: restored.request)
        record.restored = restored.row
        _ = save([task(9, rank: 0), .request(record)], to: second)
        second.close()
        let third = store()
        #expect(load(third).requests.map(\.row.task) == [9])
        third.close()
    }

    @Test func aFreshStartLeavesWhatIsThere() {
        let first = store()
        _ = load(first)
        _ = save([task(1, rank: 0), request(1)], to: first)
        first.close()
        let fresh = store(startsFresh: true)
        #expect(load(fresh).requests.isEmpty)
        fresh.close()
        #expect(load(store()).requests.count == 1)
    }

    @Test func partsAndKnownFilesOfADirectoryComeBack() {
        let (here, gone) = (part("here", key: "a"), part("gone", key: "b"))
        directory.write("bytes", to: "here.part")
        let file = SavedFile(path: directory.file("c"), size: 3, modified: .max)
        let known = KnownFile(key: "c", directory: directory.path, file: file)
        let elsewhere = KnownFile(key: "c", directory: "/elsewhere", file: file)
        let first = store(keepsQueue: false)
        #expect(save([.part(here), .part(gone), .file(known), .file(elsewhere)], to: first) == nil)
        first.close()
        let state = load(store(keepsQueue: false))
        #expect(state.parts == [here], "what is no file any more is forgotten")
        #expect(state.files == [known])
    }

    @Test func onlyTheNewestKnownFilesAreKept() {
        func known(_ number: Int) -> KnownFile {
            let file = SavedFile(path: directory.file("\(number)"), size: number, modified: 0)
            return KnownFile(key: "\(9 - number)", directory: directory.path, file: file)
        }
        func keys(_ store: StateStore) -> Set<String> { Set(load(store).files.map(\.key)) }
        let first = store(keepsQueue: false)
        #expect(save((1...5).map { .file(known($0)) }, to: first) == nil)
        // Saved once more, it is the newest.
        #expect(save([.file(known(2))], to: first) == nil)
        first.close()
        let second = store(keepsQueue: false, fileLimit: 3)
        #expect(keys(second) == ["7", "5", "4"])
        #expect(save([.file(known(6))], to: second) == nil)
        second.close()
        #expect(keys(store(keepsQueue: false)) == ["7", "5", "4", "3"], "the others are gone from the disk too")
        #expect(keys(store(keepsQueue: false, fileLimit: 3)) == ["7", "4", "3"])
    }

    @Test func severalFilesMayBeKnownForOneKey() {
        func known(_ name: String) -> KnownFile {
            let file = SavedFile(path: directory.file(name), size: 1, modified: 0)
            return KnownFile(key: "a", directory: directory.path, file: file)
        }
        let first = store(keepsQueue: false)
        #expect(save(["x", "y", "z", "x"].map { .file(known($0)) }, to: first) == nil)
        first.close()
        let second = store(keepsQueue: false)
        #expect(load(second).files == ["y", "z", "x"].map(known), "in the order in which they were saved")
        second.close()
        #expect(load(store(keepsQueue: false, fileLimit: 2)).files == ["z", "x"].map(known))
        #expect(load(store(keepsQueue: false)).files == ["z", "x"].map(known))
    }

    @Test func knownFilesOfAnOlderVersionComeAlong() throws {
        let folder = directory.file("state")
        #expect(unsafe mkdir(folder, 0o700) == 0)
        let old = try Database(path: StateStore.path(in: folder), migrations: Array(StateFile.migrations.prefix(2)))
        try old.run(
            "INSERT INTO file VALUES (?, 'a', '/x', 1, 2, 3), (?, 'b', '/y', 4, 5, 6)",
            .text(directory.path),
            .text(directory.path)
        )
        let files = load(store(keepsQueue: false)).files
        #expect(files.map(\.key) == ["a", "b"])
        #expect(
            files.map(\.file) == [
                SavedFile(path: "/x", size: 1, modified: 2), SavedFile(path: "/y", size: 4, modified: 5),
            ]
        )
    }

    /// Requests of its key that wanted it elsewhere lack their copies; who wanted no file lacks nothing.
    @Test func aPartThatGotItsNameBeforeTheProcessDiedIsDone() throws {
        let body = DirectoryStoreBody(directory.path)
        let location = try body.write("whole", as: "a")
        var record = PartRecord(
            key: "http://site.example/1",
            location: location,
            validator: nil,
            total: 5,
            finalURL: "http://site.example/1"
        )
        record.isWhole = true
        let first = store()
        _ = load(first)
        let others = [RequestOptions(destination: "copy.bin"), RequestOptions(saves: false)].enumerated().map {
            StateChange.request(
                RequestRecord(
                    task: TaskID(1),
                    receipt: ReceiptID($0 + 10),
                    key: record.key,
                    request: DownloadRequest(record.key, options: $1)
                )
            )
        }
        let changes = [task(1, rank: 0), request(1)] + others + [task(2, rank: 1), request(2), .part(record)]
        _ = save(changes, to: first)
        first.close()
        let file = try body.publish()
        let state = load(store())
        #expect(state.requests.map { $0.request.url.last } == ["1", "2"])
        #expect(state.requests.map(\.request.options.destination) == ["copy.bin", nil])
        #expect(state.requests.map(\.hasSavedBody) == [true, false])
        #expect(state.files == [KnownFile(key: record.key, directory: location.directory, file: file)])
    }

    @Test func failuresComeBackUntilTheirTimeIsOver() {
        let error = DownloadError(.badStatus, "404", status: 404, body: "gone")
        let first = store()
        _ = load(first)
        let now = Int(time(nil))
        let records = [("a", now + 100), ("b", now - 1), ("c", now + 100)].map {
            FailedRecord(key: $0.0, url: "u" + $0.0, error: error, until: $0.1)
        }
        _ = save(records.map { .failed($0) } + [.notFailed("c")], to: first)
        first.close()
        #expect(load(store()).failed == [records[0]])
    }

    @Test func aDamagedFileIsPutAsideAndSaid() {
        let first = store()
        _ = load(first)
        first.close()
        directory.write(String(repeating: "no database", count: 1_000), to: "state/state.sqlite")
        let state = load(store())
        #expect(state.problem?.message.contains("damaged") == true)
        #expect(state.requests.isEmpty)
    }

    @Test func aFolderThatCanNotBeMadeIsAProblemAndNoCrash() {
        directory.write("a file", to: "state")
        let store = store()
        #expect(load(store).problem != nil)
        #expect(save([task(1, rank: 0)], to: store) != nil)
        store.close()
    }
}

/// A value that another thread brings.
private final class Found: Sendable {
    private let contents = Locked(RememberedState())
    var state: RememberedState { contents.withLock { $0 } }
    func set(_ state: RememberedState) { contents.withLock { $0 = state } }
}

/// One body, written by a store of its own.
private final class DirectoryStoreBody {
    private let store: DirectoryStore?
    private var file: FileID?

    init(_ path: String) { store = try? DirectoryStore(directory: path) {} }

    func write(_ text: String, as name: String) throws -> PartLocation {
        let store = try #require(store)
        let bytes = Array(text.utf8)
        let id = try #require(try store.create(FileRequest(name: name, expected: bytes.count)))
        file = id
        _ = try store.write(bytes.span, to: id)
        _ = try store.finish(id)
        return try #require(store.location(of: id))
    }

    func publish() throws -> SavedFile {
        try #require(store).publish(try #require(file), as: .final, lastModified: 1_000_000_000)
    }
}
