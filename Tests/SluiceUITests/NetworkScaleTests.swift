import SluiceCore
import Testing

@testable import SluiceUI

/// The scale of a graph, and what stands at its edge, are those of what it draws.
struct NetworkScaleTests {
    /// A peak of one sample, and 75 s at another rate behind it.
    private func driver() -> Driver {
        var driver = Driver(.empty, 120, 36)
        for step in 0...150 {
            driver.pass(.milliseconds(500))
            var snapshot = Scene.empty.snapshot
            snapshot.time = driver.now
            snapshot.active = [Scene.row(1, "slow.bin", "a.example", received: step, of: 1_000_000)]
            snapshot.rate = step == 0 ? 921_600 : 15_360
            _ = driver.send(.snapshot(snapshot))
        }
        return driver
    }

    @Test func aPeakThatLeftTheGraphLeavesItsScaleAndItsEdge() {
        var driver = driver()
        #expect(driver.text.contains("peak 15 KiB/s · last 35 s"), "\(driver.text)")
        #expect(driver.text.contains(" 100K "), "\(driver.text)")
    }

    @Test func aPeakInSightIsTheScale() {
        var driver = driver()
        _ = driver.press("66")
        #expect(driver.text.contains("peak 900 KiB/s · last 1:15"), "\(driver.text)")
        #expect(driver.text.contains(" 900K "), "\(driver.text)")
    }

    @Test func aPurgeAtTheEdgeOfTheCachesHistoryLeavesItsTimeWhole() {
        var scene = Scene.empty
        scene.snapshot.memory.usage = 62_914_560
        scene.purge(61, freed: 42_000_000, victims: 2)
        var driver = Driver(scene, 80, 24)
        _ = driver.press("33")
        var marks = 0
        for step in 0..<170 {
            driver.pass(.seconds(1))
            var snapshot = scene.snapshot
            snapshot.time = driver.now
            snapshot.active = [Scene.row(1, "a.bin", "a.example", received: step, of: 1_000)]
            _ = driver.send(.snapshot(snapshot))
            let text = driver.text
            guard let row = text.split(separator: "\n").first(where: { $0.contains(#/−[0-9]+:[0-9]{2}/#) }) else {
                Issue.record("no time after \(step) s: \(text)")
                return
            }
            if row.contains("♺") { marks += 1 }
        }
        #expect(marks > 100, "until then it goes to the left")
    }
}
