import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// What `sluice get` saves, says and returns.
@Suite(.timeLimit(.minutes(15)))
struct GetTests {
    private let origin: Origin

    init() throws { origin = try Origin() }

    @Test(arguments: [0, 1, 20_480, 3_000_000]) func aURLIsSavedAsTheOriginHasIt(size: Int) throws {
        origin.route("/data.bin", OriginResponse(body: .pattern(count: size)))
        let (run, result) = try GetRun.run([origin.url("/data.bin")])
        #expect(result.exit == .exited(0))
        #expect(result.files == ["data.bin"])
        #expect(run.contents(of: "data.bin") == pattern(size))
        #expect(result.events.taskOutcomes == ["success"])
        #expect(result.events.named("task.finished")[0]["file"]?.string == run.scratch.downloads + "/data.bin")
        #expect(result.errors.hasPrefix("sluice: saved 1 file, "), "\(result.errors)")
    }

    @Test func severalURLsAreSaved() throws {
        let names = (1...9).map { "\($0).txt" }
        for name in names { origin.route("/" + name, .text("this is \(name)\n")) }
        let (run, result) = try GetRun.run(names.map { origin.url("/" + $0) })
        #expect(result.exit == .exited(0))
        #expect(result.files == names)
        for name in names { #expect(run.contents(of: name) == Array("this is \(name)\n".utf8)) }
        #expect(origin.log.peakActive <= 4)
    }

    /// The prompt of the dashboard would ask for three; get says that it does not.
    @Test func aSeriesIsAskedForAsItStandsAndThatIsSaid() throws {
        origin.route("/[1-3].txt", .text("one"))
        origin.route("/[x].txt", .text("other"))
        let (_, result) = try GetRun.run([origin.url("/[1-3].txt")])
        #expect(result.exit == .exited(0) && result.files == ["[1-3].txt"])
        #expect(result.errors.contains("sluice: [1-3] is asked for as it stands: get spells no series out."))

        let (_, quiet) = try GetRun.run(["-q", origin.url("/[1-3].txt")])
        #expect(quiet.exit == .exited(0) && quiet.errors.isEmpty, "\(quiet.errors)")

        let (_, literal) = try GetRun.run([
            origin.url("/[x].txt"), origin.url("/[1-3].txt").replacing("[", with: "%5B"),
        ])
        #expect(!literal.errors.contains("series"), "\(literal.errors)")
    }

    @Test func aListIsReadWithoutItsCommentsAndBlanksAndABadLineIsRejected() throws {
        origin.route("/a.txt", .text("a"))
        origin.route("/b.txt", .text("b"))
        let scratch = try Scratch()
        let list = """
            # two files

            \(origin.url("/a.txt")) # what it is
              \t\(origin.url("/b.txt"))\t# a tab does too  \r
            this is no URL
            ftp://example.test/c.txt
            """
        let path = scratch.write(list, to: "home/urls.txt")
        let (_, result) = try GetRun.run(["-i", path], in: scratch)
        #expect(result.exit == .exited(1))
        #expect(result.files == ["a.txt", "b.txt"])
        #expect(result.events.submissions == ["started", "started", "rejected", "rejected"])
        let rejected = result.events.named("request.submitted").filter { $0["error"] != nil }
        #expect(rejected.map { $0["error"]?["code"]?.string } == ["badURL", "badURL"])
        #expect(result.errors.contains("2 failed:\n  \(path):5: this is no URL: "), "\(result.errors)")
    }

    /// A login is never shown, and here nothing else is there.
    @Test func ofALineThatHasNothingToShowThePlaceAndTheReasonAreTold() throws {
        let scratch = try Scratch()
        let path = scratch.write("@\n", to: "home/urls.txt")
        let (_, result) = try GetRun.run(["-i", path], in: scratch)
        #expect(result.errors.contains("1 failed:\n  \(path):1: this is no URL; "), "\(result.errors)")
    }

    @Test func someFailuresAreTold() throws {
        origin.route("/a.txt", .text("a"))
        let (_, result) = try GetRun.run([origin.url("/a.txt"), origin.url("/missing.txt")])
        #expect(result.exit == .exited(1))
        #expect(result.files == ["a.txt"])
        #expect(result.events.errorCodes == ["badStatus"])
        #expect(result.errors.contains("1 failed:\n  \(origin.url("/missing.txt")): the server answered 404 Not Found"))
    }

    /// Ten are named; who had all written somewhere is not told to have them written.
    @Test func whereTheOtherFailuresStandIsTold() throws {
        let urls = (1...11).map { "ftp://example.test/\($0)" }
        let scratch = try Scratch()
        let log = scratch.path("sluice.log")
        let (_, without) = try GetRun.run(urls, events: .nowhere)
        #expect(without.errors.contains("\n  and 1 more: --events FILE or --log FILE names all\n"), "\(without.errors)")
        let (run, written) = try GetRun.run(urls)
        let events = run.scratch.path("events.jsonl")
        #expect(written.errors.contains("\n  and 1 more: \(events) names all\n"), "\(written.errors)")
        let (_, logged) = try GetRun.run(["--log", log] + urls, in: scratch)
        #expect(logged.errors.contains("\n  and 1 more: \(log) names all\n"), "\(logged.errors)")
        let (_, output) = try GetRun.run(urls, events: .output)
        #expect(output.errors.contains("\n  and 1 more: standard output names all\n"), "\(output.errors)")
    }

    @Test func failuresAreRedWhereColoursAreWanted() throws {
        for (color, text) in [("always", "\u{1B}[31m1 failed:\u{1B}[39m\n"), ("never", "\n1 failed:\n")] {
            let (_, result) = try GetRun.run(["--color", color, origin.url("/missing.txt")])
            #expect(result.errors.contains(text), "\(result.errors)")
        }
        let (_, result) = try GetRun.run(["--color", "red", origin.url("/missing.txt")])
        #expect(result.exit == .exited(2))
    }

    @Test func quietPrintsNothing() throws {
        origin.route("/a.txt", .text("a"))
        for option in ["-q", "--quiet"] {
            let (_, result) = try GetRun.run([option, origin.url("/a.txt"), origin.url("/missing.txt")])
            #expect(result.exit == .exited(1))
            #expect(result.errors.isEmpty, "\(result.errors)")
        }
    }

    @Test func withoutSavingNoFileIsWritten() throws {
        origin.route("/a.txt", .text("some text"))
        let (run, result) = try GetRun.run(["--no-save", origin.url("/a.txt")])
        #expect(result.exit == .exited(0))
        #expect(result.files.isEmpty)
        #expect(run.scratch.strays.isEmpty)
        #expect(result.events.named("task.finished")[0]["bytes"]?.int == 9)
        #expect(result.events.named("task.finished")[0]["file"] == nil)
    }

    @Test func aDirectoryThatIsMissingIsMade() throws {
        origin.route("/a.txt", .text("a"))
        let (run, result) = try GetRun.run(["--dir", "some/where", origin.url("/a.txt")])
        #expect(result.exit == .exited(0))
        #expect(run.contents(of: "some/where/a.txt") == Array("a".utf8))
    }

    @Test func outputToStandardOutputIsTheBodyAndNothingElse() throws {
        origin.route("/data.bin", OriginResponse(body: .pattern(count: 700_000)))
        let (_, result) = try GetRun.run(["--output", "-", origin.url("/data.bin")])
        #expect(result.exit == .exited(0))
        #expect(result.output == pattern(700_000))
        #expect(result.files.isEmpty)
        #expect(result.events.taskOutcomes == ["success"])
    }

    @Test func outputIsTriedAgainAsLongAsNothingIsWritten() throws {
        origin.route("/late.bin") { _, number in
            number == 1
                ? OriginResponse(503, headers: [HeaderField("Retry-After", "0")])
                : OriginResponse(body: .pattern(count: 30_000))
        }
        let (_, result) = try GetRun.run(["--output", "-", origin.url("/late.bin")])
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(result.output == pattern(30_000))
        origin.route("/cut.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 30_000))
            answer.fault = .close(after: 10_000)
            return answer
        }
        let (_, cut) = try GetRun.run(["--output", "-", origin.url("/cut.bin")])
        #expect(cut.exit == .exited(1))
        #expect(pattern(30_000).starts(with: cut.output), "nothing is written twice")
        #expect(origin.log.hits("/cut.bin") == 1)
    }

    /// How the origin answers who wants the rest of what was cut off.
    enum Rest: CaseIterable {
        case continues
        case failsFirst
        case hasAnotherVersion
        case ignoresTheRange
    }

    @Test(arguments: Rest.allCases) func outputGoesOnWhereItWasCutOff(rest: Rest) throws {
        origin.route("/cut.bin") { request, number in
            if rest == .failsFirst, number == 2 {
                return OriginResponse(503, headers: [HeaderField("Retry-After", "0")])
            }
            let tag = rest == .hasAnotherVersion ? "\"v\(number)\"" : "\"v\""
            var answer = OriginResponse.resource(.pattern(count: 700_000), for: request, etag: tag)
            if rest == .ignoresTheRange {
                answer = OriginResponse(headers: [HeaderField("ETag", tag)], body: .pattern(count: 700_000))
            }
            if number == 1 { answer.fault = .close(after: 300_000) }
            return answer
        }
        let (_, result) = try GetRun.run(["--output", "-", origin.url("/cut.bin")])
        if rest == .continues || rest == .failsFirst {
            #expect(result.exit == .exited(0), "\(result.errors)")
            #expect(result.output == pattern(700_000))
            #expect(origin.log.hits("/cut.bin") == (rest == .continues ? 2 : 3))
        } else {
            #expect(result.exit == .exited(1))
            #expect(result.output == Array(pattern(700_000).prefix(300_000)), "nothing is written twice")
            #expect(origin.log.hits("/cut.bin") == 2)
            #expect(result.errors.contains("can't be taken back"), "\(result.errors)")
        }
    }

    @Test(arguments: [true, false]) func aSumOutlivesTheBreakOfItsOutput(isRight: Bool) throws {
        origin.route("/cut.bin") { request, number in
            var answer = OriginResponse.resource(.pattern(count: 700_000), for: request, etag: "\"v\"")
            if number == 1 { answer.fault = .close(after: 300_000) }
            return answer
        }
        let sum = sha256(isRight ? pattern(700_000) : Array(pattern(700_000).dropFirst(300_000)))
        let (_, result) = try GetRun.run(["--sha256", sum, "--output", "-", origin.url("/cut.bin")])
        #expect(result.exit == .exited(isRight ? 0 : 1), "\(result.errors)")
        #expect(result.output == pattern(700_000) && origin.log.hits("/cut.bin") == 2)
    }

    /// The user lets it go on, and the origin begins anew: its weak tag promises no bytes.
    @Test func outputThatCannotGoOnAfterAPauseFails() throws {
        origin.route("/a.bin") { request, number in
            var answer = OriginResponse.resource(.pattern(count: 700_000), for: request, etag: "W/\"v\"")
            if number == 1 { answer.fault = .stall(after: 300_000) }
            return answer
        }
        let scratch = try Scratch()
        let socket = scratch.path("control")
        let run = try GetRun(["--socket", socket, "--output", "-", origin.url("/a.bin")], in: scratch)
        let came = try run.wait { $0.named("task.progress").contains { $0["received"]?.int == 300_000 } }
        #expect(came)
        for method in ["pause", "resume"] {
            let call = try ChildProcess(
                Program.path,
                arguments: ["ctl", "--socket", socket, method, #"{"task":1}"#],
                environment: Program.environment(home: scratch.home),
                directory: scratch.downloads
            )
            #expect(call.finish().exit == .exited(0))
        }
        let result = try run.finish()
        #expect(result.exit == .exited(1) && result.events.taskOutcomes == ["failed"])
        #expect(result.output == Array(pattern(700_000).prefix(300_000)), "nothing is written twice")
        #expect(result.errors.contains("can't be taken back"), "\(result.errors)")
    }

    /// What is stored answers in place of an origin that fails, but not behind half of what it sent.
    @Test func whatIsStoredIsNotPutBehindWhatWasWritten() throws {
        origin.route("/a.bin") { _, number in
            var answer = OriginResponse(body: .pattern(count: number == 1 ? 700_000 : 600_000))
            answer.headers.append(HeaderField("Cache-Control", "max-age=0, stale-if-error=1000"))
            if number == 2 { answer.fault = .close(after: 300_000) }
            return answer
        }
        let scratch = try Scratch()
        _ = try GetRun.run(["--output", "-", origin.url("/a.bin")], in: scratch)
        let (_, result) = try GetRun.run(["--output", "-", origin.url("/a.bin")], in: scratch)
        #expect(result.exit == .exited(1) && result.events.errorCodes == ["truncated"], "\(result.errors)")
        #expect(result.output == Array(pattern(600_000).prefix(300_000)))
    }

    @Test func aFewBytesOfOutputAreAskedForAgain() throws {
        origin.route("/cut.txt") { _, number in
            var answer = OriginResponse(headers: [HeaderField("ETag", "\"v\"")], body: .pattern(count: 2_000))
            if number == 1 { answer.fault = .close(after: 100) }
            return answer
        }
        let (_, result) = try GetRun.run(["--output", "-", origin.url("/cut.txt")])
        #expect(result.exit == .exited(0) && result.output == pattern(2_000), "\(result.errors)")
    }

    @Test func outputOfAFailureIsEmpty() throws {
        let (_, result) = try GetRun.run(["--output", "-", origin.url("/missing.bin")])
        #expect(result.exit == .exited(1))
        #expect(result.output.isEmpty)
        #expect(result.files.isEmpty)
    }

    @Test func eventsOnStandardOutputAreAloneThere() throws {
        origin.route("/a.txt", .text("a"))
        let (_, result) = try GetRun.run([origin.url("/a.txt")], events: .output)
        #expect(result.exit == .exited(0))
        #expect(result.files == ["a.txt"])
        #expect(result.events.first?["event"]?.string == "session.started")
        #expect(result.events.last?["event"]?.string == "session.ended")
    }

    @Test func theLogHasASentenceForEachEventAndNoControlCharacters() throws {
        let hostile = "attachment; filename=\"a\u{1B}]0;owned\u{7}\u{1B}[2Jb.txt\""
        origin.route("/a.txt") { _, _ in
            OriginResponse(
                reason: "O\u{1B}[31mK",
                headers: [HeaderField("Content-Disposition", hostile), HeaderField("X-Odd", "\u{9B}2J")],
                body: .bytes(Array("a".utf8))
            )
        }
        let scratch = try Scratch()
        scratch.write("\u{1B}[2Jno URL\u{7}\n\(origin.url("/%1b%5b2J.txt"))\n", to: "home/urls.txt")
        let (_, result) = try GetRun.run(
            ["--log", scratch.path("home/log"), "-i", scratch.path("home/urls.txt"), origin.url("/a.txt")],
            in: scratch
        )
        #expect(result.exit == .exited(1))
        let log = try #require(scratch.text("home/log"))
        #expect(log.hasSuffix("\n"))
        #expect(!log.unicodeScalars.contains { $0.isControl && $0 != "\n" }, "\(log.debugDescription)")
        #expect(log.split(separator: "\n").count == result.events.count)
        #expect(log.contains("404"))
    }

    @Test("a log goes on behind what is there: several sessions may have it from one configuration")
    func aLogGoesOn() throws {
        origin.route("/a.txt", .text("a"))
        let scratch = try Scratch()
        let count = try (1...2).map { number in
            try GetRun.run(["--log", scratch.path("home/log"), origin.url("/a.txt?\(number)")], in: scratch).1.events
                .count
        }
        let log = try #require(scratch.text("home/log"))
        #expect(log.split(separator: "\n").count == count.reduce(0, +))
        #expect(log.contains("a.txt?1") && log.contains("a.txt?2"))
    }

    @Test func progressOnATerminalIsOneLineThatGoesAway() throws {
        origin.route("/a.txt", .text("a"))
        origin.hold()
        let scratch = try Scratch()
        let terminal = try Pseudoterminal(
            Program.path,
            arguments: ["get", origin.url("/a.txt")],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        #expect(terminal.waitForText("a.txt · 0 B · 0 KiB/s"), "\(terminal.screen.text)")
        origin.release()
        #expect(terminal.waitForExit() == .exited(0))
        #expect(terminal.screen.row(0).hasPrefix("sluice: saved 1 file"), "\(terminal.screen.text)")
        let rest = String(decoding: terminal.transcript, as: UTF8.self).replacing("\u{1B}[K", with: "")
        #expect(!rest.unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\r" })
        #expect(terminal.modes == terminal.initialModes)
    }
}
