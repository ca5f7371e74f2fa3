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

    @Test func aQuestionKeepsItsAnswersWhereThereIsLittleRoom() {
        let questions: [AppState.Question] = [
            .cancelAll(1), .cancelAll(43), .abortSelected(12_345), .deleteFiles(["/d/1"]),
            .deleteFiles(["/d/1", "/d/2"]), .pin(PinDraft(host: "a-long-name.site.example", pins: [])),
        ]
        for question in questions {
            let last = QuestionLine.choices(question, columns: 18, wordsOnParts: "Partial files are kept.").last
            let text = last?.spans.map(\.text).joined() ?? ""
            #expect(text.count <= 18 && text.hasSuffix("? y n"), "\(text)")
        }
        let paste = URLText.pasted(in: (1...30).map { "https://a.example/\($0)" }.joined(separator: "\n"))
        #expect((QuestionLine.choices(paste: paste, merging: 3).last?.width ?? .max) <= 20)

        var driver = Driver(.full, 24, 10)
        _ = driver.press(keys: [.control("x")])
        #expect(driver.text.contains("abort 43? y n"), "\(driver.text)")
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

    /// However long the labels of the section are.
    @Test(arguments: [KeyMap.Group.prompt, .commands, .rows]) func whatKeysDoBeginsInOneColumn(group: KeyMap.Group) {
        var driver = Driver(.full, 200, 50)
        _ = driver.press("?")
        let lines = rows(&driver)
        let others = KeyMap.standard.help(.everywhere)
        var columns: Set<Int> = []
        for row in KeyMap.standard.help(group) {
            // Some keys of the prompt do the same everywhere, and stand there too.
            if others.contains(where: { $0.label.hasSuffix(row.label) && $0.text == row.text }) { continue }
            let places = lines.flatMap { line in
                line.ranges(of: row.text).map(\.lowerBound)
                    .filter { String(line[..<$0]).trimmed.hasSuffix(" " + row.label) }
                    .map { line.distance(from: line.startIndex, to: $0) }
            }
            #expect(places.count == 1, "\(row)")
            columns.formUnion(places)
        }
        #expect(columns.count == 1, "\(columns)")
    }

    @Test func theHelpIsAsHighAsItNeedsAndSaysWhetherItScrolls() {
        var driver = Driver(.full, 200, 50)
        _ = driver.press("?")
        #expect(driver.text.contains("ACTIVE, transfers run"), "its last lines")
        #expect(driver.text.contains("Esc closes") && !driver.text.contains("scroll"))
        _ = driver.press("jjj")
        #expect(driver.dashboard.state.help.offset == 0)
        driver = Driver(.full, 80, 24)
        _ = driver.press("?")
        #expect(driver.text.contains("↑ ↓  / search  Esc closes"))
    }

    @Test(arguments: [(80, 24), (40, 10), (120, 36), (200, 50)]) func theHelpIsSearched(width: Int, height: Int) {
        var driver = Driver(.full, width, height)
        _ = driver.press("?")
        #expect(driver.text.contains("/ search  Esc closes"), "\(driver.text)")
        _ = driver.press("/")
        #expect(driver.text.contains("search › ") && driver.text.contains("abort the task"), "all, before it is typed")
        #expect(driver.press("Queue aQ") == [], "what is typed is no key")
        _ = driver.press(keys: [.backspace, .backspace])
        var text = driver.text
        #expect(text.contains("queue ╌") && text.contains("before all others") && !text.contains("abort the task"))
        #expect(text.contains("search › Queue"), "\(text)")
        _ = driver.press(keys: [.control("u")])
        _ = driver.press("ctrl+x")
        text = driver.text
        #expect(text.contains("tasks ╌") && text.contains("abort all, after"), "keys by their names")
        #expect(text.contains("1 line matches") && text.contains("Esc shows all"))
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("/ctrl+x") && driver.text.contains("Esc shows all"), "\(driver.text)")
        #expect(!driver.text.contains("search ›"))
        _ = driver.press(keys: [.escape])
        #expect(driver.text.contains("abort the task") && driver.text.contains("Esc closes"), "\(driver.text)")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.mode == .lists)
        _ = driver.press("?")
        #expect(driver.dashboard.state.help == HelpState(), "it is opened anew")
    }

    @Test func commandsGlyphsAndSectionsAreFoundToo() {
        var driver = Driver(.full, 40, 10)
        func shows(_ search: String, _ texts: String...) {
            _ = driver.press("?/" + search)
            for text in texts { #expect(driver.text.contains(text), "\(search): \(driver.text)") }
            _ = driver.press(keys: [.escape, .escape])
        }
        shows(":limitrate", "commands ╌", ":limitRate  limit all together")
        shows("merged", "glyphs ╌", "⊕ ×3  merged, receipts", "1 line matches")
        shows(":abort", "commands ╌", ":abort  abort the selected")
        shows("kept", "glyphs ╌", "how long lists skip it")
        shows("indicator", "idle", "ending, 170 ms", "4 lines match")
        shows("enter detail", "detail of the task")
        shows("!e", "j ↓  down", "13 lines match")
        shows("no such thing", "no line of the help matches", "0 lines match")
        #expect(driver.dashboard.state.mode == .lists)
    }

    /// Who looks for a key has a word of the hint bar in mind, or the name that the configuration has for it.
    @Test(arguments: [
        ("gallery", "all images, and back"), ("cancel receipt", "cancel newest receipt"),
        ("limitRate", "limit the rate of all"), ("move", "up, down one place"), ("full", "the image, and back"),
        ("prompt.yankOlder", "insert cut text, older"),
    ])
    func theHelpIsFoundByHintsAndByNamesOfActions(search: String, text: String) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("?/" + search)
        #expect(driver.text.contains(text) && !driver.text.contains("abort the task"), "\(driver.text)")
    }

    @Test func aSearchIsLeftStepByStepAndScrolled() {
        var driver = Driver(.full, 40, 10)
        _ = driver.press("m?/a")
        let first = driver.text
        _ = driver.press(keys: [.down])
        #expect(driver.dashboard.state.help.offset == 1 && driver.text != first)
        _ = driver.send(.mouse(Mouse(.wheelDown, x: 5, y: 5)))
        #expect(driver.dashboard.state.help.offset == 2 && driver.dashboard.state.help.editor.text == "a")
        _ = driver.press(keys: [.control("c")])
        #expect(driver.dashboard.state.help == HelpState(), "all lines, and no key is typed any more")
        _ = driver.press("G")
        #expect(driver.text.contains("ending, 170 ms"))
        _ = driver.press("/idle")
        #expect(driver.dashboard.state.help.offset == 0)
        _ = driver.press(keys: [.enter, .character("q")])
        #expect(driver.dashboard.state.mode == .lists, "other keys that close close at once")
        _ = driver.press("?/a")
        _ = driver.press(keys: [.function(1)])
        #expect(driver.dashboard.state.mode == .lists)
        #expect(!driver.dashboard.state.hasQuit)
    }

    @Test(arguments: [(60, 16), (80, 24), (100, 30), (120, 36), (160, 30)])
    func everySectionOfTheHelpHasItsHeadingInEveryColumn(width: Int, height: Int) throws {
        var driver = Driver(.full, width, height)
        _ = driver.press("?")
        func isHeading(_ line: String) -> Bool { line.contains(" ╌╌") }
        var last = -1
        while last < driver.dashboard.state.help.offset {
            last = driver.dashboard.state.help.offset
            for (index, column) in try helpColumns(&driver).enumerated() {
                guard let foot = column.last(where: { !$0.isEmpty }) else { continue }
                #expect(!isHeading(foot), "\(last): \(driver.text)")
                if index > 0 { #expect(isHeading(column[0]), "\(last): \(driver.text)") }
            }
            _ = driver.press("jjj")
        }
        #expect(driver.text.contains("ending, 170 ms"), "its last line is reached: \(driver.text)")
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
        let text = dashboard.frame(width: 200, height: 50, now: Scene.now).canvas.text
        #expect(text.contains("j Down") && text.contains("k Up"))
        #expect(text.contains("Tab S-Tab") && text.contains("BkSp Del"))
        #expect(!text.contains("j v") && !text.contains("k ^"))
    }

    @Test(arguments: [ColorDepth.palette256, .mono]) func theTimelineHasASignForEveryLine(depth: ColorDepth) {
        var dashboard = TaskDetailTests.inspected.dashboard(120, 36, depth: depth, ascii: true)
        _ = dashboard.handle(.key(.enter), now: Scene.now)
        let text = dashboard.frame(width: 120, height: 36, now: Scene.now).canvas.text
        #expect(text.contains("timeline") || text.contains("time"))
        #expect(!text.replacing("? help", with: "").contains("?"), "\(text)")
    }

    /// What stands in each column of the help, without blanks around it.
    private func helpColumns(_ driver: inout Driver) throws -> [[String]] {
        let rows = rows(&driver).map { Array($0) }
        let top = try #require(rows.firstIndex { String($0).contains("╭─ ? help ─") })
        let range = try #require(String(rows[top]).firstRange(of: "╭─ ? help ─"))
        let left = String(rows[top]).distance(from: String(rows[top]).startIndex, to: range.lowerBound)
        let right = try #require(rows[top][left...].firstIndex(of: "╮"))
        let bottom = try #require(rows[top...].firstIndex { $0[left] == "╰" })
        return stride(from: left + 3, to: max(left + 4, right - 33), by: 36).map { x in
            rows[(top + 2)..<bottom].map { String($0[x..<min(right, x + 33)]).trimmed }
        }
    }

    private func column(of text: String, _ driver: inout Driver) throws -> Int {
        let row = try #require(rows(&driver).first { $0.contains(text) })
        let range = try #require(row.firstRange(of: text))
        return row.distance(from: row.startIndex, to: range.lowerBound)
    }
}
