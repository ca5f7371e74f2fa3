import SluiceCore
import Testing

@testable import SluiceUI

/// What was chosen in a list stays chosen while other rows come and go.
struct KeptRangeTests {
    private static func saved(_ number: Int) -> PipelineEvent {
        let url = "https://a.example/\(number)"
        var end = TaskEnd(task: TaskID(900 + number), url: url, outcome: .success, receipts: 1)
        end.file = "/d/\(number)"
        return PipelineEvent(seq: 9_000 + number, t: .seconds(54), kind: .taskFinished(end))
    }

    /// Rows with the files `/d/5` to `/d/1` above those of the full scene.
    private static func driver(_ keys: String) -> Driver {
        var scene = Scene.full
        scene.events += (1...5).map(saved)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys)
        return driver
    }

    private func end(_ numbers: ClosedRange<Int>, _ driver: inout Driver) {
        _ = driver.send(.events(numbers.map(Self.saved), lost: 0))
    }

    private func deleted(_ driver: inout Driver) -> [String] {
        driver.press("Dy").filter { $0.hasPrefix("delete") }
    }

    @Test(arguments: [
        ("8vjj", [5, 4, 3]), ("8jjvkk", [5, 4, 3]), ("8jvgg", [5, 4]), ("8v", [5]), ("4vjj", [5, 4, 3]),
        ("4jjvkk", [5, 4, 3]), ("4v", [5]), ("8/a.example\nvj", [5, 4]),
    ])
    func aRangeStaysWithItsRowsWhenMoreEnd(keys: String, files: [Int]) {
        var driver = Self.driver("")
        _ = driver.press(keys: keys.map { $0 == "\n" ? .enter : .character($0) })

        end(6...7, &driver)
        end(8...8, &driver)

        #expect(driver.dashboard.state.selectedCount(in: driver.dashboard.state.focus) == files.count)
        #expect(deleted(&driver) == files.map { "delete /d/\($0)" })
    }

    @Test(arguments: ["sn", "S"]) func aRangeStaysWithItsRowsInAnotherOrder(keys: String) {
        var driver = Self.driver("8vj" + keys)
        #expect(deleted(&driver) == ["delete /d/4", "delete /d/5"])
    }

    @Test func aRangeOfWhatRunsStaysWithItsRowsInAnotherOrder() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.press("vjSx").filter { $0.hasPrefix("steer") } == ["steer abort [2, 1]"])
    }

    @Test func aRangeThatLostAnEndIsNone() {
        var driver = Self.driver("8vj")
        let news = PipelineEvent(
            seq: 9_100,
            t: .seconds(60),
            kind: .warning(code: .fileDeleted, message: "/d/5", task: nil)
        )
        _ = driver.send(.events([news], lost: 0))
        #expect(deleted(&driver) == ["delete /d/4"], "the row under the cursor")
    }

    private func fail(_ task: Int, _ driver: inout Driver) {
        var end = TaskEnd(task: TaskID(task), url: "http://a/\(task)", outcome: .failed, receipts: 1)
        end.error = DownloadError(.timedOut, "")
        _ = driver.send(.events([PipelineEvent(seq: 9_000 + task, t: .seconds(60), kind: .taskFinished(end))], lost: 0))
    }

    @Test func theFirstFailureKeepsTheCursorOnceItIsSeen() {
        var driver = Driver(.full, 120, 36)
        fail(501, &driver)
        fail(502, &driver)
        _ = driver.press("9")
        #expect(driver.dashboard.state.selectedFailed?.id.task == TaskID(502), "the newest, before anybody looked")

        fail(503, &driver)

        #expect(driver.dashboard.state.selectedFailed?.id.task == TaskID(502))
        #expect(driver.press("r").contains("retry 502"))
    }

    @Test func theFirstOfAllFailuresKeepsTheCursorOfThoseWhoWaitForIt() {
        var driver = Driver(.empty, 120, 36)
        _ = driver.press("9")
        for task in 501...503 { fail(task, &driver) }
        #expect(driver.press("d").contains("forget http://a/501"))
    }
}
