import SluiceCore
import Testing

@testable import SluiceUI

struct PacingTests {
    private let now = Scene.now

    @Test func anIdleDashboardDrawsNothing() {
        var dashboard = idle()
        #expect(dashboard.frameDue(now: now) == nil)
        #expect(dashboard.nextWake(after: now) == nil)

        var snapshot = Scene.empty.snapshot
        for step in 1...1_000 {
            snapshot.time = now + .seconds(step)
            snapshot.serial += 1
            _ = dashboard.handle(.snapshot(snapshot), now: snapshot.time)
            #expect(dashboard.frameDue(now: snapshot.time) == nil, "nothing visible changed")
        }
        #expect(dashboard.nextWake(after: now + .seconds(1_000)) == nil, "the clock is no reason to wake")
    }

    @Test func invisibleEventsDrawNothing() {
        var dashboard = idle()
        let events = [PipelineEvent.Kind.taskProgress(TaskID(1), received: 5, expected: nil)].enumerated().map {
            PipelineEvent(seq: $0 + 1, t: .seconds(1), kind: $1)
        }
        _ = dashboard.handle(.events(events, lost: 0), now: now)
        #expect(dashboard.frameDue(now: now) == nil, "no spinner is on screen")
    }

    @Test func keysAreDrawnAtOnce() {
        var dashboard = idle()
        _ = dashboard.handle(.key(.character("2")), now: now)
        #expect(dashboard.frameDue(now: now).map { $0 <= now } == true)
    }

    @Test func dataAreDrawnAtMostFourTimesASecond() {
        var dashboard = Scene.full.dashboard(80, 24)
        var snapshot = Scene.full.snapshot
        snapshot.received = 0
        var time = now
        _ = dashboard.frame(width: 80, height: 24, now: time)
        var frames = 0
        for step in 0..<2_000 {
            time = now + .milliseconds(step)
            snapshot.rate += 1
            _ = dashboard.handle(.snapshot(snapshot), now: time)
            if let due = dashboard.frameDue(now: time), due <= time {
                _ = dashboard.frame(width: 80, height: 24, now: time)
                frames += 1
            }
        }
        #expect(frames == 7, "one every 250 ms in 2 s, the first after 250 ms")
    }

    @Test func theSpinnerStepsWithBytesAndNothingElseChanges() {
        var dashboard = Scene.full.dashboard(80, 24)
        let first = dashboard.frame(width: 80, height: 24, now: now)
        var snapshot = Scene.full.snapshot
        snapshot.received += 1
        snapshot.queuedCount = 37
        _ = dashboard.handle(.snapshot(snapshot), now: now + .milliseconds(10))
        #expect(dashboard.frameDue(now: now + .milliseconds(10)) == now + .milliseconds(125))

        let second = dashboard.frame(width: 80, height: 24, now: now + .milliseconds(125))
        let changed = zip(first.canvas.cells, second.canvas.cells).filter { $0 != $1 }
        #expect(changed.count == 5, "four rows and the pill")
        #expect(changed.allSatisfy { $0.0.character == "⠋" && $0.1.character == "⠙" && $0.0.style == $0.1.style })
        #expect(dashboard.frameDue(now: now + .milliseconds(126)) == now + .milliseconds(250), "the data still wait")

        let third = dashboard.frame(width: 80, height: 24, now: now + .milliseconds(250))
        #expect(third.canvas.row(0).contains("37 queued"))
        #expect(dashboard.frameDue(now: now + .seconds(1)) == nil, "a stall stops the spinner")
    }

    @Test func theIndicatorIsDrawnAtOnce() {
        var dashboard = Scene.full.dashboard(80, 24)
        _ = dashboard.frame(width: 80, height: 24, now: now)
        var snapshot = Scene.full.snapshot
        snapshot.indicator.state = .delayingEnd
        let time = now + .milliseconds(3)
        _ = dashboard.handle(.snapshot(snapshot), now: time)
        #expect(dashboard.frameDue(now: time) == time)
        #expect(dashboard.frame(width: 80, height: 24, now: time).canvas.row(0).contains("◕ ending"))
    }

    @Test func theAnswerToAKeyIsDrawnAtOnce() {
        var dashboard = Scene.full.dashboard(80, 24)
        _ = dashboard.handle(.key(.character("x")), now: now)
        _ = dashboard.frame(width: 80, height: 24, now: now)
        var snapshot = Scene.full.snapshot
        snapshot.active.removeFirst()
        let time = now + .milliseconds(4)
        _ = dashboard.handle(.snapshot(snapshot), now: time)
        #expect(dashboard.frameDue(now: time) == time)

        _ = dashboard.frame(width: 80, height: 24, now: time)
        snapshot.active.removeFirst()
        _ = dashboard.handle(.snapshot(snapshot), now: time)
        #expect(dashboard.frameDue(now: time) == time, "the first one may have been taken before the key")

        _ = dashboard.frame(width: 80, height: 24, now: time)
        snapshot.queued.removeFirst()
        let later = now + .milliseconds(150)
        _ = dashboard.handle(.snapshot(snapshot), now: later)
        #expect(dashboard.frameDue(now: later) == time + .milliseconds(250), "no answer to a key any more")
    }

    @Test func withoutFocusAFrameASecondIsEnough() {
        var dashboard = Scene.full.dashboard(80, 24)
        _ = dashboard.handle(.focus(false), now: now)
        _ = dashboard.frame(width: 80, height: 24, now: now)
        var snapshot = Scene.full.snapshot
        snapshot.received += 1
        _ = dashboard.handle(.snapshot(snapshot), now: now)
        #expect(dashboard.frameDue(now: now) == now + .seconds(1))
    }

    @Test func countdownsAreDrawnOnceASecond() {
        var dashboard = Scene.full.dashboard(80, 24)
        _ = dashboard.frame(width: 80, height: 24, now: now)
        let wake = dashboard.nextWake(after: now)
        #expect(wake == now + .seconds(1))
        _ = dashboard.handle(.wake, now: now + .seconds(1))
        let frame = dashboard.frame(width: 80, height: 24, now: now + .seconds(1))
        #expect((0..<24).contains { frame.canvas.row($0).contains("waiting 1 s") })
        #expect(dashboard.nextWake(after: now + .seconds(1)) == now + .seconds(2))
    }

    @Test func everythingShownForAWhileGoesAway() {
        var dashboard = Scene.full.dashboard(120, 36)
        var scene = Scene()
        scene.failed(61, "https://a.example/x.png", DownloadError(.badStatus, "404", status: 404), task: 500)
        scene.purge(61.5, freed: 44_040_192, victims: 17)
        _ = dashboard.handle(.events(scene.events, lost: 3), now: now)
        _ = dashboard.handle(.key(.character("q")), now: now)
        var time = now
        var wakes = 0
        while let wake = dashboard.nextWake(after: time), wakes < 100 {
            #expect(wake > time)
            (time, wakes) = (wake, wakes + 1)
            _ = dashboard.handle(.wake, now: time)
        }
        #expect(wakes < 20)
        #expect(time - now <= .seconds(5))
        #expect(dashboard.state.news.lingering.isEmpty)
    }

    private func idle() -> Dashboard {
        var dashboard = Scene.empty.dashboard(80, 24)
        _ = dashboard.frame(width: 80, height: 24, now: now)
        return dashboard
    }
}
