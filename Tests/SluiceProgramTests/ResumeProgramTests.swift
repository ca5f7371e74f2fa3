import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// What one process leaves and the next one goes on from.
@Suite(.timeLimit(.minutes(15)))
struct ResumeProgramTests {
    private static let size = 900_000
    private let origin: Origin
    private let ledger = Ledger()

    init() throws { origin = try Origin() }

    /// Serves a file that stalls in its first answer.
    private func serveStalling(after count: Int = 500_000, etag: String? = "\"v1\"") {
        origin.route(
            "/data.bin",
            ledger.script { request, number in
                var answer = OriginResponse.resource(.pattern(count: Self.size), for: request, etag: etag)
                if number == 1 { answer.fault = .stall(after: count) }
                return answer
            }
        )
    }

    private var ranges: [String?] { ledger.requests.map { $0.header("range") } }

    private func reached(_ count: Int) -> ([JSONValue]) -> Bool {
        { $0.named("task.progress").contains { $0["received"]?.int == count } }
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func theSameCommandResumesWhatASignalStopped(signal: Int32) throws {
        serveStalling()
        let scratch = try Scratch()
        let first = try GetRun([origin.url("/data.bin")], in: scratch)
        #expect(try first.wait(until: reached(500_000)))
        #expect(first.waitForState(of: scratch))
        first.child.send(signal: signal)
        let stopped = try first.finish(closesInput: false, isWhole: signal == SIGINT)
        #expect(stopped.exit == (signal == SIGINT ? .exited(7) : .signalled(SIGKILL)))
        #expect(stopped.files == ["data.bin.part"])
        // A killed process could not write the block that it was collecting, unless it ran for a second before.
        let kept = try #require(first.contents(of: "data.bin.part")).count
        #expect((signal == SIGINT ? [500_000] : [262_144, 500_000]).contains(kept))
        let (second, result) = try GetRun.run([origin.url("/data.bin")], in: scratch)
        #expect(result.exit == .exited(0))
        #expect(result.files == ["data.bin"])
        #expect(second.contents(of: "data.bin") == pattern(Self.size))
        #expect(ranges.last == "bytes=\(kept)-")
    }

    @Test func aPartWithoutAValidatorStartsOver() throws {
        serveStalling(etag: nil)
        let scratch = try Scratch()
        let first = try GetRun([origin.url("/data.bin")], in: scratch)
        #expect(try first.wait(until: reached(500_000)))
        first.child.send(signal: SIGTERM)
        #expect(try first.finish(closesInput: false).exit == .exited(7))
        let (second, result) = try GetRun.run([origin.url("/data.bin")], in: scratch)
        #expect(result.files == ["data.bin"])
        #expect(ranges == [nil, nil])
        #expect(second.contents(of: "data.bin") == pattern(Self.size))
    }

    /// Nothing newer came.
    @Test func aContinuedBodyLeavesWhatIsStoredOfItsVersion() throws {
        origin.route("/data.bin") { request, number in
            var answer = OriginResponse.resource(.pattern(count: Self.size), for: request, etag: "\"v1\"")
            // Without a type, the rest describes no whole that could be stored.
            answer.headers.removeAll { $0.isNamed("content-type") }
            answer.headers.append(HeaderField("Cache-Control", "no-cache"))
            if number == 1 { answer.fault = .close(after: 500_000) }
            return answer
        }
        let scratch = try Scratch()
        let url = origin.url("/data.bin")
        #expect(try GetRun.run(["--retries", "0", url], in: scratch).result.exit == .exited(1))
        #expect(try GetRun.run(["--no-save", url], in: scratch).result.exit == .exited(0))
        let (run, result) = try GetRun.run([url], in: scratch)
        #expect(result.exit == .exited(0) && run.contents(of: "data.bin") == pattern(Self.size))
        #expect(result.events.named("task.response").map { $0["status"]?.int } == [206])
        #expect(result.events.named("httpcache.skipped").count == 1)
        #expect(result.events.named("httpcache.evicted").isEmpty)
    }

    @Test func aNewBodyReplacesTheFileThatIsKnownAcrossRuns() throws {
        origin.route("/a.txt") { _, number in .text("version \(number)") }
        let scratch = try Scratch()
        for number in 1...3 {
            let (run, result) = try GetRun.run([origin.url("/a.txt"), "--policy", "reload"], in: scratch)
            #expect(result.files == ["a.txt"])
            #expect(run.contents(of: "a.txt") == Array("version \(number)".utf8))
        }
    }

    @Test func aKnownFileThatSomebodyChangedIsNeverTouched() throws {
        origin.route("/a.txt", .text("ours"))
        let scratch = try Scratch()
        _ = try GetRun.run([origin.url("/a.txt")], in: scratch)
        scratch.write("theirs", to: "files/a.txt")
        let (run, result) = try GetRun.run([origin.url("/a.txt"), "--policy", "reload"], in: scratch)
        #expect(result.files == ["a.1.txt", "a.txt"])
        #expect(run.contents(of: "a.txt") == Array("theirs".utf8))
    }

    @Test func ephemeralWritesNothingButTheFile() throws {
        origin.route("/a.txt", .text("once"))
        let (run, result) = try GetRun.run([origin.url("/a.txt"), "--ephemeral"])
        #expect(result.files == ["a.txt"])
        #expect(FileTree.names(in: run.scratch.home) == [])
    }

    @Test func ephemeralLeavesNoPartThatNobodyCouldContinue() throws {
        origin.route("/data.bin") { request, _ in
            var answer = OriginResponse.resource(.pattern(count: Self.size), for: request, etag: "\"v1\"")
            answer.fault = .close(after: 60_000)
            return answer
        }
        let (run, result) = try GetRun.run([origin.url("/data.bin"), "--ephemeral", "--retries", "0"])
        #expect(result.exit == .exited(1) && result.files == [])
        #expect(FileTree.names(in: run.scratch.home) == [])
    }

    /// What somebody wrote behind the bytes that came is no part of the body, however long the part is then.
    @Test(arguments: [1_000, size - 60_000, size]) func whatSomebodyAddsToAPartIsNotOfTheBody(added: Int) throws {
        origin.route(
            "/data.bin",
            ledger.script { request, number in
                var answer = OriginResponse.resource(.pattern(count: Self.size), for: request, etag: "\"v1\"")
                if number == 1 { answer.fault = .stall(after: 60_000) }
                return answer
            }
        )
        let run = try GetRun([origin.url("/data.bin")])
        #expect(try run.wait(until: reached(60_000)))
        run.child.send(signal: SIGINT)
        #expect(try run.finish(closesInput: false).files == ["data.bin.part"])
        #expect(unsafe truncate(run.scratch.downloads + "/data.bin.part", 60_000 + added) == 0)
        let (next, result) = try GetRun.run([origin.url("/data.bin")], in: run.scratch)
        #expect(result.exit == .exited(0) && result.files == ["data.bin"])
        #expect(next.contents(of: "data.bin") == pattern(Self.size))
    }

    @Test(arguments: [["--ephemeral"], ["--data", "x=1"], ["--header", "Range: bytes=0-"]])
    func whatCanNotBeContinuedIsNotPromisedToBe(options: [String]) throws {
        origin.route("/data.bin") { request, _ in
            var answer = OriginResponse.resource(.pattern(count: Self.size), for: request, etag: "\"v1\"")
            answer.fault = .stall(after: 60_000)
            return answer
        }
        let run = try GetRun([origin.url("/data.bin")] + options)
        #expect(try run.wait(until: reached(60_000)))
        run.child.send(signal: SIGINT)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .exited(7))
        #expect(!result.files.contains("data.bin"))
        #expect(result.errors.contains("1 unfinished: the same command starts them over"), "\(result.errors)")
    }

    @Test func aFewBytesAreContinuedToo() throws {
        origin.route(
            "/small.txt",
            ledger.script { request, number in
                var answer = OriginResponse.resource(.pattern(count: 400), for: request, etag: "\"v1\"")
                if number < 3 { answer.fault = .close(after: number == 1 ? 100 : 50) }
                return answer
            }
        )
        let scratch = try Scratch()
        for number in 1...2 {
            let (_, result) = try GetRun.run([origin.url("/small.txt"), "--retries", "0"], in: scratch)
            #expect(result.exit == .exited(1) && result.files == ["small.txt.part"], "\(number)")
        }
        let (last, result) = try GetRun.run([origin.url("/small.txt")], in: scratch)
        #expect(result.exit == .exited(0) && result.files == ["small.txt"])
        #expect(last.contents(of: "small.txt") == pattern(400))
        #expect(ranges == [nil, "bytes=100-", "bytes=150-"])
    }

    @Test func whereNoFileIsSavedNoStateIsKept() throws {
        origin.route("/a.txt", .text("once"))
        let (run, result) = try GetRun.run([origin.url("/a.txt"), "--no-save", "--no-http-cache"])
        #expect(result.files == [])
        #expect(FileTree.names(in: run.scratch.home) == [])
    }

    @Test func theStateIsForItsOwnerOnly() throws {
        origin.route("/a.txt", .text("once"))
        let (run, _) = try GetRun.run([origin.url("/a.txt")])
        let folder = run.scratch.home + "/state/sluice"
        for (path, mode) in [(folder, mode_t(0o700)), (folder + "/state.sqlite", 0o600)] {
            var status = stat()
            #expect(unsafe stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == mode, "\(path)")
        }
    }

    @Test func cutsAtRandomPlacesNeverMixTwoVersions() throws {
        let seed = UInt64.random(in: 1...UInt64(UInt32.max))
        print("cuts: seed \(seed)")
        var trial = CutTrial(program: Program.path, seed: seed)
        let (cuts, continued) = try trial.run(rounds: 20)
        #expect(cuts >= 20 && continued > 0)
    }

    @Test func twoProcessesOnTheSameListAndDirectoryMakeWholeFilesAndKeepTheLimits() throws {
        let summary = try PairTrial(program: Program.path).run(for: .zero)
        #expect(summary.files >= 500 && summary.samples > 0 && summary.hits > 0)
    }
}
