import SluiceCore
import Testing

@testable import SluiceUI

/// When frames are drawn.
struct FramePacerTests {
    private let start = Timestamp(nanoseconds: 1_000_000_000)

    @Test func anIdleScreenIsNeverDrawn() {
        var pacer = FramePacer()
        pacer.snapshotArrived(at: start, isNews: false)
        #expect(pacer.due(now: start) == nil)
    }

    @Test func dataWaitsForItsTurn() {
        var pacer = FramePacer()
        pacer.drawn(data: true, at: start)
        pacer.snapshotArrived(at: start + .milliseconds(33), isNews: true)
        #expect(pacer.due(now: start + .milliseconds(33)) == start + .milliseconds(250))
    }

    @Test func everySnapshotSoonAfterACommandIsDrawnAtOnce() {
        var pacer = FramePacer()
        pacer.drawn(data: true, at: start)
        pacer.commandSent(at: start)

        // Taken before the command, and still on its way.
        let early = start + .milliseconds(1)
        pacer.snapshotArrived(at: early, isNews: true)
        #expect(pacer.due(now: early) == early)
        pacer.drawn(data: true, at: early)

        let answer = start + .milliseconds(12)
        pacer.snapshotArrived(at: answer, isNews: true)
        #expect(pacer.due(now: answer) == answer)
        pacer.drawn(data: true, at: answer)

        let late = start + .milliseconds(150)
        pacer.snapshotArrived(at: late, isNews: true)
        #expect(pacer.due(now: late) == answer + .milliseconds(250))
    }

    @Test func aLinkThatLagsGetsHalfAsManyFrames() {
        var pacer = FramePacer()
        var time = start
        var intervals: [Duration] = []
        for _ in 0..<3 {
            pacer.drawn(data: true, at: time)
            pacer.snapshotArrived(at: time, isNews: true)
            let due = pacer.due(now: time) ?? time
            intervals.append(due - time)
            time = due
            pacer.linkMeasured(isSlow: true, at: time)
        }
        #expect(intervals == [.milliseconds(250), .milliseconds(500), .seconds(1)])
        #expect(pacer.slowness == FramePacer.slowestLink)

        pacer.drawn(data: true, at: time)
        pacer.linkMeasured(isSlow: false, at: time + .seconds(4))
        #expect(pacer.slowness == FramePacer.slowestLink, "not trusted yet")
        pacer.linkMeasured(isSlow: false, at: time + .seconds(5))
        pacer.linkMeasured(isSlow: false, at: time + .seconds(10))
        #expect(pacer.slowness == 0)
    }

    @Test func evenKeysWaitWhileTheTerminalHasFramesToTake() {
        var pacer = FramePacer()
        pacer.drawn(data: true, at: start)
        pacer.invalidate(.urgent)
        pacer.linkMeasured(isSlow: true, at: start)
        #expect(pacer.due(now: start) == start + FramePacer.longestHold)
        pacer.drawn(data: true, at: start + FramePacer.longestHold)
        pacer.invalidate(.urgent)
        #expect(pacer.due(now: start + .seconds(1)) == start + .seconds(1), "the hold ends with a frame")
    }

    @Test func theSpinnerStandsStillOnALaggingLinkAndIsSlowOnARemoteOne() {
        var pacer = FramePacer()
        pacer.spinnerInterval = .milliseconds(500)
        pacer.drawn(data: true, at: start)
        pacer.invalidate(.spinner)
        #expect(pacer.due(now: start) == start + .milliseconds(500))
        pacer.linkMeasured(isSlow: true, at: start)
        #expect(pacer.due(now: start) == nil)
    }
}
