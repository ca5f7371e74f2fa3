import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Whose body a file is, where several URLs have one name, one size and one date.
@Suite(.timeLimit(.minutes(5)))
struct KnownFilesTests {
    private let origin: Origin
    private let cache: TemporaryDirectory

    init() throws {
        (origin, cache) = (try Origin(), try TemporaryDirectory())
        for (place, text) in [("one", "1111"), ("two", "2222"), ("varied", "1111")] {
            origin.route("/\(place)/same.bin") { request, _ in
                var answer = OriginResponse.resource(
                    .bytes(Array(text.utf8)),
                    for: request,
                    lastModified: "Sat, 01 Nov 2025 06:00:00 GMT"
                )
                answer.headers.append(HeaderField("Cache-Control", place == "two" ? "no-store" : "max-age=100"))
                if place == "varied" { answer.headers.append(HeaderField("Vary", "X-B")) }
                return answer
            }
        }
    }

    private func ask(_ harness: PipelineHarness, _ place: String, _ options: RequestOptions = .standard) {
        let before = harness.events.taskEnds.count
        harness.submit(origin.url("/\(place)/same.bin"), options: options)
        #expect(harness.wait { $0.taskEnds.count == before + 1 })
    }

    private func text(_ harness: PipelineHarness, _ name: String) -> String? {
        harness.directory.contents(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Lets a session know a file that an earlier one saved, with the date that the origin gives.
    ///
    /// - Returns: Its path.
    @discardableResult
    private func remember(_ text: String, _ place: String, _ harness: PipelineHarness) -> String {
        let path = harness.directory.path + "/same.bin"
        #expect(FileTree.write(text, to: path))
        let date = timespec(tv_sec: 1_761_976_800, tv_nsec: 0)
        #expect(unsafe utimensat(AT_FDCWD, path, [date, date], 0) == 0)
        let saved = SavedFile(path: path, size: text.utf8.count, modified: 1_761_976_800_000_000_000)
        var state = RememberedState()
        state.files = [KnownFile(key: origin.url("/\(place)/same.bin"), directory: harness.directory.path, file: saved)]
        harness.pipeline.remember(state)
        return path
    }

    /// The server calls one body by two names that look the same, and somebody else's file has one of them.
    @Test(arguments: [["\u{144}.txt", "n\u{301}.txt"], ["n\u{301}.txt", "\u{144}.txt"]])
    func aStrangersFileIsNotReplacedForANameThatLooksTheSame(names: [String]) throws {
        origin.route("/f") { _, number in
            var answer = OriginResponse.text("body \(number)")
            let name = names[min(number, 2) - 1]
            answer.headers.append(HeaderField("Content-Disposition", "attachment; filename=\"\(name)\""))
            return answer
        }
        let harness = try PipelineHarness(saves: true, namesDirectory: true)
        harness.submit(origin.url("/f"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        #expect(FileTree.write("a stranger's", to: harness.directory.path + "/" + names[1]))
        harness.submit(origin.url("/f"))
        try harness.finish()
        #expect(text(harness, names[0]) == "body 1")
        #expect(text(harness, names[1]) == "a stranger's")
    }

    /// Whoever asks for both in one session wants both.
    @Test func anotherWayToAskForAURLGetsItsOwnFile() throws {
        let harness = try PipelineHarness(saves: true)
        ask(harness, "two")
        ask(harness, "two", RequestOptions(headers: [HeaderField("X-A", "1")]))
        try harness.finish()
        #expect(harness.directory.names == ["same.1.bin", "same.bin"])
    }

    @Test(arguments: [RequestOptions.standard, RequestOptions(policy: .reload)])
    func aFileThatGotAnothersNameIsTheOthersAlone(options: RequestOptions) throws {
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        ask(harness, "one")
        #expect(unsafe unlink(harness.directory.path + "/same.bin") == 0)
        ask(harness, "two")
        ask(harness, "one", options)
        let events = try harness.finish()
        #expect(harness.directory.names == ["same.1.bin", "same.bin"])
        #expect(text(harness, "same.bin") == "2222" && text(harness, "same.1.bin") == "1111")
        #expect(events.taskEnds.last?.file?.hasSuffix("/same.1.bin") == true)
    }

    /// Both may replace what an earlier session saved of the URL; together they are two files.
    @Test func twoThatAreOnTheirWayDoNotReplaceTheSameFile() throws {
        let harness = try PipelineHarness(saves: true, namesDirectory: true) { $0.awaitsMemory = true }
        remember("0000", "two", harness)
        origin.hold()
        harness.submit(origin.url("/two/same.bin"))
        harness.submit(origin.url("/two/same.bin"), options: RequestOptions(headers: [HeaderField("X-A", "1")]))
        #expect(origin.waitUntil { $0.held == 2 })
        origin.release()
        try harness.finish()
        #expect(harness.directory.names == ["same.1.bin", "same.bin"])
        #expect(text(harness, "same.bin") == "2222" && text(harness, "same.1.bin") == "2222")
    }

    /// After a restart, what tells it from a later one of its name is not known any more.
    @Test("what a hit leaves alone of an earlier session is not counted, what it makes is", arguments: [true, false])
    func whatAHitMakesIsCounted(isThere: Bool) throws {
        let first = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        ask(first, "one")
        try first.finish()

        let harness = try PipelineHarness(saves: true, namesDirectory: true, cache: cache.path + "/cache") {
            $0.awaitsMemory = true
        }
        let path = remember("1111", "one", harness)
        let inode = FileTree.inode(of: path)
        if !isThere { #expect(unsafe unlink(path) == 0) }
        ask(harness, "one")
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.disk] && events.taskEnds.map(\.file) == [path])
        #expect(!isThere || FileTree.inode(of: path) == inode)
        #expect(events.taskEnds.map(\.isFileUnchanged) == [isThere])
        #expect(harness.directory.names == ["same.bin"])
        let counts = events.compactMap { if case .sessionEnded(let counts) = $0.kind { counts.saved } else { nil } }
        #expect(counts == [isThere ? 0 : 1])
    }

    /// What came later under the name may be another user's, or another variant.
    @Test("a hit leaves only a newer body of the same request alone", arguments: ["one", "varied"], [true, false])
    func aHitGivesEverybodyTheirOwnBytes(place: String, isSameKey: Bool) throws {
        let options = isSameKey ? RequestOptions.standard : RequestOptions(headers: [HeaderField("X-A", "1")])
        let first = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        ask(first, place, options)
        try first.finish()

        let harness = try PipelineHarness(saves: true, namesDirectory: true, cache: cache.path + "/cache") {
            $0.awaitsMemory = true
        }
        let path = remember("newer", place, harness)
        ask(harness, place, options)
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.disk] && events.taskEnds.map(\.file) == [path])
        #expect(harness.directory.names == ["same.bin"])
        let isLeft = isSameKey && place == "one"
        #expect(text(harness, "same.bin") == (isLeft ? "newer" : "1111"))
        #expect(events.taskEnds.map(\.isFileUnchanged) == [isLeft])
    }

    @Test func aFileThatIsReplacedIsCountedOnce() throws {
        let harness = try PipelineHarness(saves: true)
        for place in ["two", "two", "one", "two"] { ask(harness, place) }
        let events = try harness.finish()
        #expect(harness.directory.names == ["same.1.bin", "same.bin"])
        let counts = events.compactMap { event in
            if case .sessionEnded(let counts) = event.kind { [counts.saved, counts.savedBytes] } else { nil }
        }
        #expect(counts == [[2, 8]])
    }

    @Test func whoOverwritesTakesTheNameOver() throws {
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache") {
            $0.settings.onExists = .overwrite
        }
        for place in ["one", "two", "one"] { ask(harness, place) }
        try harness.finish()
        #expect(harness.directory.names == ["same.bin"] && text(harness, "same.bin") == "1111")
    }

    @Test func aPartThatTheUserAskedForOverwritesNothing() throws {
        let harness = try PipelineHarness(saves: true) { $0.settings.onExists = .overwrite }
        ask(harness, "two")
        ask(harness, "two", RequestOptions(headers: [HeaderField("Range", "bytes=0-1")]))
        try harness.finish()
        #expect(text(harness, "same.bin") == "2222" && text(harness, "same.1.bin") == "22")
    }

    @Test func theHistoryHearsOfIt() throws {
        let keeper = Keeper()
        let directory = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true) {
            ($0.settings.onExists, $0.state, $0.directory) = (.overwrite, keeper, directory.path)
        }
        for place in ["one", "two"] { ask(harness, place) }
        try harness.finish()
        #expect(keeper.known == [origin.url("/two/same.bin")])
    }
}

/// Keeps in memory which keys have a file.
private final class Keeper: StateKeeping {
    private let keys = Locked<[String]>([])

    var known: [String] { keys.withLock { $0 } }

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        keys.withLock { keys in
            for change in changes {
                switch change {
                case .file(let known): keys.append(known.key)
                case .noFile(let known): keys.removeAll { $0 == known.key }
                default: break
                }
            }
        }
        saved(nil)
    }
}
