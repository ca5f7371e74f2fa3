import SluiceCore
import Testing

@testable import SluiceUI

/// A filter that was kept: what the tabs say of its list, and how it goes.
struct KeptFilterTests {
    private func filtered(_ text: String, _ panel: String = "8") -> Driver {
        var scene = Scene.full
        for number in 1...9 {
            let url = "https://img.example/photo-\(number).jpg"
            var end = TaskEnd(task: TaskID(900 + number), url: url, outcome: .success, receipts: 1)
            end.bytes = 1_000
            scene.add(55, .taskFinished(end))
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press(panel + "/" + text)
        _ = driver.press(keys: [.enter])
        return driver
    }

    @Test func aTabStaysThoughAFilterHidesAllOfItsRows() {
        var driver = filtered("zzz")
        #expect(driver.text.contains("no row matches /zzz · Esc shows all"))
        _ = driver.press("2")
        #expect(driver.text.contains("8 finished 0/11"), "\(driver.text)")
    }

    @Test func aTabTellsHowManyOfHowMany() {
        var driver = filtered("photo-7")
        _ = driver.press("2")
        #expect(driver.text.contains("8 finished 1/11"))
    }

    @Test func whatTheUserTookAwayIsNotCounted() {
        var driver = filtered("photo-7")
        _ = driver.press("d2")
        #expect(driver.text.contains("8 finished 0/10"))
    }

    @Test func escapeShowsAllAgain() {
        var driver = filtered("zzz")
        _ = driver.press(keys: [.escape])
        #expect(!driver.text.contains("no row matches"))
        #expect(driver.dashboard.state.focus == .finished, "that was all it did")
        _ = driver.press("2")
        #expect(driver.text.contains("8 finished 11"))
    }

    @Test(arguments: ["1", "9", "4"]) func everyListSaysThatNothingMatches(panel: String) {
        var driver = filtered("zzz", panel)
        #expect(driver.text.contains("no row matches /zzz · Esc shows all"), "\(driver.text)")
        _ = driver.press(keys: [.escape])
        #expect(!driver.text.contains("no row matches"))
    }

    @Test func theQueueSaysSoOnceAllOfItWasSeen() {
        var driver = filtered("zzz", "2")
        var snapshot = Scene.full.snapshot
        (snapshot.queued, snapshot.queuedMatches, snapshot.isFiltering) = ([], 0, true)
        _ = driver.send(.snapshot(snapshot))
        #expect(!driver.text.contains("no row matches"))
        snapshot.isFiltering = false
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains("no row matches /zzz · Esc shows all"))
        _ = driver.press("8")
        #expect(driver.text.contains("2 queued 0/38"))
    }
}
