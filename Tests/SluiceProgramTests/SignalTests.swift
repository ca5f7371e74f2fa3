import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// How `sluice get` ends when it is told to.
@Suite(.timeLimit(.minutes(15)))
struct SignalTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.offerStalledFile()
        origin.setFallback { _, _ in .text("text") }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalStopsItAndKeepsThePart(number: Int32) throws {
        let run = try GetRun([origin.url("/slow.bin"), origin.url("/done.txt")])
        #expect(
            try run.wait { events in
                events.named("task.progress").contains { $0["received"]?.int == 600_000 }
                    && events.taskOutcomes == ["success"]
            }
        )
        run.child.send(signal: number)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .exited(7), "\(result.errors)")
        #expect(result.files == ["done.txt", "slow.bin.part"])
        #expect(run.contents(of: "slow.bin.part") == pattern(600_000))
        #expect(result.events.last?["left"]?.int == 1)
        #expect(result.errors.contains("1 unfinished: the same command resumes them"), "\(result.errors)")
        #expect(origin.waitUntil { $0.closes("/slow.bin").count == 1 })
    }

    /// As by `timeout`, which sends its signal to its child, and to the group that this is in.
    @Test(arguments: [[SIGINT, SIGTERM], [SIGHUP, SIGTERM]]) func aDoubledSignalCountsOnce(numbers: [Int32]) throws {
        let run = try GetRun([origin.url("/slow.bin")])
        #expect(try run.wait { $0.named("task.progress").contains { $0["received"]?.int == 600_000 } })
        // What is sent while it stands still comes all at once when it goes on.
        run.child.send(signal: SIGSTOP)
        #expect(ProcessState(run.child.processIdentifier).wait { $0.isStopped })
        for number in numbers { run.child.send(signal: number) }
        run.child.send(signal: SIGCONT)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .exited(7), "\(result.errors)")
        #expect(result.events.last?["left"]?.int == 1)
        #expect(result.errors.contains("1 unfinished: the same command resumes them"), "\(result.errors)")
    }

    /// What came meanwhile waits in the socket: it is read before anybody is said to be silent.
    @Test func whoWasStoppedBlamesNoServer() throws {
        origin.route("/rest.bin") { _, _ in
            var answer = OriginResponse(body: .bytes(pattern(20_000)))
            answer.gates = [(10_000, "rest")]
            return answer
        }
        origin.hold("rest")
        let run = try GetRun(["--timeout", "4", "--retries", "0", origin.url("/rest.bin")])
        #expect(try run.wait { $0.named("task.progress").contains { $0["received"]?.int == 10_000 } })
        run.child.send(signal: SIGSTOP)
        origin.release("rest")
        #expect(origin.waitUntil { $0.answered == 1 })
        _ = run.child.waitForExit(within: .seconds(5))
        run.child.send(signal: SIGCONT)
        let result = try run.finish()
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(run.contents(of: "rest.bin") == pattern(20_000))
    }

    /// As after ^S: the line of progress is not waited for, nor the summary.
    @Test func aTerminalThatStandsStillHoldsUpNoEnd() throws {
        let scratch = try Scratch()
        let terminal = try Pseudoterminal(
            Program.path,
            arguments: ["get", origin.url("/slow.bin")],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        #expect(terminal.waitForText("30% of"))
        terminal.type("\u{13}")
        #expect(origin.waitUntil { $0.hits("/slow.bin") == 1 })
        terminal.send(signal: SIGTERM)
        #expect(terminal.waitForExit() == .exited(7))
        #expect(FileTree.names(in: scratch.downloads) == ["slow.bin.part"])
    }

    /// Of a pipe that is read, its writer; of one that is written, its reader.
    @Test(arguments: ["--events", "--log", "-i"], [SIGTERM, SIGINT])
    func aSignalIsHeardWhileAPipeLacksItsOtherEnd(option: String, number: Int32) throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let run = try GetRun([option, pipe, origin.url("/done.txt")], events: .nowhere)
        // From then on it is heard, whatever the program does just then.
        #expect(ProcessState(run.child.processIdentifier).wait { $0.catches(number) })
        run.child.send(signal: number)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .exited(7), "\(result.errors)")
        #expect(result.errors.contains("nothing was downloaded") && origin.log.requests.isEmpty, "\(result.errors)")
    }

    /// What is read before anything runs: there is nothing to keep, and no need to wait.
    @Test(arguments: ["--cacert", "--cert", "--proxy-cacert", "--pin", "--netrc"], [SIGTERM, SIGINT])
    func aSignalEndsItWhileAFileOfTheCommandLineIsAPipe(option: String, number: Int32) throws {
        let scratch = try Scratch()
        let pipe = scratch.home + "/.netrc"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let words: [String] =
            switch option {
            case "--netrc": [option]
            case "--pin": [option, "localhost=\(pipe)"]
            default: [option, pipe]
            }
        let run = try GetRun(words + [origin.url("/done.txt")], events: .nowhere, in: scratch)
        let writer = try #require(silentWriter(of: pipe))
        defer { close(writer) }
        run.child.send(signal: number)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .signalled(number), "\(result.errors)")
        #expect(origin.log.requests.isEmpty)
    }

    @Test func aSignalEndsTheDashboardWhileAFileOfTheCommandLineIsAPipe() throws {
        let scratch = try Scratch()
        let pipe = scratch.path("pipe")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let terminal = try Pseudoterminal(
            Program.path,
            arguments: ["--cacert", pipe],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        let writer = try #require(silentWriter(of: pipe))
        defer { close(writer) }
        terminal.send(signal: SIGTERM)
        #expect(terminal.waitForExit() == .signalled(SIGTERM))
    }

    /// Opens the other end of a pipe, which can be had only once it is read, and writes nothing.
    ///
    /// - Returns: For the caller to close; `nil` if nobody came to read it.
    private func silentWriter(of pipe: String) -> Int32? {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end {
            let writer = unsafe open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if writer >= 0 { return writer }
            poll(nil, 0, 2)
        }
        return nil
    }

    @Test func aPipeIsWrittenOnceItIsRead() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let run = try GetRun(["--events", pipe, origin.url("/done.txt")], events: .nowhere)
        let reader = try ChildProcess("/bin/cat", arguments: [pipe])
        #expect(try run.finish().exit == .exited(0))
        let text = reader.finish().outputText
        #expect(text.contains("\"event\":\"session.started\"") && text.contains("\"event\":\"session.ended\""))
    }

    @Test func aQueueThatNothingResumesIsNoSilentWait() throws {
        let run = try GetRun(["--suspended", "true", origin.url("/done.txt")])
        #expect(try run.wait { $0.submissions == ["queued"] })
        run.child.send(signal: SIGTERM)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .exited(7) && origin.log.requests.isEmpty)
        #expect(
            result.errors.contains("sluice: the queue is suspended, and nothing here resumes it"),
            "\(result.errors)"
        )
        let left = "1 unfinished: the queue was suspended, and the same command suspends it again"
        #expect(result.errors.contains(left) && !result.errors.contains("resumes them"), "\(result.errors)")
    }

    @Test func whatWasQueuedWhenTheSignalCameNeverStarts() throws {
        origin.hold()
        let run = try GetRun((1...10).map { origin.url("/\($0).txt") })
        #expect(try run.wait { $0.submissions.count == 10 })
        #expect(origin.waitUntil { $0.held == 4 })
        run.child.send(signal: SIGTERM)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .exited(7))
        #expect(result.files.isEmpty)
        #expect(result.events.last?["left"]?.int == 10)
        #expect(origin.log.requests.count == 4)
    }

    @Test func aSignalIsHeardWhileAListIsRead() throws {
        origin.hold()
        let scratch = try Scratch()
        let urls = (1...4).map { origin.url("/\($0).txt\n") }.joined()
        // Takes seconds to read, of which the signal comes in the first.
        let comments = String(repeating: "#\n", count: 8_000_000)
        scratch.write(urls + comments + origin.url("/last.txt\n"), to: "home/urls.txt")
        let run = try GetRun(["-i", scratch.path("home/urls.txt")], in: scratch)
        #expect(origin.waitUntil { $0.held == 4 })
        run.child.send(signal: SIGTERM)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .exited(7), "\(result.errors)")
        #expect(result.errors.contains("before the lists were read to their ends"), "\(result.errors)")
        #expect(result.events.submissions.count == 4 && result.events.last?["left"]?.int == 4)
    }

    @Test func aSignalEndsTheWaitForInput() throws {
        origin.hold()
        let run = try GetRun(["-i", "-"])
        run.child.write(origin.url("/1.txt\n"))
        #expect(origin.waitUntil { $0.held == 1 })
        run.child.send(signal: SIGINT)
        #expect(try run.finish(closesInput: false).exit == .exited(7))
    }

    @Test(arguments: [("/1.txt", 0), ("/missing.txt", 1)])
    func aSignalWhenEverythingIsDoneIsNoInterruption(path: String, status: Int32) throws {
        origin.route("/missing.txt", OriginResponse(404))
        let run = try GetRun(["-i", "-"])
        run.child.write(origin.url("\(path)\n"))
        #expect(try run.wait { $0.named("receipt.finished").count == 1 })
        run.child.send(signal: SIGTERM)
        let result = try run.finish(closesInput: false)
        #expect(result.exit == .exited(status))
        #expect(result.events.last?["left"]?.int == 0)
    }

    @Test(arguments: [[SIGINT, SIGINT], [SIGTERM, SIGINT], [SIGHUP, SIGTERM]])
    func aSecondSignalEndsItAtOnce(numbers: [Int32]) throws {
        origin.hold()
        let scratch = try Scratch()
        // For half a second after the first signal it can't end by itself: its first event is longer than what a pipe
        // holds (64 KiB), and is read no further than its name, which comes with the first read or the second.
        scratch.write(origin.url("/1.txt?\(String(repeating: "x", count: 300_000))"), to: "home/urls.txt")
        let run = try GetRun(["-i", scratch.path("home/urls.txt")], events: .output, in: scratch)
        #expect(run.child.waitForOutput("request.submitted"))
        let state = ProcessState(run.child.processIdentifier)
        run.child.send(signal: numbers[0])
        #expect(state.wait { !$0.isPending(numbers[0]) })
        #expect(!state.hasEnded)
        let hasEnded = state.wait { state in
            // One that comes right behind the first counts as that one.
            run.child.send(signal: numbers[1])
            return state.hasEnded
        }
        #expect(hasEnded)
        let result = try run.finish(closesInput: false, isWhole: false)
        #expect(result.exit == .exited(128 + numbers[1]))
    }
}
