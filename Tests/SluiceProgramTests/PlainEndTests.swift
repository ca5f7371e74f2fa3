import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// How `--plain` ends with its input, and what it says then.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PlainEndTests {
    private let origin: Origin
    private let scratch: Scratch

    init() throws {
        origin = try Origin()
        scratch = try Scratch()
        origin.setFallback { _, _ in .text("text") }
    }

    private func start(_ arguments: [String] = []) throws -> ChildProcess {
        try ChildProcess(
            Program.path,
            arguments: ["--plain"] + arguments,
            environment: Program.environment(home: scratch.home).merging(["TERM": "dumb"]) { $1 },
            directory: scratch.downloads
        )
    }

    /// A pipe is read for as long as its writer likes, and the input has ended long before.
    @Test(arguments: ["@", ":import ", ":prefetch "])
    func aListIsReadToItsEndThoughTheInputHasEnded(command: String) throws {
        let pipe = scratch.path("pipe")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let program = try start()
        program.write("\(command)\(pipe)\nnonsense\n")
        program.closeInput()
        #expect(program.waitForOutput("error: "), "\(program.outputText)")
        let writer = try ChildProcess("/bin/sh", arguments: ["-c", "echo \"$1\" > \"$0\"", pipe, origin.url("/a.txt")])
        #expect(program.waitForExit().exit == .exited(0), "\(program.outputText)")
        #expect(writer.waitForExit().exit == .exited(0))
        #expect(origin.log.hits("/a.txt") == 1, "\(program.outputText)")
    }

    @Test func aListThatIsNotThereEndsItToo() throws {
        let program = try start()
        program.write("@nowhere.txt\n")
        let result = program.finish()
        #expect(result.exit == .exited(0))
        #expect(result.outputText.contains("error: can't read the list"), "\(result.outputText)")
    }

    @Test func quittingRightBehindAURLAsksFirst() throws {
        origin.hold()
        let program = try start()
        program.write("\(origin.url("/a.txt"))\nquit\n")
        program.closeInput()
        #expect(program.waitForOutput("1 new request would be left: quit again"), "\(program.outputText)")
        origin.release()
        #expect(program.waitForExit().exit == .exited(0))
        #expect(FileTree.names(in: scratch.downloads) == ["a.txt"])
    }

    @Test func whatIsPausedAtTheEndOfTheInputIsKept() throws {
        origin.hold()
        // The second session finds what the first one left.
        for lines in ["\(origin.url("/a.txt"))\npause\n", ""] {
            let program = try start()
            program.write(lines)
            let result = program.finish()
            #expect(result.exit == .exited(7), "\(result.outputText)")
            let text = result.outputText
            #expect(text.contains("The input has ended, and nothing goes on by itself: "), "\(text)")
            #expect(text.contains("1 request is kept: start sluice, and resume, to go on."), "\(text)")
            #expect(text.contains("1 request kept for next time in "), "\(text)")
        }
        origin.release()
    }

    @Test func aListOnStandardInputEndsInASuspendedQueueToo() throws {
        let program = try start(["--suspended", "true", "--ephemeral", "-"])
        program.write(origin.url("/a.txt\n"))
        let result = program.finish()
        #expect(result.exit == .exited(7), "\(result.outputText)")
        #expect(result.outputText.contains("the queue is suspended, with 1 task in it."), "\(result.outputText)")
        #expect(result.outputText.contains("Nothing of it is kept."), "\(result.outputText)")
    }

    @Test func whatNobodyKeepsIsNotSaidToBeKept() throws {
        origin.hold()
        let program = try start(["--ephemeral", origin.url("/a.txt")])
        #expect(origin.waitUntil { $0.held == 1 })
        program.write("quit\n")
        #expect(program.waitForOutput("quit again within 3 s to quit. What came so far is not kept."))
        program.write("quit\n")
        #expect(program.waitForExit().exit == .exited(0))
        let text = program.outputText
        #expect(text.contains("1 request left undone: what came so far is not kept"), "\(text)")
        #expect(!text.lowercased().contains("partial files"), "\(text)")
        origin.release()
    }

    @Test func linesThatComeAtOnceAreAnsweredOneByOne() throws {
        let program = try start()
        for count in 2...4 {
            program.write((1...count).map { origin.url("/\(count)-\($0).txt") }.joined(separator: " ") + "\n")
        }
        let result = program.finish()
        #expect(result.exit == .exited(0))
        for count in 2...4 { #expect(result.outputText.contains("\n\(count) URLs added.\n"), "\(result.outputText)") }
    }
}
