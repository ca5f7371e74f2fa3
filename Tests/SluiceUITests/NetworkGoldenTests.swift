import SluiceCore
import Testing

@testable import SluiceUI

/// The indicator in each of its states, and the banner, as a person approved them; see ``GoldenTests``.
struct NetworkGoldenTests {
    @Test(arguments: GoldenTests.sizes) func states(width: Int, height: Int) throws {
        for state in ActivityState.allCases where state != .active {
            var dashboard = Self.scene(state).dashboard(width, height)
            try Golden.check(&dashboard, "indicator-\(Self.name(state))", width, height)
            for _ in 0..<2 { _ = dashboard.handle(.key(.character("6")), now: Scene.now) }
            try Golden.check(&dashboard, "network-\(Self.name(state))", width, height)
        }
    }

    @Test(arguments: GoldenTests.sizes) func fullDisk(width: Int, height: Int) throws {
        for (look, depth, isASCII) in [
            ("", ColorDepth.palette256, false), ("ascii-", .palette256, true), ("mono-", .mono, false),
        ] {
            var dashboard = Self.diskFull.dashboard(width, height, depth: depth, ascii: isASCII)
            try Golden.check(&dashboard, "\(look)banner", width, height)
            for _ in 0..<2 { _ = dashboard.handle(.key(.character("2")), now: Scene.now) }
            try Golden.check(&dashboard, "\(look)banner-queued", width, height)
        }
    }

    @Test(arguments: GoldenTests.sizes) func unkeptState(width: Int, height: Int) {
        var driver = Driver(.full, width, height)
        func warn(_ code: WarningCode) -> AppEvent {
            let warning = PipelineEvent.Kind.warning(code: code, message: "no room on the disk", task: nil)
            return .events([PipelineEvent(seq: 901, t: .seconds(61), kind: warning)], lost: 0)
        }
        #expect(!driver.frame.canvas.row(1).contains("not kept"))
        _ = driver.send(warn(.state))
        driver.pass(.seconds(1))
        #expect(driver.frame.canvas.row(1).contains("not kept for next time"), "\(driver.text)")
        _ = driver.send(warn(.stateKept))
        driver.pass(.seconds(1))
        #expect(!driver.frame.canvas.row(1).contains("not kept"), "\(driver.text)")
    }

    /// Room alone helps only where the user did not suspend the queue besides; in any folder.
    @Test func theBannerSaysWhatHelps() {
        func row(_ scene: Scene) -> String {
            var driver = Driver(scene, 120, 36)
            return driver.frame.canvas.row(1)
        }
        var scene = Self.diskFull
        #expect(row(scene).contains("make room, then Z goes on"))
        scene.snapshot.settings.suspended = false
        scene.snapshot.fullFolder = "/mnt/usb"
        #expect(row(scene).contains("no room in /mnt/usb, 6.8 MiB needed"), "\(row(scene))")
        #expect(row(scene).contains("resumes when space is back"), "\(row(scene))")
        scene.snapshot.neededSpace = nil
        #expect(!row(scene).contains("disk full"))
    }

    @Test func aFullDiskComesBeforeWhatIsNotKept() {
        var scene = Self.diskFull
        scene.add(61, .warning(code: .state, message: "no room on the disk", task: nil))
        var driver = Driver(scene, 120, 36)
        #expect(driver.frame.canvas.row(1).contains("disk full"), "\(driver.text)")
    }

    @Test func theTimerIsCountedDown() {
        var scene = Self.scene(.delayingStart)
        (scene.snapshot.waiting, scene.snapshot.waitingCount) = ([], 0)
        var driver = Driver(scene, 80, 24)
        _ = driver.press("66")
        #expect(driver.text.contains("starting · ACTIVE in 0.6 s"))
        #expect(driver.dashboard.state.countdownDue == driver.now + .nanoseconds(50_000_001))
        driver.pass(.milliseconds(300))
        #expect(driver.text.contains("ACTIVE in 0.3 s"), "\(driver.text)")
        driver.pass(.milliseconds(260))
        #expect(driver.text.contains("ACTIVE in 0 s"), "\(driver.text)")
        driver.pass(.seconds(1))
        #expect(driver.dashboard.state.countdownDue == nil, "a timer that ran out wakes nobody")
    }

    @Test func theMembersOfItsSetAreNamed() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("66")
        #expect(driver.text.contains("transfers it counts 4"))
        let rows = driver.text.split(separator: "\n")
        let newest = rows.first { $0.contains("12:40:28") }
        #expect(newest?.contains("● ACTIVE    after 1 s of starting  ") == true, "\(driver.text)")
        #expect(!driver.text.contains("lasted"), "ACTIVE itself goes on: \(driver.text)")
        for row in Scene.full.snapshot.active { #expect(driver.text.contains(row.name)) }
        var snapshot = Scene.full.snapshot
        snapshot.indicator.tasks = 3
        _ = driver.send(.snapshot(snapshot))
        driver.pass(.seconds(1))
        #expect(driver.text.contains("transfers it counts 3"))
        #expect(!driver.text.contains("dunes-4096.jpg"), "which three is not known")
    }

    private static func name(_ state: ActivityState) -> String {
        switch state {
        case .notActive: "idle"
        case .delayingStart: "starting"
        case .active: "active"
        case .delayingEnd: "ending"
        }
    }

    /// The full scene shortly after the indicator came into a state.
    private static func scene(_ state: ActivityState) -> Scene {
        var scene = Scene.full
        var indicator = PipelineSnapshot.Indicator()
        indicator.state = state
        switch state {
        case .delayingStart:
            (indicator.since, indicator.deadline) = (Scene.now + .milliseconds(-400), Scene.now + .milliseconds(600))
            indicator.tasks = scene.snapshot.active.count
        case .delayingEnd:
            (indicator.since, indicator.deadline) = (Scene.now + .milliseconds(-50), Scene.now + .milliseconds(120))
        case .notActive, .active: indicator.since = Scene.now + .seconds(-5)
        }
        scene.snapshot.indicator = indicator
        guard state == .notActive || state == .delayingEnd else { return scene }
        scene.snapshot.active = []
        (scene.snapshot.rate, scene.snapshot.connections) = (0, [:])
        return scene
    }

    private static let diskFull: Scene = {
        var scene = Scene.failing
        scene.add(60, .warning(code: .diskFull, message: "no space left on the device", task: TaskID(1)))
        scene.snapshot.neededSpace = 7_130_317
        return scene
    }()
}
