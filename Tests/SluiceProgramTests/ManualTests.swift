import Glibc
import SluiceOrigin
import SluiceTestSupport
import Testing

/// What the program says about itself: help, manual, completions.
@Suite(.timeLimit(.minutes(15)))
struct ManualTests {
    private static let options = """
        --max-active --max-per-host --order --cache-capacity --cache-preferred --policy --last-receipt --decode --dir --no-save \
        --on-exists --sync --limit-rate --max-file-size --timeout --connect-timeout --retries --header --user-agent --method \
        --data --sha256 --user --netrc --no-cookies --proxy --allow-downgrade --accept-only -4 -6 --ephemeral --output --events \
        --log --config --version --input --key-filter --on-activity
        """.split(separator: " ").map(String.init)

    private func run(_ arguments: [String]) throws -> String {
        let result = try ChildProcess(Program.path, arguments: arguments).finish()
        #expect(result.exit == .exited(0), "\(result.errorText)")
        return result.outputText
    }

    @Test func everyOptionIsInHelpManualAndCompletions() throws {
        let help = try run(["get", "--help"])
        let manual = try run(["man"]).replacing("\\-", with: "-")
        let scripts = try ["bash", "zsh", "fish"].map { try run(["--generate-completion-script", $0]) }
        for option in Self.options {
            #expect(help.contains(option), "\(option) in --help")
            #expect(manual.contains(option), "\(option) in the manual")
            for (script, shell) in zip(scripts, ["bash", "zsh", "fish"]) {
                let name = shell == "fish" ? String(option.drop { $0 == "-" }) : option
                #expect(script.contains(name), "\(option) for \(shell)")
            }
        }
    }

    @Test func theManualHasTheSectionsOfAManual() throws {
        let manual = try run(["man"])
        #expect(manual.hasPrefix(".TH SLUICE 1 "))
        for title in [
            "NAME", "SYNOPSIS", "DESCRIPTION", "SLUICE GET", "SLUICE DEMO", "SLUICE REPLAY", "SLUICE MAN", "FILES",
            "ENVIRONMENT", "EXIT STATUS",
        ] {
            #expect(manual.contains(".SH \(title)\n"), "\(title)")
        }
        #expect(manual.split(separator: "\n").allSatisfy { !$0.hasPrefix("'") })
        #expect(manual.contains(".B \\-\\-cache\\-capacity <size>\nSize of the memory cache (default: 100 MiB).\n"))
        #expect(manual.contains(".br\n  submit {url"))
        #expect(manual.contains(".B sluice ctl\n[\\fIoptions\\fR] \\fI<method>\\fR \\fI[<json>]\\fR\n"))
    }

    @Test func everySettingTellsItsDefault() throws {
        let help = try run(["get", "--help"]).split(separator: /\s+/).joined(separator: " ")
        for (option, usual) in [
            ("--max-active <n>", "4"), ("--http-capacity <size>", "150 MiB"), ("--limit-rate <size>", "no limit"),
            ("--timeout <s>", "60 s"), ("--activation-delay <s>", "1 s"), ("--completion-delay <s>", "0.17 s"),
            ("--on-exists <what>", "rename"), ("--indicator-enabled <bool>", "true"),
        ] {
            let entry = try #require(help.split(separator: option).dropFirst().first?.split(separator: " --").first)
            #expect(entry.contains("(default: \(usual))."), "\(option): \(entry)")
        }
        #expect(help.contains("A size is a number of bytes, or one with K, M, G or T"))
        #expect(help.contains("which is not this URL's own: rename, skip or overwrite (default: rename)."))
    }

    @Test func knownValuesAreCompleted() throws {
        let zsh = try run(["--generate-completion-script", "zsh"])
        for values in [
            "fifo lifo", "finish abort", "rename skip overwrite", "auto always never", "auto dark light contrast mono",
            "submit cancel abort pause",
        ] {
            #expect(zsh.contains(values) || zsh.contains(values.replacing(" ", with: "' '")), "\(values)")
        }
    }

    @Test func theIndicatorRunsTheUsersCommand() throws {
        let origin = try Origin()
        origin.route("/a", .text("a"))
        let scratch = try Scratch()
        let pipe = CommandPipe(in: scratch)
        origin.hold("/a")
        let run = try GetRun(pipe.options("echo > \(pipe.path) now") + [origin.url("/a")], in: scratch)
        // A change that is over before the command runs is not told.
        #expect(pipe.nextWord() == "now 1\n")
        origin.release("/a")
        #expect(try run.finish().exit == .exited(0))
        #expect(pipe.nextWord() == "now 0\n")
    }

    @Test func theUsersCommandEndsByTheLimitsOfItsFiles() throws {
        let origin = try Origin()
        origin.route("/a", .text("a"))
        let scratch = try Scratch()
        let pipe = CommandPipe(in: scratch)
        let large = "(ulimit -f 1; exec head -c 9000 /dev/zero > \(scratch.path("large"))); echo $? > \(pipe.path); :"
        origin.hold("/a")
        let run = try GetRun(pipe.options(large) + [origin.url("/a")], in: scratch)
        #expect(pipe.nextWord() == "\(128 + SIGXFSZ)\n")
        origin.release("/a")
        #expect(try run.finish().exit == .exited(0))
    }

    /// A connection would stay as long as the program that opens a picture.
    @Test func programsGetNoDescriptorOfTheDownloads() throws {
        let (scratch, origin) = (try Scratch(), try Origin())
        let pipe = CommandPipe(in: scratch)
        origin.route("/a", .text("a"))
        origin.hold("/a")
        // The last one is that with which it looks.
        let run = try GetRun(
            pipe.options("ls /proc/self/fd | tr '\\n' ' ' > \(pipe.path); :") + [origin.url("/a")],
            in: scratch
        )
        #expect(pipe.nextWord() == "0 1 2 3 ")
        origin.release("/a")
        #expect(try run.finish().exit == .exited(0))
    }
}

/// A pipe with a name, over which the command of `--on-activity` tells that it ran.
private final class CommandPipe {
    let path: String
    private let descriptor: Int32

    init(in scratch: Scratch) {
        path = scratch.path("pipe")
        #expect(unsafe mkfifo(path, 0o600) == 0)
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Has a command run with each change at once.
    func options(_ command: String) -> [String] {
        ["--activation-delay", "0", "--completion-delay", "0", "--on-activity", command]
    }

    /// What the command says next; `nil` if it says nothing for long.
    func nextWord() -> String? {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&watched, 1, 20_000) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
