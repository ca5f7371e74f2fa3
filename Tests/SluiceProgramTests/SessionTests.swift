import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// Queues of dashboards that outlive their process.
@Suite(.timeLimit(.minutes(15)))
struct SessionTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { request, _ in .text(request.path) }
    }

    private func urls(_ numbers: some Sequence<Int>) -> [String] { numbers.map { origin.url("/\($0).txt") } }

    private func submitted(_ events: [JSONValue]) -> [String] {
        events.named("request.submitted").compactMap { $0["url"]?.string }
    }

    @Test func theNextStartShowsTheSameQueueAndGoesOn() throws {
        origin.hold()
        let scratch = try Scratch()
        let first = try DashboardScreen(urls(1...8) + ["--max-active", "2"], in: scratch)
        #expect(try first.wait { $0.submissions.count == 8 && $0.named("task.started").count == 2 })
        // The first of the queue goes to its end.
        first.type("\tj")
        #expect(first.shows("3.txt"))
        try first.quit()
        #expect(first.screen.text.contains("8 requests kept for next time in"), "\(first.screen.text)")
        let second = try DashboardScreen(["--max-active", "2"], in: scratch)
        #expect(second.shows("q quit"), "a restored queue begins in the lists: \(second.screen.text)")
        #expect(try second.wait { $0.submissions.count == 8 })
        #expect(submitted(second.events) == urls(1...8))
        origin.release()
        #expect(try second.wait { $0.taskOutcomes.count == 8 })
        #expect(second.files == (1...8).map { "\($0).txt" })
        try second.quit()
        let third = try DashboardScreen(in: scratch)
        #expect(third.events.submissions == [])
        try third.quit()
        #expect(third.events.submissions == [])
        #expect(!FileTree.names(in: scratch.home + "/state/sluice").contains { $0.hasPrefix("session-") })
    }

    @Test func orderPrioritiesAndPausesSurviveAKill() throws {
        origin.hold()
        let scratch = try Scratch()
        let first = try DashboardScreen(urls(1...6) + ["--max-active", "1"], in: scratch)
        #expect(try first.wait { $0.submissions.count == 6 })
        #expect(first.leavePrompt())
        first.type("2")
        #expect(first.shows("6.txt"))
        // The last one before all others, then the next one, 2, paused.
        first.type("GU")
        #expect(try first.wait { $0.named("task.moved").count == 1 })
        first.type("ggjp")
        #expect(try first.wait { $0.named("task.suspended").count == 1 })
        let paused = try #require(first.events.named("task.suspended").first?["url"]?.string)
        first.terminal.send(signal: SIGKILL)
        _ = first.terminal.waitForExit()
        let second = try DashboardScreen(["--max-active", "1"], in: scratch)
        #expect(try second.wait { $0.submissions.count == 6 && $0.named("task.suspended").count == 1 })
        #expect(second.events.named("task.suspended").first?["url"]?.string == paused)
        let order = submitted(second.events).filter { $0 != paused }
        // What ran goes on first.
        #expect(Array(order.prefix(2)) == urls([1, 6]), "\(order)")
        #expect(Set(order + [paused]) == Set(urls(1...6)))
        #expect(order.dropFirst(2).sorted() == Array(order.dropFirst(2)))
        origin.release()
        #expect(try second.wait { $0.taskOutcomes.count == 5 })
        try second.quit()
    }

    /// The option is given once, and the queue goes on at any start.
    @Test func whatWasAskedForUnderAPinGoesOnByItselfOnlyUnderIt() throws {
        let pin = ["--pin", "127.0.0.1=sha256/" + String(repeating: "A", count: 43) + "="]
        origin.hold()
        let scratch = try Scratch()
        let first = try DashboardScreen(urls(1...1) + pin, in: scratch)
        #expect(try first.wait { $0.submissions.count == 1 })
        #expect(origin.waitUntil { $0.held == 1 })
        try first.quit()
        let second = try DashboardScreen(in: scratch)
        #expect(try second.wait { $0.named("task.suspended").count == 1 })
        let why = second.events.named("task.suspended").first?["reason"]?.string
        #expect(why?.contains("under other rules of trust than hold now") == true)
        try second.quit()
        #expect(second.events.named("task.started").isEmpty)
        origin.release()
        let third = try DashboardScreen(pin, in: scratch)
        #expect(try third.wait { $0.taskOutcomes.count == 1 })
        #expect(third.files == ["1.txt"])
        try third.quit()
    }

    @Test(arguments: ["fifo", "lifo"], [SIGTERM, SIGKILL])
    func whatRanGoesOnBeforeWhatWaited(order: String, signal: Int32) throws {
        origin.hold()
        let scratch = try Scratch()
        let first = try DashboardScreen(urls(1...4) + ["--max-active", "1", "--order", order], in: scratch)
        #expect(try first.wait { $0.submissions.count == 4 })
        #expect(first.leavePrompt())
        // More slots: all run, and what comes then waits.
        first.type("+++")
        #expect(try first.wait { $0.named("task.started").count == 4 })
        first.type("a")
        for number in 5...6 {
            first.type("\(urls([number])[0])\r")
            #expect(try first.wait { $0.submissions.count == number })
        }
        first.terminal.send(signal: signal)
        _ = first.terminal.waitForExit()
        let second = try DashboardScreen(["--max-active", "4", "--order", order], in: scratch)
        #expect(try second.wait { $0.submissions.count == 6 })
        let started = first.events.named("task.started").compactMap { $0["url"]?.string }
        #expect(submitted(second.events) == started + urls(order == "fifo" ? [5, 6] : [6, 5]))
        origin.release()
        #expect(try second.wait { $0.taskOutcomes.count == 6 })
        try second.quit()
    }

    @Test func aForgottenFailureIsForgottenNextTimeToo() throws {
        for path in ["/1.txt", "/2.txt"] {
            origin.route(path) { _, number in number == 1 ? OriginResponse(404) : .text("found") }
        }
        let scratch = try Scratch()
        let first = try DashboardScreen(urls(1...2), in: scratch)
        #expect(try first.wait { $0.taskOutcomes == ["failed", "failed"] })
        first.paste(urls(1...2).joined(separator: "\n"))
        #expect(first.shows("2 refused: failed before"), "\(first.screen.text)")
        first.type("9d")
        #expect(first.shows("forgotten: lists may ask for it again"), "\(first.screen.text)")
        #expect(first.shows("✗ 1 failed"), "\(first.screen.text)")
        first.paste(urls(1...2).joined(separator: "\n"))
        #expect(first.shows("1 added, 1 refused: failed before"), "\(first.screen.text)")
        #expect(try first.wait { $0.taskOutcomes == ["failed", "failed", "success"] })
        first.type(":forget all\r")
        #expect(first.shows("1 failed URL forgotten: lists may ask again"), "\(first.screen.text)")
        try first.quit()
        let second = try DashboardScreen(in: scratch)
        second.paste(urls(1...2).joined(separator: "\n"))
        #expect(try second.wait { $0.taskOutcomes.count == 2 })
        #expect(!second.events.submissions.contains("rejected"))
        #expect(second.files == ["1.txt", "2.txt"])
        try second.quit()
    }

    @Test func freshStartsEmptyAndLosesNothing() throws {
        origin.hold()
        let scratch = try Scratch()
        let first = try DashboardScreen(urls(1...3), in: scratch)
        #expect(try first.wait { $0.submissions.count == 3 })
        try first.quit()
        let fresh = try DashboardScreen(["--fresh"], in: scratch)
        try fresh.quit()
        #expect(fresh.events.submissions == [])
        let last = try DashboardScreen(in: scratch)
        #expect(try last.wait { $0.submissions.count == 3 })
        origin.release()
        #expect(try last.wait { $0.taskOutcomes.count == 3 })
        try last.quit()
    }

    @Test func aCommandNeverStartsWhatADashboardLeft() throws {
        origin.hold("/1.txt")
        let scratch = try Scratch()
        let first = try DashboardScreen(urls(1...1), in: scratch)
        #expect(try first.wait { $0.submissions.count == 1 })
        try first.quit()
        let (_, result) = try GetRun.run([origin.url("/2.txt")], in: scratch)
        #expect(submitted(result.events) == urls([2]))
        #expect(result.files == ["2.txt"])
    }

    @Test func twoDashboardsHaveSessionsOfTheirOwn() throws {
        origin.hold()
        let scratch = try Scratch()
        let other = try Scratch()
        let first = try DashboardScreen(urls(1...3), in: scratch)
        #expect(try first.wait { $0.submissions.count == 3 })
        let second = try DashboardScreen(
            urls(4...5),
            environment: ["HOME": scratch.home, "XDG_STATE_HOME": scratch.home + "/state"],
            in: other
        )
        #expect(try second.wait { $0.submissions.count == 2 })
        #expect(submitted(second.events) == urls(4...5), "the first one lives")
        try second.quit()
        first.terminal.send(signal: SIGKILL)
        _ = first.terminal.waitForExit()
        let third = try DashboardScreen(in: scratch)
        #expect(try third.wait { $0.submissions.count == 5 })
        #expect(submitted(third.events) == urls(1...5), "both are gone, and both go on")
        origin.release()
        #expect(try third.wait { $0.taskOutcomes.count == 5 })
        try third.quit()
    }

    @Test("what saves files waits for a start that saves them, and one elsewhere says where it began")
    func aQueueIsNotUsedUpWhereNothingIsSaved() throws {
        origin.hold()
        let (scratch, other) = (try Scratch(), try Scratch())
        let first = try DashboardScreen(urls(1...2), in: scratch)
        #expect(try first.wait { $0.submissions.count == 2 })
        try first.quit()
        let told = { (events: [JSONValue]) in
            events.named("warning").first { $0["code"]?.string == "otherDirectory" }?["message"]?.string
        }
        let unsaved = try DashboardScreen(["--no-save"], in: scratch)
        #expect(try unsaved.wait { told($0) != nil })
        #expect(told(unsaved.events)?.hasPrefix("2 requests save their files to \(scratch.downloads): ") == true)
        try unsaved.quit()
        #expect(unsaved.events.submissions == [])
        origin.release()
        let home = ["HOME": scratch.home, "XDG_STATE_HOME": scratch.home + "/state"]
        let last = try DashboardScreen(environment: home, in: other)
        #expect(try last.wait { $0.taskOutcomes == ["success", "success"] })
        #expect(told(last.events)?.hasPrefix("2 requests begun for \(scratch.downloads) go on here") == true)
        #expect(last.files == ["1.txt", "2.txt"])
        try last.quit()
    }

    @Test func whatWasPausedByOneKeyStaysSo() throws {
        origin.hold()
        let scratch = try Scratch()
        let first = try DashboardScreen(urls(1...3) + ["--max-active", "1"], in: scratch)
        #expect(try first.wait { $0.submissions.count == 3 && $0.named("task.started").count == 1 })
        #expect(first.leavePrompt())
        first.type("P")
        #expect(try first.wait { $0.named("task.suspended").count == 1 })
        try first.quit()
        origin.release()
        let second = try DashboardScreen(["--max-active", "1"], in: scratch)
        #expect(try second.wait { $0.submissions.count == 3 && $0.named("task.suspended").count == 1 })
        #expect(second.shows("1 paused") && second.shows("suspended"), "\(second.screen.text)")
        #expect(second.events.named("task.started").isEmpty)
        second.type("P")
        #expect(try second.wait { $0.taskOutcomes.count == 3 })
        try second.quit()
    }

    @Test func whatIsPausedShowsHowFarItCame() throws {
        let ledger = Ledger()
        origin.route(
            "/data.bin",
            ledger.script { request, number in
                var answer = OriginResponse.resource(.pattern(count: 4_000_000), for: request, etag: "\"v1\"")
                if number == 1 { answer.fault = .stall(after: 3_000_000) }
                return answer
            }
        )
        let scratch = try Scratch()
        let first = try DashboardScreen([origin.url("/data.bin")], in: scratch)
        #expect(try first.wait { $0.named("task.progress").contains { $0["received"]?.int == 3_000_000 } })
        #expect(first.leavePrompt())
        first.type("p")
        #expect(try first.wait { $0.named("task.suspended").count == 1 })
        #expect(first.shows("paused at 75 %"), "\(first.screen.text)")
        try first.quit()
        let second = try DashboardScreen([], in: scratch)
        #expect(try second.wait { $0.named("task.suspended").count == 1 })
        #expect(second.shows("paused at 75 %"), "\(second.screen.text)")
        #expect(second.leavePrompt())
        second.type("p")
        #expect(try second.wait { $0.taskOutcomes.count == 1 })
        #expect(ledger.requests.map { $0.header("range") } == [nil, "bytes=3000000-"])
        try second.quit()
    }

    @Test func aKillAtAnyMomentLosesNothing() throws {
        let seed = UInt64.random(in: 1...UInt64(UInt32.max))
        print("kills: seed \(seed)")
        var trial = KillTrial(program: Program.path, seed: seed, files: 200)
        let summary = try trial.run(kills: 4)
        #expect(summary.kills == 4 && summary.live > 0 && summary.files == 200)
        #expect(summary.continued > 0)
    }
}
