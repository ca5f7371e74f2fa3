import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// The state file was deleted or renamed while a session used it.
extension StateStoreTests {
    private func leave(_ place: String) {
        let state = directory.file("state")
        switch place {
        case "folder": FileTree.remove(state)
        default: for suffix in ["", "-wal", "-shm"] { unsafe unlink(StateStore.path(in: state) + suffix) }
        }
    }

    @Test(arguments: ["folder", "files"]) func whatIsDeletedInUseIsWrittenAnew(place: String) throws {
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1)], to: first) == nil)
        leave(place)
        let options = RequestOptions(saves: false)
        #expect(save([task(2, rank: 1), request(2), task(3, rank: 2), request(3, options)], to: first) == nil)

        // It lives, and nobody takes its queue over.
        let beside = store()
        #expect(load(beside).requests.isEmpty)
        beside.close()

        #expect(save([.taskEnded(TaskID(1))], to: first) == nil)
        leave(place)
        first.close()
        let next = load(store())
        #expect(
            next.problem == nil
                && next.requests.map(\.request.url) == ["http://site.example/2", "http://site.example/3"]
        )
    }

    /// Whatever is deleted, those that live go on, and nobody takes a queue over whose session lives.
    @Test(arguments: ["folder", "files"]) func sessionsBesideEachOtherGoOnOrSayThatTheyDoNot(place: String) throws {
        let (first, second) = (store(), store())
        for (number, store) in [(1, first), (2, second)] {
            _ = load(store)
            #expect(save([task(number, rank: 0), request(number)], to: store) == nil)
        }
        leave(place)
        #expect(save([task(3, rank: 1), request(3)], to: first) == nil)
        let beside = store()
        #expect(load(beside).requests.isEmpty)
        beside.close()
        // Its lock is gone with the folder: nobody else can know that it lives, and its rows are not copied.
        let problem = save([task(4, rank: 1), request(4)], to: second)
        #expect(
            problem?.message.hasSuffix("was replaced while it was in use: restart Sluice") ?? false
                == (place == "folder")
        )
        first.close()
        second.close()
        let next = load(store()).requests.map(\.request.url)
        let kept = place == "folder" ? [1, 3] : [1, 3, 2, 4]
        #expect(Set(next) == Set(kept.map { "http://site.example/\($0)" }) && next.count == kept.count)
    }

    /// What keeps no queue has nothing of its own in a file that somebody deleted.
    @Test func whatKeepsNoQueueBringsNothingBack() throws {
        let first = store(keepsQueue: false)
        _ = load(first)
        #expect(save([.part(part("old", key: "a"))], to: first) == nil)
        leave("folder")
        first.close()
        #expect(unsafe access(directory.file("state"), F_OK) != 0, "there was nothing to write any more")

        directory.write("bytes", to: "new.part")
        let second = store(keepsQueue: false)
        _ = load(second)
        #expect(save([.part(part("old", key: "a"))], to: second) == nil)
        leave("folder")
        #expect(save([.part(part("new", key: "b"))], to: second) == nil)
        second.close()
        #expect(try openFile().integer("SELECT count(*) FROM part") == 1)
    }

    /// As on a full disk: each attempt leaves nothing behind.
    @Test func whatCanNotBeRestoredLeavesNothing() throws {
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1)], to: first) == nil)
        let path = StateStore.path(in: directory.file("state"))
        #expect(unsafe rename(path, path + ".old") == 0)
        for number in 2...3 { #expect(save([task(number, rank: 1), request(number)], to: first)?.mayPass == false) }
        let names = FileTree.names(in: directory.file("state"))
        #expect(names.count { $0.hasSuffix(".lock") } == 1 && !names.contains { $0.hasSuffix(".new") })
        first.close()
    }

    /// What another process began there is not touched, and nothing is said to be kept.
    @Test func whatAnotherFileTookTheNameOfIsNotKept() throws {
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1)], to: first) == nil)
        leave("files")
        let other = store()
        _ = load(other)
        #expect(save([task(7, rank: 0), request(7)], to: other) == nil)
        let problem = save([task(2, rank: 1), request(2)], to: first)
        #expect(problem?.mayPass == false)
        #expect(problem?.message.hasSuffix("was replaced while it was in use: restart Sluice") == true)
        first.close()
        other.close()
        #expect(load(store()).requests.map(\.request.url) == ["http://site.example/7"])
    }

    /// Its log, which is left behind, would be taken for that of a new file.
    @Test func aRenamedFileIsAProblem() throws {
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1)], to: first) == nil)
        let path = StateStore.path(in: directory.file("state"))
        #expect(unsafe rename(path, path + ".old") == 0)
        let problem = save([task(2, rank: 1), request(2)], to: first)
        #expect(problem?.mayPass == false)
        first.close()
        #expect(unsafe access(path, F_OK) != 0)
    }
}
