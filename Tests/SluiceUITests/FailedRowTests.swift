import SluiceCore
import Testing

@testable import SluiceUI

/// Which failures stand in the list, and which of them one row means.
struct FailedRowTests {
    /// A form that was refused is not cured by its page, which came.
    @Test func aSuccessTakesAwayOnlyWhatIsTheSame() {
        let url = "https://tiles.example/form"
        var scene = Scene.full
        for (task, key) in [(78, "POST 1"), (79, url)] {
            scene.failed(55, url, DownloadError(.badStatus, "500", status: 500), task: task, key: key)
        }
        var end = TaskEnd(task: TaskID(80), url: url, outcome: .success, receipts: 1)
        end.key = url
        scene.add(56, .taskFinished(end))
        var driver = Driver(scene, 120, 36)
        #expect(driver.dashboard.state.news.failed.tasks.map(\.task) == [TaskID(77), TaskID(78)])
        #expect(driver.press("9r").last == "retry 78")
        // A recording knows no keys.
        end.key = nil
        scene.add(57, .taskFinished(end))
        #expect(Driver(scene, 120, 36).dashboard.state.news.failed.tasks.map(\.task) == [TaskID(77)])
    }

    @Test func whatFailedForNobodyIsNoFailure() {
        var scene = Scene.full
        var end = TaskEnd(task: TaskID(78), url: "https://tiles.example/a", outcome: .failed, receipts: 0)
        end.error = DownloadError(.badStatus, "403", status: 403)
        scene.add(55, .taskFinished(end))
        #expect(Driver(scene, 120, 36).dashboard.state.news.failed.tasks.map(\.task) == [TaskID(77)])
    }

    /// They stand in one row, and are tried again together.
    @Test func allOfARowGoOnWithAnotherURL() {
        var scene = Scene.full
        let error = DownloadError(.badStatus, "403", status: 403)
        for task in 78...79 { scene.failed(55, "https://tiles.example/a", error, task: task) }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("9e?token=2")
        let effects = driver.press(keys: [.enter]).filter { $0.hasPrefix("replaceURL") }
        #expect(effects == [78, 79].map { "replaceURL \($0) https://tiles.example/a?token=2" })
        #expect(driver.dashboard.state.news.failed.tasks.map(\.task) == [TaskID(77)])
    }
}
