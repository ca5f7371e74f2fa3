import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// The main job, as a user at a terminal does it.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DashboardPtyTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
    }

    @Test func aTypedURLIsDownloadedBeforeTheUsersEyes() throws {
        let size = 600_000
        origin.route("/dunes.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: size))
            answer.gates = [25, 50, 75].map { (size / 100 * $0, "\($0) %") }
            return answer
        }
        for gate in ["25 %", "50 %", "75 %"] { origin.hold(gate) }
        let dashboard = try DashboardScreen()
        let terminal = dashboard.terminal
        #expect(dashboard.shows("paste or type a URL") && dashboard.shows("Esc keys"), "\(dashboard.screen.text)")
        #expect(terminal.modes != terminal.initialModes)

        dashboard.type(origin.url("/dunes.bin"))
        #expect(dashboard.shows("/dunes.bin"))
        dashboard.type("\r")
        for progress in ["25 %", "50 %", "75 %"] {
            let isSeen = terminal.wait { $0.rows.contains { $0.contains("dunes.bin") && $0.contains(progress) } }
            #expect(isSeen, "\(progress)\n\(dashboard.screen.text)")
            origin.release(progress)
        }
        let isSaved = terminal.wait { $0.rows.contains { $0.contains("saved") && $0.contains("dunes.bin") } }
        #expect(isSaved, "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        #expect(dashboard.files == ["dunes.bin"])
        #expect(FileTree.contents(of: dashboard.scratch.downloads + "/dunes.bin") == pattern(size))

        #expect(dashboard.leavePrompt(), "\(dashboard.screen.text)")
        dashboard.type("q")
        try dashboard.expectEnd(.exited(0))
        #expect(dashboard.screen.row(0).hasPrefix("saved 1 file in "), "\(dashboard.screen.text)")
    }

    @Test func quietItLeavesNoSummary() throws {
        origin.route("/a.txt", .text("a"))
        let dashboard = try DashboardScreen(["-q", origin.url("/a.txt")])
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        try dashboard.quit()
        #expect(dashboard.screen.text.allSatisfy { $0.isWhitespace }, "\(dashboard.screen.text)")
    }

    @Test func quittingWithWorkUnderWayTakesTwoKeys() throws {
        origin.route("/slow.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 2_000_000))
            answer.fault = .stall(after: 600_000)
            return answer
        }
        let dashboard = try DashboardScreen()
        dashboard.type(origin.url("/slow.bin") + "\r")
        #expect(try dashboard.wait { $0.named("task.progress").contains { $0["received"]?.int == 600_000 } })
        #expect(dashboard.leavePrompt())
        dashboard.type("q")
        #expect(dashboard.shows("1 active will resume next start. q again to quit"), "\(dashboard.screen.text)")
        dashboard.type("q")
        try dashboard.expectEnd(.exited(0))
        #expect(dashboard.events.last?["left"]?.int == 1)
        #expect(dashboard.files == ["slow.bin.part"])
        #expect(dashboard.screen.text.contains("1 request kept for next time"), "\(dashboard.screen.text)")
    }

    @Test func aPasteOfManyURLsIsShownBeforeItIsTaken() throws {
        origin.hold()
        let dashboard = try DashboardScreen()
        let urls = (0..<30).map { origin.url("/\(max($0, 1)).txt") }
        dashboard.paste("see these:\r" + urls.joined(separator: "\r"))
        #expect(dashboard.shows("30 URLs, 1 merge: add them?"), "\(dashboard.screen.text)")
        #expect(origin.log.requests.isEmpty)

        dashboard.type("\r")
        #expect(dashboard.shows("×2"), "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.submissions.count == 30 })
        #expect(dashboard.events.submissions.filter { $0 == "joined" }.count == 1)
        #expect(dashboard.shows("25 queued"), "\(dashboard.screen.text)")
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes.count == 29 })
        try dashboard.quit()
        #expect(dashboard.files == (1...29).map { "\($0).txt" }.sorted())
        #expect(origin.log.requests.count == 29 && origin.log.peakActive <= 4)
    }

    @Test func aPasteCanBeDropped() throws {
        let dashboard = try DashboardScreen()
        dashboard.paste((1...30).map { origin.url("/\($0).txt") }.joined(separator: "\n"))
        #expect(dashboard.shows("30 URLs: add them?"))
        dashboard.type("\u{1B}")
        #expect(dashboard.hides("30 URLs"), "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(dashboard.events.submissions.isEmpty)
        #expect(origin.log.requests.isEmpty)
    }

    @Test func aSmallPasteIsTakenAtOnce() throws {
        let dashboard = try DashboardScreen()
        dashboard.paste("\(origin.url("/1.txt")) and <\(origin.url("/2.txt"))>")
        #expect(try dashboard.wait { $0.taskOutcomes.count == 2 }, "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(dashboard.files == ["1.txt", "2.txt"])
    }

    @Test func aListNamedAtThePromptIsRead() throws {
        let scratch = try Scratch()
        scratch.write("# list\n\(origin.url("/1.txt"))\n\nnonsense\n\(origin.url("/2.txt"))\n", to: "home/urls.txt")
        let dashboard = try DashboardScreen(in: scratch)
        dashboard.type("@\(scratch.path("home/urls.txt"))\r")
        #expect(try dashboard.wait { $0.taskOutcomes.count == 2 }, "\(dashboard.screen.text)")
        #expect(dashboard.events.submissions == ["started", "rejected", "started"])
        try dashboard.quit()
        #expect(dashboard.files == ["1.txt", "2.txt"])
    }

    @Test func whatIsNoURLStaysAtThePrompt() throws {
        let dashboard = try DashboardScreen()
        dashboard.type("nonsense\r")
        #expect(dashboard.shows("no URL: nonsense"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}")
        #expect(dashboard.hides("nonsense"))
        dashboard.type("@/nowhere/urls.txt\r")
        #expect(dashboard.shows("can't read the list /nowhere/urls.txt"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}")
        #expect(dashboard.hides("/nowhere"))
        try dashboard.quit()
        #expect(dashboard.events.submissions.isEmpty)
    }

    @Test func typedLinesAreRememberedWithoutCredentials() throws {
        let scratch = try Scratch()
        let first = try DashboardScreen(in: scratch)
        first.type(origin.url("/1.txt").replacing("//", with: "//anna:secret@") + "\r")
        #expect(try first.wait { $0.taskOutcomes == ["success"] })
        #expect(!first.screen.text.contains("secret"), "\(first.screen.text)")
        try first.quit()
        let history = try #require(scratch.text("home/state/sluice/prompt-history"))
        #expect(history.contains(origin.url("/1.txt")) && !history.contains("secret"), "\(history)")
        #expect(!first.events.description.contains("secret"))

        FileTree.remove(scratch.path("events.jsonl"))
        let second = try DashboardScreen(in: scratch)
        second.type("\u{1B}[A")
        #expect(second.shows("/1.txt"), "\(second.screen.text)")
        try second.quit()
    }

    @Test func typedLinesAreRememberedWhole() throws {
        let scratch = try Scratch()
        let first = try DashboardScreen(in: scratch)
        first.type(":filter a #b\r")
        #expect(first.shows("a #b"), "\(first.screen.text)")
        try first.quit()
        FileTree.remove(scratch.path("events.jsonl"))
        let second = try DashboardScreen(in: scratch)
        second.type("\u{1B}[A")
        #expect(second.shows(":filter a #b"), "\(second.screen.text)")
        try second.quit()
    }

    /// Nor is it what a file from elsewhere gave away.
    @Test func theFileOfTypedLinesIsItsOwnersAlone() throws {
        let scratch = try Scratch()
        for folder in ["home/state", "home/state/sluice"] { unsafe mkdir(scratch.path(folder), 0o755) }
        let name = "home/state/sluice/prompt-history"
        let path = scratch.write("https://bob:hidden@site.example/a\n", to: name)
        unsafe chmod(path, 0o644)
        let dashboard = try DashboardScreen(in: scratch)
        let url = "HTTP" + origin.url("/1.txt").dropFirst(4)
        dashboard.type(url.replacing("//", with: "//anna:secret@") + "\r")
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        try dashboard.quit()

        var status = stat()
        #expect(unsafe lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        let history = try #require(scratch.text(name))
        for part in ["secret", "anna", "hidden", "bob", "@"] { #expect(!history.contains(part), "\(history)") }
        #expect(history == "https://site.example/a\n\(url)\n")
    }

    @Test func aStartWithURLsBeginsInTheLists() throws {
        origin.hold("/1.txt")
        let dashboard = try DashboardScreen([origin.url("/1.txt"), origin.url("/2.txt")])
        #expect(dashboard.shows("1.txt") && dashboard.shows("q quit"), "\(dashboard.screen.text)")
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes.count == 2 })
        #expect(dashboard.shows("2 done"), "\(dashboard.screen.text)")
        dashboard.type("q")
        try dashboard.expectEnd(.exited(0))
        #expect(dashboard.files == ["1.txt", "2.txt"])
    }

    /// Runs a line of the shell on a terminal; the program is its `$0`.
    private func start(_ line: String, in scratch: Scratch) throws -> Pseudoterminal {
        try Pseudoterminal(
            "/bin/sh",
            arguments: ["-c", line, Program.path],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
    }

    @Test func aListOnStandardInputLeavesTheKeysToTheTerminal() throws {
        let scratch = try Scratch()
        scratch.write("\(origin.url("/1.txt"))\n\(origin.url("/2.txt"))\n", to: "home/urls.txt")
        let shell = try start("cat ../home/urls.txt | \"$0\" -", in: scratch)
        #expect(shell.waitForText("2.txt"), "\(shell.screen.text)")
        #expect(shell.wait { _ in FileTree.names(in: scratch.downloads) == ["1.txt", "2.txt"] })
        shell.type("qq")
        #expect(shell.waitForExit() == .exited(0), "\(shell.screen.text)")
        #expect(shell.screen.remains == [])
        #expect(shell.modes == shell.initialModes)
    }

    @Test(arguments: [
        ("cat ../home/urls.txt | \"$0\"", true), ("\"$0\" < ../home/urls.txt", true), ("\"$0\" < /dev/null", false),
        ("\"$0\"", false), ("cat ../home/urls.txt | \"$0\" -q", false),
    ])
    func standardInputThatIsNotReadIsNamed(line: String, isTold: Bool) throws {
        let scratch = try Scratch()
        scratch.write("\(origin.url("/1.txt"))\n", to: "home/urls.txt")
        let shell = try start(line, in: scratch)
        #expect(shell.waitForText("Paste or type URLs"), "\(shell.screen.text)")
        let isQuiet = line.hasSuffix("-q")
        if isTold || isQuiet { #expect(shell.waitForText("standard input is not read"), "\(shell.screen.text)") }
        shell.type("\u{1B}")
        #expect(shell.waitForText("q quit"), "\(shell.screen.text)")
        shell.type("q")
        #expect(shell.waitForExit() == .exited(0), "\(shell.screen.text)")
        let text = "sluice: standard input is not read: 'sluice -' reads it"
        #expect(shell.screen.text.contains(text) == isTold, "\(shell.screen.text)")
        #expect(FileTree.names(in: scratch.downloads).isEmpty)
    }

    @Test func aListThatComesLateThroughAPipeThatDoesNotBlockIsRead() throws {
        let scratch = try Scratch()
        let list = scratch.home + "/urls"
        #expect(unsafe mkfifo(list, 0o600) == 0)
        let unblock = "use Fcntl; fcntl(STDIN, F_SETFL, O_NONBLOCK); exec @ARGV"
        let shell = try start("cat ../home/urls | perl -e '\(unblock)' \"$0\" -", in: scratch)
        #expect(shell.waitForText("Paste or type URLs"), "\(shell.screen.text)")
        scratch.write(origin.url("/1.txt\n"), to: "home/urls")
        #expect(shell.wait { _ in FileTree.names(in: scratch.downloads) == ["1.txt"] })
        shell.type("qq")
        #expect(shell.waitForExit() == .exited(0), "\(shell.screen.text)")
    }

    @Test func anIdleDashboardWritesNothing() throws {
        let dashboard = try DashboardScreen()
        dashboard.type(origin.url("/1.txt") + "\r")
        #expect(try dashboard.wait { $0.indicatorStates.last == "notActive" && $0.taskOutcomes == ["success"] })
        // What ended stays in sight for some seconds.
        #expect(dashboard.shows("Nothing runs: 1 done"), "\(dashboard.screen.text)")
        _ = dashboard.terminal.bytes(for: .milliseconds(300))
        // And then the clock may step.
        if 60 - time(nil) % 60 < 4 { _ = dashboard.terminal.bytes(for: .seconds(5)) }
        let wakeUps = try #require(dashboard.terminal.wakeUps)
        #expect(dashboard.terminal.bytes(for: .seconds(2)) == [])
        #expect(dashboard.terminal.wakeUps == wakeUps)
        try dashboard.quit()
    }

    @Test func aTerminalThatOnlyShowsLinesGetsLines() throws {
        let scratch = try Scratch()
        let terminal = try Pseudoterminal(
            Program.path,
            environment: Program.environment(home: scratch.home).merging(["TERM": "dumb"]) { $1 },
            directory: scratch.downloads
        )
        #expect(terminal.waitForText("status tells how things stand"))
        #expect(terminal.screen.text.contains("TERM=dumb can't be drawn on: this is sluice --plain"))
        terminal.type("quit\n")
        #expect(terminal.waitForExit() == .exited(0))
        #expect(terminal.modes == terminal.initialModes)
    }

    private func expectEvents(in path: String, _ location: SourceLocation = #_sourceLocation) throws {
        var lines = EventLines()
        try lines.add(FileTree.contents(of: path, from: 0))
        try lines.end()
        #expect(lines.events.taskOutcomes == ["success"], sourceLocation: location)
    }

    @Test func theSummaryIsNoneOfTheEvents() throws {
        let scratch = try Scratch()
        let shell = try start("\"$0\" --events - \(origin.url("/1.txt")) > ../home/events", in: scratch)
        #expect(shell.waitForText("1 done"), "\(shell.screen.text)")
        shell.type("q")
        #expect(shell.waitForExit() == .exited(0), "\(shell.screen.text)")
        #expect(shell.screen.text.contains("saved 1 file in "), "\(shell.screen.text)")
        #expect(shell.screen.remains == [])
        try expectEvents(in: scratch.path("home/events"))
    }

    @Test func aTerminalThatOnlyShowsLinesGetsThemBesideTheEvents() throws {
        let scratch = try Scratch()
        let line = "TERM=dumb \"$0\" --events - \(origin.url("/1.txt")) > ../home/events"
        let shell = try start(line, in: scratch)
        #expect(shell.waitForText("status tells how things stand"), "\(shell.screen.text)")
        #expect(shell.waitForText("saved 1.txt"), "\(shell.screen.text)")
        shell.type("quit\n")
        #expect(shell.waitForExit() == .exited(0), "\(shell.screen.text)")
        try expectEvents(in: scratch.path("home/events"))
    }

    /// Where nothing is drawn, a list may be typed; whether the environment or the configuration says so.
    @Test(arguments: [true, false]) func aListIsTypedWhereNoKeysAreNeeded(isDumb: Bool) throws {
        let scratch = try Scratch()
        let file = scratch.write("plain = \(!isDumb)\n", to: "home/plain.toml")
        var environment = Program.environment(home: scratch.home)
        if isDumb { environment["TERM"] = "dumb" }
        let terminal = try Pseudoterminal(
            Program.path,
            arguments: ["--config", file, "-"],
            environment: environment,
            directory: scratch.downloads
        )
        #expect(terminal.waitForText("It ends when the list has ended"), "\(terminal.screen.text)")
        terminal.type(origin.url("/1.txt") + "\n")
        #expect(terminal.waitForText("saved 1.txt"), "\(terminal.screen.text)")
        terminal.type("\u{4}")
        #expect(terminal.waitForExit() == .exited(0), "\(terminal.screen.text)")
        #expect(terminal.modes == terminal.initialModes)
    }

    @Test func aTerminalThatNobodyKnowsIsRefused() throws {
        let name = "unknown"
        let scratch = try Scratch()
        let terminal = try Pseudoterminal(
            Program.path,
            environment: Program.environment(home: scratch.home).merging(["TERM": name]) { $1 }
        )
        #expect(terminal.waitForExit() == .exited(2))
        #expect(terminal.screen.text.contains("the dashboard can't draw on TERM=\(name)"), "\(terminal.screen.text)")
        #expect(terminal.screen.remains == [])
        #expect(terminal.modes == terminal.initialModes)
    }

    @Test(arguments: [["--events", "-"], ["demo", "--events", "-"], ["--log", "-"]])
    func neitherEventsNorLogWriteOverTheScreen(arguments: [String]) throws {
        let scratch = try Scratch()
        let terminal = try Pseudoterminal(
            Program.path,
            arguments: arguments,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        #expect(terminal.waitForExit() == .exited(2))
        let what = arguments.contains("--log") ? "log" : "events"
        #expect(terminal.screen.text.contains("send the \(what) to a file"), "\(terminal.screen.text)")
        #expect(terminal.screen.remains == [])
    }

    @Test(arguments: [([String](), "sluice get"), (["demo"], "sluice demo --plain")])
    func withoutATerminalItIsRefused(arguments: [String], instead: String) throws {
        let scratch = try Scratch()
        let program = try ChildProcess(
            Program.path,
            arguments: arguments,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        let result = program.finish()
        #expect(result.exit == .exited(2))
        #expect(result.errorText == "sluice: the dashboard needs a terminal; use '\(instead)' without one\n")
        #expect(result.output.isEmpty)
    }
}
