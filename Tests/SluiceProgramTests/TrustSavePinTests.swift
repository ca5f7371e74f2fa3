import Glibc
import SluiceCore
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// `sluice trust HOST --save-pin`: what it adds to the configuration, and what it leaves alone.
@Suite(.timeLimit(.minutes(5)))
struct TrustSavePinTests {
    private let authority = TestCertificate(TestCertificate.Wishes("Test Authority") { $0.isAuthority = true })
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func aKeyAndItsBackupArePinnedAndAllElseStays() throws {
        let leaf = leaf("localhost")
        let server = TLSServer([leaf])
        defer { server.stop() }
        let ca = scratch.write(authority.pem, to: "ca.pem")
        let before = "# mine\r\nmaxActive = 3 # not four\n\n[[trust]]\nhost = \"*\"\ncacert = \"ca.pem\""
        let path = scratch.write(before, to: "c.toml")
        unsafe chmod(path, 0o640)
        let link = scratch.path("link.toml")
        unsafe symlink("c.toml", link)

        let saved = try save("localhost:\(server.port)", "--config", link)

        #expect(saved.exit == .exited(0) && saved.errorText.isEmpty, "\(saved.errorText)")
        let pins = [leaf, authority].map { "    \"\($0.pin)\",\n" }.joined()
        let added = "[[trust]]\nhost = \"localhost:\(server.port)\"\npins = [\n\(pins)]\ncacert = \"\(ca)\"\n"
        #expect(scratch.text("c.toml") == before + "\n\n" + added, "all else stays, byte for byte")
        #expect(saved.outputText.hasSuffix("pinned localhost:\(server.port) in \(shown(link)):\n\n" + added))
        var status = stat()
        #expect(unsafe lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK, "a link stays one")
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(Set(scratch.strays) == ["c.toml", "ca.pem", "link.toml"], "no copy is left behind")
        #expect(server.wait { $0.allSatisfy(\.isEnded) })
        #expect(server.connections.allSatisfy { $0.byteCount == 0 }, "a look asks for nothing")

        let once = scratch.text("c.toml")
        let again = try save("localhost:\(server.port)", "--config", link)
        #expect(again.exit == .exited(1) && scratch.text("c.toml") == once)
        #expect(again.errorText.contains("link.toml:8 pins localhost"), "\(again.errorText)")
        #expect(again.errorText.contains("to this already: there is nothing to add"), "\(again.errorText)")
        scratch.write((once ?? "").replacing(leaf.pin, with: noKey), to: "c.toml")
        let changed = try save("localhost:\(server.port)", "--config", link)
        #expect(changed.exit == .exited(1))
        #expect(changed.errorText.contains("link.toml:8 already says whom to trust"), "\(changed.errorText)")
        scratch.write(once ?? "", to: "c.toml")

        let other = TLSServer([self.leaf("localhost")])
        defer { other.stop() }
        let got = try GetRun(["--no-save", "--config", link, server.url()], in: scratch).finish()
        #expect(got.exit == .exited(0) && got.events.named("trust.decided").map { $0["rule"]?.int } == [6])
        let text = scratch.text("c.toml")?.replacing("localhost:\(server.port)", with: "localhost:\(other.port)")
        let moved = scratch.write((text ?? "").replacing(authority.pin, with: noKey), to: "moved.toml")
        let refused = try GetRun(["--no-save", "--config", moved, other.url()], in: scratch).finish()
        #expect(refused.exit == .exited(1), "another key of the same authority")
    }

    @Test func aFileIsMadeWhereThereWasNone() throws {
        let leaf = leaf("localhost")
        let server = TLSServer([leaf])
        defer { server.stop() }
        let ca = scratch.write(authority.pem, to: "ca.pem")

        let saved = try save("https://localhost:\(server.port)/", "--cacert", ca)

        #expect(saved.exit == .exited(0), "\(saved.errorText)")
        let pins = [leaf, authority].map { "    \"\($0.pin)\",\n" }.joined()
        let text = "[[trust]]\nhost = \"localhost:\(server.port)\"\npins = [\n\(pins)]\n"
        #expect(scratch.text("home/config/sluice/config.toml") == text)
        var status = stat()
        let path = scratch.path("home/config/sluice/config.toml")
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    /// A pin excuses neither an invalid chain nor another name.
    @Test func whatWouldBeRefusedStillIsNotWritten() throws {
        let alone = TestCertificate(TestCertificate.Wishes("Alone") { $0.names = ["localhost"] })
        let cases = [
            (alone, "by rule 4", "allowInvalid = true"), (leaf("site.example"), "by rule ", "No pin makes it"),
        ]
        for (certificate, rule, advice) in cases {
            let server = TLSServer([certificate])
            defer { server.stop() }

            let saved = try save("localhost:\(server.port)")

            #expect(saved.exit == .exited(1))
            #expect(
                saved.errorText.contains("nothing is pinned") && saved.errorText.contains(rule),
                "\(saved.errorText)"
            )
            #expect(saved.outputText.contains(advice), "\(saved.outputText)")
            #expect(scratch.text("home/config/sluice/config.toml") == nil)
        }
    }

    @Test func whatHoldsOnlyBesideAnOptionSaysSo() throws {
        let server = TLSServer([TestCertificate(TestCertificate.Wishes("Alone") { $0.names = ["localhost"] })])
        defer { server.stop() }
        let saved = try save("localhost:\(server.port)", "--insecure")
        #expect(saved.exit == .exited(0) && saved.outputText.contains("pinned localhost"), "\(saved.errorText)")
        #expect(saved.outputText.contains("only beside the options of this command: without them rule 4 refuses it"))
    }

    @Test func whatComparesCertificatesGetsNoKeys() throws {
        let server = TLSServer([leaf("localhost")])
        defer { server.stop() }
        scratch.write(authority.pem, to: "ca.pem")
        let text = "[[trust]]\nhost = \"*\"\npinning = \"certificate\"\npins = [\"ca.pem\"]\n"
        let path = scratch.write(text, to: "c.toml")

        let saved = try save("localhost:\(server.port)", "--config", path)

        #expect(saved.exit == .exited(1) && saved.errorText.contains("compares whole certificates"))
        #expect(scratch.text("c.toml") == text)
    }

    @Test func aMistakeInTheFileIsNamedWithItsLine() throws {
        let text = "maxActive = 3\n[[trust]]\nhost = \"a\"\npining = \"none\"\n"
        let path = scratch.write(text, to: "c.toml")

        let saved = try save("localhost:1", "--config", path)

        #expect(saved.exit == .exited(2) && saved.errorText.contains("c.toml:4: there is no key pining"))
        #expect(scratch.text("c.toml") == text)
    }

    @Test func whatCantBeWrittenIsSaid() throws {
        let server = TLSServer([leaf("localhost")])
        defer { server.stop() }
        let ca = scratch.write(authority.pem, to: "ca.pem")
        unsafe mkdir(scratch.path("home/config"), 0o700)
        // A file where a folder should be.
        scratch.write("", to: "home/config/sluice")

        let saved = try save("localhost:\(server.port)", "--cacert", ca)

        #expect(saved.exit == .exited(1))
        #expect(
            saved.errorText.contains("can't write ~/config/sluice/config.toml: Not a directory"),
            "\(saved.errorText)"
        )
        #expect(!saved.outputText.contains("pinned localhost"))
    }

    /// Between reading the file and writing it the host is asked once more; somebody else may be quicker.
    @Test func aFileThatWasChangedMeanwhileIsLeftAlone() throws {
        let path = scratch.write("maxActive = 3\n", to: "c.toml")
        let ca = scratch.write(authority.pem, to: "ca.pem")
        var behaviour = TLSServer.Behaviour()
        behaviour.beforeHandshake = { number in
            guard number == 1, let file = unsafe fopen(path, "w") else { return }
            unsafe fputs("maxActive = 5\n", file)
            unsafe fclose(file)
        }
        let server = TLSServer([leaf("localhost")], behaviour)
        defer { server.stop() }

        let saved = try save("localhost:\(server.port)", "--config", path, "--cacert", ca)

        #expect(saved.exit == .exited(1) && saved.errorText.contains("was changed meanwhile"), "\(saved.errorText)")
        #expect(scratch.text("c.toml") == "maxActive = 5\n")
        #expect(Set(scratch.strays) == ["c.toml", "ca.pem"])
    }

    private func save(_ arguments: String...) throws -> ChildProcess.Result {
        let child = try ChildProcess(
            Program.path,
            arguments: ["trust", "--save-pin"] + arguments,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
        return child.finish()
    }

    /// A path as people write it.
    private func shown(_ path: String) -> String { path.replacing(scratch.home + "/", with: "~/") }

    private func leaf(_ names: String...) -> TestCertificate { .leaf(names, by: authority) }
}

/// The hash of no key.
private let noKey = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
