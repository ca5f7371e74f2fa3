import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// Command lines that are invalid, and those that ask for help.
@Suite(.timeLimit(.minutes(15)))
struct UsageTests {
    @Test(arguments: [
        (["--max-active", "0"], "1 to 64"), (["--max-active", "many"], "1 to 64"), (["--order", "up"], "fifo or lifo"),
        (["--retries", "1.5"], "0 to 100"), (["--timeout", "soon"], "a time in seconds"),
        (["--cache-capacity", "5X"], "K, M, G or T"), (["--cache-preferred", "200M"], "cacheCapacity"),
        (["--on-exists", "maybe"], "rename, skip or overwrite"), (["--decode", "maybe"], "auto, always or never"),
        (["--policy", "never"], "protocol, cacheElseLoad, cacheOnly, reload, revalidate or refresh"),
        (["--last-receipt", "x"], "finish or abort"), (["--accept-only", "text"], "image"),
        (["--indicator-enabled", "perhaps"], "true or false"), (["--header", "no colon"], "'Name: value'"),
        (["--header", "A: b\r\nC: d"], "no control characters"), (["--header", " : b"], "a name is letters"),
        (["--header", "Content-Length: 5"], "follow from the body"), (["--output", "file"], "only -"),
        (["--output", "-", "--no-save"], "exclude each other"), (["-4", "-6"], "exclude each other"),
        (["--frobnicate"], "Unknown option '--frobnicate'"), (["--order", "\u{1B}[2J"], "^[[2J"),
        (["--dir", "/dev/null"], "/dev/null"), (["--events", "/nowhere/events"], "/nowhere/events: No such file"),
        (["--sha256", "abc"], "64 hexadecimal digits"), (["--method", "CONNECT"], "GET, HEAD, POST"),
        (["--method", "a b"], "a method is a word"), (["--data", "@/nowhere/body"], "/nowhere/body: No such file"),
        (["--method", "HEAD", "--data", "x"], "exclude each other"), (["--user", "anna"], "USER:PASSWORD"),
        (["--user", "*.=a:b"], "USER:PASSWORD"), (["--netrc"], ".netrc: No such file"),
        (["--sha256", String(repeating: "0", count: 64), "http://127.0.0.1:9/"], "exactly one URL"),
        (["--log", "/nowhere/log"], "/nowhere/log: No such file"),
        (["--log", "-", "--output", "-"], "both want standard output"),
        (["--log", "-", "--events", "-"], "can't both go to standard output"),
        (["--max-active="], "--max-active= has no value"),
        (["--insecure="], "--insecure= has no value: give one, or leave the = out for all hosts"),
        (["--insecure", ""], "--insecure : name a host"),
        (["--retries", "-1"], "a whole number from 0 to 100, not \"-1\""),
        (["--http-capacity", "-1"], "--http-capacity -1: "), (["--timeout", "-0.5"], "--timeout -0.5: "),
        (["--limit-rate", "--sync"], "--limit-rate --sync: "),
        (["--theme", "nope"], "there is no theme nope; there are auto dark"),
        (["--cacert", "/dev/zero"], "--cacert /dev/zero: it has more than 16 MiB"),
        (["--config", "/dev/zero"], "it has more than 16 MiB, the most that is read: name a smaller file"),
    ]) func aBadCommandLineSaysWhatIsAllowedAndDownloadsNothing(arguments: [String], sentence: String) throws {
        let origin = try Origin()
        let (run, result) = try GetRun.run(arguments + [origin.url("/a.txt")], events: .nowhere)
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(origin.log.requests.isEmpty)
        #expect(result.files.isEmpty && run.scratch.strays.isEmpty)
    }

    @Test(arguments: ["Authorization secret", "Authorization=secret", "A \u{1}: secret", "Cookie: secret\u{7}"])
    func aMistypedHeaderIsNotRepeated(field: String) throws {
        let (_, result) = try GetRun.run(["--header", field, "http://127.0.0.1:9/"], events: .nowhere)
        #expect(result.exit == .exited(2) && !result.errors.contains("secret"), "\(result.errors)")
        #expect(result.errors.contains("--header '\(field.prefix { $0.isLetter })': "), "\(result.errors)")
    }

    @Test(arguments: [
        ["trust", "https://u:secret@h/"], ["get", "--pin", "https://u:secret@h/=sha256/A", "http://127.0.0.1:9/"],
    ]) func aURLInPlaceOfAHostIsNotRepeatedWhole(words: [String]) throws {
        let environment = Program.environment(home: try Scratch().home)
        let result = try ChildProcess(Program.path, arguments: words, environment: environment).finish()
        #expect(!result.errorText.contains("secret") && result.errorText.contains("h/"), "\(result.errorText)")
    }

    @Test func ofACopiedCommandNothingSecretIsWritten() throws {
        let scratch = try Scratch()
        let list = scratch.write("curl -u me:secret http://127.0.0.1:9/a\n", to: "list")
        let words = ["-i", list, "--log", scratch.path("log")]
        let (_, result) = try GetRun.run(words, in: scratch)
        #expect(result.exit == .exited(1) && result.errors.contains("curl … http://127.0.0.1:9/a"), "\(result.errors)")
        let told = result.errors + "\(result.events)" + (scratch.text("log") ?? "")
        #expect(!told.contains("secret"), "\(told)")
    }

    @Test func optionsOfTheScreenAreKnownWithoutOne() throws {
        let origin = try Origin()
        origin.route("/a.txt", .text("a"))
        let (_, result) = try GetRun.run(["--plain", "--ascii", "--theme", "mono", origin.url("/a.txt")])
        #expect(result.exit == .exited(0) && result.files == ["a.txt"], "\(result.errors)")
    }

    @Test func theDashboardSaysWhoWritesABodyToStandardOutput() throws {
        let scratch = try Scratch()
        let words = ["--output", "-", "http://127.0.0.1:9/"]
        let environment = Program.environment(home: scratch.home)
        let result = try ChildProcess(Program.path, arguments: words, environment: environment).finish()
        #expect(result.exit == .exited(2) && result.errorText.contains("--output is for 'sluice get'"))
    }

    @Test func aValueMayEndWithAnEqualsSign() throws {
        let origin = try Origin()
        origin.route("/a.txt") { request, _ in .text(request.header("X-A") ?? "none") }
        let (run, result) = try GetRun.run(["--header=X-A: dGVzdA==", "--proxy", "", origin.url("/a.txt")])
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(run.contents(of: "a.txt") == Array("dGVzdA==".utf8))
    }

    /// By a shell, which alone can start it like that.
    @Test(arguments: [
        ("ulimit -n 16", ["http://127.0.0.1:9/"], "", "allow more with ulimit -n"),
        ("ulimit -n 47", ["http://127.0.0.1:9/"], "", "only 47 files may be open at once, which is too few"),
        ("", ["--output", "-", "http://127.0.0.1:9/"], ">&-", "standard output, which is closed"),
        ("", ["-i", "-"], "<&-", "standard input, which is closed"),
        ("", ["-i", "-"], "</", "standard input, which is a folder"),
        ("", ["-i", "-"], "0>/dev/null", "standard input, which can only be written"),
    ])
    func whatItCannotWorkWithoutIsSaid(setUp: String, words: [String], redirection: String, sentence: String) throws {
        let command = (setUp.isEmpty ? "" : setUp + "; ") + "exec \"$@\" " + redirection
        let arguments = ["-c", command, "sh", Program.path, "get"] + words
        let result = try ChildProcess("/bin/sh", arguments: arguments).finish()
        #expect(result.exit == .exited(2) && result.errorText.contains(sentence), "\(result.errorText)")
    }

    @Test func aFullDiskBehindStandardOutputIsCalledThat() throws {
        let origin = try Origin()
        let scratch = try Scratch()
        origin.route("/a.txt", .text("a"))
        let words = ["-c", "exec \"$@\" > /dev/full", "sh", Program.path, "get", "--output", "-", origin.url("/a.txt")]
        let result = try ChildProcess("/bin/sh", arguments: words, environment: Program.environment(home: scratch.home))
            .finish()
        #expect(result.exit == .exited(9) && result.errorText.contains("make room"), "\(result.errorText)")
    }

    @Test func withoutAnythingToDownloadItSaysWhatToGive() throws {
        let (_, result) = try GetRun.run([], events: .nowhere)
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains("give URLs, or a list with -i FILE"), "\(result.errors)")
    }

    @Test func anOptionThatDoesNotExistIsTheBetterComplaint() throws {
        let (_, result) = try GetRun.run(["--nope"], events: .nowhere)
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains("Unknown option '--nope'"), "\(result.errors)")
    }

    @Test func aListThatCannotBeReadDownloadsNothing() throws {
        let origin = try Origin()
        origin.route("/a.txt", .text("a"))
        for list in ["/nowhere/urls.txt", "/", "/\u{1B}]0;owned\u{7}"] {
            let (_, result) = try GetRun.run([origin.url("/a.txt"), "-i", list])
            #expect(result.exit == .exited(2))
            #expect(result.errors.contains("can't read the list \(list.withVisibleControls): "), "\(result.errors)")
            #expect(result.files.isEmpty && result.events.isEmpty)
        }
        #expect(origin.log.requests.isEmpty)
    }

    @Test func aListThatNeverEndsDownloadsNothing() throws {
        let (_, result) = try GetRun.run(["http://127.0.0.1:9/a.txt", "-i", "/dev/zero"])
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains("can't read the list /dev/zero: what is no file is read to its end first"))
        #expect(result.errors.contains("-i - takes standard input as it comes"), "\(result.errors)")
        #expect(result.files.isEmpty && result.events.isEmpty)
    }

    @Test func twoUsesOfStandardOutputExcludeEachOther() throws {
        let (_, result) = try GetRun.run(["--output", "-", "http://127.0.0.1:9/"], events: .output)
        #expect(result.exit == .exited(2))
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("both want standard output"))
    }

    @Test(arguments: [
        ["--output", "-", "http://127.0.0.1:9/a", "http://127.0.0.1:9/b"], ["-i", "-", "-i", "-"], ["-", "-i", "-"],
    ])
    func whatCanBeGivenOnceIsGivenOnce(arguments: [String]) throws {
        let (_, result) = try GetRun.run(arguments, events: .nowhere)
        #expect(result.exit == .exited(2))
    }

    @Test(arguments: [
        (["gte", "http://127.0.0.1:9/"], "'gte' is neither a command nor a URL; did you mean get?"),
        (["ctrl"], "did you mean ctl?"), (["download"], "sluice --help lists the commands; a URL begins with https://"),
    ])
    func aMistypedCommandOpensNoDashboard(arguments: [String], sentence: String) throws {
        let result = try ChildProcess(Program.path, arguments: arguments).finish()
        #expect(result.exit == .exited(2))
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        #expect(result.output.isEmpty)
    }

    @Test(arguments: [
        (["get", "urls.txt"], "'urls.txt' is a file here, and no URL: -i urls.txt reads it as a list"),
        (["get", "http://127.0.0.1:9/", "my urls"], "-i 'my urls' reads it as a list"),
        (["urls.txt"], "'urls.txt' is a file here, and no URL: @urls.txt reads it as a list"),
        (["list"], "@list reads it as a list"), (["./urls.txt"], "@./urls.txt reads it as a list"),
        (["file://urls.txt"], "@urls.txt reads it as a list"),
        (["get", "@"], "@ names no list: write @FILE"), (["@"], "@ names no list: write @FILE"),
    ])
    func aFileThatIsGivenAsAURLIsSaidToBeAList(arguments: [String], sentence: String) throws {
        let scratch = try Scratch()
        for name in ["urls.txt", "my urls", "list"] { scratch.write("http://127.0.0.1:9/\n", to: "files/\(name)") }
        let result = try ChildProcess(
            Program.path,
            arguments: arguments,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        ).finish()
        #expect(result.exit == .exited(2))
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        #expect(result.output.isEmpty)
    }

    @Test func aFileURLIsNoListAndAFolderNoFile() throws {
        let scratch = try Scratch()
        let path = scratch.write("text", to: "home/a.txt")
        let (_, file) = try GetRun.run(["file://" + path], in: scratch)
        #expect(file.exit == .exited(0) && file.files == ["a.txt"], "\(file.errors)")
        let (_, folder) = try GetRun.run([scratch.home])
        #expect(folder.exit == .exited(1) && folder.errors.contains("this is no URL"), "\(folder.errors)")
    }

    /// By a shell, since only bytes can be such an argument.
    @Test(arguments: [
        ["get", "--dir"], ["--dir"], [], ["get"], ["demo", "--events"], ["replay"], ["ctl"], ["add"],
        ["cache", "info"],
        ["trust"], ["man"], ["--"],
    ])
    func whatIsNotUTF8IsNamedAndNotMended(words: [String]) throws {
        let scratch = try Scratch()
        let line = #"exec "$@" "$(printf "it's-caf\351")""#
        let result = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", line, "sh", Program.path] + words,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        ).finish()
        #expect(result.exit == .exited(2) && result.output.isEmpty, "\(result.outputText)")
        let sentence =
            #"sluice: argument \#(words.count + 1) is not UTF-8: $'it\'s-caf\xe9'; give files and folders names"#
        #expect(result.errorText.hasPrefix(sentence), "\(result.errorText)")
        #expect(FileTree.names(in: scratch.downloads).isEmpty)
    }

    @Test(arguments: ["HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"]) func aFolderThatIsNotUTF8IsNamed(
        variable: String
    ) throws {
        let scratch = try Scratch()
        let line = #"export \#(variable)="$(printf "/tmp/caf\351")"; exec "$@""#
        let result = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", line, "sh", Program.path, "cache", "info"],
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        ).finish()
        #expect(result.exit == .exited(2) && result.output.isEmpty, "\(result.outputText)")
        let sentence = #"sluice: \#(variable) is not UTF-8: $'/tmp/caf\xe9'; name a folder in UTF-8"#
        #expect(result.errorText.hasPrefix(sentence), "\(result.errorText)")
    }

    @Test func whatIsUTF8IsANameAsItIs() throws {
        let origin = try Origin()
        origin.route("/a.txt", .text("a"))
        let (run, result) = try GetRun.run(["--dir", "café \u{FFFD}", origin.url("/a.txt")])
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(run.contents(of: "café \u{FFFD}/a.txt") == Array("a".utf8))
    }

    @Test(arguments: [["--version"], ["get", "--version"]]) func theVersionIsPrinted(arguments: [String]) throws {
        let result = try ChildProcess(Program.path, arguments: arguments).finish()
        #expect(result.exit == .exited(0))
        #expect(result.outputText.wholeMatch(of: /sluice [0-9]+\.[0-9]+\.[0-9]+\n/) != nil, "\(result.outputText)")
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: [
        (["--help"], "SUBCOMMANDS:"), (["-h"], "SUBCOMMANDS:"), (["get", "--help"], "--max-active <n>"),
        (["demo", "--help"], "no network"), (["--help"], "\n  man  "),
    ]) func helpIsPrinted(arguments: [String], text: String) throws {
        let result = try ChildProcess(Program.path, arguments: arguments).finish()
        #expect(result.exit == .exited(0))
        #expect(result.outputText.contains(text), "\(result.outputText)")
        #expect(result.errors.isEmpty)
    }
}
