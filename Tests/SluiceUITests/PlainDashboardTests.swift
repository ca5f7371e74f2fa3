import SluiceCore
import Testing

@testable import SluiceUI

/// The dashboard as sentences.
struct PlainDashboardTests {
    private var now: Timestamp { Scene.now }

    private func make(_ scene: Scene = .full, ascii: Bool = false) -> (PlainDashboard, [String]) {
        var dashboard = PlainDashboard(Scene.configuration(ascii: ascii))
        var lines = dashboard.handle(.events(scene.events, lost: 0), now: now).lines
        lines += dashboard.handle(.snapshot(scene.snapshot), now: now).lines
        return (dashboard, lines)
    }

    @Test func newsAreSentencesInOrder() {
        let lines = make().1
        #expect(lines.contains { $0.hasPrefix("12:40:58 saved andes-night.jpg: 3.1 MiB") })
        #expect(lines.contains { $0.contains("failed old-map.png: 404 Not Found") })
        #expect(lines.contains { $0.contains("network active, 4 transfers.") })
        #expect(lines.allSatisfy { $0.hasSuffix(".") })
    }

    @Test func whatIsSaidFirstFitsANarrowTerminal() {
        var (dashboard, _) = make(.empty)
        let lines = dashboard.greeting + dashboard.typed("help", now: now).lines
        #expect(lines.count >= 4 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    }

    @Test func whoCannotTypeIsNotAskedTo() {
        let lines = PlainDashboard(Scene.configuration(), takesLines: false).greeting
        #expect(lines.count >= 2 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("Type") && !$0.contains("quit") }, "\(lines)")
    }

    @Test("a program asks once to quit, perhaps as the last task ends", arguments: [2.9, 3.1])
    func whoAskedToQuitNeedNotAskAgainWhereNothingIsLeft(seconds: Double) {
        var (dashboard, _) = make()
        #expect(dashboard.typed("quit", now: now).lines.last?.contains("quit again") == true)
        #expect(dashboard.handle(.snapshot(Scene.full.snapshot), now: now).effects.isEmpty && !dashboard.hasQuit)
        let effects = dashboard.handle(.snapshot(Scene.empty.snapshot), now: now + .seconds(seconds)).effects
        #expect(
            dashboard.hasQuit == (seconds < 3)
                && effects.contains { if case .quit = $0 { true } else { false } } == (seconds < 3)
        )
    }

    @Test("who goes on after the word stays", arguments: ["http://a.example/9", "status", "help", ":slots 3"])
    func whoGoesOnHasChangedTheirMind(line: String) {
        var (dashboard, _) = make()
        _ = dashboard.typed("quit", now: now)
        _ = dashboard.typed(line, now: now)
        #expect(dashboard.handle(.snapshot(Scene.empty.snapshot), now: now + .seconds(1)).effects.isEmpty)
        #expect(!dashboard.hasQuit)
    }

    @Test func nothingInALineMovesACursor() {
        var scene = Scene.failing
        scene.failed(
            60,
            "http://a/\u{1B}[2J\u{202E}x\r\n",
            DownloadError(.badStatus, "no\u{7}\u{9B}2J", status: 400),
            task: 900
        )
        var (dashboard, lines) = make(scene)
        lines += dashboard.typed("status", now: now).lines
        lines += dashboard.typed("\u{1B}]0;x\u{7}", now: now).lines
        for line in lines {
            #expect(line.unicodeScalars.allSatisfy { !$0.isHazardous }, "\(line.debugDescription)")
        }
        #expect(lines.contains { $0.contains("^[") })
    }

    @Test func withoutUnicodeLinesAreASCIIAsTheScreenIs() {
        var (dashboard, lines) = make(ascii: true)
        lines += dashboard.greeting
        lines += dashboard.typed("status", now: now).lines
        lines += dashboard.typed("né·×", now: now).lines
        lines += dashboard.summary()
        #expect(lines.allSatisfy { $0.allSatisfy(\.isASCII) }, "\(lines)")
        for part in ["started session: 4 slots - cache 100 MiB, purges to 60", "krak?w-rynek.webp", "no URL: n?-x"] {
            #expect(lines.contains { $0.contains(part) }, "\(part) in \(lines)")
        }
        #expect(make().1.contains { $0.contains("4 slots · cache 100 MiB, purges to 60") })
    }

    /// There is no Tab, and no end of a row.
    @Test func whatCanFollowIsListedWhole() {
        var (dashboard, _) = make()
        let lines = dashboard.typed(":focus zzz", now: now).lines
        #expect(lines.count == 1 && lines[0].hasPrefix("error: \"zzz\" can't follow, but active, "), "\(lines)")
        #expect(lines[0].contains(" or ") && !lines[0].contains("Tab"), "\(lines)")
    }

    @Test func typedLinesAreThePrompts() {
        var (dashboard, _) = make(.empty)
        let one = dashboard.typed("https://a.example/x.png", now: now)
        #expect(one.effects.map(Driver.name) == ["submit 1 prompt", "saveHistory 1"])
        let list = dashboard.typed("@urls.txt", now: now)
        #expect(list.effects.map(Driver.name).contains("readList urls.txt"))
        let wrong = dashboard.typed("nonsense", now: now)
        #expect(wrong.lines.first?.hasPrefix("error: ") == true && wrong.effects.isEmpty)
        #expect(dashboard.typed("", now: now).lines.isEmpty)
        #expect(dashboard.handle(.wake, now: now).lines.isEmpty, "what is wrong is told once")
        #expect(dashboard.typed(":bogus", now: now).lines.count == 1)
        #expect(dashboard.handle(.wake, now: now).lines.isEmpty)
    }

    @Test func aListThatCannotBeReadIsAnError() {
        var (dashboard, _) = make(.empty)
        let nameless = dashboard.typed("@ ", now: now)
        #expect(nameless.lines.first?.hasPrefix("error: @ reads a list of URLs") == true && nameless.effects.isEmpty)
        _ = dashboard.typed("@urls.txt", now: now)
        let failure = ListError(message: "can't read the list urls.txt: no such file")
        let answer = dashboard.handle(.list(path: "urls.txt", .failure(failure)), now: now)
        #expect(answer.lines == ["error: can't read the list urls.txt: no such file"])
        #expect(dashboard.handle(.wake, now: now).lines.isEmpty)
        #expect(
            dashboard.typed("https://a.example/x.png", now: now).effects.map(Driver.name).first == "submit 1 prompt"
        )
    }

    @Test func statusTellsHowThingsStand() {
        var (dashboard, _) = make()
        let text = dashboard.typed("STATUS", now: now).lines.joined(separator: "\n")
        for part in [
            "Network active, 4 of 4 slots taken", "38 queued, 1 waiting", " 1 failed.", "dunes-4096.jpg: 82 %",
            "tile_0_0_7.png waits: ", "Memory cache 84.1 of 100 MiB", "last purge at 12:40 freed 41.2 MiB",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    @Test func quittingWithWorkTakesTwoWords() {
        var (dashboard, _) = make()
        let first = dashboard.typed("quit", now: now)
        #expect(first.lines.last?.contains("quit again") == true && !dashboard.hasQuit)
        #expect(dashboard.typed("quit", now: now).effects.map(Driver.name) == ["quit"])
        #expect(dashboard.hasQuit)
        var other = make().0
        #expect(other.typed(":quit", now: now).lines.last?.contains("quit again") == true && !other.hasQuit)
        #expect(other.typed(":quit", now: now).effects.map(Driver.name).last == "quit")
        var idle = make(.empty).0
        #expect(idle.typed("quit", now: now).effects.map(Driver.name) == ["quit"])
    }

    @Test func whatWouldBeDeletedIsNamedAndAskedFor() {
        var (dashboard, _) = make()
        _ = dashboard.typed(":focus finished", now: now)
        let file = "/home/u/Pictures/andes-night.jpg"
        let question = "Delete \(file)? This can't be undone. Type yes or no."
        #expect(dashboard.typed(":delete", now: now).lines == [question])
        #expect(dashboard.typed(" ", now: now).lines == [question], "it is still open")
        let no = dashboard.typed("no", now: now)
        #expect(no.lines == ["Nothing was done."] && no.effects.isEmpty)
        #expect(dashboard.typed(":delete", now: now).lines == [question])
        #expect(dashboard.typed("Yes", now: now).effects.map(Driver.name) == ["delete \(file)"])
    }

    @Test func ofManyFilesSomeAreNamed() {
        let lines = PlainQuestion.lines(.deleteFiles((1...23).map { "/d/\($0)\u{1B}" }), wordsOnParts: nil)
        #expect(lines.count == 22)
        #expect(lines.first == "/d/1^[" && lines[20] == "and 3 more")
        #expect(lines.last == "Delete 23 files? This can't be undone. Type yes or no.")
    }

    @Test func aLineThatIsNoAnswerIsTakenForItself() {
        var (dashboard, _) = make()
        for line in [":focus queued", ":select all"] { _ = dashboard.typed(line, now: now) }
        let question = "Abort 38 tasks? Partial files are kept. Type yes or no."
        #expect(dashboard.typed(":abort", now: now).lines == [question])
        let url = dashboard.typed("https://y.example/x.png", now: now)
        #expect(url.lines.first == "Nothing was done.")
        #expect(url.effects.map(Driver.name).first == "submit 1 prompt")
        #expect(dashboard.typed(":abort", now: now).lines == [question])
        let other = dashboard.typed("yacht", now: now)
        #expect(other.effects.isEmpty, "what only begins like a yes is none")
        #expect(other.lines.first == "Nothing was done." && other.lines.last?.hasPrefix("error: ") == true)
        #expect(dashboard.typed(":abort", now: now).lines == [question])
        #expect(dashboard.typed("y", now: now).effects.map(Driver.name) == ["steer abort all"])
    }

    @Test func whatAPinWouldWriteIsSaidWhenItIsKnown() {
        var (dashboard, _) = make()
        _ = dashboard.typed(":focus queued", now: now)
        var draft = PinDraft(host: "a.example", pins: ["sha256/A", "sha256/B"])
        (draft.file, draft.lines) = ("~/sluice.toml", ["[[trust]]", "host = \"a.example\""])
        let lines = dashboard.handle(.pinDraft(draft), now: now).lines
        #expect(
            lines == [
                "key sha256/A", "backup sha256/B", "~/sluice.toml gets these lines:", "[[trust]]",
                "host = \"a.example\"", "Pin a.example in the configuration? Type yes or no.",
            ]
        )
        #expect(dashboard.handle(.wake, now: now).lines.isEmpty, "it is asked once")
        #expect(dashboard.typed("yes", now: now).effects.map(Driver.name) == ["pin a.example sha256/A sha256/B"])
    }

    @Test func aChangeOfTheNetworkStandsBetweenTheRequestsAroundIt() {
        var dashboard = make(.empty).0
        var scene = Scene()
        for name in ["a", "b", "c"] {
            if name == "b" { scene.add(60, .indicatorChanged(from: .delayingStart, to: .active, tasks: 1)) }
            let url = "https://h.example/\(name)"
            let submission = Submission(url: url, outcome: .queued, why: .queueSuspended, origin: .prompt)
            scene.add(60, .requestSubmitted(submission))
        }
        let lines = dashboard.handle(.events(scene.events, lost: 0), now: now).lines
        #expect(lines.count == 3, "\(lines)")
        for (line, part) in zip(lines, [" queued a: ", " network active, 1 transfer.", " queued 2 requests: "]) {
            #expect(line.contains(part), "\(lines)")
        }
    }

    @Test(arguments: ["pause", ":pause all"]) func whatIsPausedIsResumedWithAWord(line: String) {
        var (dashboard, _) = make()
        #expect(dashboard.typed(line, now: now).lines == ["all paused: resume goes on."])
        #expect(dashboard.typed("resume", now: now).lines == ["all resumed."])
    }

    @Test func wordsSteer() {
        var (dashboard, _) = make()
        #expect(dashboard.typed("resume", now: now).lines == ["Nothing is paused."])
        #expect(dashboard.typed("pause", now: now).effects.map(Driver.name) == ["pauseAll"])
        #expect(dashboard.typed("resume", now: now).effects.map(Driver.name) == ["resumeAll"])
        #expect(dashboard.typed("retry", now: now).effects.map(Driver.name) == ["retry 77"])
        #expect(dashboard.typed("help", now: now).lines.count == 2)
        #expect(dashboard.typed(":help", now: now).lines.count == 2)
    }
}
