import SluiceCore
import Testing

@testable import SluiceUI

/// The list of what ended, in the place of the queue.
struct FinishedListTests {
    @Test func digitEightShowsWhatEndedInThePlaceOfTheQueue() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("8")
        #expect(driver.text.contains("8 finished"))
        #expect(driver.text.contains("andes-night.jpg"))
        #expect(driver.text.contains("badStatus"))
        _ = driver.press("2")
        #expect(!driver.text.contains("─ 8 finished"))
    }

    @Test func theListKeepsItsRowWhenMoreEnd() {
        var scene = Scene.full
        for number in 0..<30 {
            scene.failed(54.5, "http://a/\(number)", DownloadError(.timedOut, "slow"), task: 500 + number)
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press("8jjj")
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(526))
        var more = Scene()
        more.failed(60, "http://a/x", DownloadError(.timedOut, "slow"), task: 900)
        _ = driver.send(.events(more.events, lost: 0))
        #expect(driver.dashboard.state.selectedEnded?.end.task == TaskID(526))
        #expect(driver.press("r") == ["retry 526"])
    }

    @Test func tenThousandAreKept() {
        var ended = EndedTasks()
        for number in 1...25_000 {
            ended.append(TaskEnd(task: TaskID(number), url: "http://a/", outcome: .success, receipts: 1), t: .zero)
        }
        #expect(ended.count == EndedTasks.capacity)
        #expect(ended[age: 0].end.task == TaskID(25_000))
        #expect(ended[age: ended.count - 1].end.task == TaskID(15_001))
        #expect(ended.age(ofSeq: 25_000) == 0)
        #expect(ended.age(ofSeq: 1) == ended.count - 1, "forgotten ones are the oldest that is left")
    }
}
