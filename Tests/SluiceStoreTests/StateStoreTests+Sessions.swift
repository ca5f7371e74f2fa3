import Glibc
import SluiceCore
import Testing

@testable import SluiceStore

/// Which sessions are taken over, and how what they left fits together.
extension StateStoreTests {
    /// A session that ends with some requests.
    private func leave(_ numbers: ClosedRange<Int>, in store: StateStore, _ parts: () -> [PartRecord] = { [] }) {
        _ = load(store)
        let changes = numbers.flatMap { [task($0, rank: Int64($0)), request($0)] } + parts().map { .part($0) }
        #expect(save(changes, to: store) == nil)
        store.close()
    }

    private func numbers(_ state: RememberedState) -> [Int] {
        state.requests.compactMap { $0.request.url.split(separator: "/").last.flatMap { Int($0) } }
    }

    private func kept(in table: String) throws -> Int? {
        try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
            .integer("SELECT count(*) FROM \(table)")
    }

    @Test func aQueueGoesOnAnywhereAndSaysWhereItBegan() {
        leave(1...2, in: store())
        leave(3...3, in: store(saves: false))
        let elsewhere = store(elsewhere: "/elsewhere")
        let state = load(elsewhere)
        #expect(numbers(state) == [1, 2, 3])
        #expect(elsewhere.restorableCount == 3)
        #expect(state.elsewhere == [BegunElsewhere(directory: directory.path, count: 2, isTaken: true)])
        elsewhere.close()
    }

    /// Who took them over last may have begun none of them.
    @Test func partsAreWhereTheyAreAndNotWhereTheirRequestsWereLast() throws {
        let record = part("1", key: "http://site.example/1")
        make(record)
        leave(1...3, in: store()) { [record] }
        try move(to: "/second")
        let third = store(elsewhere: "/third")
        let expected = [(directory.path, 1), ("/second", 2)].map { directory, count in
            BegunElsewhere(directory: directory, count: count, isTaken: true)
        }
        #expect(load(third).elsewhere == expected)
        third.close()
        let last = store()
        let others = [BegunElsewhere(directory: "/second", count: 2, isTaken: true)]
        #expect(load(last).elsewhere == others, "the part of one is here")
        last.close()
        #expect(unsafe unlink(PartFile.path(of: record.location)) == 0)
        let fourth = store(elsewhere: "/third")
        #expect(load(fourth).elsewhere == [BegunElsewhere(directory: "/second", count: 3, isTaken: true)])
        fourth.close()
    }

    /// What was begun in several directories goes on with the part of this one, or is told once.
    @Test func aRequestWithSeveralPartsIsOne() throws {
        let here = part("1", key: "k")
        var (there, gone) = (part("1", key: "k"), part("1", key: "k"))
        there.location.directory = directory.file("there")
        gone.location.directory = directory.file("gone")
        (there.location.born, gone.location.born) = (7, 9)
        #expect(unsafe mkdir(there.location.directory, 0o700) == 0)
        make(here)
        make(there)
        leave(1...1, in: store()) { [here, there, gone] }
        try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
            .run("UPDATE request SET key = 'k'")
        try move(to: "/second")
        func told(in directory: String?) -> [BegunElsewhere] {
            let opened = store(elsewhere: directory)
            defer { opened.close() }
            return load(opened).elsewhere
        }
        #expect(told(in: nil).isEmpty, "it goes on here")
        let latest = BegunElsewhere(directory: there.location.directory, count: 1, isTaken: true)
        #expect(told(in: "/third") == [latest], "of those that are there it was begun last")
    }

    private func make(_ record: PartRecord) {
        let file = unsafe open(PartFile.path(of: record.location), O_WRONLY | O_CREAT, 0o600)
        #expect(file >= 0)
        close(file)
    }

    private func move(to place: String) throws {
        try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
            .run("UPDATE session SET directory = ?", .text(place))
    }

    @Test func whatSavesFilesIsNotTakenOverWhereNothingIsSaved() {
        leave(1...2, in: store())
        leave(3...3, in: store(saves: false))
        let withoutFiles = store(saves: false)
        let unsaved = load(withoutFiles)
        #expect(numbers(unsaved) == [3])
        #expect(withoutFiles.restorableCount == 1)
        #expect(unsaved.elsewhere == [BegunElsewhere(directory: directory.path, count: 2, isTaken: false)])
        withoutFiles.close()

        let last = store()
        let state = load(last)
        #expect(numbers(state) == [1, 2, 3])
        #expect(state.elsewhere.isEmpty)
        last.close()
    }

    @Test func ofAnEmptySessionElsewhereNothingIsLeft() throws {
        // As a process leaves it that is killed.
        _ = load(store(elsewhere: "/elsewhere"))
        try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
            .run("UPDATE session SET lock = 'session-1-1-1.lock'")
        let second = store(saves: false)
        #expect(load(second).elsewhere.isEmpty)
        second.close()
        #expect(try kept(in: "session") == 0)
    }

    @Test func theLockOfADamagedSessionLeadsNowhere() throws {
        leave(1...2, in: store())
        directory.write("precious", to: "precious.txt")
        try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
            .run("UPDATE session SET lock = 'session-/../../precious.txt'")
        unsafe mkdir(directory.file("state/session-"), 0o700)
        let second = store()
        #expect(numbers(load(second)) == [1, 2])
        second.close()
        #expect(directory.read("precious.txt") == "precious")
    }

    @Test func whatWaitsElsewhereKeepsNoOptionsOfOthers() throws {
        leave(1...1, in: store())
        let first = store(saves: false)
        _ = load(first)
        let secret = RequestOptions(headers: [HeaderField("Authorization", "secret")])
        _ = save([task(2, rank: 0), request(2, secret)], to: first)
        _ = save([.taskEnded(TaskID(2))], to: first)
        first.close()
        #expect(try kept(in: "options") == 1)
        let second = store()
        #expect(numbers(load(second)) == [1])
        second.close()
    }

    @Test func theQueueOfAnOlderVersionGoesOnAnywhere() throws {
        let folder = directory.file("state")
        #expect(unsafe mkdir(folder, 0o700) == 0)
        let old = try Database(path: StateStore.path(in: folder), migrations: Array(StateFile.migrations.prefix(3)))
        try old.run("INSERT INTO session (lock) VALUES ('session-1-1-1.lock')")
        try old.run("INSERT INTO options VALUES (1, '')")
        try old.run("INSERT INTO task VALUES (1, 7, 2, 0, 0, NULL)")
        try old.run("INSERT INTO request VALUES (1, 7, 7, 'k', 'http://site.example/7', 1, 'paste', NULL)")
        let second = store(elsewhere: "/elsewhere")
        #expect(numbers(load(second)) == [7])
        second.close()
    }

    /// A session that ends after it took over the first of what earlier ones left, with more of its own.
    private func takeOver(_ count: Int, own: [Int] = []) {
        let store = store()
        var changes: [StateChange] = []
        for (index, old) in load(store).requests.prefix(count).enumerated() {
            let id = index + 1
            var record = RequestRecord(task: TaskID(id), receipt: ReceiptID(id), key: "k", request: old.request)
            record.restored = old.row
            changes += [task(id, rank: Int64(id)), .request(record)]
        }
        for number in own { changes += [task(number, rank: Int64(number)), request(number)] }
        #expect(save(changes, to: store) == nil)
        store.close()
    }

    @Test func whatWasTakenOverGoesBeforeTheRestOfItsSession() {
        leave(1...6, in: store())
        takeOver(3, own: [8, 9])
        let second = store()
        #expect(numbers(load(second)) == [1, 2, 3, 4, 5, 6, 8, 9])
        second.close()
        takeOver(1)
        let third = store()
        #expect(numbers(load(third)) == [1, 2, 3, 4, 5, 6, 8, 9])
        third.close()
    }

    @Test(arguments: [Bool?.none, false, true]) func aQueueThatWasSuspendedIsSoAgain(told: Bool?) {
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1), .suspended(true)], to: first) == nil)
        first.close()

        let second = store(suspension: told)
        #expect(load(second).isSuspended == (told == nil), "who is told otherwise need not be told")
        second.close()

        let third = store()
        #expect(load(third).isSuspended == (told != false))
        #expect(save([.suspended(false)], to: third) == nil)
        third.close()

        let last = store()
        #expect(!load(last).isSuspended)
        last.close()
    }
}
