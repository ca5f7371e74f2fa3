import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// What later sessions know of the answers to requests that merge with no other, as a POST.
@Suite(.timeLimit(.minutes(5)))
struct RequestedOnceTests {
    private let origin: Origin
    private let keeper = ChangeKeeper()

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("a") }
    }

    private let post = RequestOptions(method: "POST", body: Array("x".utf8))

    private func isOnce(_ key: String) -> Bool { MergeKey.Text(key).urlOfOnce == origin.url("/w.txt") }

    /// Whatever ends the process before the file is known, no other request may take its place then.
    @Test func itsFileIsAnnouncedAsOneThatStays() throws {
        let harness = try PipelineHarness(saves: true, namesDirectory: true) {
            ($0.state, $0.keepsQueue) = (keeper, true)
        }
        harness.submit(origin.url("/w.txt"), options: post)
        try harness.finish()
        let keys = keeper.changes.compactMap { change in
            switch change {
            case .part(let record) where record.isWhole: record.key
            case .request(let record): record.key
            case .file(let file): file.key
            default: nil
            }
        }
        #expect(keys.count == 3 && Set(keys).count == 1 && keys.allSatisfy(isOnce))
    }

    /// The first such request of each session has the same key.
    @Test func itsFileStaysKnownWhenTheNextSessionSavesItAgain() throws {
        for session in 1...2 {
            let harness = try PipelineHarness(saves: true, namesDirectory: true) {
                ($0.state, $0.awaitsMemory, $0.settings.onExists) = (keeper, true, .overwrite)
            }
            let path = harness.directory.path + "/w.txt"
            var state = RememberedState()
            if session == 2 {
                #expect(FileTree.write("b", to: path))
                let file = try #require(keeper.known)
                state.files = [
                    KnownFile(
                        key: file.key,
                        directory: harness.directory.path,
                        file: SavedFile(path: path, size: 1, modified: 1)
                    )
                ]
            }
            harness.pipeline.remember(state)
            harness.submit(origin.url("/w.txt"), options: post)
            #expect(try harness.finish().taskEnds.map(\.file) == [path])
        }
        let files = keeper.changes.compactMap { change in
            switch change {
            case .file: "known"
            case .noFile: "gone"
            default: nil
            }
        }
        #expect(files == ["known", "known"])
    }
}

/// Notes what is to be remembered.
private final class ChangeKeeper: StateKeeping {
    private let noted = Locked<[StateChange]>([])

    var changes: [StateChange] { noted.withLock { $0 } }

    var known: KnownFile? {
        changes.lazy.compactMap { if case .file(let file) = $0 { file } else { nil } }.first
    }

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        noted.withLock { $0 += changes }
        saved(nil)
    }
}
