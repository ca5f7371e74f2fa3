import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// Keys while everything is busy, and a terminal that does not read.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DashboardLoadTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
    }

    // MARK: Keys

    /// Half of the slots stream without an end, the others change hands all the time.
    private func startBusy(_ names: [String]) throws -> DashboardScreen {
        for number in 1...4 {
            origin.route("/stream-\(number).bin") { _, _ in
                var answer = OriginResponse(body: .pattern(count: 4_000_000_000))
                answer.bytesPerSecond = 2_000_000
                return answer
            }
        }
        origin.setFallback { _, _ in
            var answer = OriginResponse.text("text")
            // So that a slow machine still has ten thousand in the queue when the last key was typed.
            answer.delay = .milliseconds(1_500)
            return answer
        }
        let scratch = try Scratch()
        let list = scratch.write(names.map { origin.url("/" + $0) + "\n" }.joined(), to: "home/list.txt")
        let options = ["--ephemeral", "--max-active", "8", "--max-per-host", "0", "--input", list]
        let dashboard = try DashboardScreen(options, width: 120, height: 36, in: scratch)
        #expect(try dashboard.wait(within: .seconds(300)) { $0.submissions.count == names.count })
        #expect(try dashboard.wait { $0.taskOutcomes.count > 4 && $0.named("task.progress").count > 4 })
        return dashboard
    }

    /// Waits until the cursor stands on a row with this text.
    private func marks(_ text: String, _ dashboard: DashboardScreen) -> Bool {
        dashboard.terminal.wait { $0.rows.contains { $0.contains("▌") && $0.contains(text) } }
    }

    /// Tasks that wait, as the header tells.
    private func queued(_ dashboard: DashboardScreen) -> Int? {
        let match = dashboard.screen.rows.first?.firstMatch(of: /([0-9,]+) queued/)
        return match.flatMap { Int($0.1.replacing(",", with: "")) }
    }

    @Test func everyKeyIsSeenWhileTransfersRunAndTenThousandWait() throws {
        let tail = (1...60).map { "tail-\($0 < 10 ? "0" : "")\($0).txt" }
        let names = (1...4).map { "stream-\($0).bin" } + (1...12_000).map { "\($0).txt" } + tail
        let dashboard = try startBusy(names)
        dashboard.type("2")
        #expect(dashboard.shows("move"), "the hints are the queue's: \(dashboard.screen.text)")
        dashboard.type("2")
        #expect(dashboard.hides("1 active"), "\(dashboard.screen.text)")
        dashboard.type("G")
        #expect(marks("tail-60.txt", dashboard), "\(dashboard.screen.text)")
        dashboard.type("k")
        #expect(marks("tail-59.txt", dashboard), "\(dashboard.screen.text)")
        dashboard.type(String(repeating: "k", count: 40) + String(repeating: "j", count: 10))
        #expect(marks("tail-29.txt", dashboard), "keys at once are all taken: \(dashboard.screen.text)")

        dashboard.type("/")
        #expect(dashboard.shows("filter ›"), "\(dashboard.screen.text)")
        dashboard.type("tail-0")
        #expect(dashboard.shows("9 rows match"), "\(dashboard.screen.text)")
        dashboard.type("\r")
        #expect(dashboard.hides("filter ›") && marks("tail-01.txt", dashboard), "\(dashboard.screen.text)")
        dashboard.type(" ")
        #expect(dashboard.shows("1 selected") && marks("tail-02.txt", dashboard), "\(dashboard.screen.text)")
        dashboard.type(" ")
        #expect(dashboard.shows("2 selected") && marks("tail-03.txt", dashboard), "\(dashboard.screen.text)")
        dashboard.type("x")
        #expect(dashboard.shows("2 tasks aborted") && dashboard.hides("tail-02.txt"), "\(dashboard.screen.text)")
        dashboard.type("j")
        #expect(marks("tail-04.txt", dashboard), "\(dashboard.screen.text)")
        dashboard.type("X")
        #expect(dashboard.hides("tail-04.txt") && marks("tail-05.txt", dashboard), "\(dashboard.screen.text)")
        dashboard.type("+")
        #expect(dashboard.terminal.wait { $0.row(0).contains("9/9") }, "\(dashboard.screen.text)")
        dashboard.type("-")
        #expect(dashboard.terminal.wait { $0.row(0).contains("8/8") }, "\(dashboard.screen.text)")
        dashboard.type("\u{1B}")
        #expect(dashboard.shows("tail-10.txt"), "all rows again: \(dashboard.screen.text)")
        #expect(marks("tail-05.txt", dashboard), "the row that was found: \(dashboard.screen.text)")
        #expect(queued(dashboard).map { $0 >= 10_000 } == true, "\(dashboard.screen.row(0))")

        #expect(try dashboard.wait { $0.taskOutcomes.filter { $0 == "cancelled" }.count == 3 })
        try dashboard.quit()
        let ends = dashboard.events.named("task.finished")
        let cancelled = ends.filter { $0["outcome"]?.string == "cancelled" }.compactMap { $0["url"]?.string }
        #expect(cancelled == ["01", "02", "04"].map { origin.url("/tail-\($0).txt") })
        #expect(ends.count + (dashboard.events.last?["left"]?.int ?? 0) == names.count, "each ended, or is left")
        #expect(dashboard.events.submissions.count == names.count)
    }

    // MARK: Programs that look on

    /// More of them than anybody has, and one who wants every event and reads none.
    @Test func programsThatDoNotReadHoldUpNoKeyAndNoDownload() throws {
        let names = (1...3).map { "\($0).bin" }
        origin.setFallback { _, _ in OriginResponse(body: .pattern(count: 300_000)) }
        origin.hold()
        let scratch = try Scratch()
        let path = scratch.path("s")
        let arguments = ["--socket", path] + names.map { origin.url("/" + $0) }
        let dashboard = try DashboardScreen(arguments, width: 120, height: 36, in: scratch)
        #expect(origin.waitUntil { $0.held == names.count })

        ControlPeer.allowManyConnections()
        let silent = try (1...300).map { _ in try ControlPeer(path) }
        let deaf = try ControlPeer(path)
        try deaf.call("subscribe", #"{"since":0}"#)
        // More events than the system holds for one who does not take them.
        let steady = try ControlPeer(path)
        let list = (1...50).map { "\"\(String(repeating: "x", count: 1_500))\($0)\"" }.joined(separator: ",")
        for _ in 1...20 { try steady.call("submit", #"{"urls":[\#(list)]}"#, as: "submit[]") }
        #expect(try dashboard.wait { $0.submissions.count == names.count + 1_000 })

        #expect(marks("1.bin", dashboard), "\(dashboard.screen.text)")
        for (key, name) in [("j", "2.bin"), ("j", "3.bin"), ("k", "2.bin")] {
            dashboard.type(key)
            #expect(marks(name, dashboard), "\(key): \(dashboard.screen.text)")
        }
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes == ["success", "success", "success"] })
        for name in names {
            let isWhole = FileTree.contents(of: scratch.downloads + "/" + name) == pattern(300_000)
            #expect(isWhole, "\(name)")
        }
        try dashboard.quit()
        var last: JSONValue?
        while let line = deaf.receive() { last = try JSONValue(parsing: line) }
        #expect(deaf.hasEnded && last?["params"]?["event"]?.string != "session.ended", "it was behind all the while")
        withExtendedLifetime(silent) {}
    }

    // MARK: A reader that stops

    @Test func aTerminalThatDoesNotReadHoldsUpNoDownloadAndIsSentNoOldFrames() throws {
        let names = (1...60).map { "\($0).bin" }
        origin.hold()
        let dashboard = try DashboardScreen(names.map { origin.url("/" + $0) }, width: 120, height: 36)
        #expect(origin.waitUntil { $0.held == 4 })
        #expect(try dashboard.wait { $0.submissions.count == names.count })
        #expect(dashboard.shows("56 queued"), "\(dashboard.screen.text)")

        let seen = dashboard.terminal.transcript.count
        let typed = try fill(dashboard)
        origin.release()
        #expect(try dashboard.waitUnread { $0.taskOutcomes.count == names.count }, "downloads go on")
        #expect(dashboard.files.count == names.count)
        #expect(dashboard.terminal.transcript.count == seen, "nobody has read anything")

        // And now somebody does.
        #expect(dashboard.shows("60 done"), "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.named("settings.changed").count == typed }, "the keys were not lost")
        #expect(dashboard.shows("Nothing runs: 60 done"), "\(dashboard.screen.text)")
        _ = dashboard.terminal.bytes(for: .milliseconds(300))
        // What the line holds, and a few frames of 10 KB: not one for each of the keys that could have been taken.
        let bytes = dashboard.terminal.transcript.count - seen
        #expect(bytes < 100_000, "\(bytes) bytes")
        // What the last key did is told for some seconds, and nothing changes after that.
        #expect(dashboard.hides("order is"), "\(dashboard.screen.text)")
        let drawn = Self.textWithoutClock(dashboard.screen)
        let clearings = dashboard.screen.clearings
        dashboard.type("\u{C}")
        #expect(dashboard.terminal.wait { $0.clearings > clearings && !$0.modes.contains(2_026) })
        #expect(Self.textWithoutClock(dashboard.screen) == drawn, "the frame was whole")
        try dashboard.quit()
    }

    /// Who draws waits for the terminal then, and could never hear that the end was asked for.
    @Test(arguments: [SIGTERM, SIGHUP]) func aTerminalThatDoesNotReadHoldsUpNoEnd(number: Int32) throws {
        origin.hold()
        let dashboard = try DashboardScreen([origin.url("/1.bin")], width: 120, height: 36)
        #expect(origin.waitUntil { $0.held == 1 })
        _ = try fill(dashboard)
        dashboard.terminal.send(signal: number)
        #expect(try !dashboard.waitUnread { _ in false }, "it ends though nobody reads")
        try dashboard.expectEnd(.signalled(number), isWhole: false)
        origin.release()
    }

    /// The minute may change between two frames, and no frame is made for it.
    private static func textWithoutClock(_ screen: ScreenEmulator) -> [String] {
        [screen.row(0).replacing(/\d\d:\d\d *$/, with: "")] + screen.rows.dropFirst()
    }

    /// Types keys that ask for whole frames until nothing more fits into the line, and reads nothing.
    ///
    /// Each pair of keys asks for a frame, and an event says that both were taken.
    ///
    /// - Returns: How many pairs were typed.
    private func fill(_ dashboard: DashboardScreen) throws -> Int {
        var typed = 0
        repeat {
            typed += 1
            #expect(dashboard.terminal.typeUnread("\u{C}f"))
        } while try typed < 40
            && dashboard.waitUnread(within: .seconds(10)) { $0.named("settings.changed").count == typed }
        #expect(typed < 40, "the terminal took every frame")
        return typed
    }
}
