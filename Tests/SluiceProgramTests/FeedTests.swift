import Glibc
import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// `sluice get` fed while it runs, and read while it writes.
@Suite(.timeLimit(.minutes(15)))
struct FeedTests {
    private let origin: Origin
    private let image = ImageEncoder.png(OriginImages.draw(.cover, width: 60, height: 40))

    init() throws {
        origin = try Origin()
        origin.setFallback { [image] _, _ in .bytes(image, type: "image/png") }
    }

    /// Feeds 1,000 requests for 10 URLs, the first 20 one by one, each when the one before was answered.
    ///
    /// - Parameters:
    ///   - options: Of the command line.
    ///   - releasesEarly: Whether the origin answers as soon as it has seen four, and not only at the end.
    /// - Returns: The run, and what it left.
    /// - Throws: If an answer waits for more input.
    private func feedAThousand(_ options: [String], releasesEarly: Bool) throws -> (GetRun, GetRun.Result) {
        let run = try GetRun(["-i", "-"] + options, events: .output)
        origin.hold()
        for number in 0..<20 {
            run.child.write(origin.url("/\(number % 10).png\n"))
            let isAnswered = try run.wait { $0.submissions.count == number + 1 }
            try #require(isAnswered, "an answer must not wait for more input")
        }
        #expect(origin.waitUntil { $0.held == 4 })
        if releasesEarly { origin.release() }
        for number in 20..<1_000 { run.child.write(origin.url("/\(number % 10).png\n")) }
        #expect(try run.wait { $0.submissions.count == 1_000 })
        origin.release()
        return (run, try run.finish())
    }

    @Test func aListMayBeginWithTheMarkOfItsEncoding() throws {
        let scratch = try Scratch()
        scratch.write("\u{FEFF}" + origin.url("/a.png\r\n") + origin.url("/b.png\r\n"), to: "home/urls.txt")
        let (_, result) = try GetRun.run(["-i", scratch.path("home/urls.txt")], in: scratch)
        #expect(result.exit == .exited(0) && result.files == ["a.png", "b.png"], "\(result.errors)")
    }

    /// Lists of many pieces, whose cuts fall into lines and into the bytes of a letter.
    @Test func listsOfManyPiecesKeepTheirOrder() throws {
        let scratch = try Scratch()
        let numbers = 0..<900
        let lines = numbers.map { origin.url("/é\($0).txt") + String(repeating: " ", count: $0 % 3) + "# \($0)" }
        scratch.write(lines[..<450].joined(separator: "\n"), to: "home/first.txt")
        scratch.write(lines[450...].joined(separator: "\r\n") + "\r\n", to: "home/second.txt")
        let arguments = ["-i", scratch.path("home/first.txt"), "--no-save", "-i", scratch.path("home/second.txt")]
        let (_, result) = try GetRun.run([origin.url("/named.png")] + arguments, in: scratch)
        let paths = result.events.named("request.submitted").compactMap {
            $0["url"]?.string?.split(separator: "/").last
        }
        #expect(paths.first == "named.png")
        #expect(paths.dropFirst().map { String($0) } == numbers.map { "%C3%A9\($0).txt" })
    }

    /// What has no line breaks is no list of URLs; a comment may be as long as it likes.
    @Test func aLineThatIsTooLongIsRejectedAndTheNextIsRead() throws {
        let scratch = try Scratch()
        let long = origin.url("/") + String(repeating: "x", count: 3_000_000)
        let comment = origin.url("/b.png #") + String(repeating: " x", count: 1_500_000)
        let lines = [origin.url("/a.png"), long, comment, "#" + long, origin.url("/c.png")]
        let path = scratch.write(lines.joined(separator: "\n"), to: "home/urls.txt")
        let (_, result) = try GetRun.run(["-i", path], in: scratch)
        #expect(result.exit == .exited(1) && result.files == ["a.png", "b.png", "c.png"], "\(result.files)")
        let rejected = result.events.named("request.submitted").filter { $0["error"] != nil }
        #expect(rejected.map { $0["error"]?["code"]?.string } == ["badURL"])
        #expect(rejected.map { $0["origin"]?.string } == ["list:2:\(path)"])
        let url = try #require(rejected.first?["url"]?.string)
        #expect(url.hasPrefix(origin.url("/xxx")) && url.utf8.count < 300)
    }

    /// Nobody could interrupt the wait for its writer later.
    @Test func aListThatIsAPipeIsReadToItsEndFirst() throws {
        let scratch = try Scratch()
        let path = scratch.path("home/pipe")
        let isMade = unsafe mkfifo(path, 0o600) == 0
        try #require(isMade)
        let run = try GetRun(["-i", path], in: scratch)
        let pipe = unsafe open(path, O_WRONLY)
        let text = Array((origin.url("/a.png\n") + origin.url("/b.png\n")).utf8)
        #expect(unsafe write(pipe, text, text.count) == text.count)
        close(pipe)
        let result = try run.finish()
        #expect(result.exit == .exited(0) && result.files == ["a.png", "b.png"], "\(result.errors)")
    }

    @Test func bytesThatAreNoTextGoToTheServerAsTheyAre() throws {
        let scratch = try Scratch()
        let path = scratch.path("home/urls.txt")
        let bytes = Array(origin.url("/caf").utf8) + [0xE9] + Array(".png\n".utf8)
        let file = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(unsafe write(file, bytes, bytes.count) == bytes.count)
        close(file)
        let (_, result) = try GetRun.run(["-i", path], in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(origin.log.requests.map(\.path) == ["/caf%E9.png"])
    }

    @Test func aDashReadsStandardInputToo() throws {
        let run = try GetRun(["-", origin.url("/named.png")])
        run.child.write(origin.url("/fed.png\n"))
        let result = try run.finish()
        #expect(result.exit == .exited(0) && result.files == ["fed.png", "named.png"], "\(result.errors)")
    }

    private func expectTenDownloads(_ result: GetRun.Result) {
        #expect(result.exit == .exited(0), "\(result.errors)")
        let counts = Dictionary(grouping: result.events.submissions) { $0 }.mapValues(\.count)
        #expect(counts["started", default: 0] + counts["queued", default: 0] == 10)
        #expect(counts["joined", default: 0] + counts["cached", default: 0] == 990)
        #expect(result.events.taskOutcomes == Array(repeating: "success", count: 10))

        let submitted = result.events.named("request.submitted").compactMap { $0["receipt"]?.int }
        let finished = result.events.named("receipt.finished")
        #expect(finished.compactMap { $0["receipt"]?.int }.sorted() == submitted)
        for receipts in Dictionary(grouping: finished, by: { $0["task"]?.int }).values {
            let order = receipts.compactMap { $0["receipt"]?.int }
            #expect(order == order.sorted())
        }
        #expect(origin.log.requests.count == 10)
        #expect(origin.log.peakActive <= 4)
    }

    @Test func aThousandRequestsForTenURLsAreTenDownloads() throws {
        let (_, result) = try feedAThousand(["--no-save"], releasesEarly: false)
        expectTenDownloads(result)
        #expect(result.events.submissions.filter { $0 == "joined" }.count == 990)
        #expect(result.files.isEmpty)
    }

    @Test func whatIsAskedForAgainLaterIsCached() throws {
        let (_, result) = try feedAThousand(["--no-save"], releasesEarly: true)
        expectTenDownloads(result)
    }

    @Test func aThousandRequestsForTenFilesAreTenFiles() throws {
        let (run, result) = try feedAThousand([], releasesEarly: false)
        expectTenDownloads(result)
        #expect(result.files == (0..<10).map { "\($0).png" })
        for file in result.files { #expect(run.contents(of: file) == image) }
        #expect(Set(result.events.named("receipt.finished").map { $0["file"]?.string }).count == 10)
    }

    @Test func aDecodedFileThatIsAskedForAgainLaterIsCached() throws {
        let (_, result) = try feedAThousand(["--decode", "always"], releasesEarly: true)
        expectTenDownloads(result)
        #expect(result.files == (0..<10).map { "\($0).png" })
    }

    @Test func aFileThatIsFetchedAgainLaterIsStillOneFile() throws {
        let (run, result) = try feedAThousand(["--decode", "never"], releasesEarly: true)
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(result.files == (0..<10).map { "\($0).png" })
        for file in result.files { #expect(run.contents(of: file) == image) }
        #expect(origin.log.peakActive <= 4)
    }

    @Test func anInputThatStaysOpenKeepsItRunning() throws {
        let run = try GetRun(["-i", "-"])
        run.child.write(origin.url("/1.png\n"))
        #expect(try run.wait { $0.named("receipt.finished").count == 1 })
        // Nothing is under way, and only the input says that more may come.
        #expect(run.child.waitForExit(within: .milliseconds(300)).exit == nil)
        run.child.write(origin.url("/2.png"))
        let result = try run.finish()
        #expect(result.exit == .exited(0))
        #expect(result.files == ["1.png", "2.png"])
    }

    @Test func anEmptyInputIsNoFailure() throws {
        let (_, result) = try GetRun.run(["-i", "-"])
        #expect(result.exit == .exited(0))
        #expect(result.events.compactMap { $0["event"]?.string } == ["session.started", "session.ended"])
    }

    @Test func aBadLineOfTheInputIsRejectedWhereItStands() throws {
        let run = try GetRun(["-i", "-"])
        run.child.write("\(origin.url("/1.png"))\n# a comment\n\n:::\n\(origin.url("/2.png"))\n")
        let result = try run.finish()
        #expect(result.exit == .exited(1))
        #expect(result.events.submissions == ["started", "rejected", "started"])
        #expect(result.files == ["1.png", "2.png"])
    }

    @Test func aReaderThatLeavesEndsTheEventsAndNotTheDownloads() throws {
        let scratch = try Scratch()
        let urls = (1...50).map { origin.url("/\($0).png") }
        let command = "\"$0\" get --events - \"$@\" | head -n 1; exit ${PIPESTATUS[0]}"
        let shell = try ChildProcess(
            "/bin/bash",
            arguments: ["-c", command, Program.path] + urls,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        let result = shell.finish()
        #expect(result.exit == .exited(0), "\(result.errorText)")
        #expect(
            try EventSchema.check(line: result.outputText.replacing("\n", with: ""))["event"]
                == .string("session.started")
        )
        #expect(FileTree.names(in: scratch.downloads).count == 50)
        #expect(result.errorText.hasPrefix("sluice: saved 50 files"), "\(result.errorText)")
    }

    @Test func aSlowReaderMakesItWaitAndLosesNothing() throws {
        let scratch = try Scratch()
        let urls = (1...1_000).map { origin.url("/\($0).png") }
        scratch.write(urls.joined(separator: "\n"), to: "home/urls.txt")
        let run = try GetRun(["--no-save", "-i", scratch.path("home/urls.txt")], events: .output, in: scratch)
        // A pipe holds far less than the events of 1,000 downloads, and nobody reads it here.
        #expect(!origin.waitUntil({ $0.requests.count == 1_000 }, atMost: .milliseconds(500)))
        let result = try run.finish()
        #expect(result.exit == .exited(0))
        #expect(result.events.taskOutcomes.count == 1_000)
        #expect(origin.log.requests.count == 1_000)
    }
}
