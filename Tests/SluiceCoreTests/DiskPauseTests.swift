import SluiceCore
import Testing

struct DiskPauseTests {
    private func time(_ seconds: Int) -> Timestamp { Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000) }

    @Test func nothingIsLookedAtWhileNothingIsFull() {
        var pause = DiskPause()
        #expect(pause.nextLook == nil)
        let goesOn = pause.looked(free: 0, now: time(1))
        #expect(!goesOn)
    }

    @Test func theQueueStopsOnceAndGoesOnWhenThereIsRoom() {
        var pause = DiskPause()
        let stops = [(5_000_000, 0), (1_000, 1)].map { pause.foundNoRoom(missing: $0.0, now: time($0.1)) }
        #expect(stops == [true, false])
        #expect(pause.nextLook == time(2))
        let goesOnTooSoon = pause.looked(free: 5_000_000, now: time(2))
        #expect(!goesOnTooSoon)
        #expect(pause.nextLook == time(4))
        let goesOn = pause.looked(free: 6_100_000, now: time(4))
        #expect(goesOn)
        #expect(pause == DiskPause())
    }

    @Test func anAbsurdNeedDoesNotOverflow() {
        var pause = DiskPause()
        let stops = pause.foundNoRoom(missing: .max, now: time(0))
        let goesOn = pause.looked(free: nil, now: time(2))
        #expect(stops && goesOn, "where nobody can count, it is worth a try")
    }
}
