import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// The configuration file, through the whole program.
@Suite(.timeLimit(.minutes(15)))
struct ConfigurationTests {
    private let origin: Origin
    private let ledger = Ledger()
    private let scratch: Scratch

    init() throws {
        (origin, scratch) = (try Origin(), try Scratch())
        origin.setFallback(ledger.script(.text("a")))
    }

    private func configure(_ text: String) {
        for folder in ["/config", "/config/sluice"] { unsafe mkdir(scratch.home + folder, 0o700) }
        scratch.write(text, to: "home/config/sluice/config.toml")
    }

    private func settings(of events: [JSONValue]) -> JSONValue? { events.named("session.started").first?["settings"] }

    @Test func theFileSetsWhatTheCommandLineDoesNot() throws {
        configure(
            """
            maxActive = 7        # a setting under its one name
            cacheCapacity = "20M"
            timeout = 1.5
            order = "lifo"
            keyFilter = ["token"]
            dir = "sub"
            userAgent = "Filed/1"
            """
        )
        let (_, result) = try GetRun.run(["--max-active", "3", origin.url("/a.txt")], in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        let settings = try #require(self.settings(of: result.events))
        #expect(settings["maxActive"]?.int == 3)
        #expect(settings["cacheCapacity"]?.int == 20 << 20)
        #expect(settings["cachePreferred"]?.int == 12 << 20)
        #expect(settings["timeout"]?.double == 1.5)
        #expect(settings["order"]?.string == "lifo")
        #expect(settings["keyFilter"]?.array?.compactMap(\.string) == ["token"])
        #expect(ledger.requests.first?.header("user-agent") == "Filed/1")
        #expect(FileTree.contents(of: scratch.downloads + "/sub/a.txt") == Array("a".utf8))
    }

    @Test func anotherFileCanBeNamed() throws {
        configure("maxActive = 7\n")
        let other = scratch.write("maxActive = 9\n", to: "other.toml")
        let (_, result) = try GetRun.run(["--config", other, origin.url("/a.txt")], in: scratch)
        #expect(settings(of: result.events)?["maxActive"]?.int == 9)
    }

    @Test(arguments: [
        ("\nmaxActive = 65", ":2: maxActive can be a whole number from 1 to 64, not the number 65"),
        ("maxActive = \"4\"", ":1: maxActive can be a whole number from 1 to 64, not the text \"4\""),
        ("maxActiv = 4", ":1: there is no key maxActiv; did you mean maxActive?"),
        ("nonsense = 4", "allowed are maxActive maxPerHost order"), ("order = \"up\"", ":1: order can be fifo or lifo"),
        ("\n\ncachePreferred = \"200M\"", ":3: cachePreferred, 200 MiB, is more than cacheCapacity"),
        ("maxActive = 1\nmaxActive = 2", ":2: maxActive was given already on line 1"),
        ("theme = \"sae\"", ":1: there is no theme sae; there are auto dark light contrast mono"),
        ("[themes.sea]\nbase = \"pink\"", ":2: base can be \"dark\" or \"light\""),
        ("noSave = 1", ":1: noSave can be true or false"),
        ("color = \"blue\"", "\"auto\", \"always\" or \"never\""), ("dir = 4", "the path of a directory"),
        ("a = ", ":1: a value is wanted"),
        ("keyFilter = [\"a\", 1]", "an array of names, or \"*\""),
        ("keyFilter = [\"a\", \"b c\"]", "; the text \"b c\" is no name"), ("keyFilter = [\"a\", \"*\"]", ", not both"),
        ("[[headers]]\nhost = \"*\"\nremove = [\"A\", \"Host\"]", ":3: a header's name"),
        ("keyFilter = \"a,b\"", "an array of names, or \"*\""),
        ("[[headers]]\nadd = {}", ":1: [[headers]] needs host"),
        ("[[headers]]\nhost = \"*\"\nad = {}", ":3: there is no key ad; did you mean add?"),
        ("[[headers]]\nhost = \"*\"\nadd = { Range = \"bytes=0-3\" }", ":3: Range asks for a part of one resource"),
        ("[[headers]]\nhost = \"*\"\nreplace = { If-None-Match = \"x\" }", ":3: If-None-Match asks for a part"),
        ("headers = 1", ":1: headers is a list of sections"),
        ("[[headers]]\nhost = \"a b\"", ":2: host can be a host such as"),
        ("[[headers]]\nhost = \"*\"\nadd = { \"A B\" = \"1\" }", ":3: a header's name"),
        ("[[headers]]\nhost = \"*\"\nreplace = { Host = \"x\" }", ":3: a header's name"),
        ("[[headers]]\nhost = \"*\"\nremove = \"X\"", ":3: remove can be a list of header names"),
    ])
    func whatCantBeMeantNamesFileLineAndWhatIsAllowed(text: String, sentence: String) throws {
        configure(text)
        let (_, result) = try GetRun.run([origin.url("/a.txt")], events: .nowhere, in: scratch)
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains("config.toml:"), "\(result.errors)")
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(ledger.requests.isEmpty && result.files.isEmpty)
    }

    @Test func aFileThatIsNamedMustBeThere() throws {
        let (_, result) = try GetRun.run(["--config", "/nowhere.toml", origin.url("/a.txt")], events: .nowhere)
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains("can't read the configuration /nowhere.toml: No such file"), "\(result.errors)")
    }

    /// What is said for one run goes before what is said for all.
    @Test func whoSaysWhereABodyGoesWantsIt() throws {
        configure("noSave = true")
        origin.route("/a.txt", .text("body"))
        let written = try GetRun.run(["--output", "-", origin.url("/a.txt")], in: scratch).result
        #expect(written.exit == .exited(0) && written.output == Array("body".utf8), "\(written.errors)")
        let saved = try GetRun.run(["--dir", scratch.path("other"), origin.url("/a.txt")], in: scratch).result
        #expect(saved.exit == .exited(0) && scratch.text("other/a.txt") == "body", "\(saved.errors)")
        #expect(try GetRun.run([origin.url("/a.txt")], in: scratch).result.files == [])
    }

    /// Standard output carries nothing but what was asked for.
    @Test func theLogOfTheFileKeepsOutOfOtherOutput() throws {
        configure("log = \"-\"")
        for option in ["--output", "--events"] {
            let run = try GetRun([option, "-", origin.url("/a")], events: .nowhere, in: scratch)
            let result = try run.finish(isWhole: false)
            #expect(result.exit == .exited(2) && result.output.isEmpty)
            let sentence = "goes to standard output, and so does \(option): give --log FILE"
            #expect(result.errors.contains(sentence), "\(result.errors)")
        }
        configure("log = \"\(scratch.path("events.jsonl"))\"")
        let both = try GetRun([origin.url("/a")], in: scratch).finish(isWhole: false)
        #expect(both.exit == .exited(2) && both.errors.contains("give another --log FILE"), "\(both.errors)")
        #expect(ledger.requests.isEmpty)
    }

    @Test func anEphemeralRunWritesNoLogOfTheFile() throws {
        configure("log = \"\(scratch.path("log"))\"")
        #expect(try GetRun.run(["--ephemeral", origin.url("/a")], in: scratch).result.exit == .exited(0))
        #expect(scratch.text("log") == nil)
        #expect(try GetRun.run([origin.url("/a")], in: scratch).result.exit == .exited(0))
        #expect(scratch.text("log")?.isEmpty == false)
    }

    @Test func aCacheWithoutLimitKeepsWhatAPurgeLeaves() throws {
        let events = try GetRun.run(["--cache-capacity", "0", origin.url("/a")], in: scratch).result.events
        #expect(settings(of: events)?["cacheCapacity"] == .integer(0))
        #expect(settings(of: events)?["cachePreferred"] == .integer(62_914_560))
    }

    /// Whoever gave its size alone did not ask for that; what a file says can be read there.
    @Test func aSmallerCacheSaysWhatAPurgeLeavesOfIt() throws {
        let note = "cachePreferred is 6 MiB unless set: --cache-capacity 10M takes it down"
        let alone = try GetRun.run(["--cache-capacity", "10M", origin.url("/a")], in: scratch).result
        #expect(settings(of: alone.events)?["cachePreferred"] == .integer(6_291_456))
        #expect(alone.exit == .exited(0) && alone.errors.contains(note), "\(alone.errors)")
        configure("cacheCapacity = \"10M\"")
        for options in [
            ["--cache-capacity", "10M", "--cache-preferred", "1M"], ["--cache-capacity", "200M"],
            ["--cache-capacity", "10M", "-q"], [],
        ] {
            let result = try GetRun.run(options + [origin.url("/b")], in: scratch).result
            #expect(result.exit == .exited(0) && !result.errors.contains("cachePreferred is"), "\(result.errors)")
        }
    }

    /// The same as at the prompt.
    @Test(arguments: [("15", 9), ("80M", 50_331_648), ("1G", 62_914_560)])
    func optionAndFileLeaveTheSameOfASize(size: String, preferred: Int) throws {
        for options in [["--cache-capacity", size], []] {
            if options.isEmpty { configure("cacheCapacity = \"\(size)\"") }
            let events = try GetRun.run(options + [origin.url("/a")], in: scratch).result.events
            #expect(settings(of: events)?["cachePreferred"]?.int == preferred, "\(options)")
        }
    }

    @Test func aPathMayBeginWithTheHomeFolder() throws {
        let options = ["--dir=~/pictures", "--log=~/log", origin.url("/a.txt")]
        #expect(try GetRun.run(options, in: scratch).result.exit == .exited(0))
        #expect(FileTree.names(in: scratch.home + "/pictures") == ["a.txt"])
        #expect(scratch.text("home/log")?.isEmpty == false)
        let run = try GetRun(["--socket=~/socket"], events: .nowhere, in: scratch)
        _ = try ControlPeer(scratch.home + "/socket")
        let words = ["ctl", "--socket=~/socket", "quit"]
        let environment = Program.environment(home: scratch.home)
        #expect(try ChildProcess(Program.path, arguments: words, environment: environment).finish().exit == .exited(0))
        #expect(try run.finish().exit == .exited(0))
    }

    @Test(arguments: [
        "proxy = \"http://u:secret@h:z/\"", "proxy = \"secret\\u0001\"",
        "[[headers]]\nhost = \"*\"\nadd = { Authorization = \"secret\\u0001\" }",
        "[[headers]]\nhost = \"*\"\nremove = [\"Authorization: secret\"]",
        "[[headers]]\nhost = \"*\"\nremove = \"Authorization: secret\"",
        "[[headers]]\nhost = \"https://u:secret@h/\"", "[[trust]]\nhost = \"https://u:secret@h/\"",
    ]) func whatMayBeASecretIsNotRepeated(text: String) throws {
        configure(text)
        let (_, result) = try GetRun.run([origin.url("/a.txt")], events: .nowhere, in: scratch)
        #expect(result.exit == .exited(2) && result.errors.contains("config.toml:"), "\(result.errors)")
        #expect(!result.errors.contains("secret"), "\(result.errors)")
    }

    @Test func theCommandLineTurnsOffWhatTheFileTurnsOn() throws {
        configure("netrc = true\nnoCookies = true\nallowDowngrade = true\nsync = true\nascii = true\nplain = true")
        scratch.write("machine 127.0.0.1 login anna password n1\n", to: "home/.netrc")
        let cookie = HeaderField("Set-Cookie", "k=v; Path=/")
        origin.route("/set") { _, _ in OriginResponse(headers: [cookie], body: .bytes([1])) }
        let urls = [origin.url("/set"), origin.url("/then")]
        for isOff in [false, true] {
            let off = isOff ? ["--no-netrc", "--cookies", "--no-allow-downgrade", "--no-sync", "--no-ascii"] : []
            let words = ["--max-active", "1"] + off + urls
            #expect(try GetRun.run(words + (isOff ? ["--no-plain"] : []), in: scratch).result.exit == .exited(0))
            let request = try #require(ledger.requests.last)
            #expect((request.header("authorization") == nil) == isOff)
            #expect((request.header("cookie") == "k=v") == isOff)
        }
    }

    /// The file says what holds wherever it is read; who types the option means a file that is there.
    @Test func aNetrcIsReadWhereThereIsOne() throws {
        configure("netrc = true")
        #expect(try GetRun.run([origin.url("/a")], in: scratch).result.exit == .exited(0))
        #expect(ledger.requests.last?.header("authorization") == nil)
        scratch.write("machine 127.0.0.1 login anna password n1\n", to: "home/.netrc")
        #expect(try GetRun.run([origin.url("/b")], in: scratch).result.exit == .exited(0))
        #expect(ledger.requests.last?.header("authorization") == "Basic YW5uYTpuMQ==")
    }

    @Test func anOptionIsJudgedTogetherWithWhatTheFileSays() throws {
        configure("cacheCapacity = \"1G\"")
        let run = try GetRun.run(["--cache-preferred", "500M", origin.url("/a.txt")], in: scratch)
        #expect(run.result.exit == .exited(0), "\(run.result.errors)")
        let tooMuch = try GetRun.run(["--cache-preferred", "2G", origin.url("/a.txt")], in: scratch)
        #expect(tooMuch.result.exit == .exited(2), "\(tooMuch.result.errors)")
    }

    @Test func headerSectionsActOnTheirHosts() throws {
        configure(
            """
            [[headers]]
            host = "127.0.0.1"
            add = { X-Added = "1", X-Line = "file" }
            replace = { Accept = "text/x" }
            remove = ["User-Agent"]
            [[headers]]
            host = "*.example"
            add = { X-Other = "1" }
            """
        )
        #expect(try GetRun.run(["--header", "X-Line: line", origin.url("/a")], in: scratch).result.exit == .exited(0))
        let seen = try #require(ledger.requests.first)
        #expect(seen.header("x-added") == "1")
        #expect(seen.headers.filter { $0.name.lowercased() == "x-line" }.map(\.value) == ["line"])
        #expect(seen.headers.filter { $0.name.lowercased() == "accept" }.map(\.value) == ["text/x"])
        #expect(seen.header("user-agent") == nil && seen.header("x-other") == nil)
    }

    @Test(arguments: [
        "replace = { user-agent = \"file\" }", "add = { User-Agent = \"file\" }", "remove = [\"User-Agent\"]",
    ])
    func theAgentOfTheCommandLineGoesBeforeThatOfTheFile(rule: String) throws {
        configure("userAgent = \"usual\"\n[[headers]]\nhost = \"*\"\n\(rule)")
        #expect(try GetRun.run(["--user-agent", "line", origin.url("/a")], in: scratch).result.exit == .exited(0))
        #expect(try GetRun.run([origin.url("/b")], in: scratch).result.exit == .exited(0))
        let agents = ledger.requests.map { $0.headers.filter { $0.name.lowercased() == "user-agent" }.map(\.value) }
        #expect(agents == [["line"], rule.hasPrefix("remove") ? [] : ["file"]])
    }

    @Test func filteredQueryItemsMakeNoOtherDownload() throws {
        origin.hold("/a.txt")
        let run = try GetRun(
            ["--key-filter", "token", origin.url("/a.txt?x=1&token=one"), origin.url("/a.txt?token=two&x=1")],
            in: scratch
        )
        #expect(try run.wait { $0.submissions.count == 2 })
        origin.release("/a.txt")
        let result = try run.finish()
        #expect(result.events.submissions == ["started", "joined"])
        #expect(ledger.requests.map(\.target) == ["/a.txt?x=1&token=one"], "what is fetched is what was asked for")
        #expect(result.events.named("task.finished").map { $0["url"]?.string } == [origin.url("/a.txt?x=1&token=one")])
    }

    @Test func aHostAtItsCapHoldsUpNoOther() throws {
        origin.hold()
        let near = (1...3).map { origin.url("/near\($0)") }
        let far = "http://localhost:\(origin.port)/far"
        let run = try GetRun(["-4", "--max-per-host", "1"] + near + [far], in: scratch)
        #expect(try run.wait { $0.submissions.count == 4 })
        origin.release()
        let result = try run.finish()
        #expect(result.exit == .exited(0))
        #expect(result.events.submissions == ["started", "queued", "queued", "started"])
        let queued = result.events.named("request.submitted")
        #expect(queued.map { $0["position"]?.int } == [nil, 1, 2, nil])
        #expect(queued[1]["why"]?.string?.contains("one host gets at most 1 slot") == true)
        #expect(origin.log.peakActive <= 2)
    }
}
