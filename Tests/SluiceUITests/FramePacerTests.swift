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
}
