import SluiceCore
import Testing

@testable import SluiceUI

/// How one goes into a panel, and out of it again.
struct WayBackTests {
    private func hints(_ driver: inout Driver) -> String {
        driver.text.split(separator: "\n", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }

    @Test(arguments: [[Key.character("i")], [.character("I")], [.character("5")]])
    func aPictureOfTheDetailLeadsBackToIt(keys: [Key]) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.enter] + keys)
        #expect(driver.dashboard.state.focus == .preview)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.dashboard.state.detail.task == TaskID(1))
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .active)
        _ = driver.press(keys: [.character("j"), .enter])
        #expect(driver.dashboard.state.detail.task == TaskID(2))
    }

    @Test func whoGoesElsewhereFromAPictureLooksAtOtherTasks() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.enter, .character("i"), .character("1"), .character("j"), .enter])
        #expect(driver.dashboard.state.detail.task == TaskID(2))
        _ = driver.press(keys: [.escape, .character("5"), .escape])
        #expect(driver.dashboard.state.focus == .active, "a detail that was left long ago does not come back")
    }

    @Test(arguments: [[Key.enter], [.character("i")], [.character("I")], [.character("2"), .character("2")]])
    func theWayBackIsTheFirstHint(keys: [Key]) {
        var driver = Driver(.full, 80, 24)
        #expect(!hints(&driver).contains("back"))
        _ = driver.press(keys: keys)
        #expect(hints(&driver).hasPrefix(" Esc back"), "\(hints(&driver))")
        _ = driver.press(keys: [.escape])
        #expect(!hints(&driver).contains("back"))
    }

    @Test func anEventWithoutATaskOpensNoOther() {
        var scene = Scene.full
        scene.purge(58, freed: 1_000_000, victims: 2)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("4"), .enter])
        #expect(driver.dashboard.state.focus == .events)
        #expect(driver.text.contains("this event has no task"))
        #expect(!hints(&driver).contains("detail"))
    }

    @Test func enterShowsAllEntriesOfTheCache() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("3")
        #expect(hints(&driver).contains("⏎ entries"), "\(hints(&driver))")
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.isMaximised && driver.dashboard.state.focus == .cache)
        _ = driver.press(keys: [.enter])
        #expect(!driver.dashboard.state.isMaximised)
        #expect(driver.text.contains("3 cache"), "the panel is called by its digit")
    }

    @Test func anExplanationIsForThePanelsItHoldsIn() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.character("6"), .enter])
        #expect(driver.text.contains("detail of the task: only in active, queued, events, finished and failed"))
    }
}
