import Testing

@testable import SluiceUI

/// What the prompt says where there is hardly any room beside the text.
struct NarrowPromptTests {
    private static let lines = [":maxActive 999", "http://a.example b", "nonsense"]

    /// Without the mark of the word to blame, and those of what was left out.
    private func plain(_ text: String) -> String {
        String(text.filter { $0 != "▴" && $0 != "…" }).trimmed
    }

    private func says(_ row: String, _ problem: PromptState.Problem) -> Bool {
        let words = plain(row)
        return words.count >= 5 && [problem.message, problem.brief ?? ""].contains { plain($0).hasPrefix(words) }
    }

    @Test(arguments: [(20, 3), (20, 5), (30, 12), (39, 24), (39, 60), (120, 3)], lines)
    func whatIsRefusedHasARowOfItsOwn(size: (Int, Int), line: String) throws {
        let (width, height) = size
        var driver = Driver(.empty, width, height, prompt: true)
        _ = driver.enter(line)
        let problem = try #require(driver.dashboard.state.prompt.problem)
        let canvas = driver.frame.canvas
        #expect(says(canvas.row(height - 1), problem), "\(canvas.text)")
        #expect(canvas.row(height - 2).contains("› "), "the line stays for fixing: \(canvas.text)")
        _ = driver.press("x")
        #expect(driver.hints.contains("› "), "\(driver.text)")
    }

    @Test(arguments: [(20, 1), (20, 2), (39, 2), (40, 4)], lines)
    func withFewerRowsItHasTheLineUntilTheNextKey(size: (Int, Int), line: String) throws {
        let (width, height) = size
        var driver = Driver(.empty, width, height, prompt: true)
        _ = driver.enter(line)
        let problem = try #require(driver.dashboard.state.prompt.problem)
        let frame = driver.frame
        let row = frame.canvas.row(height - 1)
        #expect(says(row, problem) || row.contains("› ") && row.contains(problem.brief ?? problem.message), "\(row)")
        _ = driver.press("x")
        let next = driver.frame
        #expect(next.canvas.row(height - 1).contains("› ") && next.cursor != nil)
    }

    @Test func aListThatIsMissingIsToldToo() {
        var driver = Driver(.empty, 39, 24, prompt: true)
        _ = driver.enter("@/nonexistent/list.txt")
        let error = ListError(message: "can't read the list /nonexistent/list.txt: No such file or directory")
        _ = driver.send(.list(path: "/nonexistent/list.txt", .failure(error)))
        #expect(driver.hints.contains("can't read the list"), "\(driver.text)")
        #expect(driver.text.contains("@/nonexistent/list.txt"), "\(driver.text)")
    }

    @Test(arguments: [(20, false), (23, false), (34, true)])
    func countsLeaveRoomForWhatIsTyped(width: Int, isCounted: Bool) {
        var driver = Driver(.empty, width, 5, prompt: true)
        _ = driver.press("http://a/1 http://a/2 http://a/3")
        let text = driver.text
        #expect(text.contains("//a/3"), "\(text)")
        #expect(text.contains("3 URLs") == isCounted, "\(text)")
    }
}
