import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// Another program has the state file locked, or something else keeps it from being used for now.
extension StateStoreTests {
    /// A program that has the file locked, until its end.
    private func lock() throws -> Database {
        let database = try Database(
            path: StateStore.path(in: directory.file("state")),
            migrations: StateFile.migrations
        )
        try database.run("BEGIN IMMEDIATE")
        return database
    }

    @Test(arguments: [false, true]) func whatCanNotBeWrittenNowIsWrittenLater(atTheEnd: Bool) throws {
        let first = store(patience: .zero)
        _ = load(first)
        let options = RequestOptions(headers: [HeaderField("X-One", "1")])
        #expect(save([task(1, rank: 0), request(1, options)], to: first) == nil)
        var other: Database? = try lock()
        let problem = try #require(save([task(2, rank: 1), request(2), task(3, rank: 2), request(3)], to: first))
        #expect(problem.mayPass && problem.message.contains("another program keeps it locked"))
        #expect(save([.taskEnded(TaskID(1)), .taskEnded(TaskID(2))], to: first)?.mayPass == true)
        _ = other.take()
        if !atTheEnd { #expect(save([task(4, rank: 3), request(4)], to: first) == nil) }
        first.close()
        let second = store()
        let restored = load(second).requests
        #expect(restored.map { $0.request.url.last } == (atTheEnd ? ["3"] : ["3", "4"]))
        #expect(restored.allSatisfy { $0.request.options.headers.isEmpty })
        second.close()
    }

    @Test func whatWaitsForTheFileIsBounded() throws {
        let first = store(patience: .zero)
        _ = load(first)
        let other = try lock()
        let changes = Array(repeating: StateChange.notFailed("k"), count: StateWriter.mostUnsaved)
        #expect(save(changes, to: first)?.mayPass == true)
        #expect(save([.notFailed("k")], to: first)?.mayPass == false)
        try other.run("ROLLBACK")
        #expect(save([task(1, rank: 0), request(1)], to: first)?.mayPass == false, "a gap would be worse than an end")
        first.close()
        #expect(load(store()).requests.isEmpty)
    }

    /// To read takes no lock, and what was read is not lost because something can't be tidied up.
    @Test(arguments: [false, true]) func partsAreReadWhoeverHasTheFileLocked(keepsQueue: Bool) throws {
        let (here, gone) = (part("here", key: "a"), part("gone", key: "b"))
        directory.write("bytes", to: "here.part")
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1), .part(here), .part(gone)], to: first) == nil)
        first.close()
        var other: Database? = try lock()

        let second = store(keepsQueue: keepsQueue, patience: .zero)
        let state = load(second)
        #expect(state.parts == [here])
        #expect(state.requests.isEmpty, "they can't be taken over now")
        #expect(state.problem?.mayPass == (keepsQueue ? true : nil))
        #expect(second.restorableCount == 0)
        _ = other.take()
        second.close()

        let third = store()
        #expect(load(third).requests.count == 1, "they stay for a later start")
        third.close()
    }

    @Test func aQueueIsKeptOnceTheFileIsNotLockedAnyMore() throws {
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1)], to: first) == nil)
        first.close()
        var other: Database? = try lock()

        let second = store(patience: .zero)
        _ = load(second)
        #expect(save([task(2, rank: 0), request(2)], to: second)?.mayPass == true)
        _ = other.take()
        #expect(save([task(3, rank: 1), request(3)], to: second) == nil)
        second.close()

        let third = store()
        #expect(load(third).requests.map { $0.request.url.last } == ["1", "2", "3"])
        third.close()
    }

    /// A folder that can't be used yet, as on a disk that is full or not there.
    @Test func whatCanNotBeOpenedYetIsOpenedLater() throws {
        directory.write("a file", to: "state")
        let first = store()
        #expect(load(first).problem?.mayPass == true)
        #expect(save([task(1, rank: 0), request(1)], to: first)?.mayPass == true)
        FileTree.remove(directory.file("state"))
        #expect(save([task(2, rank: 1), request(2)], to: first) == nil)
        first.close()
        let second = store()
        #expect(load(second).requests.map { $0.request.url.last } == ["1", "2"])
        second.close()
    }

    /// The order of known files goes on, though none was read.
    @Test func filesThatAreSavedAfterALateOpeningAreTheNewest() throws {
        func known(_ key: String) -> StateChange {
            let file = SavedFile(path: directory.file(key), size: 1, modified: 0)
            return .file(KnownFile(key: key, directory: directory.path, file: file))
        }
        let first = store(keepsQueue: false)
        #expect(save([known("a"), known("b")], to: first) == nil)
        first.close()
        #expect(move("state", to: "away"))
        directory.write("a file", to: "state")
        let second = store(keepsQueue: false)
        #expect(load(second).problem?.mayPass == true)
        FileTree.remove(directory.file("state"))
        #expect(move("away", to: "state"))
        #expect(save([known("c")], to: second) == nil)
        second.close()
        #expect(load(store(keepsQueue: false)).files.map(\.key) == ["a", "b", "c"])
    }

    private func move(_ name: String, to other: String) -> Bool {
        unsafe rename(directory.file(name), directory.file(other)) == 0
    }
}
