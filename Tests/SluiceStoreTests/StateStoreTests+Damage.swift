import Glibc
import SluiceCore
import Testing

@testable import SluiceStore

/// The state file was changed on the disk: its numbers, which SQLite does not notice, or pages, which it notices late.
extension StateStoreTests {
    func openFile() throws -> Database {
        try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
    }

    @Test(
        arguments: [
            "place = 9223372036854775807", "place = -1", "place = 1000000", "total = -9223372036854775808",
            "total = 9223372036854775807",
        ]
    )
    func aPartWithADamagedNumberIsForgotten(damage: String) throws {
        directory.write("bytes", to: "here.part")
        // Was about to become a file, which is looked for under the names behind its own.
        var whole = part("whole", key: "b")
        whole.isWhole = true
        let first = store(keepsQueue: false)
        #expect(save([.part(part("here", key: "a")), .part(whole)], to: first) == nil)
        first.close()
        try openFile().run("UPDATE part SET \(damage)")
        #expect(load(store(keepsQueue: false)).parts.isEmpty)
        #expect(try openFile().integer("SELECT count(*) FROM part") == 0)
    }

    @Test func aKnownFileOfADamagedPlaceIsTheOldest() throws {
        func known(_ key: String) -> KnownFile {
            let file = SavedFile(path: directory.file(key), size: 1, modified: 0)
            return KnownFile(key: key, directory: directory.path, file: file)
        }
        let first = store(keepsQueue: false)
        #expect(save(["a", "b"].map { .file(known($0)) }, to: first) == nil)
        first.close()
        try openFile().run("UPDATE file SET place = 9223372036854775807 WHERE key = 'b'")
        let second = store(keepsQueue: false)
        #expect(load(second).files.map(\.key) == ["b", "a"])
        #expect(save([.file(known("c"))], to: second) == nil)
        second.close()
        #expect(load(store(keepsQueue: false)).files.map(\.key) == ["b", "a", "c"])
    }

    @Test func aKnownFileOfASizeThatCanNotBeIsNone() throws {
        let file = SavedFile(path: directory.file("a"), size: 1, modified: 0)
        let first = store(keepsQueue: false)
        #expect(save([.file(KnownFile(key: "a", directory: directory.path, file: file))], to: first) == nil)
        first.close()
        try openFile().run("UPDATE file SET size = -9223372036854775808")
        #expect(load(store(keepsQueue: false)).files.isEmpty)
    }

    private func damagePage(of name: String) throws {
        let database = try openFile()
        try database.damagePage(try database.page(of: name))
    }

    @Test(arguments: ["session", "request", "task", "partDirectory", "file", "failed"])
    func aFileWithADamagedPageIsPutAside(name: String) throws {
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1)], to: first) == nil)
        first.close()
        try damagePage(of: name)

        let second = store()
        let state = load(second)
        #expect(state.problem?.message.contains("was damaged, and is kept as") == true)
        #expect(state.problem?.mayPass == false)
        #expect(state.requests.isEmpty)
        #expect(save([task(2, rank: 0), request(2)], to: second) == nil, "the new file is used at once")
        second.close()

        let third = store()
        let next = load(third)
        #expect(next.problem == nil)
        #expect(next.requests.map { $0.request.url.last } == ["2"])
        third.close()
    }

    /// A read of nothing comes to few pages: most damage shows when something is written.
    @Test(arguments: 2...13) func aFileOfWhichAPageIsDamagedIsPutAsideByTheNextStart(page: Int) throws {
        let first = store()
        _ = load(first)
        first.close()
        try openFile().damagePage(page)

        let second = store()
        _ = load(second)
        _ = save(everything(1), to: second)
        second.close()

        let third = store()
        _ = load(third)
        #expect(save(everything(2), to: third) == nil)
        third.close()
        let fourth = store()
        let state = load(fourth)
        #expect(state.problem == nil)
        #expect(state.requests.contains { $0.request.url.hasSuffix("/2") })
        fourth.close()
        #expect(directory.readBytes("state/state.sqlite.damaged") != nil)
        #expect(directory.readBytes("state/state.sqlite.suspect") == nil)
    }

    /// Changes that come to each table.
    private func everything(_ number: Int) -> [StateChange] {
        directory.write("bytes", to: "here.part")
        let file = SavedFile(path: directory.file("\(number)"), size: 1, modified: 0)
        let options = RequestOptions(headers: [HeaderField("X-Number", "\(number)")])
        var waiting = TaskRecord(task: TaskID(number), band: TaskRecord.activeBand, rank: TaskRecord.waitingRank)
        waiting.waitsUntil = 5
        return [
            .task(waiting), request(number, options), .rate(TaskID(number), 1000), .part(part("here", key: "k")),
            .file(KnownFile(key: "k", directory: directory.path, file: file)), .notFailed("k"),
            .failed(
                FailedRecord(key: "k", url: "u", error: DownloadError(.badStatus, "404"), until: Int(time(nil)) + 100)
            ),
        ]
    }

    /// What was wanted at an absolute path is the same file wherever the next session begins.
    @Test func aPartAtAnAbsolutePathIsKnownInEveryDirectory() throws {
        directory.write("bytes", to: "here.part")
        var record = part("here", key: "k")
        record.destination = directory.path + "/here"
        let first = store(keepsQueue: false)
        #expect(save([.part(record)], to: first) == nil)
        first.close()
        for elsewhere in [false, true] {
            if elsewhere { try openFile().run("UPDATE part SET directory = directory || '/.'") }
            let parts = load(store(keepsQueue: false)).parts
            #expect(parts.map(\.key) == ["k"] && parts.map(\.destination) == [record.destination], "\(elsewhere)")
        }
    }
}
