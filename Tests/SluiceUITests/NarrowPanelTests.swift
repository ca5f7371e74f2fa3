import SluiceCore
import Testing

@testable import SluiceUI

/// What has to stand in a small terminal beside everything else.
struct NarrowPanelTests {
    @Test func theTabsStayWhereTheQueueIsSuspended() {
        var driver = Driver(.failing, 80, 24)
        #expect(driver.dashboard.state.snapshot.settings.suspended)
        let edge = driver.text.split(separator: "\n").first { $0.contains("2 queued") }.map(String.init) ?? ""
        #expect(edge.contains("2 queued  8 ✓2  9 ✗6 ───── ‖ suspended ─╮"), "\(edge)")
    }

    @Test(arguments: [60, 80, 120, 200]) func aBlankStandsBetweenTheBarAndAllOfABody(width: Int) throws {
        var scene = Scene.full
        scene.snapshot.active[0].received = scene.snapshot.active[0].expected ?? 0
        var driver = Driver(scene, width, 24)
        let row = try #require(driver.text.split(separator: "\n").first { $0.contains("100 %") })
        #expect(row.contains(" 100 %"), "\(row)")
    }
}
