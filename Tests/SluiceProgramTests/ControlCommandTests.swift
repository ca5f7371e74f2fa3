import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// `sluice ctl` and `sluice add` against a dashboard that they find by themselves.
@Suite(.timeLimit(.minutes(15)))
struct ControlCommandTests {
    private func sluice(_ arguments: [String], _ scratch: Scratch) throws -> ChildProcess.Result {
        let child = try ChildProcess(
            Program.path,
            arguments: arguments,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        return child.finish()
    }

    @Test func theOnlyDashboardIsFoundSteeredAndEnded() throws {
        let origin = try Origin()
        origin.route("/a.txt", .text("hello"))
        let dashboard = try DashboardScreen()
        let scratch = dashboard.scratch
        let folder = scratch.home + "/state/sluice/run"
        var status = stat()
        #expect(unsafe stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(FileTree.names(in: folder) == ["\(dashboard.terminal.processIdentifier).sock"])

        let added = try sluice(["add", origin.url("/a.txt"), "gopher://x"], scratch)
        #expect(added.exit == .exited(1) && added.outputText.hasPrefix("started "), "\(added.errorText)")
        #expect(added.outputText.contains("\nrejected gopher://x: "))
        let waited = try sluice(["ctl", "wait"], scratch)
        #expect(waited.exit == .exited(0) && waited.outputText == "{}\n", "\(waited.errorText)")
        #expect(dashboard.files == ["a.txt"])
        #expect(dashboard.shows("a.txt"))
        let state = try sluice(["ctl", "state"], scratch)
        #expect(try JSONValue(parsing: state.outputText)["counts"]?["succeeded"] == .integer(1))
        let set = try sluice(["ctl", "set", #"{"name":"maxActive","value":7}"#], scratch)
        #expect(set.outputText == #"{"name":"maxActive","from":4,"to":7}"# + "\n")
        // Who names it wants it tried again.
        origin.route("/gone.txt", OriginResponse(404))
        for _ in 1...2 {
            let gone = try sluice(["add", origin.url("/gone.txt")], scratch)
            #expect(gone.exit == .exited(0) && gone.outputText.hasPrefix("started "), "\(gone.outputText)")
            #expect(try sluice(["ctl", "wait"], scratch).exit == .exited(0))
        }
        let wrong = try sluice(["ctl", "set", #"{"name":"maxActive","value":"many"}"#], scratch)
        #expect(wrong.exit == .exited(1) && wrong.errorText.contains("1 to 64") && wrong.output.isEmpty)
        let noJSON = try sluice(["ctl", "set", "{"], scratch)
        #expect(noJSON.exit == .exited(1) && noJSON.errorText.contains("is no JSON"))
        // Who calls wrongly is shown a right call of that very method, to be copied.
        #expect(noJSON.errorText.hasSuffix("\n  sluice ctl set '{\"name\":\"maxActive\",\"value\":8}'\n"))
        for (call, right) in [
            (["pause", "2"], #"pause '{"task":2}'"#), (["move", #"{"task":2}"#], #"move '{"task":2,"by":-1}'"#),
            (["state", "5"], "state"),
        ] {
            let misuse = try sluice(["ctl"] + call, scratch)
            #expect(misuse.exit == .exited(1) && misuse.output.isEmpty)
            #expect(misuse.errorText.hasSuffix("; as in:\n  sluice ctl \(right)\n"), "\(misuse.errorText)")
        }
        let gone = try sluice(["ctl", "abort", #"{"task":99}"#], scratch)
        #expect(gone.exit == .exited(1) && !gone.errorText.contains("as in:"), "the call was right: \(gone.errorText)")
        let unknown = try sluice(["ctl", "stat"], scratch)
        #expect(unknown.exit == .exited(1) && unknown.errorText.contains("did you mean state"))

        // A follower sees the events to the end.
        let follower = try ChildProcess(
            Program.path,
            arguments: ["ctl", "subscribe", #"{"since":0}"#],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        #expect(follower.waitForOutput(#""name":"maxActive""#), "\(follower.errorText)")
        let quit = try sluice(["ctl", "quit"], scratch)
        #expect(quit.exit == .exited(0) && quit.outputText == "{}\n")
        try dashboard.expectEnd(.exited(0))
        let followed = follower.finish()
        #expect(followed.exit == .exited(0))
        var lines = followed.outputText.split(separator: "\n").map(String.init)
        #expect(try JSONValue(parsing: lines.removeFirst())["seq"]?.int != nil)
        #expect(try EventStreamChecker.check(lines).count == dashboard.events.count)
        // The answer to the call in its first line is no event, and in no replay's way.
        let replay = try sluice(
            ["replay", scratch.write(followed.outputText, to: "home/followed"), "--plain"],
            scratch
        )
        #expect(replay.exit == .exited(0) && replay.outputText.contains("saved a.txt"), "\(replay.errorText)")
        #expect(FileTree.names(in: folder).isEmpty)
        let nobody = try sluice(["ctl", "state"], scratch)
        #expect(nobody.exit == .exited(1) && nobody.errorText.contains("no running Sluice"))
    }

    @Test func whoFollowsOneThatIsKilledIsToldSo() throws {
        let scratch = try Scratch()
        let run = try GetRun(["--socket", scratch.path("s")], events: .nowhere, in: scratch)
        _ = try ControlPeer(scratch.path("s"))
        let follower = try ChildProcess(
            Program.path,
            arguments: ["ctl", "subscribe", #"{"since":0}"#, "--socket", scratch.path("s")],
            environment: Program.environment(home: scratch.home)
        )
        #expect(follower.waitForOutput("session.started"), "\(follower.errorText)")
        run.child.send(signal: SIGKILL)
        _ = try run.finish(isWhole: false)
        let followed = follower.finish()
        #expect(followed.exit == .exited(1))
        #expect(
            followed.errorText.contains("the connection ended before session.ended: Sluice was killed"),
            "\(followed.errorText)"
        )
    }

    @Test func twoOfThemHaveToBeNamed() throws {
        let scratch = try Scratch()
        let folder = scratch.home + "/state/sluice/run"
        for part in ["/state", "/state/sluice", "/state/sluice/run"] { unsafe mkdir(scratch.home + part, 0o700) }
        let runs = try ["a", "b"].map {
            try GetRun(["--socket", "\(folder)/\($0).sock"], events: .nowhere, in: scratch)
        }
        for name in ["a", "b"] { _ = try ControlPeer("\(folder)/\(name).sock") }
        // What a dead one left is no choice.
        try killedSocket(at: folder + "/c.sock", scratch)
        let unclear = try sluice(["ctl", "state"], scratch)
        #expect(unclear.exit == .exited(2) && unclear.output.isEmpty)
        #expect(["a.sock", "b.sock", "--socket"].allSatisfy { unclear.errorText.contains($0) }, "\(unclear.errorText)")
        #expect(!unclear.errorText.contains("c.sock"))
        for (name, run) in zip(["a", "b"], runs) {
            let quit = try sluice(["ctl", "quit", "--socket", "\(folder)/\(name).sock"], scratch)
            #expect(quit.exit == .exited(0))
            #expect(try run.finish().exit == .exited(0))
        }
    }

    @Test func anAnswerThatFindsNoRoomIsAFailure() throws {
        let scratch = try Scratch()
        let run = try GetRun(["--socket", scratch.path("s")], events: .nowhere, in: scratch)
        _ = try ControlPeer(scratch.path("s"))
        for command in [
            "ctl --socket s state", "add --socket s gopher://x", "cache info", "man", "--help", "get --help",
            "--version", "--generate-completion-script bash", "--plain --ephemeral data:,x < /dev/null",
        ] {
            let words = "cd \(scratch.path("")) && \(Program.path) \(command) > /dev/full"
            let environment = Program.environment(home: scratch.home)
            let result = try ChildProcess("/bin/sh", arguments: ["-c", words], environment: environment).finish()
            #expect(result.exit == .exited(1), "\(command)")
            #expect(result.errorText.contains("can't write to standard output: No space left"), "\(result.errorText)")
        }
        _ = try sluice(["ctl", "quit", "--socket", scratch.path("s")], scratch)
        #expect(try run.finish().exit == .exited(1))
    }

    @Test func aStoppedSluiceIsWaitedForAloud() throws {
        let scratch = try Scratch()
        let run = try GetRun(["--socket", scratch.path("s")], events: .nowhere, in: scratch)
        _ = try ControlPeer(scratch.path("s")).call("state")
        run.child.send(signal: SIGSTOP)
        let child = try ChildProcess(
            Program.path,
            arguments: ["ctl", "quit", "--socket", scratch.path("s")],
            environment: Program.environment(home: scratch.home)
        )
        #expect(child.wait { child.errorText.contains("no answer yet from") })
        run.child.send(signal: SIGCONT)
        #expect(child.finish().exit == .exited(0))
        #expect(try run.finish().exit == .exited(0))
    }

    private func killedSocket(at path: String, _ scratch: Scratch) throws {
        let run = try GetRun(["--socket", path], events: .nowhere, in: scratch)
        _ = try ControlPeer(path)
        run.child.send(signal: SIGKILL)
        _ = try run.finish(isWhole: false)
    }
}
