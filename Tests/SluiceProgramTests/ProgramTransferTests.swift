import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// What goes over the wire, and what happens when it goes wrong.
@Suite(.timeLimit(.minutes(15)))
struct ProgramTransferTests {
    private let origin: Origin
    private let ledger = Ledger()

    init() throws { origin = try Origin() }

    // MARK: Redirects

    @Test func credentialsAreNotSentToAnotherOrigin() throws {
        let other = try Origin()
        other.route("/there.txt", ledger.script(.text("there")))
        let there = other.url("/there.txt")
        for path in ["/header", "/user", "/near"] {
            origin.route(path, ledger.script(.redirect(to: path == "/near" ? "/here.txt" : there)))
        }
        origin.route("/here.txt", ledger.script(.text("here")))

        let secret = ["--header", "Authorization: Bearer secret", "--header", "Cookie: a=secret"]
        #expect(try GetRun.run(secret + [origin.url("/header")]).result.exit == .exited(0))
        let user = origin.url("/user").replacing("//", with: "//anna:secret@")
        let (_, result) = try GetRun.run([user])
        #expect(result.exit == .exited(0))
        #expect(!result.errors.contains("secret") && !result.events.description.contains("secret"))
        #expect(try GetRun.run(secret + [origin.url("/near")]).result.exit == .exited(0))

        let seen = ledger.requests.map { [$0.path, $0.header("authorization") ?? "-", $0.header("cookie") ?? "-"] }
        #expect(
            seen == [
                ["/header", "Bearer secret", "a=secret"], ["/there.txt", "-", "-"],
                ["/user", "Basic YW5uYTpzZWNyZXQ=", "-"], ["/there.txt", "-", "-"],
                ["/near", "Bearer secret", "a=secret"], ["/here.txt", "Bearer secret", "a=secret"],
            ]
        )
    }

    @Test func aRedirectKeepsTheURLAskedForAndNamesTheLastOne() throws {
        origin.route("/start.txt", .redirect(to: "/end.txt", status: 301))
        origin.route("/end.txt", .text("end"))
        let (run, result) = try GetRun.run([origin.url("/start.txt")])
        #expect(result.exit == .exited(0))
        #expect(run.contents(of: "start.txt") == Array("end".utf8))
        let response = result.events.named("task.response")[0]
        #expect(response["redirects"]?.int == 1)
        #expect(response["finalURL"]?.string == origin.url("/end.txt"))
        #expect(result.events.named("task.finished")[0]["url"]?.string == origin.url("/start.txt"))
    }

    @Test func redirectsWithoutEndAreGivenUp() throws {
        origin.route("/loop", .redirect(to: "/loop"))
        let (_, result) = try GetRun.run([origin.url("/loop")])
        #expect(result.exit == .exited(1))
        #expect(result.events.errorCodes == ["tooManyRedirects"])
        #expect(origin.log.hits("/loop") == 21)
        #expect(result.files.isEmpty)
    }

    // MARK: Failures that pass, and others

    @Test func anOverloadedServerIsAskedAgainWhenItSays() throws {
        origin.route("/a.txt") { _, number in
            number > 1 ? .text("at last") : OriginResponse(503, headers: [HeaderField("Retry-After", "0")])
        }
        let (run, result) = try GetRun.run([origin.url("/a.txt")])
        #expect(result.exit == .exited(0))
        #expect(run.contents(of: "a.txt") == Array("at last".utf8))
        #expect(result.events.named("task.waiting").map { $0["delay"]?.double } == [0])
        #expect(result.events.named("task.resumed").map { $0["attempt"]?.int } == [2])
        #expect(result.events.taskOutcomes == ["success"])
    }

    @Test func aBodyThatBreaksOffIsFetchedAgain() throws {
        origin.route("/a.bin") { _, number in
            var answer = OriginResponse(body: .pattern(count: 500_000))
            if number == 1 { answer.fault = .close(after: 300_000) }
            return answer
        }
        let (run, result) = try GetRun.run([origin.url("/a.bin")])
        #expect(result.exit == .exited(0))
        #expect(result.files == ["a.bin"])
        #expect(run.contents(of: "a.bin") == pattern(500_000))
        #expect(origin.log.hits("/a.bin") == 2)
    }

    @Test func aServerThatSaysNothingTimesOut() throws {
        origin.route("/a.txt") { _, _ in
            var answer = OriginResponse()
            answer.fault = .silence
            return answer
        }
        let (_, result) = try GetRun.run(["--timeout", "0.3", "--retries", "0", origin.url("/a.txt")])
        #expect(result.exit == .exited(1))
        #expect(result.events.errorCodes == ["timedOut"])
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func aServerThatIsNotThereCannotBeConnectedTo() throws {
        let port = origin.port
        origin.close()
        let (_, result) = try GetRun.run(["--retries", "1", "http://127.0.0.1:\(port)/a.txt"])
        #expect(result.exit == .exited(1))
        #expect(result.events.errorCodes == ["cannotConnect"])
        #expect(result.events.named("task.waiting").count == 1)
    }

    // MARK: Limits

    @Test func onlyImagesAreAcceptedByTheirBytes() throws {
        let image = ImageEncoder.png(OriginImages.draw(.cover, width: 48, height: 32))
        origin.route("/image", .bytes(image, type: "text/plain"))
        origin.route("/page", .text("<html></html>", type: "text/html"))
        origin.route("/liar.png", .text("no image at all", type: "image/png"))
        let (run, result) = try GetRun.run(
            ["--accept-only", "image", "--max-active", "1"] + ["/image", "/page", "/liar.png"].map { origin.url($0) }
        )
        #expect(result.exit == .exited(1))
        #expect(result.events.errorCodes == ["unacceptableContentType", "badImage"])
        #expect(run.contents(of: "image") == image)
        #expect(result.files.filter { !$0.hasSuffix(".bad") } == ["image"])
        let decoded = result.events.named("task.finished")[0]["image"]
        #expect(decoded?["format"]?.string == "png" && decoded?["width"]?.int == 48 && decoded?["height"]?.int == 32)
        // What was refused was received, too.
        let taken = result.events.named("task.finished").compactMap { $0["bytes"]?.int }
        #expect(taken.count == 3 && taken[1] > 0)
        #expect(result.events.last?["bytes"]?.int == taken.reduce(0, +))
    }

    /// Who reads standard output gets what was asked for, or nothing.
    @Test func whatIsNoImageNeverReachesStandardOutput() throws {
        origin.route("/liar.png", .text("<html>" + String(repeating: "a", count: 2_000), type: "image/png"))
        let (_, result) = try GetRun.run(["--accept-only", "image", "--output", "-", origin.url("/liar.png")])
        #expect(result.exit == .exited(1) && result.output.isEmpty)
        #expect(result.events.errorCodes == ["badImage"])
    }

    @Test func aBodyAboveTheSizeLimitIsRefused() throws {
        origin.route("/announced.bin", OriginResponse(body: .pattern(count: 20_000)))
        origin.route("/chunked.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 2_000_000))
            answer.framing = .chunked()
            return answer
        }
        origin.route("/fits.bin", OriginResponse(body: .pattern(count: 10_240)))
        let (_, result) = try GetRun.run(
            ["--max-file-size", "10K", "--max-active", "1"]
                + ["/announced.bin", "/chunked.bin", "/fits.bin"].map { origin.url($0) }
        )
        #expect(result.exit == .exited(1))
        #expect(result.events.errorCodes == ["tooLarge", "tooLarge"])
        #expect(result.files.filter { !$0.hasSuffix(".part") } == ["fits.bin"])
    }

    @Test func aLimitedRateStillBringsEverything() throws {
        origin.route("/a.bin", OriginResponse(body: .pattern(count: 200_000)))
        origin.route("/b.bin", OriginResponse(body: .pattern(count: 200_000)))
        let (run, result) = try GetRun.run(["--limit-rate", "600K", origin.url("/a.bin"), origin.url("/b.bin")])
        #expect(result.exit == .exited(0))
        #expect(run.contents(of: "a.bin") == pattern(200_000))
        #expect(run.contents(of: "b.bin") == pattern(200_000))
    }

    // MARK: Headers

    @Test func encodedBodiesAreDecoded() throws {
        origin.setFallback(
            ledger.script { _, _ in
                var answer = OriginResponse(body: .pattern(count: 300_000))
                answer.encoding = .gzip
                return answer
            }
        )
        let (run, result) = try GetRun.run([origin.url("/saved.bin")])
        #expect(result.exit == .exited(0))
        #expect(run.contents(of: "saved.bin") == pattern(300_000))
        let (_, kept) = try GetRun.run(["--no-save", origin.url("/kept.bin")])
        #expect(kept.events.named("task.finished")[0]["bytes"]?.int == 300_000)
        #expect(
            ledger.requests.map { $0.header("accept-encoding") ?? "none" }.map { $0.contains("gzip") } == [false, true]
        )
    }

    @Test func headersOfTheUserReplaceThoseOfTheProgram() throws {
        origin.setFallback(ledger.script(.text("a")))
        let version = try ChildProcess(Program.path, arguments: ["--version"]).finish().outputText
        let expected = version.replacing("sluice ", with: "Sluice/").replacing("\n", with: "")
        for options in [
            [], ["--user-agent", "Other/1"], ["--header", "User-Agent: Third/1", "--header", "Accept: text/plain"],
            ["--accept-only", "image"],
        ] { _ = try GetRun.run(options + [origin.url("/a.txt")]) }
        #expect(ledger.requests.map { $0.header("user-agent") } == [expected, "Other/1", "Third/1", expected])
        #expect(
            ledger.requests.map { $0.header("accept") } == [
                "*/*", "*/*", "text/plain", "image/avif,image/webp,image/*;q=0.8",
            ]
        )
    }

    @Test func cookiesAreKeptForTheProcessUnlessTheyAreUnwanted() throws {
        origin.setFallback(
            ledger.script { _, _ in
                OriginResponse(headers: [HeaderField("Set-Cookie", "crumb=1")], body: .bytes([1]))
            }
        )
        let urls = [origin.url("/1"), origin.url("/2")]
        _ = try GetRun.run(["--max-active", "1"] + urls)
        _ = try GetRun.run(["--max-active", "1", "--no-cookies"] + urls)
        #expect(ledger.requests.map { $0.header("cookie") ?? "-" } == ["-", "crumb=1", "-", "-"])
    }

    @Test func whatHasNoDescriptorLeftSaysSo() throws {
        let count = 60
        origin.setFallback { _, _ in .text("held") }
        origin.hold()
        let urls = (0..<count).map { origin.url("/\($0).txt") }
        let words = ["--max-active", "\(count)", "--retries", "0", "--no-save"]
        let run = try GetRun(words + urls, openFiles: 48)
        let hasFailed = try run.wait { !$0.named("receipt.finished").isEmpty }
        origin.release()
        let result = try run.finish()
        try #require(hasFailed)
        let errors = result.events.named("receipt.finished").compactMap { $0["error"] }
        #expect(!errors.isEmpty && errors.count < count)
        for error in errors {
            #expect(error["code"]?.string == "cannotConnect")
            #expect(error["message"]?.string?.contains("raise ulimit -n, or lower maxActive") == true, "\(error)")
        }
    }
}
