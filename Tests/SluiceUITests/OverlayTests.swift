import SluiceCore
import Testing

@testable import SluiceUI

/// The help, and what Tab offers: nothing is cut off, or drawn over something else.
struct OverlayTests {
    private func rows(_ driver: inout Driver) -> [String] {
        driver.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(arguments: [60, 80, 120, 200]) func whatTabOffersFitsWithItsCount(width: Int) throws {
        var driver = Driver(.empty, width, 24)
        _ = driver.press(":")
        let count = CommandTable.all.count
        for step in 0...count {
            _ = driver.press(keys: [.tab])
            let line = try #require(rows(&driver).last)
            let end = line.split(separator: "…").last.map(String.init) ?? ""
            let isWhole = !line.contains("…") || end.hasSuffix(" more ") || end.contains(" more  ")
            #expect(isWhole, "step \(step): \(line)")
            let index = driver.dashboard.state.prompt.completion?.index
            if let index { #expect(line.contains(CommandTable.all[index].name), "the chosen one is in sight") }
        }
    }

    @Test func theHelpLeavesThePromptAlone() throws {
        var driver = Driver(.full, 40, 8)
        let prompt = try #require(rows(&driver).last)
        _ = driver.press("?")
        let help = rows(&driver)
        #expect(help[7] == prompt)
        #expect(help[6].contains("╰") && help[6].contains("Esc closes ─╯"))
        #expect(driver.text.contains("cancel newest recei…"))
    }

    @Test func theHelpIsAsHighAsItNeedsAndSaysWhetherItScrolls() {
        var driver = Driver(.full, 200, 50)
        _ = driver.press("?")
        #expect(driver.text.contains("ACTIVE, transfers run"), "its last lines")
        #expect(driver.text.contains("Esc closes") && !driver.text.contains("scroll"))
        _ = driver.press("jjj")
        #expect(driver.dashboard.state.helpOffset == 0)
        driver = Driver(.full, 80, 24)
        _ = driver.press("?")
        #expect(driver.text.contains("↑ ↓ scroll  Esc closes"))
    }

    @Test func theTextsOfTheHelpStandInOneColumn() throws {
        var driver = Driver(.full, 200, 50)
        _ = driver.press("?")
        let (page, half) = (try column(of: "a page down, up", &driver), try column(of: "half a page down", &driver))
        #expect(page == half)
    }

    @Test func withoutUnicodeArrowsAreWords() {
        var dashboard = Scene.full.dashboard(200, 50, ascii: true)
        _ = dashboard.handle(.key(.character("?")), now: Scene.now)
        let frame = dashboard.frame(width: 200, height: 50, now: Scene.now)
        let text = (0..<50).map(frame.canvas.row).joined(separator: "\n")
        #expect(text.contains("j Down") && text.contains("k Up"))
        #expect(text.contains("Tab S-Tab") && text.contains("BkSp Del"))
        #expect(!text.contains("j v") && !text.contains("k ^"))
    }

    @Test(arguments: [ColorDepth.palette256, .mono]) func theTimelineHasASignForEveryLine(depth: ColorDepth) {
        var dashboard = TaskDetailTests.inspected.dashboard(120, 36, depth: depth, ascii: true)
        _ = dashboard.handle(.key(.enter), now: Scene.now)
        let frame = dashboard.frame(width: 120, height: 36, now: Scene.now)
        let text = (0..<36).map(frame.canvas.row).joined(separator: "\n")
        #expect(text.contains("timeline") || text.contains("time"))
        #expect(!text.replacing("? help", with: "").contains("?"), "\(text)")
    }

    private func column(of text: String, _ driver: inout Driver) throws -> Int {
        let row = try #require(rows(&driver).first { $0.contains(text) })
        let range = try #require(row.firstRange(of: text))
        return row.distance(from: row.startIndex, to: range.lowerBound)
    }
}
