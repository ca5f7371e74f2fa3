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
        #expect(problem?.message.hasSuffix("was renamed or replaced while it was in use") == true)
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
