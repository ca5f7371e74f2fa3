import SluiceCore
import Testing

@testable import SluiceUI

/// What has to stand in a small terminal beside everything else.
struct NarrowPanelTests {
    @Test func theTabsStayWhereTheQueueIsSuspended() {
        var driver = Driver(.failing, 80, 24)
        #expect(driver.dashboard.state.snapshot.settings.suspended)
        let edge = driver.text.split(separator: "\n").first { $0.contains("2 queued") }.map(String.init) ?? ""
        #expect(edge.contains("2 queued  8 #2  9 ✗6 ───── ‖ suspended ─╮"), "\(edge)")
    }

    @Test(arguments: [3, 7, 8, 12, 20]) func noHeadingStandsWithoutARowUnderIt(count: Int) {
        var scene = Scene.full
        scene.snapshot.active = (1...count).map { Scene.row($0 + 20, "a\($0).bin", "a.example", received: 9, of: 99) }
        scene.snapshot.settings.maxActive = count
        var driver = Driver(scene, 80, 24)
        let waiting = "↻ tile_0_0_7.png"
        if count < 8 { #expect(driver.text.contains(waiting), "there is room for all rows: \(driver.text)") }
        for _ in 0...count {
            let rows = driver.text.split(separator: "\n")
            for (row, next) in zip(rows, rows.dropFirst()) where row.contains("waiting for a retry") {
                #expect(next.contains(waiting), "\(driver.text)")
            }
            _ = driver.press("j")
        }
        #expect(driver.text.contains(waiting), "the last row")
    }

    /// The digit of a panel before a word alone would be read as a count.
    @Test(arguments: ["2", "8", "9"]) func noListIsNamedWithoutItsCount(key: String) {
        var scene = Scene.full
        for task in 501...512 { scene.failed(55, "http://a/\(task)", DownloadError(.timedOut, ""), task: task) }
        for width in stride(from: 40, through: 120, by: 4) {
            var driver = Driver(scene, width, 24)
            _ = driver.press(key)
            let edge = driver.text.split(separator: "\n").first { $0.contains("╭─ \(key) ") } ?? ""
            #expect(!edge.isEmpty, "\(driver.text)")
            // The first piece is the title of the list that is seen.
            for tab in edge.split(separator: "  ").dropFirst() {
                let words = tab.split(separator: " ").dropFirst().prefix(2)
                #expect(words.contains { $0.contains(where: \.isNumber) }, "\(width): \(edge)")
            }
        }
        var driver = Driver(scene, 80, 24)
        _ = driver.press("2")
        #expect(driver.text.contains("╭─ 2 queued  8 ended 14  9 failed 13 ─"), "\(driver.text)")
    }

    @Test(arguments: [60, 80, 120, 200]) func aBlankStandsBetweenTheBarAndAllOfABody(width: Int) throws {
        var scene = Scene.full
        scene.snapshot.active[0].received = scene.snapshot.active[0].expected ?? 0
        var driver = Driver(scene, width, 24)
        let row = try #require(driver.text.split(separator: "\n").first { $0.contains("100 %") })
        #expect(row.contains(" 100 %"), "\(row)")
    }

    @Test(arguments: [2, 8]) func noFigureIsCutInTheFirstRow(height: Int) {
        var scene = Scene.full
        (scene.snapshot.rate, scene.snapshot.failedCount) = (92_160, 12)
        var crowded = scene
        (crowded.snapshot.queuedCount, crowded.snapshot.waitingCount) = (123_456, 12_345)
        crowded.snapshot.pausedCount = 1_234
        let known = [
            "4/4", "↓90K", "90", "q38", "38", "38q", "q123456", "123,456", "123,456q", "↻1", "1", "↻12345",
            "↻12,345", "12,345", "‖1234", "1234", "✗12", "12", "12:41",
        ]
        for full in [scene, crowded] {
            for width in 1...60 {
                var driver = Driver(full, width, height)
                let text = driver.text
                let words = text.prefix { $0 != "\n" }.split(separator: " ").map(String.init)
                let wrong = words.filter { $0.contains(where: \.isNumber) && !known.contains($0) }
                #expect(wrong == [] && words.first != nil, "\(width): \(words)")
                #expect(!["✗", "↻", "‖", "↓", "q"].contains(words.last), "\(width): \(words)")
            }
        }
    }

    @Test(arguments: [(1, "⠋"), (4, "⠋ ↻1"), (5, "⠋ 4/4"), (8, "⠋ 4/4 ↻1"), (9, "⠋ 4/4 q38")])
    func aTinyScreenKeepsWhatFitsWhole(width: Int, row: String) {
        var scene = Scene.full
        (scene.snapshot.rate, scene.snapshot.failedCount) = (942_080, 12)
        var driver = Driver(scene, width, 2)
        let text = driver.text
        #expect(String(text.prefix { $0 != "\n" }).trimmed == row, "\(text)")
    }

    @Test(arguments: [(18, "⠋ 4/4 ↓90K q38 ✗12"), (20, "⠋ 4/4 ↓90K q38 ✗12"), (21, "⠋ 4/4 ↓90K q38 ↻1 ✗12")])
    func whatFailedIsKeptBeforeWhatWaits(width: Int, row: String) {
        var scene = Scene.full
        (scene.snapshot.rate, scene.snapshot.failedCount) = (92_160, 12)
        var driver = Driver(scene, width, 3)
        let text = driver.text
        #expect(String(text.prefix { $0 != "\n" }).trimmed == row, "\(text)")
    }

    @Test func theActivePanelSaysWhichOfItsRowsAreShown() {
        var driver = Driver(.failing, 80, 24)
        #expect(driver.text.contains("13 receipts · 1 · 1–6 of 7"), "\(driver.text)")
        _ = driver.press("G")
        #expect(driver.text.contains("13 receipts · 7 · 2–7 of 7"), "\(driver.text)")

        var whole = Driver(.full, 80, 24)
        #expect(whole.text.contains("12 receipts · 1 of 5"), "\(whole.text)")
    }
}
