import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// `file:` and `data:` URLs through the whole program.
@Suite(.timeLimit(.minutes(15)))
struct LocalURLProgramTests {
    @Test func filesOfThisMachineAreCopiedAndAreNoActivity() throws {
        let scratch = try Scratch()
        let text = String(repeating: "0123456789abcdef\n", count: 200_000)
        let path = scratch.write(text, to: "big one.txt")
        let url = "file://" + path.replacing(" ", with: "%20")
        let quick = ["--activation-delay", "0", "--completion-delay", "0"]
        let (run, result) = try GetRun.run(quick + [url, url], in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(result.files == ["big one.txt"])
        #expect(run.contents(of: "big one.txt") == Array(text.utf8))
        #expect(result.events.submissions == ["started", "joined"])
        #expect(result.events.indicatorStates == [])
        #expect(!result.events.contains { $0["event"]?.string?.hasPrefix("httpcache.") == true })
        #expect(result.events.named("task.response").map { $0["expected"]?.int } == [text.utf8.count])
    }

    /// Its size is said to be 0.
    @Test func whatTheKernelMakesWhileItIsReadIsReadToItsEnd() throws {
        let scratch = try Scratch()
        let empty = scratch.write("", to: "empty.txt")
        let (run, result) = try GetRun.run(["file:///proc/version", "file://" + empty], in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        let version = FileTree.contents(of: "/proc/version") ?? []
        #expect(!version.isEmpty && run.contents(of: "version") == version)
        #expect(run.contents(of: "empty.txt") == [])
        let ends = result.events.named("task.finished").map { $0["bytes"]?.int ?? -1 }
        #expect(ends.sorted() == [0, version.count])
    }

    @Test func dataIsSavedAndDecoded() throws {
        let dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        let (_, image) = try GetRun.run(["--no-save", "data:image/png;base64,\(dot)"])
        #expect(image.exit == .exited(0), "\(image.errors)")
        #expect(image.events.named("task.finished").map { $0["image"]?["width"]?.int } == [1])
        let (run, text) = try GetRun.run(["data:,hello%20there"])
        #expect(text.exit == .exited(0))
        #expect(run.contents(of: text.files.first ?? "") == Array("hello there".utf8))
    }

    @Test(arguments: [
        (["file:///nowhere/at/all"], "ioError", "No such file"), (["file:///tmp"], "ioError", "no regular file"),
        (["--data", "x", "file:///etc/passwd"], "unsupported", "can only be read"),
        (["data:;base64,*"], "badURL", "not the base64"),
    ])
    func whatCantBeReadSaysWhy(arguments: [String], code: String, sentence: String) throws {
        let (_, result) = try GetRun.run(arguments)
        #expect(result.exit == .exited(1))
        #expect(result.events.errorCodes == [code])
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(result.files.isEmpty)
    }

    /// Thousands of words take another way past the parser.
    @Test func manyURLsAreTakenInTheirOrderAndBetweenOptions() throws {
        var urls = (1...600).map { "file:///nowhere/\($0)" }
        urls[300] = "data:,known"
        let words =
            urls[..<200] + ["--header", "X: a://b", urls[200], "--no-save"] + urls[201..<400] + ["--retries", "0"]
            + urls[400...]
        let (_, result) = try GetRun.run(Array(words))
        #expect(result.exit == .exited(1), "\(result.errors)")
        #expect(result.events.named("request.submitted").compactMap { $0["url"]?.string } == urls)
    }

    @Test func noServerLeadsToAFile() throws {
        let origin = try Origin()
        origin.route("/a", .redirect(to: "file:///etc/hostname"))
        let (_, result) = try GetRun.run([origin.url("/a")])
        #expect(result.events.errorCodes == ["badResponse"])
        #expect(result.files.isEmpty)
    }
}
