import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// `--plain`, as a screen reader has it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PlainTests {
    private let origin: Origin
    private let scratch: Scratch

    init() throws {
        origin = try Origin()
        scratch = try Scratch()
        origin.setFallback { _, _ in .text("text") }
    }

    private func start(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ChildProcess {
        let basic = Program.environment(home: scratch.home).merging(["TERM": "dumb"]) { $1 }
        return try ChildProcess(
            Program.path,
            arguments: ["--plain"] + arguments,
            environment: basic.merging(environment) { $1 },
            directory: scratch.downloads
        )
    }

    @Test(arguments: [
        ("dumb", "C.UTF-8", [String](), true), ("xterm", "C", [], true), ("xterm", "C.UTF-8", ["--ascii"], true),
        ("xterm", "C.UTF-8", [], false),
    ])
    func linesAreASCIIWhereNothingElseCanBeShown(
        terminal: String,
        locale: String,
        arguments: [String],
        isASCII: Bool
    ) throws {
        let program = try start(arguments, ["TERM": terminal, "LC_ALL": locale])
        program.closeInput()
        #expect(program.waitForExit().exit == .exited(0))
        let text = program.outputText
        #expect(text.contains(isASCII ? "4 slots - " : "4 slots · "), "\(text)")
        #expect(text.allSatisfy(\.isASCII) == isASCII, "\(text)")
    }

    /// The pipe has room for some of the lines, and nobody reads any.
    @Test func whoeverAsksForTheEndIsHeardThoughNobodyReads() throws {
        let urls = (1...500).map { origin.url("/\($0)-\(String(repeating: "n", count: 200)).txt") }
        let (pipe, socket) = (scratch.path("pipe"), scratch.path("s"))
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let program = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", "exec 3<>'\(pipe)'; exec \"$@\" >&3", "sh", Program.path, "--plain", "--socket", socket]
                + urls,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        #expect(origin.waitUntil { $0.requests.count == 500 })
        for method in ["wait", "quit"] {
            let call = try ChildProcess(
                Program.path,
                arguments: ["ctl", method, "--socket", socket],
                environment: Program.environment(home: scratch.home)
            ).finish()
            #expect(call.exit == .exited(0), "\(call.errorText)")
        }
        #expect(program.waitForExit().exit == .exited(0))
    }

    /// How it ended counts, and not that nobody could be told.
    @Test func aStopIsAStopWhereNothingCanBeSaid() throws {
        origin.hold()
        let program = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", "exec \"$@\" > /dev/full", "sh", Program.path, "--plain", origin.url("/held.txt")],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        #expect(origin.waitUntil { $0.held == 1 })
        program.send(signal: SIGTERM)
        #expect(program.waitForExit().exit == .exited(7))
        origin.release()
    }

    @Test func ofALineThatIsTooLongNothingIsTaken() throws {
        let program = try start([])
        program.write(
            origin.url("/" + String(repeating: "x", count: 2_200_000)) + "\n" + origin.url("/next.txt") + "\n"
        )
        #expect(program.wait { program.outputText.contains("saved next.txt") }, "\(program.outputText)")
        program.write("quit\n")
        #expect(program.waitForExit().exit == .exited(0))
        #expect(program.outputText.contains("has more than 2 MiB, and nothing of it was taken"))
        #expect(origin.log.requests.map(\.path) == ["/next.txt"])
    }

    @Test func urlsAreTypedAndNewsAreSentences() throws {
        let program = try start([])
        program.write("status\n\(origin.url("/one.txt"))\nnonsense\n")
        #expect(
            program.wait { program.outputText.contains("saved one.txt") && program.outputText.contains("error: ") },
            "\(program.outputText)"
        )
        program.write("quit\n")
        #expect(program.waitForExit().exit == .exited(0))
        let text = program.outputText
        #expect(text.contains("0 queued, 0 waiting"))
        #expect(text.contains("saved 1 file in "))
        #expect(FileTree.names(in: scratch.downloads) == ["one.txt"])
        expectPlain(text)
    }

    @Test func theEndOfTheInputEndsItWhenAllIsDone() throws {
        let program = try start([origin.url("/a.txt"), origin.url("/b.txt")])
        program.closeInput()
        let result = program.waitForExit()
        #expect(result.exit == .exited(0))
        #expect(!(result.outputText + result.errorText).contains("standard input"), "these lines are read")
        #expect(FileTree.names(in: scratch.downloads) == ["a.txt", "b.txt"])
    }

    @Test(arguments: [["-"], ["-i", "-"]]) func aListOnStandardInputIsNoPrompt(words: [String]) throws {
        let log = scratch.path("events.jsonl")
        let list = scratch.write(origin.url("/other.txt\n"), to: "home/list.txt")
        let program = try start(["--events", log] + words)
        program.write("# two files\n:set maxActive 1\n@\(list)\nquit\nstatus\n\n\(origin.url("/a.txt"))\n")
        #expect(program.wait { program.outputText.contains("saved a.txt") }, "\(program.outputText)")
        program.write(origin.url("/b.txt"))
        let result = program.finish()
        #expect(result.exit == .exited(0), "\(result.errorText)")
        var lines = EventLines()
        try lines.add(FileTree.contents(of: log, from: 0))
        try lines.end()
        let submissions = lines.events.named("request.submitted")
        #expect(submissions.map { $0["origin"]?.string } == [2, 3, 4, 5, 7, 8].map { "input:\($0)" })
        #expect(lines.events.submissions.prefix(4).allSatisfy { $0 == "rejected" })
        #expect(lines.events.named("settings.changed").isEmpty)
        #expect(FileTree.names(in: scratch.downloads) == ["a.txt", "b.txt"])
        #expect(result.outputText.hasPrefix("Sluice, as plain lines, for the list on standard input"))
        #expect(result.outputText.contains("saved 2 files in "), "\(result.outputText)")
        expectPlain(result.outputText)
    }

    @Test func aSignalEndsItBeforeTheListDoes() throws {
        let program = try start(["-"])
        program.write(origin.url("/a.txt\n"))
        #expect(program.wait { program.outputText.contains("saved a.txt") }, "\(program.outputText)")
        program.send(signal: SIGTERM)
        #expect(program.waitForExit().exit == .exited(0), "nothing is left")
    }

    @Test(arguments: [true, false]) func eventsOnStandardOutputHaveItAlone(isConfigured: Bool) throws {
        let configuration = scratch.write("plain = true\n", to: "home/plain.toml")
        let words = isConfigured ? ["--config", configuration] : ["--plain"]
        let program = try ChildProcess(
            Program.path,
            arguments: words + ["--events", "-", origin.url("/a.txt")],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        program.write("status\n")
        let result = program.finish()
        #expect(result.exit == .exited(0), "\(result.errorText)")
        var lines = EventLines()
        try lines.add(result.output)
        try lines.end()
        #expect(lines.events.taskOutcomes == ["success"])
        for sentence in ["status tells how things stand", "0 queued, 0 waiting", "saved a.txt", "saved 1 file in "] {
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
        }
        expectPlain(result.errorText)
    }

    @Test func nothingAServerSendsReachesTheTerminal() throws {
        let attack = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{1B}c"
        origin.route("/bad") { _, _ in OriginResponse(404, reason: attack, body: .bytes(Array(attack.utf8))) }
        origin.route("/name") { _, _ in
            OriginResponse(
                headers: [HeaderField("Content-Disposition", "attachment; filename=\"\(attack)n.txt\"")],
                body: .bytes(Array("x".utf8))
            )
        }
        let log = scratch.path("log.txt")
        let program = try start(["--log", log, origin.url("/bad"), origin.url("/name")])
        program.write("http://a/\(attack)\n")
        program.closeInput()
        #expect(program.waitForExit().exit != nil)
        expectPlain(program.outputText)
        expectPlain(String(decoding: FileTree.contents(of: log, from: 0), as: UTF8.self))
    }

    private func expectPlain(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        let bad = text.unicodeScalars.filter { $0 != "\n" && $0.isHazardous }
        #expect(bad.isEmpty && !text.isEmpty, "\(text.debugDescription)", sourceLocation: location)
    }
}
