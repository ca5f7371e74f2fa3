import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// What a command line makes of its requests: methods, bodies, checks, and who the user is.
@Suite(.timeLimit(.minutes(15)))
struct ProgramRequestTests {
    private let origin: Origin
    private let ledger = Ledger()

    init() throws { origin = try Origin() }

    @Test func dataIsPostedAndNeverMerged() throws {
        origin.route("/form", ledger.script { request, _ in .text("got \(request.body.count)") })
        let url = origin.url("/form")
        let (run, result) = try GetRun.run(["--data", "a=1&b=2", url, url])
        #expect(result.exit == .exited(0))
        #expect(result.events.submissions == ["started", "started"])
        #expect(ledger.requests.map(\.method) == ["POST", "POST"])
        #expect(ledger.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["a=1&b=2", "a=1&b=2"])
        #expect(result.files == ["form", "form.1"])
        #expect(run.contents(of: "form") == Array("got 7".utf8))
    }

    @Test func aFileIsSentAsItIsByAnyMethod() throws {
        origin.route("/put", ledger.script(.text("ok")))
        let scratch = try Scratch()
        let file = scratch.write("line\nline\u{1}\n", to: "body")
        let options = ["--method", "put", "--data", "@\(file)", "--header", "Content-Type: text/x", "--no-save"]
        #expect(try GetRun.run(options + [origin.url("/put")], in: scratch).result.exit == .exited(0))
        let seen = try #require(ledger.requests.first)
        #expect(seen.method == "PUT")
        #expect(String(decoding: seen.body, as: UTF8.self) == "line\nline\u{1}\n")
        #expect(seen.header("content-type") == "text/x")
    }

    @Test func aHeadRequestSavesNothing() throws {
        origin.route("/a.png", ledger.script(.bytes([1, 2, 3], type: "image/png")))
        let (_, result) = try GetRun.run(["--method", "HEAD", origin.url("/a.png")])
        #expect(result.exit == .exited(0))
        #expect(ledger.requests.map(\.method) == ["HEAD"])
        #expect(result.files == [])
        #expect(result.events.named("task.response").map { $0["expected"]?.int } == [3])
    }

    @Test func whatChangesSomethingIsNotRepeated() throws {
        origin.route("/a", ledger.script(OriginResponse(503, headers: [HeaderField("Retry-After", "0")])))
        let (_, result) = try GetRun.run(["--data", "x", origin.url("/a")])
        #expect(result.exit == .exited(1))
        #expect(ledger.requests.count == 1)
        #expect(result.events.named("task.waiting").isEmpty)
    }

    @Test func aRangeOfTheUsersOwnIsAnsweredByAPart() throws {
        origin.route(
            "/a.bin",
            ledger.script { request, _ in
                .resource(.pattern(count: 20_000), for: request, etag: "\"1\"")
            }
        )
        let url = origin.url("/a.bin")
        let (run, result) = try GetRun.run(["--header", "Range: bytes=0-9", url, url])
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(result.events.submissions == ["started", "started"], "such a one is never merged")
        #expect(result.events.named("task.response").map { $0["status"]?.int } == [206, 206])
        #expect(run.contents(of: "a.bin") == pattern(10))
        let (_, same) = try GetRun.run(["--header", "If-None-Match: \"1\"", "--no-save", url])
        #expect(same.exit == .exited(0), "\(same.errors)")
        #expect(same.events.named("task.response").map { $0["status"]?.int } == [304])
    }

    @Test(arguments: [
        (["--user", "anna:secret"], "write --user HOST=USER:PASSWORD"),
        (
            ["--header", "Cookie: a=secret"],
            "put --header Cookie under [[headers]] of the configuration file: no URL on the command line names a host"
        ),
        (["--header", "X-A: 1"], nil),
    ])
    func whoIsToldNobodyIsNoted(arguments: [String], note: String?) throws {
        origin.route("/a", .text("text"))
        let scratch = try Scratch()
        #expect(FileTree.write(origin.url("/a") + "\n", to: scratch.path("list")))
        let (_, result) = try GetRun.run(arguments + ["-i", scratch.path("list")])
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(note.map(result.errors.contains) ?? !result.errors.contains("command line"), "\(result.errors)")
        #expect(!result.errors.contains("secret"))
    }

    /// Neither the word that nothing changed nor a head alone has a sum.
    @Test(arguments: [(["--header", "If-None-Match: \"1\""], 304), (["--method", "HEAD"], 200)])
    func whatHasNoBodyHasNoWrongSum(arguments: [String], status: Int) throws {
        origin.route("/a.bin") { request, _ in .resource(.pattern(count: 20_000), for: request, etag: "\"1\"") }
        let sum = sha256(pattern(20_000))
        let (_, result) = try GetRun.run(arguments + ["--sha256", sum, "--no-save", origin.url("/a.bin")])
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(result.events.named("task.response").map { $0["status"]?.int } == [status])
    }

    @Test func aUserAgentWithControlCharactersIsRefused() throws {
        let (_, result) = try GetRun.run(["--user-agent", "a\nX-Injected: b", origin.url("/a")])
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains("--user-agent"), "\(result.errors)")
    }

    @Test(arguments: [[], ["--no-save"], ["--output", "-"]]) func aBodyThatSumsUpSucceeds(place: [String]) throws {
        origin.route("/a.bin", OriginResponse(body: .pattern(count: 700_000)))
        let arguments = ["--sha256", sha256(pattern(700_000)).uppercased()] + place + [origin.url("/a.bin")]
        let (_, result) = try GetRun.run(arguments)
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(result.files == (place == [] ? ["a.bin"] : []))
    }

    @Test(arguments: [[], ["--no-save"], ["--output", "-"]]) func anotherBodyIsKeptAsBad(place: [String]) throws {
        origin.route("/a.txt", .text("abd"))
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let (run, result) = try GetRun.run(["--sha256", abc] + place + [origin.url("/a.txt")])
        #expect(result.exit == .exited(1))
        #expect(result.events.errorCodes == ["badChecksum"])
        #expect(result.files == (place == [] ? ["a.txt.bad"] : []))
        if place == [] { #expect(run.contents(of: "a.txt.bad") == Array("abd".utf8)) }
        #expect(result.errors.contains("/a.txt.bad\n") == (place == []), "what came is named: \(result.errors)")
        #expect(result.errors.contains("is kept") == (place == []), "\(result.errors)")
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func aUserBelongsToTheHostsOnTheCommandLine() throws {
        for path in ["/a", "/b"] { origin.route(path, ledger.script(.text(path))) }
        let scratch = try Scratch()
        // The same server under another name is another host.
        let list = scratch.write("http://localhost:\(origin.port)/b\n", to: "list")
        let private_ = ["--user", "anna:p:w", "--header", "Cookie: c=1", "--header", "X-Any: 1", "-4"]
        let (_, result) = try GetRun.run(private_ + ["-i", list, origin.url("/a")], in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        let seen = ledger.requests.map {
            [$0.path, $0.header("authorization") ?? "-", $0.header("cookie") ?? "-", $0.header("x-any") ?? "-"]
        }.sorted { $0[0] < $1[0] }
        #expect(seen == [["/a", "Basic YW5uYTpwOnc=", "c=1", "1"], ["/b", "-", "-", "1"]])
        #expect(!result.events.description.contains("p:w"))
    }

    @Test func aUserCanBeNamedForAHost() throws {
        origin.route("/a", ledger.script(.text("a")))
        let users = ["--user", "127.0.0.1:\(origin.port)=bert:secret", "--user", "other.example=x:y"]
        #expect(try GetRun.run(users + [origin.url("/a")]).result.exit == .exited(0))
        let named = origin.url("/a").replacing("//", with: "//url:wins@")
        #expect(try GetRun.run(users + [named]).result.exit == .exited(0))
        let seen = ledger.requests.map { $0.header("authorization") }
        #expect(seen == ["Basic YmVydDpzZWNyZXQ=", "Basic dXJsOndpbnM="])
    }

    @Test func anAnswerToADigestChallengeIsRight() throws {
        let challenge = HeaderField(
            "WWW-Authenticate",
            "Digest realm=\"here\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-256"
        )
        origin.route("/a") { request, _ in
            let isRight = DigestAnswer(request)?.isRight(user: "anna", password: "secret") == true
            return isRight ? .text("in") : OriginResponse(401, headers: [challenge])
        }
        let (run, result) = try GetRun.run(["--user", "anna:secret", origin.url("/a")])
        #expect(result.exit == .exited(0))
        #expect(run.contents(of: "a") == Array("in".utf8))
        #expect(origin.log.hits("/a") == 2)
        let wrong = try GetRun.run(["--user", "anna:wrong", origin.url("/a")]).result
        #expect(wrong.exit == .exited(1))
        #expect(wrong.events.errorCodes == ["badStatus"])
    }

    @Test func netrcSaysWhoTheUserIs() throws {
        origin.route("/a", ledger.script(.text("a")))
        let scratch = try Scratch()
        scratch.write("machine other login x password y\nmachine 127.0.0.1 login anna password n1\n", to: "home/.netrc")
        #expect(try GetRun.run(["--netrc", origin.url("/a")], in: scratch).result.exit == .exited(0))
        #expect(try GetRun.run([origin.url("/a")], in: scratch).result.exit == .exited(0))
        #expect(ledger.requests.map { $0.header("authorization") } == ["Basic YW5uYTpuMQ==", nil])
    }

    @Test func credentialsArePartOfTheMergeKey() throws {
        origin.route("/a", ledger.script(.text("a")))
        origin.hold("/a")
        let url = origin.url("/a")
        let run = try GetRun([
            "--no-save", "--user", "anna:1", url, url, url.replacing("//", with: "//bert:2@"),
        ])
        #expect(try run.wait { $0.submissions.count == 3 })
        origin.release("/a")
        let result = try run.finish()
        #expect(result.events.submissions == ["started", "joined", "started"])
        #expect(Set(ledger.requests.map { $0.header("authorization") }).count == 2)
    }
}

/// What a client answers to a digest challenge with SHA-256.
///
/// - SeeAlso: RFC 7616 §3.4
private struct DigestAnswer {
    private let method: String
    private var values: [String: String] = [:]

    init?(_ request: OriginRequest) {
        guard let field = request.header("authorization"), field.hasPrefix("Digest ") else { return nil }
        method = request.method
        for part in field.dropFirst(7).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            values[String(pair[0].filter { $0 != " " })] = String(pair[1].filter { $0 != "\"" })
        }
    }

    func isRight(user: String, password: String) -> Bool {
        let value = { values[$0] ?? "" }
        let identity = Self.hash("\(user):\(value("realm")):\(password)")
        let request = Self.hash("\(method):\(value("uri"))")
        let parts = [identity, value("nonce"), value("nc"), value("cnonce"), value("qop"), request]
        return value("username") == user && value("response") == Self.hash(parts.joined(separator: ":"))
    }

    private static func hash(_ text: String) -> String { sha256(Array(text.utf8)) }
}
