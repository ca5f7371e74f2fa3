import Glibc
import SluiceOrigin
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// The files of events and of the log, which nothing else may be.
@Suite(.timeLimit(.minutes(15)))
struct OutputFileTests {
    private let origin: Origin
    private let scratch: Scratch

    init() throws {
        (origin, scratch) = (try Origin(), try Scratch())
        origin.route("/a.txt", .text("a"))
    }

    @Test(arguments: [
        (["-i", "list"], "list", "a list that is read"), (["@list"], "./list", "a list that is read"),
        (["-i", "list"], "link", "a list that is read"), (["--config", "toml"], "toml", "the configuration"),
        (["--data", "@list"], "list", "the body of --data"), (["--cacert", "pem"], "pem", "the file of --cacert"),
        (["--proxy-cacert", "pem"], "pem", "the file of --proxy-cacert"),
        (["--cert", "pem", "--key", "key"], "pem", "the file of --cert"),
        (["--cert", "pem", "--key", "key"], "key", "the file of --key"),
    ]) func whatIsReadIsNotWrittenOver(arguments: [String], file: String, name: String) throws {
        let certificate = TestCertificate(TestCertificate.Wishes("Test Authority") { $0.isAuthority = true })
        let texts = [
            "list": origin.url("/a.txt") + "\n", "toml": "maxActive = 4\n", "pem": certificate.pem,
            "key": certificate.keyPEM,
        ]
        for (name, text) in texts { scratch.write(text, to: "files/" + name) }
        unsafe symlink("list", scratch.path("files/link"))
        for option in ["--events", "--log"] {
            let words = arguments + [option, file, origin.url("/a.txt")]
            let result = try GetRun.run(words, events: .nowhere, in: scratch).result
            #expect(result.exit == .exited(2))
            #expect(result.errors.contains("\(option) \(file) is \(name), "), "\(result.errors)")
            for (name, text) in texts { #expect(scratch.text("files/" + name) == text) }
        }
        #expect(origin.log.requests.isEmpty)
    }

    /// What is there stays, as the complaint says that nothing was done.
    @Test func eventsAndLogAreTwoFilesWhateverTheirNames() throws {
        scratch.write("old\n", to: "files/both")
        let words = ["--events", "both", "--log", "./both", origin.url("/a.txt")]
        let result = try GetRun.run(words, events: .nowhere, in: scratch).result
        #expect(result.exit == .exited(2) && result.errors.contains("--log ./both is the file of --events"))
        #expect(scratch.text("files/both") == "old\n")
        #expect(origin.log.requests.isEmpty)
    }

    @Test func oneDeviceMayHaveBoth() throws {
        let words = ["--events", "/dev/null", "--log", "/dev/./null", origin.url("/a.txt")]
        #expect(try GetRun.run(words, events: .nowhere, in: scratch).result.exit == .exited(0))
    }

    @Test func eventsTakeThePlaceOfOlderOnesAndTheLogGoesOn() throws {
        for name in ["events", "log"] { scratch.write("old\n", to: "files/" + name) }
        let words = ["--events", "events", "--log", "log", origin.url("/a.txt")]
        #expect(try GetRun.run(words, events: .nowhere, in: scratch).result.exit == .exited(0))
        let (events, log) = (try #require(scratch.text("files/events")), try #require(scratch.text("files/log")))
        #expect(events.hasPrefix("{") && log.hasPrefix("old\n") && log.utf8.count > 4)
    }
}
