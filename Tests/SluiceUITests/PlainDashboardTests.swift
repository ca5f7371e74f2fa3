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
        for part in ["started session: 4 slots - 60 and 100 MiB - indicator on", "krak?w-rynek.webp", "no URL: n?-x"] {
            #expect(lines.contains { $0.contains(part) }, "\(part) in \(lines)")
        }
        #expect(make().1.contains { $0.contains("4 slots · 60 and 100 MiB · indicator on") })
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
        var idle = make(.empty).0
        #expect(idle.typed("quit", now: now).effects.map(Driver.name) == ["quit"])
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
    }
}
