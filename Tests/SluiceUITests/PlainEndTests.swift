import SluiceCore
import Testing

@testable import SluiceUI

/// How plain lines end, and that nothing is lost which was asked for right before.
struct PlainEndTests {
    private var now: Timestamp { Scene.now }

    private func make(
        staysForPrograms: Bool = false,
        _ change: (inout DashboardConfiguration) -> Void = { _ in }
    ) -> PlainDashboard {
        var configuration = Scene.configuration()
        change(&configuration)
        return PlainDashboard(configuration, staysForPrograms: staysForPrograms)
    }

    private func submissions(_ count: Int, _ origin: DownloadRequest.Source) -> AppEvent {
        let events = (1...count).map { number in
            let submission = Submission(
                url: "http://a.example/\(number)",
                outcome: .started,
                why: .slotFree(active: 0, limit: 4),
                origin: origin
            )
            return PipelineEvent(seq: 9_000 + number, t: .seconds(61), kind: .requestSubmitted(submission))
        }
        return .events(events, lost: 0)
    }

    /// With two paused tasks, once the question behind the input is answered.
    private func paused(answer: Int? = 1) -> PipelineSnapshot {
        var snapshot = Scene.empty.snapshot
        for number in 1...2 {
            var row = Scene.row(number, "\(number).png", "a.example")
            row.state = .paused
            snapshot.paused.append(row)
        }
        (snapshot.pausedCount, snapshot.counts.tasks, snapshot.left) = (2, 2, 2)
        snapshot.probe = answer.map { URLProbe.Answer(serial: $0) }
        return snapshot
    }

    private func names(_ answer: PlainDashboard.Answer) -> [String] {
        answer.effects.map(Driver.name).filter { name in
            !["watch", "inspect", "observe", "look", "saveHistory"].contains { name.hasPrefix($0) }
        }
    }

    // MARK: What has no answer yet

    @Test(arguments: [
        ("@urls.txt", "submit 1 list urls.txt:1"), (":import urls.txt", "submit 1 list urls.txt:1"),
        (":prefetch urls.txt", "prefetch 1"),
    ])
    func aListThatIsReadHoldsTheEndOfTheInputBack(line: String, command: String) {
        var dashboard = make()
        #expect(names(dashboard.typed(line, now: now)).contains("readList urls.txt"))
        #expect(!names(dashboard.handle(.inputEnded, now: now)).contains("probe"))
        #expect(!dashboard.mayEnd)

        let answer = dashboard.handle(.list(path: "urls.txt", .success(["http://a.example/1"])), now: now)

        #expect(names(answer) == [command, "probe"], "the question goes behind it")
        #expect(dashboard.mayEnd)
    }

    @Test func aListThatCannotBeReadHoldsNothingBack() {
        var dashboard = make()
        for list in ["urls.txt", "more.txt"] { _ = dashboard.typed("@\(list)", now: now) }
        _ = dashboard.handle(.inputEnded, now: now)
        let failure = ListError(message: "can't read the list: no such file")
        _ = dashboard.handle(.list(path: "urls.txt", .failure(failure)), now: now)
        #expect(!dashboard.mayEnd, "the other one is being read")
        _ = dashboard.handle(.list(path: "more.txt", .failure(failure)), now: now)
        #expect(dashboard.mayEnd)
    }

    @Test(arguments: [
        ("http://a.example/1", "1 new request would be left: "),
        ("http://a.example/1 http://a.example/2", "2 new requests would be left: "),
        ("@urls.txt", "1 list not read yet would be left: "), (":import l", "1 list not read yet would be left: "),
    ])
    func whatNoSnapshotHasShownYetIsAskedAbout(line: String, words: String) {
        var dashboard = make()
        _ = dashboard.handle(.snapshot(Scene.empty.snapshot), now: now)
        _ = dashboard.typed(line, now: now)
        let answer = dashboard.typed("quit", now: now)
        #expect(answer.lines.last?.hasPrefix(words) == true && !dashboard.hasQuit, "\(answer.lines)")
        #expect(dashboard.handle(.snapshot(Scene.empty.snapshot), now: now).effects.isEmpty)
        #expect(!dashboard.hasQuit, "the snapshot is older than the line")
    }

    @Test func whereAllIsAnsweredAndOverNothingIsAsked() {
        var dashboard = make()
        _ = dashboard.typed("http://a.example/1", now: now)
        _ = dashboard.typed(":prefetch l", now: now)
        _ = dashboard.handle(.list(path: "l", .success(["http://a.example/1"])), now: now)
        #expect(dashboard.typed("quit", now: now).lines.last?.contains("quit again") == true)
        _ = dashboard.typed("status", now: now)
        _ = dashboard.handle(submissions(1, .prompt), now: now)
        #expect(dashboard.typed("quit", now: now).lines.last?.hasPrefix("what is to be prefetched would") == true)
        _ = dashboard.typed("status", now: now)
        _ = dashboard.handle(submissions(1, .prefetch(BatchID(1))), now: now)
        _ = dashboard.handle(.snapshot(Scene.empty.snapshot), now: now)
        #expect(names(dashboard.typed("quit", now: now)) == ["quit"])
    }

    @Test func requestsOfTheCommandLineAreAskedAboutToo() {
        var dashboard = make { $0.requestCount = 2 }
        #expect(dashboard.typed("quit", now: now).lines.last?.hasPrefix("2 new requests would be left") == true)
        _ = dashboard.typed("status", now: now)
        var snapshot = Scene.empty.snapshot
        (snapshot.counts.requests, snapshot.counts.tasks, snapshot.counts.succeeded) = (2, 2, 2)
        _ = dashboard.handle(.snapshot(snapshot), now: now)
        #expect(names(dashboard.typed("quit", now: now)) == ["quit"])
    }

    @Test func theScreenAsksWhileAListIsRead() {
        var driver = Driver(.empty, 120, 36, prompt: true)
        #expect(driver.enter("@l.txt") == ["readList l.txt"])
        #expect(driver.press(keys: [.control("c")]) == [])
        #expect(driver.text.contains("0 active, 1 list not read yet: ^C again to quit"), "\(driver.text)")
        _ = driver.send(.list(path: "l.txt", .success([])))
        driver.pass(.seconds(4))
        #expect(driver.press(keys: [.control("c")]) == ["quit"])
    }

    // MARK: Nothing goes on by itself

    @Test func whereAllIsPausedTheEndOfTheInputEndsIt() {
        var dashboard = make { $0.keptIn = "~/.local/state/sluice" }
        _ = dashboard.handle(.snapshot(paused(answer: nil)), now: now)
        #expect(names(dashboard.handle(.inputEnded, now: now)) == ["probe"])
        #expect(names(dashboard.handle(.snapshot(paused(answer: nil)), now: now)).isEmpty)
        #expect(!dashboard.hasQuit, "it may be older than what was typed last")

        let answer = dashboard.handle(.snapshot(paused()), now: now)

        #expect(
            answer.lines == [
                "The input has ended, and nothing goes on by itself: 2 tasks are paused.",
                "2 requests are kept: start sluice, and resume, to go on.",
            ]
        )
        #expect(names(answer) == ["quit"] && dashboard.hasQuit && dashboard.hasStalled)
    }

    @Test func whatWaitsInASuspendedQueueIsToldToo() {
        var dashboard = make()
        _ = dashboard.handle(.inputEnded, now: now)
        var snapshot = paused()
        snapshot.settings.suspended = true
        (snapshot.queuedCount, snapshot.waitingCount, snapshot.counts.tasks) = (1, 2, 5)
        #expect(
            dashboard.handle(.snapshot(snapshot), now: now).lines == [
                "The input has ended, and nothing goes on by itself: 2 tasks are paused, and the queue is suspended, "
                    + "with 3 tasks in it.",
                "Nothing of it is kept.",
            ]
        )
    }

    @Test func whatIsPausedWaitsForAllThatGoesOn() {
        let changes: [(String, (inout PipelineSnapshot) -> Void)] = [
            ("runs", { $0.active = [Scene.row(3, "3.png", "a.example")] }),
            ("is queued", { $0.queuedCount = 1 }), ("waits for its retry", { $0.waitingCount = 1 }),
            ("is being submitted", { $0.backlog = 1 }), ("is answered from the disk", { $0.counts.tasks = 3 }),
            ("nothing lives", { ($0.paused, $0.pausedCount, $0.counts.succeeded) = ([], 0, 2) }),
        ]
        for (what, change) in changes {
            var dashboard = make()
            _ = dashboard.handle(.inputEnded, now: now)
            var snapshot = paused()
            change(&snapshot)
            let answer = dashboard.handle(.snapshot(snapshot), now: now)
            #expect(!dashboard.hasQuit && answer.lines.isEmpty, "\(what): \(answer.lines)")
            #expect(dashboard.handle(.snapshot(paused()), now: now).lines.count == 2, "\(what)")
        }
    }

    @Test func whileLinesAreTypedAPauseEndsNothing() {
        var dashboard = make()
        #expect(dashboard.handle(.snapshot(paused()), now: now).lines.isEmpty && !dashboard.hasQuit)
    }

    @Test func whereProgramsMayResumeItThatIsSaidOnce() {
        var dashboard = make(staysForPrograms: true)
        _ = dashboard.handle(.inputEnded, now: now)
        let lines = dashboard.handle(.snapshot(paused()), now: now).lines
        #expect(lines.last == "Programs may resume it: sluice ctl resume.", "\(lines)")
        #expect(dashboard.handle(.snapshot(paused()), now: now).lines.isEmpty && !dashboard.hasQuit)
    }

    // MARK: What is said

    @Test func everyLineOfManyHasItsAnswer() {
        var dashboard = make()
        for count in 2...4 {
            let line = (1...count).map { "http://a.example/\(count)-\($0)" }.joined(separator: " ")
            #expect(dashboard.typed(line, now: now).lines == ["adding \(count) URLs."])
        }
        let lines = dashboard.handle(submissions(9, .promptLine), now: now).lines
        #expect(lines.filter { $0.hasSuffix(" added.") } == ["2 URLs added.", "3 URLs added.", "4 URLs added."])
        #expect(!dashboard.handle(.wake, now: now).lines.contains { $0.hasSuffix(" added.") }, "each is said once")
    }

    @Test func whatIsNotOnRecordIsNotSaidToBeKept() {
        var dashboard = make { $0.recordsParts = false }
        var snapshot = Scene.full.snapshot
        snapshot.left = 5
        _ = dashboard.handle(.snapshot(snapshot), now: now)
        var lines = dashboard.typed("quit", now: now).lines
        #expect(lines.last?.hasSuffix("quit again within 3 s to quit. What came so far is not kept.") == true)
        for line in [":focus queued", ":select all"] { _ = dashboard.typed(line, now: now) }
        lines += dashboard.typed(":abort", now: now).lines
        #expect(lines.last == "Abort 38 tasks? What came so far is not kept. Type yes or no.")
        lines += dashboard.summary()
        #expect(lines.last == "5 requests left undone: what came so far is not kept, the queue is not restored")
        #expect(!lines.contains { $0.lowercased().contains("partial files") }, "\(lines)")
    }

    @Test func theScreenDoesNotPromiseItEither() {
        var configuration = Scene.configuration()
        configuration.recordsParts = false
        var dashboard = Dashboard(configuration)
        _ = dashboard.handle(.snapshot(Scene.full.snapshot), now: now)
        var driver = Driver(dashboard, 120, 36)
        _ = driver.send(.resized(width: 120, height: 36))
        _ = driver.press(keys: [.control("x")])
        #expect(driver.text.contains("abort all 43 tasks? What came so far is not kept."), "\(driver.text)")
        _ = driver.press("nq")
        #expect(driver.text.contains("q again to quit · what came so far is not kept, nor the queue"), "\(driver.text)")
        #expect(!driver.text.lowercased().contains("partial files"))
    }
}
