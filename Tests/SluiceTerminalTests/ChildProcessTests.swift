import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChildProcessTests {
    @Test func whatAProgramReadsAndWritesPassesThrough() throws {
        let cat = try ChildProcess("/bin/cat")

        cat.write("hello\n")
        #expect(cat.waitForOutput("hello\n"))
        let long = String(repeating: "0123456789\n", count: 100_000)
        cat.write(long)
        let result = cat.finish()

        #expect(result.exit == .exited(0))
        #expect(result.output.count == 6 + long.utf8.count)
        #expect(result.maxResident > 0)
    }

    @Test func statusSignalsAndErrorsAreSeen() throws {
        let shell = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", "echo $WORD; pwd; echo bad >&2; exit 3"],
            environment: ["WORD": "there"],
            directory: "/"
        )
        let result = shell.finish()
        #expect(result.exit == .exited(3))
        #expect(result.outputText == "there\n/\n")
        #expect(result.errorText == "bad\n")

        let waiting = try ChildProcess("/bin/cat")
        waiting.send(signal: 15)
        #expect(waiting.waitForExit().exit == .signalled(15))
    }

    @Test func aProgramThatDoesNotExistIsAnError() {
        #expect(throws: SpawnError(path: "/nowhere", code: 2)) { try ChildProcess("/nowhere") }
    }

    @Test func waitingEndsWithItsLimit() throws {
        let cat = try ChildProcess("/bin/cat")
        #expect(!cat.waitForOutput("never", within: .milliseconds(10)))
        #expect(cat.waitForExit(within: .milliseconds(10)).exit == nil)
    }
}
