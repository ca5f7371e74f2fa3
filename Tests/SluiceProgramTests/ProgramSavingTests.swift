import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// Names and files, whatever a server proposes and whatever is there already.
@Suite(.timeLimit(.minutes(15)))
struct ProgramSavingTests {
    private let origin: Origin

    init() throws { origin = try Origin() }

    @Test(arguments: [
        "../../x", "/etc/passwd", ".bashrc", "..", ".", "", "a/b/c.txt", "..\\..\\x.txt", "C:\\x.txt",
        "\u{1B}]0;owned\u{7}.txt", "a\u{1B}[2J\u{1B}[?1049hb.txt", "nul\u{1}\u{2}\u{7F}.txt", "\u{202E}gpj.exe", "~",
        "-rf", "x.part", "x.bad", " .profile ", "...", "%2e%2e%2fx", String(repeating: "n", count: 300) + ".jpeg",
        String(repeating: "猫", count: 150) + ".png",
    ]) func aHostileNameDoesNoHarm(name: String) throws {
        origin.route("/plain.txt") { _, _ in
            let quoted = name.replacing("\\", with: "\\\\")
            return OriginResponse(
                headers: [HeaderField("Content-Disposition", "attachment; filename=\"\(quoted)\"")],
                body: .bytes(Array("body".utf8))
            )
        }
        let (run, result) = try GetRun.run([origin.url("/plain.txt"), origin.url("/plain.txt?2")])
        #expect(result.exit == .exited(0), "\(result.errors)")
        expectSafe(result.files, count: 2)
        for file in result.files { #expect(run.contents(of: file) == Array("body".utf8)) }
        #expect(run.scratch.strays.isEmpty)
        if name.hasSuffix(".jpeg") { #expect(result.files.allSatisfy { $0.hasSuffix(".jpeg") }) }
    }

    /// An answer to a POST, or a part that was asked for, is no body of the URL that a later request could replace.
    @Test(arguments: [["--data", "A"], ["--header", "Range: bytes=0-2"]])
    func whatWasAskedForOnceStays(options: [String]) throws {
        origin.route("/w.txt") { _, number in .text("answer \(number)") }
        let scratch = try Scratch()
        for (arguments, names) in [(options, 1), ([], 2), ([], 2), (options, 3)] {
            let (_, result) = try GetRun.run(arguments + [origin.url("/w.txt")], in: scratch)
            #expect(result.exit == .exited(0), "\(result.errors)")
            #expect(result.files.count == names, "\(result.files)")
        }
        let contents = ["w.txt", "w.1.txt", "w.2.txt"].map { FileTree.contents(of: scratch.downloads + "/" + $0) }
        #expect(contents == ["answer 1", "answer 3", "answer 4"].map { Array($0.utf8) })
    }

    @Test(arguments: [
        "/%2e%2e%2fx.txt", "/..%2f..%2fx.txt", "/.bashrc", "/%1b%5b2Jx.txt", "/a%00b.txt", "/", "/folder/",
        "/%ff%fe.bin",
        "/\(String(repeating: "long", count: 100)).png", "/x.part",
    ]) func aHostilePathDoesNoHarm(path: String) throws {
        origin.setFallback { _, _ in .text("body") }
        let (run, result) = try GetRun.run([origin.url(path)])
        #expect(result.exit == .exited(0), "\(result.errors)")
        expectSafe(result.files, count: 1)
        #expect(run.scratch.strays.isEmpty)
    }

    private func expectSafe(_ files: [String], count: Int, _ location: SourceLocation = #_sourceLocation) {
        #expect(files.count == count, "\(files)", sourceLocation: location)
        for file in files {
            #expect((1...255).contains(file.utf8.count), sourceLocation: location)
            #expect(!file.hasPrefix("."), "\(file)", sourceLocation: location)
            #expect(!file.unicodeScalars.contains { $0.isHazardous || $0 == "/" || $0 == "\\" }, "\(file)")
            #expect(!file.hasSuffix(".part"), sourceLocation: location)
        }
    }

    @Test(arguments: [
        ("rename", ["a.1.txt", "a.txt"], "mine"), ("skip", ["a.txt"], "mine"), ("overwrite", ["a.txt"], "theirs"),
    ]) func aFileThatIsThereIsTreatedAsAsked(choice: String, names: [String], text: String) throws {
        origin.route("/a.txt", .text("theirs"))
        let scratch = try Scratch()
        scratch.write("mine", to: "files/a.txt")
        let (run, result) = try GetRun.run(["--on-exists", choice, origin.url("/a.txt")], in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(result.files == names)
        #expect(run.contents(of: "a.txt") == Array(text.utf8))
        #expect(result.events.named("warning").map { $0["code"]?.string } == (choice == "skip" ? ["skipped"] : []))
        #expect(result.errors.contains("1 note:\n  a.txt is there already") == (choice == "skip"), "\(result.errors)")
        if choice == "rename" { #expect(run.contents(of: "a.1.txt") == Array("theirs".utf8)) }
    }

    @Test func whoOverwritesMeansTheNameItself() throws {
        origin.route("/a.txt", .text("theirs"))
        let scratch = try Scratch()
        scratch.write("mine", to: "files/a.txt")
        _ = try GetRun.run([origin.url("/a.txt")], in: scratch)
        let (run, result) = try GetRun.run(["--on-exists", "overwrite", origin.url("/a.txt")], in: scratch)
        #expect(result.files == ["a.1.txt", "a.txt"])
        #expect(run.contents(of: "a.txt") == Array("theirs".utf8))
        // From then on that is the known one.
        origin.route("/a.txt", .text("newer"))
        let (again, _) = try GetRun.run(["--policy", "reload", origin.url("/a.txt")], in: scratch)
        #expect(["a.txt", "a.1.txt"].map { again.contents(of: $0) } == ["newer", "theirs"].map { Array($0.utf8) })
    }

    /// A file is known as the body of its URL, whatever else a request says.
    @Test func whatAnEarlierSessionSavedOfTheURLIsReplacedWhateverElseIsAsked() throws {
        origin.route("/a.txt") { request, _ in .text(request.header("x-a") ?? "plain") }
        let scratch = try Scratch()
        let sum = ["--sha256", sha256(Array("plain".utf8))]
        let runs = [([], "plain"), (["--header", "X-A: 1"], "1"), (["--header", "X-A: 2"], "2"), (sum, "plain")]
        for (options, text) in runs {
            let (run, result) = try GetRun.run([origin.url("/a.txt")] + options, in: scratch)
            #expect(result.files == ["a.txt"])
            #expect(run.contents(of: "a.txt") == Array(text.utf8))
        }
    }

    /// Where each of two has a file, none takes that of the other, in whatever order they come.
    @Test func eachWayOfAskingReplacesItsOwnFile() throws {
        let day = Locked(1)
        origin.route("/a.txt") { request, _ in
            var answer = OriginResponse.text("\(request.header("authorization") ?? "nobody") \(day.withLock { $0 })")
            answer.headers.append(HeaderField("Cache-Control", "no-store"))
            return answer
        }
        let scratch = try Scratch()
        let users = ["a:1", "b:2"].map { origin.url("/a.txt").replacing("//", with: "//\($0)@") }
        func texts() -> [String?] {
            ["a.txt", "a.1.txt"].map { name in
                FileTree.contents(of: scratch.downloads + "/" + name).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        for (number, asked) in [users, [users[1]], users.reversed(), users].enumerated() {
            day.withLock { $0 = number + 1 }
            let (_, result) = try GetRun.run(asked + ["--max-active", number == 3 ? "4" : "1"], in: scratch)
            #expect(result.exit == .exited(0) && result.files == ["a.1.txt", "a.txt"], "\(result.errors)")
            let first = number == 1 ? 1 : number + 1
            #expect(texts() == ["Basic YTox \(first)", "Basic Yjoy \(number + 1)"])
        }
    }

    /// Two names that look the same are two files, each of its URL.
    @Test func filesWhoseNamesLookTheSameAreReplacedEach() throws {
        let day = Locked(1)
        origin.setFallback { request, _ in .text("\(request.path) \(day.withLock { $0 })") }
        let scratch = try Scratch()
        let urls = ["/%C3%A9.txt", "/e%CC%81.txt"].map { origin.url($0) }
        for number in 1...2 {
            day.withLock { $0 = number }
            let (run, result) = try GetRun.run(urls + ["--policy", "reload"], in: scratch)
            #expect(result.exit == .exited(0) && result.files.count == 2, "\(result.files)")
            #expect(run.contents(of: "\u{E9}.txt") == Array("/%C3%A9.txt \(number)".utf8))
            #expect(run.contents(of: "e\u{301}.txt") == Array("/e%CC%81.txt \(number)".utf8))
        }
    }

    @Test func theDateOfTheServerIsTheDateOfTheFile() throws {
        origin.route("/a.txt") { request, _ in
            .resource(.bytes([1]), for: request, lastModified: "Sat, 01 Nov 2025 06:00:00 GMT")
        }
        let (run, result) = try GetRun.run([origin.url("/a.txt")])
        #expect(result.exit == .exited(0))
        #expect(run.scratch.modificationTime("a.txt") == 1_761_976_800)
    }

    @Test func oneURLIsOneFileHoweverOftenItIsNamed() throws {
        origin.route("/a.txt", .text("a"))
        let (_, result) = try GetRun.run(Array(repeating: origin.url("/a.txt"), count: 20))
        #expect(result.exit == .exited(0))
        #expect(result.files == ["a.txt"])
        #expect(result.events.submissions == ["started"] + Array(repeating: "joined", count: 19))
        #expect(result.events.named("receipt.finished").count == 20)
        #expect(origin.log.requests.count == 1)
    }

    @Test func anUnfinishedBodyNeverGetsItsName() throws {
        origin.route("/cut.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 600_000))
            answer.headers.append(HeaderField("ETag", "\"a\""))
            answer.fault = .close(after: 400_000)
            return answer
        }
        let (_, result) = try GetRun.run(["--retries", "0", origin.url("/cut.bin")])
        #expect(result.exit == .exited(1))
        #expect(result.files == ["cut.bin.part"])
        #expect(result.events.errorCodes == ["truncated"])
    }
}
