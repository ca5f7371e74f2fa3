import Glibc
import SluiceCore
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// The certificates of a host on the screen of the real program, and pins that are kept.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TrustScreenTests {
    private let authority = TestCertificate(TestCertificate.Wishes("Test Authority") { $0.isAuthority = true })
    private let scratch: Scratch
    private let ca: String

    init() throws {
        scratch = try Scratch()
        ca = scratch.write(authority.pem, to: "ca.pem")
    }

    /// A dashboard whose only task was answered by the server.
    private func start(_ server: TLSServer, _ options: [String], outcome: String = "success") throws -> DashboardScreen
    {
        let arguments = options + ["--no-save", "--retries", "0", server.url("/1")]
        let dashboard = try DashboardScreen(arguments, width: 120, height: 36, in: scratch)
        #expect(try dashboard.wait { $0.taskOutcomes == [outcome] })
        return dashboard
    }

    /// From the certificates to the lists, and out.
    private func leave(_ dashboard: DashboardScreen) throws {
        dashboard.type("\u{1B}")
        #expect(dashboard.shows("q quit"), "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    private func leaf(_ change: (inout TestCertificate.Wishes) -> Void = { _ in }) -> TestCertificate {
        .leaf(["localhost"], by: authority, change)
    }

    @Test func oneKeyShowsTheChainAndAnotherPinsIt() throws {
        let leaf = leaf { $0.ends = 388_800 }
        let server = TLSServer([leaf])
        defer { server.stop() }
        let before = "# mine\r\nmaxActive = 3 # not four\n\n[keys]\nabort = \"f5\""
        let path = scratch.write(before, to: "c.toml")
        unsafe chmod(path, 0o640)
        let link = scratch.path("link.toml")
        unsafe symlink("c.toml", link)
        let dashboard = try start(server, ["--cacert", ca, "--config", link])

        dashboard.type("T")
        #expect(dashboard.shows("✓ accepted by rule 3"), "\(dashboard.screen.text)")
        for text in [
            leaf.pin, authority.pin, "Test Authority", "EC P-256", "ends in 4 days", "localhost:\(server.port)",
        ] {
            #expect(dashboard.shows(text), "\(text)\n\(dashboard.screen.text)")
        }
        dashboard.type("p")
        #expect(dashboard.shows("these lines come to its end"), "\(dashboard.screen.text)")
        #expect(dashboard.shows("link.toml") && dashboard.shows("    \"\(leaf.pin)\","), "\(dashboard.screen.text)")
        dashboard.type("n")
        #expect(dashboard.hides("these lines come to its end"))
        #expect(scratch.text("c.toml") == before, "a no leaves everything")
        dashboard.type("p")
        #expect(dashboard.shows("these lines come to its end"))
        dashboard.type("y")
        #expect(dashboard.shows("✓ accepted by rule 6"), "it is in force: \(dashboard.screen.text)")

        let pins = [leaf, authority].map { "    \"\($0.pin)\",\n" }.joined()
        let added = "\n\n[[trust]]\nhost = \"localhost:\(server.port)\"\npins = [\n\(pins)]\n"
        #expect(scratch.text("c.toml") == before + added, "all else stays, byte for byte")
        var status = stat()
        #expect(unsafe lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK, "a link stays one")
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(Set(scratch.strays) == ["c.toml", "ca.pem", "link.toml"], "no copy is left behind")

        dashboard.type("p")
        #expect(dashboard.shows("is pinned to these keys already"), "\(dashboard.screen.text)")
        try leave(dashboard)
        #expect(server.connections.count { $0.byteCount > 0 } == 1, "a look asks for nothing")

        let again = try GetRun(["--no-save", "--cacert", ca, "--config", link, server.url("/2")], in: Scratch())
        #expect(try again.finish().events.named("trust.decided").map { $0["rule"]?.int } == [6])
    }

    @Test func aRefusedHostIsLookedAtAndPoliciesAreTried() throws {
        let leaf = TestCertificate(
            TestCertificate.Wishes("Le\u{1B}[31m\u{202E}af") { $0.names = ["other.example", "x\u{1B}[2J.example"] }
        )
        let server = TLSServer([leaf])
        defer { server.stop() }
        let dashboard = try start(server, ["--ephemeral"], outcome: "failed")

        dashboard.type("T")
        #expect(dashboard.shows("✗ refused by rule 3"), "\(dashboard.screen.text)")
        #expect(dashboard.shows("Le^[[31m\\u{202e}af") && dashboard.shows("x^[[2J.example"), "\(dashboard.screen.text)")
        #expect(dashboard.shows("is none of its names"), "\(dashboard.screen.text)")
        dashboard.type("n")
        #expect(dashboard.shows("refuses by 4"), "\(dashboard.screen.text)")
        dashboard.type("id")
        #expect(dashboard.shows("accepts by 5"), "\(dashboard.screen.text)")
        dashboard.type("p")
        #expect(dashboard.shows("until Sluice ends"), "\(dashboard.screen.text)")
        dashboard.type("n")
        #expect(dashboard.hides("until Sluice ends"))
        try leave(dashboard)
        #expect(server.connections.allSatisfy { $0.byteCount == 0 })
    }

    @Test func aTypedPinMakesAFileWhereThereWasNone() throws {
        let leaf = leaf()
        let server = TLSServer([leaf])
        defer { server.stop() }
        let dashboard = try start(server, ["--cacert", ca])

        dashboard.type(":pin localhost:\(server.port) sha256/AAAA\r")
        #expect(dashboard.shows("44 characters"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}:pin localhost:\(server.port) \(leaf.pin)\r")
        #expect(dashboard.shows("the file gets these lines"), "\(dashboard.screen.text)")
        dashboard.type("y")
        #expect(dashboard.shows("pinned localhost"), "\(dashboard.screen.text)")
        let file = scratch.text("home/config/sluice/config.toml")
        #expect(file == "[[trust]]\nhost = \"localhost:\(server.port)\"\npins = [\"\(leaf.pin)\"]\n")
        dashboard.type("a")
        #expect(dashboard.shows("paste or type a URL"), "\(dashboard.screen.text)")
        dashboard.type("\(server.url("/2"))\r")
        #expect(try dashboard.wait { $0.named("trust.decided").map { $0["rule"]?.int } == [3, 6] })
        try dashboard.quit()
    }

    @Test func aFileThatWasChangedMeanwhileIsLeftAlone() throws {
        let server = TLSServer([leaf()])
        defer { server.stop() }
        let path = scratch.write("maxActive = 3\n", to: "c.toml")
        let dashboard = try start(server, ["--cacert", ca, "--config", path])

        dashboard.type("T")
        #expect(dashboard.shows("✓ accepted"))
        dashboard.type("p")
        #expect(dashboard.shows("these lines come to its end"))
        scratch.write("maxActive = 5\n", to: "c.toml")
        dashboard.type("y")
        #expect(dashboard.shows("was changed meanwhile"), "\(dashboard.screen.text)")
        #expect(scratch.text("c.toml") == "maxActive = 5\n")
        try leave(dashboard)
    }
}
