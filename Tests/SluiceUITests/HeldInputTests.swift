import SluiceCore
import Testing

@testable import SluiceUI

/// Keys for rows of a long queue that are still being asked for.
struct HeldInputTests {
    /// A queue of 500, of which the first rows are known.
    private static var scene: Scene {
        var scene = Scene.full
        scene.snapshot.queuedCount = 500
        return scene
    }

    /// The same rows, at the end of the queue.
    private static var end: PipelineSnapshot {
        var snapshot = scene.snapshot
        snapshot.queuedFrom = 501 - snapshot.queued.count
        return snapshot
    }

    private static var last: Int { end.queued[end.queued.count - 1].task.rawValue }

    private func driver() -> Driver {
        var driver = Driver(Self.scene, 120, 36)
        _ = driver.press("2")
        return driver
    }

    /// What is done to tasks and to the queue.
    private func commands(_ effects: [String]) -> [String] {
        effects.filter { !$0.contains("Picture ") && !$0.hasPrefix("watch") && !$0.hasPrefix("copy") }
    }

    @Test func aKeyForARowThatIsNotKnownYetWaitsForIt() {
        var driver = driver()
        #expect(driver.press("G").contains { $0.hasPrefix("watch") })
        #expect(commands(driver.press("x")) == [] && !driver.text.contains("nothing selected"))
        // One that was on its way before.
        #expect(commands(driver.send(.snapshot(Self.scene.snapshot))) == [])
        #expect(commands(driver.send(.snapshot(Self.end))) == ["abort \(Self.last)"])
        #expect(commands(driver.send(.snapshot(Self.end))) == [], "and only once")
    }

    @Test func whatStandsBehindItWaitsToo() {
        var driver = driver()
        #expect(commands(driver.press("GUggx")) == [])
        let done = driver.send(.snapshot(Self.end))
        #expect(commands(done) == ["promote \(Self.last)"] && done.contains { $0.hasPrefix("watch") }, "\(done)")
        #expect(commands(driver.send(.snapshot(Self.scene.snapshot))) == ["abort 100"])
    }

    /// They are no keys of the list, or mean something else there.
    @Test func textThatIsTypedAheadGoesWhereItIsMeantFor() {
        var driver = driver()
        #expect(commands(driver.press("Gx/tile_q")) == [])
        #expect(commands(driver.send(.snapshot(Self.end))) == ["abort \(Self.last)"])
        #expect(driver.text.contains("filter › tile_q"), "\(driver.text)")
        #expect(driver.dashboard.state.quitArmedUntil == nil)
    }

    @Test func aPasteWaitsAndIsNotAnsweredByTheKeysBeforeIt() {
        var driver = driver()
        #expect(commands(driver.press("G") + driver.press(keys: [.enter])) == [])
        let many = (1...30).map { "http://a.example/\($0)" }.joined(separator: "\n")
        #expect(commands(driver.send(.paste(many))) == [])
        let done = commands(driver.send(.snapshot(Self.end)))
        #expect(!done.contains { $0.hasPrefix("submit") }, "\(done)")
        #expect(driver.text.contains("30 "), "\(driver.text)")
        guard case .paste = driver.dashboard.state.mode else { return #expect(Bool(false), "\(driver.text)") }
    }

    @Test func quittingComesBehindWhatIsToBeDone() {
        var driver = driver()
        #expect(commands(driver.press("Gxqq")) == [])
        #expect(commands(driver.send(.snapshot(Self.end))) == ["abort \(Self.last)", "quit"])
    }

    @Test func aRowThatDoesNotComeIsWaitedForASecond() {
        var driver = driver()
        #expect(commands(driver.press("Gx1x")) == [])
        #expect(driver.dashboard.nextWake(after: driver.now).map { $0 <= driver.now + .seconds(1) } == true)
        driver.pass(.seconds(1))
        #expect(driver.dashboard.state.held.isEmpty && driver.dashboard.state.focus == .active)
        #expect(commands(driver.press("2x")) == [], "and then again")
    }
}
