import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// `sluice replay`: a recorded session in the dashboard.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct ReplayTests {
    /// Starts a replay and waits for its first frame.
    private func replay(_ arguments: [String], width: Int = 120, height: Int = 36) throws -> Pseudoterminal {
        let scratch = try Scratch()
        let terminal = try Pseudoterminal(
            Program.path,
            arguments: ["replay"] + arguments,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads,
            width: width,
            height: height
        )
        try #require(terminal.waitForText("sluice replay"), "\(terminal.screen.text)")
        return terminal
    }

    private func expectEnd(_ terminal: Pseudoterminal) {
        terminal.type("q")
        #expect(terminal.waitForExit() == .exited(0))
        #expect(terminal.screen.remains == [] && terminal.screen.unknown == [])
        #expect(terminal.modes == terminal.initialModes)
    }

    @Test func aRecordedDemoEndsInTheSameScreen() throws {
        let dashboard = try DashboardScreen(["demo"], width: 120, height: 36)
        #expect(try dashboard.wait(within: .seconds(240)) { $0.taskOutcomes.count >= 4 })
        dashboard.type("P")
        #expect(dashboard.shows("all paused"), "\(dashboard.screen.text)")
        // Now only what fades away by itself changes: the message, ended tasks, and the feed's last requests.
        #expect(try dashboard.wait(within: .seconds(240)) { $0.indicatorStates.last == "notActive" })
        let isStill = dashboard.terminal.wait(within: .seconds(240)) { screen in
            screen.text.contains("○ idle") && !screen.text.contains("✓ ") && !screen.text.contains("all paused")
                && !screen.rows.contains(where: Self.isOfEndedTask)
        }
        #expect(isStill, "\(dashboard.screen.text)")
        dashboard.type("q")
        #expect(dashboard.shows("again to quit"))
        let live = dashboard.screen.text
        dashboard.type("q")
        try dashboard.expectEnd(.exited(0))
        // The demo's feed goes on until the end: the look was taken before one of the last events, at rest since the
        // event before. A step back would land on that event, when what it ended still lingers.
        let times = dashboard.events.map(\.t)
        let moments = Set(times.suffix(8)).sorted(by: >).map { $0 - 0.001 }
        let log = dashboard.scratch.path("events.jsonl")
        // A recording offers no key that would change it.
        let expected = Self.comparable(
            live.replacing(" · p resumes", with: "            ")
                .replacing("All paused: P resumes all ", with: "paused, holding no slot ╌╌")
        )
        let facts = Self.factsOnTheRight(live)
        #expect(facts.count >= 6, "\(facts)")
        var differences: [String] = []
        var isSame = false
        for moment in moments where !isSame {
            let terminal = try replay([log, "--at", "\(moment)", "--paused"])
            isSame = terminal.wait(within: .seconds(5)) { screen in
                Self.comparable(screen.text) == expected && Self.factsOnTheRight(screen.text) == facts
            }
            let rows = zip(expected, Self.comparable(terminal.screen.text))
            let factsThere = Self.factsOnTheRight(terminal.screen.text)
            differences.append("\(moment): \(rows.filter { $0 != $1 }) \(factsThere == facts ? [] : factsThere)")
            expectEnd(terminal)
        }
        #expect(isSame, "\(differences.joined(separator: "\n"))\n\(live)")
    }

    /// Whether a row shows a task that has just ended, and will go by itself.
    private static func isOfEndedTask(_ row: String) -> Bool { row.prefix(4).contains { "✓✗⊘".contains($0) } }

    /// What a screen says that a recording says too.
    ///
    /// Left out: the place in the recording, the clock, the graphs, and what is measured between two events; the
    /// preview, since a recording holds no pictures; and the last two rows, which say what can be done now.
    private static func comparable(_ text: String) -> [String] {
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
        return rows.enumerated().map { index, row in
            var left = index == 0 ? String(row) : String(row.prefix(76))
            for pattern in [
                /[⠀-⣿]/, /sluice (?:demo|replay)/, /[‖»▸] [0-9:]+ . [0-9:]+ +[0-9.]+×/, /[0-9]+:[0-9]{2}\b/,
                #/[0-9.]+ [KM]iB · /#,
            ] {
                left = left.replacing(pattern, with: " ")
            }
            // The folder of the files is no part of an event, nor which receipts wait.
            let word = left.split(separator: " ").dropFirst().first ?? ""
            if word == "to" || word == "for" { left = "" }
            return left.split(separator: " ").joined(separator: " ")
        }
    }

    /// What the panels of cache and network say that events tell to the byte.
    ///
    /// The rest is none of it: graphs, rates and sums are measured between two events, and whether a request asked the
    /// cache depends on its own policy.
    private static func factsOnTheRight(_ text: String) -> [String] {
        let patterns: [Regex<Substring>] = [
            // How full the cache is, and to what it purges.
            #/3 cache ─+ .+ ─╮/#, #/█.* [0-9]+ %/#, #/purge to .+▴|after a purge .+▴/#, #/[0-9]+ images? ·/#,
            #/largest [0-9.]+ [A-Za-z]+/#,
            // What came last, and what was purged; the times may be rounded otherwise.
            #/[^ │]+ +[0-9.]+ [KM]iB(?= +[0-9]+:)/#, #/−[0-9.]+ [KM]iB +[0-9]+ images? +[a-z]+/#,
            #/nothing purged yet|[0-9]+ purges?\b.*/#,
            #/6 network ─+ .+ ─╮/#, #/[0-9]+ transfers?\b/#,
        ]
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { row -> [String] in
            let right = row.dropFirst(76)
            return patterns.compactMap { right.firstMatch(of: $0).map { String($0.output) } }
        }
    }

    @Test func aRecordedRunIsShownPlayedAndLeft() throws {
        let origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
        let (run, result) = try GetRun.run((1...12).map { origin.url("/\($0).txt") })
        #expect(result.exit == .exited(0))
        let log = run.scratch.path("events.jsonl")

        let terminal = try replay([log, "--at", "100%", "--ascii"], width: 100, height: 30)
        #expect(terminal.waitForText("12 done"), "\(terminal.screen.text)")
        terminal.type("8")
        #expect(terminal.waitForText("saved"), "\(terminal.screen.text)")
        terminal.type("\u{1B}[H")
        let isAtStart = terminal.wait { $0.text.contains("event 0 of") || $0.text.contains("event 1 of") }
        #expect(isAtStart, "\(terminal.screen.text)")
        terminal.type("...")
        #expect(terminal.wait { $0.text.contains("event 3 of") || $0.text.contains("event 4 of") })
        terminal.type("P")
        #expect(terminal.waitForText("a recording can't be changed"), "\(terminal.screen.text)")
        terminal.type(" ")
        #expect(terminal.waitForText("ended"), "\(terminal.screen.text)")
        expectEnd(terminal)
        #expect(origin.log.requests.count == 12, "nothing is asked of the network")
        #expect(run.scratch.strays.isEmpty)
    }

    @Test func aSignalRestoresTheTerminal() throws {
        let scratch = try Scratch()
        let line = #"{"seq":1,"t":0,"time":"2026-11-21T10:16:00.250Z","event":"warning","code":"a","message":"b"}"#
        let terminal = try replay([scratch.write(line + "\n", to: "log")])
        terminal.send(signal: 15)
        #expect(terminal.waitForExit() != nil)
        #expect(terminal.screen.remains == [])
        #expect(terminal.modes == terminal.initialModes)
    }

    @Test func plainLinesTellItAll() throws {
        let origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
        let (run, _) = try GetRun.run([origin.url("/a.txt"), origin.url("/b.txt")])
        let log = run.scratch.path("events.jsonl")
        let result = try ChildProcess(Program.path, arguments: ["replay", log, "--plain"]).finish()
        #expect(result.exit == .exited(0) && result.errors.isEmpty)
        let lines = result.outputText.split(separator: "\n")
        #expect(lines.contains { $0.contains("saved a.txt") } && lines.last?.contains("ended session") == true)
        #expect(lines.allSatisfy { $0.hasSuffix(".") })
    }

    @Test(arguments: [("0", [1, 2, 3]), ("2", [2, 3]), ("2.5", [3]), ("50%", [2, 3]), ("100%", [3]), ("1:00", [3])])
    func plainLinesBeginWhereTheyAreToldTo(place: String, told: [Int]) throws {
        let scratch = try Scratch()
        let lines = (1...3).map { number in
            #"{"seq":\#(number),"t":\#(number),"time":"2026-11-21T10:16:0\#(number).250Z","event":"warning","#
                + #""code":"list","message":"number \#(number)"}"# + "\n"
        }
        let log = scratch.write(lines.joined(), to: "log")
        let result = try ChildProcess(Program.path, arguments: ["replay", log, "--plain", "--at", place]).finish()
        #expect(result.exit == .exited(0), "\(result.errorText)")
        #expect((1...3).filter { result.outputText.contains("number \($0)") } == told, "\(result.outputText)")
    }

    @Test func plainLinesEndWithTheLineThatIsCutOff() throws {
        let scratch = try Scratch()
        let line = #"{"seq":1,"t":0,"time":"2026-11-21T10:16:00.250Z","event":"warning","code":"a","message":"b"}"#
        let log = scratch.write(line + "\n" + #"{"seq":2,"t":"#, to: "log")
        let result = try ChildProcess(Program.path, arguments: ["replay", log, "--plain"]).finish()
        #expect(result.exit == .exited(0) && !result.output.isEmpty)
        #expect(result.errorText.contains("log, line 2 is cut off: shown is all before it"), "\(result.errorText)")
    }

    /// Nobody can do it to a recording.
    @Test func plainLinesOfferNoRetry() throws {
        let origin = try Origin()
        origin.setFallback { _, _ in OriginResponse(503) }
        let (run, _) = try GetRun.run(["--retries", "0", origin.url("/a.txt")])
        let log = run.scratch.path("events.jsonl")
        let result = try ChildProcess(Program.path, arguments: ["replay", log, "--plain"]).finish()
        #expect(result.outputText.contains(" failed a.txt: "), "\(result.outputText)")
        #expect(!result.outputText.contains("tries again"), "\(result.outputText)")
    }

    @Test func plainLinesCountWhoShareADownload() throws {
        let origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
        let (run, _) = try GetRun.run([String](repeating: origin.url("/a.txt"), count: 3))
        let log = run.scratch.path("events.jsonl")
        let result = try ChildProcess(Program.path, arguments: ["replay", log, "--plain"]).finish()
        let merged = result.outputText.split(separator: "\n").filter { $0.contains("merged") }
        #expect(merged.count == 2)
        for (line, count) in zip(merged, 2...3) {
            #expect(line.contains("now ×\(count)") && line.contains("serves \(count)"), "\(line)")
        }
    }

    @Test(arguments: [
        (["/nowhere/log"], "can't read /nowhere/log: No such file"), (["/"], "can't replay /: Is a directory"),
        (["EMPTY"], "there is no event in it; record one with --events FILE"),
        (["TEXT"], "line 2: it is no JSON"), (["CUT"], "line 1: it is no whole event, and none stands before it"),
        (["/dev/null", "--speed", "0"], "--speed can be a number from 0.25 to 64"),
        (["/dev/null", "--at", "soon"], "--at can be a time such as 90"), ([], "Missing expected argument"),
        (["TWO"], "line 2: another session begins here"), (["GOOD"], "the dashboard needs a terminal"),
    ])
    func whatCannotBeReplayedSaysWhatToDo(arguments: [String], sentence: String) throws {
        let scratch = try Scratch()
        let line = #"{"seq":1,"t":0,"time":"2026-11-21T10:16:00.250Z","event":"warning","code":"a","message":"b"}"#
        let texts = [
            "EMPTY": "", "TEXT": line + "\nhello\n", "CUT": String(line.prefix(9)), "TWO": line + "\n" + line + "\n",
            "GOOD": line + "\n",
        ]
        let words = arguments.map { word in texts[word].map { scratch.write($0, to: word) } ?? word }
        let result = try ChildProcess(Program.path, arguments: ["replay"] + words).finish()
        #expect(result.exit == .exited(2))
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        #expect(result.output.isEmpty)
    }
}
