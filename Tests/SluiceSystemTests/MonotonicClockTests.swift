import SluiceCore
import SluiceSystem
import Testing

/// The clock of the shells.
struct MonotonicClockTests {
    @Test func itNeverRunsBackwards() {
        let earlier = MonotonicClock.now()
        #expect(MonotonicClock.now() >= earlier)
    }

    @Test(
        arguments: [
            (-1, 0), (0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (.max - 5, 60_000),
        ] as [(Int64, Int32)]
    )
    func waitsAreRoundedUpToMilliseconds(nanoseconds: Int64, milliseconds: Int32) {
        let now = Timestamp(nanoseconds: 5)
        let deadline = Timestamp(nanoseconds: 5 + nanoseconds)
        #expect(MonotonicClock.milliseconds(from: now, to: deadline) == milliseconds)
    }

    @Test func withoutADeadlineAWaitHasNoLimit() {
        #expect(MonotonicClock.milliseconds(from: MonotonicClock.now(), to: nil) == -1)
    }
}
