import SluiceCore
import Testing

@testable import SluicePipeline

/// When a snapshot is due.
struct SnapshotStateTests {
    private static let interval = Duration.milliseconds(33)
    private let start = Timestamp(nanoseconds: 1_000_000_000_000)

    private func published(showingRate: Bool) -> SnapshotState {
        var state = SnapshotState()
        state.published(showingRate: showingRate, now: start)
        return state
    }

    @Test func theFirstIsDueAtOnce() {
        #expect(SnapshotState().isDue(now: start, interval: Self.interval))
    }

    @Test func withoutNewsAndRatesNoneIsDueEver() {
        let state = published(showingRate: false)
        #expect(state.deadline(interval: Self.interval) == nil)
        #expect(!state.isDue(now: start + .seconds(3_600), interval: Self.interval))
    }

    @Test func aRateThatIsShownIsLookedAtAgainAfterASecond() {
        let state = published(showingRate: true)
        #expect(state.deadline(interval: Self.interval) == start + .seconds(1))
        #expect(!state.isDue(now: start + .milliseconds(999), interval: Self.interval))
        #expect(state.isDue(now: start + .seconds(1), interval: Self.interval))
    }

    @Test func newsAreDueAfterTheInterval() {
        var state = published(showingRate: true)
        state.isDirty = true
        #expect(state.deadline(interval: Self.interval) == start + Self.interval)
        state.hasProgressed = true
        #expect(state.deadline(interval: Self.interval) == start + Self.interval)
    }

    @Test func bytesAloneAreLookedAtEightTimesASecond() {
        var state = published(showingRate: true)
        state.hasProgressed = true
        #expect(state.deadline(interval: Self.interval) == start + .milliseconds(125))
        #expect(state.deadline(interval: .milliseconds(250)) == start + .milliseconds(250))
        state.published(showingRate: false, now: start + .milliseconds(125))
        #expect(state.deadline(interval: Self.interval) == nil)
    }
}
