import SluiceCore
import Testing

@testable import SluiceUI

/// Rows of tasks that were cancelled.
struct CancelledRowTests {
    /// In the list as where it ran.
    @Test func whatWasCancelledIsCalledAlike() {
        var scene = Scene.full
        scene.snapshot.counts.cancelled = 2
        for task in 601...602 {
            var end = TaskEnd(task: TaskID(task), url: "http://a/\(task)", outcome: .cancelled, receipts: 1)
            end.bytes = 26 * 1_024
            scene.add(55, .taskFinished(end))
        }
        var driver = Driver(scene, 200, 50)
        _ = driver.press("8")
        #expect(driver.text.contains("· 2 cancelled ─╮"), "\(driver.text)")
        #expect(driver.text.contains("cancelled after 26 KiB") && !driver.text.contains("cancelled at"))
    }
}
