import Glibc
import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// Keys that steer, by what they do to the pipeline and to the screen.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DashboardKeyTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
    }

    /// In the lists, with so many tasks whose answers the origin holds.
    private func start(
        tasks count: Int,
        _ options: [String] = [],
        width: Int = 80,
        height: Int = 24
    ) throws -> DashboardScreen {
        origin.hold()
        let dashboard = try DashboardScreen(
            options + (1...count).map { origin.url("/\($0).txt") },
            width: width,
            height: height
        )
        #expect(origin.waitUntil { $0.held == min(count, 4) })
        #expect(try dashboard.wait { $0.submissions.count == count })
        #expect(dashboard.shows("1.txt"), "\(dashboard.screen.text)")
        return dashboard
    }

    private func settings(_ events: [JSONValue]) -> [String] {
        events.named("settings.changed").map { "\($0["name"]?.string ?? "") \($0["to"] ?? .null)" }
    }

    @Test func aTaskIsPausedResumedAndAborted() throws {
        let dashboard = try start(tasks: 2)
        dashboard.type("p")
        #expect(try dashboard.wait { $0.named("task.suspended").map { $0["task"]?.int } == [1] })
        #expect(dashboard.shows("1 paused") && dashboard.shows("‖"), "\(dashboard.screen.text)")
        dashboard.type("Gp")
        #expect(try dashboard.wait { $0.named("task.resumed").map { $0["task"]?.int } == [1] })
        #expect(dashboard.hides("1 paused"))
        dashboard.type("ggx")
        #expect(try dashboard.wait { $0.taskOutcomes == ["cancelled"] })
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes == ["cancelled", "success"] })
        try dashboard.quit()
        #expect(dashboard.files.count == 1)
    }

    @Test func everythingIsPausedAndResumed() throws {
        let dashboard = try start(tasks: 6)
        dashboard.type("P")
        #expect(try dashboard.wait { $0.named("task.suspended").count == 4 })
        #expect(dashboard.shows("4 paused"), "\(dashboard.screen.text)")
        origin.release()
        dashboard.type("P")
        #expect(try dashboard.wait { $0.taskOutcomes == Array(repeating: "success", count: 6) })
        try dashboard.quit()
        #expect(dashboard.files.count == 6)
        #expect(origin.log.peakActive <= 4)
    }

    @Test func everythingIsAbortedAfterAQuestion() throws {
        let dashboard = try start(tasks: 6)
        dashboard.type("\u{18}")
        #expect(dashboard.shows("abort all 6 tasks?"), "\(dashboard.screen.text)")
        dashboard.type("n")
        #expect(dashboard.hides("abort all 6 tasks?"))
        dashboard.type("\u{18}y")
        #expect(try dashboard.wait { $0.taskOutcomes == Array(repeating: "cancelled", count: 6) })
        try dashboard.quit()
        #expect(dashboard.files.isEmpty)
        #expect(origin.log.requests.count == 4)
    }

    @Test func slotsOrderAndSuspensionChange() throws {
        let dashboard = try start(tasks: 6)
        dashboard.type("+")
        #expect(origin.waitUntil { $0.held == 5 })
        #expect(dashboard.shows("of 5 slots"), "\(dashboard.screen.text)")
        dashboard.type("--")
        #expect(dashboard.shows("of 3 slots"))
        dashboard.type("f")
        #expect(dashboard.shows("lifo"), "\(dashboard.screen.text)")
        dashboard.type("Z")
        #expect(dashboard.shows("‖ suspended"), "\(dashboard.screen.text)")
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes.count == 5 })
        dashboard.type("Zf")
        #expect(try dashboard.wait { $0.taskOutcomes.count == 6 })
        #expect(dashboard.hides("‖ suspended"))
        try dashboard.quit()
        #expect(
            settings(dashboard.events) == [
                "maxActive integer(5)", "maxActive integer(4)", "maxActive integer(3)", "order string(\"lifo\")",
                "suspended bool(true)", "suspended bool(false)", "order string(\"fifo\")",
            ]
        )
    }

    @Test func queuedTasksMove() throws {
        let dashboard = try start(tasks: 8)
        dashboard.type("2")
        #expect(dashboard.shows("▌"), "\(dashboard.screen.text)")
        // Task 7 is the third of those that wait for a slot.
        dashboard.type("jjJ")
        #expect(dashboard.shows("4  7.txt"), "\(dashboard.screen.text)")
        dashboard.type("K")
        #expect(dashboard.shows("3  7.txt"), "\(dashboard.screen.text)")
        dashboard.type("U")
        #expect(dashboard.shows("1  7.txt"), "\(dashboard.screen.text)")
        dashboard.type("jB")
        #expect(dashboard.shows("4  5.txt"), "\(dashboard.screen.text)")
        let moves = try dashboard.wait { $0.named("task.moved").map { $0["position"]?.int } == [4, 3, 1, 4] }
        #expect(moves, "\(dashboard.events.named("task.moved"))")
        #expect(dashboard.events.named("task.moved").map { $0["task"]?.int } == [7, 7, 7, 5])
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes.count == 8 })
        try dashboard.quit()
    }

    @Test func theCacheIsClearedAndPutUnderPressure() throws {
        let image = ImageEncoder.png(OriginImages.draw(.cover, width: 64, height: 64))
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
        let dashboard = try DashboardScreen([origin.url("/1.png")])
        #expect(try dashboard.wait { $0.named("cache.added").count == 1 && $0.taskOutcomes.count == 1 })
        dashboard.type("C")
        #expect(try dashboard.wait { $0.named("cache.purged").map { $0["trigger"]?.string } == ["cleared"] })
        // An empty cache has nothing to purge, which is no event.
        dashboard.type("CMa")
        #expect(dashboard.shows("paste or type a URL"), "\(dashboard.screen.text)")
        dashboard.type(origin.url("/2.png") + "\r")
        #expect(try dashboard.wait { $0.named("cache.added").count == 2 && $0.taskOutcomes.count == 2 })
        #expect(dashboard.leavePrompt())
        dashboard.type("M")
        #expect(
            try dashboard.wait { $0.named("cache.purged").map { $0["trigger"]?.string } == ["cleared", "pressure"] }
        )
        let purge = dashboard.events.named("cache.purged")[1]
        #expect(purge["freed"]?.int == 64 * 64 * 4 && purge["after"]?.int == 0)
        #expect(dashboard.shows("purge"), "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    @Test func anImageThatIsAskedForAgainIsAHit() throws {
        let image = ImageEncoder.png(OriginImages.draw(.cover, width: 64, height: 64))
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
        let dashboard = try DashboardScreen()
        for count in 1...2 {
            dashboard.type(origin.url("/1.png") + "\r")
            #expect(try dashboard.wait { $0.submissions.count == count && $0.taskOutcomes.count == 1 })
        }
        #expect(dashboard.events.submissions == ["started", "cached"])
        #expect(dashboard.shows("hit"), "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(dashboard.files == ["1.png"])
        #expect(origin.log.requests.count == 1)
    }

    @Test func aFailedTaskIsTriedAgain() throws {
        origin.route("/1.txt") { _, number in number == 1 ? OriginResponse(404) : .text("found") }
        let dashboard = try DashboardScreen([origin.url("/1.txt")])
        #expect(try dashboard.wait { $0.taskOutcomes == ["failed"] })
        #expect(dashboard.shows("404 Not Found") && dashboard.shows("failed"), "\(dashboard.screen.text)")
        dashboard.type("R")
        #expect(try dashboard.wait { $0.taskOutcomes == ["failed", "success"] }, "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(dashboard.files == ["1.txt"])
    }

    @Test func theHelpOpensAndCloses() throws {
        let dashboard = try DashboardScreen()
        #expect(dashboard.leavePrompt())
        for (open, close) in [("?", "\u{1B}"), ("\u{1B}OP", "q")] {
            dashboard.type(open)
            #expect(dashboard.shows("keys of active first"), "\(dashboard.screen.text)")
            dashboard.type("G")
            #expect(dashboard.shows("indicator"))
            dashboard.type(close)
            #expect(dashboard.hides("keys of active first"), "\(dashboard.screen.text)")
        }
        dashboard.type("q")
        try dashboard.expectEnd(.exited(0))
    }

    @Test(arguments: [(80, 24), (40, 10)]) func theHelpIsSearched(width: Int, height: Int) throws {
        let dashboard = try DashboardScreen(width: width, height: height)
        dashboard.type("\u{1B}")
        #expect(dashboard.shows("add › a or paste"), "\(dashboard.screen.text)")
        dashboard.type("?/merged")
        #expect(dashboard.shows("1 line matches") && dashboard.shows("merged, receipts"), "\(dashboard.screen.text)")
        #expect(!dashboard.screen.text.contains("abort the task"))
        dashboard.type("\u{1B}")
        #expect(dashboard.shows("abort the task"), "\(dashboard.screen.text)")
        dashboard.type("\u{1B}")
        #expect(dashboard.hides("abort the task"), "\(dashboard.screen.text)")
        dashboard.type("q")
        try dashboard.expectEnd(.exited(0))
    }

    /// What is on the screen after many changes of its size is what a fresh painting shows.
    @Test(arguments: [("", "1 active"), ("?", "keys of active first"), ("33", "3 cache"), ("I", "gallery")])
    func aStormOfSizesLeavesNothingStale(keys: String, sign: String) throws {
        let dashboard = try start(tasks: 12, width: 100, height: 30)
        // Nothing moves but clocks, so that two paintings are alike.
        dashboard.type("P")
        #expect(try dashboard.wait { $0.named("task.suspended").count == 4 })
        #expect(dashboard.shows("4 paused") && dashboard.shows("idle"), "\(dashboard.screen.text)")
        dashboard.type(keys)
        #expect(dashboard.shows(sign), "\(dashboard.screen.text)")
        let clearings = dashboard.screen.clearings
        dashboard.type("\u{0C}")
        #expect(
            dashboard.terminal.wait { $0.clearings > clearings && !$0.modes.contains(2_026) && $0.text.contains(sign) }
        )
        let fresh = dashboard.screen
        var random = SeededRandom(seed: 7)
        for _ in 1...(ChildProcess.isThreadSanitized ? 40 : 200) {
            let width = Int.random(in: 20...250, using: &random)
            dashboard.terminal.resize(width: width, height: Int.random(in: 5...70, using: &random))
            // Some sizes are gone before they are painted, as with a window that is dragged.
            _ = dashboard.terminal.bytes(for: .milliseconds(Int.random(in: 0...20, using: &random)))
        }
        dashboard.terminal.resize(width: 100, height: 30)
        #expect(
            dashboard.terminal.wait { Self.still($0) == Self.still(fresh) },
            "\(fresh.text)\n\(dashboard.screen.text)"
        )
        #expect(dashboard.screen.unknown == [])
        dashboard.terminal.send(signal: SIGTERM)
        try dashboard.expectEnd(.exited(7))
    }

    /// The screen without what time changes.
    private static func still(_ screen: ScreenEmulator) -> [String] {
        screen.rows.map { row in
            String(row.map { $0.isNumber ? "0" : ("\u{2800}"..."\u{28FF}").contains($0) ? " " : $0 })
        }
    }

    @Test func everySizeHasAPicture() throws {
        let dashboard = try start(tasks: 12)
        for (width, height) in [(120, 36), (60, 16), (40, 8), (20, 2), (200, 50), (80, 24)] {
            dashboard.terminal.resize(width: width, height: height)
            let hasFrame = dashboard.terminal.wait { screen in
                screen.row(0).contains("4/4") && (height < 4 || screen.text.contains("1.txt"))
            }
            #expect(hasFrame, "\(width)×\(height): \(dashboard.screen.text)")
            #expect(dashboard.screen.unknown == [])
        }
        #expect(dashboard.shows("8 queued"), "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    /// ncurses counts cells with 16 bits.
    @Test func aTerminalLargerThanAnyIsDrawnAsFarAsItGoes() throws {
        let dashboard = try start(tasks: 12)
        for (width, height) in [(40_000, 24), (80, 40_000), (80, 24)] {
            dashboard.terminal.resize(width: width, height: height)
            #expect(dashboard.terminal.wait { $0.row(0).contains("4/4") }, "\(width)×\(height)")
        }
        #expect(dashboard.shows("8 queued"), "\(dashboard.screen.text)")
        try dashboard.quit()
    }
}
