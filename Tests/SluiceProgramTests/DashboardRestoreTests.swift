import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// The terminal belongs to its user: nothing that is downloaded changes it, and it is as it was at the end.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DashboardRestoreTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalRestoresTheTerminal(number: Int32) throws {
        origin.hold()
        let dashboard = try DashboardScreen([origin.url("/1.txt")])
        #expect(origin.waitUntil { $0.held == 1 })
        #expect(dashboard.shows("1.txt"))
        dashboard.terminal.send(signal: number)
        try dashboard.expectEnd(.exited(7))
        #expect(dashboard.events.last?["left"]?.int == 1)
        #expect(dashboard.screen.text.contains("1 request kept for next time"), "\(dashboard.screen.text)")
    }

    @Test(arguments: [
        SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT,
        // Two that have no name.
        40, 64,
    ])
    func aSignalWithoutWorkIsAQuit(number: Int32) throws {
        let dashboard = try DashboardScreen()
        dashboard.terminal.send(signal: number)
        try dashboard.expectEnd(.exited(0))
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGQUIT, SIGSYS]) func aCrashRestoresTheTerminal(number: Int32) throws {
        origin.hold()
        let dashboard = try DashboardScreen([origin.url("/1.txt")])
        #expect(origin.waitUntil { $0.held == 1 })
        #expect(dashboard.shows("1.txt"))
        dashboard.terminal.send(signal: number)
        try dashboard.expectEnd(.signalled(number), isWhole: false)
        origin.release()
    }

    @Test func theNextStartShowsWhatWasSavedUnlessItIsToBeginAfresh() throws {
        let first = try DashboardScreen([origin.url("/one.txt"), origin.url("/two.txt")])
        #expect(try first.wait { $0.named("task.finished").count == 2 })
        first.type("qq")
        try first.expectEnd(.exited(0))
        unsafe unlink(first.scratch.downloads + "/two.txt")

        let next = try DashboardScreen(width: 120, height: 36, in: first.scratch)
        #expect(next.shows("8 finished 1"), "\(next.screen.text)")
        next.type("\u{1B}")
        #expect(next.shows("a to type"), "\(next.screen.text)")
        next.type("8")
        #expect(next.shows("one.txt") && next.shows("saved in an earlier session"), "\(next.screen.text)")
        #expect(!next.screen.text.contains("two.txt"), "it is gone")
        next.type("qq")
        try next.expectEnd(.exited(0))

        let fresh = try DashboardScreen(["--fresh"], width: 120, height: 36, in: first.scratch)
        fresh.type("\u{1B}")
        #expect(fresh.shows("a to type"), "\(fresh.screen.text)")
        fresh.type("8")
        #expect(fresh.shows("What ended stands here"), "\(fresh.screen.text)")
        #expect(!fresh.screen.text.contains("one.txt"))
        fresh.type("qq")
        try fresh.expectEnd(.exited(0))
    }

    @Test func theNextStartStillWaitsAsItsServerAsked() throws {
        origin.route("/busy", OriginResponse(503, headers: [HeaderField("Retry-After", "250")]))
        let first = try DashboardScreen([origin.url("/busy")])
        #expect(try first.wait { $0.named("task.waiting").count == 1 })
        first.type("qq")
        try first.expectEnd(.exited(0))

        let next = try DashboardScreen(in: first.scratch)
        #expect(try next.wait { $0.named("task.waiting").count == 1 })
        #expect(next.shows("waiting"), "\(next.screen.text)")
        let delay = next.events.named("task.waiting").first?["delay"]?.double ?? 0
        #expect(delay > 1 && delay <= 250)
        next.type("qq")
        try next.expectEnd(.exited(0))
        #expect(origin.log.hits("/busy") == 1)
    }

    @Test func aTerminalThatGoesAwayEndsTheDashboard() throws {
        origin.hold()
        let dashboard = try DashboardScreen([origin.url("/1.txt")])
        #expect(origin.waitUntil { $0.held == 1 })
        dashboard.terminal.hangUp()
        #expect(dashboard.terminal.waitForExit() == .exited(7))
        #expect(try dashboard.wait { $0.last?["event"]?.string == "session.ended" })
    }

    /// The summary has nobody who could read it.
    @Test func aTerminalThatGoesAwayOnceAllIsDoneIsNoFailure() throws {
        let dashboard = try DashboardScreen([origin.url("/1.txt")])
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        dashboard.terminal.hangUp()
        #expect(dashboard.terminal.waitForExit() == .exited(0))
    }

    @Test func nothingFromAServerReachesTheTerminal() throws {
        let attack = "\u{1B}]0;owned\u{7}\u{1B}[?1049l\u{1B}[?25h\u{1B}[31m\u{1B}[2J\u{9B}2J\u{1B}c"
        origin.route("/name.txt") { _, _ in
            OriginResponse(
                reason: "OK\(attack)",
                headers: [HeaderField("Content-Disposition", "attachment; filename=\"\(attack)x.txt\"")],
                body: .bytes(Array("text".utf8))
            )
        }
        origin.route("/refused.txt") { _, _ in
            OriginResponse(418, reason: attack, body: .bytes(Array(attack.utf8)))
        }
        origin.route("/type.txt") { _, _ in
            OriginResponse(headers: [HeaderField("Content-Type", attack)], body: .bytes(Array(attack.utf8)))
        }
        let scratch = try Scratch()
        scratch.write("\(attack)\nhttp://\(attack)/\n", to: "home/urls.txt")
        let dashboard = try DashboardScreen(
            ["/name.txt", "/refused.txt", "/type.txt", "/%1b%5d0;owned%07.txt"].map { origin.url($0) },
            width: 120,
            height: 36,
            in: scratch
        )
        let (modes, title) = (dashboard.screen.modes, dashboard.screen.title)
        #expect(try dashboard.wait { $0.taskOutcomes.count == 4 }, "\(dashboard.events)")
        dashboard.type("a")
        #expect(dashboard.shows("paste or type a URL"))
        dashboard.type("@\(scratch.path("home/urls.txt"))\r")
        #expect(try dashboard.wait { $0.submissions.filter { $0 == "rejected" }.count == 2 })
        dashboard.paste("\(origin.url("/2.txt"))\(attack)\r\(attack)")
        #expect(dashboard.shows("/2.txt"), "\(dashboard.screen.text)")
        dashboard.type("\u{3}")
        #expect(dashboard.leavePrompt(), "\(dashboard.screen.text)")
        // The cursor is the prompt's; all else is as before.
        #expect(dashboard.terminal.wait { $0.modes.subtracting([25, 2_026]) == modes.subtracting([25, 2_026]) })
        #expect(dashboard.screen.isAlternate)
        #expect(!dashboard.screen.title.contains("owned") || dashboard.screen.title == title)
        #expect(dashboard.screen.text.contains("failed") && !dashboard.screen.text.isEmpty, "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(!String(decoding: dashboard.terminal.transcript, as: UTF8.self).contains("\u{1B}]0;owned"))
        #expect(!dashboard.files.contains { $0.unicodeScalars.contains(where: \.isHazardous) })
    }

    @Test(arguments: [["NO_COLOR": "1"], ["ARGUMENT": "--color=never"]])
    func withoutColorsNoneAreSent(environment: [String: String]) throws {
        origin.route("/missing.txt", OriginResponse(404))
        let options = environment["ARGUMENT"].map { [$0] } ?? []
        let dashboard = try DashboardScreen(
            options + [origin.url("/1.txt"), origin.url("/missing.txt")],
            environment: environment
        )
        #expect(try dashboard.wait { $0.taskOutcomes.count == 2 })
        #expect(dashboard.shows("404 Not Found"))
        try dashboard.quit()
        let text = String(decoding: dashboard.terminal.transcript, as: UTF8.self)
        let looks = text.matches(of: /\u{1B}\[([0-9;]*)m/).map(\.1)
        let codes = Set(looks.flatMap { $0.split(separator: ";") }.compactMap { Int($0) })
        #expect(codes.isSubset(of: [0, 1, 2, 4, 7, 22, 24, 27, 39, 49]), "\(codes)")
        #expect(!looks.isEmpty, "weights are still there")
    }

    @Test func withColorsSomeAreSent() throws {
        let dashboard = try DashboardScreen()
        #expect(dashboard.shows("paste or type a URL"))
        let cells = (0..<24).flatMap { y in (0..<80).map { x in dashboard.screen.cell(x: x, y: y) } }
        #expect(Set(cells.compactMap(\.look.foreground)).count > 3)
        try dashboard.quit()
    }

    @Test func withASCIIOnlyASCIIIsSent() throws {
        let dashboard = try DashboardScreen(["--ascii", origin.url("/1.txt")])
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        #expect(dashboard.shows("1.txt"))
        try dashboard.quit()
        #expect(dashboard.terminal.transcript.allSatisfy { $0 < 0x80 })
    }
}
