import SluiceCore
import Testing

@testable import SluiceUI

/// A recording in the dashboard.
struct ReplayTests {
    private static let short = Result { try RecordedScene.recording(steps: 600) }
    private static let start = Timestamp(nanoseconds: 77_000_000_000)

    private struct Screen {
        var dashboard: ReplayDashboard
        var now = ReplayTests.start
        var effects: [String] = []
        let width: Int
        let height: Int

        init(_ recording: Recording, at place: ReplayPlayer.Place? = nil, paused: Bool = true, _ size: (Int, Int)) {
            var player = ReplayPlayer(recording, speed: 4, isPaused: paused)
            if let place { player.seek(to: place) }
            var configuration = Scene.configuration()
            configuration.directory = nil
            configuration.title = "sluice replay"
            dashboard = ReplayDashboard(recording, name: "events.jsonl", player: player, configuration)
            (width, height) = size
            send(.resized(width: width, height: height))
        }

        mutating func send(_ event: AppEvent) { effects += dashboard.handle(event, now: now).map(Driver.name) }

        mutating func press(_ keys: Key...) { for key in keys { send(.key(key)) } }

        mutating func seek(to place: ReplayPlayer.Place) { _ = dashboard.seek(to: place, now: now) }

        /// Sleeps as the loop does, and wakes when it wants to.
        mutating func play(until isDone: (ReplayPlayer) -> Bool) {
            for _ in 0..<200_000 where !isDone(dashboard.position) {
                guard let wake = dashboard.nextWake(after: now) else { return }
                now = wake
                send(.wake)
                if let due = dashboard.frameDue(now: now), due <= now { draw() }
            }
        }

        /// As it would be drawn now.
        var canvas: Canvas {
            var copy = dashboard
            return copy.frame(width: width, height: height, now: now).canvas
        }

        var text: String { canvas.text }

        mutating func draw() { _ = dashboard.frame(width: width, height: height, now: now) }
    }

    @Test func aRecordingDoesNotClaimThatNothingIsSaved() throws {
        let recording = try Self.short.get()
        let screen = Screen(recording, at: .time(recording.length * 0.5), (200, 50))
        #expect(screen.text.contains("recorded at its end"))
        #expect(!screen.text.contains("memory cache only"))
    }

    @Test func theHelpOfARecordingNamesWhatItCanDoOnly() throws {
        let recording = try Self.short.get()
        var screen = Screen(recording, at: .time(recording.length * 0.5), (200, 50))
        screen.press(.character("?"))
        #expect(screen.text.contains("keys of the recording first"))
        #expect(screen.text.contains("nothing here changes or downloads anything"))
        for words in ["choose a certificate", "asks first", "twice while busy", "abort", "add URLs"] {
            #expect(!screen.text.contains(words), "\(words)")
        }
    }

    @Test func aRecordingOffersNoKeyThatDoesNothingToIt() throws {
        let recording = try Self.short.get()
        for share in [0.2, 0.5, 0.9, 1] {
            let screen = Screen(recording, at: .time(recording.length * share), (200, 50))
            for words in ["i full", "✗ no picture", "shows the chain", "cancels this one", "changes it", "p resumes"] {
                #expect(!screen.text.contains(words), "\(words) at \(share)")
            }
        }
    }

    @Test(arguments: [(80, 24), (120, 36), (200, 50)])
    func aSeekToTheMiddleEqualsPlayingToTheMiddle(width: Int, height: Int) throws {
        let recording = try Self.short.get()
        var played = Screen(recording, paused: false, (width, height))
        for share in [0.3, 0.7] {
            played.play { $0.position >= recording.length * share }
            played.press(.character(" "))
            let place = ReplayPlayer.Place.time(played.dashboard.position.position)
            let sought = Screen(recording, at: place, (width, height))
            #expect(played.dashboard.position.index == sought.dashboard.position.index)
            #expect(sought.text == played.text)
            #expect(sought.canvas == played.canvas)
            played.press(.character(" "))
        }
        played.press(.end)
        for key in [Key.left, .left, .home, .right, .right, .right, .left, .end] {
            played.press(key)
            let place = ReplayPlayer.Place.time(played.dashboard.position.position)
            var sought = Screen(recording, at: place, paused: key == .end, (width, height))
            if key == .end { sought.press(.end) }
            played.now = played.now + .seconds(10)
            played.press(.character("."), .character(","))
            sought.press(.character("."), .character(","))
            #expect(sought.canvas == played.canvas, "\(key.label)")
        }
    }

    @Test func everyStepEqualsASeek() throws {
        let recording = try RecordedScene.recording(steps: 120, seed: 5)
        var stepped = Screen(recording, (120, 36))
        for index in 0..<recording.count {
            stepped.press(.character("."))
            #expect(stepped.dashboard.position.index == index + 1)
            // Several events of one moment are applied together by a seek.
            let isLast = index + 1 == recording.count || recording.times[index + 1] > recording.times[index]
            guard isLast else { continue }
            let sought = Screen(recording, at: .time(.nanoseconds(recording.times[index])), (120, 36))
            guard sought.canvas == stepped.canvas else {
                Issue.record("event \(index + 1):\n\(sought.text)\n\(stepped.text)")
                return
            }
        }
        for index in (0..<recording.count).reversed() {
            stepped.press(.character(","))
            #expect(stepped.dashboard.position.index == index)
        }
        let first = Screen(recording, (120, 36))
        #expect(stepped.canvas == first.canvas)
    }

    @Test func aLongRecordingIsTheSameFromEveryPlaceToStartFrom() throws {
        let recording = try RecordedScene.recording(steps: 5_000, seed: 2)
        #expect(recording.count > 2 * 4_096)
        var screen = Screen(recording, at: .percent(100), (120, 36))
        for percent in [60.0, 10, 90, 61] {
            screen.seek(to: .percent(percent))
            let fresh = Screen(recording, at: .percent(percent), (120, 36))
            #expect(fresh.canvas == screen.canvas, "\(percent) %")
        }
    }

    @Test func theHeaderSaysWhereItStands() throws {
        let recording = try Self.short.get()
        for (width, height) in GoldenTests.sizes + [(30, 2), (60, 1)] {
            var screen = Screen(recording, at: .time(.seconds(20)), (width, height))
            #expect(screen.text.contains("‖ 0:20"), "\(width)×\(height)\n\(screen.text)")
            screen.press(.character(" "))
            #expect(screen.text.contains("0:20") && !screen.text.contains("‖ 0:20"), "\(screen.text)")
        }
        var screen = Screen(recording, at: .time(.seconds(20)), (120, 36))
        screen.press(.character("+"), .character("+"))
        #expect(screen.text.contains("16×") && screen.text.contains("sluice replay"), "\(screen.text)")
        for _ in 0..<9 { screen.press(.character("-")) }
        #expect(screen.text.contains("0.25×"))
        #expect(screen.text.contains("replay › events.jsonl") && screen.text.contains(" of \(recording.count)"))
        #expect(screen.text.contains("Space play, pause") && screen.text.contains("← → 5 s"), "\(screen.text)")
    }

    @Test func aPausedOneSleeps() throws {
        var screen = Screen(try Self.short.get(), at: .percent(40), (120, 36))
        screen.draw()
        #expect(screen.dashboard.nextWake(after: screen.now) == nil)
        #expect(screen.dashboard.frameDue(now: screen.now) == nil)
        screen.press(.character(" "))
        #expect(screen.dashboard.nextWake(after: screen.now) != nil)
        screen.press(.end)
        screen.draw()
        #expect(screen.dashboard.nextWake(after: screen.now) == nil, "at the end it pauses")
        screen.press(.home)
        #expect(screen.dashboard.position.index <= 1 && screen.dashboard.position.position == .zero)
    }

    @Test func noKeyChangesARecording() throws {
        let recording = try Self.short.get()
        let keys = Set(KeyMap.standard.bindings.flatMap(\.keys)).subtracting([
            .character("q"), .control("c"), .control("z"), .control("l"), .character("m"),
        ])
        let start = Screen(recording, at: .percent(30), (120, 36))
        let settings = start.dashboard.state.snapshot.settings
        for panel in 1...8 {
            for key in keys.sorted(by: { $0.label < $1.label }) {
                var screen = start
                screen.press(.character(Character(String(panel))), key)
                let isCopy = screen.effects.allSatisfy { $0.hasPrefix("copy ") }
                #expect(isCopy, "\(key.label): \(screen.effects)")
                #expect(screen.dashboard.state.snapshot.settings == settings)
                #expect(screen.dashboard.state.mode != .prompt)
            }
        }
    }

    @Test func keysOfDownloadsSayWhyTheyDoNothing() throws {
        var screen = Screen(try Self.short.get(), at: .percent(60), (120, 36))
        for key in ["x", "p", "P", "R", "a", "A", ":", "t", "f", "Z", "C", "M"] {
            screen.press(.character(Character(key)))
            #expect(screen.text.contains("a recording can't be changed"), "\(key)\n\(screen.text)")
            screen.press(.character("j"))
            #expect(!screen.text.contains("a recording can't be changed"))
        }
        screen.send(.paste("https://site.example/a.jpg"))
        #expect(screen.text.contains("a recording can't be changed"))
        screen.press(.character("i"))
        #expect(screen.text.contains("a recording holds no pictures"))
        screen.press(.character("q"))
        #expect(screen.effects == ["quit"], "once is enough")
    }

    @Test func whoeverWouldTypeHearsWhichKeysDoSomething() throws {
        let sentence = "a recording can't be changed: Space plays, ← → seek, ? shows the keys"
        for size in [(80, 24), (120, 36)] {
            var screen = Screen(try Self.short.get(), at: .percent(60), size)
            for key in ["a", "A", ":"] {
                screen.press(.character(Character(key)))
                #expect(screen.text.contains(sentence), "\(key)\n\(screen.text)")
                screen.press(.character("j"))
            }
            screen.send(.paste("https://site.example/a.jpg"))
            #expect(screen.text.contains(sentence), "\(screen.text)")
            screen.press(.character("P"))
            #expect(screen.text.contains("a recording can't be changed: this happened already"))
        }
    }

    @Test func theEndOfTheSessionSaysThatNothingFollows() throws {
        let recording = try Self.recording()
        for size in [(80, 24), (120, 36), (200, 50)] {
            var screen = Screen(recording, at: .percent(100), size)
            let words = "the recording ends here"
            #expect(screen.text.contains(words) && screen.text.contains("events.jsonl"), "\(screen.text)")
            screen.press(.character(","))
            #expect(!screen.text.contains(words), "\(screen.text)")
        }
    }

    /// What had no outcome neither runs nor comes any more, however the end was reached.
    @Test(arguments: [(80, 24), (120, 36), (200, 50)])
    func atTheEndOfTheSessionNothingSeemsToRun(width: Int, height: Int) throws {
        let recording = try Self.recording()
        var screen = Screen(recording, (width, height))
        for _ in 1..<recording.count { screen.press(.character(".")) }
        #expect(screen.text.contains("◕ ending") && screen.text.contains("/s"), "before it: \(screen.text)")

        screen.press(.character("."))

        let text = screen.text
        let header = text.prefix { $0 != "\n" }
        #expect(header.contains("○ idle") && !header.contains("eta") && !header.contains("↓"), "\(header)")
        #expect(text.contains("left at 50 %") && text.contains("· 1 left ─"), "\(text)")
        #expect(text.contains("0 tasks done · 0 failed"), "\(text)")
        #expect(!text.contains("idle in"), "no timer runs: \(text)")
        let end = ReplayPlayer.Place.time(.nanoseconds(recording.times[recording.count - 1]))
        #expect(Screen(recording, at: end, (width, height)).canvas == screen.canvas)
    }

    @Test func aLineThatIsCutOffIsNamed() throws {
        let recording = try Self.recording(rest: #"{"seq":9,"t":"#)
        let line = recording.count + 1
        for (size, words) in [
            ((60, 16), "line \(line) is cut off"), ((80, 24), "line \(line) is cut off"),
            ((120, 36), "line \(line) is cut off: shown is all before it"),
        ] {
            for place in [ReplayPlayer.Place.percent(0), .percent(100)] {
                let screen = Screen(recording, at: place, size)
                #expect(screen.text.contains(words), "\(screen.text)")
            }
        }
    }

    /// A session that ends while a task is under way, and the start of a line behind it.
    private static func recording(rest: String = "") throws -> Recording {
        let task = TaskID(1)
        let url = "https://site.example/a.jpg"
        let started = TaskChange(phase: .started, task: task, url: url, attempt: 1, active: 1, queued: 0)
        var events: [(Int, PipelineEvent.Kind)] = [
            (0, .sessionStarted(version: "0.1", pid: 1, settings: Settings())), (0, .taskChanged(started)),
        ]
        for tenth in 0...20 {
            events.append((100 * tenth, .taskProgress(task, received: tenth * 100_000, expected: 4_000_000)))
        }
        events.append((2_000, .indicatorChanged(from: .active, to: .delayingEnd, tasks: 0)))
        events.append((2_050, .sessionEnded(SessionCounts())))
        let encoder = EventEncoder(start: RecordedScene.start)
        var bytes: [UInt8] = []
        for (index, (time, kind)) in events.enumerated() {
            encoder.append(PipelineEvent(seq: index + 1, t: .milliseconds(time), kind: kind), to: &bytes)
        }
        var reader = RecordingReader()
        try reader.add((bytes + Array(rest.utf8))[...])
        return try reader.finish()
    }

    @Test func helpAndHintsNameTheKeysOfARecording() throws {
        var screen = Screen(try Self.short.get(), at: .percent(60), (120, 36))
        let hints = screen.text.split(separator: "\n").last ?? ""
        #expect(!hints.contains("abort") && !hints.contains("Space select"), "\(hints)")
        screen.press(.character("?"))
        let help = screen.text
        #expect(help.contains("play or pause") && help.contains("one event back, on"), "\(help)")
        #expect(!help.contains("abort the task") && !help.contains("fifo or lifo"), "\(help)")

        var driver = Driver(.full, 120, 36)
        _ = driver.press("?")
        #expect(!driver.text.contains("play or pause"))
    }

    @Test func listsAreFilteredAndFollowThePlayer() throws {
        var screen = Screen(try Self.short.get(), at: .percent(60), (120, 36))
        let count = screen.dashboard.state.snapshot.queuedCount
        #expect(count > 5)
        screen.press(.character("2"), .character("/"), .character("h"), .character("o"), .character("s"))
        screen.press(.character("t"), .character("-"), .character("1"))
        let matches = try #require(screen.dashboard.state.snapshot.queuedMatches)
        #expect(matches > 0 && matches < count)
        #expect(screen.dashboard.state.snapshot.queued.allSatisfy { $0.host == "host-1.example" })
        screen.press(.enter, .right)
        #expect(screen.dashboard.state.snapshot.queuedMatches != nil)
    }

    @Test func aTaskIsInspected() throws {
        var screen = Screen(try Self.short.get(), at: .percent(60), (200, 50))
        screen.press(.character("8"), .enter)
        #expect(screen.text.contains("detail"), "\(screen.text)")
        #expect(screen.text.contains("list urls.txt") || screen.text.contains("urls.txt"), "\(screen.text)")
    }
}
