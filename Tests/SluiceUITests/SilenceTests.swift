import SluiceCore
import Testing

@testable import SluiceUI

/// A server that says nothing more: what the screen says of it, and how often.
struct SilenceTests {
    /// One that runs, of which a third came and for twelve seconds nothing more.
    private static let stalled: PipelineSnapshot = {
        var snapshot = Scene.empty.snapshot
        var row = Scene.row(1, "stalled.bin", "a.example", received: 204_800, of: 614_400)
        row.silentSince = Scene.now + .seconds(-12)
        snapshot.active = [row]
        snapshot.indicator.state = .active
        (snapshot.indicator.since, snapshot.indicator.tasks) = (Scene.now + .seconds(-13), 1)
        return snapshot
    }()

    private func driver(_ snapshot: PipelineSnapshot = stalled, _ width: Int = 80, _ height: Int = 24) -> Driver {
        var driver = Driver(.empty, width, height)
        _ = driver.send(.snapshot(snapshot))
        return driver
    }

    @Test(arguments: [(80, 24), (60, 16), (120, 36), (200, 50)])
    func theRowSaysThatNothingComes(width: Int, height: Int) {
        var driver = driver(Self.stalled, width, height)
        let rows = driver.text.split(separator: "\n").filter { $0.contains("stalled.bin") }
        #expect(rows.contains { $0.contains("no bytes 12 s ") }, "\(driver.text)")
        #expect(driver.text.split(separator: "\n").first?.contains("eta ") == false, "what does not come has no end")
    }

    @Test func itsDetailSaysSoInFull() {
        var driver = driver()
        _ = driver.press(keys: [.enter])
        var facts = Self.stalled
        facts.inspected = TaskFacts(facts.active[0], key: facts.active[0].url, claims: [], policy: Settings().policy)
        _ = driver.send(.snapshot(facts))
        #expect(driver.text.contains("no bytes for 12 s"), "\(driver.text)")
    }

    @Test func aPauseBetweenTwoBytesIsNoSilence() {
        var snapshot = Self.stalled
        snapshot.active[0].silentSince = Scene.now + .seconds(-4)
        var driver = driver(snapshot)
        #expect(!driver.text.contains("no bytes"))
    }

    @Test func theTimeGoesOnOnceASecond() throws {
        var driver = driver()
        _ = driver.frame
        var frames = 0
        for second in 1...10 {
            let wake = try #require(driver.dashboard.nextWake(after: driver.now))
            #expect(wake == Scene.now + .seconds(second))
            driver.pass(wake - driver.now)
            #expect(driver.dashboard.frameDue(now: driver.now).map { $0 <= driver.now } == true)
            _ = driver.frame
            frames += 1
            #expect(driver.dashboard.frameDue(now: driver.now) == nil)
        }
        #expect(frames == 10)
        #expect(driver.text.contains("no bytes 22 s "))
        let quiet = driver.dashboard.state.news.throughput.samples.suffix(18)
        #expect(quiet.allSatisfy { $0.value == 0 }, "the graph shows the silence")
    }

    @Test func manySilentRowsShareTheirSeconds() throws {
        var snapshot = Self.stalled
        for task in 2...4 {
            var row = snapshot.active[0]
            row.task = TaskID(task)
            row.silentSince = Scene.now + .milliseconds(-9_000 - 130 * task)
            snapshot.active.append(row)
        }
        var driver = driver(snapshot)
        var wakes = 0
        while let wake = driver.dashboard.nextWake(after: driver.now), wake <= Scene.now + .seconds(5) {
            driver.pass(wake - driver.now)
            wakes += 1
        }
        #expect(wakes == 5)
    }

    @Test func whileRatesAreShownThePipelineTells() {
        var snapshot = Self.stalled
        (snapshot.rate, snapshot.active[0].rate) = (500, 500)
        let driver = driver(snapshot)
        #expect(driver.dashboard.nextWake(after: driver.now) == nil)
    }

    @Test func whereNothingRunsNothingWakes() {
        var driver = driver()
        driver.pass(.seconds(1))
        _ = driver.send(.snapshot(Scene.empty.snapshot))
        driver.pass(.seconds(1))
        _ = driver.frame
        #expect(driver.dashboard.nextWake(after: driver.now) == nil)
        #expect(driver.dashboard.frameDue(now: driver.now) == nil)
    }

    @Test func aLineSaysSoToo() {
        var dashboard = PlainDashboard(Scene.configuration())
        _ = dashboard.handle(.snapshot(Self.stalled), now: Scene.now)
        let lines = dashboard.typed("status", now: Scene.now).lines
        #expect(lines.contains("stalled.bin: 33 %, 200 KiB, no bytes for 12 s."), "\(lines)")
    }
}
