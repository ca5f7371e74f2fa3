import SluiceCore
import Testing

@testable import SluiceUI

/// Which row of what failed has the cursor, as rows go and come back.
extension FailedPanelTests {
    /// It fails again as another task, and among others that are quicker.
    @Test func theCursorGoesBackToWhatFailsAgain() {
        var scene = Scene.empty
        let error = DownloadError(.connectionLost, "the server hung up")
        for task in 1...3 { scene.failed(50, "http://h/\(task)", error, task: task) }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("9j")
        #expect(driver.dashboard.state.selectedFailed?.url == "http://h/2")
        _ = driver.press("R")
        #expect(driver.dashboard.state.failedRows.isEmpty)
        for (task, number) in [(11, 1), (12, 2), (13, 3)] {
            var again = Scene.empty
            again.failed(60, "http://h/\(number)", error, task: task)
            guard let last = again.events.last else { continue }
            let event = PipelineEvent(seq: scene.events.count + task, t: .seconds(60), kind: last.kind)
            _ = driver.send(.events([event], lost: 0))
        }
        #expect(driver.dashboard.state.failedRows.map(\.url) == ["http://h/3", "http://h/2", "http://h/1"])
        #expect(driver.dashboard.state.selectedFailed?.url == "http://h/2")
        _ = driver.press("j")
        #expect(driver.dashboard.state.selectedFailed?.url == "http://h/1", "whoever moves it has it")
    }

    /// Who types it once more tries it again, as the key for that does.
    @Test func whatIsAskedAgainAndFailsAgainStandsOnce() {
        var scene = Scene.empty
        let error = DownloadError(.badStatus, "404", status: 404)
        for (task, name) in [(1, "a"), (2, "b"), (3, "c")] { scene.failed(50, "http://h/\(name)", error, task: task) }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("9j")
        #expect(driver.dashboard.state.selectedFailed?.url == "http://h/b")
        var end = TaskEnd(task: TaskID(4), url: "http://h/b", outcome: .failed, receipts: 1)
        (end.error, end.key) = (error, "http://h/b")
        _ = driver.send(.events([PipelineEvent(seq: 900, t: .seconds(60), kind: .taskFinished(end))], lost: 0))
        #expect(driver.dashboard.state.failedRows.map(\.url) == ["http://h/b", "http://h/c", "http://h/a"])
        #expect(driver.dashboard.state.selectedFailed?.url == "http://h/b", "the cursor goes with it")
        // With a header of its own it is another request.
        (end.task, end.key) = (TaskID(5), "http://h/b x-a: 1")
        _ = driver.send(.events([PipelineEvent(seq: 901, t: .seconds(61), kind: .taskFinished(end))], lost: 0))
        #expect(driver.dashboard.state.failedCount == 4)
        #expect(driver.dashboard.state.selectedFailed?.id.task == TaskID(4), "nobody chose that one")
        // What the first one was to do is tried with the second: it may have wanted a file, or another place.
        #expect(driver.press("r") == ["retry 2", "retry 4"])
        #expect(driver.dashboard.state.failedCount == 3)
        #expect(driver.press("R").filter { $0.hasPrefix("retry ") } == ["retry 1", "retry 3", "retry 5"])
    }
}
