import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// The trust options through the whole program.
@Suite(.timeLimit(.minutes(5)))
struct TrustTests {
    private let authority = TestCertificate(TestCertificate.Wishes("Test Authority") { $0.isAuthority = true })

    @Test func aHostThatNobodyVouchesForIsRefused() throws {
        let server = TLSServer([leaf("localhost")])
        defer { server.stop() }

        let result = try GetRun(["--no-save", server.url()]).finish()

        #expect(result.exit == .exited(1))
        let decided = try #require(result.events.first { $0["event"]?.string == "trust.decided" })
        #expect(decided["host"]?.string == "localhost" && decided["accepted"]?.bool == false)
        #expect(decided["rule"]?.int == 3 && decided["reused"]?.bool == false)
        #expect(!result.events.contains { $0["event"]?.string == "task.response" })
        let end = try #require(result.events.first { $0["event"]?.string == "task.finished" })
        #expect(end["error"]?["code"]?.string == "tlsUntrusted")
        #expect(end["error"]?["message"]?.string?.contains("localhost") == true)
        #expect(end["error"]?["message"]?.string?.contains("rule 3 ") == true)
        #expect(server.wait { $0.allSatisfy(\.isEnded) })
        #expect(server.connections.allSatisfy { $0.byteCount == 0 })
    }

    @Test func anAuthorityOfOnesOwnIsTrusted() throws {
        let server = TLSServer([leaf("localhost")])
        defer { server.stop() }
        let scratch = try Scratch()
        scratch.write(authority.pem, to: "ca.pem")

        let result = try GetRun(["--no-save", "--cacert", scratch.path("ca.pem"), server.url()], in: scratch).finish()

        #expect(result.exit == .exited(0))
        let names = result.events.compactMap { $0["event"]?.string }
        let decided = try #require(names.firstIndex(of: "trust.decided"))
        #expect(decided < (names.firstIndex(of: "task.response") ?? 0), "who answers is known before the answer")
    }

    @Test func insecureIsSaidAndPinsHoldUnderIt() throws {
        let leaf = leaf("other.example")
        let server = TLSServer([leaf])
        defer { server.stop() }

        let open = try GetRun(["--no-save", "--insecure", server.url()]).finish()
        let named = try GetRun(["--no-save", "--insecure", "localhost", server.url()]).finish()
        let elsewhere = try GetRun(["--no-save", "--insecure", "site.example", server.url()]).finish()
        let pinned = try GetRun(["--no-save", "--insecure", "--pin", "localhost=\(leaf.pin)", server.url()]).finish()
        let wrong = try GetRun(["--no-save", "--insecure", "--pin", "localhost=\(authority.pin)", server.url()])
            .finish()

        #expect(open.exit == .exited(0) && named.exit == .exited(0) && pinned.exit == .exited(0))
        #expect(elsewhere.exit == .exited(1) && wrong.exit == .exited(1))
        #expect(open.events.contains { $0["event"]?.string == "warning" && $0["code"]?.string == "insecure" })
        #expect(rule(of: pinned) == 6 && rule(of: wrong) == 6)
    }

    @Test(arguments: [
        (["--pin", "localhost=sha256/AAAA"], "sha256/AAAA"),
        (["--pin", "localhost"], "HOST="),
        (["--insecure", "localhost:9401/"], "--insecure localhost:9401/: name a host"),
        (["--insecure", "host:99999"], "--insecure host:99999: name a host"),
        (["--pin", "a b=sha256/AAAA"], "HOST="),
        (["--pin", "localhost=empty.pem"], "empty.pem:1"),
        (["--pin", "localhost=damaged.pem"], "damaged.pem:3"),
        (["--pin", "localhost=nothing.pem"], "nothing.pem: No such file"),
        (["--cacert", "noise.pem"], "noise.pem:2"),
        (["--proxy-cacert", "noise.pem"], "noise.pem:2"),
        (["--proxy-cacert", "gone.pem"], "--proxy-cacert gone.pem: No such file"),
        (["--cert", "leaf.pem"], "leaf.pem:1"),
        (["--cert", "leaf.pem", "--key", "other.key"], "other.key:1"),
        (["--cert", "leaf.pem", "--key", "gone.key"], "gone.key: No such file"),
        (["--key", "other.key"], "--cert"),
    ])
    func whatCantBeUsedIsNamedAtTheStart(options: [String], complaint: String) throws {
        let scratch = try Scratch()
        let leaf = leaf("localhost")
        var damaged = leaf.pem.split(separator: "\n").map(String.init)
        damaged[2] = "?" + damaged[2].dropFirst()
        let files = [
            "empty.pem": "", "damaged.pem": damaged.joined(separator: "\n"), "leaf.pem": leaf.pem,
            "noise.pem": "\n-----BEGIN CERTIFICATE-----\nU2x1aWNl\n-----END CERTIFICATE-----\n",
            "other.key": authority.keyPEM,
        ]
        for (name, text) in files { scratch.write(text, to: "files/" + name) }

        let run = try GetRun(options + ["https://localhost:1/"], events: .nowhere, in: scratch)
        let result = try run.finish()

        #expect(result.exit == .exited(2))
        #expect(result.errors.contains(complaint), "\(result.errors)")
    }

    @Test func aProxyIsTrustedByAnAuthorityOfItsOwn() throws {
        let proxy = TLSServer([leaf("localhost")])
        defer { proxy.stop() }
        let scratch = try Scratch()
        let ca = scratch.write(authority.pem, to: "ca.pem")
        let configured = scratch.write("proxyCacert = \"ca.pem\"\n", to: "c.toml")
        let common = ["--no-save", "--retries", "0", "--proxy", "https://localhost:\(proxy.port)"]
        let url = "http://site.example/a"

        let refused = try GetRun(common + ["--insecure", "--cacert", ca, url], in: scratch).finish()
        #expect(refused.exit == .exited(1))
        #expect(proxy.wait { $0.count == 1 && $0[0].isEnded } && proxy.connections[0].byteCount == 0)
        FileTree.remove(scratch.path("events.jsonl"))
        let named = try GetRun(common + ["--proxy-cacert", ca, url], in: scratch).finish()
        FileTree.remove(scratch.path("events.jsonl"))
        let usual = try GetRun(common + ["--config", configured, url], in: scratch).finish()

        #expect(named.exit == .exited(0) && usual.exit == .exited(0), "\(named.errors)\(usual.errors)")
        #expect(proxy.connections.dropFirst().allSatisfy { $0.requests == ["GET \(url) HTTP/1.1"] })
    }

    // MARK: The configuration

    @Test func aConfiguredPolicyHoldsForItsHosts() throws {
        let server = TLSServer([leaf("localhost")])
        defer { server.stop() }
        let scratch = try Scratch()
        scratch.write(authority.pem, to: "ca.pem")
        let text = { (pin: String) in
            "[[trust]]\nhost = \"localhost\"\npinning = \"certificate\"\npins = [\"\(pin)\"]\ncacert = \"ca.pem\"\n"
        }
        scratch.write(TestCertificate(TestCertificate.Wishes("Foreign")).pem, to: "foreign.pem")
        let good = scratch.write(text("ca.pem"), to: "good.toml")
        let bad = scratch.write(text("foreign.pem"), to: "bad.toml")

        let trusted = try GetRun(["--no-save", "--config", good, server.url()], in: scratch).finish()
        let refused = try GetRun(["--no-save", "--config", bad, server.url()], in: scratch).finish()

        #expect(trusted.exit == .exited(0) && rule(of: trusted) == 5)
        #expect(refused.exit == .exited(1))
    }

    @Test(arguments: ["", "pinning = \"none\"\n"]) func anEmptyListMeansNoPins(pinning: String) throws {
        let server = TLSServer([leaf("localhost")])
        defer { server.stop() }
        let scratch = try Scratch()
        scratch.write(authority.pem, to: "ca.pem")
        let text = "[[trust]]\nhost = \"localhost\"\n\(pinning)pins = []\ncacert = \"ca.pem\"\n"
        let config = scratch.write(text, to: "c.toml")

        let result = try GetRun(["--no-save", "--config", config, server.url()], in: scratch).finish()

        #expect(result.exit == .exited(0), "\(result.errors)")
    }

    @Test(arguments: [true, false]) func thePinsOfTheCommandLineTakeThePlaceOfTheConfigured(isRight: Bool) throws {
        let leaf = leaf("localhost")
        let server = TLSServer([leaf])
        defer { server.stop() }
        let scratch = try Scratch()
        scratch.write(authority.pem, to: "ca.pem")
        let foreign = TestCertificate(TestCertificate.Wishes("Foreign"))
        let (configured, named) = isRight ? (foreign.pin, leaf.pin) : (leaf.pin, foreign.pin)
        let text = "[[trust]]\nhost = \"localhost\"\npinning = \"publicKey\"\npins = [\"\(configured)\"]\n"
        let config = scratch.write(text, to: "c.toml")
        let options = [
            "--no-save", "--config", config, "--cacert", scratch.path("ca.pem"), "--pin", "localhost=\(named)",
        ]
        let result = try GetRun(options + [server.url()], in: scratch).finish()
        #expect(result.exit == .exited(isRight ? 0 : 1), "\(result.errors)")
    }

    @Test(arguments: [
        ("[[trust]]\npins = [\"sha256/AAAA\"]\n", "c.toml:2: sha256/AAAA is no pin"),
        ("[[trust]]\nhost = \"a\"\npins = [\"gone.pem\"]\n", "c.toml:3: pins"),
        ("\nproxyCacert = \"gone.pem\"\n", "c.toml:2: proxyCacert"),
        ("proxyCacert = 1\n", "c.toml:1: proxyCacert can be the path of a PEM or DER file"),
        ("[[trust]]\nhost = \"a\"\npinning = \"certificate\"\npins = [\"\(hash)\"]\n", "c.toml:4: \(hash) is the hash"),
        ("[[trust]]\nhost = \"a\"\npinning = \"publicKey\"\n", "c.toml:1: pinning"),
        ("[[trust]]\nhost = \"a\"\npins = []\npinning = \"publicKey\"\n", "c.toml:3: pinning = \"publicKey\" without"),
        ("[[trust]]\nhost = \"a\"\npins = \"\"\n", "c.toml:3: pins can be a list of pins"),
        ("[[trust]]\npinning = \"none\"\n", "c.toml:1: [[trust]] needs host"),
        ("[[trust]]\nhost = \"a\"\npining = \"none\"\n", "c.toml:3: there is no key pining; did you mean pinning"),
        ("[[trust]]\nhost = \"a\"\nallowInvalid = 1\n", "c.toml:3: allowInvalid can be true or false"),
        ("[[trust]]\nhost = \"a\"\nkey = \"k.pem\"\n", "c.toml:3: key needs"),
        (
            "\n[[trust]]\nhost = \"a\"\n[[trust]]\nhost = \"a:8443\"\n\n[[trust]]\nhost = \"A.\"\n",
            "c.toml:7: there is a [[trust]] for a in line 2 already"
        ),
        (
            "[[trust]]\nhost = \"*\"\n[[trust]]\nhost = \"*\"\n",
            "c.toml:3: there is a [[trust]] for * in line 1 already"
        ),
    ])
    func aMistakeInTheConfigurationIsNamedWithItsLine(text: String, complaint: String) throws {
        let scratch = try Scratch()
        let path = scratch.write(text, to: "c.toml")

        let result = try GetRun(["--config", path, "https://a/"], events: .nowhere, in: scratch).finish()

        #expect(result.exit == .exited(2))
        #expect(result.errors.contains(complaint), "\(result.errors)")
    }

    // MARK: Redirects

    /// Who the user is, said in each way that there is.
    @Test(arguments: [
        ["--user", "anna:secret"], ["--header", "Authorization: Bearer secret"], ["--header", "Cookie: a=secret"],
        ["--netrc"], [],
    ])
    func nobodyElseHearsWhoTheUserIs(options: [String]) throws {
        let origin = try Origin()
        let ledger = Ledger()
        origin.route("/plain.txt", ledger.script(.text("plain")))
        let other = TLSServer([leaf("other.localhost")])
        defer { other.stop() }
        var behaviour = TLSServer.Behaviour()
        let places = ["/near": "/here", "/far": other.url("/there", host: "other.localhost")]
        behaviour.heads = places.merging(["/down": origin.url("/plain.txt")]) { $1 }.mapValues {
            "HTTP/1.1 302 Found\r\nLocation: \($0)\r\nContent-Length: 0\r\n"
        }
        let server = TLSServer([leaf("localhost")], behaviour)
        defer { server.stop() }
        let scratch = try Scratch()
        let ca = scratch.write(authority.pem, to: "ca.pem")
        scratch.write("machine localhost login anna password secret\n", to: "home/.netrc")
        // Without an option it is in the URL.
        let near = server.url("/near", host: options.isEmpty ? "anna:secret@localhost" : "localhost")
        let arguments = options + ["--no-save", "--retries", "0", "--cacert", ca]

        func run(_ path: String, _ more: String...) throws -> GetRun.Result {
            let url = near.replacing("/near", with: path)
            return try GetRun(arguments + more + [url], in: scratch).finish()
        }
        let refused = try run("/down")

        #expect(refused.exit == .exited(1) && refused.events.errorCodes == ["badResponse"])
        #expect(refused.errors.contains("--allow-downgrade"), "\(refused.errors)")
        #expect(ledger.requests.isEmpty, "not a word was said in clear")
        for result in [try run("/down", "--allow-downgrade"), try run("/far"), try run("/near")] {
            #expect(result.exit == .exited(0), "\(result.errors)")
            #expect(!result.errors.contains("secret") && !result.events.description.contains("secret"))
        }
        #expect(said(server) == ["/down": 2, "/far": 1, "/near": 1, "/here": 1], "\(said(server))")
        #expect(said(other).isEmpty && other.connections.flatMap(\.requests) == ["GET /there HTTP/1.1"])
        #expect(ledger.requests.map(\.path) == ["/plain.txt"])
        #expect(ledger.requests.allSatisfy { $0.header("authorization") == nil && $0.header("cookie") == nil })
    }

    /// How often each path heard who the user is.
    private func said(_ server: TLSServer) -> [String: Int] {
        var paths: [String: Int] = [:]
        for head in server.connections.flatMap(\.heads) {
            guard head.contains("secret") || head.contains("YW5uYTpzZWNyZXQ=") else { continue }
            paths[head.split(separator: " ").map(String.init)[1], default: 0] += 1
        }
        return paths
    }

    // MARK: sluice trust

    @Test func theChainOfAHostIsShownAndNothingIsAskedFor() throws {
        let leaf = TestCertificate(
            TestCertificate.Wishes("Le\u{1B}[2Jaf") { ($0.names, $0.ends) = (["localhost", "127.0.0.1"], 388_800) },
            by: authority
        )
        let server = TLSServer([leaf])
        defer { server.stop() }
        let scratch = try Scratch()
        let ca = scratch.write(authority.pem, to: "ca.pem")

        let strange = try look("localhost:\(server.port)", in: scratch)
        let known = try look("127.0.0.1:\(server.port)", "--cacert", ca, in: scratch)

        #expect(strange.exit == .exited(1) && known.exit == .exited(0))
        for text in [strange.outputText, known.outputText] {
            #expect(text.contains(leaf.pin) && text.contains("localhost, 127.0.0.1") && text.contains("EC P-256"))
            #expect(text.contains("! ends in 4 days"))
            #expect(!text.unicodeScalars.contains { $0.isControl && $0 != "\n" }, "\(text.debugDescription)")
        }
        #expect(strange.outputText.contains("✗ refuses  the policy in force"))
        #expect(strange.outputText.contains("✓ accepts  its own key pinned, with --insecure"))
        #expect(known.outputText.contains("✓ accepts  the policy in force") && known.outputText.contains(authority.pin))
        #expect(server.wait { $0.count == 2 && $0.allSatisfy(\.isEnded) })
        #expect(server.connections.allSatisfy { $0.byteCount == 0 })
    }

    @Test func whatIsAdvisedIsTrusted() throws {
        let trusted = leaf("localhost")
        let alone = TestCertificate(TestCertificate.Wishes("Alone") { $0.names = ["localhost"] })
        let expired = TestCertificate(
            TestCertificate.Wishes("Old") { ($0.names, $0.begins, $0.ends) = (["localhost"], -90_000, -80_000) },
            by: authority
        )
        for (certificate, options) in [(trusted, ["--cacert", "ca.pem"]), (trusted, []), (alone, []), (expired, [])] {
            let server = TLSServer([certificate])
            defer { server.stop() }
            let scratch = try Scratch()
            // Beside where the program runs, and far from the configuration.
            scratch.write(authority.pem, to: "files/ca.pem")

            let shown = try look(["localhost:\(server.port)"] + options, in: scratch).outputText
            let block = shown.split(separator: "\n").drop { $0 != "[[trust]]" }
            let config = scratch.write(block.joined(separator: "\n"), to: "c.toml")
            let result = try GetRun(["--no-save", "--config", config, server.url()], in: scratch).finish()

            #expect(result.exit == .exited(0), "\(shown)\(result.errors)")
            #expect(rule(of: result) == 6)
            #expect(shown.contains("allowInvalid = true") == options.isEmpty)
        }
    }

    @Test func noPinIsAdvisedForAnotherName() throws {
        let server = TLSServer([leaf("site.example")])
        defer { server.stop() }

        let shown = try look("localhost:\(server.port)", in: Scratch()).outputText

        #expect(shown.contains("No pin makes it trusted") && shown.contains("(site.example)"))
        #expect(!shown.contains("[[trust]]"))
    }

    @Test(arguments: ["", "https://a/b", "user@a", "a:99999", "a b"])
    func whatIsNoHostIsNoCommandLine(host: String) throws {
        let ended = try look(host, in: Scratch())

        #expect(ended.exit == .exited(2))
    }

    @Test func withoutAHostItSaysWhatToName() throws {
        let ended = try look([], in: Scratch())

        #expect(ended.exit == .exited(2))
        #expect(ended.errorText.contains("no host was named: sluice trust site.example"), "\(ended.errorText)")
        #expect(ended.errorText.contains("[[trust]] sections of"))
        #expect(ended.errorText.contains("Usage: sluice trust <host>[:<port>]"))
    }

    @Test func aHostThatDoesNotAnswerIsSaid() throws {
        let server = TLSServer([leaf("localhost")])
        let port = server.port
        server.stop()

        let ended = try look("127.0.0.1:\(port)", in: Scratch())

        #expect(ended.exit == .exited(1) && ended.errorText.contains("can't connect to 127.0.0.1"))
    }

    private func look(_ arguments: String..., in scratch: Scratch) throws -> ChildProcess.Result {
        try look(arguments, in: scratch)
    }

    private func look(_ arguments: [String], in scratch: Scratch) throws -> ChildProcess.Result {
        let child = try ChildProcess(
            Program.path,
            arguments: ["trust"] + arguments,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        return child.finish()
    }

    private func leaf(_ names: String...) -> TestCertificate { .leaf(names, by: authority) }

    private func rule(of result: GetRun.Result) -> Int? {
        result.events.first { $0["event"]?.string == "trust.decided" }?["rule"]?.int
    }
}

/// The hash of no key.
private let hash = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
