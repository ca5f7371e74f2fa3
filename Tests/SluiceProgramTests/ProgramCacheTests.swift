import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// The HTTP cache of the whole program: across runs, looked at, cleared, and killed.
@Suite(.timeLimit(.minutes(5)))
struct ProgramCacheTests {
    private let origin: Origin

    init() throws { origin = try Origin() }

    private static func fresh(_ text: String) -> OriginResponse {
        var answer = OriginResponse.text(text)
        answer.headers.append(HeaderField("Cache-Control", "max-age=100"))
        return answer
    }

    /// What `sluice cache` prints, on standard output.
    private func cache(_ arguments: String..., in scratch: Scratch) throws -> String {
        let child = try ChildProcess(
            Program.path,
            arguments: ["cache"] + arguments,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        let end = child.finish()
        #expect(end.exit == .exited(0), "\(end.errorText)")
        return end.outputText
    }

    private func bodies(_ scratch: Scratch) -> [String] {
        FileTree.names(in: scratch.home + "/.cache/sluice/bodies")
    }

    @Test func theSecondRunAnswersFromDisk() throws {
        origin.route("/a.txt", Self.fresh("fresh"))
        let scratch = try Scratch()
        #expect(try GetRun.run([origin.url("/a.txt")], in: scratch).result.exit == .exited(0))
        let (run, result) = try GetRun.run(["--dir", "second", origin.url("/a.txt")], in: scratch)
        #expect(result.events.submissions == ["cached"])
        #expect(result.events.named("httpcache.hit").count == 1)
        #expect(result.events.named("task.finished").map { $0["source"]?.string } == ["disk"])
        #expect(run.contents(of: "second/a.txt") == Array("fresh".utf8))
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test("what is stored and saved is one file with two names, so that the next run writes nothing")
    func theSecondRunWritesNothingWhereTheFileIs() throws {
        origin.route("/a.bin") { _, _ in
            var answer = OriginResponse(body: .bytes(pattern(600_000)))
            answer.headers.append(HeaderField("Cache-Control", "max-age=100"))
            return answer
        }
        let scratch = try Scratch()
        #expect(try GetRun.run([origin.url("/a.bin")], in: scratch).result.exit == .exited(0))
        let before = try #require(FolderTime(scratch.downloads))
        for _ in 1...2 {
            let (run, result) = try GetRun.run([origin.url("/a.bin")], in: scratch)
            let ends = result.events.named("task.finished")
            #expect(ends.map { $0["source"]?.string } == ["disk"])
            #expect(ends.map { $0["file"]?.string } == [scratch.downloads + "/a.bin"])
            #expect(run.contents(of: "a.bin") == pattern(600_000))
            #expect(FolderTime(scratch.downloads) == before, "no part came and went")
        }
        #expect(origin.log.hits("/a.bin") == 1)
    }

    /// When something last came into a folder, or went.
    private struct FolderTime: Equatable {
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { return nil }
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// Its own answers stand, whatever the origin says behind them, and whether it is asked once more.
    @Test func whatTheCacheAsksBehindAnswersFailsNobody() throws {
        origin.route("/a.txt") { _, number in
            guard number == 1 else { return OriginResponse(404) }
            var answer = OriginResponse.text("stale")
            answer.headers.append(HeaderField("Cache-Control", "max-age=0, stale-while-revalidate=1000"))
            return answer
        }
        let run = try GetRun(["-i", "-", "--no-save"], events: .output)
        for number in 1...3 {
            run.child.write(origin.url("/a.txt\n"))
            let isOver = try run.wait { events in
                events.named("receipt.finished").count >= number
                    && (number != 2 || events.named("task.finished").contains { $0["outcome"]?.string == "failed" })
            }
            try #require(isOver)
        }
        let result = try run.finish()
        #expect(result.exit == .exited(0) && !result.errors.contains("failed"), "\(result.errors)")
        let origins = result.events.named("request.submitted").map { $0["origin"]?.string }
        #expect(origins.filter { $0 == "revalidation" }.count == 2, "the second of which was refused")
        #expect(origin.log.hits("/a.txt") == 2)
    }

    @Test func fewOpenFilesAreEnoughForManyAnswers() throws {
        origin.setFallback { _, _ in Self.fresh(String(repeating: "fresh", count: 20_000)) }
        let scratch = try Scratch()
        let urls = (0..<150).map { origin.url("/\($0).txt") }
        scratch.write(urls.joined(separator: "\n"), to: "home/urls.txt")
        let list = scratch.path("home/urls.txt")
        #expect(try GetRun.run(["-i", list], in: scratch).result.exit == .exited(0))
        let words = ["get", "-i", list, "--dir", "second", "--http-memory", "1"]
        let child = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", "ulimit -n 100; exec \"$@\"", "sh", Program.path] + words,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        let end = child.finish()
        #expect(end.exit == .exited(0), "\(end.errorText)")
        #expect(FileTree.names(in: scratch.downloads + "/second").count == 150)
        #expect(origin.log.requests.count == 150 && bodies(scratch).count == 150)
    }

    @Test func oneBodyOnStandardOutputIsStoredToo() throws {
        origin.route("/a.txt", Self.fresh("fresh"))
        let scratch = try Scratch()
        for _ in 0..<2 {
            let (_, result) = try GetRun.run(["--output", "-", origin.url("/a.txt")], in: scratch)
            #expect(result.output == Array("fresh".utf8))
        }
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test(arguments: ["max-age=99", "max-age=0"]) func aHitAndA304LeaveTheFileAlone(age: String) throws {
        origin.route("/a.txt") { request, _ in
            var answer = OriginResponse.resource(.bytes(Array("body".utf8)), for: request, etag: "\"1\"")
            answer.headers.append(HeaderField("Cache-Control", age))
            return answer
        }
        let scratch = try Scratch()
        _ = try GetRun.run([origin.url("/a.txt")], in: scratch)
        let before = try #require(FileTree.inode(of: scratch.downloads + "/a.txt"))
        let (_, result) = try GetRun.run([origin.url("/a.txt")], in: scratch)
        #expect(result.exit == .exited(0))
        #expect(result.files == ["a.txt"])
        #expect(FileTree.inode(of: scratch.downloads + "/a.txt") == before)
        #expect(result.events.named("receipt.finished").first?["file"]?.string == scratch.downloads + "/a.txt")
    }

    @Test func theCacheCanBeLookedAtAndCleared() throws {
        origin.route("/a.txt", Self.fresh("fresh"))
        let scratch = try Scratch()
        #expect(try cache("info", in: scratch).contains("responses  0"))
        #expect(try cache("clear", in: scratch) == "removed 0 responses, 0 B\n")
        _ = try GetRun.run([origin.url("/a.txt")], in: scratch)
        #expect(try cache("info", in: scratch).contains("responses  1\nusage      5 B (5 bytes)"))
        let line = try cache("list", in: scratch)
        #expect(line.contains("fresh for ") && line.contains(origin.url("/a.txt")))
        #expect(try cache("clear", in: scratch) == "removed 1 response, 5 B\n")
        #expect(try cache("list", in: scratch) == "" && bodies(scratch) == [])
        _ = try GetRun.run(["--dir", "second", origin.url("/a.txt")], in: scratch)
        #expect(origin.log.hits("/a.txt") == 2)
    }

    /// Root may enter every folder, but nobody a file.
    @Test(arguments: ["info", "list", "clear"]) func aCacheThatCanNotBeReachedIsNotCalledEmpty(word: String) throws {
        let scratch = try Scratch()
        let file = scratch.write("no folder", to: "home/file")
        let child = try ChildProcess(
            Program.path,
            arguments: ["cache", word, "--cache-dir", file],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        let end = child.finish()
        #expect(end.exit == .exited(2) && end.outputText.isEmpty, "\(end.outputText)")
        #expect(end.errorText.contains("can't look into the HTTP cache \(file): Not a directory"), "\(end.errorText)")
        #expect(end.errorText.contains("--cache-dir DIR"), "\(end.errorText)")
    }

    @Test(arguments: ["--ephemeral", "--no-http-cache"]) func nothingIsStoredIfThatIsWanted(option: String) throws {
        origin.route("/a.txt", Self.fresh("fresh"))
        let scratch = try Scratch()
        for _ in 0..<2 { _ = try GetRun.run([option, origin.url("/a.txt")], in: scratch) }
        #expect(origin.log.hits("/a.txt") == 2)
        #expect(!FileTree.names(in: scratch.home).contains(".cache"))
    }

    @Test func aDirectoryThatCanNotBeACacheIsAnError() throws {
        let (_, result) = try GetRun.run(["--cache-dir", "/dev/null/x", origin.url("/a")], events: .nowhere)
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains("--cache-dir /dev/null/x"))
        #expect(origin.log.requests.isEmpty)
    }

    @Test func aUsualPlaceThatCanNotBeACacheIsAWarning() throws {
        origin.route("/a.txt", Self.fresh("fresh"))
        let scratch = try Scratch()
        scratch.write("no folder", to: "home/.cache")
        let (_, result) = try GetRun.run([origin.url("/a.txt")], in: scratch)
        #expect(result.exit == .exited(0))
        #expect(result.events.named("warning").map { $0["code"]?.string } == ["httpCache"])
    }

    @Test func anOriginThatFailsBehindAnAnswerFailsNoRequest() throws {
        origin.route("/a.txt") { _, number in number == 1 ? Self.fresh("first") : OriginResponse(404) }
        let scratch = try Scratch()
        _ = try GetRun.run([origin.url("/a.txt")], in: scratch)
        let options = ["--policy", "refresh", "--dir", "second"]
        let (run, result) = try GetRun.run(options + [origin.url("/a.txt")], in: scratch)
        #expect(result.exit == .exited(0) && !result.errors.contains("failed"))
        #expect(run.contents(of: "second/a.txt") == Array("first".utf8))
        #expect(result.events.named("warning").map { $0["code"]?.string } == ["refresh"])
        #expect(origin.log.hits("/a.txt") == 2)
    }

    @Test func aPostMakesWhatIsStoredWorthless() throws {
        origin.route("/a") { request, _ in Self.fresh(request.method) }
        origin.route("/b", Self.fresh("b"))
        let scratch = try Scratch()
        _ = try GetRun.run(["--no-save", origin.url("/a"), origin.url("/b")], in: scratch)
        let (_, post) = try GetRun.run(["--no-save", "--data", "x", origin.url("/a")], in: scratch)
        #expect(post.events.named("httpcache.evicted").map { $0["key"]?.string } == [origin.url("/a")])
        let (_, result) = try GetRun.run(["--no-save", origin.url("/a"), origin.url("/b")], in: scratch)
        #expect(result.events.submissions == ["started", "cached"])
    }

    @Test func aPostThatFailsLeavesWhatIsStored() throws {
        origin.route("/a") { request, _ in request.method == "POST" ? OriginResponse(500) : Self.fresh("a") }
        let scratch = try Scratch()
        _ = try GetRun.run(["--no-save", origin.url("/a")], in: scratch)
        _ = try GetRun.run(["--no-save", "--data", "x", origin.url("/a")], in: scratch)
        let (_, result) = try GetRun.run(["--no-save", origin.url("/a")], in: scratch)
        #expect(result.events.submissions == ["cached"])
    }

    /// Who waited may count on what there is, whatever becomes of the process.
    @Test(arguments: 0..<5) func whatWasWaitedForOutlivesAKill(round: Int) throws {
        origin.setFallback { request, _ in Self.fresh(request.path) }
        let scratch = try Scratch()
        let urls = (0..<10).map { origin.url("/\(round)-\($0).txt") }
        let run = try GetRun(["--socket", scratch.home + "/s"], in: scratch)
        let peer = try ControlPeer(scratch.home + "/s")
        let list = urls.map { "\"\($0)\"" }.joined(separator: ",")
        try peer.call("submit", #"{"urls":[\#(list)]}"#, as: "submit[]")
        try peer.call("wait")
        run.child.send(signal: SIGKILL)
        _ = run.child.waitForExit()
        let (_, result) = try GetRun.run(["--policy", "cacheOnly"] + urls, in: scratch)
        #expect(result.events.submissions == Array(repeating: "cached", count: 10))
        let (_, again) = try GetRun.run(["--policy", "reload"] + urls, in: scratch)
        #expect(again.exit == .exited(0))
        #expect(FileTree.names(in: scratch.downloads).sorted() == (0..<10).map { "\(round)-\($0).txt" })
    }

    @Test(arguments: 0..<5) func aKilledSessionLeavesFiguresThatAgreeWithTheDisk(round: Int) throws {
        origin.setFallback { request, _ in Self.fresh(request.path) }
        let scratch = try Scratch()
        let urls = (0..<400).map { origin.url("/\(round)-\($0)") }
        let options = ["--no-save", "--http-capacity", "2000"]
        let run = try GetRun(options + urls, in: scratch)
        #expect(try run.wait { $0.named("task.finished").count >= 60 * round })
        run.child.send(signal: SIGKILL)
        _ = run.child.waitForExit()

        _ = try GetRun.run(options + [origin.url("/after")], in: scratch)
        let folder = scratch.home + "/.cache/sluice/bodies/"
        let names = bodies(scratch)
        let bytes = names.reduce(0) { $0 + (FileTree.contents(of: folder + $1)?.count ?? 0) }
        let info = try cache("info", in: scratch)
        #expect(info.contains("responses  \(names.count)\n") && info.contains("(\(bytes) bytes)"))
        #expect(bytes <= 2000)
    }
}
